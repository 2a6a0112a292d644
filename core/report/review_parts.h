/* report/review_parts.h - what the forms of a review share: names, notes, git directories, and contents. */
#ifndef REPORT_REVIEW_PARTS_H
#define REPORT_REVIEW_PARTS_H

#include "report/review.h"

/* A name as it is shown: `path` in the tree, "/part/path" outside of it. NULL when memory is gone. */
char *review_name(const struct review_part *part, const char *path);
/* The same as git quotes it, with a slash after it where it is a directory. */
char *review_shown_name(const struct review_part *part, const char *path, bool directory);
/* The note of a change; never NULL. */
const struct review_note *review_note_of(const struct review_part *part, size_t index);
bool review_is_directory(const struct change_side *side);
/* Else it only has another name, mode or attributes. */
bool review_content_differs(const struct change *change);
/* The changes of what lies below a path: they follow each other, but need not follow its own. */
struct review_range {
	size_t begin, end;
};
struct review_range review_below(const struct changes *changes, const char *path);

/* The length of the git directory's name in a name (of review_name) that lies in one; 0 where it does not. */
size_t review_git_directory(const struct review_part *part, const char *name);
/* Is this change of a file or link in a git directory? */
bool review_is_git(const struct review_part *part, const struct change *change);
/* Lines that say what changed in git directories of this part, each to be quoted: called for each line. */
int review_git_lines(const struct review_part *part, void (*line)(void *context, const char *text),
		     void *context, struct pinfold_error *err);

/* What is in both sides of a change of a file or link. */
struct review_contents {
	struct content before, after;
	uint32_t before_mode;	/* of what `before` was read from; 0: nothing is there */
	bool meanwhile;	/* `before` is what the tree has now, not what the command found */
	int failed;	/* errno of what could not be read; its content is then CONTENT_LARGE */
};
int review_read(const struct review_part *part, const struct change *change, uint64_t most,
		struct review_contents *ret_contents, struct pinfold_error *err);
void review_contents_release(struct review_contents *contents);

/* Calls for every file and link that moved with a directory and has no change of its own. 0, or -1 with
 * the error, also where `take` returned other than 0. */
int review_moved(const struct review_part *part, const struct change *change,
		 int (*take)(void *context, const char *before, const char *after, uint32_t mode),
		 void *context, struct pinfold_error *err);

#endif
