/* tests/tree_apply.c - what a command changed comes into the tree, and what the tree changed stays. */
#include "config.h"

#include "tree_applied.h"
#include "tree_picture.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>

static void expect_applied(const char *left_over)
{
	if (applied_run() < 0)
		fail_msg("cannot %s: %s (%s); %s", place.err.action, place.err.subject,
			 strerror(place.err.sys), place.err.recovery);
	assert_string_equal(applied_left(), left_over);
	assert_false(applied_left_something());
}

static void make_tree_for(enum found_view view)
{
	place_write(applied_at("a"), "a\n");
	place_write(applied_at("b"), "b\n");
	place_write(applied_at("run"), "#!/bin/sh\n");
	place_directory(applied_at("d"));
	place_write(applied_at("d/x"), "x\n");
	place_write(applied_at("d/y"), "y\n");
	place_directory(applied_at("d/e"));
	place_write(applied_at("d/e/z"), "z\n");
	place_directory(applied_at("empty"));
	assert_int_equal(symlink("a", applied_at("link")), 0);
	applied_start(view);
}

static void make_tree(void)
{
	make_tree_for(FOUND_COPY);
}

/* The tree is what the copy is. */
static void assert_as_copy(void)
{
	auto_free char *copy = picture_of(found_held, true), *tree = picture_of(place.tree, PICTURE_TIMES);
	/* The top directory of a copy is its owner's alone. */
	picture_assert_equal(strchr(copy, '\n'), strchr(tree, '\n'));
}

static void assert_content(const char *path, const char *expected)
{
	auto_free char *content = place_read(path);
	if (!content)
		fail_msg("%s is missing", path);
	assert_string_equal(content, expected);
}

static void everything_that_a_command_does_comes_into_the_tree(void **state)
{
	(void)state;
	make_tree();
	place_write(applied_in("a"), "longer than before\n");
	place_write(applied_in("new"), "new\n");
	place_directory(applied_in("made"));
	place_directory(applied_in("made/in"));
	place_write(applied_in("made/in/it"), "it\n");
	assert_int_equal(symlink("it", applied_in("made/in/to")), 0);
	assert_int_equal(unlink(applied_in("d/x")), 0);
	assert_int_equal(rmdir(applied_in("empty")), 0);
	assert_int_equal(unlink(applied_in("link")), 0);
	assert_int_equal(symlink("b", applied_in("link")), 0);
	assert_int_equal(chmod(applied_in("run"), 0755), 0);
	assert_int_equal(chmod(applied_in("d/e"), 0700), 0);
	place_set_time(applied_in("new"), 1234567890, 123456789);
	expect_applied("");
	assert_true(applied.done);
	assert_as_copy();
	assert_string_equal(found_changes(NULL), "");
}

static void whole_directories_go_and_come(void **state)
{
	(void)state;
	make_tree();
	place_remove(applied_in("d"));
	place_directory(applied_in("deep"));
	place_directory(applied_in("deep/er"));
	for (int i = 0; i < 50; i++)
		place_write(applied_in("deep/er/%d", i), "content");
	assert_int_equal(chmod(applied_in("deep/er"), 0555), 0);
	assert_int_equal(chmod(applied_in("deep"), 0500), 0);
	expect_applied("");
	assert_as_copy();
}

static void kinds_change_into_each_other(void **state)
{
	(void)state;
	make_tree();
	unlink(applied_in("a"));
	place_directory(applied_in("a"));
	place_write(applied_in("a/inner"), "inner\n");
	place_remove(applied_in("d"));
	place_write(applied_in("d"), "now a file\n");
	unlink(applied_in("b"));
	assert_int_equal(symlink("run", applied_in("b")), 0);
	unlink(applied_in("link"));
	place_write(applied_in("link"), "no link\n");
	rmdir(applied_in("empty"));
	assert_int_equal(symlink("a", applied_in("empty")), 0);
	expect_applied("");
	assert_as_copy();
}

static void names_are_exchanged_and_passed_on(void **state)
{
	(void)state;
	make_tree();
	struct stat before, after;
	assert_int_equal(stat(applied_at("d/e/z"), &before), 0);
	rename(applied_in("a"), applied_in("t"));
	rename(applied_in("b"), applied_in("a"));
	rename(applied_in("t"), applied_in("b"));
	rename(applied_in("d"), applied_in("f"));
	rename(applied_in("f/e"), applied_in("d"));
	place_write(applied_in("f/more"), "more\n");
	place_write(applied_in("f/x"), "another x\n");
	unlink(applied_in("f/y"));
	rename(applied_in("empty"), applied_in("f/e"));
	expect_applied("");
	assert_as_copy();
	assert_int_equal(stat(applied_at("d/z"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);	/* it was moved, not written */
}

static void a_moved_directory_takes_what_the_tree_put_into_it_along(void **state)
{
	(void)state;
	make_tree();
	rename(applied_in("d"), applied_in("moved"));
	place_write(applied_at("d/mine"), "mine\n");
	expect_applied("");
	assert_content(applied_at("moved/mine"), "mine\n");
	assert_content(applied_at("moved/x"), "x\n");
	assert_int_equal(access(applied_at("d"), F_OK), -1);
}

static void links_holes_and_attributes_are_kept(void **state)
{
	(void)state;
	make_tree();
	auto_close int fd = open(applied_in("sparse"), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
	assert_int_equal(ftruncate(fd, 8 << 20), 0);
	assert_int_equal(pwrite(fd, "end", 3, (8 << 20) - 3), 3);
	place_write(applied_in("one"), "one\n");
	assert_int_equal(link(applied_in("one"), applied_in("other")), 0);
	place_directory(applied_in("n"));
	assert_int_equal(link(applied_in("one"), applied_in("n/third")), 0);
	assert_int_equal(link(applied_in("a"), applied_in("second a")), 0);
	if (setxattr(applied_in("one"), "user.mine", "value", 5, 0) < 0)
		print_message("this file system has no attributes\n");
	setxattr(applied_in("d"), "user.of-d", "there", 5, 0);
	setxattr(applied_in("b"), "user.of-b", "there", 5, 0);
	expect_applied("");
	assert_as_copy();
}

static void nobody_gets_rights_by_an_apply(void **state)
{
	(void)state;
	struct stat found_stat;
	make_tree();
	place_write(applied_in("suid"), "x");
	assert_int_equal(chmod(applied_in("suid"), 06755), 0);
	assert_int_equal(chmod(applied_in("run"), 06755), 0);
	expect_applied("");
	assert_int_equal(stat(applied_at("suid"), &found_stat), 0);
	assert_int_equal(found_stat.st_mode & 07777, 0755);
	assert_int_equal(stat(applied_at("run"), &found_stat), 0);
	assert_int_equal(found_stat.st_mode & 07777, 0755);
}

static void what_is_no_file_is_named_and_left(void **state)
{
	(void)state;
	make_tree();
	assert_int_equal(mkfifo(applied_in("fifo"), 0644), 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	auto_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char here[4096];
	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(found_held), 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "socket");
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(chdir(here), 0);
	place_write(applied_in("new"), "new\n");
	place_write(applied_in(".pinfold-mine"), "reserved\n");
	expect_applied("reserved .pinfold-mine\nspecial fifo\nspecial socket\n");
	assert_content(applied_at("new"), "new\n");
	assert_int_equal(access(applied_at("fifo"), F_OK), -1);
}

/* Each row: what the command does to the copy, what the tree does meanwhile, and what is said of it. */
struct conflict {
	const char *name;
	const char *command, *meanwhile;	/* shell, in the copy and in the tree */
	const char *left;
};

static const struct conflict conflicts[] = {
	{ "changed and changed", "echo 1 >a", "echo 22 >a", "changed a\n" },
	{ "changed to the same size", "echo 1 >a", "echo 2 >a", "changed a\n" },
	{ "changed by a rename", "echo 1 >a", "echo 2 >n; mv n a", "changed a\n" },
	{ "changed and removed", "echo 1 >a", "rm a", "removed a\n" },
	{ "changed and another kind", "echo 1 >a", "rm a; mkdir a", "taken a\n" },
	{ "changed and a link to the same", "echo 1 >a", "mv a z; ln -s z a", "taken a\n" },
	{ "removed and changed", "rm a", "echo 2 >a", "changed a\n" },
	{ "removed and another kind", "rm a", "rm a; ln -s b a", "taken a\n" },
	{ "added and added", "echo 1 >n", "echo 2 >n", "taken n\n" },
	{ "added where a directory is", "echo 1 >n", "mkdir n", "taken n\n" },
	{ "a directory where a file is", "mkdir n; echo 1 >n/f", "echo 2 >n", "taken n\nblocked n/f\n" },
	{ "added in a removed directory", "echo 1 >d/n", "rm -r d", "no-directory d/n\n" },
	{ "added behind a link", "echo 1 >d/n", "mv d real; ln -s real d", "no-directory d/n\n" },
	{ "changed behind a link", "echo 1 >d/x", "mv d real; ln -s real d", "removed d/x\n" },
	{ "a link changed and changed", "ln -sfn b link", "ln -sfn d link", "changed link\n" },
	{ "a directory removed and filled", "rm -r d", "echo 2 >d/mine", "full d\n" },
	{ "a directory removed and changed", "rm -r d", "echo 2 >d/x", "full d\nchanged d/x\n" },
	{ "a directory removed, deep below filled", "rm -r d", "echo 2 >d/e/mine", "full d\nfull d/e\n" },
	{ "a directory turned into a file and filled", "rm -r d; echo 1 >d", "echo 2 >d/mine",
	  "full d\n" },
	{ "moved and changed", "mv a n", "echo 2 >a", "changed n\n" },
	{ "moved to where something is", "mv a n", "echo 2 >n", "taken n\n" },
	{ "a directory moved to where something is", "mv d n; echo 1 >n/new", "echo 2 >n", "taken n\n" },
	{ "moved onto what was changed", "rm b; mv a b", "echo 2 >b", "changed b\n" },
	{ "both changed a mode", "chmod 755 a", "chmod 700 a", "changed a\n" },
	{ "both changed a directory's mode", "chmod 700 d", "chmod 500 d", "changed d\n" },
	{ "a mode and a content", "chmod 755 a", "echo 2 >a", "changed a\n" },
};

static void one_conflict(enum found_view view, const struct conflict *conflict, bool partial)
{
	char script[1024];
	make_tree_for(view);
	snprintf(script, sizeof(script), "%s\necho other >other; rm -f d/e/z 2>/dev/null; :", conflict->command);
	applied_command(script);
	applied_meanwhile(conflict->meanwhile);
	auto_free char *before = picture_of(place.tree, PICTURE_TIMES);
	applied_order.partial = partial;
	if (applied_run() < 0)
		fail_msg("%s: cannot %s: %s", conflict->name, place.err.action, place.err.subject);
	if (!strstr(applied_left(), conflict->left))
		fail_msg("%s: %s", conflict->name, applied_left());
	assert_true(applied.conflicts > 0);
	assert_int_equal(applied.done, partial);
	assert_false(applied_left_something());
	auto_free char *after = picture_of(place.tree, PICTURE_TIMES);
	if (!partial)
		picture_assert_equal(before, after);
	else
		assert_content(applied_at("other"), "other\n");
}

static void each_conflict(bool partial)
{
	for (size_t i = 0; i < (partial ? 1 : FOUND_VIEWS) * N_ELEMENTS(conflicts); i++) {
		enum found_view view = (enum found_view)(i / N_ELEMENTS(conflicts));
		const char *lacks = NULL;
		if (i % N_ELEMENTS(conflicts) == 0) {
			assert_int_equal(place_tear_down(NULL), 0);
			lacks = found_lacks(view);
			assert_int_equal(place_set_up(NULL), 0);
		}
		if (lacks) {
			print_message("no %s: this lacks %s\n", found_view_names[view], lacks);
			i += N_ELEMENTS(conflicts) - 1;
			continue;
		}
		one_conflict(view, &conflicts[i % N_ELEMENTS(conflicts)], partial);
		applied_release();
		assert_int_equal(place_tear_down(NULL), 0);
		assert_int_equal(place_set_up(NULL), 0);
	}
}

static void each_conflict_is_named_and_nothing_is_written(void **state)
{
	(void)state;
	each_conflict(false);
}

static void what_is_in_no_conflict_is_applied_where_a_part_will_do(void **state)
{
	(void)state;
	each_conflict(true);
}

static void what_the_tree_did_likewise_is_no_conflict(void **state)
{
	(void)state;
	static const char script[] = "echo same >a; rm b; mkdir n; echo n >n/f; ln -sfn d link; chmod 755 run; "
				     "rm -r empty; echo x >d/x.new";
	make_tree();
	applied_command(script);
	applied_command("echo 1 >only");
	applied_meanwhile(script);
	expect_applied("");
	assert_content(applied_at("only"), "1\n");
}

static void a_touched_file_is_no_changed_one(void **state)
{
	(void)state;
	make_tree();
	place_write(applied_in("a"), "by the command\n");
	unlink(applied_in("b"));
	place_set_time(applied_at("a"), 99, 0);
	applied_meanwhile("cp b c && mv c b");
	expect_applied("");
	assert_content(applied_at("a"), "by the command\n");
	assert_int_equal(access(applied_at("b"), F_OK), -1);
}

static void a_file_keeps_the_rights_that_the_tree_gave_it(void **state)
{
	(void)state;
	struct stat found_stat;
	make_tree();
	place_write(applied_in("a"), "by the command\n");
	assert_int_equal(chmod(applied_at("a"), 0600), 0);
	expect_applied("");
	assert_int_equal(stat(applied_at("a"), &found_stat), 0);
	assert_int_equal(found_stat.st_mode & 07777, 0600);
	assert_content(applied_at("a"), "by the command\n");
}

static void directories_that_cannot_be_written_are_written_and_closed_again(void **state)
{
	(void)state;
	place_directory(applied_at("d"));
	place_write(applied_at("d/x"), "x\n");
	place_directory(applied_at("d/gone"));
	assert_int_equal(chmod(applied_at("d/gone"), 0500), 0);
	assert_int_equal(chmod(applied_at("d"), 0555), 0);
	assert_int_equal(chmod(place.tree, 0555), 0);
	applied_start(FOUND_COPY);
	applied_command("chmod 755 . d; echo 1 >new; echo 2 >d/x; echo 3 >d/new; rmdir d/gone; "
			     "chmod 555 d");
	expect_applied("");
	struct stat top, inner;
	assert_int_equal(stat(place.tree, &top), 0);
	assert_int_equal(stat(applied_at("d"), &inner), 0);
	assert_int_equal(inner.st_mode & 0777, 0555);
	assert_content(applied_at("new"), "1\n");
	assert_content(applied_at("d/x"), "2\n");
	assert_int_equal(access(applied_at("d/gone"), F_OK), -1);
}

/* What is written aside lies at the top. */
static void a_top_in_which_nothing_changed_keeps_its_time(void **state)
{
	struct stat before, after;
	(void)state;
	make_tree();
	assert_int_equal(stat(place.tree, &before), 0);
	applied_command("echo more >>d/x; rm d/y; echo new >d/e/n");
	expect_applied("");
	assert_content(applied_at("d/e/n"), "new\n");
	assert_int_equal(stat(place.tree, &after), 0);
	assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
}

static void trying_it_writes_nothing(void **state)
{
	(void)state;
	make_tree();
	applied_command("echo 1 >a; rm b; mkdir n");
	auto_free char *before = picture_of(place.tree, PICTURE_TIMES);
	applied_order.dry_run = true;
	expect_applied("");
	assert_false(applied.done);
	assert_int_equal(applied.applied, 3);
	auto_free char *after = picture_of(place.tree, PICTURE_TIMES);
	picture_assert_equal(before, after);
}

struct asked {
	const char *answers;	/* one letter each */
	size_t count;
};

static int answer(void *context, const struct apply_item *item, struct pinfold_error *err)
{
	struct asked *asked = context;
	(void)item;
	(void)err;
	char letter = asked->answers[asked->count++];
	return letter == 'y' ? APPLY_YES : letter == 'n' ? APPLY_NO : letter == 'a' ? APPLY_YES_TO_ALL :
	       letter == 'd' ? APPLY_NO_TO_ALL : APPLY_ABANDON;
}

static void assert_asked(const char *answers, size_t count, const char *left_over, bool done)
{
	struct asked asked = { .answers = answers };
	make_tree();
	applied_command("echo 1 >a; echo 2 >b; mkdir n; echo 3 >n/f; echo 4 >.envrc");
	applied_order.ask = answer;
	applied_order.context = &asked;
	expect_applied(left_over);
	assert_int_equal(asked.count, count);
	assert_int_equal(applied.done, done);
	applied_release();
	assert_int_equal(place_tear_down(NULL), 0);
	assert_int_equal(place_set_up(NULL), 0);
}

static void a_person_is_asked_for_each_the_risky_ones_first(void **state)
{
	(void)state;
	assert_asked("yyyyy", 5, "", true);
	assert_asked("nyyyy", 5, "declined .envrc\n", true);
	assert_asked("ynyyy", 5, "declined a\n", true);
	assert_asked("yyyny", 5, "declined n\ndeclined n/f\n", true);
	assert_asked("ya", 2, "", true);
	assert_asked("a", 1, "", true);
	assert_asked("yyd", 3, "declined b\ndeclined n\ndeclined n/f\n", true);
	assert_asked("d", 1, "declined .envrc\ndeclined a\ndeclined b\ndeclined n\ndeclined n/f\n", true);
	assert_asked("yyq", 3, "", false);
}

static int tear_down(void **state)
{
	applied_release();
	return place_tear_down(state);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(everything_that_a_command_does_comes_into_the_tree),
		TREE_TEST(whole_directories_go_and_come),
		TREE_TEST(kinds_change_into_each_other),
		TREE_TEST(names_are_exchanged_and_passed_on),
		TREE_TEST(a_moved_directory_takes_what_the_tree_put_into_it_along),
		TREE_TEST(links_holes_and_attributes_are_kept),
		TREE_TEST(nobody_gets_rights_by_an_apply),
		TREE_TEST(what_is_no_file_is_named_and_left),
		TREE_TEST(each_conflict_is_named_and_nothing_is_written),
		TREE_TEST(what_is_in_no_conflict_is_applied_where_a_part_will_do),
		TREE_TEST(what_the_tree_did_likewise_is_no_conflict),
		TREE_TEST(a_touched_file_is_no_changed_one),
		TREE_TEST(a_file_keeps_the_rights_that_the_tree_gave_it),
		TREE_TEST(directories_that_cannot_be_written_are_written_and_closed_again),
		TREE_TEST(a_top_in_which_nothing_changed_keeps_its_time),
		TREE_TEST(trying_it_writes_nothing),
		TREE_TEST(a_person_is_asked_for_each_the_risky_ones_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
