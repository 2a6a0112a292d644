/* cli/relay.h - between the caller's terminal and the one of the command's own. */
#ifndef CLI_RELAY_H
#define CLI_RELAY_H

#include "terminal.h"

#include <poll.h>
#include <stddef.h>

enum { RELAY_BYTES = 4096, RELAY_POLLS = 2 };

/* What was read and is not written yet. */
struct flow {
	char data[RELAY_BYTES];
	size_t length, sent;
};

struct relay {
	const struct terminal *terminal;	/* its descriptor may be -1: what the command writes is then lost */
	int other;	/* the other end of the command's; -1: nothing is relayed */
	bool raw;	/* what is typed goes to the command as it is */
	bool hung_up;	/* the caller's terminal has gone */
	int guard;	/* to whoever gives the terminal its modes back when we are killed; -1 */
	struct flow in, out;
};

/* Begins, where `other` is one. */
void relay_begin(struct relay *relay, const struct terminal *terminal, int other);
/* The caller's terminal is as it was / is the command's again, where our group has it. */
void relay_pause(struct relay *relay);
void relay_resume(struct relay *relay);
/* The command's terminal gets the size of the caller's. */
void relay_size(const struct relay *relay);
/* What is to be waited for, and for how many milliseconds at most (-1: as long as may be). */
void relay_wanted(struct relay *relay, struct pollfd on[RELAY_POLLS], int *milliseconds);
/* Moves what can be moved. */
void relay_move(struct relay *relay);
/* The command has ended: the last of what it wrote is brought, and the terminal is as it was. */
void relay_end(struct relay *relay);

#endif
