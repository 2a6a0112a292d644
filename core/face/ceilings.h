/* face/ceilings.h - ceilings on everything that a run starts: its cgroup, and what is said of it. */
#ifndef FACE_CEILINGS_H
#define FACE_CEILINGS_H

#include "arms/arms.h"
#include "cgroup/group.h"

struct pinfold_run;

struct ceilings {
	bool wanted;
	bool foreseen;	/* only told of, and it could be made */
	struct group *group;	/* NULL: there is none */
	struct group_refusal refusal;	/* where one was wanted and cannot be had */
	struct group_hits hits;	/* once the run is over */
};

/* Makes the run's group where the policy wants one. What fails is a gap, which is weighed with the others. */
void ceilings_begin(struct pinfold_run *run);
/* What the choice of an arm has to know of it. */
struct arms_group ceilings_answer(const struct pinfold_run *run);
/* What of the ceilings the run's arm, or none, cannot enforce here: gaps in the policy's memory. Of a promise that
 * is kept, none. */
int ceilings_gaps(struct pinfold_run *run, const struct pinfold_gap **ret_gaps, size_t *ret_count,
		  struct pinfold_error *err);
/* The launch's `group`. */
int ceilings_entry(const struct pinfold_run *run);
/* From now on what is met of a ceiling is the command's, and no trial's. */
void ceilings_count(struct pinfold_run *run);
/* The command is over. */
void ceilings_read(struct pinfold_run *run);
/* Ends whatever is still in the group, and removes it. */
void ceilings_end(struct pinfold_run *run);

#endif
