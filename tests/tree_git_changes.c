/* tests/tree_git_changes.c - what changed paths of a git directory mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "tree/git_changes.h"

#include <stdio.h>
#include <stdlib.h>

#define ID_A "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
#define ID_B "5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80"
#define LOOSE "objects/1a/2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"

static void every_path_has_the_class_that_git_gives_it(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		enum git_class class;
	} rows[] = {
		{ LOOSE, GIT_OBJECT }, { "objects/pack/pack-1.pack", GIT_PACK },
		{ "objects/pack/pack-1.idx", GIT_PACK_PART }, { "objects/info/packs", GIT_PACK_PART },
		{ "objects/info/commit-graph", GIT_PACK_PART }, { "objects/zz/x", GIT_OTHER },
		{ "objects/1a/short", GIT_OTHER }, { "HEAD", GIT_HEAD }, { "index", GIT_INDEX },
		{ "refs/heads/a/b", GIT_REF }, { "refs/stash", GIT_REF }, { "packed-refs", GIT_PACKED_REFS },
		{ "logs/HEAD", GIT_LOG }, { "ORIG_HEAD", GIT_STATE }, { "COMMIT_EDITMSG", GIT_STATE },
		{ "description", GIT_OTHER }, { "worktrees/w/HEAD", GIT_HEAD },
		{ "worktrees/w/index", GIT_INDEX }, { "worktrees/w/refs/bisect/bad", GIT_REF },
		{ "modules/a/b/HEAD", GIT_HEAD }, { "modules/a/" LOOSE, GIT_OBJECT },
		{ "modules/a/modules/b/refs/heads/x", GIT_REF }, { "refs", GIT_OTHER }, { "", GIT_OTHER },
		{ "modules/", GIT_OTHER }, { "worktrees/x", GIT_OTHER },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (git_classify(rows[i].path) != rows[i].class)
			fail_msg("%s has class %d", rows[i].path, git_classify(rows[i].path));
}

static void what_git_acts_on_is_risky_wherever_it_lies(void **state)
{
	(void)state;
	static const char *const paths[] = {
		"config", "config.worktree", "hooks", "hooks/pre-commit", "hooks/x.lock", "commondir", "gitdir",
		"info/attributes", "objects/info/alternates", "remotes/x", "rebase-merge/git-rebase-todo",
		"worktrees/w/commondir", "worktrees/w/gitdir", "worktrees/w/config.worktree",
		"worktrees/w/rebase-merge/git-rebase-todo", "modules/s/config", "modules/s/hooks/post-checkout",
		"modules/deep/er/name/hooks/x", "modules/refs/hooks/x", "modules/objects/config",
		"modules/a/modules/b/hooks/x", "modules/a/worktrees/w/commondir", "modules/hooks/config",
	};
	for (size_t i = 0; i < N_ELEMENTS(paths); i++)
		if (git_classify(paths[i]) != GIT_RISKY)
			fail_msg("%s is not risky", paths[i]);
}

static void locks_are_told_from_what_they_lock(void **state)
{
	(void)state;
	static const char *const paths[] = {
		"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/x.lock",
		"worktrees/w/index.lock", "modules/s/index.lock", "shallow.lock",
		"objects/info/commit-graphs/commit-graph-chain.lock", "objects/maintenance.lock",
	};
	for (size_t i = 0; i < N_ELEMENTS(paths); i++)
		if (git_classify(paths[i]) != GIT_LOCK)
			fail_msg("%s is no lock", paths[i]);
}

/* Whoever stops anywhere has a repository in which every ref leads to something. */
static void what_is_led_to_comes_before_what_leads_there(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		bool removed;
	} rows[] = {
		{ LOOSE, false }, { "objects/pack/p.pack", false }, { "objects/pack/p.rev", false },
		{ "objects/pack/p.idx", false }, { "logs/HEAD", false }, { "packed-refs", false },
		{ "refs/heads/a", false }, { "HEAD", false }, { "index", false },
		{ "HEAD", true }, { "refs/heads/a", true }, { "objects/pack/p.idx", true },
		{ "objects/pack/p.rev", true }, { "objects/pack/p.pack", true }, { LOOSE, true },
	};
	for (size_t i = 1; i < N_ELEMENTS(rows); i++)
		if (git_rank(rows[i - 1].path, rows[i - 1].removed) >= git_rank(rows[i].path, rows[i].removed))
			fail_msg("%s does not come before %s", rows[i - 1].path, rows[i].path);
}

static char *summary_of(struct git_summary *summary)
{
	struct list lines;
	struct text text = { 0 };
	assert_int_equal(git_summary_lines(summary, &lines), 0);
	for (size_t i = 0; i < lines.count; i++)
		text_addf(&text, "%s\n", lines.items[i]);
	list_release(&lines);
	git_summary_release(summary);
	return text_take(&text);
}

static void a_commit_is_told_in_a_few_lines(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	git_summary_add(&summary, LOOSE, GIT_ADDED, NULL, NULL);
	git_summary_add(&summary, "objects/2b/2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", GIT_ADDED, NULL, NULL);
	git_summary_add(&summary, "refs/heads/main", GIT_CHANGED, ID_A "\n", ID_B "\n");
	git_summary_add(&summary, "refs/heads/new", GIT_ADDED, NULL, ID_B "\n");
	git_summary_add(&summary, "refs/heads/old", GIT_REMOVED, ID_A "\n", NULL);
	git_summary_add(&summary, "HEAD", GIT_CHANGED, "ref: refs/heads/main\n", "ref: refs/heads/new\n");
	git_summary_add(&summary, "index", GIT_CHANGED, NULL, NULL);
	git_summary_add(&summary, "hooks/pre-commit", GIT_ADDED, NULL, NULL);
	git_summary_add(&summary, "index.lock", GIT_ADDED, NULL, NULL);
	char *text = summary_of(&summary);
	assert_string_equal(text, "risky, since git acts on it: hooks/pre-commit\n"
				  "HEAD refs/heads/main -> refs/heads/new\n"
				  "refs/heads/main 1a2b3c4 -> 5d6e7f8\n"
				  "refs/heads/new is new, at 5d6e7f8\n"
				  "refs/heads/old removed\n"
				  "2 objects added\n"
				  "changed: index\n"
				  "locks left by a git that was ended, never applied: index.lock\n");
	free(text);
}

static void hostile_content_of_a_ref_is_not_shown_as_an_id(void **state)
{
	(void)state;
	static const char *const contents[] = {
		"", "\n", "no id", "1a2b3c4", "ref:", "\x1b[31m", ID_A "x", "../../x",
	};
	for (size_t i = 0; i < N_ELEMENTS(contents); i++) {
		struct git_summary summary = { 0 };
		git_summary_add(&summary, "refs/heads/x", GIT_ADDED, NULL, contents[i]);
		char *text = summary_of(&summary);
		assert_string_equal(text, "refs/heads/x is new, at something that is no id\n");
		free(text);
	}
	char longest[5000] = "ref: ";
	memset(longest + 5, 'a', sizeof(longest) - 6);
	struct git_summary summary = { 0 };
	git_summary_add(&summary, "HEAD", GIT_ADDED, NULL, longest);
	char *text = summary_of(&summary);
	assert_true(strlen(text) < 300);
	free(text);
}

#define PACKED "# pack-refs with: peeled fully-peeled sorted \n"

static void a_ref_that_only_moved_to_the_packed_ones_did_not_change(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	git_summary_add(&summary, "packed-refs", GIT_ADDED, NULL,
			PACKED ID_A " refs/heads/gone\n" ID_B " refs/heads/moved\n" ID_A " refs/heads/same\n^" ID_B "\n");
	git_summary_add(&summary, "refs/heads/gone", GIT_REMOVED, ID_A "\n", NULL);
	git_summary_add(&summary, "refs/heads/moved", GIT_REMOVED, ID_A "\n", NULL);
	git_summary_add(&summary, "refs/heads/really", GIT_REMOVED, ID_A "\n", NULL);
	assert_false(git_summary_wants_packed(&summary));
	char *text = summary_of(&summary);
	assert_string_equal(text, "refs/heads/moved 1a2b3c4 -> 5d6e7f8\nrefs/heads/really removed\n"
				  "refs/heads/same is new, at 1a2b3c4\nchanged: packed refs\n");
	free(text);
}

static void packed_refs_are_compared_line_by_line_in_each_repository(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	git_summary_add(&summary, "modules/x/packed-refs", GIT_CHANGED,
			PACKED ID_A " refs/tags/a\n" ID_A " refs/tags/b\n" ID_A " refs/tags/c",
			PACKED ID_A " refs/tags/c\n" ID_B " refs/tags/b\nnonsense\n\n " ID_A "\n" ID_A " refs/tags/d\n");
	git_summary_add(&summary, "packed-refs", GIT_REMOVED, ID_A " refs/tags/c\n", NULL);
	char *text = summary_of(&summary);
	assert_string_equal(text, "modules/x/refs/tags/a removed\nmodules/x/refs/tags/b 1a2b3c4 -> 5d6e7f8\n"
				  "modules/x/refs/tags/d is new, at 1a2b3c4\nrefs/tags/c removed\n"
				  "changed: packed refs\n");
	free(text);
}

static void a_packed_branch_that_gets_a_commit_is_not_new(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	git_summary_add(&summary, "refs/heads/main", GIT_ADDED, NULL, ID_B "\n");
	git_summary_add(&summary, "refs/heads/other", GIT_ADDED, NULL, ID_B "\n");
	assert_true(git_summary_wants_packed(&summary));
	assert_int_equal(git_summary_add_packed(&summary, PACKED ID_A " refs/heads/main\n"), 0);
	char *text = summary_of(&summary);
	assert_string_equal(text, "refs/heads/main 1a2b3c4 -> 5d6e7f8\nrefs/heads/other is new, at 5d6e7f8\n");
	free(text);
}

static void many_refs_are_counted(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	for (int i = 0; i < 100; i++) {
		char name[40];
		snprintf(name, sizeof(name), "refs/tags/%03d", i);
		git_summary_add(&summary, name, GIT_ADDED, NULL, ID_A "\n");
	}
	char *text = summary_of(&summary);
	assert_non_null(strstr(text, "refs/tags/019 is new"));
	assert_null(strstr(text, "refs/tags/020"));
	assert_non_null(strstr(text, "80 more refs moved\n"));
	free(text);
}

static void nothing_changed_is_no_line(void **state)
{
	(void)state;
	struct git_summary summary = { 0 };
	char *text = summary_of(&summary);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_path_has_the_class_that_git_gives_it),
		cmocka_unit_test(what_git_acts_on_is_risky_wherever_it_lies),
		cmocka_unit_test(locks_are_told_from_what_they_lock),
		cmocka_unit_test(what_is_led_to_comes_before_what_leads_there),
		cmocka_unit_test(a_commit_is_told_in_a_few_lines),
		cmocka_unit_test(hostile_content_of_a_ref_is_not_shown_as_an_id),
		cmocka_unit_test(a_ref_that_only_moved_to_the_packed_ones_did_not_change),
		cmocka_unit_test(packed_refs_are_compared_line_by_line_in_each_repository),
		cmocka_unit_test(a_packed_branch_that_gets_a_commit_is_not_new),
		cmocka_unit_test(many_refs_are_counted),
		cmocka_unit_test(nothing_changed_is_no_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
