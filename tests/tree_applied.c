/* tests/tree_applied.c - applying what differs in the copy of a test's tree. */
#include "config.h"

#include "tree_applied.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

struct apply_order applied_order;
struct apply_result applied;
static struct text left;

static bool layer;

void applied_start(enum found_view view)
{
	place_let_age();
	found_start(view);
	layer = view != FOUND_COPY;
}

static int in_shell(const char *directory, const char *script)
{
	char line[16384];
	snprintf(line, sizeof(line), "cd '%s' && { %s\n}", directory, script);
	return system(line);
}

static int command(void *script)
{
	return in_shell(found_in(""), script) == 0 ? 0 : -1;
}

void applied_command(const char *script)
{
	char copy[8192];
	snprintf(copy, sizeof(copy), "%s", script);
	found_run(command, copy);
}

void applied_meanwhile(const char *script)
{
	assert_int_equal(in_shell(place.tree, script), 0);
}

static void close_all(void);

void applied_release(void)
{
	close_all();
	apply_result_release(&applied);
	found_release();
	text_release(&left);
	applied_order = (struct apply_order){ 0 };
}

static int open_slot(void)
{
	char slot[4096];
	if (layer)
		return open(place_path("slot"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(slot, sizeof(slot), "%.*s", (int)(strrchr(found_held, '/') - found_held), found_held);
	return open(slot, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static struct apply_part open_part(void)
{
	return (struct apply_part){
		.path = place.tree,
		.place_fd = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.held_fd = open(found_held, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.slot_fd = open_slot(),
		.layer = layer,
		.changes = &found,
	};
}

static struct apply_part looked_at = { .place_fd = -1, .held_fd = -1, .slot_fd = -1 };
static int slot_of_it = -1;

static void close_all(void)
{
	cleanup_fd(&looked_at.place_fd);
	cleanup_fd(&looked_at.held_fd);
	cleanup_fd(&looked_at.slot_fd);
	cleanup_fd(&slot_of_it);
	looked_at.place_fd = looked_at.held_fd = looked_at.slot_fd = slot_of_it = -1;
}

void applied_find(void)
{
	apply_result_release(&applied);
	found_changes(NULL);
	close_all();
	looked_at = open_part();
	slot_of_it = open_slot();
}

int applied_apply(void)
{
	applied_order.parts = &looked_at;
	applied_order.count = 1;
	applied_order.slot_fd = slot_of_it;
	place.err = (struct pinfold_error){ 0 };
	return apply_run(&applied_order, &applied, &place.err);
}

int applied_run(void)
{
	applied_find();
	return applied_apply();
}

int applied_recover(void)
{
	struct apply_part part = open_part();
	auto_close int place_fd = part.place_fd, held_fd = part.held_fd, slot_fd = part.slot_fd;
	(void)place_fd;
	(void)held_fd;
	return apply_recover(&part, 1, slot_fd, &place.err);
}

const char *applied_left(void)
{
	text_release(&left);
	text_add(&left, "");
	for (size_t i = 0; i < applied.count; i++)
		if (applied.items[i].state != APPLY_READY)
			text_addf(&left, "%s %s\n", apply_state_name(applied.items[i].state),
				  applied.items[i].change->path);
	return left.data;
}

const char *applied_in(const char *format, ...)
{
	static char rooms[8][8192];
	static unsigned next;
	char *room = rooms[next++ % 8];
	int start = snprintf(room, sizeof(rooms[0]), "%s/", found_held);
	va_list list;
	va_start(list, format);
	vsnprintf(room + start, sizeof(rooms[0]) - (size_t)start, format, list);
	va_end(list);
	return room;
}

const char *applied_at(const char *format, ...)
{
	static char rooms[8][8192];
	static unsigned next;
	char *room = rooms[next++ % 8];
	int start = snprintf(room, sizeof(rooms[0]), "%s/", place.tree);
	va_list list;
	va_start(list, format);
	vsnprintf(room + start, sizeof(rooms[0]) - (size_t)start, format, list);
	va_end(list);
	return room;
}

static bool met;

static int meet(const char *path, const struct stat *found_stat, int type, struct FTW *walk)
{
	(void)found_stat;
	(void)type;
	met = met || starts_with(path + walk->base, ".pinfold-");
	return 0;
}

bool applied_left_something(void)
{
	auto_close int slot_fd = open_slot();
	met = false;
	nftw(place.tree, meet, 16, FTW_PHYS);
	return met || apply_is_pending(slot_fd);
}
