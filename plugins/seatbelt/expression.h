/* plugins/seatbelt/expression.h - a pattern of paths as the regular expression that the profile's rules take.
 *
 * `?` is one character and `*` any number of them within a part, `**` any number of parts. Letters of
 * a pattern that refuses stand for both cases: the file system of a Mac takes them for one.
 */
#ifndef SEATBELT_EXPRESSION_H
#define SEATBELT_EXPRESSION_H

#include <pinfold/arm.h>
#include <stdbool.h>

enum { EXPRESSION_NO_MEMORY = -1, EXPRESSION_TOO_DEEP = -2 };

/* What the pattern matches, and, with `below`, all that is below it. NULL when memory is gone. */
const char *expression_of(const struct pinfold_host *host, const char *pattern, bool folded, bool below);

/* The path itself, in whatever case, and, with `below`, all that is below it. */
const char *expression_of_path(const struct pinfold_host *host, const char *path, bool below);

/* What of the pattern can match in `tree`, said of the same places in `copy` (or the reverse): one pattern for
 * each place in the pattern that the whole of the tree's path can be an instance of. Fills at most `room`; the count,
 * EXPRESSION_NO_MEMORY, or EXPRESSION_TOO_DEEP when there are more parts or places than it can handle. A pattern that matches the tree itself or what is above
 * it has the rest "": all of the copy. */
int expression_moved(const struct pinfold_host *host, const char *pattern, const char *tree, const char *copy,
		     const char **ret_patterns, size_t room);

#endif
