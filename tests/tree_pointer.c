/* tests/tree_pointer.c - files of git's that say where something is, in a copy at another path. */
#include "config.h"

#include "tree_place.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *expect(void)
{
	const char *found = place_once(1);
	if (!found)
		fail_msg("cannot %s: %s", place.err.action, place.err.subject);
	return found;
}

static void write_pointer(const char *rest, const char *head, const char *path)
{
	char text[600];
	snprintf(text, sizeof(text), "%s%s\n", head, path);
	place_write(place_path("work/%s", rest), text);
}

static void says_text(const char *rest, const char *text)
{
	char file[600];
	snprintf(file, sizeof(file), "%s/%s", expect(), rest);
	char *found = place_read(file);
	if (!found || !streq(found, text))
		fail_msg("%s says \"%s\", not \"%s\"", rest, found ? found : "nothing", text);
	free(found);
}

static void says(const char *rest, const char *head, const char *path)
{
	char text[1200];
	snprintf(text, sizeof(text), "%s%s\n", head, path);
	says_text(rest, text);
}

static char *in_copy(const char *rest)
{
	static char room[600];
	snprintf(room, sizeof(room), "%s/%s", expect(), rest);
	return room;
}

static char *nowhere(const char *path)
{
	static char room[900];
	snprintf(room, sizeof(room), "%s/../nowhere%s", expect(), path);
	return room;
}

static void make_worktree(void)
{
	place_directory(place_path("work/.git"));
	place_directory(place_path("work/.git/worktrees"));
	place_directory(place_path("work/.git/worktrees/w"));
	place_directory(place_path("work/w"));
}

static void a_path_into_the_tree_leads_into_the_copy(void **state)
{
	(void)state;
	make_worktree();
	write_pointer("w/.git", "gitdir: ", place_path("work/.git/worktrees/w"));
	write_pointer(".git/worktrees/w/gitdir", "", place_path("work/w/.git"));
	write_pointer(".git/worktrees/w/commondir", "", place_path("work/.git"));
	write_pointer(".git/config", "[core]\n\tworktree = ", place_path("work"));
	says("w/.git", "gitdir: ", in_copy(".git/worktrees/w"));
	says(".git/worktrees/w/gitdir", "", in_copy("w/.git"));
	says(".git/worktrees/w/commondir", "", in_copy(".git"));
	char config[900];
	snprintf(config, sizeof(config), "[core]\n\tworktree = %s\n\n[core]\n\tworktree = \"%s\"\n",
		 place_path("work"), expect());
	says_text(".git/config", config);
}

static void a_path_out_of_the_tree_leads_nowhere(void **state)
{
	(void)state;
	char up[300];
	make_worktree();
	place_directory(place_path("other"));
	snprintf(up, sizeof(up), "%s", place_path("other"));
	write_pointer("w/.git", "gitdir: ", up);
	says("w/.git", "gitdir: ", nowhere(up));
	write_pointer("w/.git", "gitdir: ../../", "other");
	says("w/.git", "gitdir: ", nowhere(up));
	write_pointer("w/.git", "gitdir: ../../", "other/none");
	says("w/.git", "gitdir: ", nowhere("/../../other/none"));
	write_pointer(".git/worktrees/w/commondir", "", up);
	says(".git/worktrees/w/commondir", "", nowhere(up));
	/* The other worktrees of a repository stay known. */
	write_pointer(".git/worktrees/w/gitdir", "", up);
	says(".git/worktrees/w/gitdir", "", up);
}

static void a_path_that_stays_in_the_tree_stays_as_it_is(void **state)
{
	(void)state;
	make_worktree();
	write_pointer("w/.git", "gitdir: ", "../.git/worktrees/w");
	write_pointer(".git/worktrees/w/commondir", "", "../..");
	write_pointer(".git/config", "[core]\n\tworktree = ", "..");
	says_text("w/.git", "gitdir: ../.git/worktrees/w\n");
	says_text(".git/worktrees/w/commondir", "../..\n");
	says_text(".git/config", "[core]\n\tworktree = ..\n");
}

static void borrowed_objects_stay_where_they_are(void **state)
{
	(void)state;
	char text[600];
	make_worktree();
	place_directory(place_path("work/.git/objects"));
	place_directory(place_path("work/.git/objects/info"));
	place_directory(place_path("lender"));
	snprintf(text, sizeof(text), "../../../lender\n%s\n/none\n", place_path("work/w"));
	place_write(place_path("work/.git/objects/info/alternates"), text);
	snprintf(text, sizeof(text), "%s\n%s/w\n/none\n", place_path("lender"), expect());
	says_text(".git/objects/info/alternates", text);
}

static void other_files_of_these_names_are_copied_as_they_are(void **state)
{
	(void)state;
	static const char *const names[] = { "gitdir", "commondir", "alternates", "worktrees", "config" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		write_pointer(names[i], "", place.tree);
	place_write(place_path("work/.git"), "plain\n");
	place_assert_equal(place.tree, expect());
}

static void a_file_that_did_not_change_is_not_written_again(void **state)
{
	(void)state;
	make_worktree();
	write_pointer("w/.git", "gitdir: ", place_path("work/.git/worktrees/w"));
	place_let_age();
	expect();
	place_let_age();
	expect();
	expect();
	assert_int_equal(place.work.rewritten + place.work.created + place.work.removed, 0);
	assert_int_equal(place.work.bytes, 0);
}

static void what_the_command_did_to_it_is_undone(void **state)
{
	(void)state;
	char *file;
	make_worktree();
	write_pointer("w/.git", "gitdir: ", place_path("work/.git/worktrees/w"));
	file = in_copy("w/.git");
	place_write(file, "gitdir: /etc\n");
	says("w/.git", "gitdir: ", in_copy(".git/worktrees/w"));
	file = in_copy("w/.git");
	assert_int_equal(unlink(file), 0);
	assert_int_equal(symlink("/etc/passwd", file), 0);
	says("w/.git", "gitdir: ", in_copy(".git/worktrees/w"));
	file = in_copy("w/.git");
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkdir(file, 0700), 0);
	says("w/.git", "gitdir: ", in_copy(".git/worktrees/w"));
}

static void strange_contents_lead_nowhere_or_are_no_pointers(void **state)
{
	(void)state;
	char large[12000] = "gitdir: /etc";
	make_worktree();
	memset(large + strlen(large), '\n', sizeof(large) - strlen(large) - 1);
	place_write(place_path("work/w/.git"), large);
	says("w/.git", "gitdir: ", nowhere("/etc"));
	place_write(place_path("work/w/.git"), "gitdir: \n");
	says_text("w/.git", "gitdir: \n");
	place_write(place_path("work/w/.git"), "");
	says_text("w/.git", "");
	place_write(place_path("work/w/.git"), "gitdir: //etc/../etc\n");
	says("w/.git", "gitdir: ", nowhere("/etc"));
	place_remove(place_path("work/w/.git"));
	assert_int_equal(mkfifo(place_path("work/w/.git"), 0600), 0);
	assert_null(place_read(in_copy("w/.git")));
}

static void an_arm_that_keeps_writes_has_them_as_they_are(void **state)
{
	(void)state;
	make_worktree();
	write_pointer("w/.git", "gitdir: ", place_path("work/.git/worktrees/w"));
	place_assert_equal(place.tree, place_once(0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_path_into_the_tree_leads_into_the_copy),
		TEST(a_path_out_of_the_tree_leads_nowhere),
		TEST(a_path_that_stays_in_the_tree_stays_as_it_is),
		TEST(borrowed_objects_stay_where_they_are),
		TEST(other_files_of_these_names_are_copied_as_they_are),
		TEST(a_file_that_did_not_change_is_not_written_again),
		TEST(what_the_command_did_to_it_is_undone),
		TEST(strange_contents_lead_nowhere_or_are_no_pointers),
		TEST(an_arm_that_keeps_writes_has_them_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
