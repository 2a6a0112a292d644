/* tree/memo.c - what is to be done, on disk before it is done: written whole, and checked when it is read. */
#include "config.h"

#include "tree/memo.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "tree/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MAGIC_BYTES = 8, HEAD_BYTES = MAGIC_BYTES + sizeof(uint64_t) };

void memo_put_number(struct text *text, uint64_t number)
{
	text_add_bytes(text, &number, sizeof(number));
}

void memo_put_text(struct text *text, const char *value)
{
	text_add_bytes(text, value, strlen(value) + 1);
}

void memo_put_stamp(struct text *text, const struct stamp *stamp)
{
	const uint64_t members[] = { stamp->inode, (uint64_t)stamp->mtime, (uint64_t)stamp->ctime, stamp->size,
				     stamp->mode };
	text_add_bytes(text, members, sizeof(members));
}

static int write_aside(int dir, const char *aside, const char *magic, const struct text *text)
{
	char head[HEAD_BYTES];
	uint64_t sum = digest_of(text->data, text->length);
	memcpy(head, magic, MAGIC_BYTES);
	memcpy(head + MAGIC_BYTES, &sum, sizeof(sum));
	/* What was left there may be another name of a file elsewhere, or a pipe. */
	if (unlinkat(dir, aside, 0) < 0 && errno != ENOENT)
		return -1;
	auto_close int fd = openat(dir, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || fd_write_all(fd, head, sizeof(head)) < 0 ||
	    fd_write_all(fd, text->data, text->length) < 0)
		return -1;
	return fsync(fd);
}

int memo_write(int dir, const char *aside, const char *name, const char *magic, const struct text *text)
{
	if (text->failed || text->length > MEMO_MOST - HEAD_BYTES) {
		errno = text->failed ? ENOMEM : EMSGSIZE;
		return -1;
	}
	if (write_aside(dir, aside, magic, text) < 0 || renameat(dir, aside, dir, name) < 0)
		return -1;
	return fsync(dir);
}

int memo_read(int fd, const char *magic, char **ret_data, struct memo_reading *ret_reading)
{
	auto_free char *data = NULL;
	size_t bytes = 0;
	uint64_t sum;
	if (fd_read_all(fd, MEMO_MOST, &data, &bytes) < 0)
		return -1;
	errno = EBADMSG;
	if (bytes < HEAD_BYTES || memcmp(data, magic, MAGIC_BYTES) != 0)
		return -1;
	memcpy(&sum, data + MAGIC_BYTES, sizeof(sum));
	if (sum != digest_of(data + HEAD_BYTES, bytes - HEAD_BYTES))
		return -1;
	*ret_reading = (struct memo_reading){ .at = data + HEAD_BYTES, .end = data + bytes };
	*ret_data = take_pointer(&data);
	return 0;
}

uint64_t memo_number(struct memo_reading *reading)
{
	uint64_t number = 0;
	if ((size_t)(reading->end - reading->at) < sizeof(number)) {
		reading->failed = true;
		return 0;
	}
	memcpy(&number, reading->at, sizeof(number));
	reading->at += sizeof(number);
	return number;
}

uint64_t memo_below(struct memo_reading *reading, uint64_t bound)
{
	uint64_t number = memo_number(reading);
	if (number >= bound)
		reading->failed = true;
	return reading->failed ? 0 : number;
}

const char *memo_text(struct memo_reading *reading)
{
	const char *text = reading->at;
	const char *end = memchr(text, '\0', (size_t)(reading->end - text));
	if (!end || reading->failed) {
		reading->failed = true;
		return "";
	}
	reading->at = end + 1;
	return text;
}

const char *memo_path(struct memo_reading *reading)
{
	const char *path = memo_text(reading);
	for (const char *at = path; *path && !reading->failed;) {
		size_t bytes = strcspn(at, "/");
		if (bytes == 0 || (at[0] == '.' && (bytes == 1 || (bytes == 2 && at[1] == '.'))))
			reading->failed = true;
		at += bytes;
		if (*at == '\0')
			break;
		at++;
	}
	return reading->failed ? "" : path;
}

struct stamp memo_stamp(struct memo_reading *reading)
{
	struct stamp stamp = { .inode = memo_number(reading) };
	stamp.mtime = (int64_t)memo_number(reading);
	stamp.ctime = (int64_t)memo_number(reading);
	stamp.size = memo_number(reading);
	stamp.mode = (uint32_t)memo_number(reading);
	return stamp;
}
