/* tests/policy_git_files.c - small files of git directories, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "policy/git_files.h"

#include <stdlib.h>

static void a_file_of_git_says_where_the_git_directory_is(void **state)
{
	(void)state;
	static const struct {
		const char *content, *path;
	} rows[] = {
		{ "gitdir: /a/b\n", "/a/b" }, { "gitdir: ../x y", "../x y" }, { "gitdir: a\r\n\n", "a" },
		{ "gitdir: ", NULL }, { "gitdir: \n", NULL }, { "gitdir:/a", NULL }, { "GITDIR: /a", NULL },
		{ "", NULL }, { "\ngitdir: /a", NULL }, { "gitdir: a\nb\n", "a\nb" },
		{ "gitdir: \xff\x1b", "\xff\x1b" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		char *content = strdup(rows[i].content), *path = git_files_gitdir(content);
		if (!rows[i].path != !path || (path && !streq(path, rows[i].path)))
			fail_msg("%s gives %s", rows[i].content, path ? path : "nothing");
		free(content);
	}
}

static void a_worktree_is_read_from_a_configuration_as_git_reads_it(void **state)
{
	(void)state;
	static const struct {
		const char *config, *path;
	} rows[] = {
		{ "[core]\n\tworktree = ../../../sub\n", "../../../sub" },
		{ "[core]\nworktree=/a\n", "/a" }, { "[core] worktree = /a", "/a" },
		{ "[CORE]\n  WorkTree = /a b  ; it\n", "/a b" }, { "[core]\nworktree = \"/a ; b \" # it\n", "/a ; b " },
		{ "[core]\nworktree = /a\\\n/b\n", "/a/b" }, { "[core]\nworktree = /a\\\"\\\\b\\tc\n", "/a\"\\b\tc" },
		{ "[core]\nworktree = /a\nworktree = /b\n", "/b" },
		{ "[user]\nworktree = /a\n", NULL }, { "[core \"x\"]\nworktree = /a\n", NULL },
		{ "[core]\n[user]\nworktree = /a\n", NULL }, { "[core]\nworktree\n", NULL },
		{ "[core]\nworktree =\n", NULL }, { "[core]\n# worktree = /a\n", NULL },
		{ "[core]\nworktreex = /a\nxworktree = /b\n", NULL }, { "[core]\nx = \"\nworktree = /a\n", "/a" },
		{ "[core]\nx = y\\\nworktree = /a\n", NULL }, { "", NULL }, { "[core", NULL }, { "[", NULL },
		{ "=", NULL }, { "[core]=/a", NULL }, { "[core]\nworktree = \\", NULL }, { "[core]worktree=\"", NULL },
		{ "\r\n\t[core]\r\n\tworktree = /a\r\n", "/a" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		char *path = git_files_worktree(rows[i].config);
		if (!rows[i].path != !path || (path && !streq(path, rows[i].path)))
			fail_msg("%s gives %s", rows[i].config, path ? path : "nothing");
		free(path);
	}
}

static void random_bytes_of_a_configuration_are_read_to_their_end(void **state)
{
	(void)state;
	static const char bytes[] = "[]core worktree=\"\\\n#; \tx/";
	unsigned seed = 1;
	for (unsigned round = 0; round < 20000; round++) {
		char config[64] = { 0 };
		for (size_t i = 0; i < sizeof(config) - 1; i++)
			config[i] = bytes[rand_r(&seed) % (sizeof(bytes) - 1)];
		free(git_files_worktree(config));
	}
}

static void lines_of_alternates_are_paths_but_for_comments(void **state)
{
	(void)state;
	char content[] = "# x\n/a\n\n../b\n\"quoted\"\n/c";
	char *rest = content;
	assert_string_equal(git_files_alternate(&rest), "/a");
	assert_string_equal(git_files_alternate(&rest), "../b");
	assert_string_equal(git_files_alternate(&rest), "/c");
	assert_null(git_files_alternate(&rest));
	assert_null(git_files_alternate(&rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_git_says_where_the_git_directory_is),
		cmocka_unit_test(a_worktree_is_read_from_a_configuration_as_git_reads_it),
		cmocka_unit_test(random_bytes_of_a_configuration_are_read_to_their_end),
		cmocka_unit_test(lines_of_alternates_are_paths_but_for_comments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
