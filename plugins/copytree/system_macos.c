/* copytree/system_macos.c - what this arm asks of a Mac: nothing. It gives strays to launchd, and lets no process
 * give up the raising of privileges. */
#include "system.h"

const char *system_tree_trouble(void)
{
	return "macOS gives strays no new parent that could end them";
}

int system_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return 0;
}
