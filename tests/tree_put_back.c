/* tests/tree_put_back.c - single changes are dropped, and all others stay. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/copies.h"
#include "tree/memo.h"
#include "tree/put_back.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Opened and synced; its directory relative to place.base. */
static struct pinfold_copy *open_one(const char *session, char *directory)
{
	struct pinfold_copy *copy = NULL;
	struct pinfold_place_order order = { .size = sizeof(order), .session = session };
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	snprintf(directory, 512, "%s", copies_trees.directory(copy) + strlen(place.base) + 1);
	return copy;
}

static void make_tree(void)
{
	static const char *const directories[] = { "a", "a/b", "c", "c/d", "e", "m" };
	static const char *const files[] = { "top", "a/1", "a/b/2", "c/3", "c/d/4", "e/5", "e/6", "m/7" };
	for (size_t i = 0; i < N_ELEMENTS(directories); i++)
		place_directory(place_path("work/%s", directories[i]));
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		place_write(place_path("work/%s", files[i]), files[i]);
	assert_int_equal(symlink("a/1", place_path("work/link")), 0);
}

/* One of each kind, in the copy. */
static void change_much(const char *copy)
{
	place_write(place_path("%s/top", copy), "changed");
	place_write(place_path("%s/new", copy), "new");
	place_directory(place_path("%s/a/n", copy));
	place_write(place_path("%s/a/n/8", copy), "8");
	place_write(place_path("%s/a/n/9", copy), "9");
	place_remove(place_path("%s/c", copy));
	unlink(place_path("%s/e/5", copy));
	chmod(place_path("%s/e/6", copy), 0600);
	chmod(place_path("%s/m", copy), 0700);
	unlink(place_path("%s/link", copy));
	place_directory(place_path("%s/link", copy));
	place_write(place_path("%s/link/in", copy), "in");
}

/* "top new …" */
static void assert_changed(const char *session, const char *expected)
{
	struct kept *kept;
	struct changes changes;
	struct text found = { 0 };
	if (kept_open(place_config(), place.tree, session, &kept, &place.err) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	const struct kept_part *part = &kept->parts[0];
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.base = &part->base, .processors = 1, .layer = part->layer,
	};
	assert_int_equal(changes_find(&order, &changes, &place.err), 0);
	for (size_t i = 0; i < changes.count; i++)
		text_addf(&found, "%s%s", i ? " " : "", changes.items[i].path);
	assert_string_equal(found.data ? found.data : "", expected);
	text_release(&found);
	changes_release(&changes);
	kept_close(kept);
}

static void drop(const char *session, const char *path)
{
	struct kept *kept;
	struct changes changes;
	const char *const paths[] = { path, NULL };
	if (kept_open(place_config(), place.tree, session, &kept, &place.err) < 0)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	struct kept_part *part = &kept->parts[0];
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.base = &part->base, .paths = *path ? paths : NULL, .processors = 1, .layer = part->layer,
	};
	assert_int_equal(changes_find(&order, &changes, &place.err), 0);
	if (put_back(kept, &(struct put_back_item){ part, &changes }, 1, &place.err) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	changes_release(&changes);
	kept_close(kept);
}

static const struct {
	const char *path, *left;
} drops[] = {
	{ "top", "a/n a/n/8 a/n/9 c c/3 c/d c/d/4 e/5 e/6 link link/in m new" },
	{ "a/n/9", "a/n a/n/8 c c/3 c/d c/d/4 e/5 e/6 link link/in m new" },
	{ "new", "a/n a/n/8 c c/3 c/d c/d/4 e/5 e/6 link link/in m" },
	{ "c/d/4", "a/n a/n/8 c/3 e/5 e/6 link link/in m" },
	{ "m", "a/n a/n/8 c/3 e/5 e/6 link link/in" },
	{ "link", "a/n a/n/8 c/3 e/5 e/6" },
	{ "e", "a/n a/n/8 c/3" },
	{ "a", "c/3" },
	{ "nothing", "c/3" },
	{ "", "" },
};

/* Times of directories are left as the command made them. */
static void assert_same_files(const char *copy)
{
	char line[1200];
	snprintf(line, sizeof(line), "diff -r --no-dereference '%s' '%s'", place.tree, place_path("%s", copy));
	assert_int_equal(system(line), 0);
}

static void only_what_is_named_is_put_back(void **state)
{
	(void)state;
	static const char *const sessions[] = { "mine", NULL };
	char copy[512];
	make_tree();
	for (size_t i = 0; i < N_ELEMENTS(sessions); i++) {
		struct pinfold_copy *open = open_one(sessions[i], copy);
		change_much(copy);
		copies_trees.close(open, PINFOLD_COPY_KEEP);
		for (size_t j = 0; j < N_ELEMENTS(drops); j++) {
			drop(sessions[i], drops[j].path);
			assert_changed(sessions[i], drops[j].left);
		}
		assert_same_files(copy);
	}
}

static void what_is_put_back_is_what_the_tree_has_by_then(void **state)
{
	(void)state;
	char copy[512];
	make_tree();
	struct pinfold_copy *open = open_one("mine", copy);
	change_much(copy);
	copies_trees.close(open, PINFOLD_COPY_KEEP);
	place_let_age();
	place_write(place_path("work/top"), "meanwhile");
	place_remove(place_path("work/c/d"));
	drop("mine", "top");
	drop("mine", "c");
	auto_free char *top = place_read(place_path("%s/top", copy));
	assert_string_equal(top, "meanwhile");
	copies_trees.close(open_one("mine", copy), PINFOLD_COPY_KEEP);
	assert_changed("mine", "a/n a/n/8 a/n/9 e/5 e/6 link link/in m new");
	drop("mine", "");
	assert_same_files(copy);
}

/* The command removed `c` and made it anew; and removed `a`. */
static void change_layer(void)
{
	struct pinfold_copy *copy = NULL;
	struct pinfold_place_order order = { .size = sizeof(order), .session = "layered", .layer = 1 };
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	const char *upper = copies_trees.upper(copy) + strlen(place.base) + 1;
	place_directory(place_path("%s/c", upper));
	assert_int_equal(setxattr(place_path("%s/c", upper), "user.overlay.opaque", "y", 1, 0), 0);
	place_write(place_path("%s/c/new", upper), "new");
	assert_int_equal(mknod(place_path("%s/a", upper), S_IFCHR, 0), 0);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
}

static void what_a_directory_of_a_layer_hides_is_put_back(void **state)
{
	(void)state;
	make_tree();
	place_let_age();
	change_layer();
	assert_changed("layered", "a a/1 a/b a/b/2 c/3 c/d c/d/4 c/new");
	drop("layered", "c/d");
	assert_changed("layered", "a a/1 a/b a/b/2 c/3 c/new");
	drop("layered", "c/new");
	assert_changed("layered", "a a/1 a/b a/b/2 c/3");
	drop("layered", "c");
	assert_changed("layered", "a a/1 a/b a/b/2");
}

static void refuse_to_drop(const char *path)
{
	struct kept *kept;
	struct changes changes;
	const char *const paths[] = { path, "c/new", NULL };
	assert_int_equal(kept_open(place_config(), place.tree, "layered", &kept, &place.err), 0);
	struct kept_part *part = &kept->parts[0];
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd, .layer = true,
		.base = &part->base, .paths = paths, .processors = 1,
	};
	assert_int_equal(changes_find(&order, &changes, &place.err), 0);
	assert_int_equal(put_back(kept, &(struct put_back_item){ part, &changes }, 1, &place.err), -1);
	assert_string_equal(place.err.subject, path);
	changes_release(&changes);
	kept_close(kept);
	assert_changed("layered", "a a/1 a/b a/b/2 c/3 c/d c/d/4 c/new");
}

static void what_lies_in_a_directory_that_stays_removed_is_refused_and_all_is_as_it_was(void **state)
{
	(void)state;
	make_tree();
	place_let_age();
	change_layer();
	refuse_to_drop("a/1");
	refuse_to_drop("c/d/4");
}

static void note(const char *copy, const char *path)
{
	struct text text = { 0 };
	char slot[4096];
	memo_put_number(&text, 1);
	memo_put_text(&text, place.tree);
	memo_put_number(&text, 1);
	const uint64_t members[] = { CHANGE_ADDED, 0, CHANGE_NOTHING, INDEX_FILE, 0 };
	text_add_bytes(&text, members, sizeof(members));
	memo_put_text(&text, path);
	memo_put_text(&text, "");
	snprintf(slot, sizeof(slot), "%s/..", place_path("%s", copy));
	auto_close int dir = open(slot, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(memo_write(dir, "aside", SLOT_DROPPING, "pfdrops1", &text), 0);
	text_release(&text);
}

/* A command that is not confined can write one. */
static void a_note_that_was_forged_leads_nowhere_and_all_can_still_be_dropped(void **state)
{
	(void)state;
	static const char *const paths[] = { "../../outside", "/outside", "a/../../outside", "./a", "a//1" };
	char copy[512];
	make_tree();
	place_write(place_path("outside"), "outside");
	for (size_t i = 0; i < N_ELEMENTS(paths); i++) {
		struct kept *kept;
		struct pinfold_copy *open = open_one("mine", copy);
		change_much(copy);
		copies_trees.close(open, PINFOLD_COPY_KEEP);
		note(copy, paths[i]);
		assert_int_equal(kept_open(place_config(), place.tree, "mine", &kept, &place.err), -1);
		assert_int_equal(place.err.code, PINFOLD_E_TREE);
		assert_int_equal(kept_discard(place_config(), place.tree, "mine", &place.err), 0);
		auto_free char *outside = place_read(place_path("outside"));
		assert_string_equal(outside, "outside");
	}
}

/* Of an apply it is the journal. Its length alone counts: nothing of what is too long is looked at. */
static void what_would_be_too_long_to_be_read_again_is_not_written(void **state)
{
	char byte = 0;
	const struct text lengths[] = { { .data = &byte, .length = MEMO_MOST }, { .data = &byte, .length = SIZE_MAX } };
	(void)state;
	auto_close int dir = open(place_path("."), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < N_ELEMENTS(lengths); i++) {
		assert_int_equal(memo_write(dir, "aside", "note", "pfdrops1", &lengths[i]), -1);
		assert_int_equal(errno, EMSGSIZE);
		assert_int_equal(faccessat(dir, "aside", F_OK, 0), -1);
		assert_int_equal(faccessat(dir, "note", F_OK, 0), -1);
	}
}

static void what_lies_where_a_note_is_written_is_replaced_and_not_written_to(void **state)
{
	(void)state;
	char copy[512], aside[4096];
	make_tree();
	place_write(place_path("outside"), "outside");
	struct pinfold_copy *open = open_one("mine", copy);
	snprintf(aside, sizeof(aside), "%s/../aside", place_path("%s", copy));
	assert_int_equal(link(place_path("outside"), aside), 0);
	note(copy, "a");
	auto_free char *outside = place_read(place_path("outside"));
	assert_string_equal(outside, "outside");
	copies_trees.close(open, PINFOLD_COPY_KEEP);
}

#define PUT_BACK_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PUT_BACK_TEST(only_what_is_named_is_put_back),
		PUT_BACK_TEST(what_is_put_back_is_what_the_tree_has_by_then),
		PUT_BACK_TEST(what_a_directory_of_a_layer_hides_is_put_back),
		PUT_BACK_TEST(what_lies_in_a_directory_that_stays_removed_is_refused_and_all_is_as_it_was),
		PUT_BACK_TEST(a_note_that_was_forged_leads_nowhere_and_all_can_still_be_dropped),
		PUT_BACK_TEST(what_would_be_too_long_to_be_read_again_is_not_written),
		PUT_BACK_TEST(what_lies_where_a_note_is_written_is_replaced_and_not_written_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
