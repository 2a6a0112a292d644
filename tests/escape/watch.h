/* escape/watch.h - looking, from outside, at everything that an attempt could have changed or learned. */
#ifndef ESCAPE_WATCH_H
#define ESCAPE_WATCH_H

#include "world.h"

struct sight {
	uint64_t outside, home, tree, runtime, base, callers;
	unsigned messages;
	bool loose;
};

struct effects {
	char text[512];		/* what is different, each with a semicolon; empty: nothing */
};

/* `names_may_change`: the number of a file's names, and the time of that change, do not count. */
void watch_look(struct world *world, struct sight *sight, bool names_may_change);
/* `trees`: changes of the tree count too. */
void watch_compare(struct world *world, const struct sight *before, const char *token, bool trees, struct effects *effects);
void watch_add(struct effects *effects, const char *text);
bool watch_finds_secret(const struct world *world, const char *bytes, size_t count);

/* Processes that have the token as their name. */
unsigned watch_survivors(const char *token, bool end_them);

/* What an apply must not have brought into the tree. */
const char *watch_tree(const struct world *world);

#endif
