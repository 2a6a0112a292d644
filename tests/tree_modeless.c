/* tests/tree_modeless.c - a scratch directory on a file system that keeps no modes: none of them is a change. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool modeless;

/* Is it below the scratch directory? */
static bool is_in_scratch(int dir, const char *name)
{
	char link[64], path[8192];
	if (name[0] == '/')
		return starts_with(name, place.scratch);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	ssize_t bytes = readlink(link, path, sizeof(path) - 1);
	path[bytes < 0 ? 0 : bytes] = '\0';
	return starts_with(path, place.scratch);
}

/* In place of the C library's: there all files have one mode, whatever is set, and all directories another. */
int fstatat(int dir, const char *restrict name, struct stat *restrict ret_found, int flags)
{
	int result = (int)syscall(SYS_newfstatat, dir, name, ret_found, flags);
	if (result == 0 && modeless && !S_ISLNK(ret_found->st_mode) && is_in_scratch(dir, name))
		ret_found->st_mode = (ret_found->st_mode & S_IFMT) | (S_ISDIR(ret_found->st_mode) ? 0755 : 0700);
	return result;
}

static int set_up(void **state)
{
	static const mode_t modes[] = { 0644, 0600, 0755, 0444, 0700, 0666 };
	place_set_up(state);
	for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
		const char *name = place_path("work/f%zu", i), *directory = place_path("work/d%zu", i);
		place_write(name, "content\n");
		place_directory(directory);
		place_write(place_path("work/d%zu/f", i), "more\n");
		assert_int_equal(chmod(name, modes[i]), 0);
		assert_int_equal(chmod(directory, modes[i] | 0700), 0);
	}
	assert_int_equal(symlink("f0", place_path("work/link")), 0);
	place_let_age();
	modeless = true;
	found_start(FOUND_COPY);
	return 0;
}

static int tear_down(void **state)
{
	found_release();
	modeless = false;
	return place_tear_down(state);
}

static int nothing(void *context)
{
	(void)context;
	return 0;
}

static int touch_all(void *context)
{
	(void)context;
	for (int i = 0; i < 6; i++) {
		char name[16];
		snprintf(name, sizeof(name), "f%d", i);
		place_set_time(found_in(name), 1000, 0);
		chmod(found_in(name), 0640);
		snprintf(name, sizeof(name), "d%d", i);
		place_set_time(found_in(name), 1000, 0);
	}
	return 0;
}

static int edit(void *context)
{
	auto_close int fd = open(found_in("f0"), O_WRONLY | O_CLOEXEC);
	(void)context;
	return fd >= 0 && write(fd, "CONTENT\n", 8) == 8 && unlink(found_in("d1/f")) == 0 ? 0 : -1;
}

static void a_run_that_changes_nothing_has_changed_nothing(void **state)
{
	(void)state;
	found_run(nothing, NULL);
	assert_string_equal(found_changes(NULL), "");
	assert_non_null(place_once(0));
	assert_string_equal(found_changes(NULL), "");
}

static void what_was_touched_there_is_no_change(void **state)
{
	(void)state;
	found_run(touch_all, NULL);
	assert_string_equal(found_changes(NULL), "");
}

static void a_content_that_changed_is_told_without_a_mode(void **state)
{
	(void)state;
	found_run(edit, NULL);
	assert_string_equal(found_changes(NULL), "removed d1/f\nmodified f0 content\n");
}

#define MODELESS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MODELESS_TEST(a_run_that_changes_nothing_has_changed_nothing),
		MODELESS_TEST(what_was_touched_there_is_no_change),
		MODELESS_TEST(a_content_that_changed_is_told_without_a_mode),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
