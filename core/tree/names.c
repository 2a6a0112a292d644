/* tree/names.c - the names of one directory in the tree, in the index and in the copy. */
#include "config.h"

#include "tree/names.h"

#include "tree/merge.h"

#include <stdlib.h>
#include <string.h>

/* Those that a folder of the index has, for the listing of the tree or of the copy. */
static int take_known(struct listing *listing, const struct index *index, const struct index_entry *old,
		      bool in_copy)
{
	listing_clear(listing);
	for (uint32_t i = 0; i < old->children.count; i++) {
		const struct index_entry *child = &index->entries[old->children.first + i];
		if (in_copy && child->kind == INDEX_SKIPPED)
			continue;
		if (listing_add(listing, index_name(index, child), child->name_bytes) < 0)
			return -1;
	}
	return 0;
}

static struct draft *one_more_draft(struct worker *worker)
{
	if (worker->count == worker->room) {
		size_t room = worker->room ? worker->room * 2 : 256;
		struct draft *drafts = reallocarray(worker->drafts, room, sizeof(*drafts));
		if (!drafts)
			return NULL;
		worker->drafts = drafts;
		worker->room = room;
	}
	return &worker->drafts[worker->count];
}

static bool is_as_old(const struct index_entry *entry, const struct index_entry *old)
{
	struct index_entry moved = *entry;
	moved.name = old->name;
	return memcmp(&moved, old, sizeof(moved)) == 0;
}

/* One name, and who has it. */
struct meeting {
	const char *name;
	uint16_t bytes;
	const struct listed *source, *copy;
	const struct index_entry *old;
};

struct cursor {
	size_t source, copy;
	uint32_t old;
};

struct name {
	const char *text;	/* NULL: after all others */
	uint16_t bytes;
};

static int compare_names(const struct name *a, const struct name *b)
{
	if (!a->text || !b->text)
		return (b->text != NULL) - (a->text != NULL);
	return listing_compare(a->text, a->bytes, b->text, b->bytes);
}

static struct name name_of(const struct listed *item)
{
	return item ? (struct name){ item->name, item->bytes } : (struct name){ 0 };
}

static const struct listed *item_at(const struct listing *listing, size_t at)
{
	return at < listing->count ? &listing->items[at] : NULL;
}

/* The first of the names that are left. */
static bool meet_next(const struct worker *worker, const struct index_entry *old, struct cursor *at,
		      struct meeting *ret)
{
	const struct index *index = worker->mirror->order->old;
	const struct index_entry *child = old && at->old < old->children.count ?
						  &index->entries[old->children.first + at->old] : NULL;
	const struct listed *source = item_at(&worker->source, at->source);
	const struct listed *copy = item_at(&worker->copy, at->copy);
	struct name in_tree = name_of(source), in_copy = name_of(copy), known = { 0 };
	if (child)
		known = (struct name){ index_name(index, child), child->name_bytes };
	int tree_or_known = compare_names(&in_tree, &known);
	struct name first = tree_or_known <= 0 ? in_tree : known;
	int first_or_copy = compare_names(&first, &in_copy);
	if (first_or_copy > 0)
		first = in_copy;
	*ret = (struct meeting){
		.name = first.text,
		.bytes = first.bytes,
		.source = tree_or_known <= 0 && first_or_copy <= 0 ? source : NULL,
		.old = tree_or_known >= 0 && first_or_copy <= 0 ? child : NULL,
		.copy = first_or_copy >= 0 ? copy : NULL,
	};
	at->source += ret->source != NULL;
	at->old += ret->old != NULL;
	at->copy += ret->copy != NULL;
	return first.text != NULL;
}

/* What the tree has not, or no longer. */
static int bring_gone(struct worker *worker, const struct meeting *met, struct index_entry *ret_entry)
{
	const struct mirror *mirror = worker->mirror;
	worker->work.walked += met->copy != NULL;
	if (mirror->counting)
		return 0;
	if (mirror->order->keep_changes)
		return merge_gone(worker, met->name, met->old, met->copy != NULL, ret_entry);
	return met->copy && entry_discard(worker, met->name) < 0 ? -1 : 0;
}

/* What the command added is in no index, and the copy's names may be those of the index. */
static bool may_be_there(const struct worker *worker, const struct meeting *met)
{
	return worker->mirror->order->keep_changes && !worker->folder->fresh &&
	       (!met->old || met->old->kind == INDEX_SKIPPED);
}

static int bring_name(struct worker *worker, const struct meeting *met)
{
	struct draft *draft = one_more_draft(worker);
	if (!draft)
		return trouble_memory(worker->mirror);
	memset(draft, 0, sizeof(*draft));
	draft->name = met->name;
	draft->entry.name_bytes = met->bytes;
	bool present = met->copy || may_be_there(worker, met);
	int result = met->source ? entry_bring(worker, met->name, met->old, present, &draft->entry) :
				   bring_gone(worker, met, &draft->entry);
	if (result > 0)
		worker->count++;
	else if (met->copy || (result == 0 && present))
		worker->folder->further = true;
	if (result > 0 ? !met->old || !is_as_old(&draft->entry, met->old) : met->old != NULL)
		worker->different = true;
	return result < 0 ? -1 : 0;
}

/* The names of the tree and of the copy are those of the index, as nearly always: nothing to compare. */
static int bring_known(struct worker *worker, const struct index_entry *old)
{
	static const struct listed there;
	const struct index *index = worker->mirror->order->old;
	for (uint32_t i = 0; i < old->children.count; i++) {
		const struct index_entry *child = &index->entries[old->children.first + i];
		struct meeting met = {
			.name = index_name(index, child), .bytes = child->name_bytes, .source = &there, .old = child,
			.copy = child->kind == INDEX_SKIPPED ? NULL : &there,
		};
		if (worker->mirror->failed || bring_name(worker, &met) < 0)
			return -1;
	}
	return 0;
}

int names_bring(struct worker *worker, const struct index_entry *old)
{
	const struct index *index = worker->mirror->order->old;
	struct cursor at = { 0 };
	if (worker->source_as_known && worker->copy_as_known)
		return bring_known(worker, old);
	if ((worker->source_as_known && take_known(&worker->source, index, old, false) < 0) ||
	    (worker->copy_as_known && take_known(&worker->copy, index, old, true) < 0))
		return trouble_memory(worker->mirror);
	for (struct meeting met; meet_next(worker, old, &at, &met);)
		if (worker->mirror->failed || bring_name(worker, &met) < 0)
			return -1;
	return 0;
}

int names_keep(struct worker *worker)
{
	struct folder *folder = worker->folder;
	size_t bytes = 0, entry_bytes = worker->count * sizeof(struct index_entry);
	for (size_t i = 0; i < worker->count; i++)
		bytes += worker->drafts[i].entry.name_bytes + 1u;
	char *memory = malloc(entry_bytes + bytes + 1);
	if (!memory || bytes > UINT32_MAX) {
		free(memory);
		return trouble_memory(worker->mirror);
	}
	folder->entries = (struct index_entry *)memory;
	folder->names = memory + entry_bytes;
	folder->count = (uint32_t)worker->count;
	uint32_t place = 0;
	for (size_t i = 0; i < worker->count; i++) {
		struct draft *draft = &worker->drafts[i];
		draft->entry.name = place;
		folder->entries[i] = draft->entry;
		memcpy(folder->names + place, draft->name, draft->entry.name_bytes + 1u);
		place += draft->entry.name_bytes + 1u;
	}
	return 0;
}

void names_give(struct worker *worker)
{
	struct folder *child = worker->folder->first_child;
	for (size_t i = 0; i < worker->count && child; i++) {
		if (worker->drafts[i].entry.kind != INDEX_FOLDER)
			continue;
		child->chain.name = worker->folder->entries ?
				      worker->folder->names + worker->folder->entries[i].name :
				      worker->drafts[i].name;
		child = child->next_sibling;
	}
}
