/* tests/policy_environment.c - what a command's environment holds, and what never reaches it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "policy/environment.h"
#include "policy_configured.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct environment_places places = {
	.directory = "/tree/below", .temporary = "/private", .runtime_dir = "/run/user/7",
	.run = "nonce",
};

static int build(const char *const *settings, const char *const *caller,
		 const char *const *explicit_settings, const struct environment_places *where,
		 struct environment *environment, struct pinfold_error *err)
{
	struct config *config = configured(settings);
	int result = environment_build(config, caller, explicit_settings, where, environment, err);
	config_free(config);
	return result;
}

static struct environment built(const char *const *settings, const char *const *caller,
				const char *const *explicit_settings)
{
	struct environment environment = { 0 };
	struct pinfold_error err = { 0 };
	int result = build(settings, caller, explicit_settings, &places, &environment, &err);
	if (result < 0)
		print_error("%s: %s\n", err.action, err.subject);
	assert_int_equal(result, 0);
	return environment;
}

static const char *value_of(const struct environment *environment, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < environment->variables.count; i++) {
		const char *entry = environment->variables.items[i];
		if (strncmp(entry, name, length) == 0 && entry[length] == '=')
			return entry + length + 1;
	}
	return NULL;
}

static void assert_value(const struct environment *environment, const char *name,
			 const char *expected)
{
	const char *value = value_of(environment, name);
	if (expected && !value)
		print_error("%s is missing\n", name);
	if (!expected && value)
		print_error("%s is set\n", name);
	assert_true(!expected == !value);
	if (expected)
		assert_string_equal(value, expected);
}

static void names_that_look_like_credentials_are_dropped_in_either_case(void **state)
{
	(void)state;
	static const char *const names[] = {
		"_TOKEN", "_pat", "GITHUB_TOKEN", "GH_TOKEN", "NPM_TOKEN",
		"my_app_token", "X_SECRET", "x_Secret",
		"DB_PASSWORD", "DB_PASSWD", "A_PASSPHRASE", "OPENAI_API_KEY", "X_APIKEY",
		"S3_ACCESS_KEY", "DEPLOY_PRIVATE_KEY", "X_CREDENTIALS", "AWS_ACCESS_KEY_ID",
		"AWS_PROFILE", "aws_session", "AZURE_CLIENT_ID", "DOCKER_AUTH_CONFIG", "TOKEN",
		"password", "PGPASSWORD", "MYSQL_PWD", "SSHPASS", "OP_SESSION_x", "BW_SESSION",
		"GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE",
		"BUNDLE_GEMS__EXAMPLE__COM", "CARGO_REGISTRIES_MINE_TOKEN", "COMPOSER_AUTH",
		"npm_config_//registry.npmjs.org/:_authToken", "NPM_CONFIG__AUTH",
		"AZURE_STORAGE_CONNECTION_STRING", "SLACK_WEBHOOK_URL", "RAILS_MASTER_KEY",
	};
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char entry[128];
		snprintf(entry, sizeof(entry), "%s=hunter2", names[i]);
		struct environment environment = built(NULL, LIST("PATH=/bin", entry), NULL);
		assert_value(&environment, names[i], NULL);
		assert_true(list_has(&environment.dropped, names[i]));
		assert_value(&environment, "PATH", "/bin");
		environment_release(&environment);
	}
}

static void names_that_builds_need_are_kept(void **state)
{
	(void)state;
	static const char *const names[] = {
		"PATH", "HOME", "CC", "CFLAGS", "TERM", "LANG", "LC_ALL", "TZ", "EDITOR",
		"RUSTC_WRAPPER", "CARGO_HOME", "GOPATH", "GOFLAGS", "JAVA_HOME", "NODE_OPTIONS",
		"PYTHONPATH", "PERL5OPT", "PKG_CONFIG_PATH", "CI", "GITHUB_ACTIONS", "tmp", "pwd",
		"display", "TOKENIZERS_PARALLELISM", "KEYBOARD", "SECRETARY", "LDFLAGS", "SSL_CERT_FILE",
		"http_proxy", "SCCACHE_DIR", "VIRTUAL_ENV", "COLORTERM", "LOCPATH", "TZDIR",
		"MAKELEVEL", "GOOGLE_CLOUD_PROJECT", "PASSWORD_STORE_DIR", "MONKEY", "AUTHOR",
		"NIX_PATH", "DOCKER_BUILDKIT", "ENVIRONMENT", "COMPAT", "BYPASS",
	};
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char entry[128];
		snprintf(entry, sizeof(entry), "%s=http://host:80/a@b", names[i]);
		struct environment environment = built(NULL, LIST(entry), NULL);
		assert_value(&environment, names[i], "http://host:80/a@b");
		assert_int_equal(environment.dropped.count, 0);
		environment_release(&environment);
	}
}

static void a_value_that_carries_a_credential_is_dropped_whatever_its_name(void **state)
{
	(void)state;
	static const char *const values[] = {
		"http://user:hunter2@proxy:3128", "postgres://u:p@h/db", "see ftp://a:b@c",
		"http://ok/ https://u:p@host", "https://me@corp:pw@host", "amqp://:p@h", "https://u:p@ss@host/x",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "-----BEGIN PRIVATE KEY-----",
		"ghp_0123456789", "github_pat_x", "glpat-x", "xoxb-1-2", "sk-ant-api03-x", "sk_live_x",
		"AIzaSyx", "eyJhbGciOiJIUzI1NiJ9.e30.x", "AGE-SECRET-KEY-1X",
	};
	for (size_t i = 0; i < N_ELEMENTS(values); i++) {
		char entry[200];
		snprintf(entry, sizeof(entry), "ANY_NAME=%s", values[i]);
		struct environment environment = built(NULL, LIST(entry), NULL);
		assert_value(&environment, "ANY_NAME", NULL);
		assert_true(list_has(&environment.dropped, "ANY_NAME"));
		environment_release(&environment);
	}
}

static void a_value_that_only_looks_like_a_credential_is_kept(void **state)
{
	(void)state;
	static const char *const values[] = {
		"http://proxy:3128", "ssh://git@host/x", "http://user:@host", "http://a/b:c@d",
		"http://h?x=a:b@c", "file:///a:b@c", "http://h#a:b@c", "u:p@h", "://", "a://:", "gh", "sk-learn", "not ghp_x",
	};
	for (size_t i = 0; i < N_ELEMENTS(values); i++) {
		char entry[200];
		snprintf(entry, sizeof(entry), "ANY_NAME=%s", values[i]);
		struct environment environment = built(NULL, LIST(entry), NULL);
		assert_value(&environment, "ANY_NAME", values[i]);
		environment_release(&environment);
	}
}

static void loader_and_session_names_are_dropped(void **state)
{
	(void)state;
	static const char *const names[] = {
		"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES",
		"GLIBC_TUNABLES", "GCONV_PATH", "MALLOC_CHECK_", "BASH_ENV", "ENV", "SHELLOPTS",
		"LTDL_LIBRARY_PATH", "BASH_FUNC_ls%%", "SSH_AUTH_SOCK", "GPG_AGENT_INFO",
		"DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "WAYLAND_DISPLAY",
		"DISPLAY", "XAUTHORITY", "DOCKER_HOST", "NOTIFY_SOCKET", "LISTEN_FDS", "TMUX",
		"VSCODE_GIT_IPC_HANDLE", "OLDPWD",
	};
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char entry[128];
		snprintf(entry, sizeof(entry), "%s=x", names[i]);
		struct environment environment = built(NULL, LIST(entry), NULL);
		assert_value(&environment, names[i], NULL);
		assert_true(list_has(&environment.dropped, names[i]));
		environment_release(&environment);
	}
}

static void the_allow_key_keeps_a_name_and_the_drop_key_outweighs_it(void **state)
{
	(void)state;
	const char *const *settings = LIST("environment.allow=AWS_REGION, LD_*, X_TOKEN",
					   "environment.drop=X_*, MY_NAME");
	struct environment environment = built(
		settings, LIST("AWS_REGION=a", "AWS_PROFILE=b", "LD_LIBRARY_PATH=c", "X_TOKEN=d",
			       "X_Y=e", "MY_NAME=f", "MY_NAMES=g"), NULL);
	assert_value(&environment, "AWS_REGION", "a");
	assert_value(&environment, "AWS_PROFILE", NULL);
	assert_value(&environment, "LD_LIBRARY_PATH", "c");
	assert_value(&environment, "X_TOKEN", NULL);
	assert_value(&environment, "X_Y", NULL);
	assert_value(&environment, "MY_NAME", NULL);
	assert_value(&environment, "MY_NAMES", "g");
	environment_release(&environment);
}

static void an_allow_list_passes_its_names_and_the_floor_alone(void **state)
{
	(void)state;
	struct environment environment = built(
		LIST("environment.mode=allowlist", "environment.allow=CC, MY_*, API_TOKEN"),
		LIST("PATH=p", "HOME=h", "LC_TIME=l", "LCX=no", "CC=cc", "CFLAGS=no", "MY_X=x",
		     "API_TOKEN=t", "cc=no", "TERM=dumb"), NULL);
	static const char *const expected[] = {
		"API_TOKEN=t", "CC=cc", "HOME=h", "LC_TIME=l", "MY_X=x", "PATH=p",
		"PINFOLD_RUN=nonce", "PWD=/tree/below", "TEMP=/private", "TERM=dumb",
		"TMP=/private", "TMPDIR=/private", "TMPPREFIX=/private/zsh",
		"XDG_RUNTIME_DIR=/run/user/7",
	};
	assert_int_equal(environment.variables.count, N_ELEMENTS(expected));
	for (size_t i = 0; i < N_ELEMENTS(expected); i++)
		assert_string_equal(environment.variables.items[i], expected[i]);
	assert_int_equal(environment.dropped.count, 3);
	environment_release(&environment);
}

static void an_empty_allow_list_means_none(void **state)
{
	(void)state;
	struct environment environment = built(LIST("environment.mode=allowlist"),
					       LIST("FOO=1", "BAR=2", "PATH=p"), NULL);
	assert_value(&environment, "FOO", NULL);
	assert_value(&environment, "BAR", NULL);
	assert_value(&environment, "PATH", "p");
	environment_release(&environment);
}

static void explicit_settings_win_over_everything_but_the_nonce(void **state)
{
	(void)state;
	struct environment environment = built(
		LIST("environment.set=FROM_FILE=1, TMPDIR=/file, BOTH=file", "environment.drop=WANTED"),
		LIST("WANTED=mine", "X_TOKEN=t", "BOTH=caller", "LD_PRELOAD=x"),
		LIST("TMPDIR=/mine", "PWD=/else", "WANTED", "X_TOKEN", "PINFOLD_RUN=forged",
		     "BOTH=explicit", "ABSENT", "EMPTY=", "TWICE=1", "TWICE=2"));
	assert_value(&environment, "FROM_FILE", "1");
	assert_value(&environment, "TMPDIR", "/mine");
	assert_value(&environment, "TMP", "/private");
	assert_value(&environment, "PWD", "/else");
	assert_value(&environment, "WANTED", "mine");
	assert_value(&environment, "X_TOKEN", "t");
	assert_value(&environment, "PINFOLD_RUN", "nonce");
	assert_value(&environment, "BOTH", "explicit");
	assert_value(&environment, "ABSENT", NULL);
	assert_value(&environment, "EMPTY", "");
	assert_value(&environment, "TWICE", "2");
	assert_false(list_has(&environment.dropped, "X_TOKEN"));
	assert_true(list_has(&environment.dropped, "LD_PRELOAD"));
	environment_release(&environment);
}

static void a_place_that_the_run_does_not_have_is_in_no_variable(void **state)
{
	(void)state;
	struct environment environment = { 0 };
	const struct environment_places none = { 0 };
	const char *const *caller = LIST("PWD=/a", "OLDPWD=/b", "TMPDIR=/c", "TMP=/c", "TEMP=/c",
					 "TMPPREFIX=/c/z", "XDG_RUNTIME_DIR=/d", "PINFOLD_RUN=e",
					 "GIT_DIR=/r/.git", "GIT_WORK_TREE=/r", "GIT_COMMON_DIR=/r/.git",
					 "GIT_INDEX_FILE=.git/index.lock", "GIT_OBJECT_DIRECTORY=/r/o",
					 "GIT_ALTERNATE_OBJECT_DIRECTORIES=/r/a", "GIT_PREFIX=sub/");
	const char *const *modes[] = {
		NULL, LIST("environment.allow=PWD, TMPDIR, OLDPWD, GIT_DIR"),
		LIST("environment.mode=allowlist", "environment.allow=PWD, TMP*, XDG_*, PINFOLD_RUN, GIT_*"),
	};
	for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
		assert_int_equal(build(modes[i], caller, NULL, &none, &environment, NULL), 0);
		assert_int_equal(environment.variables.count, 0);
		assert_int_equal(environment.dropped.count, 15);
		environment_release(&environment);
	}
}

static void of_a_name_that_comes_twice_the_first_counts_as_for_getenv(void **state)
{
	(void)state;
	struct environment environment =
		built(NULL, LIST("A=first", "B=1", "A=second", "AB=2", "A=third"), NULL);
	assert_value(&environment, "A", "first");
	size_t found = 0;
	for (size_t i = 0; i < environment.variables.count; i++)
		found += starts_with(environment.variables.items[i], "A=");
	assert_int_equal(found, 1);
	environment_release(&environment);
}

static void malformed_entries_reach_nobody(void **state)
{
	(void)state;
	struct environment environment =
		built(NULL, LIST("hunter2", "=hunter2", "", "a b=hunter2", "n\xff=hunter2",
				 "e\033[2J=hunter2", "OK=1"), NULL);
	for (size_t i = 0; i < environment.variables.count; i++)
		assert_null(strstr(environment.variables.items[i], "hunter2"));
	for (size_t i = 0; i < environment.dropped.count; i++)
		assert_null(strstr(environment.dropped.items[i], "hunter2"));
	assert_int_equal(environment.dropped.count, 3);
	assert_value(&environment, "OK", "1");
	environment_release(&environment);
}

static void an_unset_home_stays_unset(void **state)
{
	(void)state;
	struct environment environment = built(NULL, LIST("PATH=p"), NULL);
	assert_value(&environment, "HOME", NULL);
	environment_release(&environment);
	environment = built(NULL, NULL, NULL);
	assert_value(&environment, "PATH", NULL);
	environment_release(&environment);
}

static void a_setting_without_a_name_is_refused(void **state)
{
	(void)state;
	static const char *const settings[] = { "", "=x", "a b=x", "a\nb", "\xff=1" };
	for (size_t i = 0; i < N_ELEMENTS(settings); i++) {
		struct environment environment = { 0 };
		struct pinfold_error err = { 0 };
		assert_int_equal(build(NULL, NULL, LIST(settings[i]), &places, &environment, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_USAGE);
		assert_null(strstr(err.subject, "x"));	/* never a value */
		assert_null(environment.variables.items);
	}
}

static void the_job_server_is_taken_out_of_the_flags(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ " -j4 --jobserver-auth=3,4", " -j4 " },
		{ " --jobserver-auth=3,4 -j", "  " },
		{ "w -j --jobserver-fds=3,4 -k", "w   -k" },
		{ "k --jobserver-auth=fifo:/tmp/GMfifo1", "k " },
		{ "-j --jobserver-fds=8,9 --jobserver-auth=8,9", "  " },
		{ "-j", "-j" },
		{ "k -j3", "k -j3" },
		{ "", "" },
		{ " --jobserver-auth=3,4 -- X=--jobserver-auth=5 Y=-j -j", "  -- X=--jobserver-auth=5 Y=-j -j" },
		{ " -- X=a\\ --jobserver-auth=1,2", " -- X=a\\ --jobserver-auth=1,2" },
		{ "-O\\ --jobserver-auth=1,2 -k", "-O\\ --jobserver-auth=1,2 -k" },
		{ "x\\", "x\\" },
	};
	static const char *const names[] = { "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "CARGO_MAKEFLAGS" };
	for (size_t i = 0; i < N_ELEMENTS(cases) * N_ELEMENTS(names); i++) {
		const char *name = names[i / N_ELEMENTS(cases)];
		const char *const *row = cases[i % N_ELEMENTS(cases)];
		char entry[200];
		snprintf(entry, sizeof(entry), "%s=%s", name, row[0]);
		struct environment environment = built(NULL, LIST(entry), NULL);
		assert_value(&environment, name, row[1]);
		environment_release(&environment);
		struct environment_places kept = places;
		kept.keep_jobserver = true;
		assert_int_equal(build(NULL, LIST(entry), NULL, &kept, &environment, NULL), 0);
		assert_value(&environment, name, row[0]);
		environment_release(&environment);
	}
}

/* A small generator of its own, so that a failure can be repeated from its seed. */
static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void random_name(uint32_t *seed, char *room)
{
	static const char *const parts[] = { "A", "TOKEN", "_TOKEN", "AWS_", "LD_", "PATH", "TMP",
					     "DIR", "PWD", "x", "_SECRET", "=", " ", "\xff", "%%" };
	room[0] = '\0';
	for (uint32_t n = next(seed) % 4; n > 0; n--)
		strcat(room, parts[next(seed) % N_ELEMENTS(parts)]);
}

enum { ENTRIES = 24, ENTRY_ROOM = 96 };

static void fill_randomly(uint32_t *seed, char entries[ENTRIES][ENTRY_ROOM],
			  const char *pointers[ENTRIES + 1])
{
	for (size_t i = 0; i < ENTRIES; i++) {
		char name[ENTRY_ROOM / 2];
		random_name(seed, name);
		snprintf(entries[i], ENTRY_ROOM, next(seed) % 9 ? "%s=value%zuend" : "%sno%zuend", name, i);
		pointers[i] = entries[i];
	}
	pointers[ENTRIES] = NULL;
}

static void assert_one_entry_for_each_name(const struct environment *environment)
{
	for (size_t i = 0; i < environment->variables.count; i++) {
		const char *entry = environment->variables.items[i];
		size_t length = strcspn(entry, "=");
		assert_true(length > 0 && entry[length] == '=');
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(
				strncmp(environment->variables.items[j], entry, length + 1), 0);
	}
}

static void assert_nothing_dropped_is_inside(const struct environment *environment,
					     const char *const *caller)
{
	for (size_t i = 0; i < environment->dropped.count; i++) {
		const char *name = environment->dropped.items[i];
		assert_null(value_of(environment, name));
		assert_true(i == 0 || strcmp(environment->dropped.items[i - 1], name) < 0);
		assert_null(strstr(name, "value"));
		for (const char *const *entry = caller; *entry; entry++) {
			size_t length = strcspn(*entry, "=");
			if (strlen(name) != length || strncmp(*entry, name, length) != 0)
				continue;
			for (size_t j = 0; j < environment->variables.count; j++)
				assert_null(strstr(environment->variables.items[j], *entry + length + 1));
		}
	}
}

static void no_random_environment_leaks_a_dropped_value_or_doubles_a_name(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 2000; round++) {
		uint32_t seed = round;
		char entries[ENTRIES][ENTRY_ROOM];
		const char *caller[ENTRIES + 1];
		fill_randomly(&seed, entries, caller);
		struct environment environment =
			built(round % 2 ? LIST("environment.mode=allowlist", "environment.allow=A*")
					: NULL, caller, NULL);
		assert_one_entry_for_each_name(&environment);
		assert_nothing_dropped_is_inside(&environment, caller);
		assert_value(&environment, "PWD", "/tree/below");
		assert_value(&environment, "TMPDIR", "/private");
		assert_value(&environment, "PINFOLD_RUN", "nonce");
		environment_release(&environment);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_look_like_credentials_are_dropped_in_either_case),
		cmocka_unit_test(names_that_builds_need_are_kept),
		cmocka_unit_test(a_value_that_carries_a_credential_is_dropped_whatever_its_name),
		cmocka_unit_test(a_value_that_only_looks_like_a_credential_is_kept),
		cmocka_unit_test(loader_and_session_names_are_dropped),
		cmocka_unit_test(the_allow_key_keeps_a_name_and_the_drop_key_outweighs_it),
		cmocka_unit_test(an_allow_list_passes_its_names_and_the_floor_alone),
		cmocka_unit_test(an_empty_allow_list_means_none),
		cmocka_unit_test(explicit_settings_win_over_everything_but_the_nonce),
		cmocka_unit_test(a_place_that_the_run_does_not_have_is_in_no_variable),
		cmocka_unit_test(of_a_name_that_comes_twice_the_first_counts_as_for_getenv),
		cmocka_unit_test(malformed_entries_reach_nobody),
		cmocka_unit_test(an_unset_home_stays_unset),
		cmocka_unit_test(a_setting_without_a_name_is_refused),
		cmocka_unit_test(the_job_server_is_taken_out_of_the_flags),
		cmocka_unit_test(no_random_environment_leaks_a_dropped_value_or_doubles_a_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
