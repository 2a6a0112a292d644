/* tests/tree_risky.c - which places are risky, however their names are written. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "tree/apply_risky.h"

static bool is_risky(const char *path)
{
	return risky_match(NULL, path, false) != NULL;
}

static void every_kind_of_risky_place_is_known_wherever_it_lies(void **state)
{
	(void)state;
	static const char *const paths[] = {
		".git/hooks/post-checkout", ".git/config", "sub/.git/hooks/x", ".git/modules/s/hooks/x",
		".git/modules/a/b/config", ".git/worktrees/w/config.worktree", ".git/info/attributes",
		".git/modules/s/info/attributes", ".git", "sub/.git", ".gitmodules", ".gitattributes",
		"a/b/.gitattributes", ".husky/pre-commit", ".githooks/pre-push", "lefthook.yml",
		".pre-commit-config.yaml", ".bashrc", "home/me/.profile", ".config/fish/config.fish", ".envrc",
		"sub/.envrc", ".mise.toml", ".devcontainer/devcontainer.json", ".vscode/tasks.json",
		".vscode/settings.json", ".vscode/launch.json", ".idea/runConfigurations/x.xml",
		"x.code-workspace", ".github/workflows/ci.yml", ".github/actions/a/action.yml",
		".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile", "Jenkinsfile.release",
		"azure-pipelines.yml", "azure-pipelines-nightly.yml", ".travis.yml", ".npmrc", "packages/a/.npmrc",
		".yarnrc", ".yarnrc.yml", ".yarn/releases/yarn.cjs", ".pnpmfile.cjs", ".cargo/config.toml",
		".cargo/config", "rust-toolchain.toml", ".mvn/extensions.xml", "gradle/wrapper/gradle-wrapper.jar",
		"sitecustomize.py", "lib/x.pth", "autorun.inf", "x.desktop", ".ssh/authorized_keys",
		".config/systemd/user/x.service", ".claude/settings.json", ".mcp.json", ".vimrc", ".gdbinit",
		".git/objects/info/alternates",
	};
	for (size_t i = 0; i < N_ELEMENTS(paths); i++)
		if (!is_risky(paths[i]))
			fail_msg("%s is not risky", paths[i]);
}

static void what_is_only_run_on_purpose_is_not(void **state)
{
	(void)state;
	static const char *const paths[] = {
		"Makefile", "src/main.c", "setup.py", "pyproject.toml", "build.rs", "Cargo.toml", "README.md",
		"run.sh", "hooks/x", "config", "src/config", "workflows/ci.yml", ".github/CODEOWNERS", ".gitignore",
		".git/objects/12/34", ".git/refs/heads/main", ".git/HEAD", ".git/index", ".git/logs/HEAD",
		"git/hooks/x", "x.git/hooks/x", "my.envrc", "CMakeLists.txt", "a.vscode/x", "tox.ini",
	};
	for (size_t i = 0; i < N_ELEMENTS(paths); i++)
		if (is_risky(paths[i]))
			fail_msg("%s is risky", paths[i]);
	assert_null(risky_match(NULL, ".git", true));
	assert_null(risky_match(NULL, "sub/.git", true));
}

static void a_name_is_known_however_a_file_system_may_take_it(void **state)
{
	(void)state;
	static const char *const paths[] = {
		".GIT/hooks/x", ".Git/Hooks/x", ".git /hooks/x", ".git./hooks/x", ".git. ./hooks./x",
		".git::$INDEX_ALLOCATION/hooks/x", "GIT~1/hooks/x", "git~1/config",
		".g\xe2\x80\x8cit/hooks/x", "\xef\xbb\xbf.git/config", ".git\xe2\x80\xae/config",
		".hu\xc5\xbfky/x", ".hus\xe2\x84\xaay/x", ".ENVRC", ".envrc ", ".EnvRC.", ".VSCode/tasks.json",
		".github/WORKFLOWS/x", ".github//workflows/x", "JENKINSFILE",
	};
	for (size_t i = 0; i < N_ELEMENTS(paths); i++)
		if (!is_risky(paths[i]))
			fail_msg("%s is not risky", paths[i]);
}

static void patterns_can_be_added(void **state)
{
	(void)state;
	struct list more = { 0 };
	assert_int_equal(list_add(&more, "deploy/*.sh"), 0);
	assert_int_equal(list_add(&more, "/top"), 0);
	assert_int_equal(list_add(&more, "keys/**/secret"), 0);
	assert_non_null(risky_match(&more, "deploy/x.sh", false));
	assert_non_null(risky_match(&more, "sub/Deploy/x.sh", false));
	assert_null(risky_match(&more, "deploy/sub/x.sh", false));
	assert_non_null(risky_match(&more, "top/anything", false));
	assert_null(risky_match(&more, "sub/top", false));
	assert_non_null(risky_match(&more, "keys/secret", false));
	assert_non_null(risky_match(&more, "keys/a/b/secret/c", false));
	assert_null(risky_match(&more, "keys/a/b", false));
	assert_non_null(risky_match(&more, ".envrc", false));
	list_release(&more);
}

static void locks_of_git_are_known(void **state)
{
	(void)state;
	assert_true(risky_is_lock(".git/index.lock"));
	assert_true(risky_is_lock(".git/config.lock"));
	assert_true(risky_is_lock(".git/refs/heads/main.lock"));
	assert_true(risky_is_lock("sub/.git/modules/m/HEAD.lock"));
	assert_true(risky_is_lock(".GIT/index.LOCK"));
	assert_false(risky_is_lock("Cargo.lock"));
	assert_false(risky_is_lock("x.git/index.lock"));
	assert_false(risky_is_lock(".git/index"));
}

static void links_that_lead_out_are_told_from_those_that_do_not(void **state)
{
	(void)state;
	static const struct {
		const char *path, *target;
		bool leaves;
	} rows[] = {
		{ "l", "f", false },		{ "l", "d/f", false },	   { "l", "..", true },
		{ "l", "../f", true },		{ "d/l", "../f", false },  { "d/l", "../../f", true },
		{ "d/l", "../d/f", false },	{ "l", "/etc/passwd", true }, { "l", "/work/tree/f", false },
		{ "l", "/work/tree", false },	{ "l", "/work/treen", true }, { "l", "/work/tree/../x", true },
		{ "d/l", "x/../..", true },	{ "d/l", "x/../f", true }, { "a/b/c", "./.././../f", false },
		{ "a/b/c", ".//..//..//..", true }, { "l", "", false },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (risky_link_leaves("/work/tree", rows[i].path, rows[i].target) != rows[i].leaves)
			fail_msg("%s -> %s", rows[i].path, rows[i].target);
}

static bool are_same(const char *before, const char *after)
{
	return risky_scripts_are_same(before, before ? strlen(before) : 0, after, strlen(after));
}

static void scripts_are_compared_and_nothing_else(void **state)
{
	(void)state;
	static const char base[] = "{\"name\": \"x\", \"scripts\": {\"a\": \"b\"}, \"version\": \"1\"}";
	assert_true(are_same(base, base));
	assert_true(are_same(base, "{\"version\": \"2\", \"scripts\": {\"a\": \"b\"}}"));
	assert_true(are_same("{}", "{\"name\": \"x\", \"list\": [1, {\"scripts\": 2}, true, null, -1.5e3]}"));
	assert_true(are_same(NULL, "{\"name\": \"}\\\"scripts\"}"));
	assert_false(are_same(base, "{\"scripts\": {\"a\": \"c\"}}"));
	assert_false(are_same(base, "{\"name\": \"x\"}"));
	assert_false(are_same("{}", base));
	assert_false(are_same(NULL, base));
	assert_false(are_same(base, "{\"scripts\": {\"a\": \"b\"}, \"scripts\": {\"postinstall\": \"x\"}}"));
	assert_false(are_same("{}", "{\"\\u0073cripts\": {\"a\": \"b\"}}"));
	static const char *const broken[] = {
		"", "[", "{", "{\"", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":[}", "nonsense", "{} {}",
		"{\"a\":\"\\", "{\"a\" 1}", "{1:2}", "\xef\xbb\xbf{}",
	};
	for (size_t i = 0; i < N_ELEMENTS(broken); i++)
		if (are_same("{}", broken[i]))
			fail_msg("%s", broken[i]);
	assert_true(risky_has_scripts("packages/x/package.json"));
	assert_true(risky_has_scripts("PACKAGE.JSON"));
	assert_false(risky_has_scripts("package-lock.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_risky_place_is_known_wherever_it_lies),
		cmocka_unit_test(what_is_only_run_on_purpose_is_not),
		cmocka_unit_test(a_name_is_known_however_a_file_system_may_take_it),
		cmocka_unit_test(patterns_can_be_added),
		cmocka_unit_test(locks_of_git_are_known),
		cmocka_unit_test(links_that_lead_out_are_told_from_those_that_do_not),
		cmocka_unit_test(scripts_are_compared_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
