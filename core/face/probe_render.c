/* face/probe_render.c - what probing found, for a person: a table of axes and arms, what to do about each refusal, and
 * then the small print. */
#include "config.h"

#include "face/probe_render.h"

#include "face/present.h"
#include "face/views.h"

#include <pinfold/arm.h>

static const char *const axes[] = {
#define AXIS(NAME, name, kept, noun) name,
	PINFOLD_AXES(AXIS)
#undef AXIS
};

static bool is_available(const json_t *arm)
{
	return json_is_true(json_object_get(arm, "available"));
}

static size_t count_available(const json_t *arms)
{
	size_t count = 0, index;
	json_t *arm;
	json_array_foreach(arms, index, arm)
		count += is_available(arm);
	return count;
}

static const json_t *promise_of(const json_t *arm, const char *axis)
{
	return json_object_get(json_object_get(arm, "promises"), axis);
}

static void add_answer(struct table *table, const json_t *promise)
{
	bool kept = json_is_true(json_object_get(promise, "kept")), limited = !json_is_null(json_object_get(promise, "note"));
	table_add(table, kept ? PAINT_GOOD : PAINT_BAD, !kept ? "-" : limited ? "kept *" : "kept");
}

static void draw_table(struct text *text, const json_t *arms, bool colour)
{
	struct table table = { .columns = 1 + count_available(arms) };
	struct text room = { 0 };
	size_t index;
	json_t *arm;
	table_add(&table, PAINT_FAINT, "promise");
	json_array_foreach(arms, index, arm)
		if (is_available(arm))
			table_add(&table, PAINT_STRONG, present_member(&room, arm, "name"));
	for (size_t axis = 0; axis < N_ELEMENTS(axes); axis++) {
		table_add(&table, PAINT_PLAIN, axes[axis]);
		json_array_foreach(arms, index, arm)
			if (is_available(arm))
				add_answer(&table, promise_of(arm, axes[axis]));
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

/* Only what more is to be known of it than the table says. */
static void draw_limits(struct text *text, const json_t *arm, bool colour)
{
	struct table table = { .columns = 2, .indent = "  " };
	struct text room = { 0 }, limit = { 0 };
	text_add(text, "\n");
	paint_add(text, colour, PAINT_STRONG, present_member(&room, arm, "name"));
	text_add(text, "\n");
	for (size_t axis = 0; axis < N_ELEMENTS(axes); axis++) {
		const json_t *promise = promise_of(arm, axes[axis]);
		const char *note = present_member(&room, promise, "note");
		if (!note[0])
			continue;
		text_release(&limit);
		text_addf(&limit, "%s%s", json_is_true(json_object_get(promise, "kept")) ? "kept, but " : "", note);
		present_row(&table, axes[axis], limit.data ? limit.data : "");
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
	text_release(&limit);
}

static void draw_refusals(struct text *text, const json_t *arms, bool colour)
{
	struct table table = { .columns = 2, .indent = "  " };
	struct text room = { 0 };
	size_t index;
	json_t *arm;
	if (count_available(arms) == json_array_size(arms))
		return;
	text_add(text, "\nNot to be had here:\n");
	json_array_foreach(arms, index, arm) {
		if (is_available(arm))
			continue;
		struct text name = { 0 };
		present_row(&table, present_member(&name, arm, "name"), present_member(&room, arm, "missing"));
		present_row(&table, "  do:", present_member(&room, arm, "lift"));
		text_release(&name);
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

/* What a run gets, or whether all that was asked for is kept. */
static void draw_choice(struct text *text, const json_t *facts, bool colour)
{
	struct text room = { 0 }, line = { 0 };
	const char *require = present_member(&room, facts, "require"),
		   *holder = json_string_value(json_object_get(facts, "holder"));
	if (require[0])
		text_addf(&line, "%s keeps all of: %s", holder ? holder : "No preferred arm", require);
	else if (holder)
		text_addf(&line, "A run takes %s.  * with a limit, told below", holder);
	else
		text_add(&line, "No preferred arm can be had: a run is refused.");
	text_add(text, "\n");
	paint_add(text, colour, holder ? PAINT_GOOD : PAINT_BAD, line.data ? line.data : "");
	text_add(text, "\n");
	text->failed = text->failed || line.failed;
	text_release(&room);
	text_release(&line);
}

void probe_render(struct text *text, const json_t *facts, bool colour)
{
	const json_t *arms = json_object_get(facts, "arms");
	size_t index;
	json_t *arm;
	if (count_available(arms) > 0)
		draw_table(text, arms, colour);
	draw_choice(text, facts, colour);
	draw_refusals(text, arms, colour);
	json_array_foreach(arms, index, arm)
		if (is_available(arm))
			draw_limits(text, arm, colour);
	views_render(text, json_object_get(facts, "views"), colour);
}
