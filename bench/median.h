/* bench/median.h - the middle of what was measured. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

#include <stddef.h>

/* The values stay in their order. */
double median(const double *values, size_t count);

#endif
