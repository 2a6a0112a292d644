/* tests/wrappers_place.c - a directory of the test's own, and what one toolchain sees from there. */
#include "config.h"

#include "wrappers_place.h"

#include "wrappers/fingerprint.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[4096];
static struct sight sight;
static struct look look;

const char *place(const char *name)
{
	static char room[8][5000];
	static unsigned next;
	char *path = room[next++ % 8];
	snprintf(path, sizeof(room[0]), "%s/%s", base, name);
	return path;
}

static void make_parents(const char *name)
{
	char path[5000];
	snprintf(path, sizeof(path), "%s/%s", base, name);
	for (char *slash = path + strlen(base) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert(mkdir(path, 0755) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

void place_write(const char *name, const char *content, unsigned mode)
{
	make_parents(name);
	unlink(place(name));
	int fd = open(place(name), O_WRONLY | O_CREAT | O_EXCL, mode);
	assert(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
	close(fd);
}

void place_behind(const char *source, const char *upper)
{
	sight.source = source ? source : sight.tree;
	sight.upper = upper;
}

int place_make(void **state)
{
	(void)state;
	char directory[] = TEST_BUILD "/wrappers-XXXXXX";
	assert(mkdtemp(directory));
	assert(realpath(directory, base));
	make_parents("tree/sub/");
	make_parents("home/");
	make_parents("bin/");
	setenv("HOME", place("home"), 1);
	unsetenv("XDG_CACHE_HOME");
	static char tree[5000], sub[5000];
	snprintf(tree, sizeof(tree), "%s", place("tree"));
	snprintf(sub, sizeof(sub), "%s", place("tree/sub"));
	sight = (struct sight){ .directory = sub, .tree = tree, .source = tree };
	return 0;
}

int place_remove(void **state)
{
	(void)state;
	char command[5100];
	look_release(&look);
	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	return system(command);
}

const struct look *place_look(const struct toolchain *toolchain, const char *const *environment)
{
	look_release(&look);
	look.sight = &sight;
	look.environment = environment;
	toolchain->look(&look);
	assert(!look.failed);
	return &look;
}

const char *place_stamps(const struct toolchain *toolchain, const char *const *environment)
{
	static char room[16][FINGERPRINT_ROOM];
	static unsigned next;
	char *digest = room[next++ % 16];
	place_look(toolchain, environment);
	toolchain->stamp(&look);
	fingerprint_of(look.stamps.data ? look.stamps.data : "", look.stamps.length, digest);
	return digest;
}
