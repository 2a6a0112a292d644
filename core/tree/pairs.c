/* tree/pairs.c - what was removed and what was added, brought together where it is the same. */
#include "config.h"

#include "tree/pairs.h"

#include "base/cleanup.h"
#include "tree/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

/* What one of them is known by: an inode, or a content. */
struct token {
	uint64_t mark;
	uint64_t digest;
	size_t at;
};

struct tokens {
	struct token *items;
	size_t count;
};

const char *pairs_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int pairs_compare_paths(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	int left = *a == '/' ? 1 : *a ? (unsigned char)*a + 1 : 0;
	int right = *b == '/' ? 1 : *b ? (unsigned char)*b + 1 : 0;
	return left - right;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *left = a, *right = b;
	int order = pairs_compare_paths(left->path, right->path);
	return order ? order : (int)left->kind - (int)right->kind;
}

static int compare_tokens(const void *a, const void *b)
{
	const struct token *left = a, *right = b;
	if (left->mark != right->mark)
		return left->mark < right->mark ? -1 : 1;
	if (left->digest != right->digest)
		return left->digest < right->digest ? -1 : 1;
	return (left->at > right->at) - (left->at < right->at);
}

static bool is_before(const struct token *a, const struct token *b)
{
	return a->mark < b->mark || (a->mark == b->mark && a->digest < b->digest);
}

static void sort(struct tokens *tokens)
{
	if (tokens->count > 1)
		qsort(tokens->items, tokens->count, sizeof(*tokens->items), compare_tokens);
}

static bool is_unpaired(const struct pairs *pairs, size_t at, uint8_t kind)
{
	return pairs->items[at].kind == kind && !pairs->told[at];
}

int pairs_open_parent(int root, const char *path, enum inside_reach reach)
{
	const char *name = pairs_last_name(path);
	auto_free char *parent = strndup(path, name == path ? 0 : (size_t)(name - path - 1));
	return parent ? inside_open(root, parent, O_PATH, reach) : -1;
}

/* In what the new one differs from the old one. */
static int differences(struct pairs *pairs, const struct change *added, const struct change *removed)
{
	struct surveyor *surveyor = pairs->surveyor;
	struct site site = { 0 };
	struct sighting seen = {
		.name = pairs_last_name(added->path),
		.tree_name = pairs_last_name(removed->path),
		.old = index_find(pairs->order->base, removed->path),
		.held = added->after.stamp,
		.kind = added->after.kind,
	};
	if (survey_is_as_recorded(surveyor->survey, &seen))
		return 0;
	surveyor->site = &site;
	surveyor->path.length = 0;
	surveyor->held_fd = pairs_open_parent(pairs->order->held_fd, added->path, INSIDE_ONE_MOUNT);
	surveyor->tree_fd = pairs_open_parent(pairs->order->place_fd, removed->path, INSIDE_ANY_MOUNT);
	if (surveyor->tree_fd < 0)
		surveyor->tree_fd = SURVEY_UNKNOWN;
	int what = seen.old && surveyor->held_fd >= 0 ? compare_kinds_alike(surveyor, &seen) :
							 CHANGED_CONTENT;
	cleanup_fd(&surveyor->held_fd);
	cleanup_fd(&surveyor->tree_fd);
	surveyor->held_fd = -1;
	return what;
}

int pairs_join(struct pairs *pairs, size_t added, size_t removed)
{
	struct change *to = &pairs->items[added], *from = &pairs->items[removed];
	if (mounts_part(pairs, from->path, to->path))
		return 0;
	int what = differences(pairs, to, from);
	if (what < 0)
		return -1;
	to->kind = CHANGE_RENAMED;
	to->what = (uint8_t)what;
	to->from = from->path;
	uint8_t followed = to->before.flags & INDEX_FOLLOWED;
	to->before = from->before;
	to->before.flags |= followed;
	pairs->told[removed] = true;
	return 0;
}

/* May be renamed: it is in the tree, and something that can be. */
static bool can_be_renamed(const struct change *removed)
{
	return removed->before.kind != INDEX_SKIPPED && !(removed->before.flags & INDEX_FOLLOWED);
}

/* An inode that was freed may serve a new file. That was born after the base was recorded. */
static bool is_old_object(const struct pairs *pairs, const struct change *added,
			  const struct index_entry *old)
{
	struct statx found;
	auto_close int dir = pairs_open_parent(pairs->order->held_fd, added->path, INSIDE_ONE_MOUNT);
	if (dir < 0 || statx(dir, pairs_last_name(added->path), AT_SYMLINK_NOFOLLOW, STATX_BTIME,
			     &found) < 0 || !(found.stx_mask & STATX_BTIME))
		return false;
	int64_t born = found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec;
	return born <= index_put_at(old);
}

static int tokens_of_inodes(const struct pairs *pairs, struct tokens *tokens)
{
	tokens->items = calloc(pairs->count + 1, sizeof(*tokens->items));
	if (!tokens->items)
		return -1;
	for (size_t i = 0; i < pairs->count; i++) {
		if (!is_unpaired(pairs, i, CHANGE_REMOVED) || !can_be_renamed(&pairs->items[i]))
			continue;
		const struct index_entry *old = index_find(pairs->order->base, pairs->items[i].path);
		if (old && old->copy_inode)
			tokens->items[tokens->count++] = (struct token){ .mark = old->copy_inode, .at = i };
	}
	sort(tokens);
	return 0;
}

/* The first token with that mark. */
static size_t find_mark(const struct tokens *tokens, uint64_t mark)
{
	size_t low = 0, high = tokens->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (tokens->items[middle].mark < mark)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int join_by_inode(struct pairs *pairs, const struct tokens *tokens, size_t added)
{
	const struct change *to = &pairs->items[added];
	uint64_t inode = to->after.stamp.inode;
	for (size_t i = find_mark(tokens, inode); i < tokens->count; i++) {
		const struct token *token = &tokens->items[i];
		if (token->mark != inode)
			return 0;
		const struct change *from = &pairs->items[token->at];
		if (pairs->told[token->at] || from->before.kind != to->after.kind)
			continue;
		const struct index_entry *old = index_find(pairs->order->base, from->path);
		if (is_old_object(pairs, to, old))
			return pairs_join(pairs, added, token->at);
	}
	return 0;
}

static int find_by_inode(struct pairs *pairs)
{
	struct tokens removed = { 0 };
	int result = tokens_of_inodes(pairs, &removed);
	if (result < 0)
		return survey_fail(pairs->surveyor, "", ENOMEM);
	for (size_t i = 0; result == 0 && removed.count > 0 && i < pairs->count; i++)
		if (is_unpaired(pairs, i, CHANGE_ADDED))
			result = join_by_inode(pairs, &removed, i);
	free(removed.items);
	return result;
}

/* Kind and size in one number; 0 for what has no content to go by. */
static uint64_t mark_of_content(const struct change_side *side)
{
	if ((side->kind != INDEX_FILE && side->kind != INDEX_LINK) || side->stamp.size == 0)
		return 0;
	return side->stamp.size * 2 + (side->kind == INDEX_LINK);
}

static int tokens_of_contents(const struct pairs *pairs, uint8_t kind, struct tokens *tokens)
{
	tokens->items = calloc(pairs->count + 1, sizeof(*tokens->items));
	if (!tokens->items)
		return -1;
	for (size_t i = 0; i < pairs->count; i++) {
		const struct change *change = &pairs->items[i];
		bool removed = kind == CHANGE_REMOVED;
		uint64_t mark = mark_of_content(removed ? &change->before : &change->after);
		if (mark && is_unpaired(pairs, i, kind) &&
		    (!removed || (can_be_renamed(change) && !change->before.unsure)))
			tokens->items[tokens->count++] = (struct token){ .mark = mark, .at = i };
	}
	sort(tokens);
	return 0;
}

static uint64_t digest_of_target(int root, const char *path)
{
	char target[PATH_MAX];
	auto_close int dir = pairs_open_parent(root, path, INSIDE_ANY_MOUNT);
	ssize_t bytes = dir < 0 ? -1 :
				  readlinkat(dir, pairs_last_name(path), target, sizeof(target));
	return bytes < 0 ? 0 : digest_of(target, (size_t)bytes);
}

static uint64_t digest_of_side(const struct pairs *pairs, const struct change *change, bool removed)
{
	const struct change_side *side = removed ? &change->before : &change->after;
	uint64_t digest = 0;
	if (side->digest)
		return side->digest;
	if (side->kind == INDEX_LINK)
		return removed ? 0 : digest_of_target(pairs->order->held_fd, change->path);
	auto_close int fd = removed ? change_open_before(pairs->order->place_fd, change) :
				      change_open_after(pairs->order->held_fd, change);
	if (fd < 0 || digest_file(fd, side->stamp.size, &digest) < 0)
		return 0;
	return digest;
}

/* Only what has a partner of its size is read. */
static void fill_digests(const struct pairs *pairs, struct tokens *tokens,
			 const struct tokens *partners, bool removed)
{
	for (size_t i = 0; i < tokens->count; i++) {
		struct token *token = &tokens->items[i];
		size_t partner = find_mark(partners, token->mark);
		if (partner < partners->count && partners->items[partner].mark == token->mark)
			token->digest = digest_of_side(pairs, &pairs->items[token->at], removed);
	}
	sort(tokens);
}

/* Joins what has equal tokens, from both sorted lists at once. */
static int join_equals(struct pairs *pairs, const struct tokens *added, const struct tokens *removed)
{
	size_t left = 0, right = 0;
	while (left < added->count && right < removed->count) {
		const struct token *to = &added->items[left], *from = &removed->items[right];
		if (!is_unpaired(pairs, to->at, CHANGE_ADDED) || to->digest == 0 || is_before(to, from)) {
			left++;
		} else if (pairs->told[from->at] || is_before(from, to)) {
			right++;
		} else {
			if (pairs_join(pairs, to->at, from->at) < 0)
				return -1;
			left++;
			right++;
		}
	}
	return 0;
}

/* Mixes the last names into the digests, and takes them out when called again. */
static void mix_names(const struct pairs *pairs, struct tokens *tokens)
{
	for (size_t i = 0; i < tokens->count; i++) {
		const char *name = pairs_last_name(pairs->items[tokens->items[i].at].path);
		if (tokens->items[i].digest)
			tokens->items[i].digest ^= digest_of(name, strlen(name));
	}
	sort(tokens);
}

/* Where several have one content, those of one name belong together first. */
static int join_contents(struct pairs *pairs, struct tokens *added, struct tokens *removed)
{
	fill_digests(pairs, added, removed, false);
	fill_digests(pairs, removed, added, true);
	mix_names(pairs, added);
	mix_names(pairs, removed);
	if (join_equals(pairs, added, removed) < 0)
		return -1;
	mix_names(pairs, added);
	mix_names(pairs, removed);
	return join_equals(pairs, added, removed);
}

static int find_by_content(struct pairs *pairs)
{
	struct tokens added = { 0 }, removed = { 0 };
	int result = 0;
	if (tokens_of_contents(pairs, CHANGE_ADDED, &added) < 0 ||
	    tokens_of_contents(pairs, CHANGE_REMOVED, &removed) < 0)
		result = survey_fail(pairs->surveyor, "", ENOMEM);
	if (result == 0 && added.count > 0 && removed.count > 0)
		result = join_contents(pairs, &added, &removed);
	free(added.items);
	free(removed.items);
	return result;
}

static void drop_told(struct pairs *pairs)
{
	size_t kept = 0;
	for (size_t i = 0; i < pairs->count; i++)
		if (!pairs->told[i])
			pairs->items[kept++] = pairs->items[i];
	pairs->count = kept;
}

int pairs_find(struct surveyor *surveyor)
{
	struct survey *survey = surveyor->survey;
	struct pairs pairs = { surveyor, survey->order, survey->items, survey->count, .told = NULL };
	if (pairs.count == 0)
		return 0;
	pairs.told = calloc(pairs.count, sizeof(*pairs.told));
	if (!pairs.told)
		return survey_fail(surveyor, "", ENOMEM);
	qsort(pairs.items, pairs.count, sizeof(*pairs.items), compare_changes);
	int result = find_by_inode(&pairs);
	if (result == 0)
		result = find_by_content(&pairs);
	if (result == 0)
		result = moves_find(&pairs);
	drop_told(&pairs);
	free(pairs.told);
	free(pairs.way.from);
	free(pairs.way.to);
	survey->count = pairs.count;
	return result < 0 ? -1 : twins_find(&pairs);
}
