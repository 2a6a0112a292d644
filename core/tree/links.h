/* tree/links.h - files that have several names in the tree have them in the copy. */
#ifndef TREE_LINKS_H
#define TREE_LINKS_H

#include "tree/stamp.h"

#include <pthread.h>
#include <stddef.h>

struct link_group {
	uint64_t device, inode;
	int64_t ctime;		/* the tree's file was so when the group was claimed */
	int state;
	char *path;		/* of the first name in the copy, relative */
	uint64_t copy_inode;
	uint64_t digest;	/* of the content; 0: not known */
	int64_t copy_ctime;	/* as it is after the last name, once links_settle was called */
};

struct links {
	pthread_mutex_t lock;
	pthread_cond_t made;
	struct link_group **groups;	/* a table by device and inode */
	size_t count, room;
};

int links_start(struct links *links);
void links_release(struct links *links);

enum links_claim { LINKS_MAKE = 0, LINKS_MADE, LINKS_NO_MEMORY };

/* The first to ask brings the file and says so; others wait for that and get the group. Of a file that has changed
 * since, the next to ask is the first again. */
enum links_claim links_claim(struct links *links, const struct stamp *source,
			     struct link_group **ret_group);
/* `path` NULL: it could not be made, the next to ask makes it. Without memory likewise. */
void links_tell(struct links *links, struct link_group *group, const char *path, uint64_t copy_inode,
		uint64_t digest);

/* Opens the directory of the group's first name; `ret_name` is that name in it. -1 with errno. */
int links_open(const struct link_group *group, int copy_fd, const char **ret_name);

/* Looks at every group once more, when all names are made. */
void links_settle(struct links *links, int copy_fd);
/* The settled group of this file of the copy, or NULL. */
const struct link_group *links_find(const struct links *links, uint64_t copy_inode);

#endif
