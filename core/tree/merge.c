/* tree/merge.c - a sync that keeps what the command changed: whose is one entry? */
#include "config.h"

#include "tree/merge.h"

#include <errno.h>

enum { NOTHING = INDEX_KINDS };

static bool is_recorded(const struct worker *worker, const struct index_entry *old,
			const struct stamp *copy)
{
	return old->copy_inode == copy->inode && old->copy_ctime == copy->ctime &&
	       !stamp_is_young(old->copy_ctime, worker->mirror->order->old->header->ended);
}

/* The command has something where the tree has what is never copied. */
static int stays_over_skipped(struct worker *worker, const char *name, struct sides *sides,
			      struct index_entry *ret_entry)
{
	if (sides->old && sides->old->kind != INDEX_SKIPPED)
		return merge_stays(worker, name, sides, ret_entry);
	trouble_skip(worker, name);
	entry_fill_source(ret_entry, &sides->source);
	ret_entry->kind = INDEX_SKIPPED;
	return 1;
}

/* The copy has a directory where the tree has something else. */
static int keep_folder(struct worker *worker, const char *name, struct sides *sides,
		       bool skipped, struct index_entry *ret_entry)
{
	const struct index_entry *old = sides->old;
	if (!old || old->kind != INDEX_FOLDER)
		return skipped ? stays_over_skipped(worker, name, sides, ret_entry) :
				 merge_stays(worker, name, sides, ret_entry);
	if (merge_folder_is_untouched(worker, name, old))
		return MERGE_FOLLOW;
	worker->folder->unlisted = true;
	*ret_entry = *old;
	index_mark_changed(ret_entry);
	return merge_hollow(worker, old, sides);
}

int merge_keep(struct worker *worker, const char *name, struct sides *sides, bool skipped,
	       struct index_entry *ret_entry)
{
	const struct index_entry *old = sides->old;
	uint8_t kind = skipped ? INDEX_SKIPPED : index_kind_of(sides->source.mode);
	uint8_t there = sides->found ? index_kind_of(sides->copy.mode) : NOTHING;
	if (there == NOTHING)
		return !old || old->kind == INDEX_SKIPPED ? MERGE_FOLLOW :
							    merge_stays(worker, name, sides, ret_entry);
	if (there == INDEX_FOLDER)
		return kind == INDEX_FOLDER ? MERGE_FOLLOW :
					      keep_folder(worker, name, sides, skipped, ret_entry);
	if (old && old->kind == there && is_recorded(worker, old, &sides->copy))
		return MERGE_FOLLOW;
	if (kind == there && kind == INDEX_FILE)
		return merge_file(worker, name, sides, ret_entry);
	if (kind == there && kind == INDEX_LINK)
		return merge_link(worker, name, sides, ret_entry);
	if (kind != INDEX_SKIPPED)
		return merge_stays_unless_base(worker, name, sides, ret_entry);
	int is_base = old ? merge_is_base(worker, name, old, &sides->copy) : 0;
	if (is_base != 0)
		return is_base < 0 ? -1 : MERGE_FOLLOW;
	return stays_over_skipped(worker, name, sides, ret_entry);
}

/* The tree has nothing, the copy something that the index knows. */
static int part(struct worker *worker, const char *name, struct sides *sides,
		struct index_entry *ret_entry)
{
	const struct index_entry *old = sides->old;
	int goes = 0;
	if (old->kind == INDEX_FOLDER && S_ISDIR(sides->copy.mode)) {
		goes = merge_folder_is_untouched(worker, name, old);
		if (!goes) {
			*ret_entry = *old;
			index_mark_changed(ret_entry);
			return merge_hollow(worker, old, sides);
		}
	} else if (old->kind == index_kind_of(sides->copy.mode)) {
		goes = is_recorded(worker, old, &sides->copy) ? 1 :
								merge_is_base(worker, name, old, &sides->copy);
	}
	if (goes < 0)
		return -1;
	if (goes)
		return entry_discard(worker, name) < 0 ? -1 : 0;
	return merge_stays(worker, name, sides, ret_entry);
}

int merge_gone(struct worker *worker, const char *name, const struct index_entry *old, bool present,
	       struct index_entry *ret_entry)
{
	struct sides sides = { .old = old };
	if (!present || !old || old->kind == INDEX_SKIPPED)
		return 0;
	if (stamp_read(worker->copy_fd, name, &sides.copy) < 0)
		return errno == ENOENT ? 0 : trouble_copy(worker, name, errno);
	return part(worker, name, &sides, ret_entry);
}
