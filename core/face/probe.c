/* face/probe.c - the arms of this machine, as a document. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/face.h"
#include "face/present.h"
#include "face/probe_render.h"
#include "face/views.h"

#include <stdio.h>

static const struct {
	const char *name;
} axes[] = {
#define AXIS(NAME, name, kept, noun) { name },
	PINFOLD_AXES(AXIS)
#undef AXIS
};

static int refuse_axis(const char *name, struct pinfold_error *err)
{
	const char *known[PINFOLD_AXIS_COUNT];
	char recovery[96] = "pinfold probe names all of them";
	for (size_t i = 0; i < PINFOLD_AXIS_COUNT; i++)
		known[i] = axes[i].name;
	const char *nearest = text_nearest(name, known, PINFOLD_AXIS_COUNT);
	if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s?", nearest);
	return fault(err, PINFOLD_E_USAGE, 0, "find the axis", name, recovery);
}

/* "network, writes" as bits. An axis that nobody knows can be kept by no one: it is refused. */
static int read_axes(const char *names, uint64_t *ret_bits, struct pinfold_error *err)
{
	static const char between[] = ", \t\n";
	uint64_t bits = 0;
	for (const char *at = names + strspn(names, between); *at; at += strspn(at, between)) {
		char name[64];
		size_t length = strcspn(at, between);
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		int axis = policy_axis(name);
		if (axis < 0)
			return refuse_axis(name, err);
		bits |= UINT64_C(1) << axis;
		at += length;
	}
	*ret_bits = bits;
	return 0;
}

static void put_promises(struct document *arm, const struct pinfold_offer *offer)
{
	struct document promises = document_object();
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++) {
		struct document promise = document_object();
		document_put(&promise, "kept", document_flag(offer->kept >> axis & 1));
		document_put(&promise, "note", document_text(offer->note[axis]));
		document_put_document(&promises, axes[axis].name, &promise);
	}
	document_put_document(arm, "promises", &promises);
}

static struct document arm_facts(const struct arms_offer *found)
{
	struct document facts = document_object();
	document_put(&facts, "name", document_text(found->name));
	document_put(&facts, "available", document_flag(found->offer.available));
	if (!found->offer.available) {
		document_put(&facts, "missing", document_text(found->offer.missing));
		document_put(&facts, "lift", document_text(found->offer.lift));
		return facts;
	}
	auto_free char *statement = arms_statement(found->name, &found->offer);
	document_put(&facts, "statement", document_text(statement));
	put_promises(&facts, &found->offer);
	return facts;
}

/* Could a run get this arm, as the configuration is? */
static bool is_preferred(const struct config *config, const char *name)
{
	const char *only = config_text(config, "pinfold", "arm");
	if (only[0])
		return streq(only, name);
	return list_has(config_list(config, "pinfold", "arms"), name);
}

static struct arms_group try_group(const struct pinfold *pinfold, struct group_refusal *refusal)
{
	bool moves = config_word(pinfold->config, "limits", "step-aside") == 1;
	bool had = group_try(moves, refusal) == 0;
	size_t length = had ? 0 : strlen(refusal->why);
	if (!had)
		snprintf(refusal->why + length, sizeof(refusal->why) - length, "; to have it: %s", refusal->lift);
	return (struct arms_group){ .wanted = true, .had = had, .why = refusal->why, .lift = refusal->lift };
}

static struct document probe_all(struct pinfold *pinfold, uint64_t require, struct text *holder)
{
	struct group_refusal refusal;
	const struct arms_group group = try_group(pinfold, &refusal);
	struct document arms = document_list();
	auto_list struct list names = { 0 };
	if (arms_names(pinfold->registry, pinfold->config, &names) < 0)
		arms.failed = true;
	for (size_t i = 0; i < names.count; i++) {
		struct arms_offer *found =
			arms_probe(pinfold->registry, pinfold->config, names.items[i], true);
		if (!found) {
			arms.failed = true;
			break;
		}
		arms_answer_group(found, &group);
		bool preferred = is_preferred(pinfold->config, names.items[i]);
		if (preferred && found->offer.available && (require & ~found->offer.kept) == 0 &&
		    !holder->length)
			text_add(holder, found->name);
		struct document facts = arm_facts(found);
		document_put(&facts, "preferred", document_flag(preferred));
		document_add_document(&arms, &facts);
		arms_offer_free(found);
	}
	return arms;
}

static json_t *axis_names(uint64_t bits)
{
	const char *names[PINFOLD_AXIS_COUNT + 1];
	size_t count = 0;
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (bits >> axis & 1)
			names[count++] = axes[axis].name;
	names[count] = NULL;
	return document_texts(names);
}

int pinfold_describe_arms(struct pinfold *pinfold, uint32_t form, const char *require,
			  char **ret_document, int *ret_held, struct pinfold_error *err)
{
	uint64_t bits = 0;
	struct text holder = { 0 };
	if (require && read_axes(require, &bits, err) < 0)
		return -1;
	struct document facts = document_object();
	struct document arms = probe_all(pinfold, bits, &holder), views = views_probe(pinfold);
	document_put_document(&facts, "arms", &arms);
	document_put_document(&facts, "views", &views);
	document_put(&facts, "require", axis_names(bits));
	bool held = holder.length > 0;
	document_put(&facts, "held", document_flag(held));
	document_put(&facts, "holder", document_text(holder.data));
	facts.failed = facts.failed || holder.failed;
	text_release(&holder);
	if (present(&facts, form, probe_render, ret_document, err) < 0)
		return -1;
	if (ret_held)
		*ret_held = held;
	return 0;
}
