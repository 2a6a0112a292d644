/* policy/relocations.c - where the caller's environment puts files that otherwise lie below home. */
#include "policy/relocations.h"

#include "base/path.h"
#include "base/text.h"

static const struct row {
	const char *variable, *standard;
} rows[] = {
	{ "XDG_CONFIG_HOME", ".config" },
	{ "XDG_DATA_HOME", ".local/share" },
	{ "XDG_STATE_HOME", ".local/state" },
	{ "XDG_CACHE_HOME", ".cache" },
	{ "AWS_CONFIG_FILE", ".aws/config" },
	{ "AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials" },
	{ "AZURE_CONFIG_DIR", ".azure" },
	{ "BUN_INSTALL", ".bun" },
	{ "CARGO_HOME", ".cargo" },
	{ "CCACHE_DIR", ".cache/ccache" },
	{ "CLOUDSDK_CONFIG", ".config/gcloud" },
	{ "COMPOSER_HOME", ".config/composer" },
	{ "CONAN_HOME", ".conan2" },
	{ "DOCKER_CONFIG", ".docker" },
	{ "GH_CONFIG_DIR", ".config/gh" },
	{ "GLAB_CONFIG_DIR", ".config/glab-cli" },
	{ "GNUPGHOME", ".gnupg" },
	{ "GOCACHE", ".cache/go-build" },
	{ "GOMODCACHE", "go/pkg/mod" },
	{ "GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud/application_default_credentials.json" },
	{ "GOPATH", "go" },
	{ "GRADLE_USER_HOME", ".gradle" },
	{ "HEX_HOME", ".hex" },
	{ "HF_HOME", ".cache/huggingface" },
	{ "HF_TOKEN_PATH", ".cache/huggingface/token" },
	{ "HISTFILE", ".bash_history" },
	{ "JULIA_DEPOT_PATH", ".julia" },
	{ "KUBECONFIG", ".kube/config" },
	{ "MIX_HOME", ".mix" },
	{ "MYSQL_HISTFILE", ".mysql_history" },
	{ "NETRC", ".netrc" },
	{ "NIMBLE_DIR", ".nimble" },
	{ "NODE_REPL_HISTORY", ".node_repl_history" },
	{ "NPM_CONFIG_CACHE", ".npm" },
	{ "npm_config_cache", ".npm" },
	{ "NPM_CONFIG_USERCONFIG", ".npmrc" },
	{ "npm_config_userconfig", ".npmrc" },
	{ "PASSWORD_STORE_DIR", ".password-store" },
	{ "PGPASSFILE", ".pgpass" },
	{ "PIP_CACHE_DIR", ".cache/pip" },
	{ "PNPM_HOME", ".local/share/pnpm" },
	{ "PSQL_HISTORY", ".psql_history" },
	{ "PUB_CACHE", ".pub-cache" },
	{ "PYTHON_HISTORY", ".python_history" },
	{ "RCLONE_CONFIG", ".config/rclone/rclone.conf" },
	{ "REGISTRY_AUTH_FILE", ".config/containers/auth.json" },
	{ "RUSTUP_HOME", ".rustup" },
	{ "SCCACHE_DIR", ".cache/sccache" },
	{ "SOPS_AGE_KEY_FILE", ".config/sops/age/keys.txt" },
	{ "SQLITE_HISTORY", ".sqlite_history" },
	{ "STACK_ROOT", ".stack" },
	{ "TF_CLI_CONFIG_FILE", ".terraformrc" },
	{ "UV_CACHE_DIR", ".cache/uv" },
	{ "YARN_CACHE_FOLDER", ".cache/yarn" },
};

/* A value may be a list (KUBECONFIG, GOPATH): each of its absolute paths counts. */
static void add_values(struct relocations *relocations, const char *standard, const char *value)
{
	while (*value) {
		size_t length = strcspn(value, ":");
		if (value[0] == '/' && relocations->count < RELOCATIONS_MOST)
			relocations->rows[relocations->count++] = (struct relocation){
				.standard = standard, .value = value, .length = length,
			};
		value += length + (value[length] == ':');
	}
}

void relocations_find(const char *const *environment, struct relocations *ret_relocations)
{
	ret_relocations->count = 0;
	for (; environment && *environment; environment++) {
		const char *equals = strchr(*environment, '=');
		size_t length = equals ? (size_t)(equals - *environment) : 0;
		for (size_t i = 0; length > 0 && i < N_ELEMENTS(rows); i++)
			if (rows[i].variable[0] == **environment &&
			    strncmp(rows[i].variable, *environment, length) == 0 &&
			    rows[i].variable[length] == '\0')
				add_values(ret_relocations, rows[i].standard, equals + 1);
	}
}

const char *relocations_rest(const struct relocation *relocation, const char *rest)
{
	if (path_is_within(rest, relocation->standard))
		return rest + strlen(relocation->standard);
	return path_is_within(relocation->standard, rest) ? "" : NULL;
}
