/* escape/afterwards.c - what is left for the host to read: by the next run's copying, `diff`, `apply`, and errors. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SEQUENCE "\033]0;hostile\007\033[2J"

static long write_text(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
	if (fd < 0)
		return -errno;
	long result = done(write(fd, text, strlen(text)));
	fchmod(fd, mode);
	close(fd);
	return result;
}

/* A program of the host's that would leave a mark outside. */
static const char *marking(void)
{
	static char script[1200];
	snprintf(script, sizeof(script), "#!/bin/sh\necho ran >'%s'\n", beside(fact("outside"), "mark"));
	return script;
}

static long names(void)
{
	long result = make("plain" SEQUENCE "name");
	if (result == 0)
		result = make("line\nbreak\rreturn\bback");
	if (result == 0)
		result = make("\xc2\x9b" "31m8-bit");
	if (result == 0)
		result = done(mkdir("d" SEQUENCE, 0755));
	return result == 0 ? make("d" SEQUENCE "/in") : result;
}

static long bidirectional(void) { return make("x\xe2\x80\xaetxt.exe\xe2\x80\xac"); }
static long targets(void) { return done(symlink("to" SEQUENCE "there", "link-with-sequence")); }
static long not_text(void) { return make("\xff\xfe\x80 name"); }
static long contents(void) { return write_text("text", "first line\n" SEQUENCE "second line\n", 0644); }
static long renamed(void) { return done(rename("one", "two" SEQUENCE)); }

static long like_options(void)
{
	long result = make("--output=mark");
	if (result == 0)
		result = make("-rf");
	return result == 0 ? make("--") : result;
}

static long patch_lines(void)
{
	return write_text("note", "text\n--- a/one\n+++ b/../outside/file\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/../../outside/file b/../../outside/file\n", 0644);
}

static long git_configuration(void)
{
	char text[8000];
	long result = write_text("marker", marking(), 0755);
	mkdir(".git", 0755);
	mkdir(".git/objects", 0755);
	mkdir(".git/refs", 0755);
	mkdir(".git/hooks", 0755);
	write_text(".git/HEAD", "ref: refs/heads/main\n", 0644);
	char place[600];
	if (!getcwd(place, sizeof(place)))
		return -errno;
	snprintf(text, sizeof(text),
		 "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = %s/marker\n\tpager = %s/marker\n\thooksPath = %s/.git/hooks\n"
		 "\tsshCommand = %s/marker\n\teditor = %s/marker\n[diff]\n\texternal = %s/marker\n[filter \"x\"]\n\tclean = %s/marker\n"
		 "\tsmudge = %s/marker\n[diff \"x\"]\n\ttextconv = %s/marker\n",
		 place, place, place, place, place, place, place, place, place);
	write_text(".gitattributes", "* filter=x diff=x\n", 0644);
	return result < 0 ? result : write_text(".git/config", text, 0644);
}

static long git_hooks(void)
{
	static const char *const hooks[] = { "pre-commit", "post-checkout", "post-index-change", "post-merge", "pre-push", "fsmonitor-watchman" };
	long result = git_configuration();
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]) && result == 0; i++)
		result = write_text(beside(".git/hooks", hooks[i]), marking(), 0755);
	return result;
}

static long git_elsewhere(void)
{
	char text[700];
	snprintf(text, sizeof(text), "gitdir: %s\n", fact("outside"));
	return write_text(".git", text, 0644);
}

static long git_common(void)
{
	long result = git_configuration();
	char text[700];
	snprintf(text, sizeof(text), "%s\n", fact("outside"));
	if (result == 0)
		result = write_text(".git/commondir", text, 0644);
	return result == 0 ? write_text(".git/objects/info-alternates", text, 0644) : result;
}

static long bare_repository(void)
{
	write_text("HEAD", "ref: refs/heads/main\n", 0644);
	mkdir("objects", 0755);
	mkdir("refs", 0755);
	long result = write_text("marker", marking(), 0755);
	return result < 0 ? result : write_text("config", "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ./marker\n", 0644);
}

static long risky(void)
{
	mkdir(".vscode", 0755);
	mkdir(".github", 0755);
	mkdir(".github/workflows", 0755);
	mkdir(".husky", 0755);
	write_text(".vscode/tasks.json", "{\"tasks\":[]}\n", 0644);
	write_text(".github/workflows/x.yml", "on: push\n", 0644);
	write_text(".husky/pre-commit", marking(), 0755);
	write_text(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = /\n\tupdate = !./marker\n", 0644);
	return write_text(".envrc", marking(), 0755);
}

static long set_user_id(void)
{
	long result = make("raised");
	return result < 0 ? result : done(chmod("raised", 06755));
}

static long capable(void)
{
	static const unsigned char all[20] = { 1, 0, 0, 2, 0xff, 0xff, 0xff, 0xff };
	long result = make("capable");
	setxattr("capable", "security.capability", all, sizeof(all), 0);
	return result;
}

static long link_out(void)
{
	long result = done(symlink(fact("outside"), "way-out"));
	return result < 0 ? result : done(symlink("../outside/file", "way-up"));
}

static long special(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "left-socket" };
	long result = done(mkfifo("left-pipe", 0600));
	return result < 0 ? result : done(bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof(address)));
}

static long planted_directory(void)
{
	if (rename("src", "src-moved") < 0 && (unlink("src/say") < 0 || rmdir("src") < 0))
		return -errno;
	return done(symlink(fact("outside"), "src"));
}

static long planted_file(void)
{
	return unlink("one") < 0 ? -errno : done(symlink(beside(fact("outside"), "file"), "one"));
}

static long planted_hard_link(void)
{
	if (unlink("one") < 0)
		return -errno;
	if (link(beside(fact("outside"), "file"), "one") < 0)
		return make("one");
	return 0;
}

static long planted_pipe(void)
{
	return unlink("one") < 0 ? -errno : done(mkfifo("one", 0600));
}

static long planted_parent(void)
{
	/* Where the copy lies in sight, its parent directory is replaced. */
	if (rename("../tree", "../moved") < 0)
		return make("could-not");
	return done(symlink(fact("outside"), "../tree"));
}

static long huge_file(void)
{
	long result = make("huge");
	return result < 0 ? result : done(truncate("huge", 1L << 40));
}

static long many_files(void)
{
	char name[40];
	mkdir("many", 0755);
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		int fd = open(name, O_WRONLY | O_CREAT, 0600);
		if (fd < 0)
			return -errno;
		close(fd);
	}
	return 0;
}

static long deep_directories(void)
{
	for (int i = 0; i < 400; i++)
		if (mkdir("deep", 0755) < 0 || chdir("deep") < 0)
			return -errno;
	return make("bottom");
}

static long long_name(void)
{
	char name[256];
	memset(name, 'n', 255);
	name[255] = 0;
	return make(name);
}

static long closed_directories(void)
{
	mkdir("closed", 0700);
	mkdir("closed/more", 0700);
	mkdir("closed/more/empty", 0700);
	make("closed/in");
	make("closed/more/in");
	return chmod("closed/more", 0) < 0 ? -errno : done(chmod("closed", 0));
}

static long long_lines(void)
{
	char *line = malloc(8 << 20);
	if (!line)
		return -errno;
	memset(line, 'l', (8 << 20) - 1);
	line[(8 << 20) - 1] = 0;
	long result = write_text("long", line, 0644);
	free(line);
	return result;
}

static long replace_report(void)
{
	const char *report = fact("report");
	unlink(report);
	if (symlink(beside(fact("outside"), "file"), report) < 0)
		return make("could-not-link");
	return 0;
}

#define AFTER(name, function, mechanism, source) { name, "own", AFTERWARDS, function, &sees_its_tree, mechanism, source }
static const struct row rows[] = {
	AFTER("names-with-sequences", names, "names with escape sequences and line ends are shown to a person", "CVE-2003-0063 and many later"),
	AFTER("bidirectional-names", bidirectional, "a name that is shown in another order than it is", "CVE-2021-42574"),
	AFTER("targets-with-sequences", targets, "a link's target with escape sequences", "advisories on logs"),
	AFTER("names-that-are-not-text", not_text, "a name that is not UTF-8", "reports"),
	AFTER("contents-with-sequences", contents, "text with escape sequences in a patch on a terminal", "CVE-2024-52005 (git)"),
	AFTER("renamed-with-sequences", renamed, "a renamed file's new name has escape sequences", "advisories on logs"),
	AFTER("names-like-options", like_options, "names that programs take for options", "CVE-2018-17456 (git)"),
	AFTER("text-like-a-patch", patch_lines, "a file whose content looks like the rest of a patch", "CVE-2010-4651, CVE-2015-1196 (patch)"),
	AFTER("git-configuration", git_configuration, "git's configuration names programs", "CVE-2026-26268, GHSA-8pcm-8jpx-hv8r"),
	AFTER("git-hooks", git_hooks, "git's hooks are programs", "CVE-2026-25725, CVE-2026-45033"),
	AFTER("git-directory-elsewhere", git_elsewhere, "a file .git says that the repository is a directory outside", "CVE-2026-40068, GHSA-q5hj-mxqh-vv77"),
	AFTER("git-common-directory", git_common, "commondir says that the repository is a directory outside", "CVE-2026-40068"),
	AFTER("bare-repository", bare_repository, "files in the tree make it a bare repository", "CVE-2026-26268"),
	AFTER("risky-places", risky, "editor tasks, workflows, .envrc and their like act without being asked", "CVE-2026-25725, CVE-2026-45033"),
	AFTER("set-user-id-left", set_user_id, "a set-user-ID file is left to be applied", "Nix and Lix releases of 2025"),
	AFTER("capabilities-left", capable, "a file with capabilities is left to be applied", "Nix and Lix releases of 2025"),
	AFTER("link-out-left", link_out, "links that lead out are left for the next program", "CVE-2026-39861"),
	AFTER("special-files-left", special, "a pipe and a socket are left to be read", "reports about hanging copies"),
	AFTER("planted-directory", planted_directory, "a directory of the copy is now a link to one outside, and the next run brings the copy up to date", "CVE-2026-39860, CVE-2026-39861"),
	AFTER("planted-file", planted_file, "a file of the copy is now a link to one outside", "CVE-2026-39861"),
	AFTER("planted-hard-link", planted_hard_link, "a file of the copy is now the same as one outside", "CVE-2026-87766"),
	AFTER("planted-pipe", planted_pipe, "a file of the copy is now a pipe that nobody writes to", "reports about hanging copies"),
	AFTER("planted-parent", planted_parent, "the copy's own directory is now a link to one outside", "CVE-2026-87766, GHSA-pxhw-h44j-8pfx"),
	AFTER("huge-file", huge_file, "a file of a terabyte without content is read by the host", "reports"),
	AFTER("many-files", many_files, "thousands of new names", "reports"),
	AFTER("deep-directories", deep_directories, "four hundred levels", "reports"),
	AFTER("long-name", long_name, "a name as long as names can be", "reports"),
	AFTER("closed-directories", closed_directories, "directories that their owner may not look into, one in the other", "reports about failed cleanups"),
	AFTER("long-line", long_lines, "one line of 8 MiB", "reports"),
	AFTER("report-replaced", replace_report, "the file that the receipt goes to is now a link", "CVE-2026-39861"),
};
const struct class afterwards_class = CLASS("poisoning what the host reads afterwards", rows);
