/* config/hard.h - whether the vendor's hard tier is there. */
#ifndef CONFIG_HARD_H
#define CONFIG_HARD_H

#include "config/gather.h"

/* Why the vendor's file cannot be the hard tier, in the arena, or NULL. */
int hard_look(const struct gathered *gathered, const char **ret_trouble, struct pinfold_error *err);

#endif
