/* tests/tree_straggler.c - a process that swaps directories and links in a copy while what changed in it is looked
 * for: nothing outside is read, reported or opened up. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 300, FEWEST = 20 };

static const char secret[] = "nobody may see";	/* as long as what is in the tree */
static const char plain[] = "this is in it!";

static atomic_bool stop;
static atomic_uint swaps;
static int copy_fd = -1;

/* Names in the copy, and beside each a link to something outside that is swapped with it. */
static const char *const swapped[][2] = {
	{ "d", "to-directory" }, { "d/e", "to-directory" }, { "d/f", "to-file" }, { "f", "to-file" },
	{ "closed", "to-closed" }, { "closed-file", "to-closed-file" }, { "new", "to-directory" },
};

static void *swap(void *context)
{
	(void)context;
	for (size_t i = 0; !stop; i = (i + 1) % N_ELEMENTS(swapped))
		for (int twice = 0; twice < 2; twice++)
			if (renameat2(copy_fd, swapped[i][0], copy_fd, swapped[i][1], RENAME_EXCHANGE) == 0)
				swaps++;
	return NULL;
}

static const char *outside(const char *name)
{
	return place_path("outside%s%s", *name ? "/" : "", name);
}

static const char *const names_outside[] = { "", "d", "d/e", "d/f", "d/secret", "d/e/z", "f", "closed",
					     "closed-file" };

/* Whatever is read gets a new time of access where the file system keeps one. */
static void set_times(void)
{
	for (size_t i = 0; i < N_ELEMENTS(names_outside); i++) {
		struct timespec times[2] = { { 1000, 0 }, { 2000, 0 } };
		assert_int_equal(utimensat(AT_FDCWD, outside(names_outside[i]), times, AT_SYMLINK_NOFOLLOW), 0);
	}
}

static bool was_read(const char *name)
{
	struct stat now;
	assert_int_equal(lstat(outside(name), &now), 0);
	return now.st_atim.tv_sec != 1000;
}

static void make_outside(void)
{
	place_directory(outside(""));
	place_directory(outside("d"));
	place_directory(outside("d/e"));
	place_directory(outside("closed"));
	place_write(outside("d/f"), secret);
	place_write(outside("d/secret"), secret);
	place_write(outside("d/e/z"), secret);
	place_write(outside("f"), secret);
	place_write(outside("closed-file"), secret);
	assert_int_equal(chmod(outside("closed"), 0), 0);
	assert_int_equal(chmod(outside("closed-file"), 0), 0);
}

static void make_tree(void)
{
	static const char *const directories[] = { "d", "d/e", "closed" };
	static const char *const files[] = { "d/f", "d/e/z", "f", "closed-file" };
	for (size_t i = 0; i < N_ELEMENTS(directories); i++)
		place_directory(place_path("work/%s", directories[i]));
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		place_write(place_path("work/%s", files[i]), plain);
	place_let_age();
}

static int change(void *context)
{
	static const char *const links[][2] = { { "d", "to-directory" }, { "f", "to-file" },
						{ "closed", "to-closed" }, { "closed-file", "to-closed-file" } };
	(void)context;
	for (size_t i = 0; i < N_ELEMENTS(links); i++)
		if (symlink(outside(links[i][0]), found_in(links[i][1])) < 0)
			return -1;
	place_directory(found_in("new"));
	place_write(found_in("new/n"), plain);
	place_write(found_in("f"), "this was in it");
	place_write(found_in("d/f"), "this was in it");
	return chmod(found_in("closed"), 0) < 0 || chmod(found_in("closed-file"), 0) < 0 ? -1 : 0;
}

static void assert_inside(const struct change *found_change, int held)
{
	char content[sizeof(secret)] = "";
	if (strstr(found_change->path, "secret"))
		fail_msg("%s is reported", found_change->path);
	if (found_change->after.kind != INDEX_FILE)
		return;
	auto_close int fd = change_open_after(held, found_change);
	if (fd >= 0 && read(fd, content, sizeof(content) - 1) >= 0)
		assert_string_not_equal(content, secret);
}

/* Whether the search came to its end: a straggler may make it fail. */
static bool search(const struct index *base)
{
	auto_close int tree = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct changes_order order = { .place = place.tree, .place_fd = tree, .held_fd = copy_fd, .base = base,
				       .processors = 2 };
	struct changes changes;
	if (changes_find(&order, &changes, &place.err) < 0)
		return false;
	for (size_t i = 0; i < changes.count; i++)
		assert_inside(&changes.items[i], copy_fd);
	changes_release(&changes);
	return true;
}

static unsigned search_often(void)
{
	struct index base = { 0 };
	pthread_t straggler;
	unsigned ended = 0;
	auto_close int slot = openat(copy_fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(index_load(slot, "index", &base), 0);
	stop = false;
	swaps = 0;
	assert_int_equal(pthread_create(&straggler, NULL, swap, NULL), 0);
	for (int i = 0; i < ROUNDS || (ended < FEWEST && i < 10 * ROUNDS) || swaps < ROUNDS; i++)
		ended += search(&base);
	stop = true;
	pthread_join(straggler, NULL);
	index_release(&base);
	return ended;
}

static void nothing_outside_is_read_reported_or_opened_up(void **state)
{
	(void)state;
	struct stat now;
	make_outside();
	make_tree();
	found_start(FOUND_COPY);
	found_run(change, NULL);
	copy_fd = open(found_held, O_PATH | O_DIRECTORY | O_CLOEXEC);
	set_times();
	assert_true(search_often() >= FEWEST);
	for (size_t i = 0; i < N_ELEMENTS(names_outside); i++)
		if (was_read(names_outside[i]))
			fail_msg("%s was read", outside(names_outside[i]));
	assert_int_equal(stat(outside("closed"), &now), 0);
	assert_int_equal(now.st_mode & 07777, 0);
	assert_int_equal(stat(outside("closed-file"), &now), 0);
	assert_int_equal(now.st_mode & 07777, 0);
	free(place_read(outside("f")));
	if (!was_read("f"))
		print_message("this file system keeps no times of access: what was read is not known\n");
	cleanup_fd(&copy_fd);
	found_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_outside_is_read_reported_or_opened_up, place_set_up,
						place_tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
