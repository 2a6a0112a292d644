/* tests/tree_hostile.c - whatever a command leaves in its copy, or still does there, nothing outside of
 * it is touched and the next copy is right. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static char copy[4096];

static const char *expect(void)
{
	const char *found = place_once(0);
	if (!found)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	snprintf(copy, sizeof(copy), "%s", found + strlen(place.base) + 1);
	return found;
}

static void make_tree(void)
{
	place_directory(place_path("outside"));
	place_write(place_path("outside/treasure"), "treasure");
	place_write(place_path("outside/f"), "content of f");
	place_directory(place_path("work/d"));
	place_directory(place_path("work/d/e"));
	place_write(place_path("work/d/f"), "content of f");
	place_write(place_path("work/d/e/g"), "g");
	place_write(place_path("work/h"), "h");
	place_let_age();
	expect();
	place_let_age();
	expect();
}

static void assert_outside_untouched(void)
{
	auto_free char *treasure = place_read(place_path("outside/treasure"));
	auto_free char *file = place_read(place_path("outside/f"));
	assert_non_null(treasure);
	assert_non_null(file);
	assert_string_equal(treasure, "treasure");
	assert_string_equal(file, "content of f");
	assert_int_equal(place_count(place_path("outside")), 2);
}

static void replace_directory_by_link(void)
{
	place_remove(place_path("%s/d", copy));
	assert_int_equal(symlink(place_path("outside"), place_path("%s/d", copy)), 0);
}

static void replace_file_by_link(void)
{
	unlink(place_path("%s/h", copy));
	assert_int_equal(symlink(place_path("outside/treasure"), place_path("%s/h", copy)), 0);
}

static void replace_file_by_hard_link(void)
{
	unlink(place_path("%s/d/f", copy));
	assert_int_equal(link(place_path("outside/f"), place_path("%s/d/f", copy)), 0);
}

static void replace_file_by_hard_link_of_other_content(void)
{
	unlink(place_path("%s/h", copy));
	assert_int_equal(link(place_path("outside/treasure"), place_path("%s/h", copy)), 0);
}

static void replace_file_by_fifo(void)
{
	unlink(place_path("%s/h", copy));
	assert_int_equal(mkfifo(place_path("%s/h", copy), 0644), 0);
}

static void swap_file_and_directory(void)
{
	unlink(place_path("%s/h", copy));
	place_directory(place_path("%s/h", copy));
	place_write(place_path("%s/h/stray", copy), "stray");
	place_remove(place_path("%s/d", copy));
	place_write(place_path("%s/d", copy), "file");
}

static void take_away_every_right(void)
{
	chmod(place_path("%s/d/f", copy), 0);
	chmod(place_path("%s/h", copy), 0);
	chmod(place_path("%s/d/e", copy), 0);
	chmod(place_path("%s/d", copy), 0);
	chmod(place_path("%s", copy), 0);
}

static void rename_directories(void)
{
	assert_int_equal(rename(place_path("%s/d/e", copy), place_path("%s/moved", copy)), 0);
	assert_int_equal(rename(place_path("%s/d", copy), place_path("%s/moved/d", copy)), 0);
}

static void remove_everything(void)
{
	place_remove(place_path("%s", copy));
	place_directory(place_path("%s", copy));
}

static void leave_links_out_of_the_tree(void)
{
	place_directory(place_path("%s/stray", copy));
	assert_int_equal(symlink(place_path("outside"), place_path("%s/stray/out", copy)), 0);
	assert_int_equal(symlink("/", place_path("%s/stray/top", copy)), 0);
	assert_int_equal(link(place_path("outside/f"), place_path("%s/stray/f", copy)), 0);
	chmod(place_path("%s/stray", copy), 0555);
}

static void replace_temporary_directory(void)
{
	assert_int_equal(rmdir(place_path("%s/../tmp", copy)), 0);
	assert_int_equal(symlink(place_path("outside"), place_path("%s/../tmp", copy)), 0);
}

static void replace_the_copy_itself(void)
{
	place_remove(place_path("%s", copy));
	assert_int_equal(symlink(place_path("outside"), place_path("%s", copy)), 0);
}

static void replace_index_by_fifo(void)
{
	unlink(place_path("%s/../index", copy));
	assert_int_equal(mkfifo(place_path("%s/../index", copy), 0600), 0);
}

static void replace_index_by_device_link(void)
{
	unlink(place_path("%s/../index", copy));
	assert_int_equal(symlink("/dev/zero", place_path("%s/../index", copy)), 0);
}

static void keep_times_of_what_changed(void)
{
	struct stat found;
	stat(place_path("%s/h", copy), &found);
	place_write(place_path("%s/h", copy), "H");
	place_set_time(place_path("%s/h", copy), found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

static void let_others_in(void)
{
	/* A list of one: user 12345 may read and write. */
	static const unsigned char list[] = { 2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 57, 48,
					      0, 0, 4, 0, 4, 0, 255, 255, 255, 255, 16, 0, 6, 0, 255, 255,
					      255, 255, 32, 0, 4, 0, 255, 255, 255, 255 };
	if (setxattr(place_path("%s/h", copy), "system.posix_acl_access", list, sizeof(list), 0) < 0 ||
	    setxattr(place_path("%s/d", copy), "system.posix_acl_default", list, sizeof(list), 0) < 0)
		print_message("this file system has no access lists\n");
}

static void assert_nobody_was_let_in(void)
{
	char value[64];
	assert_true(getxattr(place_path("%s/h", copy), "system.posix_acl_access", value, 64) < 0);
	assert_true(getxattr(place_path("%s/d", copy), "system.posix_acl_default", value, 64) < 0);
}

/* What a command may do, one after the other: each row is a kind of its own. */
static void (*const mischief[])(void) = {
	replace_directory_by_link,
	replace_file_by_link,
	replace_file_by_hard_link,
	replace_file_by_hard_link_of_other_content,
	replace_file_by_fifo,
	swap_file_and_directory,
	take_away_every_right,
	rename_directories,
	remove_everything,
	leave_links_out_of_the_tree,
	replace_temporary_directory,
	replace_the_copy_itself,
	replace_index_by_fifo,
	replace_index_by_device_link,
	keep_times_of_what_changed,
	let_others_in,
};

static void whatever_a_command_left_is_put_right_and_nothing_outside_is_touched(void **state)
{
	(void)state;
	make_tree();
	for (size_t i = 0; i < N_ELEMENTS(mischief); i++) {
		mischief[i]();
		place_let_age();
		const char *found = expect();
		place_assert_equal(place.tree, found);
		assert_outside_untouched();
		assert_nobody_was_let_in();
		assert_int_equal(place_count(place_path("%s/../tmp", copy)), 0);
		struct stat shown, outside;
		stat(place_path("%s/d/f", copy), &shown);
		stat(place_path("outside/f"), &outside);
		assert_true(shown.st_ino != outside.st_ino);
		place_let_age();
		expect();
	}
}

static void directories_deeper_than_any_path_are_removed(void **state)
{
	(void)state;
	make_tree();
	auto_close int at = open(place_path("%s", copy), O_PATH | O_CLOEXEC);
	for (int depth = 0; depth < 3000; depth++) {
		assert_int_equal(mkdirat(at, "deep", 0755), 0);
		int next = openat(at, "deep", O_PATH | O_CLOEXEC);
		assert_int_equal(fchmodat(at, "deep", depth % 3 ? 0755 : 0700, 0), 0);
		close(at);
		at = next;
	}
	place_assert_equal(place.tree, expect());
	assert_int_equal(place_count(place_path("s/gone")), 0);
}

struct straggler {
	_Atomic int stop;
	_Atomic unsigned swaps;
	char place[4200], link[4200], outside[4200];
};

/* Has the copy's directory and a link to the outside take turns under one name. */
static void *swap(void *context)
{
	struct straggler *straggler = context;
	struct stat found;
	for (unsigned turn = 0; !straggler->stop; turn++) {
		if (lstat(straggler->link, &found) < 0 && symlink(straggler->outside, straggler->link) < 0)
			break;
		if (renameat2(AT_FDCWD, straggler->place, AT_FDCWD, straggler->link,
			      RENAME_EXCHANGE) == 0)
			straggler->swaps++;
		if (turn % 2 && lstat(straggler->link, &found) == 0 && S_ISDIR(found.st_mode))
			place_remove(straggler->link);
	}
	return NULL;
}

static void a_straggler_that_swaps_directories_gets_nothing_outside_changed(void **state)
{
	(void)state;
	struct straggler straggler = { 0 };
	pthread_t thread;
	make_tree();
	snprintf(straggler.place, sizeof(straggler.place), "%s", place_path("%s/d", copy));
	snprintf(straggler.link, sizeof(straggler.link), "%s", place_path("link"));
	/* Relative, as nothing but the ban on links as such stops it: from BASE/s/t/KEY/0/tree. */
	snprintf(straggler.outside, sizeof(straggler.outside), "../../../../../outside");
	assert_int_equal(pthread_create(&thread, NULL, swap, &straggler), 0);
	unsigned done = 0;
	for (int i = 0; i < 300; i++) {
		place_write(place_path("work/d/f"), i % 2 ? "content of f" : "another content");
		done += place_once(0) != NULL;	/* it may well fail meanwhile */
		assert_outside_untouched();
	}
	straggler.stop = 1;
	pthread_join(thread, NULL);
	place_remove(place_path("link"));
	place_write(place_path("work/d/f"), "content of f");
	place_assert_equal(place.tree, expect());
	assert_outside_untouched();
	print_message("%u swaps; %u of 300 syncs went through\n", straggler.swaps, done);
	assert_true(straggler.swaps > 300);
}

static void spoil(const char *path, unsigned seed)
{
	auto_close int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat found;
	assert_int_equal(fstat(fd, &found), 0);
	srand(seed);
	if (seed % 4 == 0)
		assert_int_equal(ftruncate(fd, rand() % found.st_size), 0);
	for (int i = 0; seed % 4 && i < 1 + rand() % 8; i++) {
		unsigned char byte = (unsigned char)rand();
		assert_int_equal(pwrite(fd, &byte, 1, rand() % found.st_size), 1);
	}
}

static void a_spoilt_index_is_not_believed(void **state)
{
	(void)state;
	make_tree();
	for (unsigned seed = 0; seed < 120; seed++) {
		spoil(place_path("%s/../index", copy), seed);
		place_write(place_path("work/h"), seed % 2 ? "a" : "b");
		place_assert_equal(place.tree, expect());
	}
}

static struct index_entry entry(uint8_t kind, uint32_t name, uint16_t bytes)
{
	return (struct index_entry){ .kind = kind, .name = name, .name_bytes = bytes };
}

static int load_written(const struct index_entry *entries, uint32_t count, const char *const *names)
{
	struct index_writer writer = { .fd = -1 };
	struct index index = { 0 };
	auto_close int dir = open(place.base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint64_t bytes = 0;
	assert_int_equal(index_begin(&writer, dir, "made"), 0);
	for (uint32_t i = 0; i < count; i++)
		index_add_entry(&writer, &entries[i]);
	for (size_t i = 0; names[i]; i++) {
		index_add_name(&writer, names[i], strlen(names[i]));
		bytes += strlen(names[i]) + 1;
	}
	writer.header.count = count;
	writer.header.name_bytes = bytes;
	assert_int_equal(index_end(&writer), 0);
	int result = index_load(dir, "made", &index);
	index_release(&index);
	return result;
}

static void an_index_with_a_right_sum_and_wrong_content_is_refused(void **state)
{
	(void)state;
	struct index_entry root = entry(INDEX_FOLDER, 0, 0);
	root.children.first = 1;
	root.children.count = 1;
	struct index_entry good[] = { root, entry(INDEX_FILE, 0, 1) };
	static const char *const names[] = { "a", NULL };
	assert_int_equal(load_written(good, 2, names), 0);

	static const char *const bad_names[][2] = { { "/" }, { "." }, { ".." }, { "" }, { "a/b" } };
	for (size_t i = 0; i < N_ELEMENTS(bad_names); i++) {
		struct index_entry bad[] = { root,
					     entry(INDEX_FILE, 0, (uint16_t)strlen(bad_names[i][0])) };
		assert_int_equal(load_written(bad, 2, bad_names[i]), -1);
	}
	const struct index_entry bad_children[] = {
		entry(INDEX_FILE, 1, 1),	/* name elsewhere */
		entry(INDEX_FILE, 0, 2),	/* name longer than it is */
		entry(INDEX_FILE, UINT32_MAX, UINT16_MAX),
		entry(INDEX_KINDS, 0, 1),
		{ .kind = INDEX_FOLDER, .name_bytes = 1, .children = { .first = 1, .count = 1 } },
		{ .kind = INDEX_FOLDER, .name_bytes = 1, .children = { .first = 2, .count = 1 } },
		{ .kind = INDEX_FOLDER, .name_bytes = 1, .children = { .first = 2, .count = UINT32_MAX } },
		{ .kind = INDEX_FOLDER, .name_bytes = 1, .children = { .first = 0, .count = 0 } },
	};
	for (size_t i = 0; i < N_ELEMENTS(bad_children); i++) {
		struct index_entry bad[] = { root, bad_children[i] };
		assert_int_equal(load_written(bad, 2, names), -1);
	}
	struct index_entry bad_root = root;
	bad_root.children.count = 2;
	struct index_entry bad[] = { bad_root, entry(INDEX_FILE, 0, 1) };
	assert_int_equal(load_written(bad, 2, names), -1);
	assert_int_equal(load_written(bad, 0, names), -1);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(whatever_a_command_left_is_put_right_and_nothing_outside_is_touched),
		TREE_TEST(directories_deeper_than_any_path_are_removed),
		TREE_TEST(a_straggler_that_swaps_directories_gets_nothing_outside_changed),
		TREE_TEST(a_spoilt_index_is_not_believed),
		TREE_TEST(an_index_with_a_right_sum_and_wrong_content_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
