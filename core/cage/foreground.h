/* cage/foreground.h - who has the terminal: the caller's group or the command's. */
#ifndef CAGE_FOREGROUND_H
#define CAGE_FOREGROUND_H

#include "cage/child.h"

#include <stdbool.h>

/* The command's group gets the terminal when ours has it, unless others of our job may need it: a
 * reader of our output (`pinfold run … | less`) is asked for it when the command does. */
bool foreground_wanted(const struct launch *launch);
/* Our group has the terminal again, whoever has it now. 0, or -1 with errno. */
int foreground_take(int terminal);

#endif
