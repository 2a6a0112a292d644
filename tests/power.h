/* tests/power.h - the place of a test on a disk of its own, of which a loss of power leaves what had reached it.
 *
 * The disk is an image. A copy of it, made while its file system is mounted, has nothing of what the kernel had not
 * written yet: that is what a machine finds when it comes up again.
 */
#ifndef TESTS_POWER_H
#define TESTS_POWER_H

#include <stdbool.h>

/* After place_set_up: mounts a new disk over place.base. Skips the test, and says so, where nothing can be mounted. */
void power_on(void);
/* What was done so far is on the disk. */
void power_sync(void);
/* The power is lost, and comes back. `names`: what was made, renamed and removed had reached the disk, for somebody
 * else's sake, and the content of what was written had not. Nothing of the disk may be open. */
void power_fail(bool names);
/* Before place_tear_down. */
void power_off(void);

#endif
