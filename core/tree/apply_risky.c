/* tree/apply_risky.c - places in which a change acts without having been asked for. */
#include "config.h"

#include "tree/apply_risky.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/text.h"
#include "tree/inside.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* A pattern's names stand one after the other anywhere in a path, `**` for any number of them, a star
 * for any letters of one; what lies below is meant as well. */
static const struct risky_row {
	const char *patterns;	/* separated by spaces */
	const char *why;
} rows[] = {
	{ ".git/**/hooks .husky .githooks .git-hooks .lefthook lefthook*.y*ml .lefthook*.y*ml "
	  ".pre-commit-config.y*ml .overcommit.yml",
	  "a hook: git runs it" },
	{ ".git/**/config .git/**/config.worktree .git/**/info/attributes .git/**/commondir "
	  ".git/**/gitdir .git/**/objects/info/alternates .gitconfig .gitmodules .gitattributes "
	  ".config/git",
	  "configuration of git: it names programs that git runs" },
	{ ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile "
	  ".zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .config/fish .pam_environment "
	  ".xprofile .xinitrc .xsession .xsessionrc .config/environment.d .screenrc .tmux.conf "
	  ".config/tmux",
	  "a start-up file: a shell or a session reads it" },
	{ ".envrc .autoenv* .mise.toml mise.toml .mise .config/mise .config/direnv .direnvrc .devcontainer "
	  ".devcontainer.json",
	  "an environment that is set up when the directory is entered" },
	{ ".vscode *.code-workspace .idea .run .fleet .zed *.sublime-project .vim .vimrc .exrc .nvimrc "
	  ".nvim.lua .config/nvim .emacs .emacs.d .dir-locals.el .gdbinit .lldbinit",
	  "settings or tasks of an editor or a debugger" },
	{ ".claude .codex .gemini .cursor .windsurf .continue .kiro .aider.conf.yml .mcp.json",
	  "settings of an agent" },
	{ ".github/workflows .github/actions .gitlab-ci* .gitlab/ci .circleci jenkinsfile* .jenkins "
	  "azure-pipelines* .azure-pipelines .travis.yml appveyor.yml .appveyor.yml .drone.yml .woodpecker* "
	  "bitbucket-pipelines.yml .buildkite .teamcity .cirrus.yml .semaphore .forgejo/workflows "
	  ".gitea/workflows buildspec.yml cloudbuild.y*ml .builds .build.yml .zuul.y*ml .zuul.d zuul.y*ml "
	  "zuul.d wercker.yml codemagic.yaml bitrise.yml",
	  "a workflow: a CI system runs it" },
	{ ".npmrc .yarnrc .yarnrc.yml .yarn/plugins .yarn/releases .pnpmfile.* pnpmfile.js .bunfig.toml "
	  "bunfig.toml pip.conf .pip .pypirc .condarc .cargo/config .cargo/config.toml rust-toolchain "
	  "rust-toolchain.toml .mvn gradle/wrapper .bazelrc sitecustomize.py usercustomize.py *.pth",
	  "settings of a package manager or a toolchain: they name programs or places to load from" },
	{ ".ssh .gnupg .netrc .curlrc .wgetrc .local/bin .config/autostart .config/systemd .config/pinfold "
	  ".cache/pinfold .local/share/systemd",
	  "what proves who somebody is, or is started for them" },
	{ "autorun.inf desktop.ini *.desktop *.lnk",
	  "a file that a desktop acts on" },
};

/* Letters that are not seen, which some file systems leave out of names: U+200C to U+200F, U+202A to
 * U+202E, U+206A to U+206F, U+FEFF. */
static size_t unseen(const unsigned char *at)
{
	if (at[0] == 0xe2 && at[1] == 0x80 &&
	    ((at[2] >= 0x8c && at[2] <= 0x8f) || (at[2] >= 0xaa && at[2] <= 0xae)))
		return 3;
	if (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xaa && at[2] <= 0xaf)
		return 3;
	return at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf ? 3 : 0;
}

/* The two letters beyond ASCII whose small form is in it: U+017F and U+212A. */
static size_t disguised(const unsigned char *at, char *ret_letter)
{
	if (at[0] == 0xc5 && at[1] == 0xbf) {
		*ret_letter = 's';
		return 2;
	}
	if (at[0] == 0xe2 && at[1] == 0x84 && at[2] == 0xaa) {
		*ret_letter = 'k';
		return 3;
	}
	return 0;
}

/* One name as the laxest file system would take it; `room` has NAME_MAX + 1 bytes. */
static void normalise(const char *name, size_t bytes, char *room)
{
	char copy[NAME_MAX + 4] = { 0 };
	size_t used = 0;
	memcpy(copy, name, bytes < NAME_MAX ? bytes : NAME_MAX);
	for (const unsigned char *at = (const unsigned char *)copy; *at && *at != ':';) {
		char letter = (char)*at;
		size_t skipped = unseen(at), taken = disguised(at, &letter);
		if (!skipped)
			room[used++] = letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter;
		at += skipped ? skipped : taken ? taken : 1;
	}
	while (used > 0 && (room[used - 1] == '.' || room[used - 1] == ' '))
		used--;
	room[used] = '\0';
	if (streq(room, "git~1"))
		memcpy(room, ".git", sizeof(".git"));
}

/* The path with each of its names so; NULL when memory is gone. */
static char *normalised(const char *path)
{
	struct text text = { 0 };
	char room[NAME_MAX + 1];
	while (*path) {
		size_t bytes = strcspn(path, "/");
		normalise(path, bytes, room);
		text_add(&text, text.length ? "/" : "");
		text_add(&text, room);
		path += bytes + strspn(path + bytes, "/");
	}
	text_add(&text, "");
	return text_take(&text);
}

/* `room` has NAME_MAX bytes and one; what is longer is cut. */
static void copy_part(char *room, const char *from, size_t bytes)
{
	bytes = bytes < NAME_MAX ? bytes : NAME_MAX;
	memcpy(room, from, bytes);
	room[bytes] = '\0';
}

/* Do the first names of `path` match the whole of the pattern? */
static bool matches_here(const char *pattern, size_t bytes, const char *path)
{
	/* Most are told apart by their first letters, whose case is one bit. */
	if (bytes > 0 && pattern[0] != '*' && (pattern[0] | 0x20) != (path[0] | 0x20))
		return false;
	for (;;) {
		char one[NAME_MAX + 1], name[NAME_MAX + 1];
		size_t part = 0, length = strcspn(path, "/");
		while (part < bytes && pattern[part] != '/')
			part++;
		copy_part(one, pattern, part);
		copy_part(name, path, length);
		bool last = part == bytes;
		if (streq(one, "**")) {
			const char *rest = path;
			while (!last && *rest) {
				if (matches_here(pattern + part + 1, bytes - part - 1, rest))
					return true;
				rest += strcspn(rest, "/");
				rest += *rest == '/';
			}
			return last;
		}
		if (*path == '\0' || !pattern_matches_folded(one, name))
			return false;
		if (last)
			return true;
		path += length + (path[length] == '/');
		pattern += part + 1;
		bytes -= part + 1;
	}
}

static bool matches(const char *pattern, size_t bytes, const char *path)
{
	if (bytes > 0 && pattern[0] == '/')
		return matches_here(pattern + 1, bytes - 1, path);
	while (*path) {
		if (matches_here(pattern, bytes, path))
			return true;
		path += strcspn(path, "/");
		path += *path == '/';
	}
	return false;
}

static bool matches_one_of(const char *patterns, const char *path)
{
	while (*patterns) {
		size_t bytes = strcspn(patterns, " ");
		if (matches(patterns, bytes, path))
			return true;
		patterns += bytes + strspn(patterns + bytes, " ");
	}
	return false;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *risky_match(const struct list *more, const char *path, bool is_folder)
{
	auto_free char *plain = normalised(path);
	if (!plain)
		return "memory is gone, so nothing is known of it";
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (matches_one_of(rows[i].patterns, plain))
			return rows[i].why;
	if (!is_folder && streq(last_name(plain), ".git"))
		return "it says where a repository of git is";
	for (size_t i = 0; more && i < more->count; i++)
		if (matches(more->items[i], strlen(more->items[i]), plain))
			return "named by [session] risky";
	return NULL;
}

bool risky_is_lock(const char *path)
{
	auto_free char *plain = normalised(path);
	return !plain || matches_one_of(".git/**/*.lock", plain);
}

bool risky_link_leaves(const char *tree, const char *path, const char *target)
{
	size_t depth = 0;
	for (const char *at = path; *at; at++)
		depth += *at == '/';
	if (target[0] == '/') {
		if (!path_is_within(target, tree))
			return true;
		target += strlen(tree);
		depth = 0;
	}
	for (bool leading = true; *target; target += strspn(target, "/")) {
		size_t bytes = strcspn(target, "/");
		bool up = bytes == 2 && target[0] == '.' && target[1] == '.';
		if (up && (!leading || depth-- == 0))
			return true;
		leading = leading && (up || bytes == 0 || (bytes == 1 && target[0] == '.'));
		target += bytes;
	}
	return false;
}

bool risky_is_bare_repository(int held, const char *path)
{
	auto_free char *plain = normalised(path), *directory = strdup(path);
	if (!plain || !directory)
		return true;
	if (streq(last_name(plain), "config")) {
		directory[last_name(path) - path] = '\0';
	} else {
		size_t at = 0;
		for (; plain[at]; at += strcspn(plain + at, "/"), at += plain[at] == '/')
			if (starts_with(plain + at, "hooks") && (!plain[at + 5] || plain[at + 5] == '/'))
				break;
		if (!plain[at] || strlen(plain) != strlen(path))
			return false;
		directory[at] = '\0';
	}
	size_t length = strlen(directory);
	if (length > 0)
		directory[length - 1] = '\0';
	auto_close int fd = inside_open(held, directory, O_PATH, INSIDE_ANY_MOUNT);
	return fd >= 0 && faccessat(fd, "HEAD", F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
	       faccessat(fd, "objects", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool risky_has_scripts(const char *path)
{
	auto_free char *plain = normalised(path);
	return plain && (streq(last_name(plain), "package.json") ||
			 streq(last_name(plain), "composer.json"));
}
