/* tests/face_place.c - a home and a tree of the test's own. */
#include "config.h"

#include "face_place.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[PATH_MAX], tree[PATH_MAX];
static unsigned counted;

const char *face_place_tree(void)
{
	return tree;
}

const char *face_place_home(void)
{
	return home;
}

static int write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return -1;
	int written = dprintf(fd, "%s", text);
	close(fd);
	return written < 0 ? -1 : 0;
}

/* None of its parents may be writable by others: the user's home is the likeliest. */
static int choose_home(void)
{
	const char *bases[] = { getenv("HOME"), TEST_BUILD };
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		snprintf(home, sizeof(home), "%s/pinfold-test-XXXXXX", bases[i] ? bases[i] : "/nowhere");
		if (mkdtemp(home))
			return 0;
	}
	return -1;
}

int face_place_make(void **state)
{
	(void)state;
	static const char *const unset[] = { "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
					     "XDG_RUNTIME_DIR", "MAKEFLAGS", "TMPDIR", "NO_COLOR" };
	if (choose_home() < 0)
		return -1;
	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	setenv("HOME", home, 1);
	snprintf(tree, sizeof(tree), "%.4000s/tree", home);
	if (mkdir(tree, 0755) < 0 || chdir(tree) < 0 || mkdir("src", 0755) < 0)
		return -1;
	if (write_file("one", "one\n", 0644) < 0 || write_file("say", "#!/bin/sh\necho \"$@\"\n", 0755) < 0)
		return -1;
	return write_file("plain", "echo plain \"$@\"\n", 0755);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
	(void)about;
	(void)kind;
	(void)at;
	return remove(path);
}

int face_place_remove(void **state)
{
	(void)state;
	if (chdir("/") < 0)
		return -1;
	return nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int count_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
	(void)path;
	(void)about;
	(void)kind;
	(void)at;
	counted++;
	return 0;
}

unsigned face_place_count(const char *directory)
{
	counted = 0;
	nftw(directory, count_one, 16, FTW_PHYS);
	return counted;
}
