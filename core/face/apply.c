/* face/apply.c - what a command changed is brought into the tree. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "face/face.h"
#include "face/findings.h"
#include "face/present.h"
#include "report/review.h"
#include "tree/apply.h"
#include "tree/bond.h"
#include "tree/pending.h"
#include "tree/remedy.h"

#include <errno.h>
#include <stdlib.h>

struct applying {
	struct pinfold *pinfold;
	const struct findings *findings;
	struct pinfold_apply_order order;
	struct apply_part *parts;
	const struct changes *none;
};

/* What pinfold_apply_show needs of one. */
struct origin {
	const struct applying *applying;
	const struct apply_item *item;
};

static int read_order(const struct pinfold_apply_order *from, struct pinfold_apply_order *ret_order,
		      struct pinfold_error *err)
{
	struct pinfold_apply_order order = { 0 };
	if (from && from->size < offsetof(struct pinfold_apply_order, ask))
		return fault(err, PINFOLD_E_USAGE, 0, "apply the changes",
			     "the structure of the order has no size",
			     "set `size` to sizeof(struct pinfold_apply_order)");
	if (from)
		memcpy(&order, from, from->size < sizeof(order) ? from->size : sizeof(order));
	*ret_order = order;
	return 0;
}

/* As a person knows it: relative to the working tree, absolute outside of it. */
static char *shown_path(const struct applying *applying, const struct apply_part *part, const char *path)
{
	if (part == applying->parts)
		return strdup(*path ? path : ".");
	return *path ? path_join(part->path, path) : strdup(part->path);
}

/* --- asking --------------------------------------------------------------------------------------- */
static int ask(void *context, const struct apply_item *item, struct pinfold_error *err)
{
	static const int answers[] = {
		[PINFOLD_ANSWER_NO] = APPLY_NO,		 [PINFOLD_ANSWER_YES] = APPLY_YES,
		[PINFOLD_ANSWER_ALL] = APPLY_YES_TO_ALL, [PINFOLD_ANSWER_NONE] = APPLY_NO_TO_ALL,
		[PINFOLD_ANSWER_QUIT] = APPLY_ABANDON,
	};
	const struct applying *applying = context;
	struct origin origin = { applying, item };
	const struct change *change = item->change;
	auto_free char *path = shown_path(applying, item->part, change->path);
	auto_free char *from = change->from ? shown_path(applying, item->part, change->from) : NULL;
	if (!path || (change->from && !from))
		return fault_no_memory(err);
	struct pinfold_apply_item shown = {
		.size = sizeof(shown), .path = path, .from = from, .kind = change_kind_name(change->kind),
		.risk = item->risk, .origin = &origin, .further = item->further,
	};
	int answer = applying->order.ask(applying->order.context, &shown, err);
	if (answer < 0)
		return -1;
	return answer <= PINFOLD_ANSWER_QUIT ? answers[answer] : APPLY_NO;
}

int pinfold_apply_show(const struct pinfold_apply_item *item, uint32_t flags, int fd,
		       struct pinfold_error *err)
{
	const struct origin *origin = item->origin;
	const struct apply_part *part = origin->item->part;
	struct changes one = { .items = (struct change *)origin->item->change, .count = 1 };
	const struct review_part shown = {
		.path = part->path, .tree = part == origin->applying->parts, .named = true,
		.place_fd = part->place_fd, .held_fd = part->held_fd, .changes = &one,
	};
	const struct kept *kept = origin->applying->findings->kept;
	const struct review review = { .tree = kept->tree, .session = kept->session, .parts = &shown,
				       .count = 1 };
	const struct review_style style = {
		.patch = { .around = 3, .packed = flags & PINFOLD_CHANGES_PACKED }, .all = true,
		.most = config_number(origin->applying->pinfold->config, "session", "diff-max-bytes"),
	};
	auto_free struct stream *stream = malloc(sizeof(*stream));
	if (!stream)
		return fault_no_memory(err);
	stream_open(stream, fd);
	stream->colour = flags & PINFOLD_CHANGES_COLOUR;
	stream->escaped = flags & PINFOLD_CHANGES_ESCAPED;
	if (review_write_patch(stream, &review, &style, err) < 0)
		return -1;
	return stream_close(stream, err);
}

/* --- what came of it ------------------------------------------------------------------------------ */
static struct document item_facts(const struct applying *applying, const struct apply_item *item, bool done)
{
	struct document facts = document_object();
	const struct change *change = item->change;
	auto_free char *path = shown_path(applying, item->part, change->path);
	auto_free char *from = change->from ? shown_path(applying, item->part, change->from) : NULL;
	bool applied = done && item->state == APPLY_READY;
	document_put(&facts, "path", document_text(path));
	document_put(&facts, "kind", document_text(change_kind_name(change->kind)));
	document_put(&facts, "from", document_text(from));
	document_put(&facts, "state", document_text(applied ? "applied" : apply_state_name(item->state)));
	document_put(&facts, "reason", document_text(item->state != APPLY_READY ? apply_state_text(item->state) :
						     change_privileges(change) ? review_lost_privileges : NULL));
	document_put(&facts, "never", document_flag(apply_is_never(item->state)));
	document_put(&facts, "risk", document_text(item->risk));
	facts.failed = facts.failed || !path || (change->from && !from);
	return facts;
}

static struct document all_facts(const struct applying *applying, const struct apply_result *result)
{
	struct document facts = document_object(), items = document_list();
	const struct kept *kept = applying->findings->kept;
	document_put(&facts, "tree", document_text(kept->tree));
	document_put(&facts, "session", document_text(kept->session));
	document_put(&facts, "dry_run", document_flag(applying->order.flags & PINFOLD_APPLY_DRY_RUN));
	document_put(&facts, "done", document_flag(result->done));
	document_put(&facts, "applied", document_number(result->applied));
	document_put(&facts, "conflicts", document_number(result->conflicts));
	document_put(&facts, "risky", document_number(result->risky));
	document_put(&facts, "declined", document_number(result->declined));
	document_put(&facts, "never", document_number(result->never));
	for (size_t i = 0; i < result->count; i++) {
		struct document item = item_facts(applying, &result->items[i], result->done);
		document_add_document(&items, &item);
	}
	document_put_document(&facts, "changes", &items);
	return facts;
}

static const char *member(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	return json_is_object(value) ? json_string_value(json_object_get(value, "text")) :
				       json_string_value(value);
}

static size_t number(const json_t *facts, const char *name)
{
	return (size_t)json_integer_value(json_object_get(facts, name));
}

static void add_item(struct table *table, const json_t *item, bool said)
{
	const char *state = member(item, "state"), *reason = member(item, "reason");
	const char *risk = member(item, "risk");
	bool good = streq(state, "applied") || streq(state, "ready");
	bool renamed = streq(member(item, "kind"), change_kind_name(CHANGE_RENAMED));
	struct text why = { 0 }, name = { 0 };
	text_addf(&name, "%s%s%s", renamed ? member(item, "from") : "", renamed ? " -> " : "",
		  member(item, "path"));
	text_add(&why, json_is_true(json_object_get(item, "never")) ? "never applied: " : "");
	text_add(&why, !reason || streq(state, "risky") ? "" : reason);
	if (risk) {
		text_add(&why, why.length ? "; risky: " : "risky: ");
		text_add(&why, risk);
	}
	table_add(table, good ? PAINT_GOOD : said ? PAINT_FAINT : PAINT_BAD, state);
	table_add(table, PAINT_PLAIN, member(item, "kind"));
	table_add(table, PAINT_STRONG, name.data);
	table_add(table, PAINT_FAINT, why.data);
	table->failed = table->failed || why.failed || name.failed;
	text_release(&why);
	text_release(&name);
}

static void add_verdict(struct text *text, const json_t *facts)
{
	size_t applied = number(facts, "applied"), conflicts = number(facts, "conflicts");
	size_t risky = number(facts, "risky"), left = conflicts + risky + number(facts, "declined");
	bool done = json_is_true(json_object_get(facts, "done"));
	bool dry = json_is_true(json_object_get(facts, "dry_run"));
	if (json_array_size(json_object_get(facts, "changes")) == 0) {
		text_add(text, "there is nothing to apply\n");
		return;
	}
	if (applied == 0)
		text_add(text, dry ? "nothing can be applied\n" : "nothing was applied\n");
	else if (done || (dry && conflicts + risky == 0))
		text_addf(text, "%zu %s %s\n", applied, applied == 1 ? "change" : "changes",
			  dry ? "can be applied; nothing was written" : applied == 1 ? "is in the tree" : "are in the tree");
	else
		text_addf(text, "nothing was applied, of %zu that can be\n", applied);
	if (left > 0)
		text_addf(text, "%zu left: %zu in conflict, %zu risky, %zu declined\n", left, conflicts, risky,
			  number(facts, "declined"));
	if (conflicts > 0 && !done)
		text_add(text, "try: --partial to apply the rest, or bring the tree to where it was and apply again\n");
	if (risky > 0)
		text_add(text, "try: --allow-risky, or name what you have looked at; pinfold diff shows it\n");
}

/* The risky ones first; what simply was applied is counted, not listed, unless it was only tried. */
static void render(struct text *text, const json_t *facts, bool colour)
{
	struct table table = { .columns = 4 };
	bool dry = json_is_true(json_object_get(facts, "dry_run"));
	size_t index;
	json_t *item;
	json_array_foreach(json_object_get(facts, "changes"), index, item) {
		const char *state = member(item, "state");
		bool plain = !member(item, "risk") && (!member(item, "reason") || streq(state, "same")) &&
			     (streq(state, "applied") || streq(state, "ready") || streq(state, "same"));
		if (!plain || dry)
			add_item(&table, item, streq(state, "declined"));
	}
	table_draw(&table, colour, text);
	text->failed = text->failed || table.failed;
	table_release(&table);
	add_verdict(text, facts);
}

static int give(const struct applying *applying, const struct apply_result *result, uint32_t form,
		struct pinfold_applied *ret_result, char **ret_document, struct pinfold_error *err)
{
	const struct pinfold_applied applied = {
		.size = ret_result ? ret_result->size : 0, .done = result->done, .applied = result->applied,
		.conflicts = result->conflicts, .risky = result->risky, .declined = result->declined,
		.never = result->never,
	};
	if (ret_result)
		memcpy(ret_result, &applied, applied.size < sizeof(applied) ? applied.size : sizeof(applied));
	if (!ret_document)
		return 0;
	struct document facts = all_facts(applying, result);
	return present(&facts, form, render, ret_document, err);
}

/* --- doing it ------------------------------------------------------------------------------------- */
static const struct changes *changes_of(const struct findings *findings, const struct kept_part *part,
					const struct changes *none)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].part == part)
			return &findings->items[i].changes;
	return none;
}

/* All that is kept, also where nothing was asked for: the journal knows it by that. */
static int list_parts(struct applying *applying, struct pinfold_error *err)
{
	const struct kept *kept = applying->findings->kept;
	applying->parts = calloc(kept->count, sizeof(*applying->parts));
	if (!applying->parts)
		return fault_no_memory(err);
	for (size_t i = 0; i < kept->count; i++)
		applying->parts[i] = (struct apply_part){
			.path = kept->parts[i].path, .place_fd = kept->parts[i].place_fd,
			.held_fd = kept->parts[i].held_fd, .layer = kept->parts[i].layer,
			.slot_fd = kept->parts[i].slot_fd, .elsewhere = i > 0, .belongs = kept->parts[i].belongs,
			.changes = changes_of(applying->findings, &kept->parts[i], applying->none),
		};
	return 0;
}

static int run(struct applying *applying, struct apply_result *ret_result, struct pinfold_error *err)
{
	const struct kept *kept = applying->findings->kept;
	const struct pinfold_apply_order *asked = &applying->order;
	struct apply_order order = {
		.parts = applying->parts, .count = kept->count, .slot_fd = kept->slot.dir,
		.named = (const char *const *)applying->findings->paths.items,
		.risky = config_list(applying->pinfold->config, "session", "risky"),
		.limited = applying->findings->paths.count > 0,
		.partial = asked->flags & PINFOLD_APPLY_PARTIAL,
		.allow_risky = asked->flags & PINFOLD_APPLY_RISKY,
		.dry_run = asked->flags & PINFOLD_APPLY_DRY_RUN,
		.ask = asked->ask ? ask : NULL, .context = applying,
	};
	if (kept->parts[0].base.memory && bond_is_broken(kept->parts[0].base.header->bond, kept->parts[0].place_fd))
		return bond_refuse("apply what was changed", kept->tree, kept->session, err);
	auto_close int mark = pending_begin(kept);
	struct remedy remedy;
	if (mark < 0)
		return fault(err, PINFOLD_E_TREE, errno, "write down that changes are being applied", kept->tree,
			     remedy_in(&remedy, kept->slot.dir, "", errno,
				       "check the scratch directory ([filesystem] scratch)", ", and apply again"));
	if (apply_run(&order, ret_result, err) < 0)
		return -1;
	/* What is in both now changes with the tree from here on. Without this it would be told apart at the next
	 * run, if the tree has not changed it by then. */
	if (ret_result->done && !kept->parts[0].layer)
		kept_sync(applying->findings->kept, NULL);
	return 0;
}

int pinfold_apply(struct pinfold *pinfold, const struct pinfold_review *review,
		  const struct pinfold_apply_order *given, uint32_t form,
		  struct pinfold_applied *ret_result, char **ret_document, struct pinfold_error *err)
{
	static const struct changes none;
	struct findings findings;
	struct apply_result result = { 0 };
	struct applying applying = { .pinfold = pinfold, .findings = &findings, .none = &none };
	struct pinfold_error local = { 0 };
	if (read_order(given, &applying.order, err) < 0 || findings_open(pinfold, review, &findings, err) < 0)
		return -1;
	int outcome = list_parts(&applying, &local);
	if (outcome == 0)
		outcome = run(&applying, &result, &local);
	if (outcome == 0)
		outcome = give(&applying, &result, form, ret_result, ret_document, &local);
	if (outcome < 0 && err)
		*err = local;
	apply_result_release(&result);
	free(applying.parts);
	findings_close(&findings);
	return outcome;
}
