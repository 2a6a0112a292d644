/* face/collect.c - what was removed of what is kept, and what was not. */
#include "config.h"

#include "tree/collect.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "face/face.h"
#include "face/present.h"
#include "tree/remedy.h"

#include <stdio.h>
#include <string.h>

static const char *const reasons[] = {
	[COLLECT_STAYS] = NULL,
	[COLLECT_GONE] = "its tree is gone",
	[COLLECT_AGE] = "not used for too long",
	[COLLECT_COUNT] = "more than are to be kept",
	[COLLECT_BYTES] = "more than there is room for",
	[COLLECT_KILLED] = "left by a killed run",
};

static const char *kind_of(const struct inventory_item *item)
{
	static const char *const kinds[] = { "copy", "copy", "temporary directory", "layer", "copy", "nothing" };
	return item->session ? "session" : kinds[item->kind];
}

static struct document item_facts(const struct collection *collection, const struct collected *one)
{
	struct document facts = document_object();
	auto_free char *place = path_join(collection->root, one->item->place);
	document_put(&facts, "what", document_text(kind_of(one->item)));
	document_put(&facts, "session", document_text(one->item->session));
	document_put(&facts, "tree", document_text(one->item->tree));
	document_put(&facts, "why", document_text(reasons[one->why]));
	document_put(&facts, "bytes", document_number(one->bytes));
	document_put(&facts, "removed", document_flag(one->removed));
	document_put(&facts, "busy", document_flag(one->busy));
	document_put(&facts, "place", document_text(place));
	return facts;
}

static struct document remain_facts(const struct collection *collection)
{
	struct document list = document_list();
	for (size_t i = 0; i < collection->remain_count; i++) {
		struct document facts = document_object();
		const char *why = strerrordesc_np(collection->remains[i].why);
		document_put(&facts, "path", document_text(collection->remains[i].path));
		document_put(&facts, "why", document_text(why ? why : "unknown"));
		document_put(&facts, "try", document_text(remedy_of(collection->remains[i].why, NULL)));
		document_add_document(&list, &facts);
	}
	return list;
}

static struct document collection_facts(const struct collection *collection, bool dry_run)
{
	struct document facts = document_object(), items = document_list(),
			remains = remain_facts(collection);
	uint64_t kept = 0, bytes = 0;
	for (size_t i = 0; i < collection->count; i++) {
		const struct collected *one = &collection->items[i];
		kept += !one->why;
		bytes += one->why && (dry_run || one->removed) ? one->bytes : 0;
		if (!one->why)
			continue;
		struct document item = item_facts(collection, one);
		document_add_document(&items, &item);
	}
	document_put(&facts, "dry_run", document_flag(dry_run));
	document_put_document(&facts, "items", &items);
	document_put(&facts, "bytes", document_number(bytes));
	document_put(&facts, "kept", document_number(kept));
	document_put_document(&facts, "remains", &remains);
	return facts;
}

static void add_size(struct text *text, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t unit = 0;
	for (; bytes >= 10240 && unit + 1 < N_ELEMENTS(units); bytes /= 1024)
		unit++;
	text_addf(text, "%llu %s", (unsigned long long)bytes, units[unit]);
}

static void add_item(struct table *table, const json_t *item, bool dry_run)
{
	struct text what = { 0 }, room = { 0 };
	bool removed = json_is_true(json_object_get(item, "removed"));
	bool busy = json_is_true(json_object_get(item, "busy"));
	table_add(table, removed || dry_run ? PAINT_PLAIN : PAINT_BAD,
		  dry_run ? "would remove" : removed ? "removed" : busy ? "in use" : "not removed");
	text_add(&what, present_member(&room, item, "what"));
	const char *session = present_member(&room, item, "session");
	if (session[0])
		text_addf(&what, " %s", session);
	table_add(table, PAINT_STRONG, what.data ? what.data : "");
	text_release(&what);
	add_size(&what, (uint64_t)json_integer_value(json_object_get(item, "bytes")));
	table_add(table, PAINT_PLAIN, what.data ? what.data : "");
	table_add(table, PAINT_PLAIN, present_member(&room, item, "why"));
	table_add(table, PAINT_FAINT, present_member(&room, item, "tree"));
	text_release(&what);
	text_release(&room);
}

static void add_sum(struct text *text, const json_t *facts, bool dry_run)
{
	text_add(text, dry_run ? "would free " : "freed ");
	add_size(text, (uint64_t)json_integer_value(json_object_get(facts, "bytes")));
	text_addf(text, "; %lld kept\n", (long long)json_integer_value(json_object_get(facts, "kept")));
}

static void render(struct text *text, const json_t *facts, bool colour)
{
	bool dry_run = json_is_true(json_object_get(facts, "dry_run"));
	struct table table = { .columns = 5 };
	struct text room = { 0 };
	size_t index;
	json_t *item;
	json_array_foreach(json_object_get(facts, "items"), index, item)
		add_item(&table, item, dry_run);
	table_draw(&table, colour, text);
	table_release(&table);
	json_array_foreach(json_object_get(facts, "remains"), index, item) {
		paint_add(text, colour, PAINT_BAD, "cannot be removed: ");
		paint_add(text, colour, PAINT_PLAIN, present_member(&room, item, "path"));
		text_add(text, ": ");
		paint_add(text, colour, PAINT_PLAIN, present_member(&room, item, "why"));
		const char *try = present_member(&room, item, "try");
		if (*try)
			text_addf(text, "; %s, and collect again", try);
		text_add(text, "\n");
	}
	text_release(&room);
	add_sum(text, facts, dry_run);
}

int pinfold_collect(struct pinfold *pinfold, uint32_t flags, uint32_t form, char **ret_document,
		    struct pinfold_error *err)
{
	struct collection collection;
	struct collect_order order = {
		.dry_run = flags & PINFOLD_COLLECT_DRY_RUN, .unapplied = flags & PINFOLD_COLLECT_UNAPPLIED,
	};
	if (collect(pinfold->config, &order, &collection, err) < 0)
		return -1;
	struct document facts = collection_facts(&collection, order.dry_run);
	collect_release(&collection);
	return present(&facts, form, render, ret_document, err);
}
