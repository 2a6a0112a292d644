/* tree/hidden.c - see hidden.h. */
#include "config.h"

#include "tree/hidden.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int order_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_left_out(const struct pinfold_path *path)
{
	bool names_only = path->match == PINFOLD_MATCH_LITERAL && S_ISDIR(path->mode);
	return path->kind == PINFOLD_PATH_HIDE && !names_only;
}

int hidden_of(struct policy *policy, struct hidden *ret_hidden)
{
	const struct pinfold_policy *lowered = &policy->lowered;
	const char **paths = arena_allocate(policy->arena, (lowered->path_count + 1) * sizeof(*paths));
	size_t count = 0;
	if (!paths)
		return -1;
	for (size_t i = 0; i < lowered->path_count; i++)
		if (is_left_out(&lowered->paths[i]))
			paths[count++] = lowered->paths[i].path;
	qsort(paths, count, sizeof(*paths), order_paths);
	*ret_hidden = (struct hidden){ paths, count };
	return 0;
}

enum { PARTS = 5 };

/* Compares a path that is in parts with a whole one; with `prefix` only as far as the parts go. */
static int compare(const char *const parts[PARTS], const char *path, bool prefix)
{
	for (size_t i = 0; i < PARTS; i++) {
		size_t length = strlen(parts[i]);
		int order = strncmp(parts[i], path, length);
		if (order != 0)
			return order;
		path += length;
	}
	return *path && !prefix ? -1 : 0;
}

/* How many of the paths come before: all that are less, and with `after` those that are equal too. */
static size_t count_before(const struct hidden *hidden, const char *const parts[PARTS], bool prefix, bool after)
{
	size_t low = 0, high = hidden->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(parts, hidden->paths[middle], prefix);
		if (order > 0 || (after && order == 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *without_root(const char *directory)
{
	return directory[1] ? directory : "";
}

struct hidden hidden_below(const struct hidden *hidden, const char *directory)
{
	const char *const parts[PARTS] = { without_root(directory), "/", "", "", "" };
	size_t first = count_before(hidden, parts, true, false), end = count_before(hidden, parts, true, true);
	return (struct hidden){ hidden->paths + first, end - first };
}

bool hidden_has(const struct hidden *hidden, const char *directory, const char *folder, const char *name)
{
	const char *const parts[PARTS] = { without_root(directory), "/", folder, *folder ? "/" : "", name };
	if (hidden->count == 0)
		return false;
	size_t at = count_before(hidden, parts, false, false);
	return at < hidden->count && compare(parts, hidden->paths[at], false) == 0;
}
