/* tree/apply_steps.h - what an apply does, step by step, as its journal keeps it. */
#ifndef TREE_APPLY_STEPS_H
#define TREE_APPLY_STEPS_H

#include "base/text.h"
#include "tree/apply.h"
#include "tree/carry.h"

/* In the order that apply_order.c gives them; INNER last. */
enum step_kind {
	STEP_TAKE = 0,	/* out of the tree, to be removed or to be put elsewhere */
	STEP_PUT,	/* into the tree, where nothing is */
	STEP_SWAP,	/* in place of what is there; neither is a directory */
	STEP_SET,	/* mode and attributes of what stays */
	STEP_INNER,	/* comes with the directory that it lies in */
	STEP_KINDS
};

struct step {
	uint8_t kind;
	bool moved;	/* taken to be put elsewhere; or put from what step `from` took */
	bool attributes;	/* of a SET: these too */
	uint32_t part, area;
	uint32_t from;	/* of a PUT that is moved: that step. Of an INNER: the PUT that it comes with */
	char *path;	/* relative to the part; names what is in the tree before (TAKE) or after */
	struct stamp old;	/* of the tree's; `mode` 0: nothing */
	struct stamp new;	/* what takes its place; `mode` 0: nothing */
	/* Not in the journal. */
	const struct change *change;
	uint32_t item;
	bool reverted;	/* what was taken out was written meanwhile, so it is back */
};

/* A private directory that holds what goes and what comes, on one mount. */
struct area {
	uint32_t part;
	char *path;	/* of the directory that it lies in */
	int fd;		/* -1 until it is made or opened */
	bool found;	/* it was there when it was to be opened */
	uint64_t device, mount;
};

/* A directory of the tree whose entries change. */
struct touched {
	uint32_t part;
	char *before, *after;	/* its path then and now */
	struct stamp old;
	int64_t mtime;	/* to be set at the end; INT64_MIN: none */
};

enum { TOKEN_LETTERS = 16 };
#define AREA_PREFIX ".pinfold-"

struct steps {
	const struct apply_part *parts;
	size_t part_count;
	bool *whole;	/* of each part: nothing of it is left; NULL: of none */
	char token[TOKEN_LETTERS + 1];
	struct step *items;
	size_t count, room;
	struct area *areas;
	size_t area_count;
	struct touched *touched;
	size_t touched_count;
	bool acting;	/* all is aside, and something may be in its place already */
	struct carry *carry;	/* NULL until content is compared or carried */
};

void steps_release(struct steps *steps);
struct step *steps_add(struct steps *steps, uint8_t kind, uint32_t part, const char *path);
/* In `carry`, or NULL when memory is gone. */
struct carry *steps_carry(struct steps *steps);

/* apply_areas.c */
/* The area for what goes out of or into the directory `path`, not made yet; -1 with errno. */
int areas_find(struct steps *steps, uint32_t part, const char *path, uint32_t *ret_area);
/* Notes the directories that they lie in: where nothing else in one changes, its time stays. 0 or -1 with
 * errno. */
int areas_note(struct steps *steps);
/* Makes all of them; 0 or -1 with errno. */
int areas_make(struct steps *steps);
/* Opens those that are there. 0 or -1 with errno. */
int areas_open(struct steps *steps);
/* Did any of the part have one when they were opened? What a journal says of a place elsewhere that shows no
 * trace of an apply is not believed. */
bool areas_vouch(const struct steps *steps, uint32_t part);
/* Removes all, with everything in them. 0 or -1 with errno. */
int areas_remove(struct steps *steps);
void area_name(const struct steps *steps, char room[40]);
/* Notes a directory whose entries will change. 0 or -1 with errno. */
int touched_add(struct steps *steps, uint32_t part, const char *before, const char *after);
/* Makes it one that can be changed, where its mode forbids that. 0 or -1 with errno. */
int touched_loosen(struct steps *steps, uint32_t part, int dir);

/* Opens one of them (O_PATH) where it is still the one that was noted. -1 with errno; ESTALE where not. */
int touched_open(const struct steps *steps, const struct touched *touched, const char *path,
		 struct stamp *ret_now);
/* Of what is open, with O_PATH too. 0 or -1 with errno. */
int set_mtime(int fd, int64_t mtime);
/* Does errno say that there is nothing, or a link? */
bool is_absence(int failure);

/* The names of what comes and of what went, in an area. */
struct step_names {
	char new[16], old[16];
};
struct step_names step_names(const struct steps *steps, const struct step *step);

/* Opens the directory in which `path` of the part lies (O_PATH), `ret_name` is the last name of it. */
int step_reach(const struct steps *steps, uint32_t part, const char *path, const char **ret_name);
/* Is that the same object in the same state? Directories: the same object. */
bool step_is(const struct stamp *expected, const struct stamp *found);

/* apply_stage.c: writes everything that comes aside. 0, 1 where the copy is not what it was when it was
 * looked at, or -1. */
int stage_all(struct steps *steps, struct pinfold_error *err);

/* apply_names.c: names that go from one directory to another. All return 0, or -1 with errno. */
/* To a name that is not taken (EEXIST). */
int name_put(int from, const char *name, int to, const char *to_name);
/* ENOTSUP where the file system cannot exchange. */
int name_exchange(int a, const char *name, int b, const char *other);
/* What cannot go back to its place goes beside it under a name that says so. */
int name_rescue(const struct steps *steps, const struct step *step, int area, const char *name);
/* 1: `name` is there, `ret_stamp` says in what state; 0: it is not; -1 with errno. */
int name_look(int dir, const char *name, struct stamp *ret_stamp);

/* apply_act.c: 0; 1 where the tree is no more what it was when it was looked at; -1. After both the
 * latter everything is to be undone. */
int act_all(struct steps *steps, struct pinfold_error *err);
/* The steps that come with a PUT: the first of them, and how many. */
const struct step *act_inner(const struct steps *steps, uint32_t put, size_t *ret_count);

/* apply_undo.c: takes back whatever was done, found out by looking. 0 or -1 with errno. */
int undo_step(struct steps *steps, struct step *step);
int undo_all(struct steps *steps, struct pinfold_error *err);

/* apply_times.c: what was taken back is what the base knows, though its ctime is another now. 0 or -1 with
 * errno. */
int undo_times(struct steps *steps);

/* apply_finish.c: what is to be done once an apply is valid: what went is removed, where it still is what
 * it was (else `reverted`), and what a layer has of it. */
int finish_all(struct steps *steps, struct pinfold_error *err);

/* apply_journal.c. The journal has one of three names, and says by it how far the apply is. */
enum journal_stage { JOURNAL_NONE = 0, JOURNAL_BEGUN, JOURNAL_STAGED, JOURNAL_VALID };
int journal_write(const struct steps *steps, int slot_fd, enum journal_stage stage,
		  struct pinfold_error *err);
/* 0 with `ret_stage` JOURNAL_NONE where there is none. The steps are to be released after 0. */
int journal_read(int slot_fd, const struct apply_part *parts, size_t count, struct steps *ret_steps,
		 enum journal_stage *ret_stage, struct pinfold_error *err);
int journal_remove(int slot_fd, struct pinfold_error *err);

#endif
