/* tree/measure.h - how much room on disk a directory takes. */
#ifndef TREE_MEASURE_H
#define TREE_MEASURE_H

#include <stdint.h>

/* Of `name` of `dir` with all that is below it, on its own file system, following nothing. What has
 * further names counts by its share. What cannot be looked at counts as nothing. */
uint64_t measure_bytes(int dir, const char *name);

#endif
