/* tree/file.h - one regular file, brought up to date. */
#ifndef TREE_FILE_H
#define TREE_FILE_H

#include "tree/folder.h"

/* One entry as it is on both sides. */
struct sides {
	const struct index_entry *old;	/* NULL: not in the index */
	struct stamp source, copy;
	bool found;		/* there is something of its name in the copy */
	bool settled;		/* what is there stays, and is not in the index */
	uint8_t flags;		/* enum index_flag */
	uint64_t digest;	/* of the content; 0: not known */
	/* For a link that is followed (tree/follow.h); all NULL otherwise. */
	char *target;		/* what the link will say in the copy */
	char *origin;		/* the file that will stand for it, canonical */
	struct follow_base *base;	/* the directory that will stand for it */
	char *text;		/* what a file will say in the copy instead (tree/pointer.h), or NULL */
};

/* 1: it is equal, and `sides->copy` says how it is now; 0: it vanished; -1: the sync has failed. */
int file_bring(struct worker *worker, const char *name, struct sides *sides);
/* The source, open for reading: -1 with errno. */
int file_open_source(struct worker *worker, const char *name, struct sides *sides);
int file_make_carry(struct worker *worker);	/* 0 or -1 */
/* What it takes from the budget of bytes. */
uint64_t file_cost(const struct sides *sides);

#endif
