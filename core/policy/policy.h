/* policy/policy.h - what the caller asked for, after all configuration layers: typed and resolved. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "base/arena.h"
#include "base/list.h"
#include "config/config.h"

#include <pinfold/arm.h>
#include <sys/resource.h>
#include <sys/types.h>

enum policy_gate { POLICY_HOST_NEVER = 0, POLICY_HOST_ASK, POLICY_HOST_ALWAYS };
enum policy_terminal { POLICY_TERMINAL_INHERIT = 0, POLICY_TERMINAL_NEW, POLICY_TERMINAL_NONE };
enum policy_stdin { POLICY_STDIN_INHERIT = 0, POLICY_STDIN_NULL };

struct policy_limit {
	int resource;	/* RLIMIT_… */
	struct rlimit value;
};

/* Of a whole run together, each 0 for none: what no process can have for itself alone. */
struct policy_ceilings {
	uint64_t memory;	/* bytes */
	uint64_t tasks;		/* processes and threads */
	uint64_t processors;	/* hundredths of one */
	bool step_aside;	/* whoever is where the group is to lie may be moved */
};

struct policy {
	struct arena *arena;
	struct pinfold_policy lowered;	/* what arms get; everything in it lives in the arena */
	uint64_t require;	/* bits by axis */
	uint32_t host_gate;	/* enum policy_gate */
	uint32_t terminal;	/* enum policy_terminal */
	uint32_t standard_input;	/* enum policy_stdin */
	bool denials;		/* what is refused is told */
	uint64_t timeout;	/* nanoseconds, 0 for none */
	struct policy_limit *limits;
	size_t limit_count;
	struct policy_ceilings ceilings;
	int priority;		/* added to the niceness */
	struct list missing;	/* "path (why)": optional paths that do not exist or are out of the
				 * caller's own reach, for `explain`; all its memory is the arena's */
	struct list rewritten;	/* "from -> to": paths respelled as the kernel sees them */
	struct list remarks;	/* why git will not do all that it does outside, for a person */
};

/* What is known of the caller when the policy is made. */
struct policy_caller {
	const char *home;	/* canonical, or NULL */
	const char *tree;	/* canonical working tree */
	const char *scratch;	/* canonical root of copies, or NULL */
	const char *const *environment;	/* the caller's, for XDG_RUNTIME_DIR and the like */
	uid_t user;
	const char *const *bindings;	/* "NAME=PATH" of declared grants, NULL-terminated; NULL for none */
	bool unread;	/* nobody is going to read what is missing: it is not noted */
};

/* Of the paths in [filesystem], [hard] and [network]: a "-" before one means that it may be missing
 * (hidden ones always may: what does not exist cannot be read), a "=" that only it is meant, not what
 * is below it; it may be a pattern.
 * Beside the hidden paths below the caller's home, those are hidden that the caller's environment
 * puts elsewhere (XDG_CONFIG_HOME, CARGO_HOME, KUBECONFIG …), and those in other homes that belong to
 * the caller or hold the tree; the homes of others are hidden whole. */
int policy_build(const struct config *config, const struct policy_caller *caller,
		 struct policy **ret_policy, struct pinfold_error *err);
/* The same in two steps: what asks nothing of the caller and the machine; then all paths, once. */
int policy_begin(const struct config *config, struct policy **ret_policy, struct pinfold_error *err);
int policy_complete(const struct config *config, const struct policy_caller *caller,
		    struct policy *policy, struct pinfold_error *err);
void policy_free(struct policy *policy);

/* "none", "ports" …; NULL for what is no network. */
const char *policy_network_name(unsigned network);
/* The axis with this name, or -1. */
int policy_axis(const char *name);
const char *policy_axis_name(unsigned axis);

#endif
