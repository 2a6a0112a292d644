/* cli/serve_lines.h - requests as they come in: lines of a bounded length. */
#ifndef CLI_SERVE_LINES_H
#define CLI_SERVE_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_MOST = 1 << 20 };

struct lines {
	char *data;
	size_t from, length, room;	/* what is not yet taken lies at `from` */
	bool skipping;	/* the rest of a line that was too long */
	bool ended;
};

enum line_kind {
	LINE_NONE = 0,	/* no whole line is there */
	LINE_WHOLE,	/* ends in a NUL in place of its newline */
	LINE_TOO_LONG,	/* told once; the next line is read as any other */
	LINE_HALF	/* the input ended within it */
};

/* Reads once, without waiting where the descriptor is ready. -1 with errno. */
int lines_fill(struct lines *lines, int fd);
/* The line lives until lines_fill is called again. */
enum line_kind lines_next(struct lines *lines, char **ret_line, size_t *ret_length);
void lines_release(struct lines *lines);

#endif
