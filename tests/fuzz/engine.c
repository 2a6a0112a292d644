/* tests/fuzz/engine.c - one target, for libFuzzer: engine --target=NAME [libFuzzer's own options and corpora] */
#include "config.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char option[] = "--target=";
	for (int i = 1; i < *argc; i++)
		for (const struct fuzz_target *at = fuzz_targets; at->name; at++)
			if (strncmp((*argv)[i], option, strlen(option)) == 0 && strcmp((*argv)[i] + strlen(option), at->name) == 0)
				target = at;
	if (!target) {
		fprintf(stderr, "name a target with --target=\n");
		exit(EXIT_FAILURE);
	}
	atexit(fuzz_clean);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	target->run(data, bytes);
	return 0;
}
