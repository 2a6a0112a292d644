/* tests/tree_reflink.c - where a file system can share bytes between files, a copy of a tree takes none. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/index.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>

enum { FILES = 40, FILE_BYTES = 1 << 20, PASSED = 0, FAILED, MISSING };

/* Are all bytes of the file those of another one too? */
static bool is_shared(const char *path)
{
	_Alignas(struct fiemap) char room[sizeof(struct fiemap) + 16 * sizeof(struct fiemap_extent)] = { 0 };
	struct fiemap *map = (struct fiemap *)room;
	map->fm_length = FIEMAP_MAX_OFFSET;
	map->fm_flags = FIEMAP_FLAG_SYNC;
	map->fm_extent_count = 16;
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, FS_IOC_FIEMAP, map) < 0 || map->fm_mapped_extents == 0)
		return false;
	for (uint32_t i = 0; i < map->fm_mapped_extents; i++)
		if (!(map->fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED))
			return false;
	return true;
}

static bool shell(const char *format, const char *name)
{
	char command[2048];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(command, sizeof(command), format, place.base, name, place.base);
#pragma GCC diagnostic pop
	return system(command) == 0;
}

static bool mount_image(const char *kind)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return false;
	return shell("truncate -s 400M '%s/image' && mkfs.%s -q '%s/image' >&2", kind) &&
	       shell("mount -o loop '%s/image' -t %s '%s/work' >&2", kind);
}

static void fill(void)
{
	char *bytes = malloc(FILE_BYTES);
	place_directory(place_path("work/tree"));
	for (int i = 0; i < FILES; i++) {
		auto_close int fd = open(place_path("work/tree/%d", i), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		memset(bytes, 'a' + i % 26, FILE_BYTES);
		if (write(fd, bytes, FILE_BYTES) != FILE_BYTES || fsync(fd) < 0)
			_exit(FAILED);
	}
	free(bytes);
	place_write(place_path("work/tree/empty"), "");
}

static unsigned count_cloned(const char *copy)
{
	struct index index = { 0 };
	unsigned cloned = 0;
	auto_close int slot = open(place_path("%s/..", copy + strlen(place.base) + 1), O_PATH | O_CLOEXEC);
	if (index_load(slot, "index", &index) < 0)
		return 0;
	for (uint32_t i = 0; i < index.header->count; i++)
		cloned += index.entries[i].flags & INDEX_CLONED;
	index_release(&index);
	return cloned;
}

static int complain(const char *what, unsigned long long figure)
{
	fprintf(stderr, "%s: %llu\n", what, figure);
	return FAILED;
}

/* In a child, so that its mount goes with it. */
static int copy_on(const char *kind)
{
	if (!mount_image(kind))
		return MISSING;
	fill();
	snprintf(place.tree, sizeof(place.tree), "%s/work/tree", place.base);
	snprintf(place.scratch, sizeof(place.scratch), "%s/work/s", place.base);
	const char *copy = place_once(0);
	if (!copy)
		return complain(place.err.subject, (unsigned long long)place.err.sys);
	if (count_cloned(copy) != FILES)
		return complain("files that share their bytes", count_cloned(copy));
	if (place.work.bytes != 0)
		return complain("bytes written", place.work.bytes);
	if (place.work.cloned != (uint64_t)FILES * FILE_BYTES || place.work.ranged + place.work.plain != 0)
		return complain("bytes said to be shared", place.work.cloned);
	for (int i = 0; i < FILES; i++)
		if (!is_shared(place_path("%s/%d", copy + strlen(place.base) + 1, i)))
			return complain("a file that shares nothing", (unsigned long long)i);
	place_assert_equal(place.tree, copy);
	return PASSED;
}

static void shared_on(const char *kind)
{
	char program[16];
	snprintf(program, sizeof(program), "mkfs.%s", kind);
	if (geteuid() != 0) {
		print_message("only root can mount an image of %s\n", kind);
		skip();
	}
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		_exit(copy_on(kind));
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == MISSING) {
		print_message("no image of %s can be made and mounted here (%s, a loop device)\n", kind, program);
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), PASSED);
}

static void a_copy_shares_its_bytes_on_btrfs(void **state)
{
	(void)state;
	shared_on("btrfs");
}

static void a_copy_shares_its_bytes_on_xfs(void **state)
{
	(void)state;
	shared_on("xfs");
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_copy_shares_its_bytes_on_btrfs),
		TREE_TEST(a_copy_shares_its_bytes_on_xfs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
