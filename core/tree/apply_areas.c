/* tree/apply_areas.c - private directories in the tree's own file systems, and the directories that change. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "tree/discard.h"
#include "tree/inside.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/sysmacros.h>

void area_name(const struct steps *steps, char room[40])
{
	snprintf(room, 40, AREA_PREFIX "%s", steps->token);
}

struct step_names step_names(const struct steps *steps, const struct step *step)
{
	struct step_names names;
	bool from_take = step->kind == STEP_PUT && step->moved;
	unsigned number = from_take ? step->from : (unsigned)(step - steps->items);
	snprintf(names.new, sizeof(names.new), "%u%s", number, from_take ? "o" : "");
	snprintf(names.old, sizeof(names.old), "%uo", number);
	return names;
}

int step_reach(const struct steps *steps, uint32_t part, const char *path, const char **ret_name)
{
	int place = steps->parts[part].place_fd;
	const char *slash = strrchr(path, '/');
	if (ret_name)
		*ret_name = slash ? slash + 1 : *path ? path : ".";
	if (!slash)
		return inside_open(place, "", O_PATH, INSIDE_ANY_MOUNT);
	auto_free char *directory = strndup(path, (size_t)(slash - path));
	if (!directory) {
		errno = ENOMEM;
		return -1;
	}
	return inside_open(place, directory, O_PATH, INSIDE_ANY_MOUNT);
}

bool step_is(const struct stamp *expected, const struct stamp *found)
{
	if (expected->inode != found->inode ||
	    (expected->mode & S_IFMT) != (found->mode & S_IFMT))
		return false;
	return S_ISDIR(expected->mode) ||
	       (expected->mtime == found->mtime && expected->size == found->size &&
		expected->mode == found->mode);
}

static int look_at_mount(int fd, uint64_t *ret_device, uint64_t *ret_mount)
{
	struct statx found;
	if (statx(fd, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_MNT_ID, &found) < 0)
		return -1;
	*ret_device = makedev(found.stx_dev_major, found.stx_dev_minor);
	*ret_mount = found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0;
	return 0;
}

/* How much of `path` leads to the topmost directory on this mount in which something can be made. */
static size_t topmost(int place, const char *path, uint64_t device, uint64_t mount)
{
	size_t bytes = 0;
	for (;;) {
		uint64_t its_device = 0, its_mount = 0;
		auto_free char *prefix = strndup(path, bytes);
		auto_close int fd = prefix ? inside_open(place, prefix, O_PATH, INSIDE_ANY_MOUNT) : -1;
		if (fd >= 0 && look_at_mount(fd, &its_device, &its_mount) == 0 && its_device == device &&
		    its_mount == mount && faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0)
			return bytes;
		if (!path[bytes])
			return bytes;
		bytes += bytes > 0;
		bytes += strcspn(path + bytes, "/");
	}
}

int areas_find(struct steps *steps, uint32_t part, const char *path, uint32_t *ret_area)
{
	int place = steps->parts[part].place_fd;
	struct area area = { .part = part, .fd = -1 };
	auto_close int fd = inside_open(place, path, O_PATH, INSIDE_ANY_MOUNT);
	if (fd < 0 || look_at_mount(fd, &area.device, &area.mount) < 0)
		return -1;
	for (size_t i = 0; i < steps->area_count; i++) {
		const struct area *known = &steps->areas[i];
		if (known->part == part && known->device == area.device && known->mount == area.mount) {
			*ret_area = (uint32_t)i;
			return 0;
		}
	}
	struct area *areas = realloc(steps->areas, (steps->area_count + 1) * sizeof(*areas));
	if (areas)
		steps->areas = areas;
	area.path = areas ? strndup(path, topmost(place, path, area.device, area.mount)) : NULL;
	if (!area.path) {
		errno = ENOMEM;
		return -1;
	}
	*ret_area = (uint32_t)steps->area_count;
	areas[steps->area_count++] = area;
	return 0;
}

static int area_make(struct steps *steps, struct area *area)
{
	char name[40];
	area_name(steps, name);
	auto_close int base = inside_open(steps->parts[area->part].place_fd, area->path, O_PATH,
					  INSIDE_ANY_MOUNT);
	if (base < 0)
		return -1;
	int made = mkdirat(base, name, S_IRWXU);
	if (made < 0 && errno == EACCES && touched_loosen(steps, area->part, base) == 0)
		made = mkdirat(base, name, S_IRWXU);
	if (made < 0 && errno != EEXIST)
		return -1;
	area->fd = inside_open(base, name, O_RDONLY, INSIDE_ONE_MOUNT);
	area->found = area->fd >= 0;
	return area->fd;
}

int areas_make(struct steps *steps)
{
	for (size_t i = 0; i < steps->area_count; i++)
		if (area_make(steps, &steps->areas[i]) < 0)
			return -1;
	return 0;
}

int areas_open(struct steps *steps)
{
	char name[40];
	area_name(steps, name);
	for (size_t i = 0; i < steps->area_count; i++) {
		struct area *area = &steps->areas[i];
		if (area->fd >= 0)
			continue;
		auto_close int base = inside_open(steps->parts[area->part].place_fd, area->path, O_PATH,
						  INSIDE_ANY_MOUNT);
		if (base >= 0)
			area->fd = inside_open(base, name, O_RDONLY, INSIDE_ONE_MOUNT);
		if (area->fd < 0 && !is_absence(errno))
			return -1;
		area->found = area->fd >= 0;
	}
	return 0;
}

bool areas_vouch(const struct steps *steps, uint32_t part)
{
	bool vouched = !steps->parts[part].elsewhere;
	for (size_t i = 0; i < steps->area_count; i++)
		vouched = vouched || (steps->areas[i].part == part && steps->areas[i].found);
	return vouched;
}

#define TRASH "gone"	/* tree/discard.c makes it in its root */

static int area_empty(int fd)
{
	struct trash trash = { .root = fd };
	struct listing listing = { 0 };
	int result = lseek(fd, 0, SEEK_SET) < 0 ? -1 : listing_read(&listing, fd);
	bool trashed = false;
	for (size_t i = 0; i < listing.count && result == 0; i++) {
		bool is_trash = streq(listing.items[i].name, TRASH);
		trashed = trashed || is_trash;
		result = is_trash ? 0 : discard_entry(&trash, fd, listing.items[i].name);
	}
	listing_release(&listing);
	if (result < 0)
		return -1;
	if (trashed || trash.used)
		discard_empty(&trash);
	return unlinkat(fd, TRASH, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : -1;
}

static int area_remove(struct steps *steps, struct area *area)
{
	char name[40];
	area_name(steps, name);
	if (area->fd >= 0 && area_empty(area->fd) < 0)
		return -1;
	cleanup_fd(&area->fd);
	area->fd = -1;
	auto_close int base = inside_open(steps->parts[area->part].place_fd, area->path, O_PATH,
					  INSIDE_ANY_MOUNT);
	if (base < 0)
		return is_absence(errno) ? 0 : -1;
	int removed = unlinkat(base, name, AT_REMOVEDIR);
	if (removed < 0 && errno == EACCES && touched_loosen(steps, area->part, base) == 0)
		removed = unlinkat(base, name, AT_REMOVEDIR);
	return removed == 0 || errno == ENOENT ? 0 : -1;
}

int areas_remove(struct steps *steps)
{
	int result = 0;
	for (size_t i = 0; i < steps->area_count; i++)
		if (area_remove(steps, &steps->areas[i]) < 0)
			result = -1;
	return result;
}

int touched_add(struct steps *steps, uint32_t part, const char *before, const char *after)
{
	/* They come in order, so the same one is near; noted twice it does no harm. */
	for (size_t i = steps->touched_count; i > 0 && i + 8 > steps->touched_count; i--) {
		const struct touched *known = &steps->touched[i - 1];
		if (known->part == part && streq(known->before, before))
			return 0;
	}
	struct touched touched = { .part = part, .mtime = INT64_MIN };
	auto_close int fd = inside_open(steps->parts[part].place_fd, before, O_PATH, INSIDE_ANY_MOUNT);
	if (fd < 0 || stamp_read(fd, "", &touched.old) < 0)
		return -1;
	struct touched *all = realloc(steps->touched, (steps->touched_count + 1) * sizeof(*all));
	if (all)
		steps->touched = all;
	touched.before = strdup(before);
	touched.after = strdup(after);
	if (!all || !touched.before || !touched.after) {
		free(touched.before);
		free(touched.after);
		errno = ENOMEM;
		return -1;
	}
	all[steps->touched_count++] = touched;
	return 0;
}

static bool is_touched(const struct steps *steps, uint32_t part, const char *path)
{
	for (size_t i = 0; i < steps->touched_count; i++)
		if (steps->touched[i].part == part && streq(steps->touched[i].before, path))
			return true;
	return false;
}

int areas_note(struct steps *steps)
{
	for (size_t i = 0; i < steps->area_count; i++) {
		const struct area *area = &steps->areas[i];
		if (is_touched(steps, area->part, area->path))
			continue;
		if (touched_add(steps, area->part, area->path, area->path) < 0)
			return -1;
		struct touched *noted = &steps->touched[steps->touched_count - 1];
		noted->mtime = noted->old.mtime;
	}
	return 0;
}

int touched_loosen(struct steps *steps, uint32_t part, int dir)
{
	struct stamp now;
	if (stamp_read(dir, "", &now) < 0)
		return -1;
	for (size_t i = 0; i < steps->touched_count; i++)
		if (steps->touched[i].part == part && steps->touched[i].old.inode == now.inode)
			return inside_set_mode(dir, (now.mode & 07777) | S_IRWXU);
	errno = EACCES;
	return -1;
}

bool is_absence(int failure)
{
	return failure == ENOENT || failure == ENOTDIR || failure == ELOOP;
}

int touched_open(const struct steps *steps, const struct touched *touched, const char *path,
		 struct stamp *ret_now)
{
	auto_close int fd = inside_open(steps->parts[touched->part].place_fd, path, O_PATH, INSIDE_ANY_MOUNT);
	if (fd < 0 || stamp_read(fd, "", ret_now) < 0) {
		errno = is_absence(errno) ? ESTALE : errno;
		return -1;
	}
	if (ret_now->inode == touched->old.inode)
		return take_fd(&fd);
	errno = ESTALE;
	return -1;
}

int set_mtime(int fd, int64_t mtime)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, stamp_time(mtime) };
	char link[64];
	if (utimensat(fd, "", times, AT_EMPTY_PATH) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOENT)
		return -1;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return utimensat(AT_FDCWD, link, times, 0);
}

struct carry *steps_carry(struct steps *steps)
{
	if (!steps->carry)
		steps->carry = carry_new();
	return steps->carry;
}

struct step *steps_add(struct steps *steps, uint8_t kind, uint32_t part, const char *path)
{
	if (steps->count == steps->room) {
		size_t room = steps->room ? 2 * steps->room : 64;
		struct step *items = realloc(steps->items, room * sizeof(*items));
		if (!items)
			return NULL;
		steps->items = items;
		steps->room = room;
	}
	struct step *step = &steps->items[steps->count];
	*step = (struct step){ .kind = kind, .part = part, .path = strdup(path) };
	if (!step->path)
		return NULL;
	steps->count++;
	return step;
}

void steps_release(struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		free(steps->items[i].path);
	for (size_t i = 0; i < steps->area_count; i++) {
		cleanup_fd(&steps->areas[i].fd);
		free(steps->areas[i].path);
	}
	for (size_t i = 0; i < steps->touched_count; i++) {
		free(steps->touched[i].before);
		free(steps->touched[i].after);
	}
	free(steps->whole);
	free(steps->items);
	free(steps->areas);
	free(steps->touched);
	free(steps->carry);
	*steps = (struct steps){ 0 };
}
