/* tests/policy_model.c - which rule of a policy decides, by the pure model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/model.h"

enum { RULES = 8 };

struct fixture {
	struct pinfold_path rules[RULES];
	struct pinfold_policy policy;
	struct model model;
};

static const char *const own[] = { "/tmp", "/run", NULL };

static int open_fixture(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){ .policy = { .size = sizeof(fixture.policy), .paths = fixture.rules } };
	fixture.model = (struct model){ &fixture.policy, "/home/u/tree", own };
	*state = &fixture;
	return 0;
}

static struct pinfold_path *rule(struct fixture *f, uint32_t kind, const char *path)
{
	struct pinfold_path *added = &f->rules[f->policy.path_count++];
	*added = (struct pinfold_path){ .size = sizeof(*added), .kind = kind, .path = path };
	return added;
}

static void decides(const struct fixture *f, enum model_operation operation, const char *path,
		    enum model_answer answer, const char *by)
{
	struct model_decision decision = model_decide(&f->model, operation, path);
	if (decision.answer != answer)
		print_error("%s: %s\n", path, decision.why);
	assert_int_equal(decision.answer, answer);
	assert_int_equal(decision.rule != NULL, by != NULL);
	if (by)
		assert_string_equal(decision.rule->path, by);
	assert_true(decision.why && decision.why[0]);
}

static void a_denial_beats_an_allowance_whichever_path_is_longer(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_HIDE, "/srv/a");
	rule(f, PINFOLD_PATH_WRITE, "/srv");
	rule(f, PINFOLD_PATH_WRITE, "/srv/a/b/c");
	rule(f, PINFOLD_PATH_PROTECT, "/srv/p");
	decides(f, MODEL_READ, "/srv/a/b/c/d", MODEL_DENIED, "/srv/a");
	decides(f, MODEL_WRITE, "/srv/a/b/c/d", MODEL_DENIED, "/srv/a");
	decides(f, MODEL_WRITE, "/srv/p/x", MODEL_DENIED, "/srv/p");
	decides(f, MODEL_WRITE, "/srv/x", MODEL_ALLOWED, "/srv");
	decides(f, MODEL_READ, "/srv/p/x", MODEL_ALLOWED, NULL);
}

static void of_several_rules_the_one_with_the_longest_path_is_named(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_WRITE, "/srv");
	rule(f, PINFOLD_PATH_WRITE, "/srv/a/b");
	rule(f, PINFOLD_PATH_WRITE, "/srv/a");
	decides(f, MODEL_WRITE, "/srv/a/b/c", MODEL_ALLOWED, "/srv/a/b");
	decides(f, MODEL_WRITE, "/srv/a/bc", MODEL_ALLOWED, "/srv/a");
}

static void a_literal_rule_is_about_its_path_alone(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_READ, "/usr");
	rule(f, PINFOLD_PATH_READ, "/srv")->match = PINFOLD_MATCH_LITERAL;
	decides(f, MODEL_READ, "/srv", MODEL_ALLOWED, "/srv");
	decides(f, MODEL_READ, "/srv/x", MODEL_DENIED, NULL);
}

static void where_something_is_readable_nothing_else_is_but_the_tree_and_what_may_be_written(void **state)
{
	struct fixture *f = *state;
	decides(f, MODEL_READ, "/etc/x", MODEL_ALLOWED, NULL);
	rule(f, PINFOLD_PATH_READ, "/usr");
	rule(f, PINFOLD_PATH_WRITE, "/srv");
	rule(f, PINFOLD_PATH_LAYER, "/var/cache");
	decides(f, MODEL_READ, "/etc/x", MODEL_DENIED, NULL);
	decides(f, MODEL_READ, "/usr/lib/x", MODEL_ALLOWED, "/usr");
	decides(f, MODEL_READ, "/srv/x", MODEL_ALLOWED, "/srv");
	decides(f, MODEL_READ, "/var/cache/x", MODEL_ALLOWED, "/var/cache");
	decides(f, MODEL_READ, "/home/u/tree/x", MODEL_ALLOWED, NULL);
}

static void what_can_be_executed_must_be_readable_too_and_the_tree_is_no_exception(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_EXECUTE, "/usr");
	rule(f, PINFOLD_PATH_EXECUTE, "/opt");
	decides(f, MODEL_EXECUTE, "/usr/bin/x", MODEL_ALLOWED, "/usr");
	decides(f, MODEL_EXECUTE, "/home/u/tree/x", MODEL_DENIED, NULL);
	rule(f, PINFOLD_PATH_READ, "/usr");
	decides(f, MODEL_EXECUTE, "/opt/x", MODEL_DENIED, NULL);
}

static void what_holds_something_protected_cannot_be_replaced(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_WRITE, "/srv");
	rule(f, PINFOLD_PATH_PROTECT, "/srv/a/b/key");
	decides(f, MODEL_REPLACE, "/srv/a", MODEL_DENIED, "/srv/a/b/key");
	decides(f, MODEL_REPLACE, "/srv/c", MODEL_ALLOWED, "/srv");
	decides(f, MODEL_REPLACE, "/srv", MODEL_DENIED, "/srv/a/b/key");
	decides(f, MODEL_WRITE, "/srv/a/b/other", MODEL_ALLOWED, "/srv");
}

static void no_socket_of_the_host_can_be_connected_to_that_is_not_named(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_SOCKET, "/run/db");
	rule(f, PINFOLD_PATH_HIDE, "/run/db/admin")->hard = 1;
	rule(f, PINFOLD_PATH_WRITE, "/srv");
	decides(f, MODEL_CONNECT, "/run/db/one", MODEL_ALLOWED, "/run/db");
	decides(f, MODEL_CONNECT, "/run/db/admin", MODEL_DENIED, "/run/db/admin");
	decides(f, MODEL_CONNECT, "/srv/socket", MODEL_DENIED, NULL);
	decides(f, MODEL_CONNECT, "/run/other", MODEL_OWN, NULL);
}

static void what_is_the_commands_own_is_decided_only_where_a_rule_brings_the_hosts_back(void **state)
{
	struct fixture *f = *state;
	rule(f, PINFOLD_PATH_WRITE, "/tmp/shared");
	decides(f, MODEL_WRITE, "/tmp/x", MODEL_OWN, NULL);
	decides(f, MODEL_WRITE, "/tmp/shared/x", MODEL_ALLOWED, "/tmp/shared");
}

static void stars_stay_in_their_part_and_two_stand_for_parts(void **state)
{
	static const struct { const char *pattern, *path; bool matches; } rows[] = {
		{ "/a/*", "/a/b", true },	   { "/a/*", "/a/b/c", false },	    { "/a/*", "/a", false },
		{ "/a/**", "/a/b/c", true },	   { "/a/**/c", "/a/c", true }, { "/a/**", "/a", false },	    { "/a/**/c", "/a/x/y/c", true },
		{ "/a/**/c", "/a/x/cc", false },   { "/a/?", "/a/\xc3\xbc", true }, { "/a/?", "/a/ab", false },
		{ "/a/b*d", "/a/bcd", true },	   { "/a/b*d", "/a/b/d", false },   { "/a/*.key", "/a/.key", true },
		{ "/*/x", "/a/x", true },	   { "/a", "/a", true },	    { "/a", "/ab", false },
		{ "/a/*b*c", "/a/xbxbxc", true },  { "/**", "/a", true },	    { "/a/**/b/**/c", "/a/b/x/c", true },
	};
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (glob_matches(rows[i].pattern, rows[i].path) != rows[i].matches)
			fail_msg("%s and %s", rows[i].pattern, rows[i].path);
}

static const char *const made[] = {
	"a/", "a/x.pem", "a/.pem", "a/b/", "a/b/x.pem", "a/b/c/", "a/b/c/x.pem", "a/b/c/y", "a/d.pem/", "a/d.pem/in",
	"a/d.pem/x.pem", "b/", "b/b/", "b/b/b/", "b/b/b/b", "x.pem",
};

/* What a walk found, once each. */
struct found {
	const char *base;
	bool seen[N_ELEMENTS(made)];
	unsigned strangers;
};

static size_t bytes_of(const char *name)
{
	size_t length = strlen(name);
	return length - (name[length - 1] == '/');
}

static int note_found(void *context, const char *path, int sys)
{
	struct found *found = context;
	const char *rest = path + strlen(found->base) + 1;
	bool known = false;
	if (sys == ENOENT)	/* where the walk would begin */
		return 0;
	assert_int_equal(sys, 0);
	for (size_t i = 0; i < N_ELEMENTS(made); i++)
		if (strlen(rest) == bytes_of(made[i]) && strncmp(rest, made[i], bytes_of(made[i])) == 0)
			known = found->seen[i] = true;
	found->strangers += !known;
	return 0;
}

/* Itself, or with a directory that it lies in: what is meant is meant with all below it. */
static bool is_found(const struct found *found, size_t which)
{
	for (size_t i = 0; i <= which; i++) {
		size_t bytes = bytes_of(made[i]);
		if (found->seen[i] && strncmp(made[i], made[which], bytes) == 0 &&
		    (made[which][bytes] == '/' || made[which][bytes] == '\0'))
			return true;
	}
	return false;
}

static void assert_finds_what_matches(const char *base, const char *rest)
{
	char pattern[300], path[300];
	struct found found = { .base = base };
	snprintf(pattern, sizeof(pattern), "%s/%s", base, rest);
	assert_int_equal(glob_expand(pattern, strlen(base), NULL, note_found, &found), GLOB_DONE);
	assert_int_equal(found.strangers, 0);
	for (size_t i = 0; i < N_ELEMENTS(made); i++) {
		snprintf(path, sizeof(path), "%s/%.*s", base, (int)bytes_of(made[i]), made[i]);
		bool matches = glob_matches(pattern, path);
		if (found.seen[i] ? !matches : matches && !is_found(&found, i))
			fail_msg("%s: %s was%s found", rest, path, matches ? " not" : "");
	}
}

/* The same with the names that a walk before has listed. */
static void assert_finds_the_same(const char *base, const char *rest, struct glob_names *names)
{
	char pattern[300];
	struct found fresh = { .base = base }, again = { .base = base };
	snprintf(pattern, sizeof(pattern), "%s/%s", base, rest);
	assert_int_equal(glob_expand(pattern, strlen(base), NULL, note_found, &fresh), GLOB_DONE);
	assert_int_equal(glob_expand(pattern, strlen(base), names, note_found, &again), GLOB_DONE);
	assert_int_equal(again.strangers, 0);
	if (memcmp(fresh.seen, again.seen, sizeof(fresh.seen)) != 0)
		fail_msg("%s: not the same with names that are known", rest);
}

static int stop_at_once(void *context, const char *path, int sys)
{
	(void)path;
	(void)sys;
	*(unsigned *)context += 1;
	return 1;
}

/* A listing that was cut short serves nobody, and one that is whole is not made again. */
static void assert_lists_once(const char *base)
{
	struct glob_names names = { 0 };
	struct found found = { .base = base };
	char pattern[300], path[300];
	unsigned told = 0;
	snprintf(pattern, sizeof(pattern), "%s/a/*", base);
	assert_int_equal(glob_expand(pattern, strlen(base), &names, stop_at_once, &told), GLOB_STOPPED);
	assert_int_equal(told, 1);
	assert_finds_the_same(base, "a/*", &names);
	snprintf(path, sizeof(path), "%s/a/later", base);
	close(creat(path, 0600));
	assert_int_equal(glob_expand(pattern, strlen(base), &names, note_found, &found), GLOB_DONE);
	assert_int_equal(found.strangers, 0);
	assert_int_equal(remove(path), 0);
	glob_names_release(&names);
}

static void a_walk_finds_what_matches_and_nothing_else(void **state)
{
	struct glob_names names = { 0 };
	static const char *const patterns[] = {
		"*", "**", "**/*", "**/*.pem", "*.pem", "**/x.pem", "a/**/*.pem", "a/**", "a/*/x.pem", "**/b", "**/b/**",
		"**/b/*", "**/**", "**/**/*.pem", "**/c/**/?", "b/**/b", "**/d.pem/**", "**/d.pem/*", "*/*/*", "**/?.pem", "none/**",
		"?.pem", "x*", "a/*", "a/?.pem", "a/*.pem", "a/d.pem/*", "b/*", "none/*", "none/?",
	};
	char base[] = "/tmp/pinfold-glob-XXXXXX", path[300];
	(void)state;
	assert_non_null(mkdtemp(base));
	for (size_t i = 0; i < N_ELEMENTS(made); i++) {
		snprintf(path, sizeof(path), "%s/%.*s", base, (int)bytes_of(made[i]), made[i]);
		if (made[i][strlen(made[i]) - 1] == '/')
			assert_int_equal(mkdir(path, 0700), 0);
		else
			close(creat(path, 0600));
	}
	for (size_t i = 0; i < N_ELEMENTS(patterns); i++)
		assert_finds_what_matches(base, patterns[i]);
	for (size_t i = 0; i < 2000; i++)
		assert_finds_the_same(base, patterns[(size_t)rand() % N_ELEMENTS(patterns)], &names);
	glob_names_release(&names);
	assert_lists_once(base);
	for (size_t i = N_ELEMENTS(made); i-- > 0;) {
		snprintf(path, sizeof(path), "%s/%.*s", base, (int)bytes_of(made[i]), made[i]);
		assert_int_equal(remove(path), 0);
	}
	assert_int_equal(rmdir(base), 0);
}

#define MODEL_TEST(name) cmocka_unit_test_setup(name, open_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MODEL_TEST(a_denial_beats_an_allowance_whichever_path_is_longer),
		MODEL_TEST(of_several_rules_the_one_with_the_longest_path_is_named),
		MODEL_TEST(a_literal_rule_is_about_its_path_alone),
		MODEL_TEST(where_something_is_readable_nothing_else_is_but_the_tree_and_what_may_be_written),
		MODEL_TEST(what_can_be_executed_must_be_readable_too_and_the_tree_is_no_exception),
		MODEL_TEST(what_holds_something_protected_cannot_be_replaced),
		MODEL_TEST(no_socket_of_the_host_can_be_connected_to_that_is_not_named),
		MODEL_TEST(what_is_the_commands_own_is_decided_only_where_a_rule_brings_the_hosts_back),
		cmocka_unit_test(stars_stay_in_their_part_and_two_stand_for_parts),
		cmocka_unit_test(a_walk_finds_what_matches_and_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
