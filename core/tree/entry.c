/* tree/entry.c - one entry of a directory: looked at on both sides, and brought up to date. */
#include "config.h"

#include "base/cleanup.h"
#include "tree/follow.h"
#include "tree/merge.h"
#include "tree/pointer.h"
#include "tree/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/vfs.h>
#include <unistd.h>

uint32_t entry_mode(const struct mirror *mirror, const struct stamp *source)
{
	return stamp_mode_in_copy(source, mirror->user);
}

int entry_discard(struct worker *worker, const char *name)
{
	if (folder_touch(worker) < 0 ||
	    discard_entry(worker->mirror->order->trash, worker->copy_fd, name) < 0)
		return trouble_copy(worker, name, errno);
	worker->work.removed++;
	return 0;
}

void entry_fill_source(struct index_entry *entry, const struct stamp *source)
{
	entry->kind = index_kind_of(source->mode);
	entry->identity = stamp_identity(source);
	entry->mtime = source->mtime;
	entry->ctime = source->ctime;
	entry->mode = source->mode;
	if (entry->kind != INDEX_FOLDER)
		entry->size = source->size;
}

void entry_fill_copy(struct index_entry *entry, const struct stamp *copy)
{
	entry->copy_inode = copy->inode;
	entry->copy_ctime = copy->ctime;
	entry->copy_mode = copy->mode;
}

/* A machine that stopped at once may keep of a new file all but its bytes. What stands for something else is as
 * long as it had to be made. */
static bool is_of_its_length(const struct sides *sides)
{
	return !S_ISREG(sides->source.mode) || sides->old->flags & INDEX_FOLLOWED ||
	       sides->copy.size == sides->source.size;
}

/* Nothing to do: both sides are what they were. A folder's own figures come from the folder. */
static bool is_known(const struct sides *sides)
{
	const struct index_entry *old = sides->old;
	const struct stamp *now = &sides->source;
	return old && sides->found && old->kind == index_kind_of(now->mode) &&
	       old->identity == stamp_identity(now) && old->ctime == now->ctime &&
	       old->mtime == now->mtime && old->mode == now->mode &&
	       old->size == now->size && old->copy_inode == sides->copy.inode &&
	       old->copy_ctime == sides->copy.ctime && !sides->target && !sides->text &&
	       (old->flags & INDEX_FOLLOWED) == (sides->flags & INDEX_FOLLOWED) && is_of_its_length(sides);
}

static bool is_young(const struct worker *worker, const struct index_entry *old)
{
	const struct index_header *header = worker->mirror->order->old->header;
	return stamp_is_young(old->ctime, header->began) ||
	       stamp_is_young(old->copy_ctime, header->ended);
}

static bool date_link(struct worker *worker, const char *name, struct sides *sides)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(sides->source.mtime) };
	return folder_touch(worker) == 0 &&
	       utimensat(worker->copy_fd, name, times, AT_SYMLINK_NOFOLLOW) == 0 &&
	       stamp_read(worker->copy_fd, name, &sides->copy) == 0;
}

static bool make_link(struct worker *worker, const char *name, const char *target,
		      struct sides *sides)
{
	struct stage stage;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(sides->source.mtime) };
	return stage_open(worker, name, sides, &stage) == 0 &&
	       symlinkat(target, stage.dir, stage.name) == 0 &&
	       utimensat(stage.dir, stage.name, times, AT_SYMLINK_NOFOLLOW) == 0 &&
	       stage_put(worker, name, sides) == 0 &&
	       stamp_read(worker->copy_fd, name, &sides->copy) == 0;
}

static int bring_link(struct worker *worker, const char *name, struct sides *sides)
{
	char target[PATH_MAX + 1], there[PATH_MAX + 1];
	ssize_t bytes = readlinkat(worker->source_fd, name, target, PATH_MAX);
	const char *wanted = sides->target ? sides->target : target;
	if (bytes < 0)
		return errno == ENOENT || errno == EINVAL ? 0 : trouble_source(worker, name, errno);
	target[bytes] = '\0';
	bytes = (ssize_t)strlen(wanted);
	sides->digest = digest_of(wanted, (size_t)bytes);
	bool same = sides->found && S_ISLNK(sides->copy.mode) &&
		    readlinkat(worker->copy_fd, name, there, PATH_MAX) == bytes &&
		    memcmp(wanted, there, (size_t)bytes) == 0;
	if (same && sides->copy.mtime == sides->source.mtime)
		return 1;
	if (!(same ? date_link(worker, name, sides) : make_link(worker, name, wanted, sides)))
		return trouble_copy(worker, name, errno);
	*(sides->found ? &worker->work.rewritten : &worker->work.created) += 1;
	return 1;
}

/* File systems of the kernel's own: their files have no size, no end, or an effect when read. */
bool entry_is_pseudo(int fd)
{
	static const uint32_t magics[] = {
		0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11, 0x27e0eb,
		0x63677270, 0x6e736673, 0x1cd1, 0x42494e4d, 0x6165676c, 0xde5e81e4, 0xf97cff8c,
		0x958458f6, 0x19800202, 0x67596969, 0x0187, 0x65735543,
	};
	struct statfs found;
	if (fstatfs(fd, &found) < 0)
		return false;
	for (size_t i = 0; i < N_ELEMENTS(magics); i++)
		if ((uint32_t)found.f_type == magics[i])
			return true;
	return false;
}

static bool is_left_out(const struct worker *worker, const char *name, const struct sides *sides)
{
	const struct mirror *mirror = worker->mirror;
	const struct stamp *source = &sides->source;
	if (hidden_has(&mirror->hidden, mirror->order->tree, worker->path.length ? worker->path.data : "", name))
		return true;
	if (!S_ISDIR(source->mode))
		return index_kind_of(source->mode) == INDEX_SKIPPED;
	if (stamp_is_same_object(source, &mirror->order->scratch_root))
		return true;
	if (sides->base || source->device == worker->folder->source.device)
		return false;
	auto_close int fd =
		openat(worker->source_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && entry_is_pseudo(fd);
}

/* With the rights to fill it; what is missing or too much is put right when it is filled. */
static int make_folder(struct worker *worker, const char *name, struct sides *sides)
{
	uint32_t mode = entry_mode(worker->mirror, &sides->source) | S_IRWXU;
	struct stage stage;
	if (stage_open(worker, name, sides, &stage) < 0 || mkdirat(stage.dir, stage.name, mode) < 0 ||
	    stage_put(worker, name, sides) < 0)
		return trouble_copy(worker, name, errno);
	worker->work.removed += sides->found;
	sides->copy = (struct stamp){ .mode = S_IFDIR | S_IRWXU };
	return 0;
}

static int bring_folder(struct worker *worker, const char *name, struct sides *sides)
{
	bool counting = worker->mirror->counting;
	bool fresh = !sides->found || !S_ISDIR(sides->copy.mode);
	if (!counting && fresh && make_folder(worker, name, sides) < 0)
		return -1;
	struct folder *folder = folder_add(worker->folder);
	if (!folder)
		return trouble_memory(worker->mirror);
	folder->fresh = fresh;
	folder->base = sides->base ? sides->base : worker->folder->base;
	folder->base_depth = sides->base ? folder->depth : worker->folder->base_depth;
	folder->source = sides->source;
	folder->copy = sides->copy;
	if (sides->old && sides->old->kind == INDEX_FOLDER)
		folder->old = (uint32_t)(sides->old - worker->mirror->order->old->entries);
	tally_depth(worker->mirror, folder->depth);
	return 1;
}

static int skip_entry(struct worker *worker, const char *name, const struct sides *sides)
{
	trouble_skip(worker, name);
	return sides->found && !worker->mirror->counting && entry_discard(worker, name) < 0 ? -1 : 1;
}

static int bring_known(struct worker *worker, const char *name, struct sides *sides)
{
	sides->flags = sides->old->flags;
	sides->digest = sides->old->digest;
	if (!is_young(worker, sides->old))
		return tally_add(worker, 0, file_cost(sides)) < 0 ? -1 : 1;
	worker->mirror->changed = 1;
	return index_kind_of(sides->source.mode) == INDEX_FILE ? file_bring(worker, name, sides) :
							   bring_link(worker, name, sides);
}

static int bring_kind(struct worker *worker, const char *name, struct sides *sides)
{
	uint8_t kind = index_kind_of(sides->source.mode);
	if (kind == INDEX_FOLDER)
		return bring_folder(worker, name, sides);
	if (worker->mirror->counting)
		return tally_add(worker, 0, file_cost(sides)) < 0 ? -1 : 1;
	if (is_known(sides))
		return bring_known(worker, name, sides);
	return kind == INDEX_FILE ? file_bring(worker, name, sides) : bring_link(worker, name, sides);
}

/* A folder's place and copy are written when it is done: until then it is as it was. */
static void fill_folder(struct index_entry *entry, const struct index_entry *old)
{
	if (!old || old->kind != INDEX_FOLDER)
		return;
	entry->children = old->children;
	entry->copy_inode = old->copy_inode;
	entry->copy_ctime = old->copy_ctime;
	entry->copy_mode = old->copy_mode;
}

/* The copy's, as the index has it: nobody has touched it, and the tree's is what it was. */
static bool is_as_recorded(const struct worker *worker, struct sides *sides)
{
	const struct index_entry *old = sides->old;
	const struct stamp *now = &sides->source;
	if (!worker->mirror->order->untouched || !old || old->kind == INDEX_SKIPPED ||
	    old->kind != index_kind_of(now->mode) || old->identity != stamp_identity(now) ||
	    old->ctime != now->ctime || old->mtime != now->mtime || old->mode != now->mode ||
	    (old->kind != INDEX_FOLDER && old->size != now->size) || is_young(worker, old))
		return false;
	sides->copy = (struct stamp){
		.inode = old->copy_inode, .ctime = old->copy_ctime, .mtime = now->mtime, .mode = old->copy_mode,
		.size = now->size,
	};
	return true;
}

static int look_at_copy(struct worker *worker, const char *name, struct sides *sides)
{
	if (is_as_recorded(worker, sides))
		return 0;
	if (folder_open_copy(worker) < 0 ||
	    (stamp_read(worker->copy_fd, name, &sides->copy) < 0 && errno != ENOENT))
		return trouble_copy(worker, name, errno);
	worker->work.walked += sides->copy.mode != 0;
	return 0;
}

static int look_at_both(struct worker *worker, const char *name, bool present, struct sides *sides)
{
	if (stamp_read(worker->source_fd, name, &sides->source) < 0 && errno != ENOENT)
		return trouble_source(worker, name, errno);
	worker->work.walked += sides->source.mode != 0;
	if (present && look_at_copy(worker, name, sides) < 0)
		return -1;
	sides->found = present && sides->copy.mode != 0;
	return 0;
}

/* What is in the source, or stands for it, in the copy. 1, 0 or -1 as entry_bring. */
static int bring_existing(struct worker *worker, const char *name, struct sides *sides,
			  struct index_entry *ret_entry)
{
	int way = FOLLOW_AS_IT_IS;
	if (worker->mirror->order->follow_own && S_ISLNK(sides->source.mode))
		way = follow_link(worker, name, sides);
	if (worker->mirror->order->follow_own && pointer_follow(worker, name, sides) < 0)
		return -1;
	if (way < 0 || follow_check(worker, name) < 0 || tally_add(worker, 1, 0) < 0)
		return -1;
	bool skipped = way == FOLLOW_LEFT_OUT || is_left_out(worker, name, sides);
	if (worker->mirror->order->keep_changes && !worker->mirror->counting) {
		int kept = merge_keep(worker, name, sides, skipped, ret_entry);
		sides->settled = kept == 0;
		if (kept != MERGE_FOLLOW)
			return kept;
	}
	int result = skipped ? skip_entry(worker, name, sides) : bring_kind(worker, name, sides);
	entry_fill_source(ret_entry, &sides->source);
	ret_entry->flags = sides->flags;
	ret_entry->digest = sides->digest;
	if (skipped)
		ret_entry->kind = INDEX_SKIPPED;
	else if (ret_entry->kind == INDEX_FOLDER)
		fill_folder(ret_entry, sides->old);
	else
		entry_fill_copy(ret_entry, &sides->copy);
	return result;
}

int entry_bring(struct worker *worker, const char *name, const struct index_entry *old, bool present,
		struct index_entry *ret_entry)
{
	struct sides sides = { .old = old };
	if (look_at_both(worker, name, present, &sides) < 0)
		return -1;
	int result = sides.source.mode == 0 ? 0 : bring_existing(worker, name, &sides, ret_entry);
	free(sides.target);
	free(sides.origin);
	free(sides.text);
	if (result != 0 || sides.settled || worker->mirror->counting)
		return result;
	if (worker->mirror->order->keep_changes)
		return merge_gone(worker, name, old, sides.found, ret_entry);
	return sides.found ? entry_discard(worker, name) : 0;
}
