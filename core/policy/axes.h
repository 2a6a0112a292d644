/* policy/axes.h - promises by name: what must be kept, and which gaps are accepted. */
#ifndef POLICY_AXES_H
#define POLICY_AXES_H

#include "base/list.h"
#include "policy/policy.h"

/* Bits by axis of a list of names. */
int axes_read(const struct list *names, uint64_t *ret_bits, struct pinfold_error *err);
/* A NULL-terminated copy of the names of accepted gaps: an axis, which may not be required as well, or
 * one thing on it after a colon. */
int axes_read_relaxed(const struct list *names, uint64_t required, struct arena *arena,
		      const char *const **ret_names, struct pinfold_error *err);

#endif
