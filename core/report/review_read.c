/* report/review_read.c - what is in both sides of a change. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool has_content(const struct change_side *side)
{
	return side->kind == INDEX_FILE || side->kind == INDEX_LINK;
}

static int read_file(int fd, uint64_t most, struct content *ret_content)
{
	auto_close int file = fd;
	return file < 0 ? -1 : content_read(file, most, ret_content);
}

static int open_link(int dir, const char *path)
{
	return fd_open_beneath(dir, path, O_PATH | O_NOFOLLOW, 0);
}

static int read_link(int dir, const char *path, struct content *ret_content)
{
	auto_close int link = open_link(dir, path);
	return link < 0 ? -1 : content_read_link(link, "", ret_content);
}

/* What the tree has now, in place of what is gone. */
static int read_present(const struct review_part *part, const char *path, uint64_t most,
			struct review_contents *contents)
{
	struct stamp now;
	auto_close int found = open_link(part->place_fd, path);
	contents->meanwhile = true;
	contents->before_mode = 0;
	if (found < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (found < 0 || stamp_read(found, "", &now) < 0)
		return -1;
	contents->before_mode = now.mode;
	if (S_ISLNK(now.mode))
		return content_read_link(found, "", &contents->before);
	if (!S_ISREG(now.mode))
		return 0;
	return read_file(fd_open_beneath(part->place_fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0), most,
			 &contents->before);
}

static bool link_is_base(const struct review_part *part, const struct change *change)
{
	struct stamp now;
	auto_close int link = open_link(part->place_fd, change_old_path(change));
	return link >= 0 && stamp_read(link, "", &now) == 0 && change_is_base(&change->before, &now);
}

static int read_before(const struct review_part *part, const struct change *change, uint64_t most,
		       struct review_contents *contents)
{
	const char *path = change_old_path(change);
	contents->before_mode = change->before.stamp.mode;
	if (change->before.kind == INDEX_LINK)
		return link_is_base(part, change) ? read_link(part->place_fd, path, &contents->before)
						  : read_present(part, path, most, contents);
	int fd = change_open_before(part->place_fd, change);
	if (fd < 0 && (errno == ESTALE || errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return read_present(part, path, most, contents);
	return read_file(fd, most, &contents->before);
}

/* In one step, where no mode forbids it. */
static int open_after(int held_fd, const struct change *change)
{
	int fd = fd_open_beneath(held_fd, change->path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	return fd >= 0 ? fd : change_open_after(held_fd, change);
}

static int read_after(const struct review_part *part, const struct change *change, uint64_t most,
		      struct content *ret_content)
{
	if (change->after.kind == INDEX_LINK)
		return read_link(part->held_fd, change->path, ret_content);
	return read_file(open_after(part->held_fd, change), most, ret_content);
}

/* What cannot be read is noted like what is too large. */
static int note_failure(struct review_contents *contents, struct content *content,
			struct pinfold_error *err)
{
	if (errno == ENOMEM)
		return fault_no_memory(err);
	contents->failed = errno;
	content->kind = CONTENT_LARGE;
	return 0;
}

int review_read(const struct review_part *part, const struct change *change, uint64_t most,
		struct review_contents *ret_contents, struct pinfold_error *err)
{
	struct review_contents contents = { 0 };
	int result = 0;
	if (has_content(&change->before) && read_before(part, change, most, &contents) < 0)
		result = note_failure(&contents, &contents.before, err);
	if (result == 0 && has_content(&change->after) &&
	    read_after(part, change, most, &contents.after) < 0)
		result = note_failure(&contents, &contents.after, err);
	if (result < 0)
		review_contents_release(&contents);
	else
		*ret_contents = contents;
	return result;
}

void review_contents_release(struct review_contents *contents)
{
	content_release(&contents->before);
	content_release(&contents->after);
	*contents = (struct review_contents){ 0 };
}
