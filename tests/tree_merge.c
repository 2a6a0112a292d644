/* tests/tree_merge.c - what a command changed in a session's copy stays; all else follows the tree. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/digest.h"
#include "tree/mirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static struct index base;
static struct mirror_work work;

static int set_up(void **state)
{
	base = (struct index){ 0 };
	place_set_up(state);
	place_directory(place_path("slot"));
	place_directory(place_path("slot/tree"));
	return 0;
}

static int tear_down(void **state)
{
	index_release(&base);
	mirror_work_release(&work);
	return place_tear_down(state);
}

static int merge_with(struct pinfold_error *err, unsigned threads)
{
	auto_close int root = open(place.base, O_PATH | O_CLOEXEC);
	auto_close int tree = open(place.tree, O_PATH | O_CLOEXEC);
	auto_close int slot = open(place_path("slot"), O_PATH | O_CLOEXEC);
	auto_close int copy = open(place_path("slot/tree"), O_PATH | O_CLOEXEC);
	struct trash trash = { .root = root };
	struct mirror_order order = {
		.tree = place.tree, .scratch = place.base, .copy = place_path("slot/tree"),
		.tree_fd = tree, .copy_fd = copy, .slot_fd = slot, .trash = &trash,
		.old = base.memory ? &base : NULL,
		.most_files = 100000, .most_bytes = UINT32_MAX, .most_depth = 256,
		.threads = threads, .processors = 2, .keep_changes = true,
	};
	mirror_work_release(&work);
	int result = mirror_sync(&order, "next", &work, err);
	if (trash.used)
		discard_empty(&trash);
	if (result < 0)
		return -1;
	assert_int_equal(faccessat(slot, "new", F_OK, 0), -1);
	if (renameat(slot, "next", slot, "index") == 0) {
		index_release(&base);
		assert_int_equal(index_load(slot, "index", &base), 0);
	}
	return 0;
}

static void merge(void)
{
	struct pinfold_error err = { 0 };
	if (merge_with(&err, 2) < 0)
		fail_msg("cannot %s: %s (%d); %s", err.action, err.subject, err.sys, err.recovery);
}

/* Nothing is left to be done, so a second sync in a row does nothing. */
static void assert_settled(void)
{
	merge();
	assert_int_equal(work.created + work.rewritten + work.removed, 0);
}

static const struct index_entry *recorded(const char *path)
{
	const struct index_entry *at = &base.entries[0];
	while (*path) {
		size_t bytes = strcspn(path, "/");
		const struct index_entry *found = NULL;
		for (uint32_t i = 0; at->kind == INDEX_FOLDER && i < at->children.count; i++) {
			const struct index_entry *child = &base.entries[at->children.first + i];
			if (child->name_bytes == bytes && memcmp(index_name(&base, child), path, bytes) == 0)
				found = child;
		}
		if (!found)
			return NULL;
		at = found;
		path += bytes + (path[bytes] == '/');
	}
	return at;
}

static void assert_change(const char *path, uint64_t digest)
{
	const struct index_entry *entry = recorded(path);
	assert_non_null(entry);
	assert_true(entry->copy_ctime <= 0);
	if (digest)
		assert_int_equal(entry->digest, digest);
}

static void assert_in_step(const char *path)
{
	struct stamp now, tree;
	const struct index_entry *entry = recorded(path);
	assert_non_null(entry);
	assert_int_equal(stamp_read(AT_FDCWD, place_path("slot/tree/%s", path), &now), 0);
	assert_int_equal(stamp_read(AT_FDCWD, place_path("work/%s", path), &tree), 0);
	assert_int_equal(entry->copy_ctime, now.ctime);
	assert_int_equal(entry->copy_inode, now.inode);
	assert_int_equal(entry->ctime, tree.ctime);
}

/* NULL: nothing is there. */
static void assert_held(const char *path, const char *content)
{
	auto_free char *there = place_read(place_path("slot/tree/%s", path));
	if (!content && access(place_path("slot/tree/%s", path), F_OK) == 0)
		fail_msg("%s is there", path);
	if (content && (!there || strcmp(there, content) != 0))
		fail_msg("%s is %s, not %s", path, there ? there : "missing", content);
}

static uint64_t digest(const char *text)
{
	return digest_of(text, strlen(text));
}

#define tree_write(path, content) place_write(place_path("work/%s", path), content)
#define copy_write(path, content) place_write(place_path("slot/tree/%s", path), content)
#define copy_path(path) place_path("slot/tree/%s", path)
#define tree_path(path) place_path("work/%s", path)

static void what_the_command_did_stays_and_all_else_follows(void **state)
{
	(void)state;
	static const char *const names[] = { "changed", "removed", "same", "edited", "deleted" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		tree_write(names[i], "base");
	merge();
	copy_write("changed", "by the command");
	copy_write("added", "by the command");
	unlink(copy_path("removed"));
	tree_write("edited", "by the person");
	tree_write("new", "by the person");
	unlink(tree_path("deleted"));
	merge();
	for (int round = 0; round < 3; round++) {
		assert_held("changed", "by the command");
		assert_held("added", "by the command");
		assert_held("removed", NULL);
		assert_held("same", "base");
		assert_held("edited", "by the person");
		assert_held("new", "by the person");
		assert_held("deleted", NULL);
		assert_change("changed", digest("base"));
		assert_change("removed", digest("base"));
		assert_null(recorded("added"));
		assert_null(recorded("deleted"));
		assert_in_step("same");
		assert_in_step("edited");
		assert_in_step("new");
		assert_settled();
	}
}

static void what_both_changed_alike_is_in_step_again(void **state)
{
	(void)state;
	tree_write("f", "base");
	tree_write("gone", "base");
	assert_int_equal(symlink("a", tree_path("link")), 0);
	merge();
	copy_write("f", "both");
	tree_write("f", "both");
	copy_write("added", "both");
	tree_write("added", "both");
	unlink(copy_path("gone"));
	unlink(tree_path("gone"));
	unlink(copy_path("link"));
	unlink(tree_path("link"));
	assert_int_equal(symlink("bb", copy_path("link")), 0);
	assert_int_equal(symlink("bb", tree_path("link")), 0);
	merge();
	assert_in_step("f");
	assert_in_step("added");
	assert_in_step("link");
	assert_null(recorded("gone"));
	tree_write("f", "later");
	tree_write("added", "later");
	merge();
	assert_held("f", "later");
	assert_held("added", "later");
}

static void what_both_changed_otherwise_stays_the_commands_with_its_old_base(void **state)
{
	(void)state;
	tree_write("f", "base");
	tree_write("both-gone", "base");
	merge();
	uint64_t identity = recorded("f")->identity;
	int64_t ctime = recorded("f")->ctime;
	copy_write("f", "command");
	tree_write("f", "person");
	copy_write("both-gone", "command");
	unlink(tree_path("both-gone"));
	copy_write("added", "command");
	tree_write("added", "person");
	for (int round = 0; round < 2; round++) {
		merge();
		assert_held("f", "command");
		assert_change("f", digest("base"));
		assert_int_equal(recorded("f")->identity, identity);
		assert_int_equal(recorded("f")->ctime, ctime);
		assert_held("both-gone", "command");
		assert_change("both-gone", digest("base"));
		assert_held("added", "command");
		assert_null(recorded("added"));
	}
	unlink(copy_path("added"));	/* its name is free: the tree's comes */
	merge();
	assert_held("added", "person");
	assert_in_step("added");
}

static void what_was_merely_touched_on_either_side_is_no_change(void **state)
{
	(void)state;
	tree_write("in-copy", "base");
	tree_write("in-tree", "base");
	merge();
	place_set_time(copy_path("in-copy"), 77, 7);
	copy_write("in-tree", "command");
	place_set_time(tree_path("in-tree"), 88, 8);
	merge();
	struct stat found;
	assert_in_step("in-copy");
	assert_int_equal(stat(copy_path("in-copy"), &found), 0);
	assert_int_equal(found.st_mtim.tv_sec, 77);	/* builds look at it */
	assert_change("in-tree", digest("base"));
	assert_int_equal(recorded("in-tree")->mtime, INT64_C(88000000008));	/* the base is what the tree has */
	place_set_time(copy_path("in-copy"), 99, 9);
	tree_write("in-copy", "person");
	merge();
	assert_held("in-copy", "person");
}

static mode_t mode_of(const char *path)
{
	struct stat found;
	assert_int_equal(lstat(path, &found), 0);
	return found.st_mode & 07777;
}

static void modes_are_merged_apart_from_contents(void **state)
{
	(void)state;
	static const char *const names[] = { "command", "person", "alike", "apart", "and-content" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		tree_write(names[i], "base");
	merge();
	chmod(copy_path("command"), 0755);
	chmod(tree_path("person"), 0600);
	place_set_time(copy_path("person"), 5, 5);
	chmod(copy_path("alike"), 0755);
	chmod(tree_path("alike"), 0755);
	chmod(copy_path("apart"), 0755);
	chmod(tree_path("apart"), 0600);
	chmod(copy_path("and-content"), 0755);
	tree_write("and-content", "person");
	merge();
	assert_int_equal(mode_of(copy_path("command")), 0755);
	assert_change("command", digest("base"));
	assert_int_equal(recorded("command")->mode & 07777, 0644);
	assert_int_equal(mode_of(copy_path("person")), 0600);
	assert_in_step("person");
	assert_int_equal(mode_of(copy_path("alike")), 0755);
	assert_in_step("alike");
	assert_int_equal(mode_of(copy_path("apart")), 0755);
	assert_change("apart", digest("base"));
	assert_int_equal(recorded("apart")->mode & 07777, 0644);	/* so that the tree's is seen to have changed */
	assert_int_equal(mode_of(copy_path("and-content")), 0755);
	assert_held("and-content", "base");
	assert_change("and-content", digest("base"));
	assert_settled();
}

static void modes_of_directories_are_merged(void **state)
{
	(void)state;
	static const char *const names[] = { "command", "person", "apart", "closed" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		place_directory(tree_path(names[i]));
	tree_write("closed/f", "base");
	chmod(tree_path("closed"), 0555);
	merge();
	chmod(copy_path("command"), 0750);
	chmod(tree_path("person"), 0711);
	chmod(copy_path("apart"), 0700);
	chmod(tree_path("apart"), 0711);
	tree_write("command/new", "person");
	tree_write("closed/f", "person");
	merge();
	assert_int_equal(mode_of(copy_path("command")), 0750);
	assert_held("command/new", "person");
	assert_change("command", 0);
	assert_int_equal(recorded("command")->mode & 07777, 0755);
	assert_int_equal(mode_of(copy_path("person")), 0711);
	assert_in_step("person");
	assert_int_equal(mode_of(copy_path("apart")), 0700);
	assert_change("apart", 0);
	assert_int_equal(recorded("apart")->mode & 07777, 0755);
	assert_int_equal(mode_of(copy_path("closed")), 0555);
	assert_held("closed/f", "person");
	assert_settled();
	chmod(copy_path("closed"), 01700);	/* as a killed sync leaves it */
	merge();
	assert_int_equal(mode_of(copy_path("closed")), 0555);
	chmod(tree_path("closed"), 0755);
}

static void make_deep(void)
{
	place_directory(tree_path("d"));
	place_directory(tree_path("d/sub"));
	tree_write("d/a", "base");
	tree_write("d/sub/b", "base");
	merge();
}

static void a_directory_that_the_command_removed_stays_removed_as_a_whole(void **state)
{
	(void)state;
	make_deep();
	place_remove(copy_path("d"));
	tree_write("d/new", "person");
	tree_write("d/sub/b", "person");
	for (int round = 0; round < 2; round++) {
		merge();
		assert_held("d", NULL);
		assert_change("d", 0);
		assert_change("d/a", digest("base"));
		assert_change("d/sub/b", digest("base"));
		assert_null(recorded("d/new"));	/* the tree has what the command never saw */
	}
	place_remove(tree_path("d"));
	merge();
	assert_null(recorded("d"));
}

static void a_directory_that_the_tree_removed_goes_but_for_what_the_command_changed(void **state)
{
	(void)state;
	make_deep();
	place_directory(tree_path("untouched"));
	tree_write("untouched/f", "base");
	place_directory(tree_path("added-to"));
	tree_write("added-to/f", "base");
	place_directory(tree_path("touched"));
	tree_write("touched/f", "base");
	merge();
	copy_write("d/sub/b", "command");
	copy_write("added-to/new", "command");
	copy_write("touched/temporary", "command");
	unlink(copy_path("touched/temporary"));
	static const char *const names[] = { "d", "untouched", "added-to", "touched" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		place_remove(tree_path(names[i]));
	merge();
	assert_held("d/sub/b", "command");
	assert_held("d/a", NULL);
	assert_change("d", 0);
	assert_change("d/sub", 0);
	assert_change("d/sub/b", digest("base"));
	assert_null(recorded("d/a"));
	assert_held("untouched", NULL);
	assert_null(recorded("untouched"));
	assert_held("touched", NULL);
	assert_null(recorded("touched"));
	assert_held("added-to/new", "command");
	assert_held("added-to/f", NULL);
	assert_null(recorded("added-to"));	/* it is the command's now */
	assert_settled();
	unlink(copy_path("d/sub/b"));	/* gone on both sides */
	merge();
	assert_held("d", NULL);
	assert_null(recorded("d"));
}

static void a_name_that_has_another_kind_on_one_side_stays_the_commands(void **state)
{
	(void)state;
	static const char *const files[] = { "to-folder", "to-link", "person-to-folder", "both-to-folder" };
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		tree_write(files[i], "base");
	make_deep();
	place_directory(tree_path("e"));
	tree_write("e/f", "base");
	merge();
	unlink(copy_path("to-folder"));
	place_directory(copy_path("to-folder"));
	copy_write("to-folder/in", "command");
	tree_write("to-folder", "person");
	unlink(copy_path("to-link"));
	assert_int_equal(symlink("x", copy_path("to-link")), 0);
	copy_write("person-to-folder", "command");
	unlink(tree_path("person-to-folder"));
	place_directory(tree_path("person-to-folder"));
	place_remove(copy_path("d"));
	copy_write("d", "command");
	unlink(copy_path("both-to-folder"));
	unlink(tree_path("both-to-folder"));
	place_directory(copy_path("both-to-folder"));
	place_directory(tree_path("both-to-folder"));
	copy_write("both-to-folder/c", "command");
	tree_write("both-to-folder/p", "person");
	copy_write("e/f", "command");
	place_remove(tree_path("e"));
	tree_write("e", "person");
	for (int round = 0; round < 2; round++) {
		merge();
		assert_held("to-folder/in", "command");
		assert_change("to-folder", digest("base"));
		assert_change("to-link", digest("base"));
		assert_held("person-to-folder", "command");
		assert_change("person-to-folder", digest("base"));
		assert_held("d", "command");
		assert_change("d", 0);
		assert_change("d/sub/b", digest("base"));
		assert_held("both-to-folder/c", "command");
		assert_held("both-to-folder/p", "person");
		assert_in_step("both-to-folder/p");
		assert_held("e/f", "command");
		assert_change("e/f", digest("base"));
	}
	unlink(copy_path("e/f"));
	merge();
	merge();
	assert_held("e", "person");
	assert_in_step("e");
}

static void a_kind_that_only_the_tree_changed_follows(void **state)
{
	(void)state;
	make_deep();
	tree_write("f", "base");
	tree_write("pipe", "base");
	merge();
	place_remove(tree_path("d"));
	tree_write("d", "person");
	unlink(tree_path("f"));
	place_directory(tree_path("f"));
	tree_write("f/in", "person");
	unlink(tree_path("pipe"));
	assert_int_equal(mkfifo(tree_path("pipe"), 0600), 0);
	merge();
	assert_held("d", "person");
	assert_held("f/in", "person");
	assert_held("pipe", NULL);
	assert_int_equal(recorded("pipe")->kind, INDEX_SKIPPED);
	copy_write("pipe", "command");
	merge();
	assert_held("pipe", "command");
	unlink(tree_path("pipe"));
	tree_write("pipe", "person");
	merge();
	assert_held("pipe", "command");
}

static void a_name_that_both_made_as_a_directory_is_merged(void **state)
{
	(void)state;
	merge();
	place_directory(tree_path("d"));
	place_directory(copy_path("d"));
	chmod(copy_path("d"), 0700);
	tree_write("d/p", "person");
	copy_write("d/c", "command");
	tree_write("d/same", "both");
	copy_write("d/same", "both");
	tree_write("d/other", "person");
	copy_write("d/other", "command");
	merge();
	assert_held("d/p", "person");
	assert_held("d/c", "command");
	assert_held("d/other", "command");
	assert_in_step("d/same");
	assert_null(recorded("d/other"));
	assert_null(recorded("d/c"));
	assert_settled();
	assert_held("d/other", "command");
}

static void names_of_one_file_that_the_command_parted_are_merged(void **state)
{
	(void)state;
	struct stat a, b;
	tree_write("a", "base");
	assert_int_equal(link(tree_path("a"), tree_path("b")), 0);
	assert_int_equal(link(tree_path("a"), tree_path("c")), 0);
	merge();
	unlink(copy_path("a"));
	copy_write("a", "command");
	assert_int_equal(link(copy_path("b"), copy_path("added")), 0);
	merge();
	assert_held("a", "command");
	assert_change("a", digest("base"));
	assert_in_step("b");
	assert_in_step("c");
	tree_write("a", "person, to all three names");
	merge();
	assert_held("a", "command");
	assert_held("b", "person, to all three names");
	assert_held("c", "person, to all three names");
	assert_held("added", "base");	/* what the command made is not changed in place */
	assert_int_equal(stat(copy_path("b"), &a), 0);
	assert_int_equal(stat(copy_path("c"), &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	assert_settled();
}

static void a_name_of_a_changed_file_that_the_command_added_is_left_alone(void **state)
{
	(void)state;
	tree_write("a", "base");
	merge();
	assert_int_equal(link(copy_path("a"), copy_path("added")), 0);
	chmod(tree_path("a"), 0755);
	merge();
	assert_int_equal(mode_of(copy_path("a")), 0755);
	assert_int_equal(mode_of(copy_path("added")), 0644);
}

static void attributes_that_differ_go_on_being_a_change(void **state)
{
	(void)state;
	tree_write("f", "base");
	merge();
	if (setxattr(copy_path("f"), "user.command", "x", 1, 0) < 0) {
		print_message("this file system has no attributes of users\n");
		skip();
	}
	merge();
	assert_change("f", digest("base"));
	assert_true(getxattr(copy_path("f"), "user.command", NULL, 0) == 1);
	tree_write("f", "person");
	merge();
	assert_held("f", "base");
	assert_true(getxattr(copy_path("f"), "user.command", NULL, 0) == 1);
}

static void a_base_that_may_have_changed_in_the_same_tick_is_not_believed(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		tree_write("f", "base");
		merge();
		copy_write("f", "command");
		tree_write("f", "othr");
		place_set_time(tree_path("f"), 1, 1);
		merge();
		assert_held("f", "command");
		const struct index_entry *entry = recorded("f");
		assert_int_equal(entry->digest, digest("base"));
		struct stamp now;
		assert_int_equal(stamp_read(AT_FDCWD, tree_path("f"), &now), 0);
		if (entry->ctime == now.ctime && entry->mtime == now.mtime)
			assert_true(entry->flags & INDEX_UNSURE);
		copy_write("f", "othr");
		merge();
		assert_in_step("f");
		assert_false(recorded("f")->flags & INDEX_UNSURE);
	}
}

static void a_session_without_changes_is_a_copy(void **state)
{
	(void)state;
	make_deep();
	for (int i = 0; i < 300; i++)
		place_write(place_path("work/d/%d", i), "base");
	merge();
	place_assert_equal(place.tree, place_path("slot/tree"));
	for (int i = 0; i < 300; i += 2)
		place_write(place_path("work/d/%d", i), "changed");
	for (int i = 1; i < 300; i += 2)
		unlink(place_path("work/d/%d", i));
	merge();
	place_assert_equal(place.tree, place_path("slot/tree"));
	assert_settled();
	place_assert_equal(place.tree, place_path("slot/tree"));
}

/* What a name holds: nothing, a content, a link, or a directory with one file. */
enum thing { NOTHING, ONE, TWO, LINK, FOLDER, THINGS };

static void make_thing(const char *path, enum thing thing)
{
	place_remove(path);
	if (thing == ONE || thing == TWO)
		place_write(path, thing == ONE ? "1" : "2");
	if (thing == LINK)
		assert_int_equal(symlink("where", path), 0);
	if (thing != FOLDER)
		return;
	char inner[600];
	snprintf(inner, sizeof(inner), "%s/in", path);
	assert_int_equal(mkdir(path, 0755), 0);
	place_write(inner, "in");
}

static enum thing look_at(const char *path)
{
	struct stat found;
	if (lstat(path, &found) < 0)
		return NOTHING;
	if (S_ISLNK(found.st_mode))
		return LINK;
	if (S_ISDIR(found.st_mode))
		return FOLDER;
	auto_free char *content = place_read(path);
	return streq(content, "1") ? ONE : TWO;
}

/* Every change of the one side meets every change of the other, many times. */
static void random_changes_of_both_sides_end_as_the_rule_has_it(void **state)
{
	(void)state;
	enum { NAMES = 60, ROUNDS = 40 };
	enum thing known[NAMES] = { NOTHING };
	srand(7);
	for (int round = 0; round < ROUNDS; round++) {
		enum thing expected[NAMES];
		for (int i = 0; i < NAMES; i++) {
			const char *tree = place_path("work/%d", i), *copy = place_path("slot/tree/%d", i);
			if (rand() % 3 == 0)
				make_thing(tree, (enum thing)(rand() % THINGS));
			if (rand() % 3 == 0)
				make_thing(copy, (enum thing)(rand() % THINGS));
			enum thing in_tree = look_at(tree), in_copy = look_at(copy);
			expected[i] = in_copy == known[i] ? in_tree : in_copy;
			if (expected[i] == in_tree)
				known[i] = in_tree;
		}
		merge();
		for (int i = 0; i < NAMES; i++) {
			enum thing found = look_at(place_path("slot/tree/%d", i));
			if (found != expected[i])
				fail_msg("round %d, %d: %d, not %d (base %d)", round, i, found, expected[i], known[i]);
			char name[12];
			snprintf(name, sizeof(name), "%d", i);
			const struct index_entry *entry = recorded(name);
			bool in_step = found == look_at(place_path("work/%d", i));
			if (in_step && found != NOTHING)
				assert_true(entry && entry->copy_ctime > 0);
			if (!in_step && known[i] != NOTHING)
				assert_true(entry && entry->copy_ctime <= 0);
		}
	}
}

static void a_failed_sync_loses_nothing(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	tree_write("f", "base");
	merge();
	copy_write("f", "command");
	place_directory(tree_path("closed"));
	tree_write("closed/f", "person");
	chmod(tree_path("closed/f"), 0);
	if (geteuid() == 0) {
		print_message("root reads everything: nothing fails\n");
		skip();
	}
	assert_int_equal(merge_with(&err, 1), -1);
	chmod(tree_path("closed/f"), 0644);
	merge();
	assert_held("f", "command");
	assert_held("closed/f", "person");
	assert_in_step("closed/f");
}

#define MERGE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MERGE_TEST(what_the_command_did_stays_and_all_else_follows),
		MERGE_TEST(what_both_changed_alike_is_in_step_again),
		MERGE_TEST(what_both_changed_otherwise_stays_the_commands_with_its_old_base),
		MERGE_TEST(what_was_merely_touched_on_either_side_is_no_change),
		MERGE_TEST(modes_are_merged_apart_from_contents),
		MERGE_TEST(modes_of_directories_are_merged),
		MERGE_TEST(a_directory_that_the_command_removed_stays_removed_as_a_whole),
		MERGE_TEST(a_directory_that_the_tree_removed_goes_but_for_what_the_command_changed),
		MERGE_TEST(a_name_that_has_another_kind_on_one_side_stays_the_commands),
		MERGE_TEST(a_kind_that_only_the_tree_changed_follows),
		MERGE_TEST(a_name_that_both_made_as_a_directory_is_merged),
		MERGE_TEST(names_of_one_file_that_the_command_parted_are_merged),
		MERGE_TEST(a_name_of_a_changed_file_that_the_command_added_is_left_alone),
		MERGE_TEST(attributes_that_differ_go_on_being_a_change),
		MERGE_TEST(a_base_that_may_have_changed_in_the_same_tick_is_not_believed),
		MERGE_TEST(a_session_without_changes_is_a_copy),
		MERGE_TEST(random_changes_of_both_sides_end_as_the_rule_has_it),
		MERGE_TEST(a_failed_sync_loses_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
