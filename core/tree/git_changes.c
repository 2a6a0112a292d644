/* tree/git_changes.c - what changed paths of a git directory mean. */
#include "tree/git_changes.h"

#include "base/cleanup.h"
#include "base/text.h"


/* Whole paths, or with a slash at the end what lies below; the first that fits counts. `commondir`,
 * `gitdir` and `alternates` say where git looks; `config` and hooks what it runs; the lists of a rebase
 * hold commands; `remotes` and `branches` are configuration of old. */
static const struct row {
	const char *path;
	enum git_class class;
} rows[] = {
	{ "hooks", GIT_RISKY }, { "hooks/", GIT_RISKY }, { "config", GIT_RISKY },
	{ "config.worktree", GIT_RISKY }, { "commondir", GIT_RISKY }, { "gitdir", GIT_RISKY },
	{ "info/attributes", GIT_RISKY }, { "info/grafts", GIT_RISKY },
	{ "objects/info/alternates", GIT_RISKY }, { "objects/info/http-alternates", GIT_RISKY },
	{ "rebase-merge/git-rebase-todo", GIT_RISKY }, { "rebase-merge/git-rebase-todo.backup", GIT_RISKY },
	{ "sequencer/todo", GIT_RISKY }, { "remotes/", GIT_RISKY }, { "branches/", GIT_RISKY },
	{ "refs/replace/", GIT_RISKY },
	{ "HEAD", GIT_HEAD }, { "index", GIT_INDEX }, { "packed-refs", GIT_PACKED_REFS },
	{ "refs/", GIT_REF }, { "reftable/", GIT_REF }, { "logs/", GIT_LOG },
	{ "ORIG_HEAD", GIT_STATE }, { "FETCH_HEAD", GIT_STATE }, { "MERGE_HEAD", GIT_STATE },
	{ "MERGE_MODE", GIT_STATE }, { "MERGE_MSG", GIT_STATE }, { "SQUASH_MSG", GIT_STATE },
	{ "AUTO_MERGE", GIT_STATE }, { "CHERRY_PICK_HEAD", GIT_STATE }, { "REVERT_HEAD", GIT_STATE },
	{ "REBASE_HEAD", GIT_STATE }, { "COMMIT_EDITMSG", GIT_STATE }, { "TAG_EDITMSG", GIT_STATE },
	{ "rebase-merge/", GIT_STATE }, { "rebase-apply/", GIT_STATE }, { "sequencer/", GIT_STATE },
	{ "shallow", GIT_STATE }, { "gc.log", GIT_STATE }, { "info/", GIT_STATE },
};

static bool is_hexadecimal(const char *text, size_t least, size_t most)
{
	size_t length = strspn(text, "0123456789abcdef");
	return text[length] == '\0' && length >= least && length <= most;
}

/* "objects/ab/cdef…", "objects/pack/…"; what is below `objects` and nothing of the kind is no object. */
static enum git_class classify_object(const char *rest)
{
	if (starts_with(rest, "pack/"))
		return ends_with(rest, ".pack") ? GIT_PACK : GIT_PACK_PART;
	if (starts_with(rest, "info/"))
		return GIT_PACK_PART;
	char byte[3] = { 0 };
	strncpy(byte, rest, 2);
	bool loose = is_hexadecimal(byte, 2, 2) && rest[2] == '/' && is_hexadecimal(rest + 3, 38, 62);
	return loose ? GIT_OBJECT : GIT_OTHER;
}

static bool fits(const struct row *row, const char *path)
{
	return ends_with(row->path, "/") ? starts_with(path, row->path) && path[strlen(row->path)]
					 : streq(path, row->path);
}

static enum git_class classify_top(const char *path)
{
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (fits(&rows[i], path))
			return rows[i].class;
	if (starts_with(path, "objects/"))
		return classify_object(path + strlen("objects/"));
	return ends_with(path, ".lock") ? GIT_LOCK : GIT_OTHER;
}

/* A lock of anything: `refs/heads/x.lock` is no ref, since git allows none of that name. Hooks may have
 * any name. */
static enum git_class classify_one(const char *path)
{
	enum git_class class = classify_top(path);
	bool lock = ends_with(path, ".lock") && class != GIT_RISKY;
	return lock ? GIT_LOCK : class;
}

/* The name of a submodule may have several parts, and look like anything: every reading is tried. */
static enum git_class classify_module(const char *rest)
{
	enum git_class found = GIT_OTHER;
	for (const char *slash = strchr(rest, '/'); slash; slash = strchr(slash + 1, '/')) {
		enum git_class class = git_classify(slash + 1);
		if (class == GIT_RISKY)
			return class;
		if (found == GIT_OTHER)
			found = class;
	}
	return found;
}

enum git_class git_classify(const char *path)
{
	if (starts_with(path, "modules/"))
		return classify_module(path + strlen("modules/"));
	if (!starts_with(path, "worktrees/"))
		return classify_one(path);
	const char *rest = strchr(path + strlen("worktrees/"), '/');
	return rest ? classify_one(rest + 1) : GIT_OTHER;
}

unsigned git_rank(const char *path, bool removed)
{
	static const unsigned ranks[GIT_CLASSES] = {
		[GIT_OBJECT] = 0, [GIT_PACK] = 1, [GIT_PACK_PART] = 2, [GIT_OTHER] = 3, [GIT_RISKY] = 4,
		[GIT_LOG] = 5, [GIT_PACKED_REFS] = 6, [GIT_REF] = 7, [GIT_STATE] = 8, [GIT_HEAD] = 9,
		[GIT_INDEX] = 10, [GIT_LOCK] = 11,
	};
	enum { REMOVED = 2 * GIT_CLASSES };
	unsigned rank = ranks[git_classify(path)];
	/* A pack is found by its index: that comes last and goes first. */
	bool found_by = ends_with(path, ".idx");
	return removed ? REMOVED - rank - found_by : rank + found_by;
}

bool git_wants_content(const char *path)
{
	enum git_class class = git_classify(path);
	return class == GIT_REF || class == GIT_HEAD || class == GIT_PACKED_REFS;
}

/* What stands before the names of the refs that a `packed-refs` has. */
static int add_packed(struct git_summary *summary, const char *path, const char *before, const char *after)
{
	auto_free char *prefix = strndup(path, strlen(path) - strlen("packed-refs"));
	return prefix ? git_refs_add_packed(&summary->refs, prefix, before, after) : -1;
}

bool git_summary_wants_packed(const struct git_summary *summary)
{
	for (size_t i = 0; !summary->refs.packed && i < summary->refs.count; i++)
		if (!summary->refs.items[i].was || !summary->refs.items[i].is)
			return true;
	return false;
}

int git_summary_add_packed(struct git_summary *summary, const char *content)
{
	return git_refs_add_packed(&summary->refs, "", content, content);
}

int git_summary_add(struct git_summary *summary, const char *path, enum git_what what, const char *before,
		    const char *after)
{
	enum git_class class = git_classify(path);
	int result = 0;
	if (class == GIT_RISKY)
		result = list_add(&summary->risky, path);
	else if (class == GIT_LOCK)
		result = list_add(&summary->locks, path);
	else if (class == GIT_REF || class == GIT_HEAD)
		result = git_refs_add(&summary->refs, path, what != GIT_ADDED, what != GIT_REMOVED, before,
				      after);
	else if (class == GIT_PACKED_REFS && (before || after))
		result = add_packed(summary, path, before, after);
	if (result == 0)
		summary->counts[class][what]++;
	return result;
}

static size_t total(const struct git_summary *summary, enum git_class class)
{
	const size_t *counts = summary->counts[class];
	return counts[GIT_ADDED] + counts[GIT_CHANGED] + counts[GIT_REMOVED];
}

static int add_paths(struct list *lines, const char *head, const struct list *paths)
{
	struct text line = { 0 };
	if (paths->count == 0)
		return 0;
	text_add(&line, head);
	text_add_enumeration(&line, (const char *const *)paths->items, paths->count);
	auto_free char *made = text_take(&line);
	return made ? list_add(lines, made) : -1;
}

static void count_kind(struct text *line, size_t count, const char *one, const char *many,
		       const char *verb)
{
	char room[32];
	if (count > 0)
		text_addf(line, "%s%s %s %s", line->length ? ", " : "", text_grouped(count, room),
			  count == 1 ? one : many, verb);
}

static int add_objects(struct list *lines, const struct git_summary *summary)
{
	struct text line = { 0 };
	const size_t *loose = summary->counts[GIT_OBJECT], *packs = summary->counts[GIT_PACK];
	count_kind(&line, loose[GIT_ADDED], "object", "objects", "added");
	count_kind(&line, packs[GIT_ADDED], "pack", "packs", "added");
	count_kind(&line, loose[GIT_REMOVED], "object", "objects", "removed");
	count_kind(&line, packs[GIT_REMOVED], "pack", "packs", "removed");
	/* An object's name is made from its content: another content is a broken object. */
	count_kind(&line, loose[GIT_CHANGED] + packs[GIT_CHANGED], "object or pack", "objects or packs",
		   "changed, which git never does");
	bool any = line.length > 0;
	auto_free char *made = text_take(&line);
	if (!made)
		return -1;
	return any ? list_add(lines, made) : 0;
}

static int add_rest(struct list *lines, const struct git_summary *summary)
{
	static const struct {
		enum git_class class;
		const char *name;
	} rest[] = {
		{ GIT_PACKED_REFS, "packed refs" }, { GIT_INDEX, "index" },
		{ GIT_STATE, "state of an operation" }, { GIT_LOG, "logs of refs" },
		{ GIT_OTHER, "other files" },
	};
	struct text line = { 0 };
	for (size_t i = 0; i < N_ELEMENTS(rest); i++)
		if (total(summary, rest[i].class) > 0)
			text_addf(&line, "%s%s", line.length ? ", " : "changed: ", rest[i].name);
	bool any = line.length > 0;
	auto_free char *made = text_take(&line);
	if (!made)
		return -1;
	return any ? list_add(lines, made) : 0;
}

int git_summary_lines(struct git_summary *summary, struct list *ret_lines)
{
	struct list lines = { 0 };
	int result = add_paths(&lines, "risky, since git acts on it: ", &summary->risky);
	if (result == 0)
		result = git_refs_lines(&summary->refs, &lines);
	if (result == 0)
		result = add_objects(&lines, summary);
	if (result == 0)
		result = add_rest(&lines, summary);
	if (result == 0)
		result = add_paths(&lines, "locks left by a git that was ended, never applied: ",
				   &summary->locks);
	if (result < 0)
		list_release(&lines);
	else
		*ret_lines = lines;
	return result;
}

void git_summary_release(struct git_summary *summary)
{
	git_refs_release(&summary->refs);
	list_release(&summary->risky);
	list_release(&summary->locks);
	*summary = (struct git_summary){ 0 };
}
