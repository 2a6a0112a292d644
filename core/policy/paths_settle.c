/* policy/paths_settle.c - which named paths can stand beside each other, and in which order. */
#include "policy/paths.h"

#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/ancestry.h"

#include <stdlib.h>
#include <sys/stat.h>

enum verdict { VERDICT_KEEP, VERDICT_DROP, VERDICT_REFUSE };

static bool holds(const char *outer, const char *inner)
{
	return inner && path_is_within(inner, outer);
}

static int refuse(const struct paths_found *found, const char *action, const char *why,
		  const char *recovery, struct pinfold_error *err)
{
	bool respelled = !streq(found->asked, found->path.path);
	return faultf(err, PINFOLD_E_POLICY, 0, action, recovery, "%s%s%s%s: %s", found->asked,
		      respelled ? " (" : "", respelled ? found->path.path : "",
		      respelled ? ")" : "", why);
}

#define KIND(name) (1u << PINFOLD_PATH_##name)

/* One path that is looked at, and what lies around it. */
struct looking {
	const struct paths *paths;
	const struct paths_found *found;
	struct ancestry_kinds around;
};

/* A row of why a path cannot be. */
struct objection {
	bool met;
	const char *why, *recovery;
};

static enum verdict object(const struct looking *looking, const char *action, const struct objection *rows,
			   size_t count, struct pinfold_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].met)
			continue;
		if (looking->found->yields)
			return VERDICT_DROP;
		refuse(looking->found, action, rows[i].why, rows[i].recovery, err);
		return VERDICT_REFUSE;
	}
	return VERDICT_KEEP;
}

static const char hard_why[] = "it is of the tier that no allowance beats: [hard]";
static const char hard_recovery[] = "name what lies beside it";
static const char one_list[] = "name it in one list only";

/* A literal directory is itself, and nothing in it. */
static bool is_alone(const struct paths_found *found)
{
	return found->path.match == PINFOLD_MATCH_LITERAL;
}

static enum verdict judge_hidden(const struct looking *looking, struct pinfold_error *err)
{
	static const char recovery[] =
		"hide what lies beside it by name, or work in another directory";
	const struct policy_caller *caller = looking->paths->caller;
	const struct paths_found *found = looking->found;
	const char *path = found->path.path;
	const struct objection rows[] = {
		{ streq(path, "/"), "nothing would be left to see", recovery },
		{ !is_alone(found) && holds(path, caller->tree), "the command could not see its own directory",
		  recovery },
		{ holds(path, caller->scratch), "it is or holds the directory of copies of working trees",
		  recovery },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (rows[i].met) {
			refuse(found, "hide a path", rows[i].why, rows[i].recovery, err);
			return VERDICT_REFUSE;
		}
	uint32_t covered = found->path.hard ? looking->around.hard : looking->around.any;
	return covered & KIND(HIDE) ? VERDICT_DROP : VERDICT_KEEP;
}

static bool meets_own(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->own.count; i++)
		if (path_is_within(path, paths->own.items[i]) || path_is_within(paths->own.items[i], path))
			return true;
	return false;
}

static enum verdict judge_writable(const struct looking *looking, struct pinfold_error *err)
{
	const struct policy_caller *caller = looking->paths->caller;
	const struct paths_found *found = looking->found;
	const char *path = found->path.path;
	const struct objection rows[] = {
		{ streq(path, "/"), "it is the whole machine", "name the directories that must be written" },
		{ holds(path, caller->home), "it is or holds the home directory",
		  "name the directories that must be written" },
		{ holds(path, caller->scratch), "it is or holds the directory of copies of working trees",
		  "name the directories beside them, or set [filesystem] scratch" },
		{ caller->scratch && holds(caller->scratch, path),
		  "it lies among the copies of working trees", "name a directory elsewhere" },
		{ holds(path, caller->tree), "it is or holds the working tree",
		  "name what lies beside the tree, or show the tree itself with the view `direct`" },
		{ caller->tree && holds(caller->tree, path), "it lies in the working tree",
		  "take it out: the command writes there on its copy; or make it the tree with -C, and what lies "
		  "around it can only be read" },
		{ looking->around.hard & (KIND(HIDE) | KIND(PROTECT)), hard_why, hard_recovery },
		{ looking->around.any & KIND(HIDE), "it is hidden",
		  "take it out of [filesystem] hidden, or out of writable" },
		{ looking->around.any & KIND(PROTECT), "it is protected",
		  "take it out of [filesystem] protected, or out of writable" },
		{ is_alone(found), "it is a directory, and only what lies in it could be written",
		  "leave the `=` before it out, or name files" },
		{ S_ISSOCK(found->path.mode), "it is a unix socket", "name it in [network] sockets" },
		{ meets_own(looking->paths, path),
		  "pinfold's configuration, records or plugins lie there, which later runs believe",
		  "name the directories beside them" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (rows[i].met) {
			refuse(found, "make a path writable", rows[i].why, rows[i].recovery, err);
			return VERDICT_REFUSE;
		}
	return VERDICT_KEEP;
}

static enum verdict judge_layered(const struct looking *looking, struct pinfold_error *err)
{
	const struct policy_caller *caller = looking->paths->caller;
	const struct paths_found *found = looking->found;
	const char *path = found->path.path;
	const struct objection rows[] = {
		{ streq(path, "/"), "it is the whole machine", "name the directories that need a layer" },
		{ !S_ISDIR(found->path.mode), "it is not a directory", "name the directory that it is in" },
		{ caller->tree && holds(caller->tree, path), "it lies in the working tree",
		  "take it out: the command writes there on its copy" },
		{ caller->scratch && holds(caller->scratch, path),
		  "it lies among the copies of working trees", "name a directory elsewhere" },
		{ looking->around.hard & KIND(HIDE), hard_why, hard_recovery },
		{ looking->around.any & KIND(HIDE), "it is hidden",
		  "take it out of [filesystem] hidden, or out of layered" },
		{ looking->around.any & KIND(PROTECT) & ~looking->around.hard, "it is protected",
		  "take it out of [filesystem] protected, or out of layered" },
		{ is_alone(found), "it is a directory, and only what lies in it could be written",
		  "leave the `=` before it out" },
		{ found->path.keep && looking->around.any & KIND(WRITE), "it is writable", one_list },
	};
	return object(looking, "lay a private layer", rows, N_ELEMENTS(rows), err);
}

static enum verdict judge_opened(const struct looking *looking, const char *action, uint32_t kind,
				 struct pinfold_error *err)
{
	const struct paths_found *found = looking->found;
	const struct objection rows[] = {
		{ looking->around.hard & KIND(HIDE), hard_why, hard_recovery },
		{ looking->around.any & KIND(HIDE), "it is hidden", one_list },
		{ S_ISSOCK(found->path.mode), "it is a unix socket", "name it in [network] sockets" },
		{ kind == PINFOLD_PATH_EXECUTE && is_alone(found),
		  "it is a directory, and only what lies in it could be executed",
		  "leave the `=` before it out, or name programs" },
	};
	enum verdict verdict = object(looking, action, rows, N_ELEMENTS(rows), err);
	bool covered = looking->around.any & 1u << kind;
	return verdict == VERDICT_KEEP && covered ? VERDICT_DROP : verdict;
}

static enum verdict judge_readable(const struct looking *looking, struct pinfold_error *err)
{
	return judge_opened(looking, "make a path readable", PINFOLD_PATH_READ, err);
}

static enum verdict judge_executable(const struct looking *looking, struct pinfold_error *err)
{
	return judge_opened(looking, "make a path executable", PINFOLD_PATH_EXECUTE, err);
}

/* Where nothing of the host's can be written there is nothing to protect from being made. */
static enum verdict judge_protected(const struct looking *looking, struct pinfold_error *err)
{
	const struct policy_caller *caller = looking->paths->caller;
	const struct paths_found *found = looking->found;
	if (streq(found->path.path, "/")) {
		refuse(found, "protect a path", "nothing could be written at all",
		       "name the directories that must not be written", err);
		return VERDICT_REFUSE;
	}
	uint32_t covered = found->path.hard ? looking->around.hard : looking->around.any;
	if (covered & (KIND(PROTECT) | KIND(HIDE)))
		return VERDICT_DROP;
	bool in_tree = caller->tree && holds(caller->tree, found->path.path);
	bool can_be_made = in_tree || looking->around.any & (KIND(WRITE) | KIND(LAYER));
	return found->missing && !can_be_made ? VERDICT_DROP : VERDICT_KEEP;
}

static enum verdict judge_socket(const struct looking *looking, struct pinfold_error *err)
{
	const struct policy_caller *caller = looking->paths->caller;
	const struct paths_found *found = looking->found;
	const char *path = found->path.path;
	bool directory = S_ISDIR(found->path.mode);
	const struct objection rows[] = {
		{ !directory && !S_ISSOCK(found->path.mode), "it is neither a socket nor a directory",
		  "name a socket, or the directory that it is in" },
		{ looking->around.hard & KIND(HIDE), hard_why, hard_recovery },
		{ looking->around.any & KIND(HIDE), "it is hidden", one_list },
		{ streq(path, "/") || holds(path, caller->home) || holds(path, caller->tree),
		  "it is or holds the whole machine, the home directory or the working tree",
		  "name the sockets themselves" },
		{ caller->tree && holds(caller->tree, path), "it lies in the working tree",
		  "name a socket elsewhere: none is copied" },
		{ is_alone(found), "it is a directory, and only what lies in it could be connected to",
		  "leave the `=` before it out" },
	};
	enum verdict verdict = object(looking, "open a unix socket", rows, N_ELEMENTS(rows), err);
	bool covered = looking->around.any & KIND(SOCKET);
	return verdict == VERDICT_KEEP && covered ? VERDICT_DROP : verdict;
}

typedef enum verdict (*judge)(const struct looking *looking, struct pinfold_error *err);

static enum verdict judge_found(const struct looking *looking, struct pinfold_error *err)
{
	static const judge judges[] = {
		[PINFOLD_PATH_HIDE] = judge_hidden,	[PINFOLD_PATH_WRITE] = judge_writable,
		[PINFOLD_PATH_LAYER] = judge_layered,	[PINFOLD_PATH_READ] = judge_readable,
		[PINFOLD_PATH_EXECUTE] = judge_executable, [PINFOLD_PATH_PROTECT] = judge_protected,
		[PINFOLD_PATH_SOCKET] = judge_socket,
	};
	return judges[looking->found->path.kind](looking, err);
}

static bool can_be_written(uint32_t kind)
{
	return kind == PINFOLD_PATH_WRITE || kind == PINFOLD_PATH_LAYER;
}

/* Of one path: hidden before protected, and this before what opens it. */
static unsigned place_of(uint32_t kind)
{
	static const unsigned places[] = {
		[PINFOLD_PATH_HIDE] = 0,  [PINFOLD_PATH_PROTECT] = 1, [PINFOLD_PATH_WRITE] = 2,
		[PINFOLD_PATH_LAYER] = 3, [PINFOLD_PATH_READ] = 4,    [PINFOLD_PATH_EXECUTE] = 5,
		[PINFOLD_PATH_SOCKET] = 6,
	};
	return places[kind];
}

/* Shorter first; of one path those that refuse first, the hard before the others, and what yields last. */
static int compare_found(const void *left, const void *right)
{
	const struct paths_found *a = left, *b = right;
	size_t length_a = strlen(a->path.path), length_b = strlen(b->path.path);
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	int order = strcmp(a->path.path, b->path.path);
	if (order)
		return order;
	if (a->path.kind != b->path.kind)
		return place_of(a->path.kind) < place_of(b->path.kind) ? -1 : 1;
	if (a->path.hard != b->path.hard)
		return a->path.hard ? -1 : 1;
	if (a->path.match != b->path.match)
		return a->path.match < b->path.match ? -1 : 1;
	return (int)a->yields - (int)b->yields;
}

/* Is it there twice? What is writable needs no layer as well. */
static bool is_repeated(const struct paths_found *last, const struct paths_found *found)
{
	return streq(last->path.path, found->path.path) &&
	       (last->path.kind == found->path.kind ||
		(can_be_written(last->path.kind) && can_be_written(found->path.kind)));
}

/* Where everything can be read, or executed, no rule is left: one would close all that it does not name. */
static bool is_no_bound(const struct pinfold_path *path)
{
	return streq(path->path, "/") && path->match == PINFOLD_MATCH_SUBTREE &&
	       (path->kind == PINFOLD_PATH_READ || path->kind == PINFOLD_PATH_EXECUTE);
}

static int settle(struct paths *paths, struct ancestry *kept_paths, struct pinfold_error *err)
{
	size_t kept = 0;
	for (size_t i = 0; i < paths->count; i++) {
		struct looking looking = { paths, &paths->items[i], { 0 } };
		const struct pinfold_path *path = &paths->items[i].path;
		looking.around = ancestry_around(kept_paths, path->path);
		enum verdict verdict = judge_found(&looking, err);
		if (verdict == VERDICT_REFUSE)
			return -1;
		if (verdict == VERDICT_DROP || (kept > 0 && is_repeated(&paths->items[kept - 1], &paths->items[i])))
			continue;
		if (path->match == PINFOLD_MATCH_SUBTREE)
			ancestry_add(kept_paths, path->path, path->kind, path->hard);
		if (is_no_bound(path))
			continue;
		paths->items[kept++] = paths->items[i];
	}
	paths->count = kept;
	return 0;
}

/* What nothing opens needs no protection. It was looked at until now for what opens a part of it. */
static void drop_unreached(struct paths *paths, const struct ancestry *kept_paths)
{
	const char *tree = paths->caller->tree;
	size_t kept = 0;
	for (size_t i = 0; i < paths->count; i++) {
		const struct pinfold_path *path = &paths->items[i].path;
		bool reached = (tree && path_is_within(path->path, tree)) ||
			       ancestry_around(kept_paths, path->path).any & KIND(WRITE);
		if (path->kind != PINFOLD_PATH_PROTECT || !path->hard || reached)
			paths->items[kept++] = paths->items[i];
	}
	paths->count = kept;
}

int paths_settle(struct paths *paths, struct pinfold_error *err)
{
	struct ancestry kept = { 0 };
	if (paths->count > 0)
		qsort(paths->items, paths->count, sizeof(*paths->items), compare_found);
	if (ancestry_make(&kept, paths->count) < 0)
		return fault_no_memory(err);
	int result = settle(paths, &kept, err);
	if (result == 0)
		drop_unreached(paths, &kept);
	ancestry_release(&kept);
	return result;
}
