/* policy/model.h - what a resolved policy decides, as pinfold-policy(5) tells it: the one model that every arm is
 * tested against. No arm may let a command do what this denies; an arm may deny more.
 */
#ifndef POLICY_MODEL_H
#define POLICY_MODEL_H

#include <pinfold/arm.h>

enum model_operation {
	MODEL_READ = 0,	/* open a file for reading, or list a directory */
	MODEL_WRITE,	/* change what is in a file, or make one of this name */
	MODEL_REPLACE,	/* remove it, rename it, or put something else in its place */
	MODEL_EXECUTE,
	MODEL_CONNECT,	/* to the unix socket of the host's that is there */
	MODEL_OPERATIONS
};

enum model_answer {
	MODEL_OWN = 0,	/* the command's own from the start: no rule is about it */
	MODEL_DENIED,
	MODEL_ALLOWED
};

/* A policy, and where it is seen. Paths are canonical. */
struct model {
	const struct pinfold_policy *policy;
	const char *tree;	/* where the command finds its working tree */
	const char *const *own;	/* directories that hold nothing of the host's at first; NULL-terminated, or NULL */
};

struct model_decision {
	enum model_answer answer;
	const struct pinfold_path *rule;	/* the one with the longest path that decided; NULL for none */
	const char *why;	/* for a person, and static */
};

struct model_decision model_decide(const struct model *model, enum model_operation operation, const char *path);

#endif
