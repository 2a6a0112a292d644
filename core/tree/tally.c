/* tree/tally.c - budgets: what a tree may have at most, and by how much it is past that. */
#include "config.h"

#include "tree/folder.h"

#include "base/clock.h"
#include "base/fault.h"

#include <stdio.h>

/* How long the rest of a tree that is too large is counted, so that the refusal can say how large. */
static const uint64_t COUNTING_NANOSECONDS = 3000000000;

/* What all threads count together is touched rarely: one cache line, sent to and fro for each file, would
 * cost as much as looking at the file. */
enum { UNTOLD_FILES = 64, UNTOLD_BYTES = 1 << 20 };

int tally_give(struct worker *worker)
{
	struct mirror *mirror = worker->mirror;
	uint64_t files = atomic_fetch_add(&mirror->files, worker->untold_files) + worker->untold_files;
	uint64_t bytes = atomic_fetch_add(&mirror->bytes, worker->untold_bytes) + worker->untold_bytes;
	worker->untold_files = worker->untold_bytes = 0;
	if (mirror->counting)
		return clock_nanoseconds() > mirror->deadline ? -1 : 0;
	if (files > mirror->order->most_files || bytes > mirror->order->most_bytes) {
		mirror->deadline = clock_nanoseconds() + COUNTING_NANOSECONDS;
		mirror->counting = 1;
	}
	return 0;
}

int tally_add(struct worker *worker, uint64_t files, uint64_t bytes)
{
	worker->untold_files += files;
	worker->untold_bytes += bytes;
	bool tell = worker->untold_files >= UNTOLD_FILES || worker->untold_bytes >= UNTOLD_BYTES;
	return tell ? tally_give(worker) : 0;
}

void tally_depth(struct mirror *mirror, uint32_t depth)
{
	if (depth <= mirror->order->most_depth)
		return;
	uint32_t deepest = mirror->deepest;
	while (depth > deepest && !atomic_compare_exchange_weak(&mirror->deepest, &deepest, depth))
		;
	if (!mirror->counting) {
		mirror->deadline = clock_nanoseconds() + COUNTING_NANOSECONDS;
		mirror->counting = 1;
	}
}

static int refuse(struct pinfold_error *err, const char *more, uint64_t found, const char *what,
		  uint64_t most, const char *key)
{
	char found_text[32], most_text[32], recovery[200];
	snprintf(recovery, sizeof(recovery),
		 "set [copy] %s higher, take a view that copies nothing (--view overlay), or run in a smaller "
		 "directory", key);
	return faultf(err, PINFOLD_E_BUDGET, 0, "copy the working tree", recovery,
		      "%s%s %s, past the budget of %s", more, text_grouped(found, found_text), what,
		      text_grouped(most, most_text));
}

int tally_refuse(struct mirror *mirror, struct pinfold_error *err)
{
	const struct mirror_order *order = mirror->order;
	const char *more = mirror->failed ? "more than " : "";
	if (mirror->deepest > order->most_depth)
		return refuse(err, more, mirror->deepest, "levels of directories", order->most_depth,
			      "max-depth");
	if (mirror->files > order->most_files)
		return refuse(err, more, mirror->files, "files", order->most_files, "max-files");
	return refuse(err, more, mirror->bytes, "bytes", order->most_bytes, "max-bytes");
}
