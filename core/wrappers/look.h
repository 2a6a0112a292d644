/* wrappers/look.h - what one toolchain's settings could name, and all that would change that answer.
 *
 * Looking never decides: it only tells whether there is anything to measure, and which programs.
 */
#ifndef WRAPPERS_LOOK_H
#define WRAPPERS_LOOK_H

#include "base/list.h"
#include "base/text.h"
#include "wrappers/sight.h"

enum { TRIALS_MOST = 8 };

/* One throwaway build: the words before the toolchain's own arguments. */
struct trial {
	struct list with, without;
};

struct look {
	const struct sight *sight;
	const char *const *environment;	/* the command's */
	bool named;	/* something could name a wrapper */
	bool unknown;	/* it cannot be told what else would change the answer: measure each time */
	bool failed;	/* memory is gone */
	struct list candidates;	/* programs that could be the wrapper, as they were named */
	struct text stamps;	/* equal as long as the answer is */
	struct trial trials[TRIALS_MOST];
	size_t trial_count;
	struct list shadows;	/* directories of PATH whose compilers are links to a wrapper */
};

void look_release(struct look *look);
/* A program that could be the wrapper. */
void look_add_candidate(struct look *look, const char *program);
/* Stamps a program by each place where it could be found: a path, or every directory of PATH. */
void look_stamp_program(struct look *look, const char *program);
/* Stamps a file by its content, where there is one. */
void look_stamp_file(struct look *look, const char *path, const char *content);
/* The next directory of PATH as a path; NULL past the last. `*at` begins as PATH's value. */
char *look_next_directory(const struct look *look, const char **at);

#endif
