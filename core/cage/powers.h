/* cage/powers.h - the capabilities of the calling thread alone: what is done for a command must be nothing that the
 * command could not do itself.
 */
#ifndef CAGE_POWERS_H
#define CAGE_POWERS_H

#include <stdint.h>

struct powers {
	uint32_t effective[2];
};

/* For good. 0, or a negative errno. */
int powers_give_up(void);
/* For a while: none is in effect until they are taken up again. 0, or a negative errno. */
int powers_lay_down(struct powers *ret_powers);
void powers_take_up(const struct powers *powers);

#endif
