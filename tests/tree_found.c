/* tests/tree_found.c - operations on a copy, or through an overlay, and the changes they leave as text. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

const char *const found_view_names[FOUND_VIEWS] = { "copy", "layer of a user", "layer of root" };

struct changes found;
char found_held[4096];

static enum found_view view;
static char top[4096];	/* where found_in leads */
static struct text lines;

static int write_file(const char *path, const char *text)
{
	auto_close int fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

/* Namespaces in which the caller may mount. */
static int enter(enum found_view which)
{
	char map[64];
	uid_t user = geteuid();
	gid_t group = getegid();
	if (which == FOUND_ROOT_LAYER)
		return unshare(CLONE_NEWNS) < 0 ||
				       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -1 : 0;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -1;
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", user);
	if (write_file("/proc/self/uid_map", map) < 0)
		return -1;
	snprintf(map, sizeof(map), "0 %u 1", group);
	return write_file("/proc/self/gid_map", map);
}

static int lay(enum found_view which)
{
	char options[2048];
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s/upper,workdir=%s/work-of-it,%s",
		 place.tree, place.base, place.base,
		 which == FOUND_ROOT_LAYER ? "redirect_dir=off,metacopy=off,index=off" : "userxattr");
	return mount("overlay", top, "overlay", 0, options);
}

static int in_child(int (*operate)(void *), void *context, enum found_view which)
{
	pid_t child = fork();
	if (child == 0) {
		if (enter(which) < 0 || lay(which) < 0)
			_exit(77);
		_exit(operate(context) == 0 ? 0 : 1);
	}
	int status = 0;
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int do_nothing(void *context)
{
	(void)context;
	return 0;
}

static void make_layer(void)
{
	snprintf(top, sizeof(top), "%s/shown", place.base);
	snprintf(found_held, sizeof(found_held), "%s/upper", place.base);
	mkdir(top, 0755);
	mkdir(found_held, 0755);
	mkdir(place_path("work-of-it"), 0755);
	mkdir(place_path("slot"), 0755);
}

const char *found_lacks(enum found_view which)
{
	if (which == FOUND_COPY)
		return NULL;
	if (which == FOUND_ROOT_LAYER && geteuid() != 0)
		return "the rights of root";
	assert_int_equal(place_set_up(NULL), 0);
	make_layer();
	int status = in_child(do_nothing, NULL, which);
	assert_int_equal(place_tear_down(NULL), 0);
	return status == 0 ? NULL : "overlays that may be mounted here";
}

void found_start(enum found_view which)
{
	view = which;
	if (view != FOUND_COPY) {
		make_layer();
		return;
	}
	const char *directory = place_once(0);
	if (!directory)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	snprintf(top, sizeof(top), "%s", directory);
	snprintf(found_held, sizeof(found_held), "%s", directory);
}

const char *found_in(const char *name)
{
	static char rooms[8][16384];
	static unsigned next;
	char *room = rooms[next++ % 8];
	snprintf(room, sizeof(rooms[0]), "%s%s%s", top, *name ? "/" : "", name);
	return room;
}

static void open_order(struct changes_order *order)
{
	*order = (struct changes_order){
		.place = place.tree,
		.place_fd = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.held_fd = open(found_held, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.layer = view != FOUND_COPY,
		.processors = 2,
	};
	assert_true(order->place_fd >= 0 && order->held_fd >= 0);
}

static int open_slot(void)
{
	if (view != FOUND_COPY)
		return open(place_path("slot"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	char slot[4096];
	snprintf(slot, sizeof(slot), "%.*s", (int)(strrchr(found_held, '/') - found_held), found_held);
	return open(slot, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void settle(int64_t began)
{
	struct changes_order order;
	struct index old = { 0 };
	auto_close int slot = open_slot();
	open_order(&order);
	index_load(slot, "index", &old);
	struct layer_order settling = { place.tree, order.place_fd, order.held_fd, slot, &old, began, false };
	if (layer_settle(&settling, "next", &place.err) < 0)
		fail_msg("cannot %s: %s (%d)", place.err.action, place.err.subject, place.err.sys);
	assert_int_equal(renameat(slot, "next", slot, "index"), 0);
	index_release(&old);
	close(order.place_fd);
	close(order.held_fd);
}

void found_run(int (*operate)(void *), void *context)
{
	int64_t began = stamp_now();
	int status = view == FOUND_COPY ? operate(context) : in_child(operate, context, view);
	if (status != 0)
		fail_msg("an operation on a %s failed (%d)", found_view_names[view], status);
	if (view != FOUND_COPY)
		settle(began);
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
	text_add(&lines, change->before.unsure ? " unsure" : "");
	if (change->from)
		text_addf(&lines, " < %s", change->from);
	if (change->linked)
		text_addf(&lines, " = %s", change->linked);
	text_add(&lines, "\n");
}

const char *found_changes(const char *const *paths)
{
	struct changes_order order;
	struct index base = { 0 };
	auto_close int slot = open_slot();
	open_order(&order);
	assert_int_equal(index_load(slot, "index", &base), 0);
	order.base = &base;
	order.paths = paths;
	found_release();
	if (changes_find(&order, &found, &place.err) < 0)
		fail_msg("cannot %s: %s (%d)", place.err.action, place.err.subject, place.err.sys);
	text_add(&lines, "");
	for (size_t i = 0; i < found.count; i++)
		add_line(&found.items[i]);
	assert_false(lines.failed);
	index_release(&base);
	close(order.place_fd);
	close(order.held_fd);
	return lines.data;
}
