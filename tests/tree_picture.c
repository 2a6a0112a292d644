/* tests/tree_picture.c - a directory as text: every name with all that can be known of it. */
#include "config.h"

#include "tree_place.h"
#include "tree_picture.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "tree/digest.h"
#include "tree/listing.h"
#include "tree/pry.h"
#include "tree/stamp.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/xattr.h>

struct drawing {
	struct text text;
	bool times;
	int top;
};

static void add_attributes(struct drawing *drawing, int fd)
{
	char names[4096], value[4096];
	ssize_t bytes = flistxattr(fd, names, sizeof(names));
	for (ssize_t at = 0; at < bytes; at += (ssize_t)strlen(names + at) + 1) {
		ssize_t got = fgetxattr(fd, names + at, value, sizeof(value));
		if (starts_with(names + at, "user.") && got >= 0)
			text_addf(&drawing->text, " %s=%.*s", names + at, (int)got, value);
	}
}

static void add_content(struct drawing *drawing, int fd, const struct stamp *stamp)
{
	uint64_t digest = 0;
	digest_file(fd, stamp->size, &digest);
	text_addf(&drawing->text, " size %llu links %u content %llx%s", (unsigned long long)stamp->size,
		  stamp->links, (unsigned long long)digest,
		  stamp->size >= 1 << 20 && stamp->stored < stamp->size / 2 ? " sparse" : "");
	add_attributes(drawing, fd);
}

static void add_directory(struct drawing *drawing, int fd, const char *path);

static void add_entry(struct drawing *drawing, int dir, const char *name, const char *path)
{
	struct stamp stamp;
	char target[PATH_MAX] = "";
	assert_int_equal(stamp_read(dir, name, &stamp), 0);
	text_addf(&drawing->text, "%s %o", *path ? path : ".", stamp.mode);
	if (drawing->times)
		text_addf(&drawing->text, " time %lld", (long long)stamp.mtime);
	auto_close int fd = S_ISLNK(stamp.mode) ? -1 : pry_file(dir, name);
	if (S_ISLNK(stamp.mode) && readlinkat(dir, name, target, sizeof(target) - 1) > 0)
		text_addf(&drawing->text, " to %s", target);
	if (S_ISREG(stamp.mode) && fd >= 0)
		add_content(drawing, fd, &stamp);
	if (S_ISDIR(stamp.mode) && fd >= 0)
		add_attributes(drawing, fd);
	text_add(&drawing->text, "\n");
	if (S_ISDIR(stamp.mode) && fd >= 0)
		add_directory(drawing, fd, path);
}

static void add_directory(struct drawing *drawing, int fd, const char *path)
{
	struct listing listing = { 0 };
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(listing_read(&listing, fd), 0);
	for (size_t i = 0; i < listing.count; i++) {
		struct text inner = { 0 };
		text_addf(&inner, "%s%s%s", path, *path ? "/" : "", listing.items[i].name);
		auto_free char *inner_path = text_take(&inner);
		add_entry(drawing, fd, listing.items[i].name, inner_path);
	}
	listing_release(&listing);
}

char *picture_of(const char *path, enum picture_times times)
{
	struct drawing drawing = { .times = times };
	auto_close int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	add_entry(&drawing, fd, ".", "");
	return text_take(&drawing.text);
}

bool picture_is_equal(const char *expected, const char *found)
{
	return streq(expected, found);
}

static size_t line_of(const char *text)
{
	return strcspn(text, "\n");
}

void picture_assert_equal(const char *expected, const char *found)
{
	while (*expected || *found) {
		size_t left = line_of(expected), right = line_of(found);
		if (left != right || memcmp(expected, found, left) != 0)
			fail_msg("expected: %.*s\n   found: %.*s", (int)left, expected, (int)right, found);
		expected += left + (expected[left] == '\n');
		found += right + (found[right] == '\n');
	}
}
