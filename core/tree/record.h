/* tree/record.h - what is known after a sync, written for the next. */
#ifndef TREE_RECORD_H
#define TREE_RECORD_H

#include "tree/folder.h"

/* Into that file of the slot. 0, or -1 with errno. */
int record_write(struct mirror *mirror, const char *name);

/* What an entry has from its folder; `next` is where the folder's own entries begin, and then where those of
 * the next do. */
void record_fill_folder(const struct mirror *mirror, struct index_entry *entry,
			const struct folder *folder, uint32_t *next);

#endif
