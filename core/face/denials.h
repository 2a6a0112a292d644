/* face/denials.h - what a run was refused, told by what it tried and what its policy says. */
#ifndef FACE_DENIALS_H
#define FACE_DENIALS_H

#include "cage/watch.h"
#include "policy/model.h"
#include "report/receipt.h"

#include <pthread.h>

enum { DENIALS_MOST = 256, DENIALS_SAID = 5 };

struct denials {
	struct watch *watch;	/* NULL: nobody asked, or it has ended */
	bool wanted;	/* it was asked for */
	const char *trouble;	/* why not everything is told; static, or NULL */
	pthread_mutex_t lock;
	const struct pinfold_policy *policy;	/* NULL: nothing is judged */
	struct model model;
	const char *temporary;
	struct receipt_denial items[DENIALS_MOST];	/* texts are ours */
	size_t count;
	uint64_t more;	/* attempts past the bound */
};

struct pinfold_run;

/* Where the policy asks for it: listens, before a child is begun. */
int denials_begin(struct pinfold_run *run, struct pinfold_error *err);
/* What the child is to be given; 0: nothing. */
int denials_child_end(const struct pinfold_run *run);
/* The arm has prepared: judges by its policy from here on. False where this arm refuses nothing that is heard of. */
bool denials_judge(struct pinfold_run *run);
/* The command has started. */
void denials_started(struct pinfold_run *run);
/* Hears the last, and says the first few. The arm's policy must still be there. */
void denials_end(struct pinfold_run *run);
void denials_release(struct pinfold_run *run);

#endif
