/* tree/folder.h - the parts of one sync: what its threads share, and one directory of it. */
#ifndef TREE_FOLDER_H
#define TREE_FOLDER_H

#include "base/text.h"
#include "tree/above.h"
#include "tree/carry.h"
#include "tree/chain.h"
#include "tree/crew.h"
#include "tree/links.h"
#include "tree/listing.h"
#include "tree/mirror.h"

#include <pthread.h>

#define FOLDER_NEW UINT32_MAX

/* The mode of a directory of a copy that is kept, while it is worked in. */
enum { FOLDER_OPENED = S_ISVTX | S_IRWXU };

/* One directory, on both sides. Its entries are made by the one thread that works on it. */
struct folder {
	struct crew_task task;
	struct folder *parent, *first_child, *last_child, *next_sibling;
	struct chain chain;	/* of its path in the copy; the name is in the parent's names, or in the old index */
	uint32_t depth;
	uint32_t old;		/* its entry in the old index, or FOLDER_NEW */
	bool fresh;		/* the copy's directory is new and empty */
	bool vanished;		/* it went away meanwhile, or nothing stayed in it */
	/* Where the command's changes are kept (tree/merge.h): */
	bool retained;		/* the copy has another thing in its place; as in the old index, with all below */
	bool hollow;		/* the tree has none (any more): what the command changed stays */
	bool replaced;		/* as is hollow: the tree has another thing in its place */
	bool unlisted;		/* the tree has names that the index has not */
	bool further;		/* the copy has */
	bool keeps_mode;	/* the command changed its mode */
	struct folder *next_hollow;
	const struct follow_base *base;	/* the directory outside that it is or lies in, or NULL */
	uint32_t base_depth;	/* how deep that stands in the copy */
	struct stamp source, copy;
	struct index_entry *entries;	/* NULL: as in the old index */
	uint32_t count;
	char *names;
};

/* What all threads share. */
struct mirror {
	const struct mirror_order *order;
	struct hidden hidden;	/* in this tree */
	int64_t began;
	uint32_t user;
	_Atomic uint64_t files, bytes;	/* against the budget */
	_Atomic int counting;	/* a budget is passed: only count how far */
	_Atomic int clones;	/* 0 not known, 1 yes, -1 no */
	bool staged;		/* what is new is made elsewhere (tree/stage.h) */
	int stages_fd;
	_Atomic unsigned stages;
	_Atomic unsigned staged_files;
	_Atomic uint64_t copied_files, copied_bytes;
	uint64_t told;		/* when, by the leader */
	pthread_t leader;	/* the caller's own thread */
	_Atomic int changed;	/* the index must be written */
	_Atomic int failed;
	_Atomic uint32_t deepest;	/* deeper than the budget has it */
	_Atomic uint64_t deadline;	/* of counting */
	struct folder root;
	struct links links;
	struct crew crew;
	pthread_mutex_t lock;	/* for what follows, and `err`, `work` */
	struct pinfold_error *err;
	struct mirror_work work;
	struct folder *hollow;	/* the last of those made */
	bool again;		/* a name became free for what the tree has */
	struct follow_base *bases;
	struct policy *policy;	/* for what is hidden; NULL until a link leaves the tree */
};

struct draft {
	struct index_entry entry;
	const char *name;
};

/* One thread, and the folder it works on. */
struct worker {
	struct mirror *mirror;
	struct folder *folder;
	bool leads;		/* it is the caller's own thread */
	struct text path;	/* of the folder, relative to the copy */
	size_t base_bytes;	/* how much of that leads to its base */
	struct above above;
	int source_fd, copy_fd;	/* the latter -1: not opened yet (folder_open_copy) */
	bool source_readable, copy_ready;	/* open for more than looking */
	bool touched;		/* the copy's directory was changed, and is to be put right */
	bool copy_was_recorded;	/* the command changed nothing in the copy's directory */
	uint32_t found_mode;	/* of the copy's directory, before anything was done to it */
	int stage_fd;
	char stage_name[12];
	bool stage_replaces_folder;
	bool different;		/* the entries are not those of the old index */
	bool source_as_known, copy_as_known;	/* their names are those of the index */
	struct listing source, copy;	/* unless both are */
	struct draft *drafts;
	size_t count, room;
	uint64_t untold_files, untold_bytes;	/* see tally_add */
	struct mirror_work work;	/* only the figures */
	struct carry *carry;	/* NULL until bytes are compared or copied */
};

/* Brings one directory up to date and puts those below it on the stack. 0, or -1 when the sync has
 * failed. */
int folder_bring(struct worker *worker, struct folder *folder);
/* Opens the copy's directory where that was not done yet. 0, or -1 with errno. */
int folder_open_copy(struct worker *worker);
/* Makes the copy's directory one that can be changed; called before its every change. */
int folder_touch(struct worker *worker);
struct folder *folder_add(struct folder *parent);
void folder_release(struct folder *folder);	/* with all below it, itself not freed */

/* entry.c: brings one entry of the worker's folder up to date. 1: it is in `ret_entry`; 0: it is
 * not there (any more); -1: the sync has failed. */
int entry_bring(struct worker *worker, const char *name, const struct index_entry *old, bool present,
		struct index_entry *ret_entry);
int entry_discard(struct worker *worker, const char *name);
bool entry_is_pseudo(int fd);	/* does it lie on a file system of the kernel's own? */
uint32_t entry_mode(const struct mirror *mirror, const struct stamp *source);
void entry_fill_source(struct index_entry *entry, const struct stamp *source);
void entry_fill_copy(struct index_entry *entry, const struct stamp *copy);

/* sync_crew.c: what the threads do; and calling for a folder and its siblings. */
extern const struct crew_craft sync_craft;
void folder_call(struct mirror *mirror, struct folder *first);

/* tally.c: 0, or -1 when the sync has failed; past a budget all goes on counting. What a worker has added is
 * told to the others now and then, and when its folder is done (tally_give). */
int tally_add(struct worker *worker, uint64_t files, uint64_t bytes);
int tally_give(struct worker *worker);
void tally_depth(struct mirror *mirror, uint32_t depth);
int tally_refuse(struct mirror *mirror, struct pinfold_error *err);

/* trouble.c: what went wrong, and what was left out. */
int trouble_source(struct worker *worker, const char *name, int sys);
int trouble_copy(struct worker *worker, const char *name, int sys);
int trouble_hidden(struct worker *worker, const char *name, const char *hidden);
int trouble_changes(struct worker *worker, const char *name);
int trouble_memory(struct mirror *mirror);
void trouble_skip(struct worker *worker, const char *name);

#endif
