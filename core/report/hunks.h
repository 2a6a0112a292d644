/* report/hunks.h - in which lines two contents differ.
 *
 * libgit2 finds them. It is opened when it is first needed: it and what it needs would cost every run
 * more than a run costs.
 */
#ifndef REPORT_HUNKS_H
#define REPORT_HUNKS_H

#include "report/content.h"

#include <pinfold/error.h>
#include <stdbool.h>

struct hunks;

int hunks_open(struct hunks **ret_hunks, struct pinfold_error *err);
void hunks_close(struct hunks *hunks);

/* One line of a hunk: `sign` is ' ', '-' or '+'; or '@': the line that begins a hunk. `bytes` are without
 * the newline; `open` says that the content ends without one. */
struct hunks_line {
	char sign;
	bool open;
	const char *bytes;
	size_t count;
};

/* What it is handed to. Other than 0 ends it. */
typedef int hunks_take(void *context, const struct hunks_line *line);

/* Past so many lines in both together it is not looked for the least that differs: that may take a
 * hundred times the memory and minutes, and who wrote the texts may have wanted just that. */
enum { HUNKS_LINES_MOST = 400000 };

/* Hands over what differs with `around` lines before and after. The contents are not equal; either may be
 * CONTENT_NONE. */
int hunks_find(struct hunks *hunks, const struct content *before, const struct content *after,
	       uint32_t around, hunks_take *take, void *context, struct pinfold_error *err);

enum { HUNKS_ID_ROOM = 65 };
/* The name that git gives to a content; zeros for CONTENT_NONE. */
int hunks_name(struct hunks *hunks, const struct content *content, char *ret_id,
	       struct pinfold_error *err);

/* Both contents as git packs them: each its `literal` or `delta`. */
struct hunks_packed {
	bool delta;
	const char *data;
	size_t bytes, unpacked_bytes;
};
struct hunks_binary {
	struct hunks_packed forward, reverse;
};
typedef void hunks_take_binary(void *context, const struct hunks_binary *binary);
int hunks_pack(struct hunks *hunks, const struct content *before, const struct content *after,
	       hunks_take_binary *take, void *context, struct pinfold_error *err);

#endif
