/* plugins/seatbelt/spell.c - asking the kernel how it spells a path. */
#include "spell.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* What getattrlist takes and gives: one attribute, the full path. */
struct wanted {
	uint16_t count, reserved;
	uint32_t common, volume, directory, file, fork;
};
struct given {
	uint32_t bytes;
	int32_t offset;	/* of the text, from here */
	uint32_t length;	/* with its NUL */
	char text[PATH_MAX + 64];
} __attribute__((packed, aligned(4)));
enum { WANTED_COUNT = 5, WANTED_FULL_PATH = 0x08000000, NO_FOLLOW = 1 };

static const char action[] = "find how the kernel spells a path";

static int no_memory(const struct pinfold_host *host, struct pinfold_error *err)
{
	return host->fail(err, PINFOLD_E_NO_MEMORY, 0, action, NULL, "free memory on this machine and try again");
}

/* 1 and the kernel's spelling; 0 where there is nothing to be seen; -1 with an error. */
static int ask(const struct pinfold_host *host, const struct calls *calls, const char *path, const char **ret_path,
	       struct pinfold_error *err)
{
	struct wanted wanted = { .count = WANTED_COUNT, .common = WANTED_FULL_PATH };
	struct given given = { 0 };
	if (calls->spell(path, &wanted, &given, sizeof(given), NO_FOLLOW) < 0) {
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP)
			return 0;
		return host->fail(err, PINFOLD_E_SYSTEM, errno, action, path, "check that its file system works");
	}
	size_t start = offsetof(struct given, offset) + (size_t)given.offset;
	if (given.offset < 8 || given.length < 2 || start + given.length > sizeof(given) ||
	    ((char *)&given)[start + given.length - 1] != '\0' || ((char *)&given)[start] != '/')
		return host->fail(err, PINFOLD_E_SYSTEM, 0, action, path, "report this");
	*ret_path = host->print(host, "%s", (char *)&given + start);
	return *ret_path ? 1 : no_memory(host, err);
}

int spell_path(const struct pinfold_host *host, const struct calls *calls, const char *path,
	       const char **ret_path, struct pinfold_error *err)
{
	const char *spelled = path, *last = strrchr(path, '/');
	int found = ask(host, calls, path, &spelled, err);
	if (found == 0 && last > path) {
		const char *parent = host->print(host, "%.*s", (int)(last - path), path), *above;
		if (!parent)
			return no_memory(host, err);
		if (spell_path(host, calls, parent, &above, err) < 0)
			return -1;
		spelled = host->print(host, "%s%s", strcmp(above, "/") == 0 ? "" : above, last);
		if (!spelled)
			return no_memory(host, err);
	}
	if (found < 0)
		return -1;
	*ret_path = spelled;
	return 0;
}

/* Who spells, and what has been spelled by now. */
struct speller {
	const struct pinfold_host *host;
	const struct calls *calls;
	struct spelling *spelling;
};

static bool is_noted(const struct spelling *spelling, const char *text)
{
	for (size_t i = 0; i < spelling->count; i++)
		if (strcmp(spelling->rewritten[i], text) == 0)
			return true;
	return false;
}

/* Memory of the host's is never given back: room doubles. */
static int note(struct speller *speller, const char *from, const char *to, struct pinfold_error *err)
{
	const struct pinfold_host *host = speller->host;
	struct spelling *spelling = speller->spelling;
	const char *text = strcmp(from, to) == 0 ? "" : host->print(host, "%s -> %s", from, to);
	if (!text)
		return no_memory(host, err);
	if (!*text || is_noted(spelling, text))
		return 0;
	if (spelling->count + 1 >= spelling->room) {
		size_t room = spelling->room ? 2 * spelling->room : 16;
		const char **larger = host->allocate(host, room * sizeof(*larger));
		if (!larger)
			return no_memory(host, err);
		if (spelling->count > 0)
			memcpy(larger, spelling->rewritten, spelling->count * sizeof(*larger));
		spelling->rewritten = larger;
		spelling->room = room;
	}
	spelling->rewritten[spelling->count++] = text;
	return 0;
}

static int respell(struct speller *speller, const char **path, struct pinfold_error *err)
{
	const char *spelled;
	if (!*path)
		return 0;
	if (spell_path(speller->host, speller->calls, *path, &spelled, err) < 0 || note(speller, *path, spelled, err) < 0)
		return -1;
	*path = spelled;
	return 0;
}

static int spell_row(struct speller *speller, struct pinfold_path *row, struct pinfold_error *err)
{
	struct stat now;
	if (respell(speller, &row->path, err) < 0)
		return -1;
	if (row->inode == 0 || lstat(row->path, &now) < 0)
		return 0;
	if ((uint64_t)now.st_ino == row->inode && (uint64_t)now.st_dev == row->device)
		return 0;
	return speller->host->fail(err, PINFOLD_E_POLICY, 0, "confine by a path", row->path,
				   "it was replaced while the run was prepared: try again");
}

static int spell_paths(struct speller *speller, struct pinfold_error *err)
{
	struct pinfold_policy *policy = &speller->spelling->policy;
	struct pinfold_path *paths = speller->host->allocate(speller->host, (policy->path_count + 1) * sizeof(*paths));
	if (!paths)
		return no_memory(speller->host, err);
	for (size_t i = 0; i < policy->path_count; i++) {
		size_t size = policy->paths[i].size;
		memcpy(&paths[i], &policy->paths[i], size < sizeof(*paths) ? size : sizeof(*paths));
		if (spell_row(speller, &paths[i], err) < 0)
			return -1;
	}
	policy->paths = paths;
	return 0;
}

/* What comes before a pattern's first wildcard is a directory, and a part of a name. */
static int spell_pattern(struct speller *speller, struct pinfold_pattern *row, struct pinfold_error *err)
{
	const struct pinfold_host *host = speller->host;
	size_t plain = strcspn(row->pattern, "*?");
	while (plain > 0 && row->pattern[plain - 1] != '/')
		plain--;
	if (plain < 2)
		return 0;
	const char *directory = host->print(host, "%.*s", (int)plain - 1, row->pattern), *spelled, *written = row->pattern;
	if (!directory)
		return no_memory(host, err);
	if (spell_path(host, speller->calls, directory, &spelled, err) < 0)
		return -1;
	row->pattern = host->print(host, "%s%s", strcmp(spelled, "/") == 0 ? "" : spelled, written + plain - 1);
	return row->pattern ? note(speller, written, row->pattern, err) : no_memory(host, err);
}

static int spell_patterns(struct speller *speller, struct pinfold_error *err)
{
	struct pinfold_policy *policy = &speller->spelling->policy;
	struct pinfold_pattern *rows =
		speller->host->allocate(speller->host, (policy->pattern_count + 1) * sizeof(*rows));
	if (!rows)
		return no_memory(speller->host, err);
	for (size_t i = 0; i < policy->pattern_count; i++) {
		rows[i] = policy->patterns[i];
		if (spell_pattern(speller, &rows[i], err) < 0)
			return -1;
	}
	policy->patterns = rows;
	return 0;
}

static int spell_grants(struct speller *speller, struct pinfold_error *err)
{
	struct pinfold_policy *policy = &speller->spelling->policy;
	struct pinfold_grant *rows = speller->host->allocate(speller->host, (policy->grant_count + 1) * sizeof(*rows));
	if (!rows)
		return no_memory(speller->host, err);
	for (size_t i = 0; i < policy->grant_count; i++) {
		rows[i] = policy->grants[i];
		if (respell(speller, &rows[i].path, err) < 0)
			return -1;
	}
	policy->grants = rows;
	return 0;
}

int spell_scene(const struct pinfold_host *host, const struct calls *calls, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct spelling *ret_spelling, struct pinfold_error *err)
{
	struct spelling spelling = { .shown = *shown };
	struct speller speller = { host, calls, &spelling };
	memcpy(&spelling.policy, policy, policy->size < sizeof(spelling.policy) ? policy->size : sizeof(spelling.policy));
	spelling.policy.size = sizeof(spelling.policy);
	if (spell_paths(&speller, err) < 0 || spell_patterns(&speller, err) < 0 || spell_grants(&speller, err) < 0)
		return -1;
	const char **const single[] = { &spelling.policy.scratch, &spelling.shown.tree, &spelling.shown.source,
					&spelling.shown.temporary };
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (respell(&speller, single[i], err) < 0)
			return -1;
	*ret_spelling = spelling;
	return 0;
}
