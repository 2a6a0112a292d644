/* tests/tree_scratch.c - the scratch root: where it is made, and where it is refused. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "config/config.h"
#include "tree/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static struct pinfold_error err;

/* The root's path, the caller's to free, or NULL with `err`; "" names no place. */
static char *root(const char *scratch)
{
	char setting[600];
	const char *const settings[] = { setting, NULL };
	struct config_sources sources = { .site = "", .user = "", .settings = settings };
	struct config *config = NULL;
	char *path = NULL;
	snprintf(setting, sizeof(setting), "filesystem.scratch=%s", scratch);
	memset(&err, 0, sizeof(err));
	assert_int_equal(config_load(&sources, &config, &err), 0);
	int result = scratch_root(config, &path, &err);
	config_free(config);
	return result < 0 ? NULL : path;
}

static void assert_root(const char *scratch, const char *expected)
{
	auto_free char *path = root(scratch);
	struct stat found;
	if (!path)
		fail_msg("cannot %s: %s", err.action, err.subject);
	assert_string_equal(path, expected);
	assert_int_equal(lstat(path, &found), 0);
	assert_true(S_ISDIR(found.st_mode));
	assert_int_equal(found.st_mode & 077, 0);
}

static void assert_refused(const char *scratch, const char *subject)
{
	auto_free char *path = root(scratch);
	if (path)
		fail_msg("%s was taken", path);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_non_null(strstr(err.recovery, "[filesystem] scratch"));
	if (!strstr(err.subject, subject))
		fail_msg("%s: not “%s”", err.subject, subject);
}

static void a_named_place_is_made_private_with_its_parents(void **state)
{
	(void)state;
	assert_root(place_path("a/b/c"), place_path("a/b/c"));
	assert_root(place_path("a/b/c/"), place_path("a/b/c"));
	assert_int_equal(symlink("a", place_path("link")), 0);
	assert_root(place_path("link/b/d"), place_path("a/b/d"));
}

static void a_place_whose_parents_others_can_write_is_refused(void **state)
{
	(void)state;
	static const mode_t modes[] = { 0777, 01777, 0775, 0757 };
	place_directory(place_path("p"));
	for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
		chmod(place_path("p"), modes[i]);
		assert_refused(place_path("p/q/s"), "can be written by others");
		assert_int_equal(access(place_path("p/q"), F_OK), -1);
		assert_refused(place_path("p"), "can be written by others");
	}
	assert_refused("/tmp/pinfold-scratch", "can be written by others");
	assert_int_equal(access("/tmp/pinfold-scratch", F_OK), -1);
}

static void a_place_that_cannot_be_made_is_refused_at_once(void **state)
{
	(void)state;
	place_write(place_path("file"), "");
	assert_refused(place_path("file/s"), "file");
	assert_refused("/proc/nope/c", "/proc/nope");
	assert_refused("/proc/self/fd/s", "/proc/");
	assert_refused(place_path("work/missing/../s"), "dots");
}

static void a_place_of_another_user_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		assert_refused("/etc", "belongs to another user");
		return;
	}
	place_directory(place_path("theirs"));
	assert_int_equal(chown(place_path("theirs"), 12345, 12345), 0);
	assert_refused(place_path("theirs"), "belongs to another user");
	assert_refused(place_path("theirs/s"), "belongs to another user");
}

static void without_a_named_place_the_cache_and_then_the_runtime_directory_are_taken(void **state)
{
	(void)state;
	place_directory(place_path("home"));
	place_directory(place_path("run"));
	place_directory(place_path("cache"));
	setenv("HOME", place_path("home"), 1);
	setenv("XDG_RUNTIME_DIR", place_path("run"), 1);
	setenv("XDG_CACHE_HOME", place_path("cache"), 1);
	assert_root("", place_path("cache/pinfold"));
	setenv("XDG_CACHE_HOME", "relative", 1);
	assert_root("", place_path("home/.cache/pinfold"));
	unsetenv("XDG_CACHE_HOME");
	assert_root("", place_path("home/.cache/pinfold"));
	setenv("XDG_CACHE_HOME", "/proc/nope/c", 1);
	assert_root("", place_path("run/pinfold"));
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", place_path("no home"), 1);
	assert_root("", place_path("run/pinfold"));
	chmod(place_path("run"), 0777);
	assert_refused("", "/run can be written by others");
	unsetenv("XDG_RUNTIME_DIR");
	assert_refused("", "there is no home");
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_named_place_is_made_private_with_its_parents),
		TREE_TEST(a_place_whose_parents_others_can_write_is_refused),
		TREE_TEST(a_place_that_cannot_be_made_is_refused_at_once),
		TREE_TEST(a_place_of_another_user_is_refused),
		TREE_TEST(without_a_named_place_the_cache_and_then_the_runtime_directory_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
