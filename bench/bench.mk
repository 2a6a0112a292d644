EXTRA_DIST += bench/bench.sh
EXTRA_PROGRAMS += bench/alternate bench/caller
bench_alternate_SOURCES = bench/alternate.c
bench_caller_SOURCES = bench/caller.c
bench_caller_LDADD = core/libpinfold.la
