/* tests/tree_sync.c - a copy is equal to its tree, and only what changed moves. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>

static void assert_work(unsigned walked, unsigned created, unsigned rewritten, unsigned removed)
{
	assert_int_equal(place.work.walked, walked);
	assert_int_equal(place.work.created, created);
	assert_int_equal(place.work.rewritten, rewritten);
	assert_int_equal(place.work.removed, removed);
}

static const char *expect(void)
{
	const char *copy = place_once(0);
	if (!copy)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return copy;
}

static void make_files(unsigned count)
{
	place_directory(place_path("work/sub"));
	for (unsigned i = 0; i < count; i++)
		place_write(place_path("work/%s%u", i % 2 ? "sub/" : "", i), "content");
}

static void only_what_changed_moves(unsigned count)
{
	make_files(count);
	place_let_age();
	const char *copy = expect();
	assert_int_equal(place.work.fresh, 1);
	assert_work(count + 1, count, 0, 0);
	place_assert_equal(place.tree, copy);
	place_let_age();
	expect();
	assert_int_equal(place.work.fresh, 0);
	place_let_age();

	place_write(place_path("%s/sub/1", copy + strlen(place.base) + 1), "changed by the command");
	place_write(place_path("%s/stray", copy + strlen(place.base) + 1), "left by the command");
	place_write(place_path("work/2"), "CONTENT");
	place_let_age();
	expect();
	assert_work(2 * (count + 1) + 1, 0, 2, 1);
	place_assert_equal(place.tree, copy);
	place_let_age();
	expect();
	place_let_age();
	expect();
	assert_work(2 * (count + 1), 0, 0, 0);
	place_assert_equal(place.tree, copy);
}

static void only_what_changed_moves_in_a_small_tree(void **state)
{
	(void)state;
	only_what_changed_moves(32);
}

static void only_what_changed_moves_in_a_larger_tree(void **state)
{
	(void)state;
	only_what_changed_moves(64);
}

static void threads_make_the_same_copy(void **state)
{
	(void)state;
	place.settings[0] = "copy.threads=4";
	for (int i = 0; i < 60; i++) {
		place_directory(place_path("work/d%d", i));
		for (int j = 0; j < 20; j++)
			place_write(place_path("work/d%d/%d", i, j), "x");
		assert_int_equal(link(place_path("work/d%d/0", i), place_path("work/d%d/same", i)), 0);
	}
	const char *copy = expect();
	assert_work(60 * 22, 60 * 21, 0, 0);
	place_assert_equal(place.tree, copy);
	place_let_age();
	expect();
	place_assert_equal(place.tree, copy);
	assert_int_equal(place.work.rewritten + place.work.created + place.work.removed, 0);
}

static void what_builds_look_at_is_kept(void **state)
{
	(void)state;
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/f"), "f");
	place_write(place_path("work/private"), "p");
	chmod(place_path("work/private"), 0600);
	place_write(place_path("work/program"), "#!");
	chmod(place_path("work/program"), 0755);
	assert_int_equal(symlink("d/f", place_path("work/link")), 0);
	assert_int_equal(symlink("/nowhere/at all", place_path("work/broken")), 0);
	assert_int_equal(symlink("self", place_path("work/self")), 0);
	place_set_time(place_path("work/link"), 1, 999999999);
	place_set_time(place_path("work/d/f"), 1000000000, 123456789);
	place_set_time(place_path("work/d"), -5, 1);
	const char *copy = expect();
	place_assert_equal(place.tree, copy);
	place_set_time(place_path("work/link"), 7, 7);
	place_set_time(place_path("work/d"), 8, 8);
	chmod(place_path("work/program"), 0500);
	expect();
	place_assert_equal(place.tree, copy);
}

static void bits_that_raise_privileges_are_not_copied(void **state)
{
	(void)state;
	place_write(place_path("work/raise"), "x");
	chmod(place_path("work/raise"), 06755);
	place_directory(place_path("work/group"));
	chmod(place_path("work/group"), 02755);
	const char *copy = expect();
	struct stat found;
	stat(place_path("%s/raise", copy + strlen(place.base) + 1), &found);
	assert_int_equal(found.st_mode & 07777, 0755);
	stat(place_path("%s/group", copy + strlen(place.base) + 1), &found);
	assert_int_equal(found.st_mode & 07777, 0755);
}

static struct stat look(const char *path)
{
	struct stat found = { 0 };
	if (lstat(path, &found) < 0)
		fail_msg("%s: %s", path, strerror(errno));
	return found;
}

static void names_of_one_file_stay_names_of_one_file(void **state)
{
	(void)state;
	place_directory(place_path("work/d"));
	place_write(place_path("work/a"), "one");
	assert_int_equal(link(place_path("work/a"), place_path("work/d/b")), 0);
	assert_int_equal(link(place_path("work/a"), place_path("work/d/c")), 0);
	const char *copy = strdup(expect() + strlen(place.base) + 1);
	for (int round = 0; round < 4; round++) {
		struct stat a = look(place_path("%s/a", copy)), b = look(place_path("%s/d/b", copy));
		assert_int_equal(a.st_ino, b.st_ino);
		assert_int_equal(a.st_nlink, round == 3 ? 2 : 3);
		place_let_age();
		if (round == 1)
			place_write(place_path("%s/d/b", copy), "by the command");
		if (round == 2)
			unlink(place_path("work/d/c"));
		expect();
		place_assert_equal(place.tree, place_path("%s", copy));
	}
	place_let_age();
	expect();
	assert_int_equal(place.work.rewritten, 0);
	free((char *)copy);
}

static void holes_stay_holes(void **state)
{
	(void)state;
	auto_close int fd = open(place_path("work/image"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(fd, (off_t)5 << 30), 0);
	assert_int_equal(pwrite(fd, "middle", 6, 1 << 20), 6);
	assert_int_equal(pwrite(fd, "end", 3, ((off_t)5 << 30) - 3), 3);
	if (look(place_path("work/image")).st_blocks > 2048) {
		print_message("this file system has no holes\n");
		skip();
	}
	const char *copy = expect();
	struct stat found = look(place_path("%s/image", copy + strlen(place.base) + 1));
	assert_true(found.st_size == (off_t)5 << 30);
	assert_true(found.st_blocks < 2048);
	expect();	/* too young to be trusted: compared without reading the holes */
	place_assert_equal(place.tree, copy);
	auto_close int in = open(place_path("%s/image", copy + strlen(place.base) + 1), O_RDONLY);
	char room[8] = { 0 };
	assert_int_equal(pread(in, room, 6, 1 << 20), 6);
	assert_string_equal(room, "middle");
}

static void attributes_of_the_user_are_kept(void **state)
{
	(void)state;
	char value[8] = { 0 };
	place_write(place_path("work/f"), "x");
	place_directory(place_path("work/d"));
	if (setxattr(place_path("work/f"), "user.note", "one", 3, 0) < 0) {
		print_message("this file system has no attributes of the user\n");
		skip();
	}
	assert_int_equal(setxattr(place_path("work/d"), "user.note", "dir", 3, 0), 0);
	chmod(place_path("work/f"), 0444);
	const char *copy = strdup(expect() + strlen(place.base) + 1);
	assert_int_equal(getxattr(place_path("%s/f", copy), "user.note", value, 8), 3);
	assert_string_equal(value, "one");
	assert_int_equal(getxattr(place_path("%s/d", copy), "user.note", value, 8), 3);
	place_let_age();
	chmod(place_path("%s/f", copy), 0644);
	setxattr(place_path("%s/f", copy), "user.more", "x", 1, 0);
	setxattr(place_path("%s/d", copy), "user.more", "x", 1, 0);
	expect();
	assert_int_equal(getxattr(place_path("%s/f", copy), "user.more", value, 8), -1);
	assert_int_equal(getxattr(place_path("%s/d", copy), "user.more", value, 8), -1);
	place_assert_equal(place.tree, place_path("%s", copy));
	free((char *)copy);
}

static void what_is_no_file_is_counted_and_named_and_not_opened(void **state)
{
	(void)state;
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	auto_close int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	place_directory(place_path("work/d"));
	assert_int_equal(mkfifo(place_path("work/d/fifo"), 0644), 0);
	snprintf(name.sun_path, sizeof(name.sun_path), "%.90s/s", place.tree);
	assert_int_equal(bind(server, (struct sockaddr *)&name, sizeof(name)), 0);
	for (int i = 0; i < 2; i++) {
		expect();
		assert_int_equal(place.work.skipped, 2);
		assert_int_equal(place.work.created, 0);
	}
	struct pinfold_copy *copy = NULL;
	assert_int_equal(place_open(0, &copy), 0);
	assert_int_equal(place_sync(copy), 0);
	bool socket_first = streq(place.work.skipped_names[0], "s");
	assert_string_equal(place.work.skipped_names[socket_first], "d/fifo");
	assert_string_equal(place.work.skipped_names[!socket_first], "s");
	assert_null(place.work.skipped_names[2]);
	place_close(copy, PINFOLD_COPY_KEEP);
}

static void odd_names_and_very_deep_paths_are_copied(void **state)
{
	(void)state;
	static const char *const names[] = { "new\nline", "a\xff\xfe", " ", "-rf", "\033[2J", "back\\slash" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		place_write(place_path("work/%s", names[i]), names[i]);
	char part[201];
	memset(part, 'd', 200);
	part[200] = '\0';
	auto_close int at = open(place.tree, O_PATH | O_CLOEXEC);
	for (int depth = 0; depth < 60; depth++) {	/* 12,060 bytes of path */
		assert_int_equal(mkdirat(at, part, 0755), 0);
		int next = openat(at, part, O_PATH | O_CLOEXEC);
		close(at);
		at = next;
	}
	auto_close int deep = openat(at, "deep", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(deep >= 0);
	expect();
	assert_int_equal(place.work.created, N_ELEMENTS(names) + 1);
	const char *copy = expect();
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		auto_free char *content =
			place_read(place_path("%s/%s", copy + strlen(place.base) + 1, names[i]));
		assert_string_equal(content, names[i]);
	}
	/* The tear-down walks by path: let the tree go level by level instead. */
	for (int side = 0; side < 2; side++) {
		const char *top = side ? copy : place.tree;
		assert_int_equal(chdir(top), 0);
		int depth = 0;
		while (chdir(part) == 0)
			depth++;
		assert_int_equal(depth, 60);
		assert_int_equal(unlink("deep"), 0);
		while (depth-- > 0) {
			assert_int_equal(chdir(".."), 0);
			assert_int_equal(rmdir(part), 0);
		}
	}
	assert_int_equal(chdir("/"), 0);
}

static void kinds_that_changed_are_replaced(void **state)
{
	(void)state;
	place_write(place_path("work/a"), "file");
	place_directory(place_path("work/b"));
	place_write(place_path("work/b/inner"), "inner");
	assert_int_equal(symlink("a", place_path("work/c")), 0);
	expect();
	unlink(place_path("work/a"));
	place_directory(place_path("work/a"));
	place_write(place_path("work/a/inner"), "inner");
	place_remove(place_path("work/b"));
	assert_int_equal(symlink("a", place_path("work/b")), 0);
	unlink(place_path("work/c"));
	place_write(place_path("work/c"), "file");
	place_assert_equal(place.tree, expect());
	place_let_age();
	place_assert_equal(place.tree, expect());
}

static void a_change_in_the_same_tick_is_seen(void **state)
{
	(void)state;
	const char *copy = NULL;
	place_write(place_path("work/f"), "0");
	for (int i = 1; i < 200; i++) {
		char content[2] = { (char)('0' + i % 10), '\0' };
		copy = expect();
		place_write(place_path("work/f"), content);
		place_set_time(place_path("work/f"), 1, 1);
		copy = expect();
		auto_free char *there = place_read(place_path("%s/f", copy + strlen(place.base) + 1));
		assert_string_equal(there, content);
	}
}

/* Writes the kept index again: as if the copy's file `h` had been seen as it is now, `later` after its
 * last change. */
static void pretend_to_have_seen(const char *copy, const char *name, int64_t later)
{
	struct index index = { 0 };
	struct index_writer writer = { .fd = -1 };
	struct stamp now;
	auto_close int slot = open(place_path("%s/..", copy), O_PATH | O_CLOEXEC);
	assert_int_equal(stamp_read(AT_FDCWD, place_path("%s/%s", copy, name), &now), 0);
	assert_int_equal(index_load(slot, "index", &index), 0);
	assert_int_equal(index_begin(&writer, slot, "made"), 0);
	for (uint32_t i = 0; i < index.header->count; i++) {
		struct index_entry entry = index.entries[i];
		if (i > 0 && streq(index_name(&index, &entry), name)) {
			entry.copy_ctime = now.ctime;
			entry.copy_inode = now.inode;
		}
		index_add_entry(&writer, &entry);
	}
	for (uint32_t i = 1; i < index.header->count; i++)
		index_add_name(&writer, index_name(&index, &index.entries[i]),
			       index.entries[i].name_bytes);
	writer.header = *index.header;
	writer.header.ended = now.ctime + later;
	assert_int_equal(index_end(&writer), 0);
	assert_int_equal(renameat(slot, "made", slot, "index"), 0);
	index_release(&index);
}

static void what_is_as_young_as_the_last_look_is_compared(void **state)
{
	(void)state;
	static const struct {
		int64_t later;
		const char *content;
	} looks[] = { { 0, "right" }, { 15000000, "right" }, { 3000000000, "wrong" } };
	place_write(place_path("work/f"), "right");
	for (size_t i = 0; i < N_ELEMENTS(looks); i++) {
		place_let_age();
		auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
		place_write(place_path("%s/f", copy), "wrong");
		pretend_to_have_seen(copy, "f", looks[i].later);
		expect();
		auto_free char *there = place_read(place_path("%s/f", copy));
		assert_string_equal(there, looks[i].content);
	}
}

static void a_file_that_lost_bytes_is_made_anew_whatever_was_seen_of_it(void **state)
{
	(void)state;
	place_write(place_path("work/f"), "all of it");
	place_let_age();
	auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
	place_write(place_path("%s/f", copy), "");
	pretend_to_have_seen(copy, "f", 3000000000);
	expect();
	auto_free char *there = place_read(place_path("%s/f", copy));
	assert_string_equal(there, "all of it");
}

/* The inode of the kept index. */
static uint64_t index_file(const char *copy)
{
	struct stamp stamp;
	assert_int_equal(stamp_read(AT_FDCWD, place_path("%s/../index", copy), &stamp), 0);
	return stamp.inode;
}

static void an_index_is_written_over_where_names_stayed_and_anew_where_they_did_not(void **state)
{
	(void)state;
	make_files(200);
	place_let_age();
	auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
	uint64_t first = index_file(copy);
	place_write(place_path("work/2"), "other content");
	place_write(place_path("work/sub/199"), "of the tree");
	place_write(place_path("%s/sub/1", copy), "of the command");
	place_write(place_path("%s/sub/stray", copy), "of the command");
	chmod(place_path("work/sub"), 0750);
	place_let_age();
	expect();
	place_assert_equal(place.tree, place_path("%s", copy));
	assert_int_equal(index_file(copy), first);
	place_let_age();
	expect();
	assert_work(2 * 201, 0, 0, 0);
	place_write(place_path("work/more"), "");
	unlink(place_path("work/4"));
	expect();
	assert_int_not_equal(index_file(copy), first);
	place_assert_equal(place.tree, place_path("%s", copy));
}

static void an_index_that_has_another_name_is_not_written_over(void **state)
{
	(void)state;
	make_files(200);
	place_let_age();
	auto_free char *copy = strdup(expect() + strlen(place.base) + 1);
	assert_int_equal(link(place_path("%s/../index", copy), place_path("elsewhere")), 0);
	struct stamp before, after;
	uint64_t was, is;
	auto_close int other = open(place_path("elsewhere"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(stamp_read(other, "", &before), 0);
	assert_int_equal(digest_file(other, before.size, &was), 0);
	place_write(place_path("work/2"), "other content");
	expect();
	assert_int_equal(stamp_read(other, "", &after), 0);
	assert_int_equal(after.links, 1);
	assert_int_equal(lseek(other, 0, SEEK_SET), 0);
	assert_int_equal(digest_file(other, before.size, &is), 0);
	assert_int_equal(is, was);
}

static void whole_seconds_are_trusted_later(void **state)
{
	(void)state;
	const int64_t second = 1000000000, now = 1700000000 * second;
	assert_true(stamp_is_young(now, now));
	assert_true(stamp_is_young(now + second, now));
	assert_true(stamp_is_young(now - second, now));
	assert_false(stamp_is_young(now - second + 1, now));
	assert_true(stamp_is_young(now - 10000001, now));
	assert_false(stamp_is_young(now - 3 * second, now));
}

static void directories_that_cannot_be_written_are_updated(void **state)
{
	(void)state;
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/f"), "one");
	chmod(place_path("work/d/f"), 0400);
	chmod(place_path("work/d"), 0555);
	const char *copy = expect();
	place_assert_equal(place.tree, copy);
	chmod(place_path("work/d"), 0755);
	chmod(place_path("work/d/f"), 0600);
	place_write(place_path("work/d/f"), "two");
	chmod(place_path("work/d/f"), 0400);
	chmod(place_path("work/d"), 0555);
	copy = expect();
	place_assert_equal(place.tree, copy);
	chmod(place_path("work/d"), 0755);
	place_remove(place_path("work/d"));
	copy = expect();
	place_assert_equal(place.tree, copy);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(only_what_changed_moves_in_a_small_tree),
		TREE_TEST(only_what_changed_moves_in_a_larger_tree),
		TREE_TEST(threads_make_the_same_copy),
		TREE_TEST(what_builds_look_at_is_kept),
		TREE_TEST(bits_that_raise_privileges_are_not_copied),
		TREE_TEST(names_of_one_file_stay_names_of_one_file),
		TREE_TEST(holes_stay_holes),
		TREE_TEST(attributes_of_the_user_are_kept),
		TREE_TEST(what_is_no_file_is_counted_and_named_and_not_opened),
		TREE_TEST(odd_names_and_very_deep_paths_are_copied),
		TREE_TEST(kinds_that_changed_are_replaced),
		TREE_TEST(a_change_in_the_same_tick_is_seen),
		TREE_TEST(what_is_as_young_as_the_last_look_is_compared),
		TREE_TEST(a_file_that_lost_bytes_is_made_anew_whatever_was_seen_of_it),
		TREE_TEST(an_index_is_written_over_where_names_stayed_and_anew_where_they_did_not),
		TREE_TEST(an_index_that_has_another_name_is_not_written_over),
		cmocka_unit_test(whole_seconds_are_trusted_later),
		TREE_TEST(directories_that_cannot_be_written_are_updated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
