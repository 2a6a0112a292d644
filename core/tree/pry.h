/* tree/pry.h - opening what a command left, also where it left no right to.
 *
 * The owner gets the right, opens it, and gives the right back. Nothing here follows a link.
 */
#ifndef TREE_PRY_H
#define TREE_PRY_H

#include <stdint.h>

/* Opens the file or directory `name` of `dir` for reading. A descriptor, or -1 with errno. */
int pry_file(int dir, const char *name);
/* The same below any number of directories; `path` is relative to `root`. */
int pry_path(int root, const char *path);

#endif
