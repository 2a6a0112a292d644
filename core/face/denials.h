/* face/denials.h - what a run was refused, told by what it tried and what its policy says. */
#ifndef FACE_DENIALS_H
#define FACE_DENIALS_H

#include "base/list.h"
#include "cage/watch.h"
#include "policy/model.h"
#include "report/receipt.h"

#include <pthread.h>

enum { DENIALS_MOST = 256, DENIALS_SAID = 5 };

struct denials {
	struct watch *watch;	/* NULL: nobody asked, or it has ended */
	bool ended;	/* all that is to be told is */
	const char *idle;	/* why nothing can be told; static, or NULL */
	const char *trouble;	/* why not everything is told; static, or the next, or NULL */
	char *arms_trouble;	/* what the arm said of that */
	pthread_mutex_t lock;
	const struct pinfold_policy *policy;	/* NULL: nothing is judged */
	struct model model;
	const char *temporary;
	const char *moved;	/* where the tree lies of which the command sees a copy elsewhere, or NULL */
	uint64_t kept;	/* what the arm promises: bits by axis */
	const struct receipt_relaxation *relaxed;	/* what it does not enforce, as the caller accepted */
	size_t relaxed_count;
	struct receipt_denial items[DENIALS_MOST];	/* texts are ours */
	size_t count;
	uint64_t more;	/* attempts past the bound */
	struct list unheard;	/* kinds that cannot be told, each with why */
};

struct pinfold_run;
struct launch;
struct pinfold_plan;

/* Where the policy asks for it: listens, before a child is begun. */
int denials_begin(struct pinfold_run *run, struct pinfold_error *err);
/* The arm is chosen: can be heard what it refuses? */
int denials_check(const struct pinfold_run *run, struct pinfold_error *err);
/* What the child is to be given; 0: nothing. */
int denials_child_end(const struct pinfold_run *run);
/* The arm has prepared: listens for what it answers itself, and judges by its policy from here on. Fills what the launch
 * has of that. */
int denials_listen(struct pinfold_run *run, struct launch *launch, struct pinfold_error *err);
/* The command has started. */
void denials_started(struct pinfold_run *run);
/* The arm is to be released: nothing of it is asked any more. */
void denials_pause(struct pinfold_run *run);
/* Hears the last, and says the first few. The arm must still be there. */
void denials_end(struct pinfold_run *run);
/* Fills `unheard`, once it is known by what is judged. */
int denials_collect_unheard(struct denials *denials, const struct pinfold_plan *plan, struct pinfold_error *err);
/* The first few, and what nobody hears. */
void denials_say(const struct pinfold_run *run);
void denials_release(struct pinfold_run *run);

#endif
