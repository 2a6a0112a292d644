/* face/sessions.c - the sessions that there are, and what they hold. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "face/face.h"
#include "face/present.h"
#include "tree/inventory.h"
#include "tree/kept.h"
#include "tree/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/* Whoever stands in a tree means its sessions, also further down. */
static bool is_wanted(const struct inventory_item *item, const char *directory)
{
	return item->session && item->kind != HOME_KINDS &&
	       (!directory || (item->tree && path_is_within(directory, item->tree)));
}

static json_t *instant(int64_t nanoseconds)
{
	char text[40];
	struct tm parts;
	time_t seconds = nanoseconds / 1000000000;
	if (!gmtime_r(&seconds, &parts) || strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		return json_null();
	return document_text(text);
}

/* What a session holds is looked at under its lock. */
static void put_state(struct document *facts, const struct config *config, const struct inventory_item *item)
{
	struct kept *kept;
	struct pinfold_error why = { 0 };
	uint64_t count = 0;
	json_t *changes = NULL;
	if (item->tree && !item->gone && kept_open(config, item->tree, item->session, &kept, &why) == 0) {
		if (kept_count(kept, &count, &why) == 0)
			changes = document_number(count);
		kept_close(kept);
	}
	document_put(facts, "busy", document_flag(why.code == PINFOLD_E_BUSY));
	document_put(facts, "changes", changes ? changes : json_null());
	document_put(facts, "error", document_error(why.code == PINFOLD_E_BUSY ? NULL : &why));
}

static struct document session_facts(const struct config *config, const char *root,
				     const struct inventory_item *item)
{
	struct document facts = document_object();
	auto_free char *place = path_join(root, item->place);
	document_put(&facts, "name", document_text(item->session));
	document_put(&facts, "tree", document_text(item->tree));
	document_put(&facts, "tree_exists", document_flag(item->tree && !item->gone));
	document_put(&facts, "view", document_text(item->kind == HOME_LAYERS ? "overlay" : "copy"));
	document_put(&facts, "follows_links", document_flag(item->kind == HOME_FOLLOWED));
	document_put(&facts, "used", instant(item->used));
	document_put(&facts, "place", document_text(place));
	put_state(&facts, config, item);
	return facts;
}

static struct document list_facts(const struct config *config, const char *root,
				  const struct inventory *inventory, const char *directory)
{
	struct document facts = document_object(), sessions = document_list();
	uint64_t others = 0;
	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_item *item = &inventory->items[i];
		others += is_wanted(item, NULL) && !is_wanted(item, directory);
		if (!is_wanted(item, directory))
			continue;
		struct document session = session_facts(config, root, item);
		document_add_document(&sessions, &session);
	}
	document_put(&facts, "all", document_flag(!directory));
	document_put(&facts, "in_other_trees", document_number(others));
	document_put_document(&facts, "sessions", &sessions);
	return facts;
}

static void add_cell(struct table *table, const char *text)
{
	table_add(table, PAINT_PLAIN, text);
}

static void add_changes(struct table *table, const json_t *session)
{
	char number[32];
	const json_t *changes = json_object_get(session, "changes");
	bool known = json_is_integer(changes);
	add_cell(table, known ? text_grouped((uint64_t)json_integer_value(changes), number) : "?");
}

static const char *state_of(const json_t *session)
{
	if (json_is_true(json_object_get(session, "busy")))
		return "a command works in it";
	if (!json_is_true(json_object_get(session, "tree_exists")))
		return "its tree is gone";
	return json_is_object(json_object_get(session, "error")) ? "damaged" : NULL;
}

static void render(struct text *text, const json_t *facts, bool colour)
{
	bool all = json_is_true(json_object_get(facts, "all"));
	const json_t *sessions = json_object_get(facts, "sessions");
	static const char *const heads[] = { "session", "view", "changes", "last used", NULL, "tree" };
	struct table table = { .columns = all ? 6 : 5 };
	struct text room = { 0 };
	size_t index;
	json_t *session;
	for (size_t i = 0; i < table.columns && json_array_size(sessions) > 0; i++)
		table_add(&table, PAINT_FAINT, heads[i]);
	json_array_foreach(sessions, index, session) {
		table_add(&table, PAINT_STRONG, present_member(&room, session, "name"));
		add_cell(&table, present_member(&room, session, "view"));
		add_changes(&table, session);
		add_cell(&table, present_member(&room, session, "used"));
		add_cell(&table, state_of(session));
		if (all)
			add_cell(&table, present_member(&room, session, "tree"));
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
	json_int_t others = json_integer_value(json_object_get(facts, "in_other_trees"));
	if (json_array_size(sessions) == 0)
		text_add(text, all ? "no sessions\n" : "no sessions in this tree\n");
	if (others > 0)
		text_addf(text, "%lld in other trees (--all)\n", (long long)others);
}

int pinfold_describe_sessions(struct pinfold *pinfold, const char *directory, uint32_t flags,
			      uint32_t form, char **ret_document, struct pinfold_error *err)
{
	struct directory here = { .fd = -1 };
	struct inventory inventory = { 0 };
	auto_free char *root = NULL;
	auto_close int root_fd = -1;
	bool all = flags & PINFOLD_SESSIONS_ALL;
	if (scratch_open(pinfold->config, &root, &root_fd, err) < 0)
		return -1;
	if (inventory_read(root_fd, &inventory) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "look at what is kept", root,
			     "check that directory ([filesystem] scratch)");
	int result = all ? 0 : directory_open(directory, &here, err);
	if (result == 0) {
		struct document facts = list_facts(pinfold->config, root, &inventory, all ? NULL : here.path);
		result = present(&facts, form, render, ret_document, err);
	}
	inventory_release(&inventory);
	directory_release(&here);
	return result;
}
