/* tests/policy_property/property.h - policies and paths by chance, and whether an arm lets a command do what the
 * model denies.
 *
 * A case is a world of directories, files and sockets, a few settings by chance, and the policy that core/policy
 * makes of them. For each thing in the world each operation is tried by real system calls where the command would
 * run, and compared with the model's decision. A driver does that for one arm.
 */
#ifndef PROPERTY_H
#define PROPERTY_H

#include "policy/model.h"
#include "policy/policy.h"

#include <stdio.h>

enum { PROPERTY_THINGS = 96, PROPERTY_RULES = 9 };

enum property_thing_kind { THING_DIRECTORY = 0, THING_FILE, THING_SOCKET, THING_NOTHING };

struct property_thing {
	enum property_thing_kind kind;
	char path[160];		/* as the policy names it */
	bool in_tree;
};

struct property_world {
	char base[96];
	char home[110], tree[110], copy[120], scratch[110], temporary[120];
	struct property_thing things[PROPERTY_THINGS];
	size_t count;
	int sockets[PROPERTY_THINGS];
};

/* What came of one operation on one thing. */
enum property_outcome { OUTCOME_UNTRIED = 0, OUTCOME_DENIED, OUTCOME_ALLOWED };

/* One case as it is run: filled in by what is inside. */
struct property_case {
	const struct property_world *world;
	uint8_t outcomes[PROPERTY_THINGS][MODEL_OPERATIONS];
};

struct property_driver {
	const char *name;
	/* Directories that are the command's own in this arm, NULL-terminated. */
	const char *const *own;
	/* Confines as the policy says and calls property_try with the case where the command would run. 0; 1 where
	 * the policy has a gap in this arm, so that nothing was tried; -1 with a text where it failed. The case is
	 * in memory that is shared with children. */
	int (*run)(const struct policy *policy, struct property_case *tried, char *why, size_t room);
};

/* Where the command would run: tries everything. 0. */
long property_try(void *property_case);

/* Compares at least `decisions`; 0 where nothing was weaker than the model. The environment may say otherwise:
 * PROPERTY_DECISIONS, PROPERTY_SEED (1) of the first case, and PROPERTY_ROOT, where the worlds are made: a home, in
 * which nothing is an arm's own. */
int property_check(const struct property_driver *driver, unsigned long decisions);

#endif
