/* tree/pry.h - opening what a command left, also where it left no right to.
 *
 * The owner gets the right, opens it, and gives the right back. Nothing here follows a link.
 */
#ifndef TREE_PRY_H
#define TREE_PRY_H

#include "base/arena.h"

#include <stdint.h>

/* Opens the file or directory `name` of `dir` for reading. A descriptor, or -1 with errno. */
int pry_file(int dir, const char *name);
/* The same below any number of directories; `path` is relative to `root`. */
int pry_path(int root, const char *path);

/* Directories that stay opened up while one looks at what lies below them. */
struct pried {
	struct pried_directory *last;
};

/* Gives the owner what looking into the directory `fd` takes; `path` is relative to `root` of the next
 * function, the notes lie in the arena. 0, or -1 with errno. */
int pry_keep_open(struct pried *pried, struct arena *arena, int fd, const char *path, uint32_t mode);
/* Gives the owner what it takes to add and remove `path`, in each directory on the way to it. */
int pry_way(struct pried *pried, struct arena *arena, int root, const char *path);
/* Gives all of them their modes back, deepest first. */
void pry_close_again(struct pried *pried, int root);

#endif
