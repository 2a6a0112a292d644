/* tree/merge_content.c - a file or link of the copy that was changed, beside the tree's. */
#include "config.h"

#include "tree/merge.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

enum { TRIES = 8, PERMISSIONS = 07777 };

/* Both files open, and in what they are the same. */
struct pair {
	int from, to;
	bool content, mode, attributes;
	uint64_t digest;
};

static int link_is_base(struct worker *worker, const char *name, const struct index_entry *old)
{
	char target[PATH_MAX + 1];
	ssize_t bytes = readlinkat(worker->copy_fd, name, target, PATH_MAX);
	if (bytes < 0)
		return trouble_copy(worker, name, errno);
	return old->digest != 0 && digest_of(target, (size_t)bytes) == old->digest;
}

/* What the command closed even to its owner it has changed; any other failure is one of the sync. */
static bool is_closed(const struct stamp *copy, int failure)
{
	return failure == EACCES && !(copy->mode & S_IRUSR);
}

static int open_copy(const struct worker *worker, const char *name)
{
	return openat(worker->copy_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int merge_is_base(struct worker *worker, const char *name, const struct index_entry *old,
		  const struct stamp *copy)
{
	uint64_t digest = 0;
	if (old->kind != index_kind_of(copy->mode))
		return 0;
	if (old->kind == INDEX_LINK)
		return link_is_base(worker, name, old);
	if (old->kind != INDEX_FILE || old->digest == 0 || old->size != copy->size ||
	    (old->copy_mode & PERMISSIONS) != (copy->mode & PERMISSIONS))
		return 0;
	auto_close int fd = open_copy(worker, name);
	if (fd < 0 && is_closed(copy, errno))
		return 0;
	int more = fd < 0 ? -1 : carry_has_any(fd);
	if (more < 0 || digest_file(fd, copy->size, &digest) < 0)
		return trouble_copy(worker, name, errno);
	return digest == old->digest && more == 0;
}

static bool is_of(const struct index_entry *base, const struct stamp *source)
{
	return base->identity == stamp_identity(source) && base->ctime == source->ctime &&
	       base->mtime == source->mtime && base->mode == source->mode &&
	       base->size == source->size;
}

/* Reads the tree's file or link once more. Only what does not change meanwhile says something. */
static bool tree_has_base(struct worker *worker, const char *name, struct sides *sides,
			  const struct index_entry *base)
{
	char target[PATH_MAX + 1];
	uint64_t digest = 0;
	struct stamp now;
	if (base->digest == 0 || base->mode != sides->source.mode || sides->target || sides->text)
		return false;
	if (base->kind == INDEX_LINK) {
		ssize_t bytes = readlinkat(worker->source_fd, name, target, PATH_MAX);
		return bytes >= 0 && digest_of(target, (size_t)bytes) == base->digest;
	}
	auto_close int from = file_open_source(worker, name, sides);
	return base->size == sides->source.size && from >= 0 &&
	       digest_file(from, base->size, &digest) == 0 && digest == base->digest &&
	       stamp_read(from, "", &now) == 0 && stamp_is_equal(&now, &sides->source);
}

/* The copy's file is the command's. Whether the tree still has the base must be known later, when the
 * times of this sync are no longer. */
static void refresh_base(struct worker *worker, const char *name, struct sides *sides,
			 struct index_entry *base)
{
	bool same = is_of(base, &sides->source);
	if (same && !stamp_is_young(base->ctime, worker->mirror->order->old->header->began))
		return;
	if (tree_has_base(worker, name, sides, base))
		entry_fill_source(base, &sides->source);
	else if (same)
		base->flags |= INDEX_UNSURE;
}

int merge_stays(struct worker *worker, const char *name, struct sides *sides,
		struct index_entry *ret_entry)
{
	const struct index_entry *old = sides->old;
	if (!old || old->kind == INDEX_SKIPPED) {
		worker->folder->unlisted |= sides->source.mode != 0;
		return 0;
	}
	*ret_entry = *old;
	index_mark_changed(ret_entry);
	if (old->kind == INDEX_FOLDER)
		return merge_retain(worker, old);
	if (sides->source.mode != 0 && index_kind_of(sides->source.mode) == old->kind)
		refresh_base(worker, name, sides, ret_entry);
	return 1;
}

int merge_stays_unless_base(struct worker *worker, const char *name, struct sides *sides,
			    struct index_entry *ret_entry)
{
	int is_base = sides->old ? merge_is_base(worker, name, sides->old, &sides->copy) : 0;
	if (is_base != 0)
		return is_base < 0 ? -1 : MERGE_FOLLOW;
	return merge_stays(worker, name, sides, ret_entry);
}

static int in_step(const struct sides *sides, uint64_t digest, struct index_entry *ret_entry)
{
	entry_fill_source(ret_entry, &sides->source);
	entry_fill_copy(ret_entry, &sides->copy);
	ret_entry->digest = digest;
	ret_entry->flags = (uint8_t)(sides->flags | (sides->source.links > 1 ? INDEX_SHARED : 0));
	return 1;
}

static bool is_mode_of_base(const struct sides *sides)
{
	return sides->old && sides->old->kind == INDEX_FILE &&
	       (sides->old->copy_mode & PERMISSIONS) == (sides->copy.mode & PERMISSIONS);
}

/* The content is the tree's; the mode is not, or the attributes are not. */
static int merge_rest(struct worker *worker, const char *name, struct sides *sides,
		      const struct pair *pair, struct index_entry *ret_entry)
{
	uint32_t mode = entry_mode(worker->mirror, &sides->source);
	if (pair->attributes && is_mode_of_base(sides)) {
		if (sides->copy.links > 1)
			return MERGE_FOLLOW;
		if (fchmod(pair->to, mode) < 0 || stamp_read(pair->to, "", &sides->copy) < 0)
			return trouble_copy(worker, name, errno);
		worker->work.rewritten++;
		return in_step(sides, pair->digest, ret_entry);
	}
	in_step(sides, pair->digest, ret_entry);
	index_mark_changed(ret_entry);
	ret_entry->copy_mode = S_IFREG | mode;
	if (!pair->mode && sides->old && sides->old->kind == INDEX_FILE)
		ret_entry->mode = sides->old->mode;
	return 1;
}

static int merge_pair(struct worker *worker, const char *name, struct sides *sides,
		      const struct pair *pair, struct index_entry *ret_entry)
{
	if (pair->content && pair->mode && pair->attributes)
		return in_step(sides, pair->digest, ret_entry);
	if (pair->content)
		return merge_rest(worker, name, sides, pair, ret_entry);
	return merge_stays_unless_base(worker, name, sides, ret_entry);
}

static int compare(struct worker *worker, const char *name, const struct sides *sides,
		   struct pair *pair)
{
	int same = sides->copy.size == sides->source.size;
	if (same)
		same = carry_compare(worker->carry, pair->from, pair->to, &sides->source, &pair->digest);
	if (same < 0)
		return trouble_copy(worker, name, errno);
	pair->content = same;
	pair->mode = (sides->copy.mode & PERMISSIONS) == entry_mode(worker->mirror, &sides->source);
	pair->attributes = pair->content && carry_attributes_are_same(pair->from, pair->to);
	return 0;
}

int merge_file(struct worker *worker, const char *name, struct sides *sides,
	       struct index_entry *ret_entry)
{
	if (file_make_carry(worker) < 0)
		return -1;
	struct stamp source = sides->source;
	auto_close int to = open_copy(worker, name);
	if (to < 0 && !is_closed(&sides->copy, errno))
		return trouble_copy(worker, name, errno);
	for (int tries = 0; to >= 0 && tries < TRIES; tries++) {
		auto_close int from = file_open_source(worker, name, sides);
		struct pair pair = { .from = from, .to = to };
		struct stamp now;
		if (from < 0 && errno == ENOENT)
			return merge_gone(worker, name, sides->old, true, ret_entry);
		if (from < 0 && errno != ELOOP && errno != ENXIO)
			return trouble_source(worker, name, errno);
		if (from < 0)
			break;
		if (compare(worker, name, sides, &pair) < 0)
			return -1;
		if (sides->text) {
			sides->source = source;
			return merge_pair(worker, name, sides, &pair, ret_entry);
		}
		if (stamp_read(from, "", &now) < 0)
			return trouble_source(worker, name, errno);
		if (stamp_is_equal(&now, &sides->source))
			return merge_pair(worker, name, sides, &pair, ret_entry);
		if (!S_ISREG(now.mode))
			break;
		sides->source = now;
	}
	return merge_stays(worker, name, sides, ret_entry);
}

int merge_link(struct worker *worker, const char *name, struct sides *sides,
	       struct index_entry *ret_entry)
{
	char target[PATH_MAX + 1], there[PATH_MAX + 1];
	const char *wanted = sides->target ? sides->target : target;
	ssize_t bytes = readlinkat(worker->source_fd, name, target, PATH_MAX);
	if (bytes < 0 && errno == ENOENT)
		return merge_gone(worker, name, sides->old, true, ret_entry);
	if (bytes < 0 && errno != EINVAL)
		return trouble_source(worker, name, errno);
	if (bytes < 0)
		return merge_stays(worker, name, sides, ret_entry);
	target[bytes] = '\0';
	bytes = (ssize_t)strlen(wanted);
	ssize_t held = readlinkat(worker->copy_fd, name, there, PATH_MAX);
	if (held < 0)
		return trouble_copy(worker, name, errno);
	if (held == bytes && memcmp(wanted, there, (size_t)bytes) == 0)
		return in_step(sides, digest_of(wanted, (size_t)bytes), ret_entry);
	return merge_stays_unless_base(worker, name, sides, ret_entry);
}
