/* wrappers/compiles.c - is a command one that can compile? */
#include "wrappers/compiles.h"

#include "base/text.h"

/* Nothing that these start compiles. */
static const char *const idle[] = {
	"true", "false", "echo", "printf", "pwd", "ls", "cat", "head", "tail", "wc", "sort", "uniq", "cut",
	"tr", "grep", "egrep", "fgrep", "rg", "sed", "diff", "cmp", "stat", "file", "du", "df", "id", "whoami",
	"uname", "hostname", "date", "sleep", "touch", "mkdir", "rmdir", "rm", "cp", "mv", "ln", "chmod",
	"chown", "readlink", "realpath", "basename", "dirname", "test", "[", "tee", "seq", "yes", "printenv",
	"sha256sum", "md5sum", "tree", "less", "more", "which", "ps", "kill", "jq", "rustfmt", "clang-format",
	NULL,
};

/* Programs whose first word that is no option says what they do. Words that people can give another
 * meaning (an alias, a hook) are not here. */
static const char *const git_words[] = {
	"status", "diff", "log", "show", "add", "rm", "mv", "ls-files", "ls-tree", "rev-parse", "rev-list",
	"branch", "tag", "blame", "grep", "config", "cat-file", "describe", "remote", "reflog", "shortlog",
	"init", "help", "version", "hash-object", "show-ref", "for-each-ref", "apply", "restore", NULL,
};
static const char *const cargo_words[] = {
	"add", "clean", "config", "fetch", "generate-lockfile", "help", "info", "init", "locate-project",
	"login", "logout", "metadata", "new", "owner", "pkgid", "read-manifest", "remove", "search", "tree",
	"update", "vendor", "verify-project", "version", "yank", NULL,
};
static const char *const git_valued[] = { "-C", "-c", "--git-dir", "--work-tree", "--namespace", NULL };
static const char *const cargo_valued[] = { "-C", "-Z", "--color", "--config", "--manifest-path", NULL };
static const char *const telling[] = { "--version", "-V", "--help", "-h", "--list", NULL };

static const struct by_word {
	const char *program;
	const char *const *words;	/* that do not compile */
	const char *const *valued;	/* options whose value is the next word */
} by_word[] = {
	{ "git", git_words, git_valued },
	{ "cargo", cargo_words, cargo_valued },
};

static bool has(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (streq(*list, word))
			return true;
	return false;
}

static bool word_can(const struct by_word *row, const char *const *argv)
{
	for (size_t i = 1; argv[i]; i++) {
		if (has(telling, argv[i]))
			return false;
		if (has(row->valued, argv[i]) && argv[i + 1])
			i++;
		else if (argv[i][0] != '-' && argv[i][0] != '+')
			return !has(row->words, argv[i]);
	}
	return false;
}

bool compiles_can(const char *const *argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	for (size_t i = 0; i < N_ELEMENTS(by_word); i++)
		if (streq(by_word[i].program, name))
			return word_can(&by_word[i], argv);
	return slash ? true : !has(idle, name);
}
