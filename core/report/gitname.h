/* report/gitname.h - names of files as git writes them. */
#ifndef REPORT_GITNAME_H
#define REPORT_GITNAME_H

#include "base/text.h"

/* Appends `prefix` and `path`. Where a byte of the path is not printable ASCII, or is a quotation mark
 * or a backslash, all of it is quoted as a string of C: git reads such names back exactly, and no
 * terminal obeys them. */
void gitname_add(struct text *text, const char *prefix, const char *path);
/* As gitname_add, in an allocation of its own; NULL when memory is gone. */
char *gitname_of(const char *prefix, const char *path);

#endif
