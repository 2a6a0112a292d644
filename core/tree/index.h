/* tree/index.h - what was known of a tree and its copy when they were last equal.
 *
 * One file, read whole and checked before anything is believed: the command may have written it. The
 * entries lie breadth first: those of one directory together, sorted by name, and in the order of
 * the directories themselves, so that each belongs to exactly one. Entry 0 is the tree.
 */
#ifndef TREE_INDEX_H
#define TREE_INDEX_H

#include "tree/digest.h"
#include "tree/stamp.h"

#include <stddef.h>

enum index_kind {
	INDEX_FILE = 0,
	INDEX_LINK,
	INDEX_FOLDER,
	INDEX_SKIPPED,		/* not copied: FIFO, socket, device, the scratch root, what is hidden */
	INDEX_KINDS
};

static inline uint8_t index_kind_of(uint32_t mode)
{
	return S_ISREG(mode) ? INDEX_FILE :
	       S_ISLNK(mode) ? INDEX_LINK :
	       S_ISDIR(mode) ? INDEX_FOLDER :
			       INDEX_SKIPPED;
}

enum index_flag {
	INDEX_CLONED = 1,	/* its bytes are shared with the source */
	INDEX_SHARED = 2,	/* it has further names: hard links */
	INDEX_FOLLOWED = 4,	/* it stands for what a link leads to */
	INDEX_UNSURE = 8,	/* of a layer: changed below while the command ran */
	INDEX_ABSENT = 16,	/* of a layer: there was nothing below */
	INDEX_FURTHER = 32,	/* of a folder: the copy has names that are not in the index */
	INDEX_WHOLE = 64	/* of a folder below a layer that hides it: all that was there is in the index */
};

struct index_entry {
	uint32_t name;		/* place of the name among the names */
	uint16_t name_bytes;
	uint8_t kind, flags;
	uint64_t identity;	/* of the source: stamp_identity, and so on */
	int64_t mtime, ctime;
	union {
		uint64_t size;
		struct {
			uint32_t first, count;
		} children;	/* of a folder */
	};
	uint64_t copy_inode;
	int64_t copy_ctime;	/* not above 0: the copy's is another state now; see below */
	uint32_t mode;
	uint32_t copy_mode;	/* what the copy's file system made of it */
	uint64_t digest;	/* of a file's content or a link's target (tree/digest.h); 0: not known */
};

struct index_header {
	char magic[8];
	uint32_t version, entry_bytes;
	uint64_t checksum;	/* of all that follows this member */
	uint64_t tree;		/* identity of the tree's directory */
	uint64_t copy_device;
	int64_t began, ended;	/* when the source, and the copy, were looked at */
	uint32_t count;
	uint32_t bond;		/* of the tree's directory (tree/bond.h); 0: not known */
	uint64_t name_bytes;
};

struct index {
	void *memory;		/* NULL for none */
	const struct index_header *header;
	const struct index_entry *entries;
	const char *names;
};

/* 0, or -1 with errno where there is none that can be believed. */
int index_load(int dir, const char *name, struct index *ret_index);
/* 0 also where there is none that can be believed; -1 with errno where that cannot be told. */
int index_load_any(int dir, const char *name, struct index *ret_index);
/* What such a file says of itself; the rest of it is not looked at. 0, or -1. */
int index_read_header(int fd, struct index_header *ret_header);
void index_release(struct index *index);
/* What the header has to say of the rest. */
uint64_t index_sum(const struct index *index);

/* What is in the copy is the command's: it goes on being a change. The time at which it was still what was
 * put there stays behind as its negative, 0 where it is not known. */
static inline void index_mark_changed(struct index_entry *entry)
{
	if (entry->copy_ctime > 0)
		entry->copy_ctime = -entry->copy_ctime;
}

static inline int64_t index_put_at(const struct index_entry *entry)
{
	return entry->copy_ctime < 0 ? -entry->copy_ctime : entry->copy_ctime;
}

static inline const char *index_name(const struct index *index, const struct index_entry *entry)
{
	return index->names + entry->name;
}

/* The entry `name` of a folder, and that of a path; NULL where there is none. */
const struct index_entry *index_child(const struct index *index, const struct index_entry *folder,
				      const char *name, size_t bytes);
const struct index_entry *index_find(const struct index *index, const char *path);

/* Writing: the header last, so that what was not finished has none. Entries are added in their
 * order, then the names in the same order, each with a NUL after it. */
struct index_writer {
	int fd;
	int failed;		/* errno of what failed first */
	bool durable;		/* it is on the disk before index_end returns */
	struct index_header header;
	struct digest digest;
	size_t used;
	char *room;
};

int index_begin(struct index_writer *writer, int dir, const char *name);
void index_add_entry(struct index_writer *writer, const struct index_entry *entry);
void index_add_name(struct index_writer *writer, const char *name, size_t bytes);
/* Closes the file. 0, or -1 with errno where it could not all be written. */
int index_end(struct index_writer *writer);
/* Closes what was begun and will not be written. Nothing to do after index_end. */
void index_give_up(struct index_writer *writer);
/* An index as it is in memory. 0, or -1 with errno. */
int index_write_again(const struct index *index, int dir, const char *name);

#endif
