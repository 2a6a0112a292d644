/* tree/put_back.h - single changes are dropped: what the tree has is put back, all else stays. */
#ifndef TREE_PUT_BACK_H
#define TREE_PUT_BACK_H

#include "tree/changes.h"
#include "tree/kept.h"

/* Of one part; the changes are of changes_find, perhaps for some paths only. */
struct put_back_item {
	struct kept_part *part;
	const struct changes *changes;
};

/* Drops all of them. What is open knows no bases afterwards. Whatever cuts it off, every change is still there
 * or none is: it is brought to its end by whoever opens the same next, except to drop all. */
int put_back(struct kept *kept, const struct put_back_item *items, size_t count, struct pinfold_error *err);
/* Is there something that was cut off, of the slot? */
bool put_back_is_pending(int slot_fd);
/* Brings that to its end. */
int put_back_recover(struct kept *kept, struct pinfold_error *err);

#define PUT_BACK_ACTION "put back what was changed"
int put_back_refuse(const char *path, int slot_fd, int sys, struct pinfold_error *err);
/* Only the mode of a directory: what lies in it is not touched for that. */
bool put_back_is_mode(const struct change *change);
/* put_back_forget.c: to the next sync of the part, a copy, all that was changed is new in the tree. */
int put_back_forget(const struct kept_part *part, const struct changes *changes, struct pinfold_error *err);

/* put_back_memo.c: what is to be put back, on disk before it is. */
int put_back_note(const struct kept *kept, const struct put_back_item *items, size_t count,
		  struct pinfold_error *err);
/* What was noted, with changes of which put_back looks at no more than there is; `ret_items` is to be
 * released after 0. */
int put_back_read(struct kept *kept, struct put_back_item **ret_items, size_t *ret_count,
		  struct pinfold_error *err);
void put_back_release(struct put_back_item *items, size_t count);

#endif
