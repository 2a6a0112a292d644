/* report/review.h - what a command changed, for a person or a program.
 *
 * All of it is written to a stream as it comes; only one file's content is held at a time. Names are
 * relative to the working tree; outside of it they are absolute.
 */
#ifndef REPORT_REVIEW_H
#define REPORT_REVIEW_H

#include "report/patch.h"
#include "tree/changes.h"

/* What is to be said of one change beside itself. Each is NULL where it is not so. */
struct review_note {
	const char *state;	/* for programs: "ready", "changed" … */
	const char *conflict;	/* what the tree did meanwhile */
	const char *never;	/* why it is never applied */
	const char *risk;	/* why it is only applied when it is named */
};

/* Of a change whose mode has such a bit anew. */
extern const char review_lost_privileges[];

struct review_part {
	const char *path;	/* canonical */
	bool tree;		/* the working tree */
	bool git;		/* a git directory outside of it */
	bool named;		/* a path in it was asked for */
	int place_fd, held_fd;
	const struct changes *changes;
	struct review_note *notes;	/* as many as there are changes; NULL: nothing is to be said */
};

struct review {
	const char *tree, *session;	/* the latter NULL: the last run */
	const struct review_part *parts;
	size_t count;
};

struct review_style {
	struct patch_style patch;
	uint64_t most;	/* bytes of a file whose content is compared */
	uint32_t columns;	/* of the terminal */
	bool all;	/* what is in git directories and outside of the tree is spelled out everywhere */
	bool zero;	/* names in lists are as they are, with a NUL after each */
};

/* In git's unified format. */
int review_write_patch(struct stream *stream, const struct review *review,
		       const struct review_style *style, struct pinfold_error *err);
/* A line for each change, a letter before it. */
int review_write_list(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err);
/* The names alone. */
int review_write_names(struct stream *stream, const struct review *review,
		       const struct review_style *style, struct pinfold_error *err);
/* How many lines were added and removed in each file. */
int review_write_stat(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err);
int review_write_json(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err);

#endif
