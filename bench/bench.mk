EXTRA_DIST += bench/bench.sh bench/compare
EXTRA_PROGRAMS += bench/alternate bench/caller bench/serve
bench_alternate_SOURCES = bench/alternate.c bench/median.c bench/median.h
bench_serve_SOURCES = bench/serve.c bench/median.c bench/median.h
bench_caller_SOURCES = bench/caller.c bench/median.c bench/median.h
bench_caller_LDADD = core/libpinfold.la
EXTRA_PROGRAMS += bench/sync
bench_sync_SOURCES = bench/sync.c
bench_sync_CPPFLAGS = $(CORE_CPPFLAGS)
bench_sync_LDADD = core/tree/libtree.la core/policy/libpolicy.la core/config/libconfig.la $(TEST_PLACES) \
	core/base/libbase.la $(INIH_LIBS) -lpthread
