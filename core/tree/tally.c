/* tree/tally.c - budgets: what a tree may have at most, and by how much it is past that. */
#include "config.h"

#include "tree/folder.h"

#include "base/clock.h"
#include "base/fault.h"

#include <stdio.h>

/* How long the rest of a tree that is too large is counted, so that the refusal can say how large. */
static const uint64_t COUNTING_NANOSECONDS = 3000000000;

int tally_add(struct mirror *mirror, uint64_t files, uint64_t bytes)
{
	uint64_t all_files = atomic_fetch_add(&mirror->files, files) + files;
	uint64_t all_bytes = bytes ? atomic_fetch_add(&mirror->bytes, bytes) + bytes : mirror->bytes;
	if (mirror->counting)
		return clock_nanoseconds() > mirror->deadline ? -1 : 0;
	if (all_files > mirror->order->most_files || all_bytes > mirror->order->most_bytes) {
		mirror->deadline = clock_nanoseconds() + COUNTING_NANOSECONDS;
		mirror->counting = 1;
	}
	return 0;
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
		 "set [copy] %s higher, or run in a smaller directory", key);
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
