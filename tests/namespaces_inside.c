/* tests/namespaces_inside.c - what a command finds inside: its tree wherever that lies, devices, places to
 * write, a network and sockets of its own. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "namespaces_world.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long write_into_the_tree(void *unused)
{
	(void)unused;
	if (!world_exists(world_path(&world, world.tree, "copied")))
		return -ENOENT;
	return world_create(world_path(&world, world.tree, "made"));
}

static void assert_tree_is_shown(void)
{
	world_write(world_path(&world, world.copy, "copied"), "");
	assert_int_equal(world_inside(&world, write_into_the_tree), 0);
	assert_true(world_exists(world_path(&world, world.copy, "made")));
	assert_false(world_exists(world_path(&world, world.tree, "made")));
}

static void the_copy_is_shown_in_the_trees_place(void **state)
{
	(void)state;
	assert_tree_is_shown();
}

/* In every directory that the arm empties or makes private, if the caller can make one there. */
static void a_tree_in_an_emptied_directory_is_shown_all_the_same(void **state)
{
	static const char *const roots[] = { "/tmp", "/var/tmp", "/dev/shm", "/run" };
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(roots); i++) {
		if (access(roots[i], W_OK) < 0) {
			print_message("not tried: %s cannot be written\n", roots[i]);
			continue;
		}
		world_close(&world);
		world_open(&world, roots[i]);
		assert_tree_is_shown();
	}
}

static long look_for_hidden_in_tree(void *unused)
{
	(void)unused;
	return world_exists(world_path(&world, world.tree, "keys/inner")) ? -1 :
	       !world_reads(world_path(&world, world.tree, "key"), "") ? -2 :
	       !world_exists(world_path(&world, world.tree, "key")) ? -3 : 0;
}

static void what_is_hidden_in_the_tree_is_hidden_in_the_copy(void **state)
{
	const char *directories[] = { world.tree, world.copy };
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		world_write(world_path(&world, directories[i], "key"), "secret");
		assert_int_equal(mkdir(world_path(&world, directories[i], "keys"), 0700), 0);
		world_write(world_path(&world, directories[i], "keys/inner"), "secret");
	}
	assert_int_equal(world_inside(&world, look_for_hidden_in_tree), 1);	/* not hidden: found */
	world_name(&world, PINFOLD_PATH_HIDE, world_path(&world, world.tree, "key"));
	world_name(&world, PINFOLD_PATH_HIDE, world_path(&world, world.tree, "keys"));
	assert_int_equal(world_inside(&world, look_for_hidden_in_tree), 0);
}

static long use_devices(void *unused)
{
	char bytes[8];
	int master, slave;
	(void)unused;
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
	int random = open("/dev/urandom", O_RDONLY), full = open("/dev/full", O_WRONLY);
	if (write(null, "x", 1) != 1 || read(null, bytes, 1) != 0)
		return -1;
	if (read(zero, bytes, 8) != 8 || read(random, bytes, 8) != 8)
		return -2;
	if (write(full, "x", 1) != -1 || errno != ENOSPC)
		return -3;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0 || !ttyname(slave))
		return -4;
	if (write(slave, "x", 1) != 1 || read(master, bytes, 1) != 1)
		return -5;
	sem_t *semaphore = sem_open("/pinfold", O_CREAT | O_EXCL, 0600, 1);
	if (semaphore == SEM_FAILED || sem_wait(semaphore) < 0 || sem_unlink("/pinfold") < 0)
		return -6;
	int shared = shm_open("/pinfold", O_CREAT | O_RDWR, 0600);
	if (shared < 0 || ftruncate(shared, 4096) < 0)
		return -7;
	if (open("/dev/fd/0", O_RDONLY) < 0 && errno == ENOENT)
		return -8;
	return world_exists("/dev/ptmx") && world_exists("/dev/stdin") && world_exists("/dev/tty") ? 0 : -9;
}

static void devices_terminals_and_shared_memory_work(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, use_devices), 0);
}

static bool is_own_directory(const char *path, mode_t mode)
{
	struct stat status;
	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       (status.st_mode & 07777) == mode;
}

static long use_private_places(void *unused)
{
	(void)unused;
	if (!is_own_directory(world.plan.temporary, 01777))
		return -1;
	if (world_create("/tmp/private") < 0 || (world_exists("/var/tmp") && !world_exists("/var/tmp/private")))
		return -2;
	if (!is_own_directory(world.policy.runtime_dir, 0700))
		return -3;
	if (world_create(world_path(&world, world.policy.runtime_dir, "bus")) < 0)
		return -4;
	return 0;
}

static void temporary_and_runtime_directories_are_the_commands_own(void **state)
{
	(void)state;
	world.policy.runtime_dir = "/run/user/4711";
	assert_int_equal(world_inside(&world, use_private_places), 0);
	assert_string_equal(world.plan.temporary, "/tmp");
	assert_true(world_exists(world_path(&world, world.temporary, "private")));
	assert_false(world_exists("/tmp/private"));
	assert_false(world_exists("/run/user/4711"));
}

static long look_at_modes(void *unused)
{
	(void)unused;
	if (!is_own_directory("/dev/shm", 01777) || !is_own_directory("/run", 0755) ||
	    !is_own_directory("/tmp", 01777))
		return -1;
	return umask(0) == 077 ? 0 : -2;
}

static void a_strict_mask_of_the_callers_stays_and_closes_nothing(void **state)
{
	(void)state;
	mode_t before = umask(077);
	int answer = world_inside(&world, look_at_modes);
	umask(before);
	assert_int_equal(answer, 0);
}

static long serve_inside(void *unused)
{
	struct sockaddr_un local = { .sun_family = AF_UNIX, .sun_path = "/tmp/socket" };
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	(void)unused;
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(server, (void *)&address, length) < 0 || listen(server, 1) < 0 ||
	    getsockname(server, (void *)&address, &length) < 0 ||
	    connect(client, (void *)&address, length) < 0)
		return -errno;
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), caller = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (void *)&local, sizeof(local)) < 0 || listen(listener, 1) < 0 ||
	    connect(caller, (void *)&local, sizeof(local)) < 0)
		return -errno;
	return 0;
}

static void servers_inside_can_be_reached_inside(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, serve_inside), 0);
}

static long reach_the_host(void *unused)
{
	(void)unused;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	return connect(fd, (void *)&world.loopback, sizeof(world.loopback)) < 0 ? -errno : 0;
}

static void the_hosts_network_is_there_only_when_it_was_asked_for(void **state)
{
	static const uint32_t closed[] = { PINFOLD_NETWORK_NONE, PINFOLD_NETWORK_LOOPBACK };
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(closed); i++) {
		world.policy.network = closed[i];
		assert_int_equal(world_inside(&world, reach_the_host), ECONNREFUSED);
	}
	world.policy.network = PINFOLD_NETWORK_HOST;
	assert_int_equal(world_inside(&world, reach_the_host), 0);
}

static long write_into_writable(void *unused)
{
	const char *writable = world.paths[2].path;
	(void)unused;
	if (world_create(world_path(&world, writable, "made")) < 0)
		return -1;
	if (!world_exists(world_path(&world, writable, "a/b/key")) ||
	    !world_reads(world_path(&world, writable, "a/b/key"), ""))
		return -2;
	if (rename(world_path(&world, writable, "a"), world_path(&world, writable, "moved")) == 0 ||
	    errno != EBUSY)
		return -3;
	if (rename(world_path(&world, writable, "a/b"), world_path(&world, writable, "b")) == 0)
		return -4;
	return world_create(world_path(&world, writable, "a/b/beside"));
}

static void a_writable_path_is_the_hosts_and_keeps_what_is_hidden_in_place(void **state)
{
	(void)state;
	const char *writable = world_path(&world, world.base, "writable");
	assert_int_equal(mkdir(writable, 0700), 0);
	assert_int_equal(mkdir(world_path(&world, writable, "a"), 0700), 0);
	assert_int_equal(mkdir(world_path(&world, writable, "a/b"), 0700), 0);
	world_write(world_path(&world, writable, "a/b/key"), "secret");
	world_name(&world, PINFOLD_PATH_WRITE, writable);
	world_name(&world, PINFOLD_PATH_HIDE, world_path(&world, writable, "a/b/key"));
	assert_int_equal(world_inside(&world, write_into_writable), 0);
	assert_true(world_exists(world_path(&world, writable, "made")));
	assert_true(world_exists(world_path(&world, writable, "a/b/beside")));
}

static long write_one_file(void *unused)
{
	const char *file = world.paths[2].path;
	(void)unused;
	int fd = open(file, O_WRONLY | O_TRUNC);
	return fd >= 0 && write(fd, "new", 3) == 3 ? 0 : -errno;
}

static void a_single_file_can_be_writable(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, world_does_nothing), 0);
	world_name(&world, PINFOLD_PATH_WRITE, world.file);
	assert_int_equal(world_inside(&world, write_one_file), 0);
	assert_true(world_reads(world.file, "new"));
}

static long find_no_processes(void *unused)
{
	(void)unused;
	return world_exists("/proc/self") || world_exists("/proc/1") || world_exists("/proc/cpuinfo") ? -1 : 0;
}

static void without_a_proc_of_its_own_it_sees_none(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, find_no_processes), 1);
	world.host.settings[0] = "proc";
	world.host.settings[1] = "none";
	assert_int_equal(world_inside(&world, find_no_processes), 0);
}

static void the_tree_itself_can_be_shown(void **state)
{
	(void)state;
	world.shown.source = world.tree;
	world.shown.source_device = world.shown.tree_device;
	world.shown.source_inode = world.shown.tree_inode;
	world_write(world_path(&world, world.tree, "copied"), "");
	assert_int_equal(world_inside(&world, write_into_the_tree), 0);
	assert_true(world_exists(world_path(&world, world.tree, "made")));
}

static long use_device(void *unused)
{
	(void)unused;
	int fd = open("/dev/fuse", O_RDONLY);
	return fd >= 0 ? 0 : -errno;
}

static void a_device_is_there_only_when_it_is_named(void **state)
{
	(void)state;
	if (!world_exists("/dev/fuse")) {
		print_message("skipped: there is no /dev/fuse\n");
		skip();
	}
	assert_int_equal(world_inside(&world, use_device), ENOENT);
	world_name(&world, PINFOLD_PATH_WRITE, "/dev/fuse");
	assert_int_equal(world_inside(&world, use_device), world_without(&world, use_device));
}

int main(void)
{
#define INSIDE_TEST(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
	const struct CMUnitTest tests[] = {
		INSIDE_TEST(the_copy_is_shown_in_the_trees_place),
		INSIDE_TEST(a_tree_in_an_emptied_directory_is_shown_all_the_same),
		INSIDE_TEST(what_is_hidden_in_the_tree_is_hidden_in_the_copy),
		INSIDE_TEST(devices_terminals_and_shared_memory_work),
		INSIDE_TEST(temporary_and_runtime_directories_are_the_commands_own),
		INSIDE_TEST(a_strict_mask_of_the_callers_stays_and_closes_nothing),
		INSIDE_TEST(servers_inside_can_be_reached_inside),
		INSIDE_TEST(the_hosts_network_is_there_only_when_it_was_asked_for),
		INSIDE_TEST(a_writable_path_is_the_hosts_and_keeps_what_is_hidden_in_place),
		INSIDE_TEST(a_single_file_can_be_writable),
		INSIDE_TEST(without_a_proc_of_its_own_it_sees_none),
		INSIDE_TEST(the_tree_itself_can_be_shown),
		INSIDE_TEST(a_device_is_there_only_when_it_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
