/* policy/environment_rules.c - which variables of the caller a command does not get, and why.
 *
 * What decides is whether a name is the command's own business. Options of languages that people set
 * on purpose (NODE_OPTIONS, PYTHONPATH, PERL5OPT, JAVA_TOOL_OPTIONS) and data that only changes what
 * is shown (LOCPATH, TZDIR) are. Variables of the dynamic linker, of the C library's memory and of a
 * shell's start are not: they would act on whatever stands between pinfold and the command, and make
 * every program inside load what nobody named. A caller who needs one names it.
 */
#include "config.h"

#include "policy/environment_rules.h"

#include "base/pattern.h"
#include "base/text.h"

#include <string.h>

static const struct rule {
	const char *pattern;	/* of a secret: in letters of either case */
	enum environment_class class;
} rules[] = {
	{ "*_TOKEN", ENVIRONMENT_SECRET },
	{ "*_TOKENS", ENVIRONMENT_SECRET },
	{ "*_AUTHTOKEN", ENVIRONMENT_SECRET },
	{ "*_SECRET", ENVIRONMENT_SECRET },
	{ "*_SECRETS", ENVIRONMENT_SECRET },
	{ "*_PASSWORD", ENVIRONMENT_SECRET },
	{ "*_PASSWD", ENVIRONMENT_SECRET },
	{ "*_PASSPHRASE", ENVIRONMENT_SECRET },
	{ "*_PASS", ENVIRONMENT_SECRET },
	{ "*_API_KEY", ENVIRONMENT_SECRET },
	{ "*_APIKEY", ENVIRONMENT_SECRET },
	{ "*_ACCESS_KEY", ENVIRONMENT_SECRET },
	{ "*_ACCESS_KEY_ID", ENVIRONMENT_SECRET },
	{ "*_SECRET_KEY", ENVIRONMENT_SECRET },
	{ "*_SECRET_KEY_BASE", ENVIRONMENT_SECRET },
	{ "SECRET_KEY_BASE", ENVIRONMENT_SECRET },
	{ "*_PRIVATE_KEY", ENVIRONMENT_SECRET },
	{ "*_SIGNING_KEY", ENVIRONMENT_SECRET },
	{ "*_ENCRYPTION_KEY", ENVIRONMENT_SECRET },
	{ "*_ACCOUNT_KEY", ENVIRONMENT_SECRET },
	{ "*_MASTER_KEY", ENVIRONMENT_SECRET },
	{ "*_LICENSE_KEY", ENVIRONMENT_SECRET },
	{ "*_CREDENTIAL", ENVIRONMENT_SECRET },
	{ "*_CREDENTIALS", ENVIRONMENT_SECRET },
	{ "*_CREDS", ENVIRONMENT_SECRET },
	{ "*_CONNECTION_STRING", ENVIRONMENT_SECRET },
	{ "*_WEBHOOK_URL", ENVIRONMENT_SECRET },
	{ "*_PAT", ENVIRONMENT_SECRET },
	{ "*_AUTH", ENVIRONMENT_SECRET },
	{ "*_SESSION_KEY", ENVIRONMENT_SECRET },
	{ "*_JWT", ENVIRONMENT_SECRET },
	{ "*_COOKIE", ENVIRONMENT_SECRET },
	{ "*_BEARER", ENVIRONMENT_SECRET },
	{ "AUTHORIZATION", ENVIRONMENT_SECRET },
	{ "ENCRYPTION_KEY", ENVIRONMENT_SECRET },
	{ "SIGNING_KEY", ENVIRONMENT_SECRET },
	{ "TOKEN", ENVIRONMENT_SECRET },
	{ "SECRET", ENVIRONMENT_SECRET },
	{ "PASSWORD", ENVIRONMENT_SECRET },
	{ "PASSWD", ENVIRONMENT_SECRET },
	{ "PASSPHRASE", ENVIRONMENT_SECRET },
	{ "API_KEY", ENVIRONMENT_SECRET },
	{ "APIKEY", ENVIRONMENT_SECRET },
	{ "ACCESS_KEY", ENVIRONMENT_SECRET },
	{ "SECRET_KEY", ENVIRONMENT_SECRET },
	{ "PRIVATE_KEY", ENVIRONMENT_SECRET },
	{ "CREDENTIALS", ENVIRONMENT_SECRET },
	{ "PGPASSWORD", ENVIRONMENT_SECRET },
	{ "MYSQL_PWD", ENVIRONMENT_SECRET },
	{ "SSHPASS", ENVIRONMENT_SECRET },
	{ "AWS_*", ENVIRONMENT_SECRET },
	{ "AZURE_*", ENVIRONMENT_SECRET },
	{ "CLOUDSDK_AUTH_*", ENVIRONMENT_SECRET },
	{ "DOCKER_AUTH_*", ENVIRONMENT_SECRET },
	{ "OP_SESSION_*", ENVIRONMENT_SECRET },
	{ "BW_SESSION", ENVIRONMENT_SECRET },
	{ "BUNDLE_*__*", ENVIRONMENT_SECRET },	/* a host's user and password, for bundler */
	{ "NPM_CONFIG_*:*", ENVIRONMENT_SECRET },	/* a registry's token, password or user */
	{ "COMPOSER_AUTH", ENVIRONMENT_SECRET },

	{ "LD_*", ENVIRONMENT_LOADER },
	{ "DYLD_*", ENVIRONMENT_LOADER },
	{ "LTDL_LIBRARY_PATH", ENVIRONMENT_LOADER },
	{ "GLIBC_TUNABLES", ENVIRONMENT_LOADER },
	{ "GCONV_PATH", ENVIRONMENT_LOADER },
	{ "GETCONF_DIR", ENVIRONMENT_LOADER },
	{ "NIS_PATH", ENVIRONMENT_LOADER },
	{ "RESOLV_HOST_CONF", ENVIRONMENT_LOADER },
	{ "MALLOC_*", ENVIRONMENT_LOADER },
	{ "BASH_ENV", ENVIRONMENT_LOADER },
	{ "BASH_FUNC_*", ENVIRONMENT_LOADER },
	{ "BASHOPTS", ENVIRONMENT_LOADER },
	{ "SHELLOPTS", ENVIRONMENT_LOADER },
	{ "ENV", ENVIRONMENT_LOADER },
	{ "PS4", ENVIRONMENT_LOADER },
	{ "PROMPT_COMMAND", ENVIRONMENT_LOADER },

	{ "SSH_AUTH_SOCK", ENVIRONMENT_SESSION },
	{ "SSH_AGENT_PID", ENVIRONMENT_SESSION },
	{ "SSH_ASKPASS", ENVIRONMENT_SESSION },
	{ "SSH_ASKPASS_REQUIRE", ENVIRONMENT_SESSION },
	{ "GIT_ASKPASS", ENVIRONMENT_SESSION },
	{ "SUDO_ASKPASS", ENVIRONMENT_SESSION },
	{ "GPG_AGENT_INFO", ENVIRONMENT_SESSION },
	{ "GNOME_KEYRING_*", ENVIRONMENT_SESSION },
	{ "KRB5CCNAME", ENVIRONMENT_SESSION },
	{ "DBUS_*", ENVIRONMENT_SESSION },
	{ "AT_SPI_BUS_ADDRESS", ENVIRONMENT_SESSION },
	{ "SESSION_MANAGER", ENVIRONMENT_SESSION },
	{ "DISPLAY", ENVIRONMENT_SESSION },
	{ "XAUTHORITY", ENVIRONMENT_SESSION },
	{ "ICEAUTHORITY", ENVIRONMENT_SESSION },
	{ "WAYLAND_DISPLAY", ENVIRONMENT_SESSION },
	{ "WAYLAND_SOCKET", ENVIRONMENT_SESSION },
	{ "I3SOCK", ENVIRONMENT_SESSION },
	{ "SWAYSOCK", ENVIRONMENT_SESSION },
	{ "HYPRLAND_INSTANCE_SIGNATURE", ENVIRONMENT_SESSION },
	{ "PULSE_SERVER", ENVIRONMENT_SESSION },
	{ "PIPEWIRE_REMOTE", ENVIRONMENT_SESSION },
	{ "DOCKER_HOST", ENVIRONMENT_SESSION },
	{ "DOCKER_CONTEXT", ENVIRONMENT_SESSION },
	{ "CONTAINER_HOST", ENVIRONMENT_SESSION },
	{ "BUILDKIT_HOST", ENVIRONMENT_SESSION },
	{ "NOTIFY_SOCKET", ENVIRONMENT_SESSION },
	{ "WATCHDOG_PID", ENVIRONMENT_SESSION },
	{ "WATCHDOG_USEC", ENVIRONMENT_SESSION },
	{ "LISTEN_FDS", ENVIRONMENT_SESSION },
	{ "LISTEN_PID", ENVIRONMENT_SESSION },
	{ "LISTEN_FDNAMES", ENVIRONMENT_SESSION },
	{ "JOURNAL_STREAM", ENVIRONMENT_SESSION },
	{ "TMUX", ENVIRONMENT_SESSION },
	{ "TMUX_PANE", ENVIRONMENT_SESSION },
	{ "STY", ENVIRONMENT_SESSION },
	{ "NVIM", ENVIRONMENT_SESSION },
	{ "NVIM_LISTEN_ADDRESS", ENVIRONMENT_SESSION },
	{ "VSCODE_IPC_HOOK*", ENVIRONMENT_SESSION },
	{ "VSCODE_GIT_*", ENVIRONMENT_SESSION },
	{ "KITTY_LISTEN_ON", ENVIRONMENT_SESSION },
	{ "ALACRITTY_SOCKET", ENVIRONMENT_SESSION },
	{ "WEZTERM_UNIX_SOCKET", ENVIRONMENT_SESSION },
	{ "GNOME_TERMINAL_SERVICE", ENVIRONMENT_SESSION },

	{ "PWD", ENVIRONMENT_PLACE },
	{ "OLDPWD", ENVIRONMENT_PLACE },
	{ "TMPDIR", ENVIRONMENT_PLACE },
	{ "TMP", ENVIRONMENT_PLACE },
	{ "TEMP", ENVIRONMENT_PLACE },
	{ "TMPPREFIX", ENVIRONMENT_PLACE },
	{ "XDG_RUNTIME_DIR", ENVIRONMENT_PLACE },
	{ "PINFOLD_RUN", ENVIRONMENT_PLACE },
};

static const char *const floor_names[] = {
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TZ", "TERM", "COLORTERM",
};

/* "scheme://user:password@host": the password is what stands between the colon and the last at-sign
 * before the path. */
static bool has_password_in_url(const char *value)
{
	for (const char *at = strstr(value, "://"); at; at = strstr(at, "://")) {
		at += 3;
		size_t authority = strcspn(at, "/?# \t\n\"'");
		const char *colon = memchr(at, ':', authority);
		const char *sign = memrchr(at, '@', authority);
		if (colon && sign && colon + 1 < sign)
			return true;
	}
	return false;
}

/* How tokens begin whose makers gave them a mark, so that they would be found. */
static const char *const token_marks[] = {
	"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "xoxb-", "xoxp-",
	"xapp-", "sk-ant-", "sk-proj-", "sk_live_", "rk_live_", "pypi-AgEIcHlwaS5vcmc", "dop_v1_",
	"AIzaSy", "shpat_", "eyJhbGciOi", "AGE-SECRET-KEY-",
};

static bool is_secret_value(const char *value)
{
	for (size_t i = 0; i < N_ELEMENTS(token_marks); i++)
		if (value[0] == token_marks[i][0] && starts_with(value, token_marks[i]))
			return true;
	return strstr(value, "PRIVATE KEY-----") || has_password_in_url(value);
}

/* A glance before the comparison: the first letter, or with a star there the last, of either case. */
static bool may_match(const char *pattern, const char *name, char last)
{
	if (pattern[0] != '*')
		return ((pattern[0] ^ name[0]) & ~0x20) == 0;
	char end = pattern[strlen(pattern) - 1];
	return end == '*' || ((end ^ last) & ~0x20) == 0;
}

enum environment_class environment_classify(const char *name, const char *value)
{
	char last = *name ? name[strlen(name) - 1] : '\0';
	for (size_t i = 0; i < N_ELEMENTS(rules); i++) {
		if (!may_match(rules[i].pattern, name, last))
			continue;
		bool fold = rules[i].class == ENVIRONMENT_SECRET;
		if (fold ? pattern_matches_folded(rules[i].pattern, name)
			 : pattern_matches(rules[i].pattern, name))
			return rules[i].class;
	}
	return is_secret_value(value) ? ENVIRONMENT_SECRET : ENVIRONMENT_PLAIN;
}

bool environment_is_floor(const char *name)
{
	for (size_t i = 0; i < N_ELEMENTS(floor_names); i++)
		if (pattern_matches(floor_names[i], name))
			return true;
	return false;
}
