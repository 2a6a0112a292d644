/* bench/sync.c - brings a kept copy of a directory up to date once and prints what that took. */
#include "config/config.h"
#include "config/scope.h"
#include "tree/copies.h"

#include <inttypes.h>
#include <pinfold/plugin.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(const struct pinfold_error *err)
{
	fprintf(stderr, "sync: cannot %s: %s; %s\n", err->action, err->subject, err->recovery);
	return EXIT_FAILURE;
}

/* sync DIRECTORY SCRATCH [THREADS [untouched]]: the last word says that no command changes the copy. */
int main(int argc, char **argv)
{
	char scratch[4200], threads[80];
	if (argc < 3)
		return EXIT_FAILURE;
	snprintf(scratch, sizeof(scratch), "filesystem.scratch=%s", argv[2]);
	snprintf(threads, sizeof(threads), "copy.threads=%s", argc > 3 ? argv[3] : "0");
	const char *const settings[] = { scratch, threads, NULL };
	struct config_sources sources = { .site = "", .user = "", .settings = settings };
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	if (config_load(&sources, &config, &err) < 0)
		return complain(&err);
	struct pinfold_scope scope = { .config = config };
	struct pinfold_host host = { .size = sizeof(host), .scope = &scope };
	struct pinfold_copy *copy = NULL;
	struct pinfold_work work = { 0 };
	if (copies_trees.open(&host, argv[1], 0, NULL, &copy, &err) < 0)
		return complain(&err);
	if (copies_trees.sync(copy, &work, &err) < 0) {
		copies_trees.close(copy, PINFOLD_COPY_RETIRE);
		return complain(&err);
	}
	printf("%s fresh %" PRIu32 " walked %" PRIu64 " created %" PRIu64 " rewritten %" PRIu64
	       " removed %" PRIu64 " bytes %" PRIu64 " skipped %" PRIu64 " microseconds %" PRIu64 "\n",
	       copies_trees.directory(copy), work.fresh, work.walked, work.created, work.rewritten,
	       work.removed, work.bytes, work.skipped, work.nanoseconds / 1000);
	copies_trees.close(copy, argc > 4 ? PINFOLD_COPY_UNTOUCHED : PINFOLD_COPY_KEEP);
	config_free(config);
	return EXIT_SUCCESS;
}
