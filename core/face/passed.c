/* face/passed.c - views that a tree does not fit into: noted, and remembered. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "face/views.h"
#include "registry/records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char record_name[] = "passed-over";

enum { REMEMBERED_SECONDS = 24 * 60 * 60 };

struct memory {
	int64_t since;	/* seconds of CLOCK_REALTIME; the text follows, with its end */
	char text[1600];
};

/* Everything that the answer depends on, but for the tree's content, which nobody looks at. */
static char *stamp_of(const struct pinfold_run *run, const char *name)
{
	static const char *const keys[] = { "max-files", "max-bytes", "max-depth" };
	struct text stamp = { 0 };
	text_addf(&stamp, "%s %s %" PRIu64 ":%" PRIu64, name, run->directory.path,
		  (uint64_t)run->directory.device, (uint64_t)run->directory.inode);
	for (size_t i = 0; i < N_ELEMENTS(keys); i++)
		text_addf(&stamp, " %" PRIu64, config_number(run->pinfold->config, "copy", keys[i]));
	return text_take(&stamp);
}

/* The scope of records that belong to this view; to be freed. */
static struct pinfold_host *open_records(const struct pinfold_run *run, const char *name)
{
	char section[80];
	snprintf(section, sizeof(section), "view:%s", name);
	return registry_host(run->pinfold->registry, section);
}

static bool is_fresh(const struct memory *memory, size_t bytes)
{
	int64_t age = (int64_t)time(NULL) - memory->since;
	return bytes > offsetof(struct memory, text) && bytes <= sizeof(*memory) && age >= 0 &&
	       age < REMEMBERED_SECONDS && memchr(memory->text, '\0', bytes - offsetof(struct memory, text));
}

bool passed_recall(struct pinfold_run *run, const char *name)
{
	auto_free char *stamp = stamp_of(run, name);
	struct pinfold_host *host = open_records(run, name);
	struct memory memory = { 0 };
	const void *data;
	size_t bytes = 0;
	bool found = host && stamp && records_recall(host->scope, record_name, stamp, &data, &bytes) == 1 &&
		     bytes <= sizeof(memory);
	if (found)
		memcpy(&memory, data, bytes);
	found = found && is_fresh(&memory, bytes) && list_add(&run->passed_over, memory.text) == 0;
	registry_host_free(host);
	return found;
}

static void remember(const struct pinfold_run *run, const char *name, const char *text)
{
	auto_free char *stamp = stamp_of(run, name);
	struct pinfold_host *host = open_records(run, name);
	struct memory memory = { .since = (int64_t)time(NULL) };
	int length = snprintf(memory.text, sizeof(memory.text), "%s", text);
	if (host && stamp && length >= 0 && (size_t)length < sizeof(memory.text))
		records_keep(host->scope, record_name, stamp, &memory,
			     offsetof(struct memory, text) + (size_t)length + 1);
	registry_host_free(host);
}

int passed_note(struct pinfold_run *run, const char *name, const struct pinfold_error *why,
		struct pinfold_error *err)
{
	struct text text = { 0 };
	text_addf(&text, "the view %s is passed over: cannot %s: %s; %s", name, why->action, why->subject,
		  why->recovery);
	auto_free char *line = text_take(&text);
	if (!line || list_add(&run->passed_over, line) < 0)
		return fault_no_memory(err);
	/* What a budget forbids today it forbids tomorrow; what else went wrong may be right again at once. */
	if (why->code == PINFOLD_E_BUDGET)
		remember(run, name, line);
	return 0;
}
