/* plugins/seatbelt/arm.c - the arm `seatbelt`: what it promises here, and how it confines a child. */
#include "seatbelt.h"

#include "bare/bare.h"
#include "compile.h"
#include "denials.h"
#include "lower.h"
#include "marker.h"
#include "refused.h"
#include "spell.h"
#include "trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

PINFOLD_ARM_ANSWERS(11);

static const char lift_all[] = "use the arm copytree, which keeps less";
static const char action[] = "confine the command with Seatbelt";

/* A plan's own. The child reads it and writes `failed`. */
struct state {
	const struct calls *calls;
	struct profile profile;
	struct bytecode bytecode;
	struct policy_arguments arguments;
	struct marker marker;
	struct token {
		char *text;
		size_t bytes;
		const char *what;	/* for an error: "consume the token of the grant out" */
	} *tokens;
	size_t token_count;
	bool reports;
	bool alone;	/* the calling process becomes the command, and nobody looks for what it starts */
	struct hearing *hearing;
	const char *deaf;	/* why there is none */
	enum { SEARCH_NOT_DONE = 0, SEARCH_FOUND_NOBODY, SEARCH_GAVE_UP } search;
	const char *failed;
};

static const char *const notes[PINFOLD_AXIS_COUNT] = {
	[PINFOLD_AXIS_FILESYSTEM] = "the tree itself can be read, and not written",
	[PINFOLD_AXIS_WRITES] = "there are no private layers: what a policy lays them over is read-only",
	[PINFOLD_AXIS_NETWORK] = "a loopback of its own cannot be had",
	[PINFOLD_AXIS_PROCESSES] = "arguments and environment of your other processes can be read; they cannot be signalled",
	[PINFOLD_AXIS_USER] = "the command runs as you; programs that change the user are refused",
	[PINFOLD_AXIS_RESOURCES] = "limits hold for each process alone, not for all together",
	[PINFOLD_AXIS_TERMINAL] = "an inherited terminal is read and written, and takes no other control",
	[PINFOLD_AXIS_KERNEL] = "no system call is refused as such",
};

static int refuse(struct pinfold_offer *offer, const char *missing, const char *lift)
{
	offer->available = 0;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->missing = missing ? missing : "memory is gone";
	offer->lift = lift;
	return 0;
}

/* NULL, or why this machine's library is of no use. */
static const char *library_trouble(const struct pinfold_host *host, const struct calls *calls)
{
	if (!calls->library)
		return "this system has no Seatbelt: it is a part of macOS";
	if (!calls->missing)
		return NULL;
	const char *text = host->print(host, "the function %s is missing on macOS build %s", calls->missing,
				       calls->build[0] ? calls->build : "unknown");
	return text ? text : "a function is missing";
}

static void promise(struct pinfold_offer *offer, const char *marker_trouble)
{
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES) | PINFOLD_BIT(SECRETS) | PINFOLD_BIT(NETWORK) |
		      PINFOLD_BIT(SOCKETS) | PINFOLD_BIT(TERMINAL);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		offer->note[axis] = notes[axis];
	if (!marker_trouble)
		offer->kept |= PINFOLD_BIT(PROCESS_TREE);
	offer->note[PINFOLD_AXIS_PROCESS_TREE] = marker_trouble;
}

static int seatbelt_probe(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err)
{
	const struct calls *calls = calls_get();
	const char *trouble = library_trouble(host, calls);
	(void)err;
	if (trouble)
		return refuse(offer, trouble, calls->library ? "use a version of macOS that has it, or the arm copytree" :
							       lift_all);
	if (calls_confined(calls))
		return refuse(offer, "this process is confined by Seatbelt already: a second profile would not hold",
			      "start pinfold outside of the other sandbox");
	trouble = trial_apply(host, calls);
	if (trouble)
		return refuse(offer, host->print(host, "%s (macOS build %s)", trouble, calls->build), lift_all);
	promise(offer, trial_marker(host, calls));
	return 0;
}

static int fail_unusable(const struct pinfold_host *host, const char *why, struct pinfold_error *err)
{
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, action, why, lift_all);
}

static bool is_on(const struct pinfold_host *host, const char *key)
{
	const char *value = host->setting(host, key);
	return value && strcmp(value, "yes") == 0;
}

static int check_limit(const struct pinfold_host *host, const struct profile *profile, struct pinfold_error *err)
{
	const char *text = host->setting(host, "max-rules");
	unsigned long limit = text ? strtoul(text, NULL, 10) : 2000;
	if (profile->rules <= limit)
		return 0;
	const char *subject = host->print(host, "%u rules, past the limit of %lu", profile->rules, limit);
	return host->fail(err, PINFOLD_E_POLICY, 0, "lower the policy for Seatbelt", subject ? subject : "",
			  "name fewer paths, or raise [arm:seatbelt] max-rules: the system's compiler ends its caller on "
			  "very large profiles");
}

static int lower_for(const struct pinfold_host *host, const struct pinfold_policy *policy,
		     const struct pinfold_shown *shown, struct state *state, struct pinfold_plan *plan,
		     struct pinfold_error *err)
{
	struct gaps gaps;
	struct scene scene = { .policy = policy, .shown = shown, .reports = state->reports, .alone = state->alone,
			       .control = is_on(host, "terminal-control") };
	if (lower(host, &scene, &state->profile, &gaps, err) < 0 || check_limit(host, &state->profile, err) < 0)
		return -1;
	plan->gaps = gaps.rows;
	plan->gap_count = gaps.count;
	return 0;
}

/* What the token is for is what the policy was resolved to. */
static int issue_one(const struct pinfold_host *host, const struct pinfold_grant *grant, struct state *state,
		     struct pinfold_error *err)
{
	struct stat now;
	struct token *token = &state->tokens[state->token_count];
	const char *extension = lower_extension(host, grant);
	token->what = host->print(host, "consume the token of the grant %s", grant->name);
	if (!extension || !token->what)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "issue a grant", grant->name, NULL);
	token->text = state->calls->issue(extension, grant->path, 0);
	if (!token->text)
		return host->fail(err, PINFOLD_E_POLICY, errno, "issue a grant",
				  host->print(host, "%s for %s", grant->name, grant->path),
				  "bind it to a path that you may read");
	token->bytes = strlen(token->text) + 1;
	state->token_count++;
	if (lstat(grant->path, &now) == 0 && (uint64_t)now.st_ino == grant->inode &&
	    (uint64_t)now.st_dev == grant->device)
		return 0;
	return host->fail(err, PINFOLD_E_POLICY, 0, "issue a grant", grant->path,
			  "it was replaced while the run was prepared: try again");
}

static int issue_tokens(const struct pinfold_host *host, const struct pinfold_policy *policy, struct state *state,
			struct pinfold_error *err)
{
	state->tokens = host->allocate(host, (policy->grant_count + 1) * sizeof(*state->tokens));
	if (!state->tokens)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "issue grants", NULL, NULL);
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].path && issue_one(host, &policy->grants[i], state, err) < 0)
			return -1;
	return 0;
}

static int mark(const struct pinfold_host *host, struct state *state, struct profile *profile,
		struct pinfold_error *err)
{
	if (state->alone)
		return 0;
	if (marker_take(host, &state->marker, err) < 0)
		return -1;
	marker_parameters(&state->marker, profile);
	return profile->failed ? host->fail(err, PINFOLD_E_NO_MEMORY, 0, action, NULL, NULL) : 0;
}

/* Everything that changes something outside of the plan comes after all that can be checked. */
static int arm_child(const struct pinfold_host *host, const struct pinfold_policy *policy, struct state *state,
		     struct pinfold_error *err)
{
	struct profile marked = state->profile;
	if (issue_tokens(host, policy, state, err) < 0 || mark(host, state, &marked, err) < 0)
		return -1;
	if (compile(host, state->calls, &marked, &state->bytecode, err) < 0)
		return -1;
	calls_profile_arguments(&state->arguments, state->bytecode.data, state->bytecode.size);
	if (state->reports)	/* that it cannot be is told in the end, and no reason not to run */
		state->deaf = denials_start(host, state->calls, &state->marker, &state->hearing);
	return 0;
}

static int prepare_on_mac(const struct pinfold_host *host, const struct pinfold_policy *policy,
			  const struct pinfold_shown *shown, struct state *state, struct pinfold_plan *plan,
			  struct pinfold_error *err)
{
	struct spelling spelled;
	const char *trouble = library_trouble(host, state->calls);
	if (trouble)
		return fail_unusable(host, trouble, err);
	if (calls_confined(state->calls))
		return fail_unusable(host, "this process is confined by Seatbelt already", err);
	if ((trouble = trial_apply_once(host, state->calls)))
		return fail_unusable(host, trouble, err);
	if (spell_scene(host, state->calls, policy, shown, &spelled, err) < 0 ||
	    lower_for(host, &spelled.policy, &spelled.shown, state, plan, err) < 0)
		return -1;
	if (PINFOLD_REACHES(plan, rewritten))
		plan->rewritten = spelled.rewritten;
	return arm_child(host, &spelled.policy, state, err);
}

static int seatbelt_prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
			    const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct state *state = host->allocate(host, sizeof(*state));
	if (shown->kind != PINFOLD_SHOW_DIRECTORY)
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "show the working tree",
				  "seatbelt can show a copy only, not an overlay", "set [pinfold] view = copy");
	plan->directory = bare_directory(host, shown);
	if (!state || !plan->directory)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, action, NULL, "free memory on this machine and try again");
	state->calls = calls_get();
	state->marker.slot = -1;
	state->alone = PINFOLD_HAS(policy, becomes);
	state->reports = !state->alone && PINFOLD_HAS(policy, tells);
	plan->host = host;
	plan->state = state;
	plan->temporary = shown->temporary;
	plan->failed = &state->failed;
	plan->consumes = 1;
	/* Elsewhere than on a Mac a run is only explained: nothing can be entered. */
	if (!state->calls->library)
		return lower_for(host, policy, shown, state, plan, err);
	return prepare_on_mac(host, policy, shown, state, plan, err);
}

static int consume_all(struct state *state)
{
	for (size_t i = 0; i < state->token_count; i++) {
		state->failed = state->tokens[i].what;
		int result = calls_consume(state->calls, state->tokens[i].text, state->tokens[i].bytes);
		if (result < 0)
			return result;
	}
	state->failed = NULL;
	return 0;
}

static int seatbelt_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	struct state *state = plan->state;
	if (!state || !state->bytecode.data)
		return stage == PINFOLD_STAGE_VIEW ? 0 : -ENOSYS;
	switch (stage) {
	case PINFOLD_STAGE_APPLY:
		return calls_apply(state->calls, &state->arguments);
	case PINFOLD_STAGE_VERIFY:
		return calls_verify(state->calls);
	case PINFOLD_STAGE_CONSUME:
		return consume_all(state);
	default:
		return 0;
	}
}

static struct hearing *take_hearing(struct state *state)
{
	struct hearing *hearing = state->hearing;
	state->hearing = NULL;
	return hearing;
}

/* What left the run's group is found by its mark and ended, once. */
static void end_marked(struct state *state)
{
	if (state->search == SEARCH_NOT_DONE)
		state->search = marker_end_all(state->calls, &state->marker) >= 0 ? SEARCH_FOUND_NOBODY : SEARCH_GAVE_UP;
}

static const char *seatbelt_refused(const struct pinfold_host *host, struct pinfold_plan *plan,
				    pinfold_tell_refused *tell, void *context)
{
	struct state *state = plan->state;
	if (!state || !state->reports || state->marker.slot < 0)
		return "nothing was listened for";
	if (!state->hearing)
		return state->deaf;
	end_marked(state);	/* so that nothing is refused any more */
	return refused_tell(host, state->calls, state->hearing, tell, context);
}

static int seatbelt_settle(const struct pinfold_host *host, struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct state *state = plan->state;
	if (!state || state->marker.slot < 0)
		return 0;
	end_marked(state);
	denials_forget(take_hearing(state));
	if (state->search == SEARCH_FOUND_NOBODY) {
		marker_free(&state->marker);
		return 0;
	}
	marker_retire(&state->marker);
	return host->fail(err, PINFOLD_E_SYSTEM, 0, "end everything that the command started",
			  "some of it still runs, or cannot be listed", "look for it with ps, and end it by hand");
}

static void seatbelt_release(const struct pinfold_host *host, struct pinfold_plan *plan)
{
	struct state *state = plan->state;
	(void)host;
	if (!state)
		return;
	for (size_t i = 0; i < state->token_count; i++)
		free(state->tokens[i].text);
	state->token_count = 0;
	denials_forget(take_hearing(state));
	if (state->marker.slot >= 0)	/* never settled: who bears it is not known */
		marker_retire(&state->marker);
	compile_release(&state->bytecode);
}

static int seatbelt_describe(const struct pinfold_host *host, const struct pinfold_policy *policy,
			     const struct pinfold_plan *plan, const struct pinfold_detail **ret_details,
			     size_t *ret_count, struct pinfold_error *err)
{
	const struct state *state = plan->state;
	(void)policy;
	*ret_count = 0;
	return state ? describe_profile(host, &state->profile, ret_details, ret_count, err) : 0;
}

static const struct pinfold_key keys[] = {
	{ .size = sizeof(keys[0]), .type = PINFOLD_KEY_NUMBER, .name = "max-rules", .initial = "2000",
	  .help = "rules of a profile, past which a policy is refused: the system's compiler ends its caller on very large "
		  "ones" },
	{ .size = sizeof(keys[0]), .type = PINFOLD_KEY_FLAG, .name = "terminal-control", .initial = "no",
	  .help = "whether a command that inherits the terminal may change how it behaves, and type into it" },
	{ .size = sizeof(keys[0]) },
};

const struct pinfold_arm seatbelt_arm = {
	.size = sizeof(seatbelt_arm),
	.placing = PINFOLD_PLACING_IDENTITY,
	.name = "seatbelt",
	.summary = "a profile of macOS's own sandbox around the command and all that it starts",
	.keys = keys,
	.probe = seatbelt_probe,
	.prepare = seatbelt_prepare,
	.enter = seatbelt_enter,
	.settle = seatbelt_settle,
	.release = seatbelt_release,
	.describe = seatbelt_describe,
	.refused = seatbelt_refused,
	.becomes = 1,
};
