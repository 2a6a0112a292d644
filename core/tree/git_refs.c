/* tree/git_refs.c - which refs of a repository moved, wherever each of them is kept. */
#include "tree/git_refs.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <stdio.h>

enum { SHORT_ID = 7, TARGET_ROOM = 256, MOST_LINES = 20 };

/* A line of `packed-refs`. */
struct line {
	const char *name, *id;
};

struct table {
	char *text;	/* cut into strings */
	struct line *lines;
	size_t count;
};

struct git_packed {
	struct git_packed *next;
	char *prefix;
	struct table before, after;
};

static bool is_id(const char *text, size_t length)
{
	return length >= 40 && length <= 64 && strspn(text, "0123456789abcdef") >= length;
}

/* What a ref or HEAD says: the beginning of an id, or the ref that it stands for. */
static char *describe(const char *content)
{
	size_t length = strcspn(content, "\n");
	char room[TARGET_ROOM];
	if (starts_with(content, "ref: "))
		snprintf(room, sizeof(room), "%.*s", (int)(length < 250 ? length - 5 : 250), content + 5);
	else if (is_id(content, length))
		snprintf(room, sizeof(room), "%.*s", SHORT_ID, content);
	else
		snprintf(room, sizeof(room), "something that is no id");
	return strdup(room);
}

int git_refs_add(struct git_refs *refs, const char *name, bool was, bool is, const char *before,
		 const char *after)
{
	if (refs->count == refs->room) {
		size_t room = refs->room ? refs->room * 2 : 16;
		struct git_ref *items = reallocarray(refs->items, room, sizeof(*items));
		if (!items)
			return -1;
		refs->items = items;
		refs->room = room;
	}
	struct git_ref *ref = &refs->items[refs->count];
	*ref = (struct git_ref){ .name = strdup(name), .was = was, .is = is };
	ref->before = before ? describe(before) : NULL;
	ref->after = after ? describe(after) : NULL;
	if (!ref->name || (before && !ref->before) || (after && !ref->after)) {
		free(ref->name);
		free(ref->before);
		free(ref->after);
		return -1;
	}
	refs->count++;
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* "ID NAME"; what is peeled, and comments, are left out. */
static int read_table(const char *text, struct table *table)
{
	size_t most = 1;
	table->text = strdup(text ? text : "");
	for (const char *at = table->text; at && *at; at++)
		most += *at == '\n';
	table->lines = table->text ? calloc(most, sizeof(*table->lines)) : NULL;
	if (!table->lines)
		return -1;
	for (char *at = table->text; *at;) {
		char *end = at + strcspn(at, "\n"), *space = memchr(at, ' ', (size_t)(end - at));
		bool last = *end == '\0';
		*end = '\0';
		if (space && is_id(at, (size_t)(space - at))) {
			*space = '\0';
			table->lines[table->count++] = (struct line){ space + 1, at };
		}
		at = last ? end : end + 1;
	}
	if (table->count > 1)
		qsort(table->lines, table->count, sizeof(*table->lines), compare_lines);
	return 0;
}

int git_refs_add_packed(struct git_refs *refs, const char *prefix, const char *before, const char *after)
{
	struct git_packed *packed = calloc(1, sizeof(*packed));
	if (!packed)
		return -1;
	packed->next = refs->packed;
	refs->packed = packed;
	packed->prefix = strdup(prefix);
	if (!packed->prefix || read_table(before, &packed->before) < 0)
		return -1;
	return read_table(after, &packed->after);
}

static const char *find_line(const struct table *table, const char *name)
{
	struct line wanted = { .name = name };
	const struct line *found = table->count ? bsearch(&wanted, table->lines, table->count,
							  sizeof(wanted), compare_lines) : NULL;
	return found ? found->id : NULL;
}

/* What is said of a ref that has no file of its own. */
static char *find_packed(const struct git_refs *refs, const char *name, bool before)
{
	for (const struct git_packed *packed = refs->packed; packed; packed = packed->next) {
		const char *rest = name + strlen(packed->prefix);
		if (!starts_with(name, packed->prefix) || !starts_with(rest, "refs/"))
			continue;
		const char *id = find_line(before ? &packed->before : &packed->after, rest);
		if (id)
			return describe(id);
	}
	return NULL;
}

static bool is_loose(const struct git_refs *refs, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (streq(refs->items[i].name, name))
			return true;
	return false;
}

/* A ref that is in one table, or says something else there, and has no file of its own. */
static int add_moved(struct git_refs *refs, const struct git_packed *packed, const struct line *line,
		     size_t loose)
{
	const char *before = find_line(&packed->before, line->name);
	const char *after = find_line(&packed->after, line->name);
	struct text name = { 0 };
	if (before && after && streq(before, after))
		return 0;
	text_addf(&name, "%s%s", packed->prefix, line->name);
	auto_free char *whole = text_take(&name);
	if (!whole)
		return -1;
	return is_loose(refs, loose, whole) ? 0 :
					      git_refs_add(refs, whole, before, after, before, after);
}

static int add_packed_ones(struct git_refs *refs)
{
	size_t loose = refs->count;
	for (const struct git_packed *packed = refs->packed; packed; packed = packed->next) {
		for (size_t i = 0; i < packed->after.count; i++)
			if (add_moved(refs, packed, &packed->after.lines[i], loose) < 0)
				return -1;
		for (size_t i = 0; i < packed->before.count; i++)
			if (!find_line(&packed->after, packed->before.lines[i].name) &&
			    add_moved(refs, packed, &packed->before.lines[i], loose) < 0)
				return -1;
	}
	return 0;
}

static int compare_refs(const void *a, const void *b)
{
	return strcmp(((const struct git_ref *)a)->name, ((const struct git_ref *)b)->name);
}

static int add_line(const struct git_refs *refs, struct git_ref *ref, struct list *lines, size_t *ret_more)
{
	if (!ref->was)
		ref->before = find_packed(refs, ref->name, true);
	if (!ref->is)
		ref->after = find_packed(refs, ref->name, false);
	if (ref->before && ref->after && streq(ref->before, ref->after))
		return 0;
	if (lines->count >= MOST_LINES)
		return ++*ret_more, 0;
	if (ref->before && ref->after)
		return list_addf(lines, "%s %s -> %s", ref->name, ref->before, ref->after);
	if (ref->after)
		return list_addf(lines, ref->was ? "%s is now at %s" : "%s is new, at %s", ref->name, ref->after);
	return list_addf(lines, "%s %s", ref->name, ref->is ? "changed" : "removed");
}

int git_refs_lines(struct git_refs *refs, struct list *lines)
{
	size_t more = 0;
	struct list made = { 0 };
	int result = add_packed_ones(refs);
	if (refs->count > 1)
		qsort(refs->items, refs->count, sizeof(*refs->items), compare_refs);
	for (size_t i = 0; result == 0 && i < refs->count; i++)
		result = add_line(refs, &refs->items[i], &made, &more);
	if (result == 0 && more > 0)
		result = list_addf(&made, "%zu more refs moved", more);
	for (size_t i = 0; result == 0 && i < made.count; i++)
		result = list_add(lines, made.items[i]);
	list_release(&made);
	return result;
}

static void table_release(struct table *table)
{
	free(table->text);
	free(table->lines);
}

void git_refs_release(struct git_refs *refs)
{
	for (size_t i = 0; i < refs->count; i++) {
		free(refs->items[i].name);
		free(refs->items[i].before);
		free(refs->items[i].after);
	}
	free(refs->items);
	while (refs->packed) {
		struct git_packed *packed = refs->packed;
		refs->packed = packed->next;
		table_release(&packed->before);
		table_release(&packed->after);
		free(packed->prefix);
		free(packed);
	}
	*refs = (struct git_refs){ 0 };
}
