/* tests/namespaces_privileges.c - what a command inside could do to the init, the kernel and the devices,
 * and whether it can undo what is laid. */
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
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

static long open_to_read(const char *path)
{
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* The init shares memory with the host while the command starts, and has every capability. */
static long reach_the_init(void *unused)
{
	int word = 0;
	struct iovec here = { &word, sizeof(word) }, there = { &world.victim_word, sizeof(word) };
	(void)unused;
	static const char *const files[] = { "/proc/1", "/proc/1/environ", "/proc/1/mem", "/proc/1/root",
					     "/proc/1/cwd", "/proc/1/exe", "/proc/1/maps", "/proc/1/fd",
					     "/proc/1/task", "/proc/1/mountinfo", "/proc/1/status" };
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		if (open_to_read(files[i]) != -ENOENT)
			return -(long)i - 100;
	if (ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0 || errno != EPERM)
		return -1;
	if (process_vm_readv(1, &here, 1, &there, 1, 0) >= 0 || errno != EPERM)
		return -2;
	if (process_vm_writev(1, &here, 1, &there, 1, 0) >= 0 || errno != EPERM)
		return -3;
	int process = (int)syscall(SYS_pidfd_open, 1, 0);
	if (process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0)
		return -4;
	return 0;
}

static void the_init_can_be_neither_read_nor_traced(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, reach_the_init), 0);
}

/* Opening is enough: a test that fails must not have set anything. */
static long change_the_kernel(void *unused)
{
	static const char *const files[] = {
		"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
		"/proc/sys/vm/drop_caches", "/sys/kernel/mm/transparent_hugepage/enabled",
	};
	(void)unused;
	for (size_t i = 0; i < N_ELEMENTS(files); i++) {
		int fd = open(files[i], O_WRONLY);
		if (fd >= 0)
			return -(long)i - 1;
		if (errno != EROFS && errno != EACCES && errno != ENOENT)
			return -(long)i - 100;
	}
	int map = open("/proc/self/uid_map", O_WRONLY);
	return map >= 0 && write(map, "0 0 1", 5) > 0 ? -50 : 0;
}

static void no_switch_of_the_kernel_can_be_set(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, change_the_kernel), 0);
}

static long change_devices(void *unused)
{
	struct stat status;
	(void)unused;
	if (chmod("/dev/null", 0666) == 0 || errno != EROFS)
		return -1;
	if (mkdir("/dev/new", 0700) == 0 || errno != EROFS)
		return -2;
	if (rename("/dev/null", "/dev/new") == 0)
		return -3;
	if (mknod(world_path(&world, world.tree, "disk"), S_IFBLK | 0600, makedev(254, 0)) == 0)
		return -4;
	if (lstat("/dev/vda", &status) == 0 || lstat("/dev/kmsg", &status) == 0)
		return -5;
	return 0;
}

static void devices_can_be_neither_changed_nor_made(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, change_devices), 0);
}

static long run_with_setuid_bit(void *unused)
{
	static const char *const places[] = { "/usr", "/tmp", "/dev/shm", "/run", "/proc" };
	struct statvfs status;
	(void)unused;
	for (size_t i = 0; i < N_ELEMENTS(places); i++)
		if (statvfs(places[i], &status) < 0 || !(status.f_flag & ST_NOSUID))
			return -(long)i - 1;
	if (statvfs(world.tree, &status) < 0 || !(status.f_flag & ST_NOSUID))
		return -100;
	return 0;
}

static void no_file_raises_privileges(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, run_with_setuid_bit), 0);
}

static long undo_in_a_nested_sandbox(void *unused)
{
	(void)unused;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -1;
	if (umount2(world.secrets, MNT_DETACH) == 0 || umount2(world.tree, MNT_DETACH) == 0 ||
	    umount2("/dev", MNT_DETACH) == 0)
		return -2;
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL) == 0)
		return -3;
	if (mount("/", "/tmp", NULL, MS_BIND, NULL) == 0)	/* without what lies on it */
		return -4;
	if (mount("none", "/tmp", "tmpfs", 0, NULL) < 0)
		return -5;
	return 0;
}

static void a_nested_sandbox_cannot_undo_what_is_laid(void **state)
{
	(void)state;
	world.host.settings[0] = "nested";
	world.host.settings[1] = "yes";
	assert_int_equal(world_inside(&world, undo_in_a_nested_sandbox), 0);
}

int main(void)
{
#define PRIVILEGE_TEST(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
	const struct CMUnitTest tests[] = {
		PRIVILEGE_TEST(the_init_can_be_neither_read_nor_traced),
		PRIVILEGE_TEST(no_switch_of_the_kernel_can_be_set),
		PRIVILEGE_TEST(devices_can_be_neither_changed_nor_made),
		PRIVILEGE_TEST(no_file_raises_privileges),
		PRIVILEGE_TEST(a_nested_sandbox_cannot_undo_what_is_laid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
