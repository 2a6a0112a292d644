/* face/probe.c - the arms of this machine, as a document. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/document.h"
#include "face/face.h"

#include <string.h>

/* "network, writes" as bits; an axis that nobody knows can be kept by no one. */
static int read_axes(const char *names, uint64_t *ret_bits, struct pinfold_error *err)
{
	uint64_t bits = 0;
	for (const char *at = names; *at;) {
		char name[64];
		at += strspn(at, ", ");
		size_t length = strcspn(at, ", ");
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		at += length;
		if (length == 0)
			continue;
		int axis = policy_axis(name);
		const char *known[PINFOLD_AXIS_COUNT];
		for (unsigned i = 0; i < PINFOLD_AXIS_COUNT; i++)
			known[i] = policy_axis_name(i);
		const char *nearest = text_nearest(name, known, PINFOLD_AXIS_COUNT);
		char recovery[96];
		snprintf(recovery, sizeof(recovery), nearest ? "did you mean %s?" : "see %s",
			 nearest ? nearest : "pinfold probe");
		if (axis < 0)
			return fault(err, PINFOLD_E_USAGE, 0, "find the axis", name, recovery);
		bits |= UINT64_C(1) << axis;
	}
	*ret_bits = bits;
	return 0;
}

static json_t *promise_facts(const struct pinfold_offer *offer)
{
	json_t *promises = json_object();
	for (unsigned axis = 0; promises && axis < PINFOLD_AXIS_COUNT; axis++) {
		bool kept = offer->kept & UINT64_C(1) << axis;
		json_t *promise = json_pack("{s:b, s:o}", "kept", (int)kept, "note",
					    document_text(offer->note[axis]));
		json_object_set_new(promises, policy_axis_name(axis), promise);
	}
	return promises;
}

static json_t *arm_facts(const struct arms_offer *found)
{
	const struct pinfold_offer *offer = &found->offer;
	json_t *facts = json_pack("{s:o, s:b}", "name", document_text(found->name), "available",
				  (int)offer->available);
	if (!facts)
		return NULL;
	if (!offer->available) {
		json_object_set_new(facts, "missing", document_text(offer->missing));
		json_object_set_new(facts, "lift", document_text(offer->lift));
		return facts;
	}
	auto_free char *statement = arms_statement(found->name, offer);
	json_object_set_new(facts, "statement", document_text(statement));
	json_object_set_new(facts, "promises", promise_facts(offer));
	return facts;
}

static json_t *probe_all(struct pinfold *pinfold, uint64_t require, bool *ret_held)
{
	struct list names = { 0 };
	json_t *arms = json_array();
	if (arms_names(pinfold->registry, pinfold->config, &names) < 0) {
		json_decref(arms);
		arms = NULL;
	}
	for (size_t i = 0; arms && i < names.count; i++) {
		struct arms_offer *found =
			arms_probe(pinfold->registry, pinfold->config, names.items[i], true);
		if (!found)
			continue;
		if (found->offer.available && (require & ~found->offer.kept) == 0)
			*ret_held = true;
		json_array_append_new(arms, arm_facts(found));
		arms_offer_free(found);
	}
	list_release(&names);
	return arms;
}

static void add_promises(struct text *text, const json_t *promises, bool colour, bool kept)
{
	const char *axis;
	json_t *promise;
	json_object_foreach((json_t *)(uintptr_t)promises, axis, promise) {
		if (json_is_true(json_object_get(promise, "kept")) != kept)
			continue;
		document_add_colour(text, colour, kept ? "good" : "bad");
		text_addf(text, "  %s %-13s", kept ? "keeps" : "lacks", axis);
		document_add_colour(text, colour, "");
		text_add(text, " ");
		document_add_quoted(text, promise, "note");
		text_add(text, "\n");
	}
}

static void render_arms(struct text *text, const json_t *facts, bool colour)
{
	size_t index;
	json_t *arm;
	json_array_foreach(json_object_get(facts, "arms"), index, arm) {
		bool available = json_is_true(json_object_get(arm, "available"));
		text_add(text, index ? "\n" : "");
		document_add_colour(text, colour, available ? "strong" : "bad");
		document_add_quoted(text, arm, "name");
		document_add_colour(text, colour, "");
		text_add(text, available ? ": available\n" : ": refused\n  missing: ");
		if (available) {
			add_promises(text, json_object_get(arm, "promises"), colour, true);
			add_promises(text, json_object_get(arm, "promises"), colour, false);
			continue;
		}
		document_add_quoted(text, arm, "missing");
		text_add(text, "\n  lift:    ");
		document_add_quoted(text, arm, "lift");
		text_add(text, "\n");
	}
	if (json_array_size(json_object_get(facts, "require")) == 0)
		return;
	bool held = json_is_true(json_object_get(facts, "held"));
	text_add(text, held ? "\nkept by one of them: " : "\nkept by none of them: ");
	document_add_list(text, json_object_get(facts, "require"));
	text_add(text, "\n");
}

int pinfold_describe_arms(struct pinfold *pinfold, uint32_t form, const char *require,
			  char **ret_document, int *ret_held, struct pinfold_error *err)
{
	uint64_t bits = 0;
	bool held = false;
	if (require && read_axes(require, &bits, err) < 0)
		return -1;
	plugins_lock();
	json_t *arms = probe_all(pinfold, bits, &held);
	plugins_unlock();
	json_t *facts = json_pack("{s:o, s:o, s:b}", "arms", arms, "require", document_axes(bits),
				  "held", (int)held);
	if (document_write(facts, form, render_arms, ret_document, err) < 0)
		return -1;
	if (ret_held)
		*ret_held = held;
	return 0;
}
