/* tests/cli_verbs.c - the command as a process: exit codes, streams, and documents that parse. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_place.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = TEST_BUILD "/tests/bin/pinfold";

/* What a process said, and how it ended. */
struct said {
	char out[65536], err[16384];
	int status;
};

static void read_back(int fd, char *text, size_t room)
{
	ssize_t length = pread(fd, text, room - 1, 0);
	text[length < 0 ? 0 : length] = '\0';
	close(fd);
}

static int scratch_file(void)
{
	char name[] = "/tmp/pinfold-said-XXXXXX";
	int fd = mkostemp(name, O_CLOEXEC);
	assert_true(fd >= 0);
	unlink(name);
	return fd;
}

static void run_argv(const char *const *argv, struct said *said)
{
	posix_spawn_file_actions_t actions;
	int out = scratch_file(), err = scratch_file(), status;
	pid_t pid;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, err, 2);
	assert_int_equal(posix_spawn(&pid, program, &actions, NULL, (char **)(uintptr_t)argv, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	said->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	read_back(out, said->out, sizeof(said->out));
	read_back(err, said->err, sizeof(said->err));
}

/* pinfold with these words. */
#define RUN(said, ...) run_argv((const char *const[]){ "pinfold", __VA_ARGS__, NULL }, said)

static void is_refused(const struct said *said, const char *code, int status)
{
	assert_int_equal(said->status, status);
	assert_string_equal(said->out, "");
	assert_true(strncmp(said->err, "pinfold: ", 9) == 0);
	assert_true(strncmp(said->err + 9, code, strlen(code)) == 0);
	assert_non_null(strstr(said->err, ": cannot "));
	assert_non_null(strstr(said->err, "\n  subject: "));
	assert_non_null(strstr(said->err, "\n  try:     "));
}

static void the_exit_status_and_the_streams_are_the_commands_own(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "--", "sh", "-c", "echo out; echo err >&2; exit 42");
	assert_int_equal(said.status, 42);
	assert_string_equal(said.out, "out\n");
	assert_non_null(strstr(said.err, "err\n"));
	RUN(&said, "run", "-q", "sh", "-c", "kill -TERM $$");
	assert_int_equal(said.status, 128 + 15);
	assert_string_equal(said.err, "");
	RUN(&said, "run", "-q", "--timeout", "0.2s", "true");
	is_refused(&said, "E_CONFIG", 125);
	RUN(&said, "run", "-q", "--timeout", "300ms", "sleep", "60");
	assert_int_equal(said.status, 124);
}

static void what_pinfold_refuses_has_a_code_and_an_exit_status_of_its_own(void **state)
{
	(void)state;
	static const struct {
		const char *argv[8], *code;
		int status;
	} cases[] = {
		{ { "pinfold", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "rnu", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--nothing", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--where", "there", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--keep-fds", "2", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--keep-fds", "600", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--status-fd", "600", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--receipt", "fd:600", "true", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "probe", "network", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "probe", "--require", "netwrok", NULL }, "E_USAGE", 125 },
		{ { "pinfold", "run", "--set", "netwrok.mode=none", "true", NULL }, "E_CONFIG", 125 },
		{ { "pinfold", "config", "--config", "/no/such", NULL }, "E_CONFIG", 125 },
		{ { "pinfold", "run", "-C", "/no/such", "true", NULL }, "E_TREE", 125 },
		{ { "pinfold", "run", "-C", "/", "true", NULL }, "E_TREE", 125 },
		{ { "pinfold", "run", "-C", "/proc/self", "true", NULL }, "E_TREE", 125 },
		{ { "pinfold", "run", "-C", "/dev", "true", NULL }, "E_TREE", 125 },
		{ { "pinfold", "run", "-C", "one", "true", NULL }, "E_TREE", 125 },
		{ { "pinfold", "run", "--where", "host", "true", NULL }, "E_PLACEMENT_DENIED", 125 },
		{ { "pinfold", "run", "--arm", "jobobject", "true", NULL }, "E_SANDBOX_DENIED", 125 },
		{ { "pinfold", "run", "no-such-program", NULL }, "E_NOT_FOUND", 127 },
		{ { "pinfold", "run", "./one", NULL }, "E_NOT_EXECUTABLE", 126 },
		{ { "pinfold", "explain", "no-such-program", NULL }, "E_NOT_FOUND", 127 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct said said;
		run_argv(cases[i].argv, &said);
		is_refused(&said, cases[i].code, cases[i].status);
	}
}

static void names_with_hostile_bytes_are_quoted(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "--", "no\033[2Jsuch\nprogram\xff");
	is_refused(&said, "E_NOT_FOUND", 127);
	assert_non_null(strstr(said.err, "no\\x1b[2Jsuch\\nprogram\\xff"));
	RUN(&said, "run", "--\033]0;x\007", "true");
	is_refused(&said, "E_USAGE", 125);
	for (const char *at = said.err; *at; at++)
		assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
}

static json_t *parse(const char *text)
{
	json_error_t why;
	json_t *root = json_loads(text, 0, &why);
	if (!root)
		print_error("%s:\n%s\n", why.text, text);
	assert_non_null(root);
	return root;
}

static void has_members(const json_t *object, const char *const *members)
{
	for (; *members; members++)
		if (!json_object_get(object, *members)) {
			print_error("there is no %s\n", *members);
			assert_true(false);
		}
}
#define MEMBERS(object, ...) has_members(object, (const char *const[]){ __VA_ARGS__, NULL })

static void every_document_is_json_with_the_members_that_are_written_down(void **state)
{
	(void)state;
	struct said said;
	json_t *root;
	RUN(&said, "config", "--json");
	root = parse(said.out);
	MEMBERS(json_array_get(json_object_get(root, "values"), 0), "section", "key", "value", "file",
		"line", "final", "help");
	json_decref(root);
	RUN(&said, "plugins", "--json");
	root = parse(said.out);
	MEMBERS(json_array_get(json_object_get(root, "plugins"), 0), "name", "state", "path", "version",
		"interface", "summary", "arms", "views", "wrappers");
	json_decref(root);
	RUN(&said, "probe", "--json");
	root = parse(said.out);
	MEMBERS(root, "arms", "require", "held", "holder");
	MEMBERS(json_array_get(json_object_get(root, "arms"), 0), "name", "available");
	json_decref(root);
	RUN(&said, "explain", "--json", "true");
	root = parse(said.out);
	MEMBERS(root, "placement", "arm", "statement", "passed_over", "view", "tree", "directory",
		"program", "new_namespaces", "rules", "gaps", "not_held", "dropped", "refusal");
	MEMBERS(json_object_get(root, "rules"), "network", "hidden", "writable", "layered", "missing",
		"rewritten", "remarks", "require", "relax");
	json_decref(root);
}

static void a_run_with_json_gives_its_receipt_on_standard_error(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "-q", "--json", "sh", "-c", "echo out; exit 3");
	assert_int_equal(said.status, 3);
	assert_string_equal(said.out, "out\n");
	json_t *root = parse(said.err);
	MEMBERS(root, "schema", "kind", "placement", "arm", "view", "environment", "process", "ending",
		"exit_code", "tree", "directory", "argv");
	assert_int_equal(json_integer_value(json_object_get(root, "exit_code")), 3);
	json_decref(root);
	RUN(&said, "run", "-q", "--json", "no-such-program");
	assert_int_equal(said.status, 127);
	root = parse(said.err);
	assert_string_equal(json_string_value(json_object_get(json_object_get(root, "error"), "code")),
			    "E_NOT_FOUND");
	json_decref(root);
}

static void a_receipt_is_written_whole_or_not_at_all(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "-q", "--receipt", "../receipt", "true");
	assert_int_equal(said.status, 0);
	json_t *root = json_load_file("../receipt", 0, NULL);
	assert_non_null(root);
	json_decref(root);
	assert_int_equal(unlink("../receipt"), 0);
	RUN(&said, "run", "-q", "--receipt", "../none/receipt", "sh", "-c", "echo ran");
	assert_int_equal(said.status, 125);
	assert_string_equal(said.out, "");
}

static void nothing_that_the_command_writes_reaches_the_tree(void **state)
{
	(void)state;
	struct said said;
	unsigned before = face_place_count(face_place_tree());
	RUN(&said, "run", "-q", "sh", "-c", "rm one; echo x >made; mkdir -p a/b; mv src gone");
	assert_int_equal(said.status, 0);
	assert_int_equal(face_place_count(face_place_tree()), before);
	assert_int_equal(access("one", F_OK), 0);
}

static void explaining_runs_nothing_and_leaves_nothing(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "-q", "true");
	unsigned before = face_place_count(face_place_home());
	RUN(&said, "explain", "sh", "-c", ": >made");
	assert_int_equal(said.status, 0);
	assert_non_null(strstr(said.out, "it guarantees that"));
	assert_int_equal(face_place_count(face_place_home()), before);
}

static void a_setting_that_is_refused_is_named_as_it_was_typed(void **state)
{
	(void)state;
	static const struct {
		const char *argv[8], *subject;
	} cases[] = {
		{ { "pinfold", "run", "--timeout", "soon", "true", NULL }, "--timeout: limits.timeout: " },
		{ { "pinfold", "run", "--stdin=nul", "true", NULL }, "--stdin: pinfold.stdin: " },
		{ { "pinfold", "run", "--arm", "copytree", "--set", "limits.nice=x", "true", NULL },
		  "--set: limits.nice: " },
		{ { "pinfold", "explain", "--set", "limits.nice=1", "--require", "all", "true", NULL },
		  "--require: pinfold.require: " },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct said said;
		run_argv(cases[i].argv, &said);
		is_refused(&said, "E_CONFIG", 125);
		const char *subject = strstr(said.err, "\n  subject: ") + strlen("\n  subject: ");
		assert_true(strncmp(subject, cases[i].subject, strlen(cases[i].subject)) == 0);
	}
}

static void a_file_that_is_not_there_is_named_once_with_a_way_out(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "config", "--config", "/no/such");
	is_refused(&said, "E_CONFIG", 125);
	assert_non_null(strstr(said.err, "\n  subject: /no/such\n  try:     name a file that exists"));
}

static void a_word_in_the_place_of_the_verb_is_answered_with_where_it_belongs(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "make");
	is_refused(&said, "E_USAGE", 125);
	assert_non_null(strstr(said.err, "pinfold run -- COMMAND"));
	RUN(&said, "-q", "run", "true");
	is_refused(&said, "E_USAGE", 125);
	assert_non_null(strstr(said.err, "the verb comes first"));
}

static void long_lists_are_cut_for_a_person_and_whole_for_a_program(void **state)
{
	(void)state;
	static const char setting[] = "filesystem.hidden=/long/name/0, /long/name/1, /long/name/2, "
				      "/long/name/3, /long/name/4, /long/name/5, /long/name/6";
	struct said said;
	RUN(&said, "config", "--set", "pinfold.preset=", "--set", setting);
	assert_int_equal(said.status, 0);
	assert_non_null(strstr(said.out, "= /long/name/0, "));
	assert_non_null(strstr(said.out, "\xe2\x80\xa6 (7 in all)  # --set:2\n"));
	assert_null(strstr(said.out, "/long/name/6"));
	assert_non_null(strstr(said.out, "--json shows them whole"));
	RUN(&said, "config", "--json", "--set", "pinfold.preset=", "--set", setting);
	assert_non_null(strstr(said.out, "/long/name/6"));
	RUN(&said, "config", "--set", "pinfold.preset=", "--set", "pinfold.plugins=copytree", "--set",
	    "filesystem.hidden=/a, /b");
	const char *line = strstr(said.out, "= /a, /b ");
	assert_non_null(line);
	assert_null(memmem(line, strcspn(line, "\n"), "in all", strlen("in all")));
}

static void a_preset_that_is_asked_for_lies_above_the_one_that_hides_credentials(void **state)
{
	(void)state;
	struct said said;
	char path[512];
	snprintf(path, sizeof(path), "%s/.npmrc", face_place_home());
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	RUN(&said, "explain", "--json", "--preset", "small", "--", "true");
	assert_non_null(strstr(said.out, "/.npmrc\""));
	RUN(&said, "explain", "--json", "--set", "pinfold.preset=small", "--", "true");
	assert_int_equal(said.status, 0);
	assert_null(strstr(said.out, "/.npmrc\""));
	unlink(path);
}

static void what_the_hard_tier_hides_stays_hidden_whichever_preset_is_chosen(void **state)
{
	(void)state;
	static const char *const presets[] = { "pinfold.preset=", "pinfold.preset=small" };
	struct said said;
	char path[512];
	snprintf(path, sizeof(path), "%s/.netrc", face_place_home());
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		RUN(&said, "explain", "--json", "--set", presets[i], "--", "true");
		assert_int_equal(said.status, 0);
		assert_non_null(strstr(said.out, "/.netrc\""));
	}
	RUN(&said, "explain", "--json", "--set", "hard.hidden=", "--", "true");
	assert_int_not_equal(said.status, 0);
	unlink(path);
}

static void a_time_limit_that_ended_the_command_is_told_unless_quiet(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "--timeout", "200ms", "sleep", "60");
	assert_int_equal(said.status, 124);
	assert_non_null(strstr(said.err, "pinfold: the time limit ended the command"));
	RUN(&said, "run", "-q", "--timeout", "200ms", "sleep", "60");
	assert_string_equal(said.err, "");
	RUN(&said, "run", "sh", "-c", "exit 124");
	assert_string_equal(said.err, "");
	RUN(&said, "run", "--json", "--timeout", "200ms", "sleep", "60");
	json_decref(parse(said.err));
}

static void durations_of_a_first_copy_lie_within_the_whole(void **state)
{
	(void)state;
	struct said said;
	for (int i = 0; i < 300; i++) {
		char name[32];
		snprintf(name, sizeof(name), "many-%d", i);
		close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
	RUN(&said, "run", "-q", "--json", "true");
	json_t *root = parse(said.err), *durations = json_object_get(root, "durations_us"), *value;
	json_int_t total = json_integer_value(json_object_get(durations, "total"));
	const char *key;
	json_object_foreach(durations, key, value)
		assert_in_range(json_integer_value(value), 0, total);
	json_decref(root);
	RUN(&said, "run", "-q", "--view", "direct", "sh", "-c", "rm many-*");
	assert_int_equal(said.status, 0);
}

static void every_verb_explains_its_options(void **state)
{
	(void)state;
	static const char *const verbs[] = { "run", "explain", "probe", "config", "plugins" };
	struct said said;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		RUN(&said, verbs[i], "--help");
		assert_int_equal(said.status, 0);
		assert_non_null(strstr(said.out, "--json"));
		assert_non_null(strstr(said.out, "--set"));
		assert_string_equal(said.err, "");
	}
	RUN(&said, "--help");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		assert_non_null(strstr(said.out, verbs[i]));
	RUN(&said, "--version");
	assert_string_equal(said.out, "pinfold " PACKAGE_VERSION "\n");
}

static void probing_exits_by_what_is_required(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "probe", "--require", "filesystem", "--set", "pinfold.arms=copytree");
	assert_int_equal(said.status, 0);
	assert_non_null(strstr(said.out, "\ncopytree keeps all of: filesystem\n"));
	RUN(&said, "probe", "--set", "pinfold.plugins=copytree", "--require", "filesystem, network");
	assert_int_equal(said.status, 1);
	assert_non_null(strstr(said.out, "No preferred arm keeps all of: filesystem, network"));
	RUN(&said, "probe", "--set", "pinfold.arms=jobobject", "--require", "filesystem");
	assert_int_equal(said.status, 1);
}

static void an_arm_that_promises_less_is_named_with_what_is_not_held(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "--set", "pinfold.arms=jobobject, copytree", "true");
	assert_int_equal(said.status, 0);
	assert_non_null(strstr(said.err, "jobobject"));
	RUN(&said, "run", "--set", "pinfold.arms=jobobject, copytree", "--require", "writes", "true");
	is_refused(&said, "E_SANDBOX_DENIED", 125);
}

static void the_tree_itself_is_shown_only_by_name_and_promises_nothing_of_it(void **state)
{
	(void)state;
	struct said said;
	RUN(&said, "run", "--json", "--view", "direct", "sh", "-c", "echo x >made");
	assert_int_equal(said.status, 0);
	assert_int_equal(unlink("made"), 0);
	assert_non_null(strstr(said.err, "it does not guarantee"));
	const char *denied = strstr(said.err, "it does not guarantee");
	assert_non_null(strstr(denied, "a copy of the working tree"));
	RUN(&said, "run", "--view", "direct", "--require", "filesystem", "true");
	is_refused(&said, "E_SANDBOX_DENIED", 125);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exit_status_and_the_streams_are_the_commands_own),
		cmocka_unit_test(what_pinfold_refuses_has_a_code_and_an_exit_status_of_its_own),
		cmocka_unit_test(names_with_hostile_bytes_are_quoted),
		cmocka_unit_test(every_document_is_json_with_the_members_that_are_written_down),
		cmocka_unit_test(a_run_with_json_gives_its_receipt_on_standard_error),
		cmocka_unit_test(a_receipt_is_written_whole_or_not_at_all),
		cmocka_unit_test(nothing_that_the_command_writes_reaches_the_tree),
		cmocka_unit_test(explaining_runs_nothing_and_leaves_nothing),
		cmocka_unit_test(a_setting_that_is_refused_is_named_as_it_was_typed),
		cmocka_unit_test(a_file_that_is_not_there_is_named_once_with_a_way_out),
		cmocka_unit_test(a_word_in_the_place_of_the_verb_is_answered_with_where_it_belongs),
		cmocka_unit_test(long_lists_are_cut_for_a_person_and_whole_for_a_program),
		cmocka_unit_test(a_preset_that_is_asked_for_lies_above_the_one_that_hides_credentials),
		cmocka_unit_test(what_the_hard_tier_hides_stays_hidden_whichever_preset_is_chosen),
		cmocka_unit_test(a_time_limit_that_ended_the_command_is_told_unless_quiet),
		cmocka_unit_test(durations_of_a_first_copy_lie_within_the_whole),
		cmocka_unit_test(every_verb_explains_its_options),
		cmocka_unit_test(probing_exits_by_what_is_required),
		cmocka_unit_test(an_arm_that_promises_less_is_named_with_what_is_not_held),
		cmocka_unit_test(the_tree_itself_is_shown_only_by_name_and_promises_nothing_of_it),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}
