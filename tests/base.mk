check_PROGRAMS += tests/base_text
TESTS += tests/base_text
tests_base_text_SOURCES = tests/base_text.c
tests_base_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_text_LDADD = core/base/libbase.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/base_pattern
TESTS += tests/base_pattern
tests_base_pattern_SOURCES = tests/base_pattern.c
tests_base_pattern_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_pattern_LDADD = core/base/libbase.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/base_path
TESTS += tests/base_path
tests_base_path_SOURCES = tests/base_path.c
tests_base_path_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_path_LDADD = core/base/libbase.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/base_owner
TESTS += tests/base_owner
tests_base_owner_SOURCES = tests/base_owner.c
tests_base_owner_CPPFLAGS = $(TEST_CPPFLAGS)
tests_base_owner_LDADD = core/base/libbase.la $(CMOCKA_LIBS)
