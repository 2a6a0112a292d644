/* tree/compare.c - one name: how what is held differs from the base, and from what the tree has now. */
#include "config.h"

#include "tree/survey.h"

#include "base/cleanup.h"
#include "tree/inside.h"
#include "tree/pry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_absence(int failure)
{
	return failure == ENOENT || failure == ENOTDIR || failure == ELOOP;
}

/* The tree's directory of the site's path, opened when it is first asked for. */
static int tree_directory(struct surveyor *surveyor)
{
	if (surveyor->tree_fd != SURVEY_UNTRIED)
		return surveyor->tree_fd;
	int fd = inside_open(surveyor->survey->order->place_fd, surveyor->path.data, O_PATH, INSIDE_ANY_MOUNT);
	surveyor->tree_fd = fd >= 0 ? fd : is_absence(errno) ? SURVEY_ABSENT : SURVEY_UNKNOWN;
	return surveyor->tree_fd;
}

static const char *tree_name(const struct sighting *seen)
{
	return seen->tree_name ? seen->tree_name : seen->name;
}

enum tree_look { TREE_HAS = 0, TREE_HAS_NOTHING, TREE_IS_UNKNOWN };

static enum tree_look look_in_tree(struct surveyor *surveyor, const struct sighting *seen,
				   struct stamp *ret_stamp)
{
	if (surveyor->site->followed)
		return TREE_IS_UNKNOWN;
	int dir = tree_directory(surveyor);
	if (dir < 0)
		return dir == SURVEY_ABSENT ? TREE_HAS_NOTHING : TREE_IS_UNKNOWN;
	if (stamp_read(dir, tree_name(seen), ret_stamp) == 0)
		return TREE_HAS;
	return is_absence(errno) ? TREE_HAS_NOTHING : TREE_IS_UNKNOWN;
}

/* Opens a file or directory of the tree that is still the one that was looked at. */
static int open_in_tree(struct surveyor *surveyor, const struct sighting *seen,
			const struct stamp *looked)
{
	const char *name = tree_name(seen);
	struct stamp now;
	auto_close int fd = openat(surveyor->tree_fd, *name ? name : ".",
				   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || !stamp_is_equal(&now, looked))
		return -1;
	return take_fd(&fd);
}

static int open_held(struct surveyor *surveyor, const struct sighting *seen)
{
	struct stamp now;
	auto_close int fd = pry_file(surveyor->held_fd, *seen->name ? seen->name : ".");
	if (fd < 0 || stamp_read(fd, "", &now) < 0 || !stamp_is_same_object(&now, &seen->held) ||
	    now.size != seen->held.size)
		return -1;
	return take_fd(&fd);
}

static int make_carry(struct surveyor *surveyor)
{
	if (!surveyor->carry)
		surveyor->carry = carry_new();
	return surveyor->carry ? 0 : survey_fail(surveyor, "", ENOMEM);
}

/* 1: the tree's file has the bytes that are held; 0: it has not, or cannot be read. */
static int tree_has_content(struct surveyor *surveyor, const struct sighting *seen,
			    const struct stamp *tree, int held)
{
	uint64_t digest;
	if (!S_ISREG(tree->mode) || tree->size != seen->held.size)
		return 0;
	if (make_carry(surveyor) < 0)
		return -1;
	auto_close int fd = open_in_tree(surveyor, seen, tree);
	return fd >= 0 && carry_is_same(surveyor->carry, fd, held, &seen->held, &digest);
}

/* What is followed has the tree's size in the base, and the digest of the copy's content. */
static bool base_had_size(const struct sighting *seen)
{
	return seen->old->size == seen->held.size || seen->old->flags & INDEX_FOLLOWED;
}

static bool base_had_content(const struct sighting *seen, int held)
{
	const struct index_entry *old = seen->old;
	uint64_t digest;
	return base_had_size(seen) && !(old->flags & INDEX_UNSURE) && old->digest &&
	       digest_file(held, seen->held.size, &digest) == 0 && digest == old->digest;
}

static int content_differs(struct surveyor *surveyor, const struct sighting *seen)
{
	struct stamp tree = { 0 };
	look_in_tree(surveyor, seen, &tree);
	bool may_be_tree = S_ISREG(tree.mode) && tree.size == seen->held.size;
	if (!may_be_tree && (!base_had_size(seen) || !seen->old->digest))
		return 1;
	auto_close int held = open_held(surveyor, seen);
	if (held < 0)
		return 1;
	int same = tree_has_content(surveyor, seen, &tree, held);
	return same < 0 ? -1 : !same && !base_had_content(seen, held);
}

static bool read_target(int dir, const char *name, char *room, size_t *ret_bytes)
{
	ssize_t bytes = dir < 0 ? -1 : readlinkat(dir, name, room, PATH_MAX);
	*ret_bytes = bytes < 0 ? 0 : (size_t)bytes;
	return bytes >= 0;
}

static bool tree_has_target(struct surveyor *surveyor, const struct sighting *seen,
			    const char *target, size_t bytes)
{
	char there[PATH_MAX];
	size_t there_bytes;
	struct stamp tree;
	return look_in_tree(surveyor, seen, &tree) == TREE_HAS && S_ISLNK(tree.mode) &&
	       read_target(surveyor->tree_fd, tree_name(seen), there, &there_bytes) &&
	       bytes == there_bytes && memcmp(target, there, bytes) == 0;
}

static bool target_differs(struct surveyor *surveyor, const struct sighting *seen)
{
	char target[PATH_MAX];
	size_t bytes;
	if (!read_target(surveyor->held_fd, seen->name, target, &bytes) ||
	    tree_has_target(surveyor, seen, target, bytes))
		return false;
	return seen->old->digest == 0 || (seen->old->flags & INDEX_UNSURE) ||
	       digest_of(target, bytes) != seen->old->digest;
}

static bool is_mode_of(const struct surveyor *surveyor, const struct stamp *tree, uint32_t mode)
{
	return (tree->mode & 07777) == mode ||
	       stamp_mode_in_copy(tree, surveyor->survey->user) == mode;
}

static bool mode_differs(struct surveyor *surveyor, const struct sighting *seen)
{
	struct stamp tree;
	uint32_t mode = seen->held.mode & 07777;
	if (mode == (seen->old->copy_mode & 07777) && !(seen->old->flags & INDEX_UNSURE))
		return false;
	return look_in_tree(surveyor, seen, &tree) != TREE_HAS ||
	       !is_mode_of(surveyor, &tree, mode);
}

/* The base does not have them: only where the tree is what it was is this certain. */
static bool attributes_differ(struct surveyor *surveyor, const struct sighting *seen)
{
	struct stamp tree;
	if (look_in_tree(surveyor, seen, &tree) != TREE_HAS ||
	    (tree.mode & S_IFMT) != (seen->held.mode & S_IFMT))
		return false;
	auto_close int there = open_in_tree(surveyor, seen, &tree);
	auto_close int held = there < 0 ? -1 : open_held(surveyor, seen);
	return held >= 0 && !carry_attributes_are_same(there, held);
}

int compare_kinds_alike(struct surveyor *surveyor, const struct sighting *seen)
{
	int what = 0;
	if (seen->kind == INDEX_LINK)
		return target_differs(surveyor, seen) ? CHANGED_TARGET : 0;
	if (seen->kind == INDEX_FILE) {
		int differs = content_differs(surveyor, seen);
		if (differs < 0)
			return -1;
		what |= differs ? CHANGED_CONTENT : 0;
	}
	if (mode_differs(surveyor, seen))
		what |= CHANGED_MODE;
	if (seen->kind != INDEX_SKIPPED && attributes_differ(surveyor, seen))
		what |= CHANGED_ATTRIBUTES;
	return what;
}

static int tree_has_file(struct surveyor *surveyor, const struct sighting *seen,
			 const struct stamp *tree)
{
	if (tree->size != seen->held.size)
		return 0;
	auto_close int held = open_held(surveyor, seen);
	return held < 0 ? 0 : tree_has_content(surveyor, seen, tree, held);
}

/* A device cannot be told from another by its stamp. */
static bool is_device(uint32_t mode)
{
	return S_ISCHR(mode) || S_ISBLK(mode);
}

int compare_with_tree(struct surveyor *surveyor, const struct sighting *seen)
{
	struct stamp tree;
	enum tree_look look = look_in_tree(surveyor, seen, &tree);
	if (look != TREE_HAS || seen->kind == CHANGE_NOTHING)
		return look == TREE_HAS_NOTHING && seen->kind == CHANGE_NOTHING;
	if ((tree.mode & S_IFMT) != (seen->held.mode & S_IFMT) || is_device(tree.mode))
		return 0;
	char target[PATH_MAX];
	size_t bytes;
	if (seen->kind == INDEX_LINK)
		return read_target(surveyor->held_fd, seen->name, target, &bytes) &&
		       tree_has_target(surveyor, seen, target, bytes);
	if (!is_mode_of(surveyor, &tree, seen->held.mode & 07777))
		return 0;
	return seen->kind == INDEX_FILE ? tree_has_file(surveyor, seen, &tree) : 1;
}
