/* escape/arms.h - the cases as `cases list` tells them, and the arms as `pinfold probe` does. */
#ifndef ESCAPE_ARMS_H
#define ESCAPE_ARMS_H

#include "judge.h"
#include "world.h"

#define MOST_CASES 512
#define MOST_PROMISES 16	/* with "own" as the last */

struct entry {
	char *name, *class, *promise, *twin, *mechanism, *source, *unless, *twin_promise, *twin_unless;
	unsigned how;
};

struct table {
	struct entry entries[MOST_CASES];
	size_t count;
};
int table_read(struct world *world, struct table *table);

/* One way to run: an arm with what else is asked of it. */
struct way {
	const char *name, *arm;
	const char *options[8];		/* of run */
	const char *settings[4];	/* of run and probe */
	bool whole;			/* with the cases that take long */
};

struct declared {
	bool available;
	char missing[1024];
	char names[MOST_PROMISES][24];
	bool kept[MOST_PROMISES];
	char notes[MOST_PROMISES][400];
	size_t count;
};
int arms_ask(struct world *world, const struct way *way, struct declared *declared);
int arms_index(const struct declared *declared, const char *promise);

#endif
