/* copytree/system.h - the little that this arm asks of its system. */
#ifndef COPYTREE_SYSTEM_H
#define COPYTREE_SYSTEM_H

#include <pinfold/arm.h>

/* NULL, or why what the command leaves behind cannot all be found and ended. */
const char *system_tree_trouble(void);
/* The stages in the child: privileges cannot be raised, for what runs as somebody else could not be ended. */
int system_enter(const struct pinfold_plan *plan, uint32_t stage);

#endif
