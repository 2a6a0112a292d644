/* tests/base_owner.c - root and the caller are believed, and who stands for root where nobody knows it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/owner.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, STRANGER = 54321, UNASKED = 77 };

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t put = fd < 0 ? -1 : write(fd, text, strlen(text));
	if (fd >= 0)
		close(fd);
	return put == (ssize_t)strlen(text) ? 0 : -1;
}

/* In the child: a namespace is made, and it goes on when its map is written. */
static int answer_within(int made, int go, uid_t owner)
{
	char byte = 0;
	if (unshare(CLONE_NEWUSER) < 0 || write(made, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		return UNASKED;
	return owner_is_trusted(owner);
}

/* Whether `owner` is believed in a user namespace with this map: 0 or 1, UNASKED where none can be had. */
static int believed_within(const char *map, uid_t owner)
{
	char byte = 0, path[64];
	int made[2], go[2], status = -1;
	assert_int_equal(pipe(made) + pipe(go), 0);
	pid_t child = fork();
	if (child == 0) {
		close(made[0]);
		close(go[1]);
		_exit(answer_within(made[1], go[0], owner));
	}
	close(made[1]);
	close(go[0]);
	snprintf(path, sizeof(path), "/proc/%d/uid_map", (int)child);
	if (child > 0 && read(made[0], &byte, 1) == 1 && (!*map || write_file(path, map) == 0))
		assert_int_equal(write(go[1], &byte, 1), 1);
	close(go[1]);
	close(made[0]);
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void need_namespaces(void)
{
	if (believed_within("", 0) != UNASKED)
		return;
	print_message("no user namespace can be made here\n");
	skip();
}

static void root_and_the_caller_are_believed_and_strangers_are_not(void **state)
{
	(void)state;
	assert_true(owner_is_trusted(0));
	assert_true(owner_is_trusted(geteuid()));
	assert_false(owner_is_trusted(STRANGER));
	assert_false(owner_is_trusted(NOBODY == geteuid() ? STRANGER + 1 : NOBODY));
}

static void whom_a_namespace_does_not_know_stands_for_root(void **state)
{
	char map[64];
	(void)state;
	need_namespaces();
	snprintf(map, sizeof(map), "0 %u 1", (unsigned)geteuid());
	assert_int_equal(believed_within(map, NOBODY), 1);
	snprintf(map, sizeof(map), "1000 %u 1", (unsigned)geteuid());
	assert_int_equal(believed_within(map, NOBODY), 1);
	assert_int_equal(believed_within(map, 1000), 1);
}

static void a_stranger_whom_a_namespace_knows_is_not_believed(void **state)
{
	struct stat root;
	(void)state;
	need_namespaces();
	if (geteuid() != 0) {
		print_message("needs root, to map more than one user\n");
		skip();
	}
	assert_int_equal(stat("/", &root), 0);
	if (root.st_uid != 0) {
		print_message("the root directory is not root's here\n");
		skip();
	}
	assert_int_equal(believed_within("0 0 100000", NOBODY), 0);
	assert_int_equal(believed_within("0 0 100000", STRANGER), 0);
	assert_int_equal(believed_within("0 0 1\n54321 54321 1", STRANGER), 0);
	assert_int_equal(believed_within("0 0 1\n54321 54321 1", NOBODY), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(root_and_the_caller_are_believed_and_strangers_are_not),
		cmocka_unit_test(whom_a_namespace_does_not_know_stands_for_root),
		cmocka_unit_test(a_stranger_whom_a_namespace_knows_is_not_believed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
