/* policy/relocations.h - where the caller's environment puts files that otherwise lie below home. */
#ifndef POLICY_RELOCATIONS_H
#define POLICY_RELOCATIONS_H

#include <stddef.h>

enum { RELOCATIONS_MOST = 64 };

struct relocations {
	size_t count;
	struct relocation {
		const char *standard;	/* below home: ".config" */
		const char *value;	/* of the variable; of a list of paths: up to `length` */
		size_t length;
	} rows[RELOCATIONS_MOST];
};

/* Those that `environment` sets to absolute paths; its strings must stay. */
void relocations_find(const char *const *environment, struct relocations *ret_relocations);
/* Does this one move `rest` (a path below home)? The rest to be added to its value, or NULL. */
const char *relocations_rest(const struct relocation *relocation, const char *rest);

#endif
