/* wrappers/c.c - compilers of C and C++: words before the compiler in CC and CXX, CMake's launchers, and
 * links in PATH that bear a compiler's name and lead to another program. */
#include "config.h"

#include "wrappers/toolchain.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "wrappers/variables.h"
#include "wrappers/words.h"

struct language {
	const char *compiler, *launcher;	/* variables */
	const char *name;	/* of the compiler, where nothing names one */
	const char *source;
};
static const struct language c = { "CC", "CMAKE_C_COMPILER_LAUNCHER", "cc", "probe.c" };
static const struct language cxx = { "CXX", "CMAKE_CXX_COMPILER_LAUNCHER", "c++", "probe.cc" };

/* --- names of compilers --------------------------------------------------------------------------- */
/* "gcc", "x86_64-linux-gnu-gcc-12", "clang++-14", but not "ccache" and "colorgcc". */
static bool is_compiler(const char *path)
{
	static const char *const stems[] = { "cc", "c++", "gcc", "g++", "clang", "clang++", "c89", "c99",
					     "tcc", "icx", "icpx", "cpp" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < N_ELEMENTS(stems); i++) {
		size_t length = strlen(stems[i]);
		for (const char *at = strstr(name, stems[i]); at; at = strstr(at + 1, stems[i]))
			if ((at == name || at[-1] == '-') &&
			    (at[length] == '\0' ||
			     (at[length] == '-' && strspn(at + length, "-.0123456789") == strlen(at + length))))
				return true;
	}
	return false;
}

/* --- looking -------------------------------------------------------------------------------------- */
static struct trial *add_trial(struct look *look)
{
	look->named = true;
	return look->trial_count < TRIALS_MOST ? &look->trials[look->trial_count++] : NULL;
}

/* "ccache gcc -m32": a program before another one; "gcc -m32" is none. A name such as "my-cc" is a compiler's, unless a
 * compiler follows: none takes another for its source. */
static bool has_prefix(const struct list *words)
{
	return words->count > 1 && words->items[1][0] != '-' &&
	       (!is_compiler(words->items[0]) || is_compiler(words->items[1]));
}

static void copy_words(struct look *look, const struct list *from, struct list *to)
{
	for (size_t i = 0; i < from->count; i++)
		if (list_add(to, from->items[i]) < 0)
			look->failed = true;
}

/* Past a wrapper there may be a further one: all words up to a compiler's name go. */
static size_t first_compiler(const struct list *words)
{
	for (size_t i = 1; i < words->count; i++)
		if (is_compiler(words->items[i]))
			return i;
	return 1;
}

/* Is it a path of a link with a compiler's name that leads to another program? */
static bool is_masked(const struct look *look, const char *word)
{
	if (!strchr(word, '/') || !is_compiler(word))
		return false;
	auto_free char *path = word[0] == '/' ? strdup(word) : path_join(look->sight->directory, word);
	auto_free char *program = path ? sight_program(look->sight, path) : NULL;
	return program && !is_compiler(program);
}

/* The words without their wrapper; false where there is none. */
static bool strip(const struct look *look, const struct list *words, struct list *ret_rest, bool *ret_failed)
{
	if (words->count == 0)
		return false;
	bool masked = is_masked(look, words->items[0]);
	if (!masked && !has_prefix(words))
		return false;
	size_t first = masked ? 0 : first_compiler(words);
	const char *compiler = words->items[first];
	*ret_failed |= list_add(ret_rest, masked ? strrchr(compiler, '/') + 1 : compiler) < 0;
	for (size_t i = first + 1; i < words->count; i++)
		*ret_failed |= list_add(ret_rest, words->items[i]) < 0;
	return true;
}

static void look_at_prefix(struct look *look, const struct language *language)
{
	auto_list struct list words = { 0 }, rest = { 0 };
	const char *value = variables_value(look->environment, language->compiler);
	if (!value || words_split(value, '\0', &words) < 0 || !strip(look, &words, &rest, &look->failed))
		return;
	struct trial *trial = add_trial(look);
	look_add_candidate(look, words.items[0]);
	if (!trial)
		return;
	copy_words(look, &words, &trial->with);
	copy_words(look, &rest, &trial->without);
}

/* CMake parts the words of a launcher at semicolons. */
static void look_at_launcher(struct look *look, const struct language *language)
{
	const char *value = variables_value(look->environment, language->launcher);
	if (!value || !value[0])
		return;
	struct trial *trial = add_trial(look);
	if (!trial)
		return;
	for (const char *at = value; *at;) {
		size_t length = strcspn(at, ";");
		auto_free char *word = strndup(at, length);
		look->failed |= !word || list_add(&trial->with, word) < 0;
		at += length + (at[length] == ';');
	}
	if (trial->with.count > 0)
		look_add_candidate(look, trial->with.items[0]);
	look->failed |= list_add(&trial->with, language->name) < 0 ||
			list_add(&trial->without, language->name) < 0;
}

/* A system's own directories hold links from compilers to compilers. */
static bool is_systems(const char *directory)
{
	static const char *const own[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin" };
	for (size_t i = 0; i < N_ELEMENTS(own); i++)
		if (streq(directory, own[i]))
			return true;
	return false;
}

/* The program that a link of this name leads to where that is no compiler, else NULL. */
static char *find_masked(const struct look *look, const char *directory, const char *name, bool *ret_there)
{
	auto_free char *path = path_join(directory, name);
	auto_free char *program = path ? sight_program(look->sight, path) : NULL;
	*ret_there = program != NULL;
	if (!program || is_compiler(program))
		return NULL;
	return take_pointer(&program);
}

static void add_masked(struct look *look, const char *directory, const char *name, const char *program)
{
	struct trial *trial = add_trial(look);
	look_add_candidate(look, program);
	look->failed |= !list_has(&look->shadows, directory) && list_add(&look->shadows, directory) < 0;
	if (trial)
		look->failed |= list_add(&trial->with, name) < 0 || list_add(&trial->without, name) < 0;
}

/* A directory of such links has one for each compiler: those of C++ are looked for beside those of C. */
static void look_beside(struct look *look, const char *directory)
{
	static const char *const names[] = { "c++", "g++" };
	bool there;
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		auto_free char *program = find_masked(look, directory, names[i], &there);
		if (program)
			add_masked(look, directory, names[i], program);
	}
}

/* The first directory of PATH that has a program of this name says what it is. */
static void look_at_links(struct look *look, const char *name)
{
	const char *at = variables_value(look->environment, "PATH");
	bool there = false;
	while (!there) {
		auto_free char *directory = look_next_directory(look, &at);
		if (!directory)
			break;
		auto_free char *program = find_masked(look, directory, name, &there);
		if (is_systems(directory))
			continue;
		bool known = list_has(&look->shadows, directory);
		if (program)
			add_masked(look, directory, name, program);
		if (program && !known)
			look_beside(look, directory);
	}
}

static void look_at_language(struct look *look, const struct language *language)
{
	look_at_prefix(look, language);
	look_at_launcher(look, language);
}

static void look_at_c(struct look *look)
{
	look_at_language(look, &c);
	look_at_links(look, "cc");
	look_at_links(look, "gcc");
}

static void look_at_cxx(struct look *look)
{
	look_at_language(look, &cxx);
}

static void stamp_programs(struct look *look)
{
	for (size_t i = 0; i < look->trial_count; i++)
		for (size_t j = 0; j < look->trials[i].with.count; j++)
			if (look->trials[i].with.items[j][0] != '-')
				look_stamp_program(look, look->trials[i].with.items[j]);
	for (size_t i = 0; i < look->candidates.count; i++)
		look_stamp_program(look, look->candidates.items[i]);
}

/* --- the throwaway file --------------------------------------------------------------------------- */
static const struct toolchain_file c_files[] = {
	{ "probe.c", "int pinfold_probe_@(void) { return 0; }\n" }, { NULL, NULL },
};
static const struct toolchain_file cxx_files[] = {
	{ "probe.cc", "int pinfold_probe_@() { return 0; }\n" }, { NULL, NULL },
};

static int add_arguments(const struct look *look, size_t trial, bool with, const char *project,
			 const char *source, struct list *argv)
{
	const struct list *words = with ? &look->trials[trial].with : &look->trials[trial].without;
	for (size_t i = 0; i < words->count; i++)
		if (list_add(argv, words->items[i]) < 0)
			return -1;
	return list_add(argv, "-c") < 0 || list_addf(argv, "%s/%s", project, source) < 0 ||
	       list_add(argv, "-o") < 0 || list_addf(argv, "%s/probe.o", project) < 0 ? -1 : 0;
}

static int c_arguments(const struct look *look, size_t trial, bool with, const char *project,
		       struct list *argv)
{
	return add_arguments(look, trial, with, project, c.source, argv);
}

static int cxx_arguments(const struct look *look, size_t trial, bool with, const char *project,
			 struct list *argv)
{
	return add_arguments(look, trial, with, project, cxx.source, argv);
}

/* --- switching off -------------------------------------------------------------------------------- */
static int drop_prefix(const struct look *look, const struct language *language, struct list *variables)
{
	auto_list struct list words = { 0 }, rest = { 0 };
	bool failed = false;
	const char *value = variables_value((const char *const *)variables->items, language->compiler);
	if (!value || words_split(value, '\0', &words) < 0 || !strip(look, &words, &rest, &failed))
		return 0;
	auto_free char *text = failed ? NULL : words_join(&rest, rest.count);
	return text ? variables_set(variables, language->compiler, text) : -1;
}

/* An empty launcher is none. */
static int drop_launcher(const struct language *language, struct list *variables)
{
	const char *value = variables_value((const char *const *)variables->items, language->launcher);
	return value && value[0] ? variables_set(variables, language->launcher, "") : 0;
}

static int drop_shadows(const struct look *look, struct list *variables)
{
	const char *at = variables_value((const char *const *)variables->items, "PATH");
	struct text kept = { 0 };
	if (!at || look->shadows.count == 0)
		return 0;
	for (bool first = true; at;) {
		const char *entry = at;
		size_t length = strcspn(at, ":");
		auto_free char *directory = look_next_directory(look, &at);
		if (directory && list_has(&look->shadows, directory))
			continue;
		text_add(&kept, first ? "" : ":");
		text_add_bytes(&kept, entry, length);
		first = false;
	}
	auto_free char *path = text_take(&kept);
	return path ? variables_set(variables, "PATH", path) : -1;
}

static int switch_off(const struct look *look, const struct language *language, struct list *variables)
{
	return drop_prefix(look, language, variables) < 0 || drop_launcher(language, variables) < 0 ||
	       drop_shadows(look, variables) < 0 ? -1 : 0;
}

static int c_off(const struct look *look, struct list *variables)
{
	return switch_off(look, &c, variables);
}

static int cxx_off(const struct look *look, struct list *variables)
{
	return switch_off(look, &cxx, variables);
}

static const char *const c_variables[] = { "CC", "CMAKE_C_COMPILER_LAUNCHER", "PATH", NULL };
static const char *const cxx_variables[] = { "CXX", "CMAKE_CXX_COMPILER_LAUNCHER", NULL };

const struct toolchain toolchain_c = {
	.name = "c",
	.variables = c_variables,
	.look = look_at_c,
	.stamp = stamp_programs,
	.files = c_files,
	.arguments = c_arguments,
	.switch_off = c_off,
};

const struct toolchain toolchain_cxx = {
	.name = "c++",
	.variables = cxx_variables,
	.look = look_at_cxx,
	.stamp = stamp_programs,
	.files = cxx_files,
	.arguments = cxx_arguments,
	.switch_off = cxx_off,
};
