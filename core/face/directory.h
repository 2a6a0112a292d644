/* face/directory.h - the working tree's directory, opened once and named as the kernel names it. */
#ifndef FACE_DIRECTORY_H
#define FACE_DIRECTORY_H

#include <pinfold/error.h>
#include <stdint.h>

struct directory {
	int fd;		/* O_PATH */
	char *path;	/* canonical */
	uint64_t device, inode;
};

/* `named` NULL: the process's own. Refused where it was deleted, and where no working tree can be:
 * the root, and what lies in /proc, /dev and /sys. */
int directory_open(const char *named, struct directory *ret_directory, struct pinfold_error *err);
void directory_release(struct directory *directory);

#endif
