/* escape/terminals.h - a terminal with a leader that behaves as a shell does, and looks what became of it. */
#ifndef ESCAPE_TERMINALS_H
#define ESCAPE_TERMINALS_H

#include "watch.h"

struct terminal {
	int master, slave, report[2];
};

int terminal_open(struct terminal *terminal);
void terminal_lead(struct terminal *terminal);
void terminal_close(struct terminal *terminal, struct effects *effects);

#endif
