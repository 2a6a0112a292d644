/* arms/choose.c - which arm a run gets: the first whose promises cover what is required. */
#include "arms/arms.h"

#include "arms/offer.h"
#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>

/* What an arm must do. */
struct wants {
	uint64_t require;
	bool becomes;
	const struct arms_group *group;
};

/* What is said when no arm will do. */
struct denial {
	struct text reasons, lifts;
};

static void add_reason(struct denial *denial, const char *reason, const char *lift)
{
	text_addf(&denial->reasons, "%s%s", denial->reasons.length ? "; " : "", reason);
	bool said = lift && denial->lifts.data && strstr(denial->lifts.data, lift);
	if (lift && lift[0] && !said)
		text_addf(&denial->lifts, "%s%s", denial->lifts.length ? "; " : "", lift);
}

static bool can_become(const struct pinfold_arm *arm)
{
	return arm && PINFOLD_REACHES(arm, becomes) && arm->becomes == 1;
}

/* The command would be the calling process, with nobody beside it. */
static void add_attended(struct text *reason, const struct arms_offer *offer)
{
	const struct pinfold_arm *arm = offer->arm;
	bool says = arm && PINFOLD_REACHES(arm, attended) && arm->attended;
	text_addf(reason, "%s confines no process that becomes the command: it needs %s", offer->name,
		  says ? arm->attended : "somebody who lives beside it");
}

static void add_lacking(struct text *reason, const struct arms_offer *offer, uint64_t lacking)
{
	text_addf(reason, "%s does not keep ", offer->name);
	offer_add_axes(reason, lacking);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (lacking >> axis & 1 && offer->offer.note[axis])
			text_addf(reason, " (%s: %s)", policy_axis_name(axis), offer->offer.note[axis]);
}

/* Why this arm was passed over, and what its own notes say would help. */
static int pass_over(const struct arms_offer *offer, const struct wants *wants, struct denial *denial,
		     struct list *passed)
{
	const struct pinfold_offer *found = &offer->offer;
	struct text reason = { 0 }, line = { 0 };
	uint64_t lacking = wants->require & ~found->kept;
	bool ungrouped = lacking & PINFOLD_BIT(RESOURCES) && found->holds_group;
	const char *lift = !found->available ? found->lift : ungrouped ? wants->group->lift : NULL;
	if (!found->available) {
		text_addf(&reason, "%s is not available: %s", offer->name, found->missing);
	} else if (lacking) {
		add_lacking(&reason, offer, lacking);
	} else {
		add_attended(&reason, offer);
		lift = "start it by `pinfold run`";
	}
	auto_free char *why = text_take(&reason);
	text_add(&line, why ? why : "");
	if (lift && lift[0])
		text_addf(&line, " (lift: %s)", lift);
	char *whole = text_take(&line);
	if (!why || !whole) {
		free(whole);
		return -1;
	}
	add_reason(denial, why, lift);
	return list_add_taken(passed, whole);
}

static bool preference_is_built_in(const struct config *config)
{
	for (size_t i = 0; i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		if (streq(entry.section, "pinfold") && streq(entry.key, "arms"))
			return !entry.file;
	}
	return true;
}

/* A mistyped name or a bad section is an error, and never a reason to take a weaker arm. An arm of
 * the built-in preference whose module a site does not want is none. */
static int check_name(struct registry *registry, const struct config *config, const char *name,
		      bool named, struct pinfold_error *err)
{
	const struct pinfold_arm *arm;
	struct pinfold_error found = { 0 };
	if (registry_arm(registry, name, &arm, &found) == 0 || found.code != PINFOLD_E_CONFIG)
		return 0;
	char section[80];
	snprintf(section, sizeof(section), "arm:%s", name);
	bool unwanted = !named && !registry_has(registry, section) &&
			!config_section_value(config, section, "plugin");
	if (unwanted && preference_is_built_in(config))
		return 0;
	if (err)
		*err = found;
	return -1;
}

static int deny(struct denial *denial, const char *named, uint64_t require,
		struct pinfold_error *err)
{
	struct text action = { 0 };
	if (named)
		text_addf(&action, "confine the command with the arm %s", named);
	else
		text_add(&action, "find an arm");
	if (require) {
		text_add(&action, " that keeps ");
		offer_add_axes(&action, require);
	}
	if (require)
		text_addf(&denial->lifts, "%srequire less ([pinfold] require, --require)",
			  denial->lifts.length ? "; or " : "");
	else if (!denial->lifts.length)
		text_add(&denial->lifts, "name an arm in [pinfold] arms");
	auto_free char *what = text_take(&action);
	return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, what, denial->reasons.data,
		     denial->lifts.data);
}

/* 1 when this arm will do, 0 when it was passed over. */
static int try_arm(struct registry *registry, const struct config *config, const char *name,
		   const struct wants *wants, struct arms_choice *choice, struct denial *denial)
{
	struct arms_offer *offer = arms_probe(registry, config, name, false);
	if (!offer)
		return -1;
	uint64_t require = wants->require;
	arms_answer_group(offer, wants->group);
	if (offer->offer.available && !(require & ~offer->offer.kept) && (!wants->becomes || can_become(offer->arm))) {
		choice->offer = offer;
		return 1;
	}
	int passed = pass_over(offer, wants, denial, &choice->passed);
	arms_offer_free(offer);
	return passed;
}

static int choose(struct registry *registry, const struct config *config, const struct wants *wants,
		  struct arms_choice *choice, struct denial *denial, struct pinfold_error *err)
{
	const char *named = config_text(config, "pinfold", "arm");
	if (named && !named[0])
		named = NULL;
	const struct list *preferred = config_list(config, "pinfold", "arms");
	size_t count = named ? 1 : preferred->count;
	for (size_t i = 0; i < count; i++) {
		const char *name = named ? named : preferred->items[i];
		if (check_name(registry, config, name, named != NULL, err) < 0)
			return -1;
		int taken = try_arm(registry, config, name, wants, choice, denial);
		if (taken != 0)
			return taken < 0 ? fault_no_memory(err) : 0;
	}
	return deny(denial, named, wants->require, err);
}

int arms_choose(struct registry *registry, const struct config *config, uint64_t require, bool becomes,
		const struct arms_group *group, struct arms_choice *ret_choice, struct pinfold_error *err)
{
	if (require & ~OFFER_AXES)
		return faultf(err, PINFOLD_E_SANDBOX_DENIED, 0, "find an arm",
			      "require axes that `pinfold probe` shows, or install a newer pinfold",
			      "a promise is required that this pinfold does not know (bits %#llx)",
			      (unsigned long long)(require & ~OFFER_AXES));
	struct arms_choice choice = { 0 };
	struct denial denial = { 0 };
	const struct wants wants = { require, becomes, group };
	int result = choose(registry, config, &wants, &choice, &denial, err);
	text_release(&denial.reasons);
	text_release(&denial.lifts);
	if (result < 0)
		arms_choice_release(&choice);
	else
		*ret_choice = choice;
	return result;
}

int arms_take_refused(struct registry *registry, const struct config *config, struct arms_choice *ret_choice)
{
	struct arms_choice choice = { 0 };
	struct text line = { 0 };
	const char *named = config_text(config, "pinfold", "arm");
	if (named && named[0])
		choice.offer = arms_probe(registry, config, named, false);
	if (choice.offer && choice.offer->arm)
		text_addf(&line, "%s would be refused here: %s", named,
			  choice.offer->offer.missing ? choice.offer->offer.missing : "it keeps less than is required");
	int result = line.length && !line.failed ? list_add(&choice.passed, line.data) : -1;
	text_release(&line);
	if (result < 0)
		arms_choice_release(&choice);
	else
		*ret_choice = choice;
	return result;
}

void arms_choice_release(struct arms_choice *choice)
{
	arms_offer_free(choice->offer);
	list_release(&choice->passed);
	*choice = (struct arms_choice){ 0 };
}
