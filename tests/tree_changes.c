/* tests/tree_changes.c - finding what a command changed: in a copy, and in layers. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_found_where_nothing_changed),
		cmocka_unit_test(what_is_added_removed_and_changed_is_told_by_path),
		cmocka_unit_test(what_is_as_before_is_no_change_whatever_was_done_to_it),
	};
	for (enum found_view view = FOUND_COPY; view < FOUND_VIEWS; view++) {
		lacks[view] = found_lacks(view);
		if (lacks[view])
			print_message("not tested: %s; it takes %s\n", found_view_names[view], lacks[view]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
