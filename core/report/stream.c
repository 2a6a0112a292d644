/* report/stream.c - a long text that is written to a descriptor as it comes. */
#include "config.h"

#include "report/stream.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

void stream_open(struct stream *stream, int fd)
{
	stream->fd = fd;
	stream->colour = stream->escaped = false;
	stream->failed = 0;
	stream->used = 0;
	stream->most = 0;
	stream->held = (struct text){ 0 };
	stream->spool_fd = -1;
	stream->spooled = 0;
	stream->collects = false;
}

void stream_collect(struct stream *stream, size_t most)
{
	stream_open(stream, -1);
	stream->most = most;
	stream->collects = true;
}

void stream_hold(struct stream *stream, size_t most, int spool_fd)
{
	stream->most = most;
	stream->spool_fd = spool_fd;
}

void stream_abandon(struct stream *stream)
{
	text_release(&stream->held);
	stream->used = 0;
	stream->most = 0;
	cleanup_fd(&stream->spool_fd);
	stream->spool_fd = -1;
	stream->spooled = 0;
}

/* The signal is the thread's own: it is held back, and taken where the write has raised it. */
static int write_quietly(int fd, const char *bytes, size_t count)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t pipe, before, pending;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	int failed = fd_write_all(fd, bytes, count) < 0 ? errno : 0;
	if (failed == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static void write_out(struct stream *stream, const char *bytes, size_t count)
{
	if (!stream->failed && count > 0)
		stream->failed = write_quietly(stream->fd, bytes, count);
}

/* What a file that is full took of it is written over by nothing: `spooled` says what counts. */
static bool spool(struct stream *stream)
{
	for (size_t at = 0; at < stream->used;) {
		ssize_t done = stream->spool_fd < 0 ? -1 :
			pwrite(stream->spool_fd, stream->room + at, stream->used - at,
			       (off_t)(stream->spooled + at));
		if (done <= 0 && !(done < 0 && errno == EINTR))
			return false;
		at += done > 0 ? (size_t)done : 0;
	}
	stream->spooled += stream->used;
	return true;
}

/* Whether what is in the room was held back. Without memory nothing is. */
static bool hold_back(struct stream *stream)
{
	if (stream->spooled > 0 || stream->held.length + stream->used > stream->most)
		return spool(stream);
	text_add_bytes(&stream->held, stream->room, stream->used);
	return !stream->held.failed;
}

static void write_spooled(struct stream *stream)
{
	char room[16384];
	for (uint64_t at = 0; at < stream->spooled && !stream->failed;) {
		size_t wanted = stream->spooled - at < sizeof(room) ? (size_t)(stream->spooled - at) : sizeof(room);
		ssize_t got = pread(stream->spool_fd, room, wanted, (off_t)at);
		if (got <= 0 && !(got < 0 && errno == EINTR))
			stream->failed = got < 0 ? errno : ENODATA;
		else if (got > 0)
			write_out(stream, room, (size_t)got);
		at += got > 0 ? (uint64_t)got : 0;
	}
}

static void let_go(struct stream *stream)
{
	write_out(stream, stream->held.data, stream->held.length);
	write_spooled(stream);
	write_out(stream, stream->room, stream->used);
	stream_abandon(stream);
}

/* As much of the room as may still be kept; nothing is wanted after what has no place. */
static void collect(struct stream *stream)
{
	size_t left = stream->most - stream->held.length;
	text_add_bytes(&stream->held, stream->room, stream->used < left ? stream->used : left);
	if (stream->used > left || stream->held.failed)
		stream->failed = stream->held.failed ? ENOMEM : EFBIG;
}

bool stream_take(struct stream *stream, struct text *ret_text)
{
	if (!stream->failed)
		collect(stream);
	*ret_text = stream->held;
	stream->held = (struct text){ 0 };
	return stream->failed == 0;
}

static void flush(struct stream *stream)
{
	if (stream->collects)
		collect(stream);
	else if (stream->failed || stream->most == 0 || !hold_back(stream))
		let_go(stream);
	stream->used = 0;
}

void stream_add(struct stream *stream, const char *bytes, size_t count)
{
	while (count > 0 && !stream->failed) {
		size_t part = sizeof(stream->room) - stream->used;
		if (part > count)
			part = count;
		memcpy(stream->room + stream->used, bytes, part);
		stream->used += part;
		bytes += part;
		count -= part;
		if (stream->used == sizeof(stream->room))
			flush(stream);
	}
}

void stream_put(struct stream *stream, const char *text)
{
	stream_add(stream, text, strlen(text));
}

void stream_putf(struct stream *stream, const char *format, ...)
{
	struct text text = { 0 };
	va_list list;
	va_start(list, format);
	text_addv(&text, format, list);
	va_end(list);
	if (text.failed)
		stream->failed = stream->failed ? stream->failed : ENOMEM;
	else
		stream_add(stream, text.data, text.length);
	text_release(&text);
}

static void begin(struct stream *stream, enum paint paint)
{
	if (stream->colour)
		stream_put(stream, paint_begin(paint));
}

static void end(struct stream *stream, enum paint paint)
{
	if (stream->colour && paint != PAINT_PLAIN)
		stream_put(stream, "\033[0m");
}

void stream_paint(struct stream *stream, enum paint paint, const char *text)
{
	begin(stream, paint);
	stream_put(stream, text);
	end(stream, paint);
}

/* Tabs stay: a terminal does no more with one than with blanks. */
static void add_escaped(struct stream *stream, const char *bytes, size_t count)
{
	auto_free char *copy = strndup(bytes, count);
	struct text text = { 0 };
	for (char *part = copy, *tab; part; part = tab ? tab + 1 : NULL) {
		tab = strchr(part, '\t');
		if (tab)
			*tab = '\0';
		text_add_quoted(&text, part);
		text_add(&text, tab ? "\t" : "");
	}
	if (!copy || text.failed)
		stream->failed = stream->failed ? stream->failed : ENOMEM;
	else
		stream_add(stream, text.data, text.length);
	text_release(&text);
}

/* A carriage return at the end of a line that did not change does nothing, and is in every line of some
 * files. */
void stream_line(struct stream *stream, enum paint paint, const char *sign, const char *bytes,
		 size_t count)
{
	begin(stream, paint);
	stream_put(stream, sign);
	if (stream->escaped && sign[0] == ' ' && count > 0 && bytes[count - 1] == '\r')
		count--;
	if (stream->escaped)
		add_escaped(stream, bytes, count);
	else
		stream_add(stream, bytes, count);
	end(stream, paint);
	stream_put(stream, "\n");
}

int stream_close(struct stream *stream, struct pinfold_error *err)
{
	let_go(stream);
	if (stream->failed)
		return fault(err, PINFOLD_E_SYSTEM, stream->failed, "write the changes",
			     "they are not complete", "check what the output leads to");
	return 0;
}
