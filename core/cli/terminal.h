/* cli/terminal.h - the terminal that pinfold was started from: remembered, and given back. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

struct terminal {
	int fd;		/* -1: none */
	bool remembered;	/* our group had it, in these modes */
	bool exclusive;	/* nobody else could open it */
	struct termios modes;
};

void terminal_remember(struct terminal *terminal);
/* Is our process group in the foreground? */
bool terminal_is_ours(const struct terminal *terminal);
/* Brings its modes back, where our group has it again. */
void terminal_restore(struct terminal *terminal);
/* Asks a yes or no question there; false also where there is no terminal. */
bool terminal_ask(const struct terminal *terminal, const char *question);

#endif
