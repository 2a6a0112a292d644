/* face/report.h - the parts of a report for a person. */
#ifndef FACE_REPORT_H
#define FACE_REPORT_H

#include "report/page.h"

#include <jansson.h>

/* A run, by its receipt. */
void report_run(struct page *page, const json_t *receipt);
/* "exit 3", "ended by SIGKILL", "refused: E_TREE". */
enum paint report_outcome(struct text *text, const json_t *receipt);
/* What was changed, by the facts {"count", "list", "list_cut", "patch", "patch_cut", "error"}. */
void report_changes(struct page *page, const json_t *changes);

#endif
