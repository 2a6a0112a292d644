/* tests/policy_constructs.c - what of a policy is no path, and paths that are more than one: as settings make them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "policy/policy.h"
#include "policy_configured.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char root[64];
static struct policy_caller caller = { .home = NULL, .tree = "/nonexistent/tree", .user = 4711 };

static int open_place(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/policy-constructs-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int close_place(void **state)
{
	char line[128];
	(void)state;
	snprintf(line, sizeof(line), "rm -r '%s'", root);
	return system(line);
}

static void make(const char *name, bool directory)
{
	char path[400];
	snprintf(path, sizeof(path), "%s/%s", root, name);
	if (directory) {
		assert_int_equal(mkdir(path, 0755), 0);
		return;
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	close(fd);
}

static int build(const char *const *settings, struct policy **ret_policy, struct pinfold_error *err)
{
	struct config *config = configured(settings);
	*err = (struct pinfold_error){ 0 };
	caller.user = geteuid();
	int result = policy_build(config, &caller, ret_policy, err);
	config_free(config);
	return result;
}

static struct policy *built(const char *const *settings)
{
	struct policy *policy = NULL;
	struct pinfold_error err;
	if (build(settings, &policy, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	return policy;
}

static void refused(const char *const *settings, const char *why)
{
	struct policy *policy = NULL;
	struct pinfold_error err;
	assert_int_equal(build(settings, &policy, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	if (!strstr(err.subject, why))
		fail_msg("\"%s\" does not say \"%s\"", err.subject, why);
	assert_true(err.action[0] && err.recovery[0]);
}

static const char *setting(const char *key, const char *rest)
{
	static char rooms[8][200];
	static unsigned turn;
	char *room = rooms[turn++ % 8];
	size_t marks = strspn(rest, "-=");
	snprintf(room, sizeof(rooms[0]), "%s=%.*s%s/%s", key, (int)marks, rest, root, rest + marks);
	return room;
}

static size_t count(const struct policy *policy, uint32_t kind)
{
	size_t found = 0;
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		found += policy->lowered.paths[i].kind == kind && starts_with(policy->lowered.paths[i].path, root);
	return found;
}

static void ports_are_single_ones_and_ranges(void **state)
{
	(void)state;
	struct policy *policy = built(LIST("network.mode=ports", "network.connect=443, 8000-8002", "network.listen=9"));
	assert_int_equal(policy->lowered.network, PINFOLD_NETWORK_PORTS);
	assert_int_equal(policy->lowered.connect_count, 4);
	assert_int_equal(policy->lowered.connect_ports[3], 8002);
	assert_int_equal(policy->lowered.listen_count, 1);
	policy_free(policy);
	refused(LIST("network.mode=ports"), "neither connect nor listen");
	refused(LIST("network.mode=ports", "network.connect=1-60000"), "more than");
}

static void a_class_of_calls_that_is_refused_is_not_allowed_whoever_allows_it(void **state)
{
	(void)state;
	struct policy *policy = built(LIST("kernel.allow=debug, keyring", "kernel.refuse=debug"));
	assert_int_equal(policy->lowered.calls_allowed, UINT64_C(1) << PINFOLD_CALL_KEYRING);
	assert_int_equal(policy->lowered.calls_refused, UINT64_C(1) << PINFOLD_CALL_DEBUG);
	policy_free(policy);
}

static void a_bound_that_names_nothing_is_refused_and_does_not_open_everything(void **state)
{
	(void)state;
	refused(LIST("filesystem.readable="), "readable");
	refused(LIST("filesystem.executable=-/no/such/place"), "executable");
	refused(LIST("filesystem.readable=/no/such/place"), "/no/such/place");
	struct policy *policy = built(LIST("filesystem.readable=/", "filesystem.readable=/usr"));
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		assert_int_not_equal(policy->lowered.paths[i].kind, PINFOLD_PATH_READ);
	policy_free(policy);
}

static void a_pattern_is_all_that_matches_and_is_handed_on(void **state)
{
	(void)state;
	make("a", true);
	make("a/b", true);
	make("a/x.key", false);
	make("a/b/y.key", false);
	make("a/b/z", false);
	struct policy *policy = built(LIST(setting("filesystem.hidden", "**/*.key")));
	assert_int_equal(count(policy, PINFOLD_PATH_HIDE), 2);
	assert_int_equal(policy->lowered.pattern_count, 1);
	policy_free(policy);
	policy = built(LIST(setting("filesystem.hidden", "?/*/[z]"), setting("filesystem.hidden", "?/*/z")));
	assert_int_equal(count(policy, PINFOLD_PATH_HIDE), 1);
	policy_free(policy);
	refused(LIST(setting("filesystem.writable", "*/none*")), "none");
}

static void a_pattern_that_leads_too_deep_is_refused_by_name(void **state)
{
	char name[300] = "d";
	(void)state;
	for (size_t depth = 0; depth < 70; depth++) {
		make(name, true);
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "/d");
	}
	refused(LIST(setting("filesystem.hidden", "**/none")), "/**/none");
}

static void what_could_never_hold_is_refused_by_name(void **state)
{
	(void)state;
	make("a", true);
	make("a/in", true);
	static const struct { const char *one, *other, *why; } rows[] = {
		{ "filesystem.readable a/in", "filesystem.hidden a", "hidden" },
		{ "filesystem.writable a/in", "filesystem.protected a", "protected" },
		{ "filesystem.writable a/in", "hard.hidden a", "no allowance beats" },
		{ "filesystem.writable =a", "filesystem.hidden -none", "only what lies in it" },
		{ "filesystem.executable =a", "filesystem.hidden -none", "only what lies in it" },
		{ "network.sockets a/in", "hard.hidden a", "no allowance beats" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		char keys[2][64];
		const char *const texts[] = { rows[i].one, rows[i].other };
		const char *settings[3] = { NULL };
		for (size_t k = 0; k < 2; k++) {
			size_t length = strcspn(texts[k], " ");
			snprintf(keys[k], sizeof(keys[k]), "%.*s", (int)length, texts[k]);
			settings[k] = setting(keys[k], texts[k] + length + 1);
		}
		refused(settings, rows[i].why);
	}
}

static void a_socket_is_opened_as_one_and_as_nothing_else(void **state)
{
	(void)state;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", root);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	make("file", false);
	struct policy *policy = built(LIST(setting("network.sockets", "socket")));
	assert_int_equal(count(policy, PINFOLD_PATH_SOCKET), 1);
	policy_free(policy);
	refused(LIST(setting("network.sockets", "file")), "neither a socket");
	refused(LIST(setting("filesystem.writable", "socket")), "unix socket");
	refused(LIST(setting("filesystem.readable", "socket")), "unix socket");
	close(fd);
}

static void what_is_protected_and_missing_is_kept_where_it_could_be_made(void **state)
{
	(void)state;
	make("a", true);
	struct policy *policy = built(LIST(setting("filesystem.writable", "a"),
					   setting("filesystem.protected", "a/none/deep"),
					   setting("filesystem.protected", "elsewhere")));
	assert_int_equal(count(policy, PINFOLD_PATH_PROTECT), 1);
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		if (policy->lowered.paths[i].kind == PINFOLD_PATH_PROTECT)
			assert_int_equal(policy->lowered.paths[i].inode, 0);
	policy_free(policy);
}

static void a_grant_has_a_kind_and_may_be_bound(void **state)
{
	(void)state;
	char path[128];
	make("a", true);
	snprintf(path, sizeof(path), "grant:work.path=%s/a", root);
	struct policy *policy = built(LIST("grant:work.kind=write", path, "grant:tmp.kind=temporary"));
	assert_int_equal(policy->lowered.grant_count, 2);
	assert_string_equal(policy->lowered.grants[0].name, "work");
	assert_int_equal(policy->lowered.grants[0].kind, PINFOLD_GRANT_WRITE);
	assert_int_equal(count(policy, PINFOLD_PATH_WRITE), 1);
	assert_null(policy->lowered.grants[1].path);
	policy_free(policy);
	refused(LIST("grant:work.path=/no/such/place"), "does not exist");
}

#define IN_PLACE(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(ports_are_single_ones_and_ranges),
		IN_PLACE(a_class_of_calls_that_is_refused_is_not_allowed_whoever_allows_it),
		IN_PLACE(a_bound_that_names_nothing_is_refused_and_does_not_open_everything),
		IN_PLACE(a_pattern_is_all_that_matches_and_is_handed_on),
		IN_PLACE(a_pattern_that_leads_too_deep_is_refused_by_name),
		IN_PLACE(what_could_never_hold_is_refused_by_name),
		IN_PLACE(a_socket_is_opened_as_one_and_as_nothing_else),
		IN_PLACE(what_is_protected_and_missing_is_kept_where_it_could_be_made),
		IN_PLACE(a_grant_has_a_kind_and_may_be_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
