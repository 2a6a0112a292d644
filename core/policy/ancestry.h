/* policy/ancestry.h - which kinds of paths lie around a path, in one step for each of its parts. */
#ifndef POLICY_ANCESTRY_H
#define POLICY_ANCESTRY_H

#include <stddef.h>
#include <stdint.h>

/* Bits by enum pinfold_path_kind. */
struct ancestry_kinds {
	uint32_t any, hard;
};

struct ancestry {
	struct ancestry_row {
		const char *path;	/* NULL: a free one */
		size_t length;
		struct ancestry_kinds kinds;
	} *rows;
	size_t mask;
};

/* Room for `most` paths; -1 when memory is gone. */
int ancestry_make(struct ancestry *ret_ancestry, size_t most);
/* Of a path that stays, which covers all that is below it. */
void ancestry_add(struct ancestry *ancestry, const char *path, uint32_t kind, uint32_t hard);
/* Of the path itself and everything that it lies in. */
struct ancestry_kinds ancestry_around(const struct ancestry *ancestry, const char *path);
void ancestry_release(struct ancestry *ancestry);

#endif
