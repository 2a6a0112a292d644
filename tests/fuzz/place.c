/* tests/fuzz/place.c - where targets put what is read by name, and how they fail. */
#include "config.h"

#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[4096];
static int place = -1;
static char names[8][16];
static unsigned name_count;

void fuzz_fail(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

int fuzz_directory(void)
{
	const char *below = getenv("TMPDIR");
	if (place >= 0)
		return place;
	snprintf(path, sizeof(path), "%s/pinfold-fuzz-XXXXXX", below ? below : "/tmp");
	FUZZ_HOLDS(mkdtemp(path));
	place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	FUZZ_HOLDS(place >= 0);
	return place;
}

static void remember(const char *name)
{
	for (unsigned i = 0; i < name_count; i++)
		if (strcmp(names[i], name) == 0)
			return;
	FUZZ_HOLDS(name_count < sizeof(names) / sizeof(names[0]));
	snprintf(names[name_count++], sizeof(names[0]), "%s", name);
}

void fuzz_put(const char *name, const void *data, size_t bytes)
{
	remember(name);
	int fd = openat(fuzz_directory(), name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FUZZ_HOLDS(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
	close(fd);
}

void fuzz_clean(void)
{
	while (place >= 0 && name_count > 0)
		unlinkat(place, names[--name_count], 0);
	if (place < 0)
		return;
	unlinkat(place, "apply", AT_REMOVEDIR);
	close(place);
	rmdir(path);
	place = -1;
}

char *fuzz_text(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);
	FUZZ_HOLDS(text);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	return text;
}
