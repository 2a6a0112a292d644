/* tests/tree_faults.c - a copy is whole or it is not there: budgets, full disks, kills, and locks. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *expect(void)
{
	const char *found = place_once(0);
	if (!found)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return found;
}

/* How many copies there are, and how much waits to be removed. */
static unsigned copies_left(void)
{
	unsigned left = 0;
	char path[1024];
	snprintf(path, sizeof(path), "ls -d '%s'/t/*/[0-9]* '%s'/gone/* 2>/dev/null", place.scratch,
		 place.scratch);
	FILE *found = popen(path, "r");
	for (int byte; (byte = fgetc(found)) != EOF;)
		left += byte == '\n';
	pclose(found);
	return left;
}

static void assert_refused(const char *subject, const char *recovery)
{
	struct pinfold_copy *copy = NULL;
	memset(&place.err, 0, sizeof(place.err));
	assert_int_equal(place_open(0, &copy), 0);
	assert_int_equal(place_sync(copy), -1);
	if (!strstr(place.err.subject, subject))
		fail_msg("%s: not “%s”", place.err.subject, subject);
	if (!strstr(place.err.recovery, recovery))
		fail_msg("%s: not “%s”", place.err.recovery, recovery);
	bool budget = strstr(place.err.subject, "past the budget");
	assert_int_equal(place.err.code, budget ? PINFOLD_E_BUDGET : PINFOLD_E_TREE);
	assert_int_equal(copies_left(), 0);
	place_close(copy, PINFOLD_COPY_KEEP);
	assert_int_equal(copies_left(), 0);
}

static void a_tree_within_the_budget_of_files_is_copied_and_one_past_it_refused(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-files=1000";
	for (int i = 0; i < 10; i++) {
		place_directory(place_path("work/%d", i));
		for (int j = 0; j < 99; j++)
			place_write(place_path("work/%d/%d", i, j), "");
	}
	expect();
	assert_int_equal(place.work.walked, 1000);
	for (int j = 0; j < 234; j++)
		place_directory(place_path("work/0/more%d", j));
	assert_refused("1,234 files, past the budget of 1,000", "max-files");
	for (int j = 0; j < 234; j++)
		rmdir(place_path("work/0/more%d", j));
	expect();
}

static void a_tree_within_the_budget_of_bytes_is_copied_and_one_past_it_refused(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-bytes=1048576";
	auto_close int fd = open(place_path("work/f"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	auto_free char *bytes = calloc(1, 1 << 20);
	memset(bytes, 'x', 1 << 20);
	assert_int_equal(pwrite(fd, bytes, 1 << 20, 0), 1 << 20);
	expect();
	assert_int_equal(place.work.bytes, 1 << 20);
	place_write(place_path("work/one"), "1");
	assert_refused("1,048,577 bytes, past the budget of 1,048,576", "max-bytes");
	unlink(place_path("work/one"));
	auto_close int sparse = open(place_path("work/sparse"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(sparse, 1 << 30), 0);
	expect();	/* holes do not count */
}

static void a_tree_within_the_budget_of_depth_is_copied_and_one_past_it_refused(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-depth=64";
	char path[1024];
	size_t at = (size_t)snprintf(path, sizeof(path), "%s", place.tree);
	for (int depth = 0; depth < 64; depth++) {
		at += (size_t)snprintf(path + at, sizeof(path) - at, "/d");
		place_directory(path);
	}
	place_write(place_path("%s/f", path + strlen(place.base) + 1), "");
	expect();
	for (int depth = 64; depth < 70; depth++) {
		at += (size_t)snprintf(path + at, sizeof(path) - at, "/d");
		place_directory(path);
	}
	assert_refused("70 levels of directories, past the budget of 64", "max-depth");
}

static void a_tree_that_grew_past_a_budget_leaves_no_copy(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-files=2";
	place_write(place_path("work/a"), "");
	place_write(place_path("work/b"), "");
	expect();
	assert_int_equal(copies_left(), 1);
	place_write(place_path("work/c"), "");
	assert_refused("3 files", "max-files");
}

static void what_cannot_be_read_is_named(void **state)
{
	(void)state;
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/closed"), "x");
	chmod(place_path("work/d/closed"), 0);
	if (geteuid() == 0) {
		print_message("root reads everything: the copy has it too\n");
		place_assert_equal(place.tree, expect());
		return;
	}
	assert_refused("/work/d/closed", "readable");
	chmod(place_path("work/d/closed"), 0600);
	chmod(place_path("work/d"), 0300);
	assert_refused("/work/d", "readable");
	chmod(place_path("work/d"), 0600);
	assert_refused("/work/d/closed", "readable");
	chmod(place_path("work/d"), 0700);
	expect();
}

static void a_limit_on_file_sizes_is_an_error_and_not_the_end(void **state)
{
	(void)state;
	struct rlimit before, limit;
	place_write(place_path("work/a"), "small");
	assert_int_equal(truncate(place_path("work/a"), 0), 0);
	auto_free char *bytes = calloc(1, 300000);
	memset(bytes, 'x', 299999);
	place_write(place_path("work/large"), bytes);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 100000;
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_refused("/work/large", "ulimit -f");
	assert_int_equal(place.err.sys, EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	expect();
}

static void a_limit_on_open_files_is_an_error_that_says_so(void **state)
{
	(void)state;
	struct rlimit before, limit;
	unsigned failures = 0, successes = 0;
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/f"), "x");
	expect();	/* the configuration is read */
	place_remove(place.scratch);
	getrlimit(RLIMIT_NOFILE, &before);
	for (rlim_t most = 3; most < 40; most++) {
		struct pinfold_copy *copy = NULL;
		limit = before;
		limit.rlim_cur = most;
		setrlimit(RLIMIT_NOFILE, &limit);
		memset(&place.err, 0, sizeof(place.err));
		int result = place_open(0, &copy);
		if (result == 0)
			result = place_sync(copy);
		place_close(copy, PINFOLD_COPY_RETIRE);
		setrlimit(RLIMIT_NOFILE, &before);
		successes += result == 0;
		failures += result < 0;
		assert_true(result == 0 || place.err.sys == EMFILE);
	}
	assert_true(failures > 0 && successes > 0);
	expect();
	assert_int_equal(copies_left(), 1);
}

/* In a child, so that its mount goes with it. 0 passed, 1 not, 2 no mount to be had. */
static int fill_a_small_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return 2;
	mkdir(place.scratch, 0700);
	if (mount("tmpfs", place.scratch, "tmpfs", 0, "size=1m,mode=0700") < 0)
		return 2;
	struct pinfold_copy *copy = NULL;
	if (place_open(0, &copy) < 0 || place_sync(copy) == 0 || place.err.sys != ENOSPC ||
	    !strstr(place.err.recovery, place.scratch) || copies_left() != 0)
		return 1;
	place_close(copy, PINFOLD_COPY_KEEP);
	unlink(place_path("work/large5"));
	unlink(place_path("work/large6"));
	unlink(place_path("work/large7"));
	return place_once(0) ? 0 : 1;
}

static void a_full_disk_leaves_no_half_copy(void **state)
{
	(void)state;
	auto_free char *bytes = calloc(1, 150000);
	memset(bytes, 'x', 149999);
	for (int i = 0; i < 8; i++)
		place_write(place_path("work/large%d", i), bytes);
	pid_t child = fork();
	if (child == 0)
		_exit(fill_a_small_disk());
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2) {
		print_message("no file system can be mounted here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Two copies at once, both to be kept; how many are. */
static unsigned copies_left_of_two(void)
{
	struct pinfold_copy *first = NULL, *second = NULL;
	assert_int_equal(place_open(0, &first), 0);
	assert_int_equal(place_open(0, &second), 0);
	assert_int_equal(place_sync(first), 0);
	assert_int_equal(place_sync(second), 0);
	assert_int_equal(place.work.fresh, 1);
	assert_int_equal(copies_left(), 2);
	place_close(second, PINFOLD_COPY_KEEP);
	place_close(first, PINFOLD_COPY_KEEP);
	unsigned left = copies_left();
	expect();
	assert_int_equal(place.work.fresh, 0);
	return left;
}

static void two_runs_at_once_have_two_copies_and_both_are_kept(void **state)
{
	(void)state;
	place_write(place_path("work/f"), "f");
	assert_int_equal(copies_left_of_two(), 2);
}

static void no_more_copies_are_kept_than_are_configured(void **state)
{
	(void)state;
	place.settings[0] = "copy.kept=1";
	place_write(place_path("work/f"), "f");
	assert_int_equal(copies_left_of_two(), 1);
}

static void of_a_large_tree_only_the_first_copy_is_kept(void **state)
{
	(void)state;
	for (int i = 0; i < 10001; i++)
		place_write(place_path("work/%d", i), "");
	assert_int_equal(copies_left_of_two(), 1);
}

static void a_copy_that_was_left_is_free_although_a_fork_has_its_lock(void **state)
{
	(void)state;
	struct pinfold_copy *copy = NULL;
	place_write(place_path("work/f"), "f");
	assert_int_equal(place_open(0, &copy), 0);
	assert_int_equal(place_sync(copy), 0);
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	place_close(copy, PINFOLD_COPY_KEEP);
	expect();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(place.work.fresh, 0);
	assert_int_equal(copies_left(), 1);
}

static void a_retired_copy_is_removed(void **state)
{
	(void)state;
	struct pinfold_copy *copy = NULL;
	place_write(place_path("work/f"), "f");
	expect();
	assert_int_equal(place_open(0, &copy), 0);
	assert_int_equal(place_sync(copy), 0);
	place_close(copy, PINFOLD_COPY_RETIRE);
	assert_int_equal(copies_left(), 0);
	expect();
	assert_int_equal(place.work.fresh, 1);
	place_close(NULL, PINFOLD_COPY_KEEP);
}

static void a_copy_can_be_synced_again_while_it_is_open(void **state)
{
	(void)state;
	struct pinfold_copy *copy = NULL;
	place_write(place_path("work/f"), "f");
	assert_int_equal(place_open(0, &copy), 0);
	assert_int_equal(place_sync(copy), 0);
	place_write(place_path("work/g"), "g");
	assert_int_equal(place_sync(copy), 0);
	assert_int_equal(place.work.created, 1);
	assert_int_equal(place.work.fresh, 0);
	place_close(copy, PINFOLD_COPY_KEEP);
	place_assert_equal(place.tree, expect());
}

static void make_many(void)
{
	for (int i = 0; i < 20; i++) {
		place_directory(place_path("work/d%d", i));
		for (int j = 0; j < 4; j++)
			place_write(place_path("work/d%d/%d", i, j), "content");
	}
}

static void run_and_kill(unsigned microseconds)
{
	pid_t child = fork();
	if (child == 0) {
		place_once(0);
		for (;;)
			pause();
	}
	usleep(microseconds);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void the_copy_of_a_killed_run_is_replaced_by_the_next(void **state)
{
	(void)state;
	place.settings[0] = "copy.threads=2";
	make_many();
	srand(20);
	unsigned reaped = 0;
	for (int i = 0; i < 50; i++) {
		if (i % 5 == 4)	/* what a kept copy has to do is little: give it something */
			place_write(place_path("work/d%d/0", i % 20), i % 2 ? "one" : "another");
		if (i % 2)
			place_remove(place.scratch);
		run_and_kill((unsigned)(rand() % (i % 2 ? 8000 : 2000)));
		const char *copy = expect();
		reaped += place.work.fresh;
		place_assert_equal(place.tree, copy);
		assert_int_equal(copies_left(), 1);
	}
	assert_true(reaped > 5);
}

static void a_scratch_root_below_the_tree_is_not_copied_into_itself(void **state)
{
	(void)state;
	assert_int_equal(rmdir(place.tree), 0);
	assert_int_equal(symlink(".", place_path("alias")), 0);
	place_directory(place_path("f"));
	place_write(place_path("f/g"), "g");
	snprintf(place.tree, sizeof(place.tree), "%s", place.base);
	snprintf(place.scratch, sizeof(place.scratch), "%s/alias/f/../alias/s", place.base);
	for (int i = 0; i < 3; i++) {
		expect();
		assert_int_equal(place.work.skipped, 1);
		assert_true(place.work.walked < 10);
	}
}

static void the_scratch_root_itself_is_no_tree(void **state)
{
	(void)state;
	struct pinfold_copy *copy = NULL;
	expect();
	snprintf(place.tree, sizeof(place.tree), "%s", place.scratch);
	assert_int_equal(place_open(0, &copy), -1);
	snprintf(place.tree, sizeof(place.tree), "%.200s/t", place.scratch);
	assert_int_equal(place_open(0, &copy), -1);
	assert_string_equal(place.err.subject, place.tree);
}

static void what_is_no_directory_of_files_is_no_tree(void **state)
{
	(void)state;
	static const char *const trees[] = { "/proc", "/proc/self", "/sys", "/no such directory" };
	for (size_t i = 0; i < N_ELEMENTS(trees); i++) {
		struct pinfold_copy *copy = NULL;
		snprintf(place.tree, sizeof(place.tree), "%s", trees[i]);
		assert_int_equal(place_open(0, &copy), -1);
		assert_int_equal(place.err.code, PINFOLD_E_TREE);
		assert_string_equal(place.err.subject, trees[i]);
		assert_null(copy);
	}
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_tree_within_the_budget_of_files_is_copied_and_one_past_it_refused),
		TREE_TEST(a_tree_within_the_budget_of_bytes_is_copied_and_one_past_it_refused),
		TREE_TEST(a_tree_within_the_budget_of_depth_is_copied_and_one_past_it_refused),
		TREE_TEST(a_tree_that_grew_past_a_budget_leaves_no_copy),
		TREE_TEST(what_cannot_be_read_is_named),
		TREE_TEST(a_limit_on_file_sizes_is_an_error_and_not_the_end),
		TREE_TEST(a_limit_on_open_files_is_an_error_that_says_so),
		TREE_TEST(a_full_disk_leaves_no_half_copy),
		TREE_TEST(two_runs_at_once_have_two_copies_and_both_are_kept),
		TREE_TEST(no_more_copies_are_kept_than_are_configured),
		TREE_TEST(of_a_large_tree_only_the_first_copy_is_kept),
		TREE_TEST(a_copy_that_was_left_is_free_although_a_fork_has_its_lock),
		TREE_TEST(a_retired_copy_is_removed),
		TREE_TEST(a_copy_can_be_synced_again_while_it_is_open),
		TREE_TEST(the_copy_of_a_killed_run_is_replaced_by_the_next),
		TREE_TEST(a_scratch_root_below_the_tree_is_not_copied_into_itself),
		TREE_TEST(the_scratch_root_itself_is_no_tree),
		TREE_TEST(what_is_no_directory_of_files_is_no_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
