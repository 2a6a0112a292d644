/* wrappers/cargo.c - Cargo: four settings, in the environment and in configuration files.
 *
 * How Cargo resolves them is Cargo's to change: it is asked, by building a crate. Here it is only told
 * whether there is anything to ask about, and what else its answer hangs on.
 */
#include "config.h"

#include "wrappers/toolchain.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "wrappers/cargo_output.h"
#include "wrappers/variables.h"

/* An empty value is Cargo's word for "no wrapper", and beats its files. */
static const char *const settings[] = { "RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER",
					"RUSTC_WORKSPACE_WRAPPER",
					"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER" };

static void look_at_variables(struct look *look)
{
	for (size_t i = 0; i < N_ELEMENTS(settings); i++) {
		const char *value = variables_value(look->environment, settings[i]);
		if (value && value[0])
			look_add_candidate(look, value);
	}
}

/* --- configuration files -------------------------------------------------------------------------- */
/* The line's key without its quotes: its length, or 0 where it is another one. */
static size_t match_key(const char *line, const char *key)
{
	size_t quote = line[0] == '"' || line[0] == '\'', length = strlen(key);
	if (strncmp(line + quote, key, length) != 0 || (quote && line[quote + length] != line[0]))
		return 0;
	return length + 2 * quote;
}

static const char *after_key(const char *line)
{
	static const char *const keys[] = { "rustc-wrapper", "rustc-workspace-wrapper",
					    "build.rustc-wrapper", "build.rustc-workspace-wrapper" };
	for (size_t i = 0; i < N_ELEMENTS(keys); i++) {
		size_t length = match_key(line, keys[i]);
		const char *at = line + length + strspn(line + length, " \t");
		if (length > 0 && *at == '=')
			return at + 1 + strspn(at + 1, " \t");
	}
	return NULL;
}

/* A plain string between quotes; NULL for any other form. */
static char *read_string(const char *at)
{
	char quote = at[0];
	if ((quote != '"' && quote != '\'') || at[1] == quote)
		return NULL;
	size_t length = strcspn(at + 1, (char[]){ quote, '\n', '\\', '\0' });
	return at[1 + length] == quote ? strndup(at + 1, length) : NULL;
}

/* Cargo takes a name with a slash from the directory that holds `.cargo`. */
static void add_named(struct look *look, const char *value, const char *cargo_directory)
{
	if (!strchr(value, '/') || value[0] == '/') {
		look_add_candidate(look, value);
		return;
	}
	auto_free char *parent = strdup(cargo_directory);
	char *slash = parent ? strrchr(parent, '/') : NULL;
	if (slash)
		slash[slash == parent] = '\0';
	auto_free char *path = parent ? path_join(parent, value) : NULL;
	look->failed |= !path;
	if (path)
		look_add_candidate(look, path);
}

static void read_line(struct look *look, const char *line, const char *directory)
{
	size_t length = strcspn(line, "\n");
	const char *mention = memmem(line, length, "wrapper", 7), *value;
	size_t include = match_key(line, "include");
	if (include > 0 && strchr(" \t=", line[include]))
		look->unknown = true;	/* another file says more */
	if (!mention || line[0] == '#')
		return;
	auto_free char *named = (value = after_key(line)) ? read_string(value) : NULL;
	if (named)
		add_named(look, named, directory);
	else
		look->unknown = true;
}

/* A file that mentions neither a wrapper nor another file cannot name one; nor can it in letters that
 * are spelled by number unless there are such. */
static bool may_name(const char *content)
{
	return strstr(content, "wrapper") || strstr(content, "include") || strstr(content, "\\u") ||
	       strstr(content, "\\U");
}

static void look_at_file(struct look *look, const char *directory, const char *name)
{
	auto_free char *path = path_join(directory, name), *content = NULL;
	look->failed |= !path;
	enum sight_found found = path ? sight_read(look->sight, path, &content) : SIGHT_ABSENT;
	if (found == SIGHT_UNREADABLE)
		look->named = look->unknown = true;
	if (found != SIGHT_READ || !may_name(content))
		return;
	look->named = true;
	look_stamp_file(look, path, content);
	if (strchr(content, '\\'))
		look->unknown = true;
	for (const char *line = content; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		read_line(look, line, directory);
	}
}

static void look_at_directory(struct look *look, const char *directory)
{
	if (!sight_has_directory(look->sight, directory))
		return;
	look_at_file(look, directory, "config");
	look_at_file(look, directory, "config.toml");
}

/* Does `visit` for the working directory and each above it, joined with a name. */
static void for_ancestors(struct look *look, const char *name,
			  void (*visit)(struct look *look, const char *path))
{
	auto_free char *at = strdup(look->sight->directory);
	for (bool more = at != NULL; more;) {
		auto_free char *path = path_join(at, name);
		look->failed |= !path;
		if (path)
			visit(look, path);
		char *slash = strrchr(at, '/');
		more = slash && at[1];
		if (more)
			slash[slash == at] = '\0';
	}
	look->failed |= !at;
}

static char *home_of_cargo(const struct look *look)
{
	const char *own = variables_value(look->environment, "CARGO_HOME");
	const char *home = variables_value(look->environment, "HOME");
	if (own && own[0])
		return own[0] == '/' ? strdup(own) : path_join(look->sight->directory, own);
	return home && home[0] == '/' ? path_join(home, ".cargo") : NULL;
}

/* Was it looked at as an ancestor's `.cargo`? */
static bool is_beside_ancestor(const struct look *look, const char *home)
{
	const char *slash = strrchr(home, '/');
	auto_free char *parent = slash && slash > home ? strndup(home, (size_t)(slash - home)) : NULL;
	return parent && streq(slash, "/.cargo") && path_is_within(look->sight->directory, parent);
}

static void look_at_cargo(struct look *look)
{
	look_at_variables(look);
	for_ancestors(look, ".cargo", look_at_directory);
	auto_free char *home = home_of_cargo(look);
	if (home && !is_beside_ancestor(look, home))
		look_at_directory(look, home);
}

/* --- what else the answer hangs on ---------------------------------------------------------------- */
static void stamp_content(struct look *look, const char *path)
{
	auto_free char *content = NULL;
	if (sight_read(look->sight, path, &content) == SIGHT_READ)
		look_stamp_file(look, path, content);
}

/* What rustup chooses a toolchain by. */
static void stamp_rustup(struct look *look)
{
	const char *own = variables_value(look->environment, "RUSTUP_HOME");
	const char *home = variables_value(look->environment, "HOME");
	for_ancestors(look, "rust-toolchain", stamp_content);
	for_ancestors(look, "rust-toolchain.toml", stamp_content);
	auto_free char *base = own && own[0] == '/' ? strdup(own) :
			       home ? path_join(home, ".rustup") : NULL;
	auto_free char *path = base ? path_join(base, "settings.toml") : NULL;
	if (path)
		stamp_content(look, path);
}

static void stamp_cargo(struct look *look)
{
	for (size_t i = 0; i < look->candidates.count; i++)
		look_stamp_program(look, look->candidates.items[i]);
	look_stamp_program(look, "cargo");
	look_stamp_program(look, "rustc");
	stamp_rustup(look);
}

/* --- the throwaway crate -------------------------------------------------------------------------- */
static const struct toolchain_file files[] = {
	/* A workspace of its own: none around it can claim it. */
	{ "Cargo.toml", "[package]\nname = \"" CARGO_PROBE "\"\nversion = \"0.0.0\"\nedition = \"2021\"\n"
			"publish = false\n\n[workspace]\n" },
	{ "Cargo.lock", "version = 3\n\n[[package]]\nname = \"" CARGO_PROBE "\"\nversion = \"0.0.0\"\n" },
	/* A library: most wrappers step aside for a program, and would seem to work. */
	{ "src/lib.rs", "pub fn probe_@() {}\n" },
	{ NULL, NULL },
};

static int cargo_arguments(const struct look *look, size_t trial, bool with, const char *project,
			   struct list *argv)
{
	(void)look, (void)trial, (void)with;
	static const char *const words[] = { "cargo", "build", "-v", "--color", "never", "--offline" };
	for (size_t i = 0; i < N_ELEMENTS(words); i++)
		if (list_add(argv, words[i]) < 0)
			return -1;
	return list_add(argv, "--manifest-path") < 0 || list_addf(argv, "%s/Cargo.toml", project) < 0 ||
	       list_add(argv, "--target-dir") < 0 || list_addf(argv, "%s/target", project) < 0 ? -1 : 0;
}

/* A build directory of the command's own would be used in place of the throwaway one; and what is built
 * incrementally is built without most wrappers. */
static int cargo_surround(const char *project, struct list *variables)
{
	auto_free char *target = path_join(project, "target");
	return target && variables_set(variables, "CARGO_BUILD_BUILD_DIR", target) == 0 &&
	       variables_set(variables, "CARGO_TARGET_DIR", target) == 0 &&
	       variables_set(variables, "CARGO_INCREMENTAL", "0") == 0 ? 0 : -1;
}

static int cargo_off(const struct look *look, struct list *variables)
{
	(void)look;
	for (size_t i = 0; i < N_ELEMENTS(settings); i++)
		if (variables_set(variables, settings[i], "") < 0)
			return -1;
	return 0;
}

static const char *const variables[] = {
	"RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER",
	"CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER", "CARGO_HOME", "HOME", NULL,
};

const struct toolchain toolchain_cargo = {
	.name = "cargo",
	.variables = variables,
	.look = look_at_cargo,
	.stamp = stamp_cargo,
	.files = files,
	.arguments = cargo_arguments,
	.surround = cargo_surround,
	.used = cargo_used,
	.tried = cargo_tried,
	.switch_off = cargo_off,
};
