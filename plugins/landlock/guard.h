/* plugins/landlock/guard.h - changes of modes, owners, times and extended attributes, for which Landlock has no
 * rule: the command's filter asks, a thread of the host looks where it is, and does it in the command's stead.
 *
 * It never lets the command's own call go on: what that points to could be another by then.
 */
#ifndef LANDLOCK_GUARD_H
#define LANDLOCK_GUARD_H

#include <pinfold/arm.h>
#include <stdbool.h>

struct guard {
	const char *const *roots;	/* where it may be: canonical */
	size_t root_count;
};

/* The calls that are asked about. */
extern const int32_t guard_calls[];
extern const size_t guard_call_count;

/* pinfold_plan.answer: 0, or a negative errno for the command. */
int guard_answer(const struct pinfold_plan *plan, const struct pinfold_asked *asked);

#endif
