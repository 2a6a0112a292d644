/* tests/power.c - the place of a test on a disk of its own, of which a loss of power leaves what had reached it. */
#include "config.h"

#include "power.h"
#include "tree_place.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a file that is renamed over another, ext4 writes the content first, as many file systems do not. Its journal is
 * written when somebody asks for it, and not at times of its own. */
#define OPTIONS "loop,commit=3000,noauto_da_alloc"

static bool on;

/* `script` knows the place as $place, and the disk as $place.image. */
static bool shell(const char *script)
{
	return setenv("place", place.base, 1) == 0 && system(script) == 0;
}

static bool mount_disk(void)
{
	return shell("mount -t ext4 -o " OPTIONS " \"$place.image\" \"$place\" >&2");
}

void power_on(void)
{
	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    !shell("truncate -s 24M \"$place.image\" && "
		   "mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 \"$place.image\" >&2") || !mount_disk()) {
		shell("rm -f \"$place.image\"");
		print_message("nobody can mount a disk here: it needs root, mkfs.ext4 and a loop device\n");
		skip();
	}
	on = true;
	place_directory(place.tree);
}

void power_sync(void)
{
	auto_close int fd = open(place.base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(syncfs(fd), 0);
}

/* The journal is one: who waits for a name of theirs waits for all. */
static void write_journal(void)
{
	auto_close int fd = open(place.base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(mkdirat(fd, "another", 0700), 0);
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(unlinkat(fd, "another", AT_REMOVEDIR), 0);
}

void power_fail(bool names)
{
	if (names)
		write_journal();
	assert_true(shell("cp --sparse=always \"$place.image\" \"$place.found\""));
	assert_int_equal(umount2(place.base, 0), 0);
	assert_true(shell("mv \"$place.found\" \"$place.image\""));
	assert_true(mount_disk());
	rmdir(place_path("another"));
}

void power_off(void)
{
	if (!on)
		return;
	umount2(place.base, 0);
	shell("rm -f \"$place.image\" \"$place.found\"");
	on = false;
}
