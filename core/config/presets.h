/* config/presets.h - which presets there are. */
#ifndef CONFIG_PRESETS_H
#define CONFIG_PRESETS_H

#include "config/gather.h"

/* Adds the name of each preset of the site and of the vendor, with its version, each once. */
int presets_list(const struct gathered *gathered, struct list *names, struct pinfold_error *err);
/* The refusal of a preset that is not there, with the nearest that is. -1. */
int presets_refuse(const struct gathered *gathered, const char *name, struct place asked, struct pinfold_error *err);

#endif
