/* tree/glimpse.h - a look at what a session has, before it is opened and while another works in it. */
#ifndef TREE_GLIMPSE_H
#define TREE_GLIMPSE_H

#include "config/config.h"

enum glimpse {
	GLIMPSE_NOTHING = 0,	/* the session has nothing of that name that could be a program */
	GLIMPSE_PROGRAM,
	GLIMPSE_UNKNOWN		/* as outside; or there is no such session */
};

/* What the session of this tree (canonical) has at an absolute path. Only a glimpse: the start of a command
 * tells for certain. */
enum glimpse glimpse_program(const struct config *config, const char *tree, const char *session,
			     const char *path);

#endif
