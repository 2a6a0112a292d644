/* report/coarse.h - how texts of very many lines differ: in one hunk, from the first line that differs to
 * the last. Costs no more memory and time than reading them. */
#ifndef REPORT_COARSE_H
#define REPORT_COARSE_H

#include "report/hunks.h"

/* 0, or what `take` returned. The contents are not equal. */
int coarse_find(const struct content *before, const struct content *after, uint32_t around,
		hunks_take *take, void *context);

#endif
