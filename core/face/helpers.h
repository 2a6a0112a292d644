/* face/helpers.h - what preparers want to run inside before the command. */
#ifndef FACE_HELPERS_H
#define FACE_HELPERS_H

#include "base/list.h"
#include "cage/child.h"
#include "face/preparer.h"
#include "wrappers/toolchain.h"

struct pinfold_run;

struct helpers {
	struct helper {
		struct list programs, argv;
		struct launch_door door;
		struct list words;	/* what the door is told */
	} items[TOOLCHAINS_MOST];
	struct launch_helper launched[TOOLCHAINS_MOST];
	size_t count;
	void *image;		/* of the supervisor's program, for doors */
	size_t image_bytes;
	uint64_t deadline;	/* CLOCK_MONOTONIC: of the trial that they are for, or 0 */
};

/* Does whatever is started in the run's arm end with the command, by the arm's own means? */
bool helpers_end(const struct pinfold_run *run);
/* Adds what the preparer wants, if the run is confined, nothing survives it, and it is not there yet; looked for in the PATH of the run's
 * environment, which has all that clients of it will have. -1: memory. */
int helpers_add(struct pinfold_run *run, const struct preparer *preparer);
void helpers_release(struct helpers *helpers);

#endif
