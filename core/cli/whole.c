/* cli/whole.c - the program that can do everything by itself. */
#include "config.h"

#include "entry.h"

void entry_begin(char **argv)
{
	(void)argv;
}

int entry_hand_over(struct pinfold_error *err)
{
	(void)err;
	return 0;
}

void entry_undo_by(void (*undo)(void *context), void *context)
{
	(void)undo, (void)context;
}

void entry_close(void) { }
