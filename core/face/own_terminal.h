/* face/own_terminal.h - a terminal that is the command's own: its other end is the caller's to relay. */
#ifndef FACE_OWN_TERMINAL_H
#define FACE_OWN_TERMINAL_H

#include "face/streams.h"

#include <pinfold/error.h>
#include <stdint.h>

struct own_terminal {
	int ours, theirs;	/* -1: there is none */
};
#define OWN_TERMINAL_NONE { -1, -1 }

/* Like the caller's in settings and size, where this process has it. */
int own_terminal_open(struct own_terminal *ret_terminal, struct pinfold_error *err);
void own_terminal_close(struct own_terminal *terminal);
/* Each stream that is a terminal, or was asked to be (PINFOLD_STREAM_TERMINAL in `wanted`), becomes this one. A
 * kept descriptor that leads to another is refused. */
int own_terminal_give(const struct own_terminal *terminal, const int32_t wanted[3], struct streams *streams,
		      struct pinfold_error *err);

#endif
