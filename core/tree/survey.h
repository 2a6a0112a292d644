/* tree/survey.h - the parts of one search for changes: what its threads share, and one directory of it. */
#ifndef TREE_SURVEY_H
#define TREE_SURVEY_H

#include "base/list.h"
#include "base/text.h"
#include "tree/carry.h"
#include "tree/chain.h"
#include "tree/crew.h"
#include "tree/changes.h"
#include "tree/listing.h"
#include "tree/pry.h"

#define SITE_NEW UINT32_MAX

/* One directory of the copy or the layer, or one that was there before. */
struct site {
	struct crew_task task;
	struct chain chain;
	uint32_t old;		/* its entry in the base, or SITE_NEW */
	uint32_t mode;
	bool gone;		/* it is not there any more */
	bool listed;		/* its names are those of the base */
	bool whole;		/* what is not in it is gone; else it lies over what is below */
	bool followed;		/* it is, or lies in, what stands for a link: the tree has no such path */
};

/* What all threads share. */
struct survey {
	const struct changes_order *order;
	struct pinfold_error *err;
	uint32_t user;
	struct stamp top;	/* of the copy or the layer, before anything was opened up */
	pthread_mutex_t lock;	/* for what follows */
	int failed;
	struct arena *sites;
	struct arena *texts;
	struct change *items;
	size_t count, room;
	uint64_t walked;
	struct pried pried;
	struct crew crew;
};

/* One thread, and the directory it works on. */
struct surveyor {
	struct survey *survey;
	struct site *site;
	struct text path;	/* of the site, relative */
	int held_fd;
	int tree_fd;		/* or enum survey_tree */
	struct listing listing;
	struct carry *carry;	/* NULL until contents are compared */
	uint64_t walked;
	struct crew_task *called;	/* sites below, not yet for others to take */
};

enum survey_tree {
	SURVEY_UNTRIED = -1,
	SURVEY_ABSENT = -2,	/* the tree has no such directory */
	SURVEY_UNKNOWN = -3	/* it cannot be opened */
};

/* One name, as it was and as it is. */
struct sighting {
	const char *name;
	const char *tree_name;	/* its name in the tree; NULL: the same */
	const struct index_entry *old;	/* NULL: the base has none */
	struct stamp held;
	uint8_t kind;		/* of `held`; CHANGE_NOTHING */
};

/* Looks at one directory and calls for those below. 0, or -1 when the search has failed. */
int survey_site(struct surveyor *surveyor, struct site *site);
/* Adds a site below the one worked on. */
int survey_call(struct surveyor *surveyor, const struct site *site);
/* A change of that name. */
int survey_tell(struct surveyor *surveyor, const struct sighting *seen, uint8_t kind, uint8_t what);
/* Is it in the copy just as it was put there? */
bool survey_is_as_recorded(const struct survey *survey, const struct sighting *seen);
int survey_fail(struct surveyor *surveyor, const char *name, int sys);

/* compare.c: how the name differs from its base, enum change_what; both are of one kind. What is so in
 * the tree meanwhile does not count. -1 when the search has failed. */
int compare_kinds_alike(struct surveyor *surveyor, const struct sighting *seen);
/* Has the tree meanwhile what is held? */
int compare_with_tree(struct surveyor *surveyor, const struct sighting *seen);

#endif
