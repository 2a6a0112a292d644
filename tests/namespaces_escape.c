/* tests/namespaces_escape.c - ways out that a hostile command would try. Each is tried without confinement
 * first, where it works, so that the refusal inside is known to be the arm's. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/raw.h"
#include "base/text.h"
#include "namespaces_world.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static long result_of(long result)
{
	return result < 0 ? -errno : 0;
}

static long close_result(int fd)
{
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Writing outside. */
static long create_outside(void *unused)
{
	(void)unused;
	return close_result(openat(AT_FDCWD, world_path(&world, world.outside, "new"), O_CREAT | O_RDWR, 0600));
}

static long open_for_writing(void *unused)
{
	(void)unused;
	return close_result(open(world.file, O_WRONLY));
}

static long truncate_outside(void *unused)
{
	(void)unused;
	return result_of(truncate(world.file, 3));
}

static long change_mode_outside(void *unused)
{
	(void)unused;
	return result_of(chmod(world.file, 0644));
}

static long change_owner_outside(void *unused)
{
	(void)unused;
	return result_of(chown(world.file, geteuid(), getegid()));
}

static long change_times_outside(void *unused)
{
	(void)unused;
	return result_of(utimensat(AT_FDCWD, world.file, NULL, 0));
}

static long set_attribute_outside(void *unused)
{
	(void)unused;
	return result_of(setxattr(world.file, "user.x", "y", 1, 0));
}

static long make_directory_outside(void *unused)
{
	(void)unused;
	return result_of(mkdir(world_path(&world, world.outside, "made"), 0700));
}

static long rename_outside(void *unused)
{
	(void)unused;
	return result_of(rename(world.file, world_path(&world, world.outside, "renamed")));
}

static long remove_outside(void *unused)
{
	(void)unused;
	const char *other = world_path(&world, world.outside, "socket");
	return result_of(unlink(other));
}

static long link_outside(void *unused)
{
	(void)unused;
	return result_of(symlink("x", world_path(&world, world.outside, "link")));
}

static long write_through_descriptor_link(void *unused)
{
	char path[64];
	(void)unused;
	int fd = open(world.file, O_RDONLY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return close_result(open(path, O_WRONLY));
}

/* Reading what is hidden. */
static long read_byte(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	ssize_t got = read(fd, &byte, 1);
	close(fd);
	return got == 1 ? 0 : got == 0 ? -ENODATA : -errno;
}

static long read_secret(void *unused)
{
	(void)unused;
	return read_byte(world.secret);
}

static long read_in_hidden_directory(void *unused)
{
	(void)unused;
	return read_byte(world_path(&world, world.secrets, "inner"));
}

static long look_into_scratch(void *unused)
{
	struct stat status;
	(void)unused;
	return result_of(lstat(world.copy, &status));
}

static long write_over_secret(void *unused)
{
	(void)unused;
	return close_result(open(world.secret, O_WRONLY));
}

static long open_up_secret(void *unused)
{
	(void)unused;
	return result_of(chmod(world.secrets, 0755));
}

/* Reaching services and processes. */
static long connect_to(int family, const void *address, socklen_t length)
{
	int fd = socket(family, SOCK_STREAM, 0);
	if (fd < 0)
		return -errno;
	long result = result_of(connect(fd, address, length));
	close(fd);
	return result;
}

static long connect_by_path(void *unused)
{
	(void)unused;
	return connect_to(AF_UNIX, &world.by_path, sizeof(world.by_path));
}

static long connect_by_name(void *unused)
{
	(void)unused;
	return connect_to(AF_UNIX, &world.by_name, world.by_name_length);
}

static long connect_by_loopback(void *unused)
{
	(void)unused;
	return connect_to(AF_INET, &world.loopback, sizeof(world.loopback));
}

static long signal_victim(void *unused)
{
	(void)unused;
	return result_of(kill(world.victim, 0));
}

static long look_at_victim(void *unused)
{
	char path[64];
	(void)unused;
	snprintf(path, sizeof(path), "/proc/%d/environ", world.victim);
	return close_result(open(path, O_RDONLY));
}

static long trace_victim(void *unused)
{
	(void)unused;
	return result_of(ptrace(PTRACE_SEIZE, world.victim, NULL, NULL));
}

static long read_victims_memory(void *unused)
{
	int word = 0;
	struct iovec here = { &word, sizeof(word) }, there = { &world.victim_word, sizeof(word) };
	(void)unused;
	return process_vm_readv(world.victim, &here, 1, &there, 1, 0) == sizeof(word) ? 0 : -errno;
}

static long limit_victim(void *unused)
{
	struct rlimit limit;
	(void)unused;
	return result_of(prlimit(world.victim, RLIMIT_CORE, NULL, &limit));
}

static long hold_victim(void *unused)
{
	(void)unused;
	return close_result((int)syscall(SYS_pidfd_open, world.victim, 0));
}

static long slow_victim(void *unused)
{
	(void)unused;
	return result_of(setpriority(PRIO_PROCESS, (id_t)world.victim, 1));
}

/* Raising privileges. */
static long make_user_namespace(void *unused)
{
	(void)unused;
	return result_of(unshare(CLONE_NEWUSER));
}

static long type_into_terminal(void *unused)
{
	int master, slave;
	(void)unused;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0)
		return -errno;
	if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0)
		return -errno;
	return result_of(ioctl(slave, TIOCSTI, "x"));
}

static long search_keyring(void *unused)
{
	(void)unused;
	return raw(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -4 /* of the user */, 0) < 0 ? -EPERM : 0;
}

static long set_up_io_uring(void *unused)
{
	static char parameters[256];
	(void)unused;
	long fd = raw(SYS_io_uring_setup, 4, parameters);
	if (fd >= 0)
		close((int)fd);
	return fd < 0 ? fd : 0;
}

struct escape {
	const char *name;
	long (*attempt)(void *);
	int refused;	/* the errno inside */
};

static const struct escape escapes[] = {
	{ "create a file outside", create_outside, EROFS },
	{ "open a file outside for writing", open_for_writing, EROFS },
	{ "truncate a file outside", truncate_outside, EROFS },
	{ "change a mode outside", change_mode_outside, EROFS },
	{ "change an owner outside", change_owner_outside, EROFS },
	{ "change times outside", change_times_outside, EROFS },
	{ "set an attribute outside", set_attribute_outside, EROFS },
	{ "make a directory outside", make_directory_outside, EROFS },
	{ "rename a file outside", rename_outside, EROFS },
	{ "make a link outside", link_outside, EROFS },
	{ "write by a descriptor's link", write_through_descriptor_link, EROFS },
	{ "read a hidden file", read_secret, ENODATA },
	{ "read in a hidden directory", read_in_hidden_directory, ENOENT },
	{ "look into the scratch directory", look_into_scratch, ENOENT },
	{ "write over a hidden file", write_over_secret, EACCES },
	{ "change a hidden directory's mode", open_up_secret, EROFS },
	{ "connect to a socket's path", connect_by_path, ECONNREFUSED },
	{ "connect to an abstract socket", connect_by_name, ECONNREFUSED },
	{ "connect to the host's loopback", connect_by_loopback, ECONNREFUSED },
	{ "signal a process outside", signal_victim, ESRCH },
	{ "look at a process outside", look_at_victim, ENOENT },
	{ "trace a process outside", trace_victim, ESRCH },
	{ "read a process's memory outside", read_victims_memory, ESRCH },
	{ "limit a process outside", limit_victim, ESRCH },
	{ "hold a process outside", hold_victim, ESRCH },
	{ "slow a process outside", slow_victim, ESRCH },
	{ "make a user namespace", make_user_namespace, EPERM },
	{ "type into a terminal", type_into_terminal, EPERM },
	{ "look for keys", search_keyring, EPERM },
	{ "set up io_uring", set_up_io_uring, EPERM },
	{ "remove a socket outside", remove_outside, EROFS },	/* last: it works outside */
};

static void every_way_out_works_without_confinement_and_is_closed_within(void **state)
{
	bool all = true;
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(escapes); i++) {
		int inside = world_inside(&world, escapes[i].attempt);
		if (inside != escapes[i].refused)
			print_message("%s: inside %s\n", escapes[i].name, strerror(inside));
		all = all && inside == escapes[i].refused;
	}
	for (size_t i = 0; i < N_ELEMENTS(escapes); i++) {
		int outside = world_without(&world, escapes[i].attempt);
		if (outside != 0)
			print_message("%s: outside %s\n", escapes[i].name, strerror(outside));
		all = all && outside == 0;
		if (escapes[i].attempt == rename_outside)
			world_write(world.file, "outside");
	}
	assert_true(all);
}

int main(void)
{
#define ESCAPE_TEST(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
	const struct CMUnitTest tests[] = {
		ESCAPE_TEST(every_way_out_works_without_confinement_and_is_closed_within),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
