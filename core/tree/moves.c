/* tree/moves.c - directories of which all was renamed alike, and what simply moved with a directory. */
#include "config.h"

#include "tree/pairs.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdlib.h>

#define NO_PARENT SIZE_MAX

/* What is known of a change; the rest where it is a directory. */
struct directory {
	size_t above;		/* the nearest change that is a directory above, old or new as it is */
	size_t parent;		/* that, where it is the directory it lies in */
	size_t children;
	const char *from;	/* the old directory of all its children, as the start of a path */
	size_t from_bytes;
	bool mixed;		/* its children come from several, or are new */
};

static bool is_directory(const struct change *change)
{
	uint8_t kind = change->kind == CHANGE_REMOVED ? change->before.kind : change->after.kind;
	return kind == INDEX_FOLDER;
}

/* The rest of a path below a directory, or NULL. */
static const char *rest_below(const char *path, const char *directory)
{
	size_t bytes = strlen(directory);
	return strncmp(path, directory, bytes) == 0 && path[bytes] == '/' ? path + bytes + 1 : NULL;
}

/* The changes are sorted so that a directory comes before all that lies in it: the parent is on the way
 * up from the last directory. Old and new names are apart. */
static void find_parents(const struct pairs *pairs, struct directory *directories)
{
	size_t last[2] = { NO_PARENT, NO_PARENT };
	for (size_t i = 0; i < pairs->count; i++) {
		const struct change *change = &pairs->items[i];
		size_t *at = &last[change->kind == CHANGE_REMOVED];
		const char *rest = NULL;
		while (*at != NO_PARENT && !(rest = rest_below(change->path, pairs->items[*at].path)))
			*at = directories[*at].above;
		directories[i].above = *at;
		directories[i].parent = rest && !strchr(rest, '/') ? *at : NO_PARENT;
		if (directories[i].parent != NO_PARENT)
			directories[directories[i].parent].children++;
		if (is_directory(change))
			*at = i;
	}
}

/* What its parent is to learn of a change: it came from there under the same name, or not. */
static void tell_parent(const struct change *change, struct directory *parent)
{
	const char *name = change->from ? pairs_last_name(change->from) : "";
	size_t bytes = change->from && name > change->from ? (size_t)(name - change->from - 1) : 0;
	bool alike = change->kind == CHANGE_RENAMED && bytes > 0 &&
		     streq(name, pairs_last_name(change->path));
	if (!parent->from && alike) {
		parent->from = change->from;
		parent->from_bytes = bytes;
	}
	if (!alike || parent->from_bytes != bytes || memcmp(parent->from, change->from, bytes) != 0)
		parent->mixed = true;
}

static size_t find_removed(const struct pairs *pairs, const char *path, size_t bytes)
{
	auto_free char *wanted = strndup(path, bytes);
	size_t low = 0, high = wanted ? pairs->count : 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = pairs_compare_paths(pairs->items[middle].path, wanted);
		if (order < 0 || (order == 0 && pairs->items[middle].kind == CHANGE_ADDED))
			low = middle + 1;
		else
			high = middle;
	}
	return low < pairs->count && wanted && streq(pairs->items[low].path, wanted) &&
			       pairs->items[low].kind == CHANGE_REMOVED ? low : NO_PARENT;
}

/* A new directory with all that an old one had, and nothing else. */
static int join_directory(struct pairs *pairs, const struct directory *directories, size_t at)
{
	const struct directory *directory = &directories[at];
	if (directory->mixed || !directory->from)
		return 0;
	size_t old = find_removed(pairs, directory->from, directory->from_bytes);
	if (old == NO_PARENT || pairs->told[old] || !is_directory(&pairs->items[old]) ||
	    directories[old].children != directory->children)
		return 0;
	return pairs_join(pairs, at, old);
}

/* From the end, so that what lies in a directory is known before it. */
static int find_whole(struct pairs *pairs, struct directory *directories)
{
	for (size_t i = pairs->count; i-- > 0;) {
		const struct change *change = &pairs->items[i];
		if (change->kind == CHANGE_ADDED && is_directory(change) &&
		    join_directory(pairs, directories, i) < 0)
			return -1;
		size_t parent = directories[i].parent;
		if (change->kind != CHANGE_REMOVED && parent != NO_PARENT)
			tell_parent(change, &directories[parent]);
	}
	return 0;
}

/* Did it only move with the directory it lies in? */
static bool moved_along(const struct change *change, const struct change *parent)
{
	if (change->kind != CHANGE_RENAMED || !parent->from)
		return false;
	const char *rest = rest_below(change->from, parent->from);
	return rest && streq(rest, pairs_last_name(change->path));
}

static void fold(struct pairs *pairs, const struct directory *directories)
{
	for (size_t i = 0; i < pairs->count; i++) {
		struct change *change = &pairs->items[i];
		size_t parent = directories[i].parent;
		if (parent == NO_PARENT || !moved_along(change, &pairs->items[parent]))
			continue;
		change->kind = CHANGE_MODIFIED;
		pairs->told[i] = change->what == 0;
	}
}

int moves_find(struct pairs *pairs)
{
	auto_free struct directory *directories = calloc(pairs->count, sizeof(*directories));
	if (!directories)
		return survey_fail(pairs->surveyor, "", ENOMEM);
	find_parents(pairs, directories);
	if (find_whole(pairs, directories) < 0)
		return -1;
	fold(pairs, directories);
	return 0;
}
