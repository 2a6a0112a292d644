/* tree/beside.c - git directories outside of the tree, copied beside its copy. */
#include "config.h"

#include "tree/beside.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/policy.h"
#include "tree/elsewhere.h"
#include "tree/follow.h"
#include "tree/inside.h"
#include "tree/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

static int refuse(const char *path, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_TREE, errno, "copy a git directory", path,
		     "check it and the scratch directory, or name another with [filesystem] scratch");
}

/* How the policy has the directory: as a layer, or as a writable path; else it is none that git may have. */
static bool is_allowed(const struct policy *policy, const char *path, bool *ret_writable)
{
	for (size_t i = 0; i < policy->lowered.path_count; i++) {
		const struct pinfold_path *named = &policy->lowered.paths[i];
		*ret_writable = named->kind == PINFOLD_PATH_WRITE;
		if ((named->kind == PINFOLD_PATH_LAYER && streq(named->path, path)) ||
		    (*ret_writable && path_is_within(path, named->path)))
			return true;
	}
	return false;
}

/* Its copy, with the index that it was finished with; a new and empty one where there is none. */
static int open_copy(struct beside_part *part, const struct mirror_order *main)
{
	struct stat found;
	bool finished = fstatat(part->dir, SLOT_INDEX, &found, AT_SYMLINK_NOFOLLOW) == 0;
	if (!finished && (discard_entry(main->trash, part->dir, "tree") < 0 ||
			  mkdirat(part->dir, "tree", S_IRWXU) < 0))
		return -1;
	part->copy = inside_open(part->dir, "tree", O_PATH, INSIDE_ONE_MOUNT);
	return part->copy < 0 ? -1 : 0;
}

static int open_part(struct beside_part *part, const struct mirror_order *main, const char *base,
		     const struct git_place *place)
{
	char name[ELSEWHERE_NAME];
	struct text copy = { 0 };
	struct stat now;
	part->path = strdup(place->path);
	part->place = open(place->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (!part->path || part->place < 0 || fstat(part->place, &now) < 0)
		return -1;
	if (now.st_dev != place->status.st_dev || now.st_ino != place->status.st_ino) {
		errno = ESTALE;
		return -1;
	}
	if (part->shown) {
		part->copy_path = strdup(place->path);
		return part->copy_path ? 0 : -1;
	}
	part->dir = elsewhere_open(base, place->path, name);
	text_addf(&copy, "%s/%s/tree", base, name);
	part->copy_path = text_take(&copy);
	return part->dir < 0 || !part->copy_path ? -1 : open_copy(part, main);
}

static int open_all(struct beside *beside, const struct mirror_order *main, const char *base,
		    const struct git_found *found, const struct policy *policy, struct pinfold_error *err)
{
	for (size_t i = 0; i < found->count; i++) {
		const struct git_place *place = &found->places[i];
		struct beside_part *part = &beside->parts[beside->count];
		*part = (struct beside_part){ .place = -1, .dir = -1, .copy = -1 };
		/* One above the tree is not found from the copy. */
		if (place->above || !is_allowed(policy, place->path, &part->shown))
			continue;
		beside->count++;
		if (open_part(part, main, base, place) < 0)
			return refuse(place->path, err);
		beside->places[beside->count - 1] = (struct mirror_beside){ part->path, part->copy_path };
	}
	beside->places[beside->count] = (struct mirror_beside){ main->tree, main->copy };
	return 0;
}

int beside_open(struct beside *beside, const struct mirror_order *main, const char *slot,
		struct pinfold_error *err)
{
	struct git_found found;
	struct policy *policy = NULL;
	beside->count = 0;
	if (git_find(main->tree, geteuid(), &found, err) < 0)
		return -1;
	auto_free char *base = found.count ? path_join(slot, BESIDE_DIRECTORY) : NULL;
	int result = found.count && !base ? fault_no_memory(err) : 0;
	if (result == 0 && found.count)
		result = follow_policy(main, &policy, err);
	if (result == 0 && policy)
		result = open_all(beside, main, base, &found, policy, err);
	policy_free(policy);
	git_found_release(&found);
	return result;
}

static void add_work(struct mirror_work *work, struct mirror_work *more)
{
	work->walked += more->walked;
	work->created += more->created;
	work->rewritten += more->rewritten;
	work->removed += more->removed;
	work->bytes += more->bytes;
	work->cloned += more->cloned;
	work->ranged += more->ranged;
	work->plain += more->plain;
	mirror_work_release(more);
}

/* What is known of it, where it is about this directory. */
static int load_index(const struct beside_part *part, bool keeps, struct index *ret_index)
{
	struct stamp place, copy;
	struct index index = { 0 };
	if (index_load_any(part->dir, SLOT_INDEX, &index) < 0 && keeps)
		return -1;
	if (!index.memory)
		return 0;
	bool ours = stamp_read(part->place, "", &place) == 0 && stamp_read(part->copy, "", &copy) == 0 &&
		    index.header->tree == stamp_identity(&place) && index.header->copy_device == copy.device;
	if (ours || keeps)
		*ret_index = index;
	else
		index_release(&index);
	return 0;
}

static int sync_part(const struct beside *beside, const struct beside_part *part,
		     const struct mirror_order *main, struct mirror_work *work, struct pinfold_error *err)
{
	struct mirror_order order = *main;
	struct mirror_work done = { 0 };
	struct index index = { 0 };
	order.tree = part->path;
	order.copy = part->copy_path;
	order.tree_fd = part->place;
	order.copy_fd = part->copy;
	order.slot_fd = part->dir;
	order.beside = beside->places;
	order.beside_count = beside->count + 1;
	if (load_index(part, main->keep_changes, &index) < 0)
		return refuse(part->path, err);
	order.old = index.memory ? &index : NULL;
	int result = mirror_sync(&order, SLOT_INDEX_NEXT, &done, err);
	index_release(&index);
	if (result < 0)
		return -1;
	add_work(work, &done);
	if (renameat(part->dir, SLOT_INDEX_NEXT, part->dir, SLOT_INDEX) < 0 && errno != ENOENT)
		return refuse(part->path, err);
	return 0;
}

int beside_sync(const struct beside *beside, const struct mirror_order *main, struct mirror_work *work,
		struct pinfold_error *err)
{
	for (size_t i = 0; i < beside->count; i++)
		if (!beside->parts[i].shown && sync_part(beside, &beside->parts[i], main, work, err) < 0)
			return -1;
	return 0;
}

void beside_release(struct beside *beside)
{
	for (size_t i = 0; i < beside->count; i++) {
		struct beside_part *part = &beside->parts[i];
		cleanup_fd(&part->place);
		cleanup_fd(&part->dir);
		cleanup_fd(&part->copy);
		free(part->path);
		free(part->copy_path);
	}
	beside->count = 0;
}
