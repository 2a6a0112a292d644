/* tests/fuzz/replay.c - runs every target over its corpus, and over as many inputs made of it by chance.
 *
 * replay CORPUS [INPUTS [SEED]]: INPUTS of each file. The same numbers make the same inputs. */
#include "config.h"

#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 16 };

static uint64_t state;
static const char *current;

static uint32_t below(uint32_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

static void change_byte(uint8_t *data, size_t bytes)
{
	static const uint8_t telling[] = { 0, 1, 0x7f, 0x80, 0xff, '\n', '/', '.', '"', '{', '\\', 0x1b };
	size_t at = below((uint32_t)bytes);
	data[at] = below(2) ? telling[below(sizeof(telling))] : (uint8_t)below(256);
}

/* A part of it goes, comes twice, or lands elsewhere. */
static size_t change_length(uint8_t *data, size_t bytes)
{
	size_t from = below((uint32_t)bytes), count = 1 + below((uint32_t)(bytes - from));
	if (below(2)) {
		memmove(data + from, data + from + count, bytes - from - count);
		return bytes - count;
	}
	if (bytes + count > LONGEST)
		return bytes;
	memmove(data + from + count, data + from, bytes - from);
	return bytes + count;
}

static size_t mutate(uint8_t *data, size_t bytes)
{
	for (uint32_t times = 1 + below(6); times > 0 && bytes > 0; times--) {
		if (below(4) > 0)
			change_byte(data, bytes);
		else
			bytes = change_length(data, bytes);
	}
	return bytes;
}

static size_t read_seed(int dir, const char *name, uint8_t *data)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, data, LONGEST);
	FUZZ_HOLDS(got >= 0);
	close(fd);
	return (size_t)got;
}

/* The sanitizers want to be exact about where it ends. */
static void run_exactly(const struct fuzz_target *target, const uint8_t *data, size_t bytes)
{
	uint8_t *exact = malloc(bytes ? bytes : 1);
	FUZZ_HOLDS(exact);
	memcpy(exact, data, bytes);
	target->run(exact, bytes);
	free(exact);
}

static unsigned long replay_file(const struct fuzz_target *target, int dir, const char *name, unsigned long inputs)
{
	static uint8_t seed[LONGEST], data[LONGEST];
	size_t bytes = read_seed(dir, name, seed);
	run_exactly(target, seed, bytes);
	for (unsigned long i = 0; i < inputs; i++) {
		memcpy(data, seed, bytes);
		run_exactly(target, data, mutate(data, bytes));
	}
	return inputs + 1;
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_seed(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static unsigned long replay_target(const struct fuzz_target *target, const char *corpus, unsigned long inputs)
{
	char path[4096];
	struct dirent **entries;
	unsigned long done = 0;
	snprintf(path, sizeof(path), "%s/%s", corpus, target->name);
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), count = scandir(path, &entries, is_seed, by_name);
	if (dir < 0 || count <= 0) {
		fprintf(stderr, "%s: no corpus\n", path);
		exit(EXIT_FAILURE);
	}
	for (int i = 0; i < count; i++) {
		done += replay_file(target, dir, entries[i]->d_name, inputs);
		free(entries[i]);
	}
	free(entries);
	close(dir);
	return done;
}

static void tell_current(void)
{
	if (current)
		fprintf(stderr, "while the target was: %s\n", current);
	fuzz_clean();
}

int main(int argc, char **argv)
{
	const char *corpus = argc > 1 ? argv[1] : FUZZ_CORPUS;
	unsigned long inputs = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	atexit(tell_current);
	for (const struct fuzz_target *target = fuzz_targets; target->name; target++) {
		current = target->name;
		state = seed;
		printf("%s: %lu inputs\n", target->name, replay_target(target, corpus, inputs));
	}
	current = NULL;
	return EXIT_SUCCESS;
}
