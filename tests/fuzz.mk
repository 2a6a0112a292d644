# What reads bytes of others, over inputs made by chance; and the same for libFuzzer, which `./dev soak fuzz` builds.
FUZZ_SOURCES = tests/fuzz/files.c tests/fuzz/fuzz.h tests/fuzz/messages.c tests/fuzz/place.c tests/fuzz/targets.c tests/fuzz/texts.c
FUZZ_LIBS = core/cli/libcli.la $(FACE_LIBS)
check_PROGRAMS += tests/fuzz/replay
TESTS += tests/fuzz/replay
tests_fuzz_replay_SOURCES = tests/fuzz/replay.c $(FUZZ_SOURCES)
tests_fuzz_replay_CPPFLAGS = $(TEST_CPPFLAGS) -DFUZZ_CORPUS='"$(abs_srcdir)/tests/fuzz/corpus"'
tests_fuzz_replay_LDADD = $(FUZZ_LIBS)
EXTRA_PROGRAMS += tests/fuzz/engine
tests_fuzz_engine_SOURCES = tests/fuzz/engine.c $(FUZZ_SOURCES)
tests_fuzz_engine_CPPFLAGS = $(TEST_CPPFLAGS)
tests_fuzz_engine_LDADD = $(FUZZ_LIBS)
tests_fuzz_engine_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
EXTRA_DIST += tests/fuzz/corpus
