/* tests/tree_changes.c - finding what a command changed: in a copy, and in layers. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *lacks[FOUND_VIEWS];

#define must(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: %s: %m\n", __FILE__, __LINE__, #condition); \
			return -1;                                             \
		}                                                              \
	} while (0)

static int write_at(const char *path, const char *content)
{
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content) ? 0 : -1;
}

static int in_write(const char *name, const char *content)
{
	return write_at(found_in(name), content);
}

static int in_rename(const char *from, const char *to)
{
	return rename(found_in(from), found_in(to));
}

static const char *tree_at(const char *name)
{
	return place_path("work/%s", name);
}

/* A few entries of every kind. */
static void make_tree(void)
{
	place_write(tree_at("a"), "the content of a\n");
	place_write(tree_at("b"), "b, which has another\n");
	place_directory(tree_at("d"));
	place_write(tree_at("d/x"), "x has its own\n");
	place_write(tree_at("d/y"), "and y as well\n");
	place_directory(tree_at("d/e"));
	place_write(tree_at("d/e/z"), "z lies deeper\n");
	place_directory(tree_at("empty"));
	assert_int_equal(symlink("a", tree_at("link")), 0);
	place_let_age();
}

/* What the command does, what happens to the tree afterwards, and what is then found. */
struct scene {
	void (*prepare)(void);
	int (*operate)(void *);
	void (*meanwhile)(void);
	const char *const *paths;
	const char *expected;
};

static void play_in(enum found_view view, const struct scene *scene)
{
	assert_int_equal(place_set_up(NULL), 0);
	make_tree();
	if (scene->prepare) {
		scene->prepare();
		place_let_age();
	}
	found_start(view);
	found_run(scene->operate, NULL);
	if (scene->meanwhile)
		scene->meanwhile();
	const char *text = found_changes(scene->paths);
	if (!streq(text, scene->expected))
		fail_msg("%s:\n%s", found_view_names[view], text);
	found_release();
	assert_int_equal(place_tear_down(NULL), 0);
}

static void play(const struct scene *scene)
{
	for (enum found_view view = FOUND_COPY; view < FOUND_VIEWS; view++)
		if (!lacks[view])
			play_in(view, scene);
}

static int nothing(void *context)
{
	(void)context;
	return 0;
}

static void nothing_is_found_where_nothing_changed(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = nothing, .expected = "" });
}

static int change_several(void *context)
{
	(void)context;
	must(in_write("a", "longer than before, by a few words\n") == 0);
	must(in_write("new", "new\n") == 0);
	must(mkdir(found_in("made"), 0755) == 0);
	must(in_write("made/inner", "inner\n") == 0);
	must(unlink(found_in("d/x")) == 0);
	must(rmdir(found_in("empty")) == 0);
	must(unlink(found_in("link")) == 0);
	must(symlink("b", found_in("link")) == 0);
	must(chmod(found_in("b"), 0600) == 0);
	return 0;
}

static void what_is_added_removed_and_changed_is_told_by_path(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = change_several,
		.expected = "modified a content\n"
			    "modified b mode\n"
			    "removed d/x\n"
			    "removed empty\n"
			    "modified link target\n"
			    "added made\n"
			    "added made/inner\n"
			    "added new\n",
	});
}

static int touch(void *context)
{
	(void)context;
	place_set_time(found_in("a"), 1000000, 5);
	place_set_time(found_in("link"), 1000000, 5);
	place_set_time(found_in("d"), 1000000, 5);
	must(in_write("b", "b, which has another\n") == 0);
	must(chmod(found_in("d/x"), 0600) == 0 && chmod(found_in("d/x"), 0644) == 0);
	must(chmod(found_in("d/e"), 0700) == 0 && chmod(found_in("d/e"), 0755) == 0);
	must(in_write("d/e/gone", "") == 0 && unlink(found_in("d/e/gone")) == 0);
	must(in_rename("d/y", "d/other") == 0 && in_rename("d/other", "d/y") == 0);
	must(setxattr(found_in("a"), "user.mark", "x", 1, 0) == 0);
	must(removexattr(found_in("a"), "user.mark") == 0);
	return 0;
}

static void touch_tree(void)
{
	place_set_time(tree_at("a"), 2000000, 5);
	place_set_time(tree_at("b"), 2000000, 5);
	place_set_time(tree_at("link"), 2000000, 5);
	place_set_time(tree_at("d/x"), 2000000, 5);
}

static void what_is_as_before_is_no_change_whatever_was_done_to_it(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = touch, .expected = "" });
	play(&(struct scene){ .operate = touch, .meanwhile = touch_tree, .expected = "" });
}

static int rename_files(void *context)
{
	(void)context;
	must(in_rename("a", "renamed") == 0);
	must(in_rename("d/x", "empty/x") == 0);
	must(in_rename("link", "d/link") == 0);
	return 0;
}

static void what_was_renamed_is_told_as_that(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = rename_files,
		.expected = "renamed d/link < link\n"
			    "renamed empty/x < d/x\n"
			    "renamed renamed < a\n",
	});
}

static void rename_in_tree(void)
{
	assert_int_equal(rename(tree_at("a"), tree_at("renamed")), 0);
	assert_int_equal(rename(tree_at("d/x"), tree_at("empty/x")), 0);
	assert_int_equal(rename(tree_at("link"), tree_at("d/link")), 0);
}

static void a_rename_that_the_tree_did_as_well_is_none(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = rename_files, .meanwhile = rename_in_tree, .expected = "" });
}

static int rename_and_edit(void *context)
{
	(void)context;
	must(in_write("a", "something else entirely, and longer\n") == 0);
	must(in_rename("a", "renamed") == 0);
	must(in_rename("b", "b2") == 0);
	must(chmod(found_in("b2"), 0600) == 0);
	return 0;
}

/* An overlay leaves no trace of where the content came from. */
static void a_file_that_was_renamed_and_edited_is_known_in_a_copy(void **state)
{
	(void)state;
	play_in(FOUND_COPY, &(struct scene){
		.operate = rename_and_edit,
		.expected = "renamed b2 mode < b\n"
			    "renamed renamed content < a\n",
	});
}

/* The layer does not say where it came from: no guess is made, and an apply makes the same of it. */
static void in_a_layer_a_file_that_was_renamed_is_known_by_its_content_only(void **state)
{
	(void)state;
	for (enum found_view view = FOUND_USER_LAYER; view < FOUND_VIEWS; view++)
		if (!lacks[view])
			play_in(view, &(struct scene){
				.operate = rename_and_edit,
				.expected = "removed a\n"
					    "renamed b2 mode < b\n"
					    "added renamed\n",
			});
}

static int reuse_inode(void *context)
{
	(void)context;
	place_let_age();
	for (int i = 0; i < 20; i++) {
		char name[32];
		must(unlink(found_in("a")) == 0 || i > 0);
		snprintf(name, sizeof(name), "fresh%d", i);
		must(in_write(name, "made anew, and nothing that was there before\n") == 0);
		if (i == 0)
			continue;
		must(unlink(found_in(name)) == 0);
	}
	return 0;
}

static void a_new_file_with_the_inode_of_a_removed_one_is_new(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = reuse_inode, .expected = "removed a\nadded fresh0\n" });
}

static int move(const char *from, const char *to)
{
	char command[2048];
	snprintf(command, sizeof(command), "cp -a '%s' '%s' && rm -r '%s'", found_in(from), found_in(to),
		 found_in(from));
	return in_rename(from, to) == 0 || system(command) == 0 ? 0 : -1;
}

static int move_directory(void *context)
{
	(void)context;
	must(move("d", "moved") == 0);
	return 0;
}

static void a_directory_that_was_moved_with_all_in_it_is_one_change(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = move_directory, .expected = "renamed moved < d\n" });
}

static int move_directory_and_change_it(void *context)
{
	must(move_directory(context) == 0);
	must(in_rename("moved/e", "moved/f") == 0);
	must(in_write("moved/x", "x has been given more to say\n") == 0);
	must(unlink(found_in("moved/y")) == 0);
	must(in_write("moved/new", "new\n") == 0);
	return 0;
}

static void what_changed_in_a_moved_directory_is_told_beside_it(void **state)
{
	(void)state;
	play_in(FOUND_COPY, &(struct scene){
		.operate = move_directory_and_change_it,
		.expected = "removed d/y\n"
			    "renamed moved < d\n"
			    "renamed moved/f < d/e\n"
			    "added moved/new\n"
			    "modified moved/x content < d/x\n",
	});
}

static int move_and_refill(void *context)
{
	must(move_directory(context) == 0);
	must(mkdir(found_in("d"), 0755) == 0);
	must(in_write("d/x", "another x\n") == 0);
	return 0;
}

static void a_name_that_was_taken_again_is_not_renamed(void **state)
{
	(void)state;
	play_in(FOUND_COPY, &(struct scene){
		.operate = move_and_refill,
		.expected = "modified d/x content\n"
			    "added moved\n"
			    "renamed moved/e < d/e\n"
			    "added moved/x\n"
			    "renamed moved/y < d/y\n",
	});
}

static int retype(void *context)
{
	(void)context;
	must(unlink(found_in("a")) == 0 && mkdir(found_in("a"), 0755) == 0);
	must(in_write("a/inner", "inner\n") == 0);
	place_remove(found_in("d"));
	must(in_write("d", "a file now\n") == 0);
	must(unlink(found_in("link")) == 0);
	must(in_write("link", "a file as well\n") == 0);
	return 0;
}

static void what_is_of_another_kind_is_told_with_what_lay_in_it(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = retype,
		.expected = "retyped a\n"
			    "added a/inner\n"
			    "retyped d\n"
			    "removed d/e\n"
			    "removed d/e/z\n"
			    "removed d/x\n"
			    "removed d/y\n"
			    "retyped link\n",
	});
}

static int make_specials(void *context)
{
	(void)context;
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "sock" };
	must(mkfifo(found_in("fifo"), 0644) == 0);
	must(chdir(found_in("")) == 0);
	auto_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	must(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	must(chdir("/") == 0);
	return 0;
}

static void what_cannot_be_applied_is_found_and_said_to_be_so(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = make_specials, .expected = "added fifo\nadded sock\n" });
	assert_int_equal(place_set_up(NULL), 0);
	make_tree();
	found_start(FOUND_COPY);
	found_run(make_specials, NULL);
	found_changes(NULL);
	assert_int_equal(found.items[0].after.kind, INDEX_SKIPPED);
	assert_int_equal(found.items[1].after.kind, INDEX_SKIPPED);
	found_release();
	assert_int_equal(place_tear_down(NULL), 0);
}

static void make_fifo(void)
{
	assert_int_equal(mkfifo(tree_at("pipe"), 0644), 0);
	assert_int_equal(mkfifo(tree_at("d/pipe"), 0644), 0);
}

static void what_the_sync_left_out_is_no_change(void **state)
{
	(void)state;
	play(&(struct scene){ .prepare = make_fifo, .operate = nothing, .expected = "" });
	play(&(struct scene){
		.prepare = make_fifo,
		.operate = change_several,
		.expected = "modified a content\n"
			    "modified b mode\n"
			    "removed d/x\n"
			    "removed empty\n"
			    "modified link target\n"
			    "added made\n"
			    "added made/inner\n"
			    "added new\n",
	});
}

static int link_names(void *context)
{
	(void)context;
	must(link(found_in("a"), found_in("d/a2")) == 0);
	must(in_write("one", "new\n") == 0);
	must(link(found_in("one"), found_in("two")) == 0);
	must(link(found_in("one"), found_in("d/three")) == 0);
	return 0;
}

static void further_names_of_a_file_are_told_with_the_first(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = link_names,
		.expected = "added d/a2 = a\n"
			    "added d/three\n"
			    "added one = d/three\n"
			    "added two = d/three\n",
	});
}

static void make_linked(void)
{
	assert_int_equal(link(tree_at("a"), tree_at("d/a2")), 0);
}

static int write_linked(void *context)
{
	(void)context;
	auto_close int fd = open(found_in("a"), O_WRONLY | O_APPEND | O_CLOEXEC);
	must(fd >= 0 && write(fd, "more\n", 5) == 5);
	return 0;
}

static void a_write_shows_at_every_name_of_a_copied_file(void **state)
{
	(void)state;
	play_in(FOUND_COPY, &(struct scene){
		.prepare = make_linked,
		.operate = write_linked,
		.expected = "modified a content\nmodified d/a2 content = a\n",
	});
}

static int odd_names(void *context)
{
	(void)context;
	must(in_write("new\nline", "1\n") == 0);
	must(in_write("\xff\xfe", "2\n") == 0);
	must(in_write("-", "3\n") == 0);
	must(in_write("d.", "4\n") == 0);
	must(in_write("d/ ", "5\n") == 0);
	return 0;
}

static void names_are_bytes_and_sorted_as_such(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = odd_names,
		.expected = "added -\nadded d.\nadded d/ \nadded new\nline\nadded \xff\xfe\n",
	});
}

static int lock_up(void *context)
{
	(void)context;
	must(in_write("d/e/new", "new\n") == 0);
	must(in_write("d/e/z", "z lies deeper still\n") == 0);
	must(chmod(found_in("d/e/new"), 0) == 0);
	must(chmod(found_in("a"), 0) == 0);
	must(chmod(found_in("d/e"), 0) == 0);
	must(chmod(found_in("d"), 0) == 0);
	return 0;
}

static void what_cannot_be_read_is_found_and_left_so(void **state)
{
	(void)state;
	for (enum found_view view = FOUND_COPY; view < FOUND_VIEWS; view++) {
		if (lacks[view])
			continue;
		assert_int_equal(place_set_up(NULL), 0);
		make_tree();
		found_start(view);
		found_run(lock_up, NULL);
		const char *expected = "modified a mode\n"
				       "modified d mode\n"
				       "modified d/e mode\n"
				       "added d/e/new\n"
				       "modified d/e/z content\n";
		for (int i = 0; i < 2; i++) {
			const char *text = found_changes(NULL);
			if (!streq(text, expected))
				fail_msg("%s:\n%s", found_view_names[view], text);
		}
		auto_close int held = open(found_held, O_PATH | O_DIRECTORY | O_CLOEXEC);
		auto_close int fd = change_open_after(held, &found.items[3]);
		char content[8] = "";
		assert_true(fd >= 0 && read(fd, content, sizeof(content) - 1) == 4);
		assert_string_equal(content, "new\n");
		struct stat now;
		assert_int_equal(fstatat(held, "d", &now, 0), 0);
		assert_int_equal(now.st_mode & 07777, 0);
		assert_int_equal(fchmodat(held, "d", 0700, 0) | fchmodat(held, "d/e", 0700, 0), 0);
		found_release();
		assert_int_equal(place_tear_down(NULL), 0);
	}
}

static int mark(void *context)
{
	(void)context;
	must(setxattr(found_in("a"), "user.mark", "x", 1, 0) == 0);
	must(setxattr(found_in("d"), "user.mark", "x", 1, 0) == 0);
	return 0;
}

static void attributes_of_the_user_are_compared(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = mark,
		.expected = "modified a attributes\nmodified d attributes\n",
	});
}

static void make_sparse(void)
{
	place_write(tree_at("sparse"), "");
	assert_int_equal(truncate(tree_at("sparse"), 8 << 20), 0);
}

static int write_sparse(void *context)
{
	(void)context;
	auto_close int fd = open(found_in("sparse"), O_WRONLY | O_CLOEXEC);
	must(fd >= 0 && pwrite(fd, "x", 1, 5 << 20) == 1);
	return 0;
}

static int touch_sparse(void *context)
{
	must(write_sparse(context) == 0);
	auto_close int fd = open(found_in("sparse"), O_WRONLY | O_CLOEXEC);
	must(fd >= 0 && pwrite(fd, "", 1, 5 << 20) == 1);
	return 0;
}

static void large_files_with_holes_are_compared_by_content(void **state)
{
	(void)state;
	play(&(struct scene){
		.prepare = make_sparse, .operate = write_sparse, .expected = "modified sparse content\n" });
	play(&(struct scene){ .prepare = make_sparse, .operate = touch_sparse, .expected = "" });
}

static void change_tree_alike(void)
{
	place_write(tree_at("a"), "longer than before, by a few words\n");
	place_write(tree_at("new"), "new\n");
	place_directory(tree_at("made"));
	place_write(tree_at("made/inner"), "another inner\n");
	assert_int_equal(unlink(tree_at("d/x")), 0);
	assert_int_equal(rmdir(tree_at("empty")), 0);
	assert_int_equal(chmod(tree_at("b"), 0600), 0);
	assert_int_equal(unlink(tree_at("link")), 0);
	assert_int_equal(symlink("b", tree_at("link")), 0);
}

static void what_the_tree_has_meanwhile_is_left_out(void **state)
{
	(void)state;
	play(&(struct scene){
		.operate = change_several,
		.meanwhile = change_tree_alike,
		.expected = "added made/inner\n",
	});
}

static void change_tree(void)
{
	place_write(tree_at("d/y"), "the person wrote this\n");
	assert_int_equal(unlink(tree_at("d/e/z")), 0);
	place_write(tree_at("person's"), "own\n");
}

static void what_only_the_tree_changed_is_none(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = nothing, .meanwhile = change_tree, .expected = "" });
	play(&(struct scene){ .operate = touch, .meanwhile = change_tree, .expected = "" });
}

static void only_what_is_asked_for_is_found(void **state)
{
	(void)state;
	static const char *const one[] = { "made", "b", "nothing", NULL };
	static const char *const all[] = { "", NULL };
	static const char *const moved[] = { "renamed", NULL };
	static const char *const old[] = { "a", "d", NULL };
	play(&(struct scene){
		.operate = change_several,
		.paths = one,
		.expected = "modified b mode\nadded made\nadded made/inner\n",
	});
	play(&(struct scene){ .operate = rename_files, .paths = moved, .expected = "added renamed\n" });
	play(&(struct scene){
		.operate = rename_files,
		.paths = old,
		.expected = "removed a\nadded d/link\nremoved d/x\n",
	});
	play(&(struct scene){
		.operate = rename_files,
		.paths = all,
		.expected = "renamed d/link < link\nrenamed empty/x < d/x\nrenamed renamed < a\n",
	});
}

static void a_path_is_no_prefix_of_a_name(void **state)
{
	(void)state;
	static const char *const paths[] = { "d", NULL };
	play(&(struct scene){ .operate = odd_names, .paths = paths, .expected = "added d/ \n" });
}

static int open_top(void *context)
{
	(void)context;
	must(chmod(found_in(""), 0700) == 0);
	return 0;
}

static void the_top_directory_is_an_entry_as_well(void **state)
{
	(void)state;
	play(&(struct scene){ .operate = open_top, .expected = "modified . mode\n" });
}

static int edit_twice(void *context)
{
	(void)context;
	must(in_write("a", "the content of A\n") == 0);
	return 0;
}

static void the_content_before_is_the_tree_s_while_that_is_it(void **state)
{
	(void)state;
	for (enum found_view view = FOUND_COPY; view < FOUND_VIEWS; view++) {
		if (lacks[view])
			continue;
		char content[32] = "";
		assert_int_equal(place_set_up(NULL), 0);
		make_tree();
		found_start(view);
		found_run(edit_twice, NULL);
		assert_string_equal(found_changes(NULL), "modified a content\n");
		auto_close int tree = open(place.tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
		for (int i = 0; i < 2; i++) {
			auto_close int fd = change_open_before(tree, &found.items[0]);
			assert_true(fd >= 0 && read(fd, content, sizeof(content) - 1) == 17);
			assert_string_equal(content, "the content of a\n");
			place_set_time(tree_at("a"), 1000, 0);
		}
		place_write(tree_at("a"), "the content of B\n");
		assert_int_equal(change_open_before(tree, &found.items[0]), -1);
		assert_int_equal(errno, ESTALE);
		assert_int_equal(unlink(tree_at("a")), 0);
		assert_int_equal(change_open_before(tree, &found.items[0]), -1);
		assert_int_equal(errno, ESTALE);
		found_release();
		assert_int_equal(place_tear_down(NULL), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_where_nothing_changed),
		cmocka_unit_test(what_is_added_removed_and_changed_is_told_by_path),
		cmocka_unit_test(what_is_as_before_is_no_change_whatever_was_done_to_it),
		cmocka_unit_test(what_was_renamed_is_told_as_that),
		cmocka_unit_test(a_rename_that_the_tree_did_as_well_is_none),
		cmocka_unit_test(a_file_that_was_renamed_and_edited_is_known_in_a_copy),
		cmocka_unit_test(in_a_layer_a_file_that_was_renamed_is_known_by_its_content_only),
		cmocka_unit_test(a_new_file_with_the_inode_of_a_removed_one_is_new),
		cmocka_unit_test(a_directory_that_was_moved_with_all_in_it_is_one_change),
		cmocka_unit_test(what_changed_in_a_moved_directory_is_told_beside_it),
		cmocka_unit_test(a_name_that_was_taken_again_is_not_renamed),
		cmocka_unit_test(what_is_of_another_kind_is_told_with_what_lay_in_it),
		cmocka_unit_test(what_cannot_be_applied_is_found_and_said_to_be_so),
		cmocka_unit_test(what_the_sync_left_out_is_no_change),
		cmocka_unit_test(further_names_of_a_file_are_told_with_the_first),
		cmocka_unit_test(a_write_shows_at_every_name_of_a_copied_file),
		cmocka_unit_test(names_are_bytes_and_sorted_as_such),
		cmocka_unit_test(what_cannot_be_read_is_found_and_left_so),
		cmocka_unit_test(attributes_of_the_user_are_compared),
		cmocka_unit_test(large_files_with_holes_are_compared_by_content),
		cmocka_unit_test(what_the_tree_has_meanwhile_is_left_out),
		cmocka_unit_test(what_only_the_tree_changed_is_none),
		cmocka_unit_test(only_what_is_asked_for_is_found),
		cmocka_unit_test(a_path_is_no_prefix_of_a_name),
		cmocka_unit_test(the_top_directory_is_an_entry_as_well),
		cmocka_unit_test(the_content_before_is_the_tree_s_while_that_is_it),
	};
	for (enum found_view view = FOUND_COPY; view < FOUND_VIEWS; view++) {
		lacks[view] = found_lacks(view);
		if (lacks[view])
			print_message("not tested: %s; it takes %s\n", found_view_names[view], lacks[view]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
