/* wrappers/sight.h - files as the command will see them, looked at from outside. */
#ifndef WRAPPERS_SIGHT_H
#define WRAPPERS_SIGHT_H

#include "base/text.h"

/* A private layer over another place than the tree. */
struct sight_layer {
	char *path;	/* what it lies over, canonical */
	char *upper;	/* of the host */
};

/* Where the command sees the tree, and what lies behind that. */
struct sight {
	const char *directory;	/* its working directory */
	const char *tree;	/* the tree's path */
	const char *source;	/* of the host: the copy, or what lies below a layer */
	const char *upper;	/* of the host: the layer; NULL for none */
	const struct sight_layer *layers;	/* that hold what earlier commands wrote */
	size_t layer_count;
};

enum sight_found { SIGHT_ABSENT = 0, SIGHT_READ, SIGHT_UNREADABLE };

enum { SIGHT_MOST = 1 << 20 };	/* bytes of a file that is still read */

/* Reads a whole file, through a layer where there is one. What is no regular file, larger than
 * SIGHT_MOST or closed to us is unreadable. */
enum sight_found sight_read(const struct sight *sight, const char *path, char **ret_content);
/* Adds which file lies there to a text that is compared later; nothing where none does. Names in the tree
 * are relative to it: copies come and go. */
void sight_identify(const struct sight *sight, const char *path, struct text *text);
void sight_add_name(const struct sight *sight, const char *path, struct text *text);
/* The canonical path of the host's of a program, past all links; NULL where there is none. */
char *sight_program(const struct sight *sight, const char *path);
/* Can a directory be reached there? */
bool sight_has_directory(const struct sight *sight, const char *path);

#endif
