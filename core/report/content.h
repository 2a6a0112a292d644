/* report/content.h - what is in a file, as far as it is to be shown. */
#ifndef REPORT_CONTENT_H
#define REPORT_CONTENT_H

#include <stddef.h>
#include <stdint.h>

enum content_kind {
	CONTENT_NONE = 0,	/* there is nothing: no bytes */
	CONTENT_TEXT,
	CONTENT_BINARY,		/* it has a byte that is zero */
	CONTENT_LARGE		/* past what is to be read: no bytes */
};

struct content {
	uint32_t kind;
	char *data;	/* a NUL follows */
	size_t bytes;
};

/* Reads the regular file open at `fd`, if it has at most `most` bytes. 0, or -1 with errno. */
int content_read(int fd, uint64_t most, struct content *ret_content);
/* The content of a link is where it leads to: `name` below `dir`, itself for "". 0, or -1 with errno. */
int content_read_link(int dir, const char *name, struct content *ret_content);
void content_release(struct content *content);

#endif
