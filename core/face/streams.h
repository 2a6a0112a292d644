/* face/streams.h - the descriptors that the command gets: 0, 1, 2, and those named. */
#ifndef FACE_STREAMS_H
#define FACE_STREAMS_H

#include <pinfold/error.h>
#include <stdbool.h>
#include <stddef.h>

struct streams {
	int given[3];	/* what the command's 0, 1, 2 are; above 2 where it is ours */
	int null;	/* an open /dev/null, or -1 */
	int held[3];	/* closed numbers of the caller's that we occupy, so that nothing else does */
	int *kept;	/* further ones, -1-terminated; NULL for none */
};

/* `wanted`: for 0, 1, 2 a descriptor, or -1 for the process's own; one that is closed becomes
 * /dev/null. A directory is refused unless `confined` is false: it leads out of the confinement. */
int streams_open(const int wanted[3], bool input_null, bool confined, struct streams *ret_streams,
		 struct pinfold_error *err);
/* Adds a descriptor that keeps its number. */
int streams_keep(struct streams *streams, int fd, bool confined, struct pinfold_error *err);
bool streams_keeps(const struct streams *streams, int fd);
void streams_release(struct streams *streams);

#endif
