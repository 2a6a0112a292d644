/* tree/links.c - files that have several names in the tree have them in the copy. */
#include "config.h"

#include "tree/links.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { UNMADE = 0, MAKING, MADE };

int links_start(struct links *links)
{
	*links = (struct links){ 0 };
	if (pthread_mutex_init(&links->lock, NULL) != 0)
		return -1;
	if (pthread_cond_init(&links->made, NULL) == 0)
		return 0;
	pthread_mutex_destroy(&links->lock);
	return -1;
}

void links_release(struct links *links)
{
	for (size_t i = 0; i < links->room; i++) {
		if (links->groups[i])
			free(links->groups[i]->path);
		free(links->groups[i]);
	}
	free(links->groups);
	pthread_cond_destroy(&links->made);
	pthread_mutex_destroy(&links->lock);
}

static size_t place_of(size_t room, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (room - 1);
}

static int make_room(struct links *links)
{
	if (links->count * 2 < links->room)
		return 0;
	size_t room = links->room ? links->room * 2 : 64;
	struct link_group **groups = calloc(room, sizeof(struct link_group *));
	if (!groups)
		return -1;
	for (size_t i = 0; i < links->room; i++) {
		if (!links->groups[i])
			continue;
		size_t at = place_of(room, links->groups[i]->inode);
		while (groups[at])
			at = (at + 1) & (room - 1);
		groups[at] = links->groups[i];
	}
	free(links->groups);
	links->groups = groups;
	links->room = room;
	return 0;
}

static struct link_group *group_of(struct links *links, const struct stamp *source)
{
	if (make_room(links) < 0)
		return NULL;
	size_t at = place_of(links->room, source->inode);
	for (; links->groups[at]; at = (at + 1) & (links->room - 1))
		if (links->groups[at]->inode == source->inode &&
		    links->groups[at]->device == source->device)
			return links->groups[at];
	struct link_group *group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	group->device = source->device;
	group->inode = source->inode;
	links->groups[at] = group;
	links->count++;
	return group;
}

enum links_claim links_claim(struct links *links, const struct stamp *source,
			     struct link_group **ret_group)
{
	enum links_claim claim = LINKS_NO_MEMORY;
	pthread_mutex_lock(&links->lock);
	struct link_group *group = group_of(links, source);
	while (group && group->state == MAKING)
		pthread_cond_wait(&links->made, &links->lock);
	if (group) {
		claim = group->state == MADE && group->ctime == source->ctime ? LINKS_MADE : LINKS_MAKE;
		if (claim == LINKS_MAKE) {
			group->state = MAKING;
			group->ctime = source->ctime;
		}
		*ret_group = group;
	}
	pthread_mutex_unlock(&links->lock);
	return claim;
}

void links_tell(struct links *links, struct link_group *group, const char *path, uint64_t copy_inode,
		uint64_t digest)
{
	pthread_mutex_lock(&links->lock);
	free(group->path);
	group->path = path ? strdup(path) : NULL;
	group->copy_inode = copy_inode;
	group->digest = digest;
	group->state = group->path ? MADE : UNMADE;
	pthread_cond_broadcast(&links->made);
	pthread_mutex_unlock(&links->lock);
}

int links_open(const struct link_group *group, int copy_fd, const char **ret_name)
{
	const char *slash = group->path ? strrchr(group->path, '/') : NULL;
	if (!group->path) {
		errno = ENOENT;
		return -1;
	}
	auto_free char *parent = strndup(group->path, slash ? (size_t)(slash - group->path) : 0);
	if (!parent)
		return -1;
	*ret_name = slash ? slash + 1 : group->path;
	return inside_open(copy_fd, parent, O_PATH, INSIDE_ONE_MOUNT);
}

static int compare_copies(const void *a, const void *b)
{
	const struct link_group *left = *(struct link_group *const *)a;
	const struct link_group *right = *(struct link_group *const *)b;
	return (left->copy_inode > right->copy_inode) - (left->copy_inode < right->copy_inode);
}

/* The table becomes a list sorted by the copy's inodes: nobody claims any more. */
void links_settle(struct links *links, int copy_fd)
{
	size_t kept = 0;
	for (size_t i = 0; i < links->room; i++)
		if (links->groups[i])
			links->groups[kept++] = links->groups[i];
	links->room = kept;
	for (size_t i = 0; i < kept; i++) {
		struct link_group *group = links->groups[i];
		struct stamp now;
		const char *name = NULL;
		auto_close int fd = links_open(group, copy_fd, &name);
		if (fd >= 0 && stamp_read(fd, name, &now) == 0 && now.inode == group->copy_inode)
			group->copy_ctime = now.ctime;
	}
	if (kept > 1)
		qsort(links->groups, kept, sizeof(struct link_group *), compare_copies);
}

const struct link_group *links_find(const struct links *links, uint64_t copy_inode)
{
	size_t low = 0, high = links->room;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (links->groups[middle]->copy_inode < copy_inode)
			low = middle + 1;
		else
			high = middle;
	}
	return low < links->room && links->groups[low]->copy_inode == copy_inode ? links->groups[low] :
										   NULL;
}
