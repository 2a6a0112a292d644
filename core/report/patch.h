/* report/patch.h - how one file differs, as git writes it: `git apply`, `patch -p1` and pagers take it. */
#ifndef REPORT_PATCH_H
#define REPORT_PATCH_H

#include "report/hunks.h"
#include "report/stream.h"

/* What is on one side. */
struct patch_side {
	const char *path;	/* relative to the tree */
	uint32_t mode;		/* as git has it (patch_mode); 0: there is nothing */
	struct content content;	/* CONTENT_NONE where it is the same on both sides */
};

struct patch {
	struct patch_side before, after;
	bool differs;	/* in content */
};

struct patch_style {
	uint32_t around;	/* unchanged lines that are shown beside a change */
	bool packed;	/* binary content is spelled out, as by `git diff --binary` */
};

/* 0100644, 0100755 or 0120000; 0 for what git has no mode for. */
uint32_t patch_mode(uint32_t mode);
/* Both kinds of the sides are the same, or one is missing: what became something else is two patches.
 * `*hunks` is opened when it is needed. */
int patch_write(struct stream *stream, struct hunks **hunks, const struct patch *patch,
		const struct patch_style *style, struct pinfold_error *err);

/* Lines that a patch of the two contents adds and removes. */
struct patch_count {
	uint64_t added, removed;
};
int patch_count(struct hunks **hunks, const struct content *before, const struct content *after,
		struct patch_count *ret_count, struct pinfold_error *err);

#endif
