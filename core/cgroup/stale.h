/* cgroup/stale.h - removing cgroups of runs: the own one, and those whose maker was killed. */
#ifndef CGROUP_STALE_H
#define CGROUP_STALE_H

#include <stdbool.h>

/* What the names of outer cgroups begin with, and the inner one's name. */
extern const char stale_prefix[];
extern const char stale_inner[];

/* Nobody else has it, and it is still there under that name. */
bool stale_lock(int place, const char *name, int directory);
/* Ends what is in it, and removes it with all that is below. What does not end within a second stays. */
void stale_remove(int place, const char *name, int directory);
/* Removes those of the caller's in this place that nobody has locked. */
void stale_reap(int place);

#endif
