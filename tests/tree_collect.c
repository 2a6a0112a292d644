/* tests/tree_collect.c - what is removed of what is kept, and that nothing else ever is. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/collect.h"
#include "tree/copies.h"
#include "tree/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char slot[512];	/* of the last copy that was opened, relative to place.base */

static struct pinfold_copy *open_one(const char *session, bool layer)
{
	struct pinfold_copy *copy = NULL;
	struct pinfold_place_order order = { .size = sizeof(order), .session = session, .layer = layer };
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	snprintf(slot, sizeof(slot), "%s", copies_trees.temporary(copy) + strlen(place.base) + 1);
	*strrchr(slot, '/') = '\0';
	return copy;
}

static void run(const char *session, bool layer)
{
	copies_trees.close(open_one(session, layer), PINFOLD_COPY_KEEP);
}

/* A run that leaves a change. */
static void run_and_change(const char *session, bool layer)
{
	char path[4096];
	struct pinfold_copy *copy = open_one(session, layer);
	snprintf(path, sizeof(path), "%s/changed",
		 layer ? copies_trees.upper(copy) : copies_trees.directory(copy));
	place_write(path, "changed");
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
}

/* The last one was used so many days ago, and `more` seconds. */
static void let_lie_for(unsigned days, long more)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	place_set_time(place_path("%s/lock", slot), now.tv_sec - days * 86400L - more, 0);
}

static void let_lie(unsigned days)
{
	let_lie_for(days, 60);
}

static struct collection collect_all(bool dry_run, bool unapplied)
{
	struct collection collection = { 0 };
	struct collect_order order = { .dry_run = dry_run, .unapplied = unapplied };
	if (collect(place_config(), &order, &collection, &place.err) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return collection;
}

/* How many went; `why` of all of them. */
static unsigned collected(bool unapplied, enum collect_why why)
{
	struct collection collection = collect_all(false, unapplied);
	unsigned removed = 0;
	for (size_t i = 0; i < collection.count; i++) {
		if (!collection.items[i].removed)
			continue;
		assert_int_equal(collection.items[i].why, why);
		removed++;
	}
	assert_int_equal(collection.remain_count, 0);
	collect_release(&collection);
	return removed;
}

static bool is_there(void)
{
	return access(place_path("%s", slot), F_OK) == 0;
}

static void what_nobody_used_for_long_goes(void **state)
{
	(void)state;
	place.settings[0] = "copy.keep-days=30";
	for (int layer = 0; layer < 2; layer++) {
		run(NULL, layer);
		let_lie_for(30, -60);	/* at whatever hour */
		assert_int_equal(collected(false, COLLECT_AGE), 0);
		assert_true(is_there());
		let_lie(30);
		assert_int_equal(collected(false, COLLECT_AGE), 1);
		assert_false(is_there());
		assert_int_equal(place_count(place_path("s/t")), 0);
	}
}

static void days_of_nought_are_for_ever(void **state)
{
	(void)state;
	place.settings[0] = "copy.keep-days=0";
	run(NULL, false);
	let_lie(10000);
	assert_int_equal(collected(false, COLLECT_AGE), 0);
}

static void changes_that_are_not_applied_protect_a_session_from_limits_on_room(void **state)
{
	(void)state;
	place.settings[0] = "session.keep-bytes=1";
	run_and_change("changed", false);
	run("same", false);
	assert_int_equal(collected(false, COLLECT_BYTES), 1);
	assert_false(is_there());
	assert_int_equal(collected(true, COLLECT_BYTES), 1);
	assert_int_equal(place_count(place_path("s/t")), 0);
}

static void a_session_goes_by_age_only_where_one_is_configured(void **state)
{
	(void)state;
	place.settings[0] = "session.keep-days=100";
	run_and_change("mine", false);
	let_lie(99);
	assert_int_equal(collected(false, COLLECT_AGE), 0);
	let_lie(101);
	assert_int_equal(collected(false, COLLECT_AGE), 1);
	assert_false(is_there());
}

static void a_session_is_kept_for_ever_by_default(void **state)
{
	(void)state;
	run("mine", false);
	let_lie(10000);
	assert_int_equal(collected(true, COLLECT_AGE), 0);
	assert_true(is_there());
}

/* Three trees, the first of which was used longest ago. */
static void run_in_three_trees(const char *session)
{
	for (int i = 0; i < 3; i++) {
		snprintf(place.tree, sizeof(place.tree), "%s", place_path("tree%d", i));
		place_directory(place.tree);
		place_write(place_path("tree%d/f", i), "0123456789");
		run(session, false);
		let_lie((unsigned)(3 - i));
	}
}

static void of_too_many_the_least_recently_used_go(void **state)
{
	(void)state;
	place.settings[0] = "copy.keep-count=2";
	run_in_three_trees(NULL);
	assert_int_equal(collected(false, COLLECT_COUNT), 1);
	assert_int_equal(collected(false, COLLECT_COUNT), 0);
	snprintf(place.tree, sizeof(place.tree), "%s", place_path("tree0"));
	run(NULL, false);
	assert_int_equal(place.work.fresh, 1);
}

static void of_too_much_the_least_recently_used_go(void **state)
{
	(void)state;
	place.settings[0] = "copy.keep-bytes=100K";
	run_in_three_trees(NULL);
	char big[120000];
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(collected(false, COLLECT_BYTES), 0);
	place_write(place_path("tree2/big"), big);
	run(NULL, false);
	assert_int_equal(collected(false, COLLECT_BYTES), 1);
	assert_false(is_there());
}

static void changes_that_are_not_applied_protect_a_session(void **state)
{
	(void)state;
	place.settings[0] = "session.keep-count=1";
	for (int layer = 0; layer < 2; layer++) {
		run_and_change("changed", layer);
		let_lie(3);
		run("same", layer);
		let_lie(2);
		run("last", layer);
		assert_int_equal(collected(false, COLLECT_COUNT), 1);
		struct kept *kept = NULL;
		assert_int_equal(kept_open(place_config(), place.tree, "changed", &kept, &place.err), 0);
		kept_close(kept);
		run("last", layer);
		assert_int_equal(collected(true, COLLECT_COUNT), 1);
		assert_int_equal(kept_open(place_config(), place.tree, "changed", &kept, &place.err), -1);
		assert_int_equal(kept_discard(place_config(), place.tree, "last", &place.err), 0);
	}
}

static void a_copy_of_a_tree_that_is_gone_goes_and_a_changed_session_stays(void **state)
{
	(void)state;
	run(NULL, false);
	run(NULL, true);
	run_and_change("mine", false);
	place_remove(place.tree);
	assert_int_equal(collected(false, COLLECT_GONE), 2);
	assert_true(is_there());
	assert_int_equal(collected(true, COLLECT_GONE), 1);
	assert_false(is_there());
	place_directory(place.tree);
}

static void what_is_in_use_stays(void **state)
{
	(void)state;
	static const char *const sessions[] = { "mine", NULL };
	place.settings[0] = "session.keep-days=1";
	for (size_t i = 0; i < N_ELEMENTS(sessions); i++) {
		struct pinfold_copy *copy = open_one(sessions[i], false);
		let_lie(1000);
		struct collection collection = collect_all(false, true);
		assert_int_equal(collection.count, i + 1);
		unsigned busy = 0;
		for (size_t j = 0; j < collection.count; j++)
			busy += collection.items[j].busy;
		assert_int_equal(busy, 1);
		for (size_t j = 0; j < collection.count; j++)
			assert_false(collection.items[j].removed);
		collect_release(&collection);
		assert_true(is_there());
		copies_trees.close(copy, PINFOLD_COPY_KEEP);
	}
}

static void what_killed_runs_left_goes(void **state)
{
	(void)state;
	pid_t child = fork();
	if (child == 0) {
		struct pinfold_copy *copy = NULL;
		_exit(place_open(0, &copy) < 0 || place_sync(copy) < 0);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(collected(false, COLLECT_KILLED), 1);
	assert_int_equal(place_count(place_path("s/t")), 0);
}

static void a_dry_run_removes_nothing(void **state)
{
	(void)state;
	run(NULL, false);
	let_lie(1000);
	unsigned before = place_count(place_path("s"));
	struct collection collection = collect_all(true, false);
	assert_int_equal(collection.count, 1);
	assert_int_equal(collection.items[0].why, COLLECT_AGE);
	assert_false(collection.items[0].removed);
	assert_true(collection.items[0].bytes > 0);
	collect_release(&collection);
	assert_int_equal(place_count(place_path("s")), before);
}

/* --- a hostile copy ------------------------------------------------------------------------------- */
static void make_outside(void)
{
	place_directory(place_path("outside"));
	place_directory(place_path("outside/d"));
	place_write(place_path("outside/d/treasure"), "treasure");
	place_write(place_path("outside/lock"), "");
	place_write(place_path("outside/index"), "index");
	place_directory(place_path("outside/tree"));
	place_write(place_path("outside/tree/f"), "f");
	place_directory(place_path("outside/0"));
	place_write(place_path("outside/0/lock"), "");
	place_set_time(place_path("outside/lock"), 1, 0);
	place_set_time(place_path("outside/0/lock"), 1, 0);
	assert_int_equal(symlink(place.tree, place_path("outside/of")), 0);
}

static void assert_outside_untouched(void)
{
	auto_free char *treasure = place_read(place_path("outside/d/treasure"));
	assert_non_null(treasure);
	assert_string_equal(treasure, "treasure");
	assert_int_equal(place_count(place_path("outside")), 9);
	assert_int_equal(place_count(place.tree), 1);
}

/* A path in the slot, or that of something above it. */
static void replace_by_link(const char *path)
{
	assert_int_equal(rename(place_path("%s", path), place_path("moved")), 0);
	assert_int_equal(symlink(place_path("outside"), place_path("%s", path)), 0);
}

static const char *in_slot(const char *name)
{
	static char path[600];
	snprintf(path, sizeof(path), "%s/%s", slot, name);
	return path;
}

static const char *home(void)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s", slot);
	*strrchr(path, '/') = '\0';
	return path;
}

static void link_copy(void) { replace_by_link(in_slot("tree")); }
static void link_slot(void) { replace_by_link(slot); }
static void link_home(void) { replace_by_link(home()); }
static void link_homes(void) { replace_by_link("s/t"); }
static void link_trash(void)
{
	rmdir(place_path("s/gone"));
	assert_int_equal(symlink(place_path("outside"), place_path("s/gone")), 0);
}
static void link_lock(void)
{
	unlink(place_path("%s", in_slot("lock")));
	assert_int_equal(symlink(place_path("outside/lock"), place_path("%s", in_slot("lock"))), 0);
}
static void make_lock_a_fifo(void)
{
	unlink(place_path("%s", in_slot("lock")));
	assert_int_equal(mkfifo(place_path("%s", in_slot("lock")), 0600), 0);
	let_lie(1000);
}
static void make_lock_a_directory(void)
{
	unlink(place_path("%s", in_slot("lock")));
	place_directory(place_path("%s", in_slot("lock")));
	let_lie(1000);
}
static void lie_about_the_tree(void)
{
	unlink(place_path("%s/of", home()));
	assert_int_equal(symlink(place_path("outside"), place_path("%s/of", home())), 0);
}
static void make_the_tree_a_relative_name(void)
{
	unlink(place_path("%s/of", home()));
	assert_int_equal(symlink("../outside/missing", place_path("%s/of", home())), 0);
}
static void fill_with_links(void)
{
	place_directory(place_path("%s/tree/in", slot));
	assert_int_equal(symlink(place_path("outside"), place_path("%s/tree/in/out", slot)), 0);
	assert_int_equal(symlink("/", place_path("%s/tree/in/top", slot)), 0);
	assert_int_equal(symlink("..", place_path("%s/tree/in/up", slot)), 0);
	assert_int_equal(link(place_path("outside/d/treasure"), place_path("%s/tree/in/hard", slot)), 0);
	assert_int_equal(mkfifo(place_path("%s/tree/in/fifo", slot), 0600), 0);
}
static void fill_with_names(void)
{
	static const char *const names[] = { "\n", "\xff\xfe", " ", "-rf", "*", "\x1b[31m", "...", "~" };
	char longest[256];
	memset(longest, 'n', 255);
	longest[255] = '\0';
	place_directory(place_path("%s/tree/%s", slot, longest));
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		place_directory(place_path("%s/tree/%s/%s", slot, longest, names[i]));
		place_write(place_path("%s/tree/%s/%s/%s", slot, longest, names[i], names[i]), "f");
		chmod(place_path("%s/tree/%s/%s", slot, longest, names[i]), 0);
	}
	chmod(place_path("%s/tree", slot), 0555);
}
static void fill_with_depth(void)
{
	auto_close int at = open(place_path("%s/tree", slot), O_PATH | O_CLOEXEC);
	for (int depth = 0; depth < 2000; depth++) {
		assert_int_equal(mkdirat(at, "deep", 0755), 0);
		int next = openat(at, "deep", O_PATH | O_CLOEXEC);
		assert_true(next >= 0);
		close(at);
		at = next;
	}
}
static void add_strange_slots(void)
{
	place_directory(place_path("%s/=..", home()));
	place_directory(place_path("%s/-1", home()));
	place_directory(place_path("%s/99999999999999999999", home()));
	place_write(place_path("%s/7", home()), "a file");
	assert_int_equal(symlink(place_path("outside"), place_path("%s/8", home())), 0);
	assert_int_equal(symlink(place_path("outside"), place_path("%s/=out", home())), 0);
}
static void link_layers(void)
{
	assert_int_equal(symlink(place_path("outside"), place_path("%s", in_slot("layers"))), 0);
}

static void (*const mischief[])(void) = {
	link_copy, link_slot, link_home, link_homes, link_trash, link_lock, make_lock_a_fifo,
	make_lock_a_directory, lie_about_the_tree, make_the_tree_a_relative_name, fill_with_links,
	fill_with_names, fill_with_depth, add_strange_slots, link_layers,
};

/* By age, by number, by size, and with the tree gone as far as the home says. */
static void remove_by_every_rule(void)
{
	struct collect_order order = { .unapplied = true };
	struct collection collection = { 0 };
	if (collect(place_config(), &order, &collection, NULL) == 0)
		collect_release(&collection);
}

static void nothing_outside_is_removed_whatever_a_command_left(void **state)
{
	(void)state;
	static const char *const sessions[] = { NULL, "mine" };
	place.settings[0] = "copy.keep-days=1";
	place.settings[1] = "session.keep-days=1";
	place.settings[2] = "copy.keep-bytes=1";
	place.settings[3] = "session.keep-bytes=1";
	place_write(place_path("work/f"), "f");
	make_outside();
	for (size_t i = 0; i < N_ELEMENTS(mischief); i++)
		for (size_t j = 0; j < N_ELEMENTS(sessions); j++) {
			run(sessions[j], false);
			let_lie(1000);
			mischief[i]();
			remove_by_every_rule();
			assert_outside_untouched();
			kept_discard(place_config(), place.tree, sessions[j], NULL);
			assert_outside_untouched();
			place_remove(place_path("s"));
			place_remove(place_path("moved"));
		}
}

/* --- marks and mounts ------------------------------------------------------------------------------ */
static bool mark(const char *path, int flags)
{
	auto_close int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int before = 0;
	if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &before) < 0)
		return false;
	flags |= before & ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
	return ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
}

static bool is_marked(const char *path)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	int flags = 0;
	assert_int_equal(ioctl(fd, FS_IOC_GETFLAGS, &flags), 0);
	return flags & FS_IMMUTABLE_FL;
}

static void marks_that_forbid_changes_are_taken_away(void **state)
{
	(void)state;
	make_outside();
	place_write(place_path("work/f"), "f");
	run(NULL, false);
	place_directory(place_path("%s/tree/d", slot));
	place_directory(place_path("%s/tree/d/e", slot));
	place_write(place_path("%s/tree/d/e/g", slot), "g");
	place_write(place_path("%s/tree/d/h", slot), "h");
	assert_int_equal(link(place_path("outside/d/treasure"), place_path("%s/tree/d/hard", slot)), 0);
	let_lie(1000);
	if (!mark(place_path("%s/tree/d/h", slot), FS_APPEND_FL)) {
		print_message("no right to mark files here, or the file system has no marks\n");
		skip();
	}
	assert_true(mark(place_path("%s/tree/d/e/g", slot), FS_IMMUTABLE_FL));
	assert_true(mark(place_path("outside/d/treasure"), FS_IMMUTABLE_FL));
	static const char *const marked[] = { "tree/d/e", "tree/d", "tree", "lock", "" };
	for (size_t i = 0; i < N_ELEMENTS(marked); i++)
		assert_true(mark(place_path("%s/%s", slot, marked[i]), i == 1 ? FS_APPEND_FL : FS_IMMUTABLE_FL));
	unsigned removed = collected(false, COLLECT_AGE);
	bool kept_its_mark = is_marked(place_path("outside/d/treasure"));
	mark(place_path("outside/d/treasure"), 0);
	assert_outside_untouched();
	assert_int_equal(removed, 1);
	assert_true(kept_its_mark);
	assert_int_equal(place_count(place_path("s/gone")), 0);
	assert_int_equal(place_count(place_path("s/t")), 0);
}

/* In a mount namespace of its own. 0 when all is as it should be, 2 where nothing can be mounted. */
static int collect_around_mounts(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return 2;
	make_outside();
	run(NULL, false);
	place_directory(place_path("%s/tree/in", slot));
	place_directory(place_path("%s/tree/in/mnt", slot));
	place_write(place_path("%s/tree/in/file", slot), "");
	let_lie(1000);
	if (mount(place_path("outside"), place_path("%s/tree/in/mnt", slot), NULL, MS_BIND, NULL) < 0 ||
	    mount(place_path("outside/d/treasure"), place_path("%s/tree/in/file", slot), NULL, MS_BIND,
		  NULL) < 0)
		return 2;
	struct collection collection = collect_all(false, false);
	assert_outside_untouched();
	assert_int_equal(collection.remain_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct collect_remain *remain = &collection.remains[i];
		assert_true(ends_with(remain->path, "/mnt") || ends_with(remain->path, "/file"));
		assert_int_equal(remain->why, EBUSY);
		assert_int_equal(umount2(remain->path, MNT_DETACH), 0);
	}
	collect_release(&collection);
	assert_int_equal(collected(false, COLLECT_AGE), 0);
	assert_int_equal(place_count(place_path("s/gone")), 0);
	run(NULL, false);
	let_lie(1000);
	if (mount(place_path("outside"), place_path("%s", slot), NULL, MS_BIND, NULL) < 0)
		return 2;
	collection = collect_all(false, false);
	collect_release(&collection);
	kept_discard(place_config(), place.tree, NULL, NULL);
	run(NULL, false);
	umount2(place_path("%s", slot), MNT_DETACH);
	assert_outside_untouched();
	return 0;
}

static void what_is_mounted_is_not_entered_and_is_named(void **state)
{
	(void)state;
	place_write(place_path("work/f"), "f");
	place_config();
	pid_t child = fork();
	if (child == 0)
		_exit(collect_around_mounts());
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2) {
		print_message("nothing can be mounted here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define COLLECT_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECT_TEST(what_nobody_used_for_long_goes),
		COLLECT_TEST(days_of_nought_are_for_ever),
		COLLECT_TEST(a_session_goes_by_age_only_where_one_is_configured),
		COLLECT_TEST(a_session_is_kept_for_ever_by_default),
		COLLECT_TEST(of_too_many_the_least_recently_used_go),
		COLLECT_TEST(of_too_much_the_least_recently_used_go),
		COLLECT_TEST(changes_that_are_not_applied_protect_a_session),
		COLLECT_TEST(changes_that_are_not_applied_protect_a_session_from_limits_on_room),
		COLLECT_TEST(a_copy_of_a_tree_that_is_gone_goes_and_a_changed_session_stays),
		COLLECT_TEST(what_is_in_use_stays),
		COLLECT_TEST(what_killed_runs_left_goes),
		COLLECT_TEST(a_dry_run_removes_nothing),
		COLLECT_TEST(nothing_outside_is_removed_whatever_a_command_left),
		COLLECT_TEST(marks_that_forbid_changes_are_taken_away),
		COLLECT_TEST(what_is_mounted_is_not_entered_and_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
