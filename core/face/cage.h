/* face/cage.h - cages as a handle keeps them, and the arm that the runs of one share. */
#ifndef FACE_CAGE_H
#define FACE_CAGE_H

#include <pinfold/pinfold.h>
#include <pthread.h>
#include <stdbool.h>

enum { CAGES_KEPT = 8 };

/* Those that were asked for last, used or not. Zero but for the lock is empty. */
struct cages {
	pthread_mutex_t lock;
	struct pinfold_cage *kept[CAGES_KEPT];
	uint64_t clock;
};
#define CAGES_NONE { .lock = PTHREAD_MUTEX_INITIALIZER }

/* Nobody uses any of them any more. */
void cages_release(struct cages *cages);

/* The handle that a run, in a cage or not, was asked of; `pinfold` of one in a cage goes with the cage. */
struct pinfold *cage_owner(const struct pinfold_run *run);
/* The arm of a run in a cage: chosen by the first of them. */
int cage_choose(struct pinfold_run *run, struct pinfold_error *err);
/* Has a run been started with this very choice before? */
bool cage_choice_was_tried(const struct pinfold_run *run);
void cage_choice_is_true(struct pinfold_run *run);
/* It did not hold: the next run chooses anew. */
void cage_choice_is_untrue(struct pinfold_run *run);
/* Of any run, in a cage or not. */
void cage_choice_release(struct pinfold_run *run);

#endif
