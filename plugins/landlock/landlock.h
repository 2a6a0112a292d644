/* plugins/landlock/landlock.h - the parts of this arm, and what passes between them.
 *
 * lower.c makes rules of a policy and says what has none; prepare.c makes the ruleset and the filter and fills
 * the plan; guard.c does for the command what no rule can tell apart. confine.c gives up
 * privileges and looks whether it worked: in the child, by the host's table only. describe.c tells what a plan is.
 */
#ifndef LANDLOCK_LANDLOCK_H
#define LANDLOCK_LANDLOCK_H

#include "filter/filter.h"
#include "guard.h"
#include "landlock/wall.h"

#include <stdbool.h>

/* A plan's own. Shared with the child until the command runs. */
struct state {
	const char *failed;	/* what the child was doing when it failed */
	int abi;
	int ruleset;
	int inherit[2];	/* what the child needs of the host's, for the plan */
	int listener;	/* that the filter asks: the child's, once it is confined */
	bool tells;	/* the core's filter has the listener; and what is refused as a whole is unknown until there is one */
	struct guard guard;
	bool guarded;	/* changes of attributes are asked for */
	bool becomes;	/* the caller becomes the command: nobody is there to be asked */
	struct wall_rights handled;
	struct sock_fprog filter;
	struct filter_wants wants;	/* of which the filter was made */
	const struct pinfold_shown *shown;
	size_t reading_rules;
	bool root;
	bool keys;	/* the policy leaves the kernel's keyrings */
	bool no_internet;
	const char *shut;	/* a directory that the caller can list and the command cannot */
	const char *outside;	/* one that the caller can write and the command cannot, or NULL */
};

/* What the section [arm:landlock] says. */
struct settings {
	bool sockets;	/* unix sockets are left open where the kernel has no rule for them */
};
struct settings settings_read(const struct pinfold_host *host);

/* Adds the rules of the policy to the state's ruleset and to what the filter must refuse, and the gaps to the
 * plan. -1 with an error. */
int lower_policy(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct state *state, struct filter_wants *wants,
		 struct pinfold_plan *plan, struct pinfold_error *err);
/* Where the command may write: canonical. -1 with an error. */
int lower_roots(const struct pinfold_host *host, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct guard *guard, struct pinfold_error *err);
/* Where nobody can be asked, changes of modes, owners and times are refused; this leaves them open. */
bool lower_leaves_attributes(const struct pinfold_policy *policy);
/* What a kernel of this version handles for this policy. */
struct wall_rights lower_handled(int abi, const struct pinfold_policy *policy);

int prepare_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err);
/* Of a plan that was prepared only to be looked at. */
int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err);
void prepare_release(const struct pinfold_host *host, struct pinfold_plan *plan);

long confine_apply(const struct pinfold_host *host, struct state *state);
long confine_verify(const struct pinfold_host *host, struct state *state);
int stage_enter(const struct pinfold_plan *plan, uint32_t stage);

int probe_offer(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err);

/* What was seen from inside; each is bad news, or news of a limit. */
enum sight {
	SIGHT_RENAMES = 1 << 0,	/* a file can be renamed into another directory of the copy */
	SIGHT_ATTRIBUTES = 1 << 1,	/* the mode of a file outside can be changed */
	SIGHT_ABSTRACT = 1 << 2,	/* an abstract socket outside can be reached */
	SIGHT_SOCKET = 1 << 3,	/* one by its path */
	SIGHT_NETWORK = 1 << 4,	/* a port of the machine's */
	SIGHT_SIGNALS = 1 << 5,	/* a process outside can be signalled */
	SIGHT_MEMORY = 1 << 6,	/* its environment or its memory can be read */
	SIGHT_TRUNCATES = 1 << 7	/* a file outside can be cut */
};
/* The promises of this machine: pure. */
void promise_fill(const struct settings *settings, int abi, uint32_t sights, bool root,
		  const char *strays_trouble, struct pinfold_offer *offer);
/* Why there is no arm here, by the error of asking for the version. */
void promise_refuse(int error, struct pinfold_offer *offer);

#endif
