/* plugins/landlock/prepare.c - makes the ruleset and the filter, and fills the plan. */
#include "config.h"

#include "landlock.h"
#include "bare/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char action[] = "prepare the arm landlock";

struct settings settings_read(const struct pinfold_host *host)
{
	const char *sockets = host->setting(host, "sockets");
	return (struct settings){ .sockets = sockets && strcmp(sockets, "open") == 0 };
}

/* Past the descriptors that are overwritten in the child. */
static int open_ruleset(const struct pinfold_host *host, struct state *state, struct pinfold_error *err)
{
	long fd = wall_open(host, &state->handled);
	int past = fd >= 0 ? fcntl((int)fd, F_DUPFD_CLOEXEC, 10) : -1;
	int sys = fd < 0 ? (int)-fd : errno;
	if (fd >= 0)
		close((int)fd);
	if (past < 0)
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, sys, "make a ruleset of Landlock", "refused by this machine",
				  "`pinfold probe` shows what this machine gives; another arm may do");
	state->ruleset = state->inherit[0] = past;
	state->inherit[1] = -1;
	return 0;
}

static int check_shown(const struct pinfold_host *host, const struct pinfold_policy *policy,
		       const struct pinfold_shown *shown, struct pinfold_error *err)
{
	if (shown->kind != PINFOLD_SHOW_DIRECTORY)
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "show the working tree",
				  "landlock can show a copy only, not an overlay",
				  "set [pinfold] view = copy, or use the arm namespaces");
	if (PINFOLD_HAS(policy, machine))
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "lay the whole machine below layers",
				  "landlock has no layers", "leave out --scope machine, or use the arm namespaces");
	return 0;
}

static struct state *state_make(const struct pinfold_host *host, const struct pinfold_policy *policy,
				struct pinfold_error *err)
{
	struct state *state = host->allocate(host, sizeof(*state));
	if (!state) {
		host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, action, NULL, "free memory on this machine and try again");
		return NULL;
	}
	state->ruleset = -1;
	state->root = geteuid() == 0;
	state->abi = wall_abi(host);
	if (state->abi < 0) {
		host->fail(err, PINFOLD_E_SANDBOX_DENIED, -state->abi, action, "this kernel has no Landlock",
			   "`pinfold probe` shows what it needs; another arm may do");
		return NULL;
	}
	state->handled = lower_handled(state->abi, policy);
	state->becomes = PINFOLD_HAS(policy, becomes);
	state->guarded = !state->becomes && PINFOLD_HAS(host, asked_waits) && host->can_answer(host);
	state->tells = PINFOLD_HAS(policy, tells) && !state->becomes;
	return state;
}

/* Who listens is the core's; what is answered is ours. */
static int plan_guard(const struct pinfold_host *host, const struct pinfold_policy *policy,
		      const struct pinfold_shown *shown, struct state *state, struct pinfold_plan *plan,
		      struct pinfold_error *err)
{
	state->listener = -1;
	if (!state->guarded)
		return 0;
	if (lower_roots(host, policy, shown, &state->guard, err) < 0)
		return -1;
	plan->answer = guard_answer;
	plan->answered = guard_calls;
	plan->answered_count = guard_call_count;
	plan->listener = &state->listener;
	return 0;
}

static int plan_telling(const struct pinfold_host *host, const struct filter_wants *wants, const struct state *state,
			struct pinfold_plan *plan, struct pinfold_error *err)
{
	return state->tells ? filter_tell(host, wants, &plan->told, &plan->told_count, err) : 0;
}

/* What the filter or Landlock refuses here before there is a path or an address to be told of. */
static int plan_unheard(const struct pinfold_host *host, const struct filter_wants *wants, const struct state *state,
			struct pinfold_plan *plan, struct pinfold_error *err)
{
	const struct { bool is; const char *kind, *why; } rows[] = {
		{ wants->parts & FILTER_NO_INTERNET, "addresses", "no socket is made for one, and that is told" },
		{ wants->parts & FILTER_NO_UNIX, "unix sockets by path", "no socket is made for one, and that is told" },
		{ wants->parts & FILTER_NO_TRUNCATION, "what truncates", "before Linux 6.2 the filter refuses it without asking" },
		{ !state->root, "what makes itself unreadable for others", "nobody may look at it (PR_SET_DUMPABLE)" },
	};
	size_t count = 0;
	if (!state->tells)
		return 0;
	const char **pairs = host->allocate(host, (2 * sizeof(rows) / sizeof(rows[0]) + 1) * sizeof(*pairs));
	for (size_t i = 0; pairs && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].is)
			continue;
		pairs[count++] = rows[i].kind;
		pairs[count++] = rows[i].why;
	}
	if (!pairs)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, action, NULL, "free memory on this machine and try again");
	pairs[count] = NULL;
	plan->unheard = pairs;
	return 0;
}

static struct filter_wants filter_wanted(const struct pinfold_host *host, const struct pinfold_policy *policy,
					 const struct state *state)
{
	struct filter_wants wants = { .parts = FILTER_SHARED_MACHINE };
	struct settings settings = settings_read(host);
	if (PINFOLD_REACHES(policy, calls_refused)) {
		wants.allowed = policy->calls_allowed;
		wants.refused = policy->calls_refused;
	}
	if (state->guarded)
		wants.parts |= FILTER_ASK_ATTRIBUTES;
	if (state->tells)
		wants.parts |= FILTER_TELL;
	if (state->becomes && !lower_leaves_attributes(policy))
		wants.parts |= FILTER_NO_ATTRIBUTES;
	if (!settings.sockets && !(state->handled.files & WALL_RESOLVE_UNIX))
		wants.parts |= FILTER_NO_UNIX;
	return wants;
}

static int fill_plan(const struct pinfold_host *host, const struct pinfold_shown *shown, struct state *state,
		     struct pinfold_plan *plan, struct pinfold_error *err)
{
	plan->host = host;
	plan->failed = &state->failed;
	plan->inherit = state->inherit;
	plan->temporary = shown->temporary;
	plan->directory = bare_directory(host, shown);
	if (!plan->directory)
		return host->fail(err, PINFOLD_E_INTERNAL, 0, "find the working directory in the copy",
				  shown->directory, "report this");
	return 0;
}

int prepare_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct filter filter;
	if (check_shown(host, policy, shown, err) < 0)
		return -1;
	struct state *state = state_make(host, policy, err);
	if (!state)
		return -1;
	plan->state = state;
	struct filter_wants wants = filter_wanted(host, policy, state);
	state->keys = !(filter_refuses(&wants) & FILTER_CLASS(KEYRING));
	if (fill_plan(host, shown, state, plan, err) < 0 || open_ruleset(host, state, err) < 0 ||
	    lower_policy(host, policy, shown, state, &wants, plan, err) < 0 ||
	    filter_recall(host, &wants, &filter, err) < 0 || plan_telling(host, &wants, state, plan, err) < 0 ||
	    plan_unheard(host, &wants, state, plan, err) < 0 ||
	    plan_guard(host, policy, shown, state, plan, err) < 0)
		return -1;
	state->wants = wants;
	state->shown = shown;
	state->filter = (struct sock_fprog){ (unsigned short)filter.count,
					     (struct sock_filter *)filter.instructions };
	return 0;
}

void prepare_release(const struct pinfold_host *host, struct pinfold_plan *plan)
{
	struct state *state = plan->state;
	(void)host;
	if (!state)
		return;
	if (state->ruleset >= 0)
		close(state->ruleset);
	state->ruleset = -1;
}
