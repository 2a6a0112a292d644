/* face/resolve.c - what was asked for, checked and made definite, before anything is made. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "tree/copies.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

static bool is_confined(const struct pinfold_run *run)
{
	return run->command.where == PINFOLD_WHERE_SANDBOX;
}

static int make_nonce(struct pinfold_run *run, struct pinfold_error *err)
{
	unsigned char bytes[NONCE_LETTERS / 2];
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return fault(err, PINFOLD_E_SYSTEM, errno, "get random bytes",
			     "for the name of this run",
			     "check this machine's getrandom system call");
	for (size_t i = 0; i < sizeof(bytes); i++) {
		run->nonce[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		run->nonce[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return 0;
}

static int open_streams(struct pinfold_run *run, struct pinfold_error *err)
{
	bool input_null = config_word(run->pinfold->config, "pinfold", "stdin") == POLICY_STDIN_NULL;
	if (streams_open(run->command.streams, input_null, is_confined(run), &run->streams, err) < 0)
		return -1;
	const int *more = run->command.descriptors;
	for (size_t i = 0; more && more[i] >= 0; i++)
		if (streams_keep(&run->streams, more[i], is_confined(run), err) < 0)
			return -1;
	return run->command.jobserver ? jobserver_keep(run, err) : 0;
}

static int complete_policy(struct pinfold_run *run, struct pinfold_error *err)
{
	auto_free char *home = path_home(), *scratch = NULL;
	/* Where there is no scratch directory, the view that needs it says so. */
	scratch_root(run->pinfold->config, &scratch, NULL);
	struct policy_caller caller = {
		.home = home, .tree = run->directory.path, .scratch = scratch,
		.environment = run->caller, .bindings = run->command.grants, .user = geteuid(), .unread = !run->explained,
	};
	return policy_complete(run->pinfold->config, &caller, run->policy, err);
}

static int check_placement(const struct pinfold_run *run, struct pinfold_error *err)
{
	static const char action[] = "run on the host, without confinement";
	if (is_confined(run) || run->policy->host_gate == POLICY_HOST_ALWAYS)
		return 0;
	if (run->policy->host_gate == POLICY_HOST_NEVER)
		return fault(err, PINFOLD_E_PLACEMENT_DENIED, 0, action,
			     "the configuration closes the host ([placement] host = never)",
			     "run it in the sandbox, or have the configuration opened");
	if (run->command.approved == 1)
		return 0;
	return fault(err, PINFOLD_E_PLACEMENT_DENIED, 0, action,
		     "nobody approved it ([placement] host = ask)",
		     "answer the question on a terminal, or set [placement] host = always");
}

/* A throwaway build has none, and becoming the command is refused one. */
static int open_terminal(struct pinfold_run *run, struct pinfold_error *err)
{
	const int32_t *wanted = run->command.streams;
	bool asked = wanted[0] == PINFOLD_STREAM_TERMINAL || wanted[1] == PINFOLD_STREAM_TERMINAL ||
		     wanted[2] == PINFOLD_STREAM_TERMINAL;
	bool own = run->policy->terminal == POLICY_TERMINAL_NEW && !run->throwaway;
	if (asked && !own)
		return fault(err, PINFOLD_E_USAGE, 0, "hand over a terminal of the command's own", "it is to have none",
			     "set [pinfold] terminal = new");
	if (!own || run->becomes || run->explained)
		return 0;
	if (own_terminal_open(&run->terminal, err) < 0)
		return -1;
	return own_terminal_give(&run->terminal, wanted, &run->streams, err);
}

/* The caller's own limit may be shorter than what is configured, and never longer. */
static void shorten_time(struct pinfold_run *run)
{
	uint64_t most = run->command.most_milliseconds;
	uint64_t limit = most > UINT64_MAX / 4000000 ? UINT64_MAX / 4 : most * 1000000;
	if (limit && (run->policy->timeout == 0 || limit < run->policy->timeout))
		run->policy->timeout = limit;
}

int resolve_run(struct pinfold_run *run, struct pinfold_error *err)
{
	if (config_check_hard(run->pinfold->config, err) < 0 || make_nonce(run, err) < 0 ||
	    open_streams(run, err) < 0 || policy_begin(run->pinfold->config, &run->policy, err) < 0)
		return -1;
	shorten_time(run);
	if (check_placement(run, err) < 0 || open_terminal(run, err) < 0)
		return -1;
	ceilings_begin(run);
	return denials_begin(run, err);
}

static int note_passed(struct pinfold_run *run, struct pinfold_error *err)
{
	for (size_t i = 0; i < run->choice.passed.count; i++)
		if (list_add(&run->passed_over, run->choice.passed.items[i]) < 0)
			return fault_no_memory(err);
	return 0;
}

int resolve_arm(struct pinfold_run *run, struct pinfold_error *err)
{
	if (!is_confined(run))
		return 0;
	const struct arms_group group = ceilings_answer(run);
	int result = run->cage ? cage_choose(run, err) :
				 arms_choose(run->pinfold->registry, run->pinfold->config, run->policy->require,
					     run->becomes, &group, &run->choice, err);
	/* What a run would be can be told of an arm that is of another system, too. */
	if (result < 0 && run->explained && !run->cage)
		result = arms_take_refused(run->pinfold->registry, run->pinfold->config, &run->choice);
	if (result == 0)
		result = denials_check(run, err);
	return result < 0 ? -1 : note_passed(run, err);
}

int resolve_rest(struct pinfold_run *run, struct pinfold_error *err)
{
	if (run->complete)
		return 0;
	if (directory_open(run->command.directory, &run->directory, err) < 0 ||
	    complete_policy(run, err) < 0 || surroundings_find_program(run, err) < 0)
		return -1;
	run->complete = true;
	return 0;
}
