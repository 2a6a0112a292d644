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

#define RULE(pattern, kind) { pattern, sizeof(pattern) - 1, ENVIRONMENT_##kind }
static const struct rule {
	const char *pattern;	/* of a secret: in letters of either case */
	size_t length;
	enum environment_class class;
} rules[] = {
	RULE("*_TOKEN", SECRET),
	RULE("*_TOKENS", SECRET),
	RULE("*_AUTHTOKEN", SECRET),
	RULE("*_SECRET", SECRET),
	RULE("*_SECRETS", SECRET),
	RULE("*_PASSWORD", SECRET),
	RULE("*_PASSWD", SECRET),
	RULE("*_PASSPHRASE", SECRET),
	RULE("*_PASS", SECRET),
	RULE("*_API_KEY", SECRET),
	RULE("*_APIKEY", SECRET),
	RULE("*_ACCESS_KEY", SECRET),
	RULE("*_ACCESS_KEY_ID", SECRET),
	RULE("*_SECRET_KEY", SECRET),
	RULE("*_SECRET_KEY_BASE", SECRET),
	RULE("SECRET_KEY_BASE", SECRET),
	RULE("*_PRIVATE_KEY", SECRET),
	RULE("*_SIGNING_KEY", SECRET),
	RULE("*_ENCRYPTION_KEY", SECRET),
	RULE("*_ACCOUNT_KEY", SECRET),
	RULE("*_MASTER_KEY", SECRET),
	RULE("*_LICENSE_KEY", SECRET),
	RULE("*_CREDENTIAL", SECRET),
	RULE("*_CREDENTIALS", SECRET),
	RULE("*_CREDS", SECRET),
	RULE("*_CONNECTION_STRING", SECRET),
	RULE("*_WEBHOOK_URL", SECRET),
	RULE("*_PAT", SECRET),
	RULE("*_AUTH", SECRET),
	RULE("*_SESSION_KEY", SECRET),
	RULE("*_JWT", SECRET),
	RULE("*_COOKIE", SECRET),
	RULE("*_BEARER", SECRET),
	RULE("AUTHORIZATION", SECRET),
	RULE("ENCRYPTION_KEY", SECRET),
	RULE("SIGNING_KEY", SECRET),
	RULE("TOKEN", SECRET),
	RULE("SECRET", SECRET),
	RULE("PASSWORD", SECRET),
	RULE("PASSWD", SECRET),
	RULE("PASSPHRASE", SECRET),
	RULE("API_KEY", SECRET),
	RULE("APIKEY", SECRET),
	RULE("ACCESS_KEY", SECRET),
	RULE("SECRET_KEY", SECRET),
	RULE("PRIVATE_KEY", SECRET),
	RULE("CREDENTIALS", SECRET),
	RULE("PGPASSWORD", SECRET),
	RULE("MYSQL_PWD", SECRET),
	RULE("SSHPASS", SECRET),
	RULE("AWS_*", SECRET),
	RULE("AZURE_*", SECRET),
	RULE("CLOUDSDK_AUTH_*", SECRET),
	RULE("DOCKER_AUTH_*", SECRET),
	RULE("OP_SESSION_*", SECRET),
	RULE("BW_SESSION", SECRET),
	RULE("BUNDLE_*__*", SECRET),	/* a host's user and password, for bundler */
	RULE("NPM_CONFIG_*:*", SECRET),	/* a registry's token, password or user */
	RULE("COMPOSER_AUTH", SECRET),

	RULE("LD_*", LOADER),
	RULE("DYLD_*", LOADER),
	RULE("LTDL_LIBRARY_PATH", LOADER),
	RULE("GLIBC_TUNABLES", LOADER),
	RULE("GCONV_PATH", LOADER),
	RULE("GETCONF_DIR", LOADER),
	RULE("NIS_PATH", LOADER),
	RULE("RESOLV_HOST_CONF", LOADER),
	RULE("MALLOC_*", LOADER),
	RULE("BASH_ENV", LOADER),
	RULE("BASH_FUNC_*", LOADER),
	RULE("BASHOPTS", LOADER),
	RULE("SHELLOPTS", LOADER),
	RULE("ENV", LOADER),
	RULE("PS4", LOADER),
	RULE("PROMPT_COMMAND", LOADER),

	RULE("SSH_AUTH_SOCK", SESSION),
	RULE("SSH_AGENT_PID", SESSION),
	RULE("SSH_ASKPASS", SESSION),
	RULE("SSH_ASKPASS_REQUIRE", SESSION),
	RULE("GIT_ASKPASS", SESSION),
	RULE("SUDO_ASKPASS", SESSION),
	RULE("GPG_AGENT_INFO", SESSION),
	RULE("GNOME_KEYRING_*", SESSION),
	RULE("KRB5CCNAME", SESSION),
	RULE("DBUS_*", SESSION),
	RULE("AT_SPI_BUS_ADDRESS", SESSION),
	RULE("SESSION_MANAGER", SESSION),
	RULE("DISPLAY", SESSION),
	RULE("XAUTHORITY", SESSION),
	RULE("ICEAUTHORITY", SESSION),
	RULE("WAYLAND_DISPLAY", SESSION),
	RULE("WAYLAND_SOCKET", SESSION),
	RULE("I3SOCK", SESSION),
	RULE("SWAYSOCK", SESSION),
	RULE("HYPRLAND_INSTANCE_SIGNATURE", SESSION),
	RULE("PULSE_SERVER", SESSION),
	RULE("PIPEWIRE_REMOTE", SESSION),
	RULE("DOCKER_HOST", SESSION),
	RULE("DOCKER_CONTEXT", SESSION),
	RULE("CONTAINER_HOST", SESSION),
	RULE("BUILDKIT_HOST", SESSION),
	RULE("NOTIFY_SOCKET", SESSION),
	RULE("WATCHDOG_PID", SESSION),
	RULE("WATCHDOG_USEC", SESSION),
	RULE("LISTEN_FDS", SESSION),
	RULE("LISTEN_PID", SESSION),
	RULE("LISTEN_FDNAMES", SESSION),
	RULE("JOURNAL_STREAM", SESSION),
	RULE("TMUX", SESSION),
	RULE("TMUX_PANE", SESSION),
	RULE("STY", SESSION),
	RULE("NVIM", SESSION),
	RULE("NVIM_LISTEN_ADDRESS", SESSION),
	RULE("VSCODE_IPC_HOOK*", SESSION),
	RULE("VSCODE_GIT_*", SESSION),
	RULE("KITTY_LISTEN_ON", SESSION),
	RULE("ALACRITTY_SOCKET", SESSION),
	RULE("WEZTERM_UNIX_SOCKET", SESSION),
	RULE("GNOME_TERMINAL_SERVICE", SESSION),

	RULE("PWD", PLACE),
	RULE("OLDPWD", PLACE),
	RULE("TMPDIR", PLACE),
	RULE("TMP", PLACE),
	RULE("TEMP", PLACE),
	RULE("TMPPREFIX", PLACE),
	RULE("XDG_RUNTIME_DIR", PLACE),
	RULE("PINFOLD_RUN", PLACE),
	/* Where a git outside has its repository, as it tells its hooks: the command's git finds its own. */
	RULE("GIT_DIR", PLACE),
	RULE("GIT_WORK_TREE", PLACE),
	RULE("GIT_IMPLICIT_WORK_TREE", PLACE),
	RULE("GIT_COMMON_DIR", PLACE),
	RULE("GIT_INDEX_FILE", PLACE),
	RULE("GIT_OBJECT_DIRECTORY", PLACE),
	RULE("GIT_ALTERNATE_OBJECT_DIRECTORIES", PLACE),
	RULE("GIT_QUARANTINE_PATH", PLACE),
	RULE("GIT_GRAFT_FILE", PLACE),
	RULE("GIT_SHALLOW_FILE", PLACE),
	RULE("GIT_PREFIX", PLACE),
};
#undef RULE

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

static inline bool is_same_letter(char a, char b)
{
	return ((a ^ b) & ~0x20) == 0;
}

/* A glance before the comparison: at the end without a star the letters, of either case. Every pattern
 * that ends without one has two letters there. */
static inline bool may_match(const struct rule *rule, const char *name, size_t length)
{
	const char *pattern = rule->pattern, *end = pattern + rule->length - 1;
	if (*pattern != '*' && !is_same_letter(*pattern, *name))
		return false;
	if (*end == '*')
		return true;
	return length + 1 >= rule->length && is_same_letter(*end, name[length - 1]) &&
	       is_same_letter(end[-1], name[length - 2]);
}

static bool matches(const struct rule *rule, const char *name)
{
	return rule->class == ENVIRONMENT_SECRET ? pattern_matches_folded(rule->pattern, name)
						 : pattern_matches(rule->pattern, name);
}

enum environment_class environment_classify(const char *name, const char *value)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < N_ELEMENTS(rules); i++)
		if (may_match(&rules[i], name, length) && matches(&rules[i], name))
			return rules[i].class;
	return is_secret_value(value) ? ENVIRONMENT_SECRET : ENVIRONMENT_PLAIN;
}

bool environment_is_floor(const char *name)
{
	for (size_t i = 0; i < N_ELEMENTS(floor_names); i++)
		if (pattern_matches(floor_names[i], name))
			return true;
	return false;
}
