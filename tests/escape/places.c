/* escape/places.c - temporary directories, the home, and what programs of the host read there later. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *home(const char *name) { return beside(fact("home"), name); }

static long in_tmp(void) { return make(beside("/tmp", token)); }
static long in_var_tmp(void) { return make(beside("/var/tmp", token)); }
static long in_callers_tmp(void) { return make(beside(fact("tmpdir"), token)); }
static long in_runtime(void) { return make(beside(fact("runtime"), token)); }
static long shell_start(void) { return put(open(home(".bashrc"), O_WRONLY | O_CREAT | O_APPEND, 0644)); }
static long login(void) { return make(home(".profile")); }
static long cache(void) { return make(beside(home(".cache"), token)); }
static long cache_of_program(void) { return put(open(home(".cache/program/entry"), O_WRONLY | O_APPEND)); }
static long crate(void) { return put(open(home(".cargo/registry/crate"), O_WRONLY | O_APPEND)); }
static long configuration(void) { return make(home(".config/pinfold/pinfold.conf")); }
static long records(void) { return make(beside(home(".cache/pinfold"), token)); }
static long editor(void) { return make(home(".vimrc")); }

static long in_path(void)
{
	mkdir(home(".local"), 0755);
	mkdir(home(".local/bin"), 0755);
	return make(home(".local/bin/ls"));
}

static long started_at_login(void)
{
	mkdir(home(".config"), 0755);
	mkdir(home(".config/autostart"), 0755);
	return make(home(".config/autostart/x.desktop"));
}

static long settings_above(void)
{
	mkdir("../.cargo", 0755);
	return make("../.cargo/config.toml");
}

static long settings_in_tmp(void)
{
	mkdir("/tmp/.cargo", 0755);
	return make(beside("/tmp/.cargo", token));
}

/* TMPDIR is turned into a link, for whoever clears it afterwards. */
static long link_temporary(void)
{
	const char *place = getenv("TMPDIR");
	char moved[600];
	if (unconfined)
		return make(beside(fact("outside"), token));
	if (!place || strlen(place) > 500)
		return -ENOENT;
	strcpy(moved, place);
	strcat(moved, "-moved");
	if (rename(place, moved) < 0)
		return -errno;
	return done(symlink(fact("outside"), place));
}

#define PLACE(name, function, mechanism, source) { name, "writes", 0, function, &has_its_temporary, mechanism, source }
static const struct row rows[] = {
	PLACE("tmp", in_tmp, "a file in /tmp that programs of the host find", "reports"),
	PLACE("var-tmp", in_var_tmp, "a file in /var/tmp that programs of the host find", "reports"),
	PLACE("tmpdir-of-the-caller", in_callers_tmp, "a file in the directory that the caller's TMPDIR names", "reports"),
	PLACE("runtime-directory", in_runtime, "a file in the caller's runtime directory", "reports"),
	PLACE("tmpdir-becomes-link", link_temporary, "the private temporary directory is replaced by a link before it is removed", "CVE-2026-39861"),
	PLACE("shell-start", shell_start, "~/.bashrc runs at the next shell", "CVE-2026-25725"),
	PLACE("login", login, "~/.profile runs at the next login", "CVE-2026-25725"),
	PLACE("autostart", started_at_login, "~/.config/autostart runs at the next login", "freedesktop.org's specification"),
	PLACE("program-in-path", in_path, "~/.local/bin comes before the system's programs", "reports"),
	PLACE("editor-settings", editor, "~/.vimrc runs in the next editor", "reports"),
	PLACE("cache", cache, "a file in ~/.cache is found by later builds", "seen with ccache"),
	PLACE("cache-entry", cache_of_program, "an entry of a cache is changed: the next build outside takes it", "seen with ccache"),
	PLACE("registry-entry", crate, "a source in Cargo's registry is changed: the next build outside takes it", "reports"),
	PLACE("own-configuration", configuration, "pinfold's configuration of the user loosens later runs", "CVE-2026-25725"),
	PLACE("own-records", records, "pinfold's records are added to", "pinfold-copytree(7)"),
	PLACE("settings-above-the-tree", settings_above, "Cargo reads .cargo/config.toml of every directory above", "seen with Cargo"),
	PLACE("settings-in-tmp", settings_in_tmp, "the same below /tmp, for every tree there", "seen with Cargo"),
};
const struct class places_class = CLASS("TMPDIR and HOME games", rows);
