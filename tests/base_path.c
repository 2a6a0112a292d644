/* tests/base_path.c - canonical paths are those of the C library, however they are found. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[PATH_MAX];

static void make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static int open_place(void **state)
{
	char template[] = "/tmp/base-path-XXXXXX";
	(void)state;
	assert_non_null(mkdtemp(template));
	assert_non_null(realpath(template, place));
	assert_int_equal(chdir(place), 0);
	assert_int_equal(mkdir("directory", 0755), 0);
	assert_int_equal(mkdir("directory/...", 0755), 0);
	make("directory/.hidden");
	make("directory/..hidden");
	make("file");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(symlink("directory", "link"), 0);
	assert_int_equal(symlink("/", "top"), 0);
	assert_int_equal(symlink("nowhere", "broken"), 0);
	assert_int_equal(symlink("loop", "loop"), 0);
	return 0;
}

static int close_place(void **state)
{
	static const char *const files[] = {
		"directory/.hidden", "directory/..hidden", "file", "fifo", "link", "top", "broken", "loop",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(files[i]);
	rmdir("directory/...");
	rmdir("directory");
	return chdir("/") < 0 || rmdir(place) < 0;
}

static void assert_as_realpath(const char *path)
{
	errno = 0;
	char *expected = realpath(path, NULL);
	int reason = errno;
	errno = 0;
	char *found = path_canonical(path);
	if (!expected) {
		assert_null(found);
		assert_int_equal(errno, reason);
	} else {
		assert_non_null(found);
		assert_string_equal(found, expected);
	}
	free(expected);
	free(found);
}

static void a_canonical_path_is_what_realpath_says(void **state)
{
	static const char *const names[] = {
		"", "/", "//", "/.", "/..", "/directory", "/directory/", "//directory", "/./directory",
		"/directory/.", "/directory/..", "/directory/../file", "/directory/...", "/directory/.hidden",
		"/directory/..hidden", "/file", "/file/", "/file/below", "/fifo", "/link", "/link/.hidden",
		"/link/../file", "/top", "/top/usr", "/broken", "/loop", "/loop/below", "/absent",
		"/absent/..", "/absent/below",
	};
	char path[PATH_MAX + 64];
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", place, names[i]);
		assert_as_realpath(path);
		assert_as_realpath(names[i]);
	}
	assert_as_realpath("file");
	assert_as_realpath("link/.hidden");
	assert_as_realpath("/proc/self/exe");
	assert_as_realpath("/proc/self/cwd/file");
}

static void what_lies_below_a_path_is_told_from_what_only_begins_like_it(void **state)
{
	static const struct {
		const char *path, *base, *below;
	} cases[] = {
		{ "/a/b/c", "/a", "b/c" }, { "/a/b", "/a/", "b" }, { "/a", "/a", "" },
		{ "/etc/x", "/", "etc/x" }, { "/", "/", "" }, { "a/b", "a", "b" }, { "a", "", NULL },
		{ "/ab", "/a", NULL }, { "/a", "/a/b", NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *found = path_below(cases[i].path, cases[i].base);
		assert_int_equal(path_is_within(cases[i].path, cases[i].base), cases[i].below != NULL);
		if (cases[i].below)
			assert_string_equal(found, cases[i].below);
		else
			assert_null(found);
	}
}

static void a_path_longer_than_the_kernel_takes_is_as_for_realpath(void **state)
{
	static char path[PATH_MAX + 64];
	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	for (size_t i = 0; i < sizeof(path) - 1; i += 200)
		path[i] = '/';
	assert_as_realpath(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_canonical_path_is_what_realpath_says),
		cmocka_unit_test(what_lies_below_a_path_is_told_from_what_only_begins_like_it),
		cmocka_unit_test(a_path_longer_than_the_kernel_takes_is_as_for_realpath),
	};
	return cmocka_run_group_tests(tests, open_place, close_place);
}
