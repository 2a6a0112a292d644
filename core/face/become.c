/* face/become.c - the caller becomes the command: what that cannot be is refused by name, and all that can be
 * checked is, while the caller is still what it was. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "cage/become.h"
#include "face/face.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const char action[] = "become the command";

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool has_temporary_grant(const struct pinfold_run *run)
{
	const struct pinfold_policy *policy = &run->policy->lowered;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].kind == PINFOLD_GRANT_TEMPORARY)
			return true;
	return false;
}

static bool shows_tree(const struct pinfold_run *run)
{
	const struct list *views = config_list(run->pinfold->config, "pinfold", "view");
	return views->count > 0 && streq(views->items[0], "direct");
}

/* Before anything is looked for. */
static int refuse_attended(const struct pinfold_run *run, struct pinfold_error *err)
{
	const struct pinfold_command *command = &run->command;
	const struct policy *policy = run->policy;
	const struct {
		bool wanted;
		const char *what, *lift;
	} rows[] = {
		{ command->where == PINFOLD_WHERE_HOST, "nothing would be confined (--where host)",
		  "start the command itself" },
		{ command->session, "nobody would be left to keep the session (--session)",
		  "leave it out, or start the command by `pinfold run`" },
		{ policy->denials, "nobody would be left to tell what was refused ([pinfold] denials, --denials)",
		  "leave it out, or start the command by `pinfold run`" },
		{ command->event, "nobody would be left to tell of events (--events)",
		  "leave it out, or start the command by `pinfold run`" },
		{ policy->timeout, "nobody would be left to keep the time limit ([limits] timeout, --timeout)",
		  "set limits.timeout=0, or start the command by `pinfold run`" },
		{ policy->terminal == POLICY_TERMINAL_NEW, "nobody would be left to relay a terminal ([pinfold] terminal)",
		  "set pinfold.terminal=inherit, or start the command by `pinfold run`" },
		{ policy->terminal == POLICY_TERMINAL_NONE && has_terminal(),
		  "it keeps this process's session, which has a terminal ([pinfold] terminal)",
		  "set pinfold.terminal=inherit, or start the command by `pinfold run`" },
		{ policy->require & PINFOLD_BIT(PROCESS_TREE),
		  "nobody would be left to end what it leaves: the promise process_tree is required",
		  "take it out of [pinfold] require, or start the command by `pinfold run`" },
		{ run->ceilings.wanted,
		  "nobody would be left to remove the cgroup that holds ceilings of the whole run ([limits] memory, tasks, "
		  "processors)",
		  "set these to 0, or start the command by `pinfold run`, or in a service with ceilings (systemd-run -p "
		  "MemoryMax=…)" },
		{ !shows_tree(run), "nobody would be left to bring home or remove a copy or a layer of the tree ([pinfold] view)",
		  "use --view direct, the tree itself, or start the command by `pinfold run`" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (rows[i].wanted)
			return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, action, rows[i].what, rows[i].lift);
	return 0;
}

static int refuse_grant(const struct pinfold_run *run, struct pinfold_error *err)
{
	if (!has_temporary_grant(run))
		return 0;
	return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, action,
		     "nobody would be left to remove the directory of a temporary grant ([grant:NAME] kind = temporary)",
		     "start the command by `pinfold run`");
}

/* With nothing kept it would be a command like any other: who wants that names the arm. */
static int refuse_nothing(const struct pinfold_run *run, struct pinfold_error *err)
{
	const struct arms_offer *offer = run->choice.offer;
	uint64_t kept = offer->offer.kept & ~(PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(PROCESS_TREE));
	const char *named = config_text(run->pinfold->config, "pinfold", "arm");
	if (kept || named[0])
		return 0;
	return faultf(err, PINFOLD_E_SANDBOX_DENIED, 0, action,
		      "start it by `pinfold run`, or name the arm to have it so (--arm)",
		      "no arm that needs nobody beside the command guarantees anything here: %s would be the first",
		      offer->name);
}

static int check_plan(const struct pinfold_run *run, struct pinfold_error *err)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	if (!plan->namespaces && !plan->through)
		return 0;
	return fault(err, PINFOLD_E_INTERNAL, 0, action, "the arm's plan needs a child",
		     "name another arm (--arm), and report this");
}

static int try_first(struct pinfold_run *run, struct pinfold_error *err)
{
	struct launch launch = attempt_launch_of(run, run->seen_program, run->command.argv);
	int result = become_rehearse(&launch, err);
	cleanup_fd(&launch.terminal);
	return result;
}

static int prepare(struct pinfold_run *run, struct pinfold_error *err)
{
	if (resolve_run(run, err) < 0 || refuse_attended(run, err) < 0)
		return -1;
	run->policy->lowered.becomes = 1;
	if (resolve_arm(run, err) < 0 || refuse_nothing(run, err) < 0 || resolve_rest(run, err) < 0 ||
	    refuse_grant(run, err) < 0 || view_stay(run, err) < 0 || wrapping_decide(run, err) < 0 ||
	    confine_prepare(run, err) < 0 || check_plan(run, err) < 0 || surroundings_build(run, err) < 0)
		return -1;
	return try_first(run, err);
}

int pinfold_exec_prepare(struct pinfold *pinfold, const struct pinfold_command *given,
			 struct pinfold_run **ret_run, struct pinfold_error *err)
{
	struct pinfold_command command;
	struct pinfold_error why = { 0 };
	if (!pinfold || !ret_run)
		return fault(err, PINFOLD_E_USAGE, 0, action, "a null pointer", "give a handle, and room for the run");
	if (command_read(given, &command, err) < 0)
		return -1;
	struct pinfold_run *run = run_new(pinfold, &command);
	if (!run)
		return fault_no_memory(err);
	run->becomes = true;
	if (prepare(run, &why) == 0) {
		*ret_run = run;
		return 0;
	}
	pinfold_run_free(run);
	if (err)
		*err = why;
	return -1;
}

int pinfold_exec(struct pinfold_run *run, uint32_t *ret_changed, struct pinfold_error *err)
{
	bool changed = false;
	if (ret_changed)
		*ret_changed = 0;
	if (!run || !run->becomes)
		return fault(err, PINFOLD_E_USAGE, 0, action, "it was not prepared for that",
			     "call pinfold_exec_prepare first");
	auto_free const char **script = attempt_script(run);
	if (!script)
		return fault_no_memory(err);
	attempt_introduce(run);
	struct launch launch = attempt_launch_of(run, run->seen_program, run->command.argv);
	become_command(&launch, script, &changed, err);
	cleanup_fd(&launch.terminal);
	if (ret_changed)
		*ret_changed = changed;
	return -1;
}
