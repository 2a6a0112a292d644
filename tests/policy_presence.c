/* tests/policy_presence.c - short ways of asking what exists answer as the kernel does. */
#include "config.h"

#include "base/text.h"
#include "policy/parents.h"
#include "policy/presence.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static const char *in(const char *rest)
{
	static char rooms[4][PATH_MAX];
	static unsigned next;
	char *room = rooms[next++ % 4];
	snprintf(room, PATH_MAX, "%s%s", root, rest);
	return room;
}

static void make_file(const char *rest)
{
	int fd = open(in(rest), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static int make_root(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/pinfold-presence-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status, (void)kind, (void)walk;
	return remove(path);
}

static int remove_root(void **state)
{
	(void)state;
	return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void a_listing_denies_all_that_is_not_there_and_nothing_that_is(void **state)
{
	(void)state;
	char name[32];
	for (unsigned i = 0; i < 600; i += 2) {
		snprintf(name, sizeof(name), "/.n%u%s", i, i % 3 ? "" : "-t\xc3\xa9st");
		make_file(name);
	}
	struct presence presence;
	presence_read(root, &presence);
	for (unsigned i = 0; i < 600; i++)
		for (unsigned accent = 0; accent < 2; accent++) {
			snprintf(name, sizeof(name), "/.n%u%s", i, accent ? "-t\xc3\xa9st" : "");
			bool there = access(in(name), F_OK) == 0;
			assert_int_equal(presence_denies(&presence, in(name)), !there);
			strcat(name, "/below");
			assert_int_equal(presence_denies(&presence, in(name)), !there);
		}
	presence_release(&presence);
}

static void a_listing_takes_letters_of_either_case_for_one(void **state)
{
	(void)state;
	make_file("/.Ssh");
	struct presence presence;
	presence_read(root, &presence);
	assert_false(presence_denies(&presence, in("/.ssh/id")));
	assert_false(presence_denies(&presence, in("/.SSH")));
	assert_true(presence_denies(&presence, in("/.ss")));
	assert_true(presence_denies(&presence, in("/.sshd")));
	presence_release(&presence);
}

static void a_listing_says_nothing_of_itself_or_of_other_directories(void **state)
{
	(void)state;
	struct presence presence;
	presence_read(root, &presence);
	assert_false(presence_denies(&presence, root));
	assert_false(presence_denies(&presence, in("/")));
	assert_false(presence_denies(&presence, in("beside/absent")));
	assert_false(presence_denies(&presence, "/absent"));
	assert_true(presence_denies(&presence, in("/absent")));
	presence_release(&presence);
	presence_read("/", &presence);
	assert_false(presence_denies(&presence, "/tmp"));
	assert_true(presence_denies(&presence, "/no-such-name-here/x"));
	presence_release(&presence);
}

static void what_cannot_be_listed_denies_nothing(void **state)
{
	(void)state;
	struct presence presence;
	presence_read(in("/absent"), &presence);
	assert_false(presence_denies(&presence, in("/absent/x")));
	presence_release(&presence);
	assert_int_equal(mkdir(in("/closed"), 0300), 0);
	make_file("/closed/there");
	presence_read(in("/closed"), &presence);
	assert_false(presence_denies(&presence, in("/closed/there")));
	bool readable = access(in("/closed"), R_OK) == 0;
	assert_int_equal(presence_denies(&presence, in("/closed/absent")), readable);
	assert_int_equal(chmod(in("/closed"), 0700), 0);
	presence_release(&presence);
}

static unsigned open_descriptors(void)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc/self/fd");
	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void assert_looks_like_the_kernel(struct parents *parents, const char *path)
{
	struct stat found, status = { 0 };
	int there = lstat(path, &found), sys = errno;
	int seen = parents_look(parents, path, &status);
	if (seen == 0)
		return;
	assert_int_equal(seen, there == 0 ? 1 : -1);
	if (seen < 0) {
		errno = 0;
		assert_int_equal(parents_look(parents, path, &status), -1);
		assert_int_equal(errno, sys);
		return;
	}
	assert_true(status.st_dev == found.st_dev && status.st_ino == found.st_ino &&
		    status.st_mode == found.st_mode && status.st_uid == found.st_uid);
}

/* The texts must stay, so none comes from the rooms of in(). */
static void a_name_found_by_its_parent_is_what_the_kernel_finds_by_its_path(void **state)
{
	(void)state;
	static char paths[40 * 4][128];
	struct parents parents = { 0 };
	unsigned before = open_descriptors();
	for (unsigned i = 0; i < 40; i++) {
		snprintf(paths[4 * i], 128, "%s/d%u", root, i);
		snprintf(paths[4 * i + 1], 128, "%s/d%u/file", root, i);
		snprintf(paths[4 * i + 2], 128, "%s/d%u/file/below", root, i);
		snprintf(paths[4 * i + 3], 128, "%s/d%u/absent/below", root, i);
		if (i % 3 && mkdir(paths[4 * i], 0700) == 0)
			make_file(paths[4 * i + 1] + strlen(root));
	}
	struct stat status;
	for (unsigned turn = 0; turn < 2; turn++)
		for (unsigned i = 0; i < N_ELEMENTS(paths); i++) {
			assert_looks_like_the_kernel(&parents, paths[i]);
			assert_int_not_equal(parents_look(&parents, paths[i], &status), 0);
		}
	assert_true(open_descriptors() <= before + PARENTS_MOST);
	parents_release(&parents);
	assert_int_equal(open_descriptors(), before);
}

static void links_and_steps_upward_are_left_for_a_closer_look(void **state)
{
	(void)state;
	static const char *const rests[] = { "/link", "/link/file", "/d/..", "/d/../d", "/dangling" };
	static char paths[N_ELEMENTS(rests)][128];
	struct parents parents = { 0 };
	struct stat status;
	assert_int_equal(mkdir(in("/d"), 0700), 0);
	make_file("/d/file");
	assert_int_equal(symlink("d", in("/link")), 0);
	assert_int_equal(symlink("nowhere", in("/dangling")), 0);
	for (size_t i = 0; i < N_ELEMENTS(rests); i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s%s", root, rests[i]);
		assert_int_equal(parents_look(&parents, paths[i], &status), 0);
	}
	assert_int_equal(parents_look(&parents, "/", &status), 0);
	assert_int_equal(parents_look(&parents, "/tmp", &status), 1);
	parents_release(&parents);
}

#define AT_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AT_ROOT(a_listing_denies_all_that_is_not_there_and_nothing_that_is),
		AT_ROOT(a_listing_takes_letters_of_either_case_for_one),
		AT_ROOT(a_listing_says_nothing_of_itself_or_of_other_directories),
		AT_ROOT(what_cannot_be_listed_denies_nothing),
		AT_ROOT(a_name_found_by_its_parent_is_what_the_kernel_finds_by_its_path),
		AT_ROOT(links_and_steps_upward_are_left_for_a_closer_look),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
