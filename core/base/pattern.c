/* base/pattern.c - names matched against patterns with stars. */
#include "base/pattern.h"

#include <stddef.h>

static inline char folded(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Going back to the last star is enough: an earlier one can only match less. */
static inline bool matches(const char *pattern, const char *text, bool fold)
{
	const char *star = NULL, *after = NULL;
	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			after = text;
		} else if (*pattern == *text || (fold && folded(*pattern) == folded(*text))) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++after;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool pattern_matches(const char *pattern, const char *text)
{
	return matches(pattern, text, false);
}

bool pattern_matches_folded(const char *pattern, const char *text)
{
	return matches(pattern, text, true);
}
