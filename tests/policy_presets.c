/* tests/policy_presets.c - the presets that are shipped, and what each promises in its first lines. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/environment.h"
#include "policy/policy.h"
#include "policy_configured.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char home[64], tree[128];

/* HOME is what `~` means in a configuration. */
static int make_home(void **state)
{
	(void)state;
	char template[] = "/tmp/policy-presets-XXXXXX";
	snprintf(home, sizeof(home), "%s", mkdtemp(template));
	snprintf(tree, sizeof(tree), "%s/tree", home);
	return setenv("HOME", home, 1) || mkdir(tree, 0755);
}

static int remove_home(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command);
}

static struct policy *built(const char *presets)
{
	struct policy_caller caller = { .home = home, .tree = tree, .user = geteuid() };
	struct policy *policy = NULL;
	struct pinfold_error err = { 0 };
	struct config *config = configured_by_preset(presets);
	if (policy_build(config, &caller, &policy, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	config_free(config);
	return policy;
}

static const struct pinfold_path *covering(const struct policy *policy, const char *path,
					   uint32_t kind)
{
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		if (policy->lowered.paths[i].kind == kind &&
		    path_is_within(path, policy->lowered.paths[i].path))
			return &policy->lowered.paths[i];
	return NULL;
}

static const char *make_file(const char *rest)
{
	static char path[300];
	snprintf(path, sizeof(path), "%s/%s", home, rest);
	for (char *slash = strchr(path + strlen(home) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
	return path;
}

static const char *const credentials[] = {
	".ssh/id_ed25519", ".gnupg/private-keys-v1.d/x.key", ".aws/credentials",
	".azure/accessTokens.json", ".config/gcloud/credentials.db", ".kube/config",
	".docker/config.json", ".config/containers/auth.json", ".netrc", ".npmrc", ".yarnrc",
	".yarnrc.yml", ".pypirc", ".cargo/credentials", ".cargo/credentials.toml",
	".gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml",
	".gradle/gradle.properties", ".config/composer/auth.json", ".config/gh/hosts.yml",
	".config/glab-cli/config.yml", ".config/hub", ".git-credentials",
	".config/git/credentials", ".config/rclone/rclone.conf", ".wrangler/config/default.toml",
	".config/.wrangler/config/default.toml", ".config/stripe/config.toml",
	".config/sops/age/keys.txt", ".cache/huggingface/token",
	".terraform.d/credentials.tfrc.json", ".vault-token", ".config/op/config",
	".mozilla/firefox/x/cookies.sqlite", ".config/chromium/Default/Cookies",
	".config/google-chrome/Default/Cookies", ".config/BraveSoftware/x",
	".config/microsoft-edge/x", "snap/firefox/common/x", ".var/app/org.mozilla.firefox/x",
	".local/share/keyrings/login.keyring", ".local/share/kwalletd/kdewallet.kwl",
	".password-store/x.gpg", ".bash_history", ".zsh_history",
	".local/share/fish/fish_history", ".python_history", ".node_repl_history",
	".psql_history", ".mysql_history", ".sqlite_history", ".lesshst", "Mail/inbox",
	".config/goa-1.0/accounts.conf", ".pki/nssdb/key4.db", ".pgpass",
	".config/dart/pub-tokens.json", ".nimble/github_api_token", ".stack/upload/credentials.json",
	".gradle/develocity/keys.properties", ".gradle/enterprise/keys.properties", ".m2/.develocity/keys.properties",
	".dotnet/corefx/cryptography/x509stores/my/x.pfx", ".microsoft/usersecrets/x/secrets.json",
	".conan2/.conan.db", ".subversion/auth/svn.simple/x", ".julia/logs/repl_history.jl",
};

static void the_default_preset_hides_what_proves_who_somebody_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(credentials); i++)
		make_file(credentials[i]);
	struct policy *policy = built("default");
	for (size_t i = 0; i < N_ELEMENTS(credentials); i++) {
		char path[300];
		snprintf(path, sizeof(path), "%s/%s", home, credentials[i]);
		if (!covering(policy, path, PINFOLD_PATH_HIDE))
			fail_msg("%s is in sight", credentials[i]);
	}
	policy_free(policy);
}

static void the_default_preset_leaves_in_sight_what_builds_read(void **state)
{
	(void)state;
	static const char *const needed[] = {
		".cargo/config.toml", ".cargo/bin/cargo", ".cargo/registry/index/x", ".gitconfig",
		".config/git/config", ".rustup/settings.toml", ".m2/repository/x.jar", ".bashrc",
		".gradle/caches/x", ".npm/_cacache/x", ".cache/pip/x", "go/pkg/mod/x", ".nvm/nvm.sh",
		".local/bin/tool", ".local/share/pnpm/store/x", ".pyenv/bin/pyenv", ".docker/cli-plugins/x",
		".config/pip/pip.conf", ".nuget/NuGet/NuGet.Config", ".profile", "tree/main.c",
	};
	struct policy *policy = NULL;
	for (size_t i = 0; i < N_ELEMENTS(needed); i++)
		make_file(needed[i]);
	policy = built("default");
	for (size_t i = 0; i < N_ELEMENTS(needed); i++) {
		char path[300];
		snprintf(path, sizeof(path), "%s/%s", home, needed[i]);
		if (covering(policy, path, PINFOLD_PATH_HIDE))
			fail_msg("%s is hidden", needed[i]);
	}
	policy_free(policy);
}

/* What tools read that may hold secrets beside their settings. */
static const char *const mixed[] = {
	".gitconfig", ".config/git/config", ".bashrc", ".profile", ".zshrc", ".cargo/config.toml", ".cargo/config",
	".config/go/env", ".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml",
	".config/pypoetry/config.toml", ".condarc", ".config/conda/.condarc", ".bundle/config", ".gemrc",
	".config/composer/config.json", ".composer/config.json", ".nuget/NuGet/NuGet.Config",
	".config/NuGet/NuGet.Config", ".gradle/init.gradle", ".gradle/init.d", ".sbt/1.0/global.sbt",
	".cabal/config", ".config/cabal/config", ".stack/config.yaml", ".conan2/remotes.json",
	".conan/remotes.json", ".bazelrc", ".config/ccache/ccache.conf", ".ccache/ccache.conf",
	".config/sccache/config", ".config/nix/nix.conf", ".Renviron", ".Rprofile", ".curlrc", ".wgetrc",
};

static bool is_mixed(const char *name)
{
	for (size_t i = 0; i < N_ELEMENTS(mixed); i++)
		if (streq(mixed[i], name))
			return true;
	return false;
}

/* Counts the names in the lines ".It Pa" of the manual's list. */
static void read_manual(size_t *ret_count)
{
	char line[400];
	FILE *page = fopen(TEST_SOURCE "/conf/pinfold-presets.5", "re");
	bool within = false;
	assert_non_null(page);
	*ret_count = 0;
	while (fgets(line, sizeof(line), page)) {
		within = within || starts_with(line, ".Sh CAVEATS");
		if (!within || !starts_with(line, ".It Pa "))
			continue;
		char *rest = line + strlen(".It Pa ");
		for (char *word; (word = strtok_r(rest, " ,\n", &rest)); ++*ret_count)
			if (!starts_with(word, "~/") || !is_mixed(word + 2))
				fail_msg("the manual names %s", word);
	}
	fclose(page);
}

static void what_is_in_sight_and_may_hold_secrets_is_what_the_manual_names(void **state)
{
	(void)state;
	size_t count;
	for (size_t i = 0; i < N_ELEMENTS(mixed); i++)
		make_file(mixed[i]);
	struct policy *policy = built("default");
	for (size_t i = 0; i < N_ELEMENTS(mixed); i++) {
		char path[300];
		snprintf(path, sizeof(path), "%s/%s", home, mixed[i]);
		if (covering(policy, path, PINFOLD_PATH_HIDE))
			fail_msg("%s is hidden", mixed[i]);
	}
	policy_free(policy);
	read_manual(&count);
	assert_int_equal(count, N_ELEMENTS(mixed));
}

static void the_default_preset_lays_layers_over_caches_that_exist(void **state)
{
	(void)state;
	struct policy *policy = built("default");
	for (size_t i = 0; i < policy->lowered.path_count; i++)
		if (path_is_within(policy->lowered.paths[i].path, home))
			assert_int_equal(policy->lowered.paths[i].kind, PINFOLD_PATH_HIDE);
	policy_free(policy);
	static const char *const caches[] = {
		".cargo/registry/x", ".cargo/git/x", ".npm/x", ".cache/x", "go/pkg/x", ".gradle/x",
		".m2/repository/x", ".local/share/pnpm/x", ".rustup/settings.toml", ".local/share/uv/python/x",
		".local/share/gem/x", ".local/share/NuGet/x", ".local/state/cabal/x", ".local/share/virtualenvs/x",
		".julia/x", ".pub-cache/x", ".swiftpm/x", ".nimble/x", ".dub/x", ".pnpm-store/x",
	};
	for (size_t i = 0; i < N_ELEMENTS(caches); i++)
		make_file(caches[i]);
	policy = built("default");
	for (size_t i = 0; i < N_ELEMENTS(caches); i++) {
		char path[300];
		snprintf(path, sizeof(path), "%s/%s", home, caches[i]);
		if (!covering(policy, path, PINFOLD_PATH_LAYER))
			fail_msg("%s has no layer", caches[i]);
	}
	policy_free(policy);
}

static void the_strict_preset_requires_promises_and_passes_only_named_variables(void **state)
{
	(void)state;
	struct policy *policy = built("default, agent-strict");
	assert_true(policy->require & PINFOLD_BIT(NETWORK));
	assert_true(policy->require & PINFOLD_BIT(SECRETS));
	assert_false(policy->require & PINFOLD_BIT(RESOURCES));
	assert_int_equal(policy->lowered.network, PINFOLD_NETWORK_NONE);
	assert_true(policy->timeout == UINT64_C(7200000000000));
	policy_free(policy);
	struct config *config = configured_by_preset("default, agent-strict");
	struct environment environment = { 0 };
	const struct environment_places places = { 0 };
	assert_int_equal(environment_build(config, LIST("PATH=p", "CC=cc", "EDITOR=vi", "FOO=1"), NULL,
					   &places, &environment, NULL), 0);
	assert_int_equal(environment.variables.count, 2);
	assert_int_equal(environment.dropped.count, 2);
	environment_release(&environment);
	config_free(config);
}

/* A bound that a slow and shared machine meets too; what it takes is printed. */
static void resolving_the_default_preset_takes_no_time_that_matters(void **state)
{
	(void)state;
	for (size_t i = 0; i < 30; i++)
		make_file(credentials[i]);
	struct policy_caller caller = { .home = home, .tree = tree, .user = geteuid() };
	struct config *config = configured_by_preset("default");
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < 200; i++) {
		struct policy *policy = NULL;
		uint64_t before = clock_nanoseconds();
		assert_int_equal(policy_build(config, &caller, &policy, NULL), 0);
		uint64_t taken = clock_nanoseconds() - before;
		least = taken < least ? taken : least;
		policy_free(policy);
	}
	print_message("the default policy is resolved in %llu us\n", (unsigned long long)least / 1000);
	assert_true(least < 20000000);
	config_free(config);
}

#define at_home(test) cmocka_unit_test_setup_teardown(test, make_home, remove_home)

int main(void)
{
	const struct CMUnitTest tests[] = {
		at_home(the_default_preset_hides_what_proves_who_somebody_is),
		at_home(the_default_preset_leaves_in_sight_what_builds_read),
		at_home(what_is_in_sight_and_may_hold_secrets_is_what_the_manual_names),
		at_home(the_default_preset_lays_layers_over_caches_that_exist),
		at_home(the_strict_preset_requires_promises_and_passes_only_named_variables),
		at_home(resolving_the_default_preset_takes_no_time_that_matters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
