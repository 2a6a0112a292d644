/* face/confine.c - the arm prepares the run; what it cannot enforce is refused, or noted. */
#include "config.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "registry/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What fails here fails again when the child is started, and is told then. */
static void begin_child(struct pinfold_run *run, struct launch *launch)
{
	struct prepared_arm *arm = &run->arm;
	if (!PINFOLD_HAS(arm->arm, foresee))
		return;
	arm->started = true;
	launch->arm = arm->arm;
	launch->plan = &arm->plan;
	struct registry *registry = run->pinfold->registry;
	turn_take(registry, arm->arm);
	int foreseen = arm->arm->foresee(arm->host, &run->policy->lowered, &arm->plan, NULL);
	turn_end(registry, arm->arm);
	if (foreseen < 0 || arm->plan.namespaces == 0)
		return;
	run->times.early = true;
	if (ahead_take(run, launch) == 0)
		return;
	run->times.born = clock_nanoseconds();
	if (child_begin(launch, arm->plan.namespaces, &run->embryo, NULL) < 0) {
		run->times.born = 0;
		run->times.early = false;
	}
}

static int open_arm(struct pinfold_run *run, const char *name, const struct pinfold_arm *opened,
		    struct pinfold_error *err)
{
	struct prepared_arm *arm = &run->arm;
	char section[80];
	snprintf(section, sizeof(section), "arm:%s", name);
	arm->host = registry_host(run->pinfold->registry, section);
	arm->arm = opened;
	arm->plan = (struct pinfold_plan){
		.size = sizeof(arm->plan), .host = arm->host, .through_fds = { -1, -1, -1, -1 },
	};
	return arm->host ? 0 : fault_no_memory(err);
}

/* The arm that is asked for first; NULL for none. */
static const char *first_arm(const struct config *config)
{
	const char *named = config_text(config, "pinfold", "arm");
	const struct list *preferred = config_list(config, "pinfold", "arms");
	if (named && named[0])
		return named;
	return preferred->count ? preferred->items[0] : NULL;
}

void confine_foresee(struct pinfold_run *run, struct launch *launch)
{
	const struct pinfold_arm *arm;
	struct pinfold_error why;
	const char *name = first_arm(run->pinfold->config);
	if (name && registry_arm(run->pinfold->registry, name, &arm, &why) == 0 &&
	    PINFOLD_HAS(arm, foresee) && open_arm(run, name, arm, &why) == 0)
		begin_child(run, launch);
}

void confine_give_up(struct pinfold_run *run)
{
	confine_release(run);
	run->times.born = 0;
	run->times.early = false;
}

/* What was begun for another arm than the one that was chosen is given up. */
static void drop_other_arm(struct pinfold_run *run)
{
	if (!run->arm.host || run->arm.arm == run->choice.offer->arm)
		return;
	confine_give_up(run);
}

bool confine_is_begun(struct pinfold_run *run)
{
	if (run->choice.offer)
		drop_other_arm(run);
	return !run->choice.offer || run->arm.host;
}

int confine_begin(struct pinfold_run *run, struct launch *launch, struct pinfold_error *err)
{
	int result = open_arm(run, run->choice.offer->name, run->choice.offer->arm, err);
	if (result == 0)
		begin_child(run, launch);
	return result;
}

static void tell_remarks(const struct pinfold_run *run)
{
	const struct list *remarks = &run->policy->remarks;
	bool rebound = run->choice.offer->arm->placing == PINFOLD_PLACING_REBOUND;
	for (size_t i = 0; rebound && !run->throwaway && run->pinfold->log && i < remarks->count; i++)
		run->pinfold->log(run->pinfold->log_context, PINFOLD_LOG_WARNING, remarks->items[i]);
}

/* Beside what the policy's paths were already respelled to when they were resolved. */
static int note_rewritten(struct pinfold_run *run, struct pinfold_error *err)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	struct list *rewritten = &run->policy->rewritten;
	for (const char *const *one = plan->rewritten; one && *one; one++)
		if (!list_has(rewritten, *one) && list_add(rewritten, *one) < 0)
			return fault_no_memory(err);
	return 0;
}

static int call_prepare(struct pinfold_run *run, struct pinfold_error *err)
{
	struct prepared_arm *arm = &run->arm;
	if (!arm->host && open_arm(run, run->choice.offer->name, run->choice.offer->arm, err) < 0)
		return -1;
	arm->started = true;
	if (lowering_make(run, err) < 0)
		return -1;
	if (!view_is_direct(run))
		tell_remarks(run);
	struct registry *registry = run->pinfold->registry;
	turn_take(registry, arm->arm);
	int result = arm->arm->prepare(arm->host, &arm->policy, &run->shown, &arm->plan, err);
	turn_end(registry, arm->arm);
	arm->prepared = result == 0;
	return result < 0 ? registry_blame(err, run->choice.offer->name, "prepare") : note_rewritten(run, err);
}

void confine_prepare_early(struct pinfold_run *run)
{
	struct prepared_arm *arm = &run->arm;
	if (!run->embryo || arm->arm != run->choice.offer->arm)
		return;
	arm->early = true;
	arm->refused = call_prepare(run, &arm->refusal) < 0;
	if (!arm->refused && arm->plan.lays_early && !arm->plan.through)
		attempt_lay(run);
}

static int prepare_once(struct pinfold_run *run, struct pinfold_error *err)
{
	const struct prepared_arm *arm = &run->arm;
	if (!arm->early)
		return call_prepare(run, err);
	if (arm->refused && err)
		*err = arm->refusal;
	return arm->refused ? -1 : 0;
}

/* Not without the view's promise, where the tree itself is shown, nor without that of whoever ends what is left. */
static int make_statement(struct pinfold_run *run, struct pinfold_error *err)
{
	struct pinfold_offer offer = run->choice.offer->offer;
	if (view_is_direct(run))
		offer.kept &= ~PINFOLD_BIT(FILESYSTEM);
	if (run->becomes)
		offer.kept &= ~PINFOLD_BIT(PROCESS_TREE);
	run->statement = arms_statement(run->choice.offer->name, &offer);
	return run->statement && wrapping_state(run, &run->statement) == 0 ? 0 : fault_no_memory(err);
}

int confine_prepare(struct pinfold_run *run, struct pinfold_error *err)
{
	if (!run->choice.offer) {
		run->statement = strdup("host: it guarantees nothing: the command runs without "
					"confinement, in the working tree itself");
		return run->statement ? lowering_weigh(run, err) : fault_no_memory(err);
	}
	if (prepare_once(run, err) < 0 || lowering_weigh(run, err) < 0)
		return -1;
	return make_statement(run, err);
}

int pinfold_run_statement_is_new(struct pinfold_run *run)
{
	static const char name[] = "statement";
	const void *data;
	size_t bytes;
	if (!run->arm.host)
		return 1;
	const struct pinfold_scope *scope = run->arm.host->scope;
	int known = records_recall(scope, name, run->statement, &data, &bytes);
	if (!known)
		records_keep(scope, name, run->statement, "said", 4);
	return !known;
}

/* What was begun goes first: its tasks use the plan. */
void confine_release(struct pinfold_run *run)
{
	struct prepared_arm *arm = &run->arm;
	struct pinfold_error why = { 0 };
	child_abandon(take_pointer(&run->embryo));
	denials_pause(run);
	struct registry *registry = run->pinfold->registry;
	turn_take(registry, arm->arm);
	if (arm->started && PINFOLD_HAS(arm->arm, settle) &&
	    arm->arm->settle(arm->host, &arm->plan, &why) < 0 && run->pinfold->log) {
		auto_free char *line = pinfold_error_text(&why);
		run->pinfold->log(run->pinfold->log_context, PINFOLD_LOG_WARNING, line ? line : "");
	}
	if (arm->started && PINFOLD_HAS(arm->arm, release))
		arm->arm->release(arm->host, &arm->plan);
	turn_end(registry, arm->arm);
	registry_host_free(arm->host);
	*arm = (struct prepared_arm){ 0 };
}

const char *confine_directory(const struct pinfold_run *run)
{
	const char *directory = run->arm.plan.directory;
	return run->arm.arm && directory ? directory : run->directory.path;
}

char *confine_path(const struct pinfold_run *run, const char *path)
{
	bool moved = run->arm.arm && run->arm.arm->placing == PINFOLD_PLACING_IDENTITY;
	if (!moved || !path_is_within(path, run->shown.tree))
		return strdup(path);
	const char *rest = path + strlen(run->shown.tree);
	return path_join(run->shown.source, rest[0] == '/' ? rest + 1 : ".");
}
