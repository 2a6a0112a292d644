/* face/receipt.c - the machine-readable record of one run. */
#include "config.h"

#include "face/events.h"

#include "base/fault.h"
#include "base/text.h"
#include "face/face.h"
#include "report/receipt_file.h"


int receipt_remember(struct pinfold_run *run, struct pinfold_error *err)
{
	for (size_t i = 0; run->command.argv[i]; i++)
		if (list_add(&run->argv, run->command.argv[i]) < 0)
			return fault_no_memory(err);
	run->seen_directory = strdup(confine_directory(run));
	run->source = run->shown.source ? strdup(run->shown.source) : NULL;
	return run->seen_directory && (run->source || !run->shown.source) ? 0 : fault_no_memory(err);
}

static void fill_confinement(const struct pinfold_run *run, struct receipt *receipt)
{
	const struct arms_offer *offer = run->choice.offer;
	receipt->placement = offer ? "sandbox" : "host";
	receipt->statement = run->statement;
	receipt->relaxed = (const char *const *)run->not_held.items;
	receipt->relaxations = run->relaxed;
	receipt->relaxation_count = run->relaxed_count;
	receipt->passed_over = (const char *const *)run->passed_over.items;
	if (!offer)
		return;
	receipt->arm = offer->name;
	receipt->offer = &offer->offer;
	receipt->arm_version = registry_version_of(run->pinfold->registry, offer->arm);
}

/* Nanoseconds from one to the other, without the view's where it was made between them. */
static uint64_t between(uint64_t from, uint64_t to, uint64_t without)
{
	return to - from > without ? to - from - without : 0;
}

static const char *limit_of(const struct pinfold_run *run)
{
	static const char *const words[] = {
		[PINFOLD_LIMIT_TIMEOUT] = "timeout", [PINFOLD_LIMIT_CPU_TIME] = "cpu-time",
		[PINFOLD_LIMIT_FILE_SIZE] = "file-size", [PINFOLD_LIMIT_MEMORY] = "memory",
		[PINFOLD_LIMIT_TASKS] = "tasks",
	};
	return words[settle_limit(run)];
}

static void fill_ending(const struct pinfold_run *run, struct receipt *receipt)
{
	const struct child_event *end = &run->end;
	receipt->survivors = end->survivors;
	receipt->left = end->left;
	receipt->user_nanoseconds = end->user_nanoseconds;
	receipt->system_nanoseconds = end->system_nanoseconds;
	receipt->peak_bytes = end->peak_bytes;
	receipt->ending = end->ending;
	receipt->value = end->value;
	receipt->exit_code = settle_exit_code(end);
	receipt->limit = limit_of(run);
	uint64_t sync = run->work.nanoseconds, wait = run->times.waited;
	bool early = run->times.early;
	receipt->durations = (struct receipt_durations){
		.setup = between(run->times.began, run->times.born, early ? 0 : wait + sync),
		.wait = wait,
		.sync = sync,
		.start = between(run->times.born, run->times.launched, early ? wait + sync : 0),
		.run = run->times.ended - run->times.launched,
		.settle = run->times.settled - run->times.ended,
		.total = run->times.settled - run->times.began,
	};
}

struct application receipt_application(const struct pinfold_run *run, size_t index)
{
	const struct decision *decision = &run->wrappings.items[index].decision;
	return (struct application){
		.program = run->program,
		.arm = run->choice.offer->name,
		.toolchain = decision->toolchain,
		.decision = decision_word(decision->kind),
		.wrapper = decision->wrapper,
		.reason = decision->reason,
		.directory = decision->directory,
	};
}

struct receipt receipt_of(const struct pinfold_run *run)
{
	struct receipt receipt = {
		.started = run->started,
		.argv = (const char *const *)run->argv.items,
		.tree = run->directory.path,
		.directory = run->seen_directory,
		.view = run->view_name,
		.source = run->source ? run->source : run->shown.source,
		.session = run->session,
		.kept = run->kept,
		.work = run->work.size ? &run->work : NULL,
		.rewritten = run->policy ? (const char *const *)run->policy->rewritten.items : NULL,
		.dropped = (const char *const *)run->environment.dropped.items,
	};
	fill_confinement(run, &receipt);
	if (run->denials) {
		receipt.denials = run->denials->items;
		receipt.denial_count = run->denials->count;
		receipt.unheard = (const char *const *)run->denials->unheard.items;
		receipt.denials_more = run->denials->more;
		receipt.denials_trouble = run->denials->idle ? run->denials->idle : run->denials->trouble;
	}
	if (run->over)
		fill_ending(run, &receipt);
	return receipt;
}

int pinfold_run_receipt(struct pinfold_run *run, char **ret_json, struct pinfold_error *err)
{
	if (!run->settled)
		return fault(err, PINFOLD_E_USAGE, 0, "give the receipt of a run",
			     "it is not settled", "ask for its result first");
	struct receipt receipt = receipt_of(run);
	struct application wrappers[TOOLCHAINS_MOST];
	receipt.wrappers = wrappers;
	for (; receipt.wrapper_count < run->wrappings.count; receipt.wrapper_count++)
		wrappers[receipt.wrapper_count] = receipt_application(run, receipt.wrapper_count);
	return receipt_write(&receipt, ret_json, err);
}

char *pinfold_refusal_receipt(const struct pinfold_error *err)
{
	return receipt_refusal(err);
}

int pinfold_file_open(const char *path, struct pinfold_file **ret_file, struct pinfold_error *err)
{
	return receipt_file_open(path, (struct receipt_file **)ret_file, err);
}

int pinfold_file_commit(struct pinfold_file *file, const char *text, struct pinfold_error *err)
{
	return receipt_file_commit((struct receipt_file *)file, text, err);
}

void pinfold_file_abandon(struct pinfold_file *file)
{
	receipt_file_abandon((struct receipt_file *)file);
}
