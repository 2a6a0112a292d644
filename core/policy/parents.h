/* policy/parents.h - directories opened once, for the names in them. */
#ifndef POLICY_PARENTS_H
#define POLICY_PARENTS_H

#include <stddef.h>
#include <sys/stat.h>

enum { PARENTS_MOST = 24 };

/* What is kept of the directories last asked for; zero is none. */
struct parents {
	struct parent {
		const char *path;	/* `length` bytes of it */
		size_t length;
		int fd;	/* -1 where it could not be opened, for this reason: */
		int sys;
	} rows[PARENTS_MOST];
	size_t count;	/* of all that were opened: the oldest is given up */
};

/* Looks for a tidy, absolute path of which no part is a link: 1 and its status; -1 with errno where
 * there is no such thing; 0 where a link or anything else needs a closer look. The text must stay. */
int parents_look(struct parents *parents, const char *path, struct stat *ret_status);
void parents_release(struct parents *parents);

#endif
