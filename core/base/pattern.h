/* base/pattern.h - names matched against patterns with stars. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <stdbool.h>

/* Does the whole of `text` match? A star stands for any bytes, none as well; everything else for
 * itself. */
bool pattern_matches(const char *pattern, const char *text);
/* The same where the letters A to Z and a to z are one. */
bool pattern_matches_folded(const char *pattern, const char *text);

#endif
