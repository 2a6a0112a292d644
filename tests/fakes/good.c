/* fakes/good.c - right in everything, with one part of each kind and a key of each type. */
#define FAKE_NAME "good"
#define FAKE_PROBE probe_as_set
#define FAKE_KEYS keys
#define FAKE_VIEWS views
#define FAKE_WRAPPERS wrappers

#include <pinfold/arm.h>
#include <pinfold/view.h>
#include <pinfold/wrapper.h>

#include <string.h>

#define KEY(name_, type_, initial_, words_) \
	{ sizeof(struct pinfold_key), PINFOLD_KEY_##type_, name_, initial_, words_, "for tests" }
static const struct pinfold_key keys[] = {
	KEY("text", TEXT, "plain", NULL),
	KEY("bare", TEXT, NULL, NULL),
	KEY("flag", FLAG, "yes", NULL),
	KEY("number", NUMBER, "7", NULL),
	KEY("path", PATH, "~/somewhere", NULL),
	KEY("list", LIST, " a, b c,,d ", NULL),
	KEY("word", WORD, "kept", "kept open refused"),
	{ .size = sizeof(struct pinfold_key) },
};

/* Keeps what the key `word` says, and counts its probes in a record of its own. */
static int probe_as_set(const struct pinfold_host *host, struct pinfold_offer *offer,
			struct pinfold_error *err)
{
	const char *word = host->setting(host, "word");
	const void *data;
	size_t bytes;
	uint32_t count = 0;
	(void)err;
	if (host->recall(host, "count", "", &data, &bytes) && bytes == sizeof(count))
		memcpy(&count, data, bytes);
	count++;
	host->keep(host, "count", "", &count, sizeof(count));
	host->log(host, PINFOLD_LOG_INFO, host->print(host, "probe %u of good", count));
	offer->available = strcmp(word, "refused") != 0;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(PROCESS_TREE);
	if (strcmp(word, "kept") == 0)
		offer->kept |= PINFOLD_BIT(NETWORK);
	offer->note[PINFOLD_AXIS_SECRETS] = "it hides nothing";
	offer->missing = "the key says so";
	offer->lift = "set word = kept";
	return 0;
}

static int open_nothing(const struct pinfold_host *host, const char *tree, const char *session,
			uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	(void)host;
	(void)session;
	(void)placing;
	(void)kept;
	(void)err;
	*ret_state = (void *)tree;
	return 0;
}

static int sync_nothing(const struct pinfold_host *host, void *state, struct pinfold_shown *shown,
			struct pinfold_work *work, struct pinfold_error *err)
{
	(void)host;
	(void)work;
	(void)err;
	shown->source = state;
	return 0;
}

static void close_nothing(const struct pinfold_host *host, void *state, uint32_t keep)
{
	(void)host;
	(void)state;
	(void)keep;
}

static const struct pinfold_view view = {
	.size = sizeof(view),
	.name = "good",
	.summary = "a view for tests",
	.open = open_nothing,
	.sync = sync_nothing,
	.close = close_nothing,
};
static const struct pinfold_view *const views[] = { &view, NULL };

static int match_good(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	return strcmp(file_name, "good") == 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "good",
	.summary = "a wrapper for tests",
	.matches = match_good,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

#include "fake.h"
