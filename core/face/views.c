/* face/views.c - the views of this machine, as a document. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/views.h"
#include "tree/copies.h"

#include <stdio.h>
#include <stdlib.h>

static struct document limit_facts(const struct pinfold_view_offer *offer)
{
	struct document limits = document_list();
	for (size_t i = 0; i < N_ELEMENTS(offer->limits) && offer->limits[i]; i++)
		document_add(&limits, document_text(offer->limits[i]));
	return limits;
}

static struct document offer_facts(const char *name, const struct pinfold_view *view,
				   const struct pinfold_view_offer *offer)
{
	struct document facts = document_object(), limits = limit_facts(offer);
	document_put(&facts, "name", document_text(name));
	document_put(&facts, "summary", document_text(view->summary));
	document_put(&facts, "available", document_flag(offer->available));
	if (!offer->available) {
		document_put(&facts, "missing", document_text(offer->missing));
		document_put(&facts, "lift", document_text(offer->lift));
	}
	document_put_document(&facts, "limits", &limits);
	return facts;
}

/* A view that fails in looking cannot be had. */
static void look(const struct pinfold_host *host, const char *name, const struct pinfold_view *view,
		 const char *scratch, struct pinfold_view_offer *ret_offer, struct pinfold_error *why)
{
	*ret_offer = (struct pinfold_view_offer){ .size = sizeof(*ret_offer), .available = 1 };
	if (!PINFOLD_HAS(view, probe) || view->probe(host, scratch, ret_offer, why) == 0)
		return;
	registry_blame(why, name, "probe");
	*ret_offer = (struct pinfold_view_offer){ .size = sizeof(*ret_offer), .missing = why->subject,
						  .lift = why->recovery };
}

static struct document view_facts(struct pinfold *pinfold, const char *name, const char *scratch)
{
	const struct pinfold_view *view;
	struct pinfold_view_offer offer;
	struct pinfold_error why = { 0 };
	char section[80];
	snprintf(section, sizeof(section), "view:%s", name);
	struct document facts = { .failed = true };
	struct pinfold_host *host = registry_host(pinfold->registry, section);
	if (host && registry_view(pinfold->registry, name, &view, &why) == 0) {
		turn_take(pinfold->registry, view);
		look(host, name, view, scratch, &offer, &why);
		turn_end(pinfold->registry, view);
		facts = offer_facts(name, view, &offer);
	}
	registry_host_free(host);
	return facts;
}

struct document views_probe(struct pinfold *pinfold)
{
	struct document views = document_list();
	auto_list struct list names = { 0 };
	auto_free char *scratch = NULL;
	scratch_root(pinfold->config, &scratch, NULL);
	if (registry_view_names(pinfold->registry, &names) < 0)
		views.failed = true;
	for (size_t i = 0; i < names.count; i++) {
		struct document facts = view_facts(pinfold, names.items[i], scratch);
		document_add_document(&views, &facts);
	}
	return views;
}

static void render_view(struct text *text, const json_t *view, bool colour)
{
	static const struct present_row rows[] = { { "missing", "missing:" }, { "lift", "lift:" } };
	struct table table = { .columns = 2, .indent = "  " };
	struct text room = { 0 };
	const json_t *limits = json_object_get(view, "limits"), *limit;
	bool available = json_is_true(json_object_get(view, "available"));
	size_t index;
	text_add(text, "\nview ");
	paint_add(text, colour, available ? PAINT_STRONG : PAINT_BAD, present_member(&room, view, "name"));
	text_add(text, available ? ": available\n" : ": refused\n");
	present_rows(&table, view, rows, N_ELEMENTS(rows));
	json_array_foreach(limits, index, limit) {
		table_add(&table, PAINT_BAD, "limit");
		table_add(&table, PAINT_FAINT, json_string_value(limit));
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

void views_render(struct text *text, const json_t *views, bool colour)
{
	size_t index;
	json_t *view;
	json_array_foreach(views, index, view)
		render_view(text, view, colour);
}
