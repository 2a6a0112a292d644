/* tests/snapshot.c - a directory as text. */
#include "config.h"

#include "snapshot.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/digest.h"
#include "tree/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static void add_attributes(struct text *text, int fd)
{
	char names[1024], value[1024];
	ssize_t bytes = flistxattr(fd, names, sizeof(names));
	for (ssize_t at = 0; at < bytes; at += (ssize_t)strlen(names + at) + 1) {
		ssize_t length = fgetxattr(fd, names + at, value, sizeof(value));
		text_addf(text, " %s=%016" PRIx64, names + at,
			  digest_of(value, length > 0 ? (size_t)length : 0));
	}
}

static void add_content(struct text *text, int dir, const char *name, const struct stat *found)
{
	char target[PATH_MAX];
	if (S_ISLNK(found->st_mode)) {
		ssize_t bytes = readlinkat(dir, name, target, sizeof(target));
		text_addf(text, " -> %.*s", (int)bytes, target);
		return;
	}
	if (!S_ISREG(found->st_mode) && !S_ISDIR(found->st_mode))
		return;
	auto_close int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	uint64_t digest = 0;
	assert_true(fd >= 0);
	if (S_ISREG(found->st_mode)) {
		assert_int_equal(digest_file(fd, (uint64_t)found->st_size, &digest), 0);
		text_addf(text, " %016" PRIx64, digest);
	}
	add_attributes(text, fd);
}

static void add_entry(struct text *text, int dir, const char *name, enum snapshot_detail detail,
		      struct stat *ret_found)
{
	struct stat found;
	assert_int_equal(fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW), 0);
	text_addf(text, " %o", found.st_mode);
	if (!S_ISDIR(found.st_mode))
		text_addf(text, " links %u size %jd", (unsigned)found.st_nlink, (intmax_t)found.st_size);
	if (S_ISREG(found.st_mode) || detail == SNAPSHOT_ALL)
		text_addf(text, " time %jd.%09ld", (intmax_t)found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
	if (detail == SNAPSHOT_ALL)
		text_addf(text, " inode %ju owner %u:%u changed %jd.%09ld", (uintmax_t)found.st_ino,
			  found.st_uid, found.st_gid, (intmax_t)found.st_ctim.tv_sec,
			  found.st_ctim.tv_nsec);
	add_content(text, dir, name, &found);
	text_add(text, "\n");
	*ret_found = found;
}

static void add_below(struct text *text, int parent, const char *name, const char *path,
		      enum snapshot_detail detail)
{
	auto_close int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct listing listing = { 0 };
	assert_true(fd >= 0);
	assert_int_equal(listing_read(&listing, fd), 0);
	for (size_t i = 0; i < listing.count; i++) {
		char inner[PATH_MAX];
		struct stat found;
		snprintf(inner, sizeof(inner), "%s/%s", path, listing.items[i].name);
		text_add(text, inner);
		add_entry(text, fd, listing.items[i].name, detail, &found);
		if (S_ISDIR(found.st_mode))
			add_below(text, fd, listing.items[i].name, inner, detail);
	}
	listing_release(&listing);
}

char *snapshot_of(const char *directory, enum snapshot_detail detail)
{
	struct text text = { 0 };
	struct stat found;
	text_add(&text, ".");
	add_entry(&text, AT_FDCWD, directory, detail, &found);
	add_below(&text, AT_FDCWD, directory, ".", detail);
	char *result = text_take(&text);
	assert_non_null(result);
	return result;
}

void snapshot_assert_equal(const char *expected, const char *found)
{
	while (*expected && *expected == *found) {
		size_t left = strcspn(expected, "\n"), right = strcspn(found, "\n");
		if (left != right || memcmp(expected, found, left) != 0)
			break;
		expected += left + (expected[left] == '\n');
		found += right + (found[right] == '\n');
	}
	if (*expected || *found)
		fail_msg("it was “%.*s”, it is “%.*s”", (int)strcspn(expected, "\n"), expected,
			 (int)strcspn(found, "\n"), found);
}
