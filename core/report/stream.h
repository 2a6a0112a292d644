/* report/stream.h - a long text that is written to a descriptor as it comes.
 *
 * What failed first is remembered and nothing is written after it: nothing between need look. A reader
 * that went away (EPIPE) raises no signal in the calling process.
 */
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include "report/table.h"

#include <pinfold/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
	int fd;
	bool colour;
	bool escaped;	/* whatever a terminal would obey is shown, not sent */
	int failed;	/* errno of what failed first */
	size_t most;	/* bytes that are held back in memory */
	struct text held;
	int spool_fd;	/* where what is more is held back, or -1 */
	uint64_t spooled;	/* bytes there */
	bool collects;	/* nothing is written: what is held back is for the caller, and more than that is left out */
	size_t used;
	char room[16384];
};

void stream_open(struct stream *stream, int fd);
/* Nothing is written before stream_close: so many bytes are held back in memory and what is more in the file
 * `spool_fd`, which is the stream's from here on. Where there is no such file (-1), or no room in it, a longer
 * text is written as it comes. */
void stream_hold(struct stream *stream, size_t most, int spool_fd);
void stream_add(struct stream *stream, const char *bytes, size_t count);
void stream_put(struct stream *stream, const char *text);
void stream_putf(struct stream *stream, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A text in a colour, where there are colours. */
void stream_paint(struct stream *stream, enum paint paint, const char *text);
/* One line in a colour, with a newline after it: `sign` and bytes that somebody else chose. */
void stream_line(struct stream *stream, enum paint paint, const char *sign, const char *bytes,
		 size_t count);
/* Writes what has not been written yet. -1 with the error where anything of it all failed; `sys` is
 * EPIPE where the reader went away. */
int stream_close(struct stream *stream, struct pinfold_error *err);
/* In place of stream_open: so many bytes are kept in memory for stream_take, and what is more is left out. */
void stream_collect(struct stream *stream, size_t most);
/* What was collected, which is then the text's; false where something was left out, or memory was gone (the text
 * has then failed). */
bool stream_take(struct stream *stream, struct text *ret_text);
/* Writes nothing more. */
void stream_abandon(struct stream *stream);

#endif
