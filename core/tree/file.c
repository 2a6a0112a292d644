/* tree/file.c - one regular file, brought up to date. */
#include "config.h"

#include "tree/file.h"
#include "tree/pace.h"
#include "tree/pointer.h"

#include "tree/stage.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>

enum { TRIES = 8 };

enum outcome { EQUAL = 0, AGAIN, GONE, FAILED };

uint64_t file_cost(const struct sides *sides)
{
	const struct stamp *source = &sides->source;
	if (!S_ISREG(source->mode) || sides->flags & INDEX_CLONED)
		return 0;
	return source->stored < source->size ? source->stored : source->size;
}

static enum outcome failed_copy(struct worker *worker, const char *name)
{
	trouble_copy(worker, name, errno);
	return FAILED;
}

static enum outcome failed_source(struct worker *worker, const char *name)
{
	trouble_source(worker, name, errno);
	return FAILED;
}

static bool is_recorded(const struct sides *sides)
{
	return sides->old && sides->old->copy_inode == sides->copy.inode &&
	       sides->old->copy_ctime == sides->copy.ctime;
}

/* What is in the copy may be kept when it is this file alone: another name of it may be anywhere. */
static bool may_keep(const struct sides *sides)
{
	if (!sides->found || !S_ISREG(sides->copy.mode) || sides->copy.size != sides->source.size)
		return false;
	return is_recorded(sides) || (sides->copy.links == 1 && sides->source.links == 1);
}

/* Sets mode, attributes and time of a file whose content is right, and looks at it. */
static int put_right(struct worker *worker, int from, int to, struct sides *sides, bool fresh)
{
	uint32_t mode = entry_mode(worker->mirror, &sides->source);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(sides->source.mtime) };
	if (carry_attributes(from, to, fresh) < 0) {
		if (errno != EACCES || fchmod(to, mode | S_IWUSR) < 0 ||
		    carry_attributes(from, to, fresh) < 0)
			return -1;
	}
	if (futimens(to, times) < 0 || stamp_read(to, "", &sides->copy) < 0)
		return -1;
	if ((sides->copy.mode & 07777) == mode)
		return 0;
	return fchmod(to, mode) < 0 ? -1 : stamp_read(to, "", &sides->copy);
}

/* Builds look at the times that a command of a session made. */
static bool has_its_time(const struct worker *worker, const struct sides *sides)
{
	return sides->copy.mtime == sides->source.mtime ||
	       (worker->mirror->order->keep_changes && sides->old->mtime == sides->source.mtime);
}

/* 1: the copy has the same content, and is right now; 0: it must be made anew; -1 with errno. */
static int keep(struct worker *worker, const char *name, int from, struct sides *sides)
{
	if (!may_keep(sides))
		return 0;
	struct stamp now;
	auto_close int to = openat(worker->copy_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (to < 0 || stamp_read(to, "", &now) < 0 || !stamp_is_equal(&now, &sides->copy) ||
	    now.links != sides->copy.links)
		return 0;
	if (!carry_is_same(worker->carry, from, to, &sides->source, &sides->digest) ||
	    (worker->mirror->staged && !carry_attributes_are_same(from, to)))
		return 0;
	if (is_recorded(sides) && has_its_time(worker, sides) &&
	    (now.mode & 07777) == entry_mode(worker->mirror, &sides->source))
		return 1;
	worker->work.rewritten++;
	if (put_right(worker, from, to, sides, false) == 0)
		return 1;
	return errno == EPERM ? 0 : -1;	/* it is marked: another takes its place */
}

static bool clone_bytes(struct worker *worker, int from, int to, struct sides *sides)
{
	struct mirror *mirror = worker->mirror;
	if (sides->source.size == 0 || mirror->clones < 0 || sides->text)
		return false;
	if (carry_clone(from, to)) {
		mirror->clones = 1;
		sides->flags |= INDEX_CLONED;
		worker->work.cloned += sides->source.size;
		return true;
	}
	if (mirror->clones == 0)
		mirror->clones = -1;
	return false;
}

static enum outcome fill(struct worker *worker, const char *name, int from, int to,
			 struct sides *sides)
{
	sides->flags &= (uint8_t)~INDEX_CLONED;
	sides->digest = 0;
	if (!clone_bytes(worker, from, to, sides)) {
		if (tally_add(worker, 0, file_cost(sides)) < 0)
			return FAILED;
		if (worker->mirror->counting)
			return EQUAL;
		const struct carry_pace pace = { pace_carry, worker };
		enum carry_result result = carry_bytes(worker->carry, from, to, &sides->source, &pace,
							&sides->digest);
		if (result == CARRY_SOURCE_FAILED)	/* what was opened may be a directory by now */
			return errno == EISDIR ? AGAIN : failed_source(worker, name);
		if (result == CARRY_COPY_FAILED)
			return failed_copy(worker, name);
		if (result == CARRY_CHANGED)
			return AGAIN;
		worker->work.bytes += file_cost(sides);
	}
	return put_right(worker, from, to, sides, true) < 0 ? failed_copy(worker, name) : EQUAL;
}

static enum outcome make(struct worker *worker, const char *name, int from, struct sides *sides)
{
	struct stage stage;
	if (stage_open(worker, name, sides, &stage) < 0)
		return failed_copy(worker, name);
	auto_close int to = openat(stage.dir, stage.name,
				   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				   entry_mode(worker->mirror, &sides->source));
	if (to < 0)
		return errno == EEXIST ? AGAIN : failed_copy(worker, name);
	enum outcome result = fill(worker, name, from, to, sides);
	if (result == EQUAL && worker->mirror->staged && !worker->mirror->counting &&
	    (stage_write_through(worker, to) < 0 || stage_put(worker, name, sides) < 0 || stamp_read(to, "", &sides->copy) < 0))
		return errno == EEXIST ? AGAIN : failed_copy(worker, name);
	*(sides->found ? &worker->work.rewritten : &worker->work.created) += result == EQUAL;
	if (result == EQUAL)
		pace_add(worker, 1, sides->flags & INDEX_CLONED ? sides->source.size : 0);
	return result;
}

/* The first name is not there any more, or it cannot have more of them. */
static bool can_do_without(int failure)
{
	return failure == ENOENT || failure == ENOTDIR || failure == ELOOP || failure == EXDEV ||
	       failure == EMLINK || failure == EPERM || failure == EEXIST;
}

/* Gives a file that is in the copy already a further name. 1 when that is done; 0: it cannot be,
 * or what lies there is not what was put there; -1 with errno. */
static int join(struct worker *worker, const char *name, struct sides *sides,
		const struct link_group *group)
{
	const char *first = NULL;
	struct stage stage;
	auto_close int dir = links_open(group, worker->mirror->order->copy_fd, &first);
	if (dir < 0 || stage_open(worker, name, sides, &stage) < 0 ||
	    linkat(dir, first, stage.dir, stage.name, 0) < 0 || stage_put(worker, name, sides) < 0 ||
	    stamp_read(worker->copy_fd, name, &sides->copy) < 0)
		return can_do_without(errno) ? 0 : -1;
	if (sides->copy.inode != group->copy_inode || !S_ISREG(sides->copy.mode))
		return 0;
	sides->digest = group->digest;
	*(sides->found ? &worker->work.rewritten : &worker->work.created) += 1;
	return 1;
}

static char *path_of(const struct worker *worker, const char *name)
{
	struct text path = { 0 };
	text_add(&path, worker->path.data);
	text_add(&path, worker->path.length ? "/" : "");
	text_add(&path, name);
	return text_take(&path);
}

static enum outcome keep_or_make(struct worker *worker, const char *name, int from, struct sides *sides)
{
	int kept = keep(worker, name, from, sides);
	if (kept < 0)
		return failed_copy(worker, name);
	if (kept)
		return tally_add(worker, 0, file_cost(sides)) < 0 ? FAILED : EQUAL;
	return make(worker, name, from, sides);
}

/* What the first of its names became this one has been all the time. */
static bool is_joined(struct worker *worker, const char *name, struct sides *sides,
		      const struct link_group *group)
{
	struct stamp now;
	if (!sides->found || sides->copy.inode != group->copy_inode ||
	    stamp_read(worker->copy_fd, name, &now) < 0 || now.inode != group->copy_inode || !S_ISREG(now.mode))
		return false;
	sides->copy = now;
	sides->digest = group->digest;
	return true;
}

/* Whether it can be kept is found out for one of its names: each by itself could come to another answer. */
static enum outcome bring_shared(struct worker *worker, const char *name, int from,
				 struct sides *sides)
{
	struct links *links = &worker->mirror->links;
	struct link_group *group = NULL;
	enum links_claim claim = links_claim(links, &sides->source, &group);
	sides->flags |= INDEX_SHARED;
	if (claim == LINKS_MADE && is_joined(worker, name, sides, group))
		return EQUAL;
	int joined = claim == LINKS_MADE ? join(worker, name, sides, group) : 0;
	if (joined != 0)
		return joined > 0 ? EQUAL : failed_copy(worker, name);
	if (claim == LINKS_MADE && !worker->mirror->staged)
		sides->found = true;
	enum outcome result = claim == LINKS_MADE ? make(worker, name, from, sides) :
						    keep_or_make(worker, name, from, sides);
	if (claim != LINKS_MAKE)
		return result;
	auto_free char *path = result == EQUAL ? path_of(worker, name) : NULL;
	links_tell(links, group, path, sides->copy.inode, sides->digest);
	return result;
}

int file_make_carry(struct worker *worker)
{
	if (!worker->carry)
		worker->carry = carry_new();
	return worker->carry ? 0 : trouble_memory(worker->mirror);
}

int file_open_source(struct worker *worker, const char *name, struct sides *sides)
{
	if (!sides->text)
		return openat(sides->origin ? AT_FDCWD : worker->source_fd,
			      sides->origin ? sides->origin : name,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	sides->source.size = sides->source.stored = strlen(sides->text);
	sides->source.links = 1;
	return pointer_open_text(sides->text);
}

/* What changed just now may have been changed again in the same tick: later only its content can tell. */
static void digest_young(const struct worker *worker, const char *name, struct sides *sides)
{
	if (sides->digest || sides->source.size > DIGEST_MOST_YOUNG || worker->mirror->counting ||
	    !stamp_is_young(sides->source.ctime, worker->mirror->began))
		return;
	auto_close int fd = openat(worker->copy_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		digest_file(fd, sides->source.size, &sides->digest);
}

static enum outcome bring_once(struct worker *worker, const char *name, struct sides *sides)
{
	if (file_make_carry(worker) < 0)
		return FAILED;
	auto_close int from = file_open_source(worker, name, sides);
	if (from < 0 && (errno == ENOENT || errno == ELOOP || errno == ENXIO))
		return errno == ENOENT ? GONE : AGAIN;
	if (from < 0)
		return failed_source(worker, name);
	enum outcome result = sides->source.links > 1 ? bring_shared(worker, name, from, sides) :
							keep_or_make(worker, name, from, sides);
	struct stamp now;
	if (result == EQUAL)
		digest_young(worker, name, sides);
	if (result == EQUAL && sides->text)
		return result;
	if (result == EQUAL && stamp_read(from, "", &now) < 0)
		return failed_source(worker, name);
	return result == EQUAL && !stamp_is_equal(&now, &sides->source) ? AGAIN : result;
}

static int bring(struct worker *worker, const char *name, struct sides *sides)
{
	for (int tries = 0; tries < TRIES; tries++) {
		enum outcome outcome = bring_once(worker, name, sides);
		if (outcome == EQUAL || outcome == FAILED)
			return outcome == EQUAL ? 1 : -1;
		struct stamp now = { 0 };
		/* What was begun is there, and goes with the name where the tree has no such file any more. */
		if (stamp_read(worker->copy_fd, name, &sides->copy) == 0)
			sides->found = true;
		if (outcome == GONE ||
		    stamp_read(sides->origin ? AT_FDCWD : worker->source_fd,
			       sides->origin ? sides->origin : name, &now) < 0 ||
		    !S_ISREG(now.mode))
			return 0;
		sides->source = now;
	}
	return trouble_changes(worker, name);
}

/* The tree's file is what the index knows, also where the copy's says something else. */
int file_bring(struct worker *worker, const char *name, struct sides *sides)
{
	struct stamp source = sides->source;
	int result = bring(worker, name, sides);
	if (sides->text)
		sides->source = source;
	return result;
}
