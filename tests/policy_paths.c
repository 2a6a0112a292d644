/* tests/policy_paths.c - named paths: resolved to what the kernel matches, refused where they cannot be. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/path.h"
#include "base/text.h"
#include "policy/homes.h"
#include "policy/policy.h"
#include "policy_configured.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A world of its own: a home, a tree, a scratch root. */
struct world {
	char *root;
	char home[200], tree[200], scratch[200];
	struct policy_caller caller;
};

static char *in(const struct world *world, const char *rest)
{
	static char rooms[16][400];
	static unsigned turn;
	char *room = rooms[turn++ % 16];
	snprintf(room, sizeof(rooms[0]), "%s/%s", world->root, rest);
	return room;
}

static void make_directory(const struct world *world, const char *rest)
{
	char path[400];
	snprintf(path, sizeof(path), "%s", in(world, rest));
	for (char *slash = strchr(path + strlen(world->root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	mkdir(path, 0755);
}

static void make_file(const struct world *world, const char *rest)
{
	char folder[400];
	snprintf(folder, sizeof(folder), "%s", rest);
	*strrchr(folder, '/') = '\0';
	make_directory(world, folder);
	int fd = open(in(world, rest), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static int open_world(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	char template[] = "/tmp/policy-paths-XXXXXX";
	world->root = strdup(mkdtemp(template));
	snprintf(world->home, sizeof(world->home), "%s", in(world, "home"));
	snprintf(world->tree, sizeof(world->tree), "%s", in(world, "home/src/tree"));
	snprintf(world->scratch, sizeof(world->scratch), "%s", in(world, "home/.cache/pinfold"));
	make_directory(world, "home/src/tree");
	make_directory(world, "home/.cache/pinfold");
	world->caller = (struct policy_caller){
		.home = world->home, .tree = world->tree, .scratch = world->scratch, .user = geteuid(),
	};
	*state = world;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static int close_world(void **state)
{
	struct world *world = *state;
	int result = nftw(world->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(world->root);
	free(world);
	return result;
}

static struct policy *built(const struct world *world, const char *const *settings)
{
	struct policy *policy = NULL;
	struct pinfold_error err = { 0 };
	struct config *config = configured(settings);
	int result = policy_build(config, &world->caller, &policy, &err);
	if (result < 0)
		print_error("%s: %s\n", err.action, err.subject);
	assert_int_equal(result, 0);
	config_free(config);
	return policy;
}

static void assert_refused(const struct world *world, const char *const *settings, const char *why)
{
	struct policy *policy = NULL;
	struct pinfold_error err = { 0 };
	struct config *config = configured(settings);
	int result = policy_build(config, &world->caller, &policy, &err);
	if (result == 0)
		print_error("%s was taken\n", settings[0]);
	assert_int_equal(result, -1);
	assert_null(policy);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	if (!strstr(err.subject, why))
		print_error("\"%s\" does not say \"%s\"\n", err.subject, why);
	assert_non_null(strstr(err.subject, why));
	assert_true(err.action[0] && err.recovery[0]);
	config_free(config);
}

static const char *setting(const struct world *world, const char *key, const char *rest)
{
	static char rooms[16][500];
	static unsigned turn;
	char *room = rooms[turn++ % 16];
	bool optional = rest[0] == '-';
	snprintf(room, sizeof(rooms[0]), "filesystem.%s=%s%s/%s", key, optional ? "-" : "",
		 world->root, rest + optional);
	return room;
}

/* Paths outside the test's world (of this machine's homes) do not count. */
static size_t count_in(const struct world *world, const struct policy *policy)
{
	size_t count = 0;
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		count += path_is_within(policy->lowered.paths[i].path, world->root);
	return count;
}

static const struct pinfold_path *find(const struct policy *policy, const char *path)
{
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		if (streq(policy->lowered.paths[i].path, path))
			return &policy->lowered.paths[i];
	return NULL;
}

static void assert_path(const struct policy *policy, const char *path, uint32_t kind)
{
	const struct pinfold_path *found = find(policy, path);
	if (!found)
		print_error("%s is not there\n", path);
	assert_non_null(found);
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(found->kind, kind);
	assert_int_equal(found->device, status.st_dev);
	assert_int_equal(found->inode, status.st_ino);
	assert_int_equal(found->mode, status.st_mode);
	assert_int_equal(found->size, sizeof(*found));
}

static bool any_contains(const struct list *list, const char *a, const char *b)
{
	for (size_t i = 0; i < list->count; i++)
		if (strstr(list->items[i], a) && strstr(list->items[i], b))
			return true;
	return false;
}

static void a_path_is_what_the_kernel_resolves_it_to(void **state)
{
	const struct world *world = *state;
	make_directory(world, "data/ssh");
	make_file(world, "home/plain");
	assert_int_equal(symlink("../data/ssh", in(world, "home/.ssh")), 0);
	assert_int_equal(symlink("src", in(world, "home/link")), 0);
	make_file(world, "home/src/secret");
	struct policy *policy = built(world, LIST(
		setting(world, "hidden", "home/.ssh"), setting(world, "hidden", "home//./plain/"),
		setting(world, "hidden", "home/link/secret")));
	assert_path(policy, in(world, "data/ssh"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "home/plain"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "home/src/secret"), PINFOLD_PATH_HIDE);
	assert_int_equal(count_in(world, policy), 3);
	assert_true(any_contains(&policy->rewritten, "home/.ssh -> ", "data/ssh"));
	assert_true(any_contains(&policy->rewritten, "home/link/secret -> ", "home/src/secret"));
	assert_int_equal(policy->rewritten.count, 2);
	policy_free(policy);
}

static void dots_are_resolved_after_links_as_the_kernel_does(void **state)
{
	const struct world *world = *state;
	make_directory(world, "far/away");
	make_file(world, "far/secret");
	make_file(world, "home/secret");
	assert_int_equal(symlink("../far/away", in(world, "home/link")), 0);
	struct policy *policy = built(world, LIST(setting(world, "hidden", "home/link/../secret")));
	assert_path(policy, in(world, "far/secret"), PINFOLD_PATH_HIDE);
	assert_null(find(policy, in(world, "home/secret")));
	policy_free(policy);
}

static void a_hidden_path_that_is_missing_is_noted_and_dropped(void **state)
{
	const struct world *world = *state;
	make_file(world, "home/file");
	assert_int_equal(symlink("loop", in(world, "home/loop")), 0);
	assert_int_equal(symlink("nowhere", in(world, "home/broken")), 0);
	struct policy *policy = built(world, LIST(
		setting(world, "hidden", "home/absent"), setting(world, "hidden", "home/file/below"),
		setting(world, "hidden", "home/loop"), setting(world, "hidden", "home/broken"),
		setting(world, "hidden", "home/none*")));
	assert_int_equal(count_in(world, policy), 0);
	assert_true(policy->missing.count >= 5);
	assert_true(any_contains(&policy->missing, in(world, "home/absent"), "does not exist"));
	assert_true(any_contains(&policy->missing, in(world, "home/none*"), "does not exist"));
	policy_free(policy);
}

static void what_is_missing_is_not_noted_where_nobody_reads_it(void **state)
{
	struct world *world = *state;
	make_file(world, "home/secret");
	world->caller.unread = true;
	struct policy *policy = built(world, LIST(setting(world, "hidden", "home/absent"),
						  setting(world, "hidden", "home/secret")));
	assert_int_equal(policy->missing.count, 0);
	assert_path(policy, in(world, "home/secret"), PINFOLD_PATH_HIDE);
	policy_free(policy);
}

static void the_same_paths_are_found_whether_or_not_anybody_reads_what_is_missing(void **state)
{
	static const char *const names[] = {
		"home/.secret", "home/.absent", "home/.absent/below", "home/./.secret2", "home//.secret3",
		"home/.absent/../.secret4", "home/dir/../.secret5", "home/.config/tool", "home/.config/absent",
		"home/.config/./other", "home/.SECRET6", "home/.star*", "home/.absent*", "home/dir/star*",
		"home/link/secret7", "home/broken", "home/loop/below", "beside/secret8", "beside/absent",
	};
	static const char *const made[] = {
		"home/.secret", "home/.secret2", "home/.secret3", "home/.secret4", "home/.secret5",
		"home/.secret6", "home/.config/tool", "home/.config/other", "home/.star1", "home/.star2",
		"home/dir/star1", "home/dir/secret7", "beside/secret8",
	};
	struct world *world = *state;
	const char *settings[N_ELEMENTS(names) + 3] = { NULL };
	for (size_t i = 0; i < N_ELEMENTS(made); i++)
		make_file(world, made[i]);
	assert_int_equal(symlink("dir", in(world, "home/link")), 0);
	assert_int_equal(symlink("nowhere", in(world, "home/broken")), 0);
	assert_int_equal(symlink("loop", in(world, "home/loop")), 0);
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		settings[i] = setting(world, "hidden", names[i]);
	char optional[500], *kept[N_ELEMENTS(names)];
	snprintf(optional, sizeof(optional), "filesystem.layered=-%s", in(world, "home/absent"));
	settings[N_ELEMENTS(names)] = optional;
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		settings[i] = kept[i] = strdup(settings[i]);
	struct policy *read = built(world, settings);
	world->caller.unread = true;
	struct policy *unread = built(world, settings);
	assert_true(read->missing.count > 0);
	assert_true(count_in(world, read) >= 10);
	assert_int_equal(read->lowered.path_count, unread->lowered.path_count);
	for (size_t i = 0; i < read->lowered.path_count; i++) {
		assert_string_equal(read->lowered.paths[i].path, unread->lowered.paths[i].path);
		assert_int_equal(read->lowered.paths[i].kind, unread->lowered.paths[i].kind);
		assert_int_equal(read->lowered.paths[i].inode, unread->lowered.paths[i].inode);
	}
	policy_free(read);
	policy_free(unread);
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		free(kept[i]);
}

static void a_writable_or_layered_path_that_is_missing_is_refused_unless_it_is_optional(void **state)
{
	const struct world *world = *state;
	static const char *const keys[] = { "writable", "layered" };
	static const char *const paths[] = { "-home/absent", "-home/file/below", "-home/broken",
					     "-home/loop", "-home/no*" };
	make_file(world, "home/file");
	assert_int_equal(symlink("nowhere", in(world, "home/broken")), 0);
	assert_int_equal(symlink("loop", in(world, "home/loop")), 0);
	for (size_t i = 0; i < N_ELEMENTS(keys) * N_ELEMENTS(paths); i++) {
		const char *key = keys[i % N_ELEMENTS(keys)], *path = paths[i / N_ELEMENTS(keys)];
		assert_refused(world, LIST(setting(world, key, path + 1)), path + 1);
		struct policy *policy = built(world, LIST(setting(world, key, path)));
		assert_int_equal(count_in(world, policy), 0);
		assert_true(any_contains(&policy->missing, in(world, path + 1), "does not exist"));
		policy_free(policy);
	}
}

static void shorter_paths_come_before_longer_ones(void **state)
{
	const struct world *world = *state;
	make_directory(world, "home/a/b/c/d");
	struct policy *policy = built(world, LIST(
		setting(world, "hidden", "home/a/b/c"), setting(world, "writable", "home/a"),
		setting(world, "layered", "home/a/b")));
	size_t longest = 0;
	for (size_t i = 0; i < policy->lowered.path_count; i++) {
		size_t length = strlen(policy->lowered.paths[i].path);
		assert_true(length >= longest);
		longest = length;
	}
	assert_path(policy, in(world, "home/a"), PINFOLD_PATH_WRITE);
	assert_path(policy, in(world, "home/a/b"), PINFOLD_PATH_LAYER);
	assert_path(policy, in(world, "home/a/b/c"), PINFOLD_PATH_HIDE);
	policy_free(policy);
}

static void what_a_path_covers_is_there_once(void **state)
{
	const struct world *world = *state;
	make_directory(world, "home/a/b");
	make_directory(world, "home/w");
	struct policy *policy = built(world, LIST(
		setting(world, "hidden", "home/a"), setting(world, "hidden", "home/a"),
		setting(world, "hidden", "home/a/b"), setting(world, "hidden", "home/a/../a/b"),
		setting(world, "layered", "home/w"), setting(world, "writable", "home/w"),
		setting(world, "layered", "-home/a/b")));
	assert_int_equal(count_in(world, policy), 2);
	assert_path(policy, in(world, "home/a"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "home/w"), PINFOLD_PATH_WRITE);
	policy_free(policy);
}

static void a_name_that_only_begins_alike_is_not_covered(void **state)
{
	const struct world *world = *state;
	make_directory(world, "home/a");
	make_directory(world, "home/ab");
	struct policy *policy = built(world, LIST(setting(world, "hidden", "home/a"),
						  setting(world, "writable", "home/ab")));
	assert_int_equal(count_in(world, policy), 2);
	policy_free(policy);
}

static void what_later_runs_believe_cannot_be_made_writable(void **state)
{
	struct world *world = *state;
	static const char *const variables[] = { "XDG_CONFIG_HOME", "XDG_CACHE_HOME" };
	make_directory(world, "home/place/pinfold/more");
	make_directory(world, "home/place/beside");
	make_directory(world, "home/dotfiles");
	make_directory(world, "home/empty");
	for (size_t i = 0; i < N_ELEMENTS(variables); i++) {
		setenv(variables[i], in(world, "home/place"), 1);
		assert_refused(world, LIST(setting(world, "writable", "home/place")), "later runs believe");
		assert_refused(world, LIST(setting(world, "writable", "home/place/pinfold")), "later runs believe");
		assert_refused(world, LIST(setting(world, "writable", "home/place/pinfold/more")), "later runs believe");
		policy_free(built(world, LIST(setting(world, "writable", "home/place/beside"))));
		setenv(variables[i], in(world, "home/empty"), 1);
		assert_refused(world, LIST(setting(world, "writable", "home/empty")), "later runs believe");
		unlink(in(world, "home/empty/pinfold"));
		assert_int_equal(symlink(in(world, "home/dotfiles"), in(world, "home/empty/pinfold")), 0);
		assert_refused(world, LIST(setting(world, "writable", "home/dotfiles")), "later runs believe");
		unlink(in(world, "home/empty/pinfold"));
		unsetenv(variables[i]);
	}
}

static void a_writable_path_that_would_open_too_much_is_refused_by_name(void **state)
{
	const struct world *world = *state;
	make_directory(world, "home/.ssh/keys");
	make_directory(world, "home/src/tree/sub");
	make_directory(world, "home/.cache/pinfold/sub");
	assert_int_equal(symlink("..", in(world, "home/up")), 0);
	static const struct {
		const char *rest, *why;
	} rows[] = {
		{ "home", "home directory" }, { "home/up", "home directory" }, { "", "home directory" },
		{ "home/src", "working tree" }, { "home/src/tree", "working tree" },
		{ "home/src/tree/sub", "working tree" }, { "home/.cache", "copies" },
		{ "home/.cache/pinfold", "copies" }, { "home/.cache/pinfold/sub", "copies" },
		{ "home/.ssh", "hidden" }, { "home/.ssh/keys", "hidden" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		assert_refused(world, LIST(setting(world, "writable", rows[i].rest),
					   setting(world, "hidden", "home/.ssh")), rows[i].why);
	assert_refused(world, LIST("filesystem.writable=/"), "whole machine");
	assert_refused(world, LIST("filesystem.writable=/../."), "whole machine");
}

static void a_hidden_path_that_holds_what_the_command_needs_is_refused_by_name(void **state)
{
	const struct world *world = *state;
	assert_int_equal(symlink("src", in(world, "home/link")), 0);
	assert_refused(world, LIST("filesystem.hidden=/"), "nothing would be left");
	assert_refused(world, LIST(setting(world, "hidden", "home/src/tree")), "its own directory");
	assert_refused(world, LIST(setting(world, "hidden", "home/link")), "its own directory");
	assert_refused(world, LIST(setting(world, "hidden", "home")), "its own directory");
	assert_refused(world, LIST(setting(world, "hidden", "home/.cache")), "copies");
	struct policy *policy = NULL;
	make_file(world, "home/src/tree/.env");
	policy = built(world, LIST(setting(world, "hidden", "home/src/tree/.env")));
	assert_path(policy, in(world, "home/src/tree/.env"), PINFOLD_PATH_HIDE);
	policy_free(policy);
}

static void a_layer_that_cannot_be_laid_is_refused_or_dropped_when_optional(void **state)
{
	const struct world *world = *state;
	make_file(world, "home/file");
	make_directory(world, "home/.ssh");
	static const struct {
		const char *rest, *optional, *why;
	} rows[] = {
		{ "home/file", "-home/file", "not a directory" },
		{ "home/.ssh", "-home/.ssh", "hidden" },
		{ "home/src/tree", "-home/src/tree", "working tree" },
		{ "home/.cache/pinfold", "-home/.cache/pinfold", "copies" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		const char *hidden = setting(world, "hidden", "home/.ssh");
		assert_refused(world, LIST(setting(world, "layered", rows[i].rest), hidden), rows[i].why);
		struct policy *policy =
			built(world, LIST(setting(world, "layered", rows[i].optional), hidden));
		assert_int_equal(count_in(world, policy), 1);
		policy_free(policy);
	}
	struct policy *policy = built(world, LIST(setting(world, "layered", "home/.cache")));
	assert_path(policy, in(world, "home/.cache"), PINFOLD_PATH_LAYER);
	policy_free(policy);
}

static void a_star_in_the_last_part_names_all_that_match(void **state)
{
	const struct world *world = *state;
	make_file(world, "etc/host_rsa_key");
	make_file(world, "etc/host_ed_key");
	make_file(world, "etc/.dot_key");
	make_file(world, "etc/host_rsa_key.pub");
	struct policy *policy = built(world, LIST(setting(world, "hidden", "etc/*_key")));
	assert_int_equal(count_in(world, policy), 3);
	assert_null(find(policy, in(world, "etc/host_rsa_key.pub")));
	policy_free(policy);
}

static void a_pattern_that_would_not_mean_what_it_seems_to_is_refused(void **state)
{
	const struct world *world = *state;
	assert_refused(world, LIST(setting(world, "hidden", "home/[ab]")), "home/[ab]");
	make_file(world, "home/[ab]");
	struct policy *policy = built(world, LIST(setting(world, "hidden", "home/[ab]")));
	assert_path(policy, in(world, "home/[ab]"), PINFOLD_PATH_HIDE);
	policy_free(policy);
}

static void what_the_environment_puts_elsewhere_is_hidden_there(void **state)
{
	struct world *world = *state;
	static char entries[8][500];
	make_file(world, "conf/gh/hosts.yml");
	make_file(world, "kube/one");
	make_file(world, "kube/two");
	make_file(world, "aws/creds");
	make_directory(world, "cargo/registry");
	make_file(world, "cargo/credentials.toml");
	snprintf(entries[0], 500, "XDG_CONFIG_HOME=%s", in(world, "conf"));
	snprintf(entries[1], 500, "KUBECONFIG=%s:%s:relative", in(world, "kube/one"), in(world, "kube/two"));
	snprintf(entries[2], 500, "AWS_SHARED_CREDENTIALS_FILE=%s", in(world, "aws/creds"));
	snprintf(entries[3], 500, "CARGO_HOME=%s", in(world, "cargo"));
	world->caller.environment = LIST(entries[0], entries[1], entries[2], entries[3],
					 "HISTFILE=/dev/null", "GNUPGHOME=", "GOPATH=/");
	struct policy *policy = built(world, LIST(
		setting(world, "hidden", "home/.config/gh"), setting(world, "hidden", "home/.kube/config"),
		setting(world, "hidden", "home/.aws"), setting(world, "hidden", "home/.bash_history"),
		setting(world, "hidden", "home/.cargo/credentials.toml"),
		setting(world, "hidden", "home/.gnupg"), setting(world, "layered", "-home/.cargo/registry")));
	assert_path(policy, in(world, "conf/gh"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "kube/one"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "kube/two"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "aws/creds"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "cargo/credentials.toml"), PINFOLD_PATH_HIDE);
	assert_path(policy, in(world, "cargo/registry"), PINFOLD_PATH_LAYER);
	assert_int_equal(count_in(world, policy), 6);
	assert_null(find(policy, "/dev/null"));
	policy_free(policy);
}

static struct paths settled(const struct world *world, const struct list *hidden)
{
	struct paths paths = { .arena = arena_new(), .caller = &world->caller };
	struct homes homes = { .parent = world->root, .superuser = "/nonexistent" };
	struct pinfold_error err = { 0 };
	const struct list *const lists[] = { hidden, NULL };
	assert_int_equal(homes_hide(&homes, &paths, lists, &err), 0);
	assert_int_equal(paths_settle(&paths, &err), 0);
	return paths;
}

static void release(struct paths *paths)
{
	arena_free(paths->arena);
	paths_release(paths);
}

static bool hides(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++)
		if (paths->items[i].path.kind == PINFOLD_PATH_HIDE && streq(paths->items[i].path.path, path))
			return true;
	return false;
}

static void the_homes_of_others_are_hidden_and_those_with_the_tree_in_part(void **state)
{
	struct world *world = *state;
	if (geteuid() != 0) {
		print_message("skipped: only root can make homes for others\n");
		skip();
	}
	make_file(world, "other/.ssh/id");
	make_file(world, "holder/.ssh/id");
	make_directory(world, "holder/tree");
	make_file(world, "mine/.ssh/id");
	make_file(world, "file/../notahome");
	assert_int_equal(symlink("other", in(world, "alias")), 0);
	static const char *const foreign[] = { "other", "holder" };
	for (size_t i = 0; i < N_ELEMENTS(foreign); i++)
		assert_int_equal(chown(in(world, foreign[i]), 12345, 12345), 0);
	snprintf(world->tree, sizeof(world->tree), "%s", in(world, "holder/tree"));
	struct list hidden = { 0 };
	list_add(&hidden, in(world, "home/.ssh"));
	struct paths paths = settled(world, &hidden);
	assert_true(hides(&paths, in(world, "other")));
	assert_true(hides(&paths, in(world, "holder/.ssh")));
	assert_true(hides(&paths, in(world, "mine/.ssh")));
	assert_int_equal(paths.count, 3);
	release(&paths);
	list_release(&hidden);
}

static void a_closed_directory_of_the_caller_is_hidden_with_what_is_in_it(void **state)
{
	struct world *world = *state;
	if (geteuid() == 0) {
		print_message("skipped: nothing is closed to root\n");
		skip();
	}
	make_file(world, "home/.aws/credentials");
	assert_int_equal(chmod(in(world, "home/.aws"), 0), 0);
	struct policy *policy = built(world, LIST(setting(world, "hidden", "home/.aws/credentials")));
	assert_int_equal(count_in(world, policy), 1);
	assert_non_null(find(policy, in(world, "home/.aws")));
	policy_free(policy);
	assert_int_equal(chmod(in(world, "home/.aws"), 0700), 0);
}

static void what_the_caller_cannot_read_needs_no_hiding(void **state)
{
	const struct world *world = *state;
	if (geteuid() == 0) {
		print_message("skipped: root reads everything\n");
		skip();
	}
	struct policy *policy = built(world, LIST("filesystem.hidden=/etc/shadow"));
	assert_null(find(policy, "/etc/shadow"));
	assert_true(any_contains(&policy->missing, "/etc/shadow", "cannot read"));
	policy_free(policy);
}

static void the_runtime_directory_is_the_callers_where_it_is_one(void **state)
{
	struct world *world = *state;
	static char entry[500];
	make_directory(world, "run/user");
	assert_int_equal(symlink("run/user", in(world, "runtime")), 0);
	static const struct {
		const char *rest, *expected;
	} rows[] = {
		{ "runtime", "run/user" }, { "run/user", "run/user" }, { "absent", NULL },
		{ "home", NULL }, { "home/src", NULL }, { "", NULL },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		snprintf(entry, sizeof(entry), "XDG_RUNTIME_DIR=%s", in(world, rows[i].rest));
		world->caller.environment = LIST(entry);
		struct policy *policy = built(world, NULL);
		assert_true(!policy->lowered.runtime_dir == !rows[i].expected);
		if (rows[i].expected)
			assert_string_equal(policy->lowered.runtime_dir, in(world, rows[i].expected));
		policy_free(policy);
	}
	world->caller.environment = LIST("XDG_RUNTIME_DIR=run/user");
	struct policy *policy = built(world, NULL);
	assert_null(policy->lowered.runtime_dir);
	policy_free(policy);
}

#define in_a_world(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_a_world(a_path_is_what_the_kernel_resolves_it_to),
		in_a_world(dots_are_resolved_after_links_as_the_kernel_does),
		in_a_world(a_hidden_path_that_is_missing_is_noted_and_dropped),
		in_a_world(what_is_missing_is_not_noted_where_nobody_reads_it),
		in_a_world(the_same_paths_are_found_whether_or_not_anybody_reads_what_is_missing),
		in_a_world(a_writable_or_layered_path_that_is_missing_is_refused_unless_it_is_optional),
		in_a_world(shorter_paths_come_before_longer_ones),
		in_a_world(what_a_path_covers_is_there_once),
		in_a_world(a_name_that_only_begins_alike_is_not_covered),
		in_a_world(a_writable_path_that_would_open_too_much_is_refused_by_name),
		in_a_world(what_later_runs_believe_cannot_be_made_writable),
		in_a_world(a_hidden_path_that_holds_what_the_command_needs_is_refused_by_name),
		in_a_world(a_layer_that_cannot_be_laid_is_refused_or_dropped_when_optional),
		in_a_world(a_star_in_the_last_part_names_all_that_match),
		in_a_world(a_pattern_that_would_not_mean_what_it_seems_to_is_refused),
		in_a_world(what_the_environment_puts_elsewhere_is_hidden_there),
		in_a_world(the_homes_of_others_are_hidden_and_those_with_the_tree_in_part),
		in_a_world(a_closed_directory_of_the_caller_is_hidden_with_what_is_in_it),
		in_a_world(what_the_caller_cannot_read_needs_no_hiding),
		in_a_world(the_runtime_directory_is_the_callers_where_it_is_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
