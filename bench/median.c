/* bench/median.c - the middle of what was measured. */
#include "median.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;
	return (a > b) - (a < b);
}

double median(const double *values, size_t count)
{
	double *sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		abort();
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_size);
	double middle = count % 2 ? sorted[count / 2] :
				    (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
	free(sorted);
	return middle;
}
