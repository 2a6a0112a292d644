/* tree/memo.h - what is to be done, on disk before it is done: written whole, and checked when it is read. */
#ifndef TREE_MEMO_H
#define TREE_MEMO_H

#include "base/text.h"
#include "tree/stamp.h"

/* With its head; what would be longer is neither written nor read. */
#define MEMO_MOST ((size_t)1 << 30)

void memo_put_number(struct text *text, uint64_t number);
void memo_put_text(struct text *text, const char *value);
void memo_put_stamp(struct text *text, const struct stamp *stamp);
/* Under `name`, by way of `aside`; the magic has eight letters. It is on the disk before this returns 0; else
 * -1 with errno: EMSGSIZE, and nothing is written, where it is too long to be read. */
int memo_write(int dir, const char *aside, const char *name, const char *magic, const struct text *text);

/* What was read, in the order in which it was put. Once something is not as it should be all else is 0 or "". */
struct memo_reading {
	const char *at, *end;
	bool failed;
};

/* The data is the caller's to free, and holds the texts. 0, or -1 with errno: EBADMSG where it is not what was
 * written. */
int memo_read(int fd, const char *magic, char **ret_data, struct memo_reading *ret_reading);
uint64_t memo_number(struct memo_reading *reading);
uint64_t memo_below(struct memo_reading *reading, uint64_t bound);
const char *memo_text(struct memo_reading *reading);
/* A relative path without detours; "" is the top. */
const char *memo_path(struct memo_reading *reading);
struct stamp memo_stamp(struct memo_reading *reading);

#endif
