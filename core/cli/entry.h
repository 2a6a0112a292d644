/* cli/entry.h - which of two programs this is: the one that people call, linked with all it needs so that its
 * start costs least, or the whole one, which can load modules and libraries as well and takes over from it.
 * Where the first cannot be built, there is only the second. */
#ifndef CLI_ENTRY_H
#define CLI_ENTRY_H

#include <pinfold/error.h>
#include <stdbool.h>

/* Remembers how the program was started; before anything else. */
void entry_begin(char **argv);
/* Hands over to the whole program, which begins with the same words, unless this is it. Only before anything was
 * done that must not be done twice. -1 where that program is missing. */
int entry_hand_over(struct pinfold_error *err);
/* What is to be undone when the program has to hand over later, in the middle of something; NULL: nothing. */
void entry_undo_by(void (*undo)(void *context), void *context);
/* The command has started: from here on nothing may be handed over. */
void entry_close(void);

#endif
