/* config/gather.h - every file and setting that has a say, read and checked, in order of layers. */
#ifndef CONFIG_GATHER_H
#define CONFIG_GATHER_H

#include "config/config.h"
#include "config/draft.h"

struct gathered {
	struct value_maker maker;
	const char *vendor, *site;	/* directories; "" for none */
	int vendor_fd, site_fd;	/* -1 for none */
	struct draft **drafts;	/* the lowest first */
	size_t count, room;
	struct draft **presets;	/* those that were asked for, by name in `preset_names` */
	struct list preset_names;
	size_t preset_room;
};

/* After this, gather_release: it closes the directories, and leaves the arena to its owner. */
int gather_layers(struct gathered *gathered, struct arena *arena,
		  const struct config_sources *sources, struct pinfold_error *err);
/* Presets are read when asked for: DIR/presets/NAME.conf of the site, else of the vendor. */
int gather_preset(struct gathered *gathered, const char *name, struct place asked,
		  const struct draft **ret_preset, struct pinfold_error *err);
void gather_release(struct gathered *gathered);

#endif
