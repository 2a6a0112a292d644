/* tests/seatbelt_lower.c - what each construct of a policy becomes in a profile of Seatbelt's. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "seatbelt_scene.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_scene(void **state)
{
	struct test_scene *scene = calloc(1, sizeof(*scene));
	scene_open(scene);
	*state = scene;
	return 0;
}

static int close_scene(void **state)
{
	scene_close(*state);
	free(*state);
	return 0;
}

#define assert_allows(operation, path)                                         \
	do {                                                                    \
		if (!scene_allows(scene, operation, path))                       \
			fail_msg("%s of %s is refused by\n%s", operation, path, scene->profile.text); \
	} while (0)
#define assert_refuses(operation, path)                                        \
	do {                                                                    \
		if (scene_allows(scene, operation, path))                        \
			fail_msg("%s of %s is allowed by\n%s", operation, path, scene->profile.text); \
	} while (0)

static void only_the_copy_and_the_temporary_directory_can_be_written(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	assert_allows("file-write-data", SCENE_SOURCE "/a");
	assert_allows("file-write-create", SCENE_TEMPORARY "/a");
	assert_allows("file-write-data", "/dev/null");
	assert_refuses("file-write-data", SCENE_TREE "/a");
	assert_refuses("file-write-create", "/Users/u/a");
	assert_refuses("file-write-unlink", "/private/tmp/a");
	assert_allows("file-read-data", SCENE_TREE "/a");
	assert_allows("file-read-data", "/etc/hosts");
	assert_allows("process-exec", "/bin/sh");
}

static void copies_of_others_are_out_of_sight(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	assert_refuses("file-read-data", SCENE_SCRATCH "/t/2/tree/a");
	assert_refuses("file-write-create", SCENE_SCRATCH "/t/1/other");
	assert_refuses("process-exec", SCENE_SCRATCH "/t/2/tree/a");
	assert_allows("file-read-metadata", SCENE_SCRATCH "/t/1");
	assert_refuses("file-read-data", SCENE_SCRATCH "/t/1");
	assert_allows("process-exec", SCENE_SOURCE "/configure");
}

static void a_hidden_path_is_kept_from_everything_also_below_what_is_allowed(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_WRITE, "/Users/u/Library/x");
	scene_path(scene, PINFOLD_PATH_HIDE, "/Users/u/Library/x/keys");
	scene_path(scene, PINFOLD_PATH_SOCKET, "/Users/u/Library/x/keys/agent");
	scene_lower(scene);
	static const char *const all[] = { "file-read-data", "file-read-metadata", "file-write-create",
					   "file-write-unlink", "process-exec", "network-outbound" };
	for (size_t i = 0; i < N_ELEMENTS(all); i++) {
		assert_refuses(all[i], "/Users/u/Library/x/keys");
		assert_refuses(all[i], "/Users/u/Library/x/keys/agent");
	}
	assert_allows("file-write-create", "/Users/u/Library/x/other");
	assert_allows("file-read-data", "/Users/u/Library/x/keysmith");
}

static void a_directory_above_a_refused_path_cannot_be_renamed_away(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/w");
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/w/a/b/keys");
	scene_path(scene, PINFOLD_PATH_PROTECT, SCENE_SOURCE "/deep/hooks");
	scene_lower(scene);
	assert_refuses("file-write-unlink", "/srv/w/a/b");
	assert_refuses("file-write-unlink", "/srv/w/a");
	assert_refuses("file-write-unlink", "/srv/w");
	assert_refuses("file-write-unlink", SCENE_SOURCE "/deep");
	assert_refuses("file-write-unlink", SCENE_SOURCE);
	assert_allows("file-write-unlink", "/srv/w/a/c");
	assert_allows("file-write-create", "/srv/w/a/b/new");
}

static void the_tree_and_its_copy_hide_the_same(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_HIDE, SCENE_SOURCE "/.env");
	scene_path(scene, PINFOLD_PATH_HIDE, SCENE_TREE "/.netrc");
	scene_lower(scene);
	assert_refuses("file-read-data", SCENE_SOURCE "/.env");
	assert_refuses("file-read-data", SCENE_TREE "/.env");
	assert_refuses("file-read-data", SCENE_SOURCE "/.netrc");
	assert_refuses("file-read-data", SCENE_TREE "/.netrc");
}

static void a_literal_path_is_itself_and_nothing_below(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/d")->match = PINFOLD_MATCH_LITERAL;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/f")->match = PINFOLD_MATCH_LITERAL;
	scene_lower(scene);
	assert_refuses("file-read-data", "/srv/d");
	assert_allows("file-read-data", "/srv/d/a");
	assert_allows("file-write-data", "/srv/f");
	assert_refuses("file-write-create", "/srv/f/a");
}

static void reading_can_be_limited_to_named_paths(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_READ, "/opt/sdk");
	static const struct pinfold_link links[] = { { sizeof(links[0]), 0, "/opt/link", "/opt/sdk" } };
	scene->policy.links = links;
	scene->policy.link_count = 1;
	scene_lower(scene);
	assert_allows("file-read-data", "/opt/sdk/a");
	assert_allows("file-read-metadata", "/opt");
	assert_refuses("file-read-data", "/opt");
	assert_allows("file-read-metadata", "/opt/link");
	assert_refuses("file-read-data", "/opt/link");
	assert_refuses("file-read-data", "/Users/u/a");
	assert_refuses("file-read-metadata", "/Users/u/a");
	assert_allows("file-read-data", "/usr/lib/dyld");
	assert_allows("file-read-data", SCENE_SOURCE "/a");
	assert_allows("file-read-metadata", "/tmp");
	assert_refuses("file-read-data", SCENE_TREE "/a");
	assert_refuses("process-exec", "/bin/sh");
	assert_allows("process-exec", "/opt/sdk/bin/cc");
	assert_allows("process-exec", SCENE_SOURCE "/configure");
}

static void a_writable_path_itself_cannot_be_replaced(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/w");
	scene_lower(scene);
	assert_refuses("file-write-unlink", "/srv/w");
	assert_refuses("file-write-unlink", SCENE_SOURCE);
	assert_allows("file-write-unlink", "/srv/w/a");
	assert_allows("file-write-unlink", SCENE_SOURCE "/a");
}

static void executing_can_be_limited_to_named_paths_the_view_included(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_EXECUTE, "/usr/bin");
	scene_path(scene, PINFOLD_PATH_EXECUTE, SCENE_SOURCE "/bin");
	scene_lower(scene);
	assert_allows("process-exec", "/usr/bin/cc");
	assert_allows("process-exec", SCENE_SOURCE "/bin/a");
	assert_refuses("process-exec", SCENE_SOURCE "/a");
	assert_refuses("process-exec", SCENE_TEMPORARY "/a");
	assert_refuses("process-exec", "/bin/sh");
}

static void what_is_protected_cannot_be_written_although_it_is_allowed(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/w");
	scene_path(scene, PINFOLD_PATH_PROTECT, "/srv/w/hooks");
	struct pinfold_path *missing = scene_path(scene, PINFOLD_PATH_PROTECT, "/srv/w/.profile");
	missing->inode = 0;
	missing->mode = 0;
	scene_lower(scene);
	assert_refuses("file-write-create", "/srv/w/hooks/a");
	assert_refuses("file-write-unlink", "/srv/w/hooks");
	assert_allows("file-read-data", "/srv/w/hooks/a");
	assert_refuses("file-write-create", "/srv/w/.profile");
	assert_refuses("file-write-create", "/srv/w/.PROFILE");
	assert_allows("file-write-create", "/srv/w/profile");
	assert_allows("file-write-create", "/srv/w/x.profile");
}

static void a_hard_refusal_comes_after_every_allowance(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/keys")->hard = 1;
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/srv/**/.env")->hard = 1;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/keys/open");
	scene_pattern(scene, PINFOLD_PATH_WRITE, "/srv/keys/*");
	scene_lower(scene);
	assert_refuses("file-read-data", "/srv/keys/open/a");
	assert_refuses("file-write-data", "/srv/keys/x");
	const char *last_allow = NULL, *at = scene->profile.text;
	while ((at = strstr(at, "(allow file-")))
		last_allow = at++;
	assert_non_null(last_allow);
	assert_non_null(strstr(last_allow, "(deny file-read* file-write*"));
}

static void a_pattern_holds_for_what_is_made_later_in_any_case_of_letters(void **state)
{
	struct test_scene *scene = *state;
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/u/**/.env");
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/?/key-*");
	scene_lower(scene);
	assert_refuses("file-read-data", "/Users/u/.env");
	assert_refuses("file-read-data", "/Users/u/a/b/.env");
	assert_refuses("file-read-data", "/Users/u/a/b/.ENV");
	assert_refuses("file-read-data", "/Users/u/a/.env/below");
	assert_allows("file-read-data", "/Users/u/a/b/xenv");
	assert_allows("file-read-data", "/Users/u/a/b/.envy");
	assert_refuses("file-read-data", "/Users/v/key-1");
	assert_allows("file-read-data", "/Users/v/a/key-1");
	assert_allows("file-read-data", "/Users/vv/key-1");
}

/* The file system takes the Kelvin sign for a k and the long s for an s. */
static void a_refused_name_holds_in_the_third_case_of_its_letters(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/open");
	scene_pattern(scene, PINFOLD_PATH_PROTECT, "/srv/**/.git/hooks");
	scene_path(scene, PINFOLD_PATH_PROTECT, "/srv/open/SKsk")->inode = 0;
	scene_lower(scene);
	assert_refuses("file-write-create", "/srv/open/.git/hoo\xe2\x84\xaas");
	assert_refuses("file-write-create", "/srv/open/.git/HOOK\xc5\xbf/post-commit");
	assert_refuses("file-write-create", "/srv/open/\xc5\xbf\xe2\x84\xaa" "Sk");
	assert_refuses("file-write-create", "/srv/open/sksk");
	assert_allows("file-write-create", "/srv/open/.git/hoo\xe2\x84\xab");
	assert_allows("file-write-create", "/srv/open/sks");
}

/* No byte of a name has a meaning, in a path, a pattern, or where it is missing; none comes into the text. */
static void any_byte_in_a_name_is_itself_and_none_comes_into_the_text(void **state)
{
	struct test_scene *scene = *state;
	for (int byte = 1; byte < 256; byte++) {
		char path[64], other[64], pattern[64], missing[64];
		if (byte == '/')
			continue;
		snprintf(path, sizeof(path), "/srv/p%c%cq", byte, byte);
		snprintf(other, sizeof(other), "/srv/p%c%cq", byte == 1 ? 2 : byte - 1 == '/' ? 1 : byte - 1, byte);
		snprintf(pattern, sizeof(pattern), "/mnt/p%cq", byte);
		snprintf(missing, sizeof(missing), "/opt/p%cq", byte);
		scene->policy.path_count = scene->policy.pattern_count = 0;
		scene_path(scene, PINFOLD_PATH_HIDE, path);
		scene_path(scene, PINFOLD_PATH_WRITE, "/opt");
		scene_path(scene, PINFOLD_PATH_PROTECT, missing)->inode = 0;
		scene_pattern(scene, PINFOLD_PATH_HIDE, pattern);
		scene_lower(scene);
		for (const char *at = scene->profile.text; *at; at++)
			assert_true(*at == '\n' || (*at >= ' ' && *at <= '~'));
		assert_refuses("file-read-data", path);
		assert_allows("file-read-data", other);
		assert_refuses("file-read-data", pattern);
		assert_refuses("file-write-create", missing);
		if (!strchr("*?qQ", byte))
			assert_allows("file-read-data", "/mnt/pqq");
		scene_forget(scene);
	}
}

static void a_pattern_of_the_tree_holds_in_its_copy(void **state)
{
	struct test_scene *scene = *state;
	scene->shown.source = "/var/copies/1";
	scene->policy.scratch = "/var/copies";
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/u/**/.env");
	scene_pattern(scene, PINFOLD_PATH_PROTECT, "/Users/*/tree/*/hooks");
	scene_lower(scene);
	assert_refuses("file-read-data", "/var/copies/1/.env");
	assert_refuses("file-read-data", "/var/copies/1/a/.env");
	assert_refuses("file-write-create", "/var/copies/1/a/hooks/x");
	assert_allows("file-write-create", "/var/copies/1/hooks");
	assert_allows("file-write-create", "/var/copies/1/a/b/hooks");
}

static void signs_of_expressions_and_of_the_language_mean_themselves(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/a\") (allow default) (x \"");
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/srv/(a|b).[x]^$+{2}\\*");
	scene_path(scene, PINFOLD_PATH_PROTECT, SCENE_SOURCE "/a.b*c")->inode = 0;
	scene_lower(scene);
	assert_null(strstr(scene->profile.text, "allow default"));
	assert_refuses("file-read-data", "/srv/a\") (allow default) (x \"");
	assert_refuses("file-read-data", "/srv/(a|b).[x]^$+{2}\\tail");
	assert_allows("file-read-data", "/srv/a");
	assert_refuses("file-write-create", SCENE_SOURCE "/a.b*c");
	assert_allows("file-write-create", SCENE_SOURCE "/axbc");
	assert_allows("file-write-create", SCENE_SOURCE "/a.bbbc");
}

static bool reaches(const struct test_scene *scene, const char *operation, const char *protocol, const char *address)
{
	bool out = streq(operation, "network-outbound");
	return sbpl_ask(scene->sbpl, &(struct sbpl_question){
		.operation = operation, .protocol = protocol, .remote = out ? address : NULL,
		.local = out ? NULL : address }).allowed;
}

static void each_mode_of_the_network_reaches_what_it_names(void **state)
{
	struct test_scene *scene = *state;
	static const uint16_t connect[] = { 443, 80 }, listen[] = { 8080 };
	static const struct {
		uint32_t mode;
		bool far, near, port, listens, gap;
	} rows[] = {
		{ PINFOLD_NETWORK_NONE, false, false, false, false, false },
		{ PINFOLD_NETWORK_LOOPBACK, false, true, false, false, true },
		{ PINFOLD_NETWORK_HOST, true, true, true, true, false },
		{ PINFOLD_NETWORK_PORTS, false, false, true, true, false },
	};
	scene->policy.connect_ports = connect;
	scene->policy.listen_ports = listen;
	scene->policy.connect_count = 2;
	scene->policy.listen_count = 1;
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		scene->policy.network = rows[i].mode;
		scene_lower(scene);
		assert_int_equal(reaches(scene, "network-outbound", "tcp", "example.org:22"), rows[i].far);
		assert_int_equal(reaches(scene, "network-outbound", "udp", "example.org:443"), rows[i].far);
		assert_int_equal(reaches(scene, "network-outbound", "udp", "localhost:53"), rows[i].near);
		assert_int_equal(reaches(scene, "network-outbound", "tcp", "example.org:443"), rows[i].port);
		assert_int_equal(reaches(scene, "network-inbound", "tcp", "example.org:8080"), rows[i].listens);
		assert_int_equal(reaches(scene, "network-bind", "tcp", "example.org:22"), rows[i].far);
		assert_int_equal(scene->gaps.count, rows[i].gap);
		assert_refuses("network-outbound", "/private/var/run/docker.sock");
		scene_forget(scene);
	}
}

static void unix_sockets_are_those_that_are_named_and_the_commands_own(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_SOCKET, "/srv/sockets");
	scene_lower(scene);
	assert_allows("network-outbound", "/srv/sockets/a");
	assert_allows("network-outbound", SCENE_TEMPORARY "/a");
	assert_allows("network-bind", SCENE_TEMPORARY "/a");
	assert_allows("network-outbound", SCENE_SOURCE "/a");
	assert_refuses("network-outbound", "/private/var/run/docker.sock");
	assert_refuses("network-outbound", SCENE_TREE "/a");
	scene_forget(scene);
	scene->shown.source = SCENE_TREE;
	scene_lower(scene);
	assert_refuses("network-outbound", SCENE_TREE "/somebody-elses");
}

static bool looks_up(const struct test_scene *scene, const char *name)
{
	return sbpl_ask(scene->sbpl, &(struct sbpl_question){ .operation = "mach-lookup", .name = name }).allowed;
}

static void services_that_keep_secrets_or_start_programs_are_not_reached(void **state)
{
	static const char *const refused[] = {
		"com.apple.SecurityServer", "com.apple.securityd.xpc", "com.apple.pasteboard.1",
		"com.apple.coreservices.launchservicesd", "com.apple.lsd.open", "com.apple.coreservices.appleevents",
		"com.apple.tccd", "com.apple.trustd", "com.apple.xpc.smd", "com.apple.windowserver.active",
	};
	struct test_scene *scene = *state;
	scene_lower(scene);
	for (size_t i = 0; i < N_ELEMENTS(refused); i++)
		assert_false(looks_up(scene, refused[i]));
	assert_true(looks_up(scene, "com.apple.system.opendirectoryd.libinfo"));
}

static void a_run_may_ask_for_its_own_mark_and_for_no_other(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	assert_true(looks_up(scene, SCENE_MARK));
	assert_false(looks_up(scene, SCENE_OTHER_MARK));
}

static void signals_reach_processes_of_the_same_sandbox_only(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	struct sbpl_question question = { .operation = "signal" };
	assert_true(sbpl_ask(scene->sbpl, &question).allowed);
	question.outside = true;
	assert_false(sbpl_ask(scene->sbpl, &question).allowed);
	question.operation = "process-info-pidinfo";
	assert_false(sbpl_ask(scene->sbpl, &question).allowed);
}

static void a_grant_is_a_token_and_nothing_else_allows_its_path(void **state)
{
	struct test_scene *scene = *state;
	struct pinfold_grant grants[] = {
		{ .size = sizeof(grants[0]), .kind = PINFOLD_GRANT_WRITE, .name = "out", .path = "/srv/out" },
		{ .size = sizeof(grants[0]), .kind = PINFOLD_GRANT_READ, .name = "in" },
	};
	scene->policy.grants = grants;
	scene->policy.grant_count = 2;
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/out");
	scene_lower(scene);
	assert_refuses("file-write-create", "/srv/out/a");
	scene_forget(scene);
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/out/keys");
	scene_lower(scene);
	assert_refuses("file-write-create", "/srv/out/a");
	const char *const consumed[] = { "pinfold.grant.out", "/srv/out", NULL };
	struct sbpl_question question = { .operation = "file-write-create", .path = "/srv/out/a",
					  .extensions = consumed };
	assert_true(sbpl_ask(scene->sbpl, &question).allowed);
	question.path = "/srv/out/keys/a";
	assert_false(sbpl_ask(scene->sbpl, &question).allowed);
	question.path = "/srv/other";
	assert_false(sbpl_ask(scene->sbpl, &question).allowed);
}

static void an_inherited_terminal_can_be_read_and_written_but_not_changed(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	assert_refuses("file-write-data", "/dev/tty");
	scene_forget(scene);
	scene->policy.terminal = 1;
	scene_lower(scene);
	assert_allows("file-read-data", "/dev/tty");
	assert_allows("file-write-data", "/dev/ttys001");
	assert_refuses("file-ioctl", "/dev/ttys001");
	assert_int_equal(scene->gaps.count, 0);
	scene_forget(scene);
	scene->scene.control = true;
	scene_lower(scene);
	assert_allows("file-ioctl", "/dev/ttys001");
	assert_string_equal(scene->gaps.rows[0].name, "terminal");
}

static void a_terminal_of_the_commands_own_is_allowed_by_its_token(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	const char *const consumed[] = { "com.apple.sandbox.pty", "/dev/ttys004", NULL };
	struct sbpl_question question = { .operation = "file-ioctl", .path = "/dev/ttys004", .extensions = consumed };
	assert_true(sbpl_ask(scene->sbpl, &question).allowed);
	question.path = "/dev/ttys001";
	assert_false(sbpl_ask(scene->sbpl, &question).allowed);
}

static bool asks(const struct test_scene *scene, const char *operation)
{
	return sbpl_ask(scene->sbpl, &(struct sbpl_question){ .operation = operation }).allowed;
}

static void classes_of_calls_are_operations_or_gaps(void **state)
{
	struct test_scene *scene = *state;
	scene_lower(scene);
	assert_true(asks(scene, "ipc-posix-sem"));
	assert_false(asks(scene, "ipc-sysv-shm"));
	assert_false(asks(scene, "mach-priv-task-port"));
	scene_forget(scene);
	scene->policy.calls_allowed = 1u << PINFOLD_CALL_IPC | 1u << PINFOLD_CALL_DEBUG;
	scene_lower(scene);
	assert_true(asks(scene, "ipc-sysv-shm"));
	assert_true(asks(scene, "mach-priv-task-port"));
	scene_forget(scene);
	scene->policy.calls_refused = 1u << PINFOLD_CALL_IPC | 1u << PINFOLD_CALL_FOREIGN;
	scene_lower(scene);
	assert_false(asks(scene, "ipc-posix-sem"));
	assert_false(asks(scene, "ipc-sysv-shm"));
	assert_int_equal(scene->gaps.count, 1);
	assert_string_equal(scene->gaps.rows[0].name, "kernel:foreign");
}

static void the_scope_of_the_machine_is_a_gap(void **state)
{
	struct test_scene *scene = *state;
	scene->policy.machine = 1;
	scene_lower(scene);
	assert_int_equal(scene->gaps.count, 1);
	assert_string_equal(scene->gaps.rows[0].name, "writes");
	assert_refuses("file-write-data", "/etc/hosts");
}

static void a_denial_names_its_kind_where_denials_are_reported_and_only_there(void **state)
{
	struct test_scene *scene = *state;
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/hidden");
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/hard")->hard = 1;
	scene_path(scene, PINFOLD_PATH_PROTECT, "/srv/protected");
	scene_lower(scene);
	assert_null(strstr(scene->profile.text, "message"));
	scene_forget(scene);
	scene->scene.reports = true;
	scene_lower(scene);
	static const struct {
		const char *operation, *path, *message;
	} rows[] = {
		{ "file-read-data", "/srv/hidden", "m:hidden" }, { "file-read-data", "/srv/hard/a", "m:hard" },
		{ "file-write-data", "/srv/protected", "m:protected" }, { "file-write-data", "/etc/a", "m:default" },
		{ "file-write-data", SCENE_TREE "/a", "m:tree" },
		{ "file-read-data", SCENE_SCRATCH "/a", "m:scratch" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct sbpl_answer answer = sbpl_ask(scene->sbpl, &(struct sbpl_question){
			.operation = rows[i].operation, .path = rows[i].path });
		assert_false(answer.allowed);
		assert_non_null(answer.message);
		assert_string_equal(answer.message, rows[i].message);
	}
}

static void rules_are_counted_as_a_compiler_counts_them(void **state)
{
	struct test_scene *scene = *state;
	scene->policy.network = PINFOLD_NETWORK_HOST;
	scene->policy.terminal = 1;
	scene_path(scene, PINFOLD_PATH_READ, "/opt/a/b");
	scene_path(scene, PINFOLD_PATH_HIDE, SCENE_SOURCE "/a/b");
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/u/**/.env");
	scene->policy.calls_allowed = 1u << PINFOLD_CALL_DEBUG;
	scene_lower(scene);
	assert_int_equal(scene->profile.rules, sbpl_rules(scene->sbpl));
}

static void a_pattern_of_very_many_parts_is_refused_by_name(void **state)
{
	struct test_scene *scene = *state;
	struct pinfold_error err = { 0 };
	char pattern[256] = "";
	for (int i = 0; i < 70; i++)
		strcat(pattern, "/a");
	scene_pattern(scene, PINFOLD_PATH_HIDE, pattern);
	assert_int_equal(lower(&scene->host.table, &scene->scene, &scene->profile, &scene->gaps, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	assert_string_equal(err.subject, pattern);
}

static int left;
static void *(*real_allocate)(const struct pinfold_host *, size_t);
static const char *(*real_print)(const struct pinfold_host *, const char *, ...);

static void *scarce(const struct pinfold_host *host, size_t bytes)
{
	return left-- > 0 ? real_allocate(host, bytes) : NULL;
}

__attribute__((format(printf, 2, 3)))
static const char *scarce_print(const struct pinfold_host *host, const char *format, ...)
{
	char text[512];
	va_list list;
	if (left-- <= 0)
		return NULL;
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return real_print(host, "%s", text);
}

static void without_memory_nothing_is_lowered(void **state)
{
	struct test_scene *scene = *state;
	struct pinfold_error err = { 0 };
	static const uint16_t port = 443;
	scene_path(scene, PINFOLD_PATH_READ, "/opt/a");
	scene_path(scene, PINFOLD_PATH_PROTECT, SCENE_TREE "/a/b")->inode = 0;
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/u/**/.env");
	scene_pattern(scene, PINFOLD_PATH_READ, "/Users/u/*/x");
	scene->policy.network = PINFOLD_NETWORK_PORTS;
	scene->policy.connect_ports = &port;
	scene->policy.connect_count = 1;
	struct pinfold_grant grant = { .size = sizeof(grant), .name = "g" };
	scene->policy.grants = &grant;
	scene->policy.grant_count = 1;
	real_allocate = scene->host.table.allocate;
	real_print = scene->host.table.print;
	scene->host.table.allocate = scarce;
	scene->host.table.print = scarce_print;
	int enough = 0, result = -1;
	for (; result < 0 && enough < 500; enough++) {
		left = enough;
		result = lower(&scene->host.table, &scene->scene, &scene->profile, &scene->gaps, &err);
		if (result < 0)
			assert_int_equal(err.code, PINFOLD_E_NO_MEMORY);
	}
	assert_int_equal(result, 0);
	assert_true(enough > 40);
}

static void golden(struct test_scene *scene, const char *name)
{
	char path[512], *kept = NULL;
	size_t bytes = 0;
	FILE *text = open_memstream(&kept, &bytes);
	scene_lower(scene);
	fputs(scene->profile.text, text);
	for (size_t i = 0; i < scene->profile.parameter_count; i++)
		fprintf(text, "; %s = %s\n", scene->profile.parameters[i].name, scene->profile.parameters[i].value);
	fclose(text);
	snprintf(path, sizeof(path), "%s/tests/golden/%s.sb", TEST_SOURCE, name);
	FILE *file = fopen(path, getenv("PINFOLD_TEST_RENEW_GOLDEN") ? "w+" : "r");
	assert_non_null(file);
	if (getenv("PINFOLD_TEST_RENEW_GOLDEN")) {
		fputs(kept, file);
		rewind(file);
	}
	char *expected = calloc(1, bytes + 2);
	size_t got = fread(expected, 1, bytes + 1, file);
	fclose(file);
	if (got != bytes || memcmp(expected, kept, bytes) != 0)
		fail_msg("%s is not what is written now (PINFOLD_TEST_RENEW_GOLDEN=1 renews it):\n%s", path, kept);
	free(expected);
	free(kept);
}

static void the_profile_of_a_policy_of_nothing_is_the_one_that_was_read(void **state)
{
	golden(*state, "seatbelt-nothing");
}

static void the_profile_of_a_policy_of_everything_is_the_one_that_was_read(void **state)
{
	struct test_scene *scene = *state;
	static const uint16_t connect[] = { 443 }, listen[] = { 8080 };
	static const struct pinfold_link links[] = { { sizeof(links[0]), 0, "/opt/link", "/opt/sdk" } };
	static const struct pinfold_grant grants[] = {
		{ .size = sizeof(grants[0]), .kind = PINFOLD_GRANT_WRITE, .name = "out" } };
	scene->policy.network = PINFOLD_NETWORK_PORTS;
	scene->policy.connect_ports = connect;
	scene->policy.listen_ports = listen;
	scene->policy.connect_count = scene->policy.listen_count = 1;
	scene->policy.links = links;
	scene->policy.link_count = 1;
	scene->policy.grants = grants;
	scene->policy.grant_count = 1;
	scene->policy.terminal = 1;
	scene->scene.reports = true;
	scene_path(scene, PINFOLD_PATH_READ, "/opt/sdk");
	scene_path(scene, PINFOLD_PATH_WRITE, "/srv/w");
	scene_path(scene, PINFOLD_PATH_EXECUTE, "/usr/bin");
	scene_path(scene, PINFOLD_PATH_LAYER, "/Users/u/.cache");
	scene_path(scene, PINFOLD_PATH_SOCKET, "/srv/socket")->match = PINFOLD_MATCH_LITERAL;
	scene_path(scene, PINFOLD_PATH_HIDE, "/srv/w/keys");
	scene_path(scene, PINFOLD_PATH_HIDE, "/Users/u/.ssh")->hard = 1;
	scene_path(scene, PINFOLD_PATH_PROTECT, SCENE_SOURCE "/.git/hooks");
	scene_pattern(scene, PINFOLD_PATH_HIDE, "/Users/u/**/.env")->hard = 1;
	golden(scene, "seatbelt-everything");
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(only_the_copy_and_the_temporary_directory_can_be_written),
		SCENE_TEST(copies_of_others_are_out_of_sight),
		SCENE_TEST(a_hidden_path_is_kept_from_everything_also_below_what_is_allowed),
		SCENE_TEST(a_directory_above_a_refused_path_cannot_be_renamed_away),
		SCENE_TEST(the_tree_and_its_copy_hide_the_same),
		SCENE_TEST(a_literal_path_is_itself_and_nothing_below),
		SCENE_TEST(reading_can_be_limited_to_named_paths),
		SCENE_TEST(a_writable_path_itself_cannot_be_replaced),
		SCENE_TEST(executing_can_be_limited_to_named_paths_the_view_included),
		SCENE_TEST(what_is_protected_cannot_be_written_although_it_is_allowed),
		SCENE_TEST(a_hard_refusal_comes_after_every_allowance),
		SCENE_TEST(a_pattern_holds_for_what_is_made_later_in_any_case_of_letters),
		SCENE_TEST(a_refused_name_holds_in_the_third_case_of_its_letters),
		SCENE_TEST(any_byte_in_a_name_is_itself_and_none_comes_into_the_text),
		SCENE_TEST(a_pattern_of_the_tree_holds_in_its_copy),
		SCENE_TEST(signs_of_expressions_and_of_the_language_mean_themselves),
		SCENE_TEST(each_mode_of_the_network_reaches_what_it_names),
		SCENE_TEST(unix_sockets_are_those_that_are_named_and_the_commands_own),
		SCENE_TEST(services_that_keep_secrets_or_start_programs_are_not_reached),
		SCENE_TEST(a_run_may_ask_for_its_own_mark_and_for_no_other),
		SCENE_TEST(signals_reach_processes_of_the_same_sandbox_only),
		SCENE_TEST(a_grant_is_a_token_and_nothing_else_allows_its_path),
		SCENE_TEST(an_inherited_terminal_can_be_read_and_written_but_not_changed),
		SCENE_TEST(a_terminal_of_the_commands_own_is_allowed_by_its_token),
		SCENE_TEST(classes_of_calls_are_operations_or_gaps),
		SCENE_TEST(the_scope_of_the_machine_is_a_gap),
		SCENE_TEST(a_denial_names_its_kind_where_denials_are_reported_and_only_there),
		SCENE_TEST(rules_are_counted_as_a_compiler_counts_them),
		SCENE_TEST(a_pattern_of_very_many_parts_is_refused_by_name),
		SCENE_TEST(without_memory_nothing_is_lowered),
		SCENE_TEST(the_profile_of_a_policy_of_nothing_is_the_one_that_was_read),
		SCENE_TEST(the_profile_of_a_policy_of_everything_is_the_one_that_was_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
