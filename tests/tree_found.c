/* tests/tree_found.c - the changes of a copy or a layer as text, one line for each. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>

struct changes found;

char found_copy[4096];
static struct text lines;

const char *found_start(void)
{
	const char *directory = place_once(0);
	if (!directory)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	snprintf(found_copy, sizeof(found_copy), "%s", directory);
	return found_copy;
}

void found_release(void)
{
	changes_release(&found);
	text_release(&lines);
}

static void add_line(const struct change *change)
{
	text_addf(&lines, "%s %s", change_kind_name(change->kind), *change->path ? change->path : ".");
	text_add(&lines, change->what & CHANGED_CONTENT ? " content" : "");
	text_add(&lines, change->what & CHANGED_MODE ? " mode" : "");
	text_add(&lines, change->what & CHANGED_ATTRIBUTES ? " attributes" : "");
	text_add(&lines, change->what & CHANGED_TARGET ? " target" : "");
	if (change->from)
		text_addf(&lines, " < %s", change->from);
	if (change->linked)
		text_addf(&lines, " = %s", change->linked);
	text_add(&lines, "\n");
}

const char *found_between(const char *at, const char *held, bool layer, const struct index *base,
			  const char *const *paths)
{
	auto_close int place_fd = open(at, O_PATH | O_DIRECTORY | O_CLOEXEC);
	auto_close int held_fd = open(held, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct changes_order order = {
		.place = at,
		.place_fd = place_fd,
		.held_fd = held_fd,
		.layer = layer,
		.base = base,
		.paths = paths,
		.processors = 2,
	};
	found_release();
	if (changes_find(&order, &found, &place.err) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	text_add(&lines, "");
	for (size_t i = 0; i < found.count; i++)
		add_line(&found.items[i]);
	assert_false(lines.failed);
	return lines.data;
}

const char *found_changes(const char *const *paths)
{
	char slot[4096];
	struct index base = { 0 };
	snprintf(slot, sizeof(slot), "%.*s", (int)(strrchr(found_copy, '/') - found_copy), found_copy);
	auto_close int fd = open(slot, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(index_load(fd, "index", &base), 0);
	const char *text = found_between(place.tree, found_copy, false, &base, paths);
	index_release(&base);
	return text;
}
