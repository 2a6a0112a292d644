/* plugins/namespaces/ground.h - whether an overlay can be laid somewhere, and what it can do there: tried in
 * throw-away processes, on directories of ours. */
#ifndef GROUND_H
#define GROUND_H

#include <pinfold/plugin.h>
#include <stdbool.h>

enum ground_step {
	GROUND_NAMESPACES = 0,	/* make namespaces to mount in */
	GROUND_MAP,	/* map the ids */
	GROUND_PLACE,	/* make the directories, or the memory, for the upper part */
	GROUND_LAY,	/* lay the overlay */
	GROUND_WRITE,	/* make a file in it */
	GROUND_REMOVE,	/* remove what lies below */
	GROUND_REPLACE,	/* make a directory where one was removed */
	GROUND_DONE
};

struct ground {
	uint32_t step;	/* how far it came */
	int32_t error;	/* the errno that ended it, or 0 */
	bool renames;	/* a directory that comes from below can be renamed */
	bool links;	/* names of one file stay so when it is changed */
};

/* Lays the tree below an overlay whose upper part lies in a new directory of `base`, or in memory where
 * that is NULL, and tries what a command does there on a stand-in. Leaves nothing. */
void ground_try(const struct pinfold_host *host, const char *tree, const char *base,
		struct ground *ret_ground);

/* Why it ended where it did, and what lifts it: never NULL. */
const char *ground_missing(const struct pinfold_host *host, const struct ground *ground, const char *base);
const char *ground_lift(const struct ground *ground);

#endif
