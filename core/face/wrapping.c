/* face/wrapping.c - compiler wrappers of one run: looked for, decided about, and applied. */
#include "config.h"

#include "face/wrapping.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/text.h"
#include "face/face.h"
#include "wrappers/compiles.h"
#include "wrappers/variables.h"

#include <errno.h>
#include <time.h>

enum { MEASURE_AUTO = 0, MEASURE_NEVER, MEASURE_ALWAYS };	/* the words of [wrappers] measure */
enum { CACHE_OFF = 0 };					/* of [wrappers] cache */

void wrapping_release(struct wrappings *wrappings)
{
	for (size_t i = 0; i < wrappings->count; i++) {
		look_release(&wrappings->items[i].look);
		decision_release(&wrappings->items[i].decision);
		preparer_release(&wrappings->items[i].preparer);
	}
	for (size_t i = 0; i < wrappings->layer_count; i++) {
		free(wrappings->layers[i].path);
		free(wrappings->layers[i].upper);
	}
	free(wrappings->layers);
	list_release(&wrappings->surroundings);
	free(wrappings->directory);
	*wrappings = (struct wrappings){ 0 };
}

/* --- deciding ------------------------------------------------------------------------------------- */
static const char *name_of(const struct wrapping *wrapping)
{
	const struct list *candidates = &wrapping->look.candidates;
	if (wrapping->decision.wrapper)
		return wrapping->decision.wrapper;
	return candidates->count > 0 ? candidates->items[0] : "(named by a file)";
}

static int settle_for(struct wrapping *wrapping, uint32_t kind, const char *reason,
		      struct pinfold_error *err)
{
	const struct list *candidates = &wrapping->look.candidates;
	const char *name = kind != DECISION_NOT_CONFIGURED && candidates->count > 0 ?
				   candidates->items[0] : NULL;
	struct text quoted = { 0 };
	if (name)
		text_add_quoted(&quoted, name);
	auto_free char *shown = name ? text_take(&quoted) : NULL;
	if (decision_fill(&wrapping->decision, kind, wrapping->toolchain->name, shown, reason,
			  wrapping->sight.directory) < 0)
		return fault_no_memory(err);
	wrapping->decided = true;
	return 0;
}

static int settle_for_fault(struct wrapping *wrapping, const struct pinfold_error *why,
			    struct pinfold_error *err)
{
	struct text text = { 0 }, quoted = { 0 };
	text_addf(&text, "cannot %s: %s", why->action, why->subject);
	auto_free char *reason = text_take(&text);
	text_add_quoted(&quoted, reason ? reason : "");
	auto_free char *shown = text_take(&quoted);
	return reason && shown ? settle_for(wrapping, DECISION_DISABLED, shown, err) : fault_no_memory(err);
}

/* What the preparer has to say of a wrapper that stays on, or of one for which it could start nothing. */
static const char *note_of(const struct wrapping *wrapping)
{
	static const char silent[] = "its helper was started, and did not answer where it should listen";
	const struct preparer *preparer = &wrapping->preparer;
	bool kept = wrapping->decision.kind == DECISION_KEPT;
	if (!kept && preparer->silent)
		return silent;
	return kept || !preparer->preparation.start ? preparer->preparation.note : NULL;
}

static int add_note(struct wrapping *wrapping, struct pinfold_error *err)
{
	const char *note = note_of(wrapping);
	struct text text = { 0 };
	if (!note)
		return 0;
	text_addf(&text, "%s; ", wrapping->decision.reason);
	text_add_quoted(&text, note);
	char *longer = text_take(&text);
	if (!longer)
		return fault_no_memory(err);
	free(wrapping->decision.reason);
	wrapping->decision.reason = longer;
	return 0;
}

static int give_up(const struct wrapping *wrapping, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_SYSTEM, ECANCELED, "try a compiler wrapper", name_of(wrapping),
		     "run the command again");
}

static int measure_now(struct pinfold_run *run, struct wrapping *wrapping, struct pinfold_error *err)
{
	struct throwaway throwaway = { .run = run, .wrapping = wrapping, .name = name_of(wrapping) };
	const struct pinfold_wrapper *known = wrapping->preparer.wrapper;
	struct measurement measurement = {
		.toolchain = wrapping->toolchain,
		.look = &wrapping->look,
		.arm = run->choice.offer->name,
		.preparer = known ? known->name : NULL,
		.nothing_survives = helpers_end(run),
		.has_helper = wrapping->preparer.preparation.endpoint,
		.build = throwaway_build,
		.context = &throwaway,
	};
	struct pinfold_error why = { 0 };
	if (preparer_start(run, &wrapping->preparer, &why) < 0) {
		wrapping->passing = true;
		return settle_for_fault(wrapping, &why, err);
	}
	throwaway.deadline = clock_nanoseconds() + config_number(run->pinfold->config, "wrappers", "deadline");
	run_log(run, PINFOLD_LOG_INFO, "trying the compiler wrapper %s with a throwaway build",
		name_of(wrapping));
	if (measure(&measurement, &wrapping->decision) < 0)
		return fault_no_memory(err);
	if (throwaway.given_up) {
		preparer_stop(run, &wrapping->preparer);
		return give_up(wrapping, err);
	}
	wrapping->decided = true;
	wrapping->passing = throwaway.unfit;
	if (wrapping->preparer.silent && wrapping->decision.kind == DECISION_DISABLED)
		wrapping->decision.kind = DECISION_UNMEASURED;	/* another time it may come up */
	wrapping->refused = throwaway.refused;
	if (wrapping->decision.kind != DECISION_KEPT)
		preparer_stop(run, &wrapping->preparer);
	return add_note(wrapping, err);
}

/* Waits while another run measures the same. Whoever waits in vain measures itself. */
static int await_lock(struct pinfold_run *run, const struct wrapping *wrapping,
		      const struct decision_key *key, int *lock, struct pinfold_error *err)
{
	uint64_t until = clock_nanoseconds() +
			 2 * config_number(run->pinfold->config, "wrappers", "deadline");
	bool told = false;
	while (decisions_lock(key, lock) == 0 && clock_nanoseconds() < until) {
		if (!told)
			run_log(run, PINFOLD_LOG_WARNING, "waiting: another run is trying the compiler "
				"wrapper %s", name_of(wrapping));
		told = true;
		if (throwaway_is_given_up(run, name_of(wrapping), true))
			return give_up(wrapping, err);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	return 0;
}

static bool recall(struct wrapping *wrapping, const struct decision_key *key)
{
	if (wrapping->look.unknown || decisions_recall(key, &wrapping->decision) != 1)
		return false;
	wrapping->decided = streq(wrapping->decision.toolchain, wrapping->toolchain->name);
	if (!wrapping->decided)
		decision_release(&wrapping->decision);
	return wrapping->decided;
}

/* The helper of a wrapper that was kept may have ended since, or another one have taken its place. */
static int start_again(struct pinfold_run *run, struct wrapping *wrapping, struct pinfold_error *err)
{
	struct pinfold_error why = { 0 };
	if (wrapping->decision.kind != DECISION_KEPT || run->explains ||
	    preparer_start(run, &wrapping->preparer, &why) == 0)
		return 0;
	decision_release(&wrapping->decision);
	return settle_for_fault(wrapping, &why, err);
}

static int measure_once(struct pinfold_run *run, struct wrapping *wrapping,
			const struct decision_key *key, struct pinfold_error *err)
{
	unsigned when = run->measures ? MEASURE_ALWAYS :
			config_word(run->pinfold->config, "wrappers", "measure");
	if (when != MEASURE_ALWAYS && recall(wrapping, key))
		return start_again(run, wrapping, err);
	if (run->explains)
		return settle_for(wrapping, DECISION_UNMEASURED,
				  "it was not tried yet: the first command that could compile tries it", err);
	if (when == MEASURE_NEVER)
		return settle_for(wrapping, DECISION_UNMEASURED,
				  "no throwaway build was made ([wrappers] measure = never)", err);
	auto_close int lock = -1;
	if (await_lock(run, wrapping, key, &lock, err) < 0)
		return -1;
	if (when != MEASURE_ALWAYS && recall(wrapping, key))
		return 0;
	if (measure_now(run, wrapping, err) < 0)
		return -1;
	if (!wrapping->look.unknown && !wrapping->passing)
		decisions_keep(key, &wrapping->decision);
	return 0;
}

/* The first program that some plugin knows is prepared for. */
static int ask_preparers(struct pinfold_run *run, struct wrapping *wrapping, struct pinfold_error *err)
{
	const struct list *candidates = &wrapping->look.candidates;
	for (size_t i = 0; i < candidates->count && !wrapping->preparer.wrapper; i++)
		if (preparer_ask(run, candidates->items[i], wrapping->look.environment,
				 &wrapping->preparer, err) < 0)
			return -1;
	return 0;
}

static int decide_one(struct pinfold_run *run, struct wrapping *wrapping, struct pinfold_error *err)
{
	struct decision_key key;
	struct pinfold_error why = { 0 };
	if (config_word(run->pinfold->config, "wrappers", "cache") == CACHE_OFF)
		return settle_for(wrapping, DECISION_DISABLED,
				  "the configuration wants none ([wrappers] cache = off)", err);
	if (run->becomes)
		return settle_for(wrapping, DECISION_DISABLED,
				  "nobody would be left who tends to it: `pinfold run` does", err);
	wrapping_look_again(run, wrapping);
	wrapping->toolchain->stamp(&wrapping->look);
	if (wrapping->look.failed)
		return fault_no_memory(err);
	if (ask_preparers(run, wrapping, &why) < 0) {
		if (settle_for_fault(wrapping, &why, err) < 0)
			return -1;
	} else if (wrapping_key(run, wrapping, &key, err) < 0 || measure_once(run, wrapping, &key, err) < 0)
		return -1;
	if (decision_drops(&wrapping->decision) && !run->explains && !wrapping->refused)
		run_log(run, PINFOLD_LOG_WARNING, "the compiler wrapper %s is switched off for this command: %s; "
			"`pinfold wrappers --measure` tries again", name_of(wrapping), wrapping->decision.reason);
	return 0;
}

static int decide_all(struct pinfold_run *run, struct pinfold_error *err)
{
	struct wrappings *wrappings = &run->wrappings;
	for (size_t i = 0; i < wrappings->count; i++) {
		struct wrapping *wrapping = &wrappings->items[i];
		int result = wrapping->look.named ?
				     decide_one(run, wrapping, err) :
				     settle_for(wrapping, DECISION_NOT_CONFIGURED,
						"nothing in the environment and in configuration files "
						"could name a wrapper", err);
		if (result < 0)
			return -1;
	}
	return 0;
}

/* A throwaway build is itself a run: it must not decide about itself. */
bool wrapping_is_asked(const struct pinfold_run *run)
{
	return run->choice.offer && !run->throwaway && compiles_can(run->command.argv);
}

int wrapping_decide(struct pinfold_run *run, struct pinfold_error *err)
{
	if (!wrapping_is_asked(run))
		return 0;
	wrapping_release(&run->wrappings);
	return wrapping_look(run, err) < 0 ? -1 : decide_all(run, err);
}

/* --- applying ------------------------------------------------------------------------------------- */
/* Where nothing could name a wrapper nothing is switched off: Cargo takes even an empty name for another way
 * to build, and would build what is up to date again. */
static bool is_to_switch_off(const struct wrapping *wrapping)
{
	return wrapping->look.named || wrapping->decision.kind != DECISION_NOT_CONFIGURED;
}

int wrapping_apply(const struct pinfold_run *run, struct list *variables)
{
	const struct wrappings *wrappings = &run->wrappings;
	for (size_t i = 0; i < wrappings->count; i++) {
		const struct wrapping *wrapping = &wrappings->items[i];
		bool kept = wrapping->decision.kind == DECISION_KEPT;
		if (wrapping->decided && kept && preparer_surround(&wrapping->preparer, variables) < 0)
			return -1;
		if (wrapping->decided && !kept && is_to_switch_off(wrapping) &&
		    wrapping->toolchain->switch_off(&wrapping->look, variables) < 0)
			return -1;
	}
	return 0;
}

int wrapping_help(struct pinfold_run *run)
{
	helpers_release(&run->helpers);
	for (size_t i = 0; i < run->wrappings.count; i++) {
		const struct wrapping *wrapping = &run->wrappings.items[i];
		if (wrapping->decided && wrapping->decision.kind == DECISION_KEPT &&
		    helpers_add(run, &wrapping->preparer) < 0)
			return -1;
	}
	return 0;
}

int wrapping_state(const struct pinfold_run *run, char **statement)
{
	struct text text = { 0 };
	text_add(&text, *statement);
	for (size_t i = 0; i < run->wrappings.count; i++) {
		const struct wrapping *wrapping = &run->wrappings.items[i];
		const char *const *path = wrapping->decision.kind == DECISION_KEPT ?
						  preparer_shared(run, &wrapping->preparer) : NULL;
		for (; path && *path; path++)
			text_addf(&text, " What it writes into the cache %s is what later builds outside take "
				  "from it.", *path);
	}
	char *longer = text_take(&text);
	if (!longer)
		return -1;
	free(*statement);
	*statement = longer;
	return 0;
}
