/* arms/frames.h - what the processes of a probe say over their pipe. */
#ifndef ARMS_FRAMES_H
#define ARMS_FRAMES_H

#include <stddef.h>
#include <stdint.h>

enum frame_kind {
	FRAME_LOG = 1,	/* a level, then a line */
	FRAME_OFFER,	/* offer_write */
	FRAME_ERROR,	/* a struct pinfold_error */
	FRAME_ENDING	/* a struct frame_ending, always the last */
};

struct frame_head {
	uint32_t kind, bytes;
};

/* How the process that probed ended. */
enum frame_end { FRAME_EXITED = 0, FRAME_KILLED, FRAME_LATE, FRAME_NOT_STARTED };
struct frame_ending {
	uint32_t how;		/* enum frame_end */
	int32_t value;		/* exit code, signal or errno */
};

enum { FRAME_MOST = 256 * 1024 };	/* all frames of one probe together */

/* One write of the whole frame: 0, or -1 with errno. */
int frame_send(int fd, enum frame_kind kind, const void *first, size_t first_bytes,
	       const void *second, size_t second_bytes);

#endif
