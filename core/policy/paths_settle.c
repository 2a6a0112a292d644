/* policy/paths_settle.c - which named paths can stand beside each other, and in which order. */
#include "policy/paths.h"

#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"

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

static bool is_kept_over(const struct paths *paths, size_t kept, uint32_t kind, const char *path)
{
	for (size_t i = 0; i < kept; i++)
		if (paths->items[i].path.kind == kind && path_is_within(path, paths->items[i].path.path))
			return true;
	return false;
}

static bool is_kept_hidden_over(const struct paths *paths, size_t kept, const char *path)
{
	return is_kept_over(paths, kept, PINFOLD_PATH_HIDE, path);
}

static enum verdict judge_hidden(const struct paths *paths, size_t kept,
				 const struct paths_found *found, struct pinfold_error *err)
{
	static const char recovery[] =
		"hide what lies beside it by name, or work in another directory";
	const struct policy_caller *caller = paths->caller;
	const char *path = found->path.path, *why = NULL;
	if (streq(path, "/"))
		why = "nothing would be left to see";
	else if (holds(path, caller->tree))
		why = "the command could not see its own directory";
	else if (holds(path, caller->scratch))
		why = "it is or holds the directory of copies of working trees";
	if (why) {
		refuse(found, "hide a path", why, recovery, err);
		return VERDICT_REFUSE;
	}
	return is_kept_hidden_over(paths, kept, path) ? VERDICT_DROP : VERDICT_KEEP;
}

static bool meets_own(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->own.count; i++)
		if (path_is_within(path, paths->own.items[i]) || path_is_within(paths->own.items[i], path))
			return true;
	return false;
}

static enum verdict judge_writable(const struct paths *paths, size_t kept,
				   const struct paths_found *found, struct pinfold_error *err)
{
	const struct policy_caller *caller = paths->caller;
	const char *path = found->path.path;
	const struct {
		bool met;
		const char *why, *recovery;
	} rows[] = {
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
		  "take it out: the command writes there on its copy" },
		{ is_kept_hidden_over(paths, kept, path), "it is hidden",
		  "take it out of [filesystem] hidden, or out of writable" },
		{ meets_own(paths, path),
		  "pinfold's configuration, records or plugins lie there, which later runs believe",
		  "name the directories beside them" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		if (!rows[i].met)
			continue;
		refuse(found, "make a path writable", rows[i].why, rows[i].recovery, err);
		return VERDICT_REFUSE;
	}
	return VERDICT_KEEP;
}

static enum verdict judge_layered(const struct paths *paths, size_t kept,
				  const struct paths_found *found, struct pinfold_error *err)
{
	const struct policy_caller *caller = paths->caller;
	const char *path = found->path.path;
	const struct {
		bool met;
		const char *why, *recovery;
	} rows[] = {
		{ streq(path, "/"), "it is the whole machine", "name the directories that need a layer" },
		{ !S_ISDIR(found->path.mode), "it is not a directory", "name the directory that it is in" },
		{ caller->tree && holds(caller->tree, path), "it lies in the working tree",
		  "take it out: the command writes there on its copy" },
		{ caller->scratch && holds(caller->scratch, path),
		  "it lies among the copies of working trees", "name a directory elsewhere" },
		{ is_kept_hidden_over(paths, kept, path), "it is hidden",
		  "take it out of [filesystem] hidden, or out of layered" },
		{ found->path.keep && is_kept_over(paths, kept, PINFOLD_PATH_WRITE, path), "it is writable",
		  "name it in one list only" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		if (!rows[i].met)
			continue;
		if (!found->yields)
			refuse(found, "lay a private layer", rows[i].why, rows[i].recovery, err);
		return found->yields ? VERDICT_DROP : VERDICT_REFUSE;
	}
	return VERDICT_KEEP;
}

static enum verdict judge(const struct paths *paths, size_t kept, const struct paths_found *found,
			  struct pinfold_error *err)
{
	const struct paths_found *last = kept > 0 ? &paths->items[kept - 1] : NULL;
	if (found->path.kind == PINFOLD_PATH_HIDE)
		return judge_hidden(paths, kept, found, err);
	enum verdict verdict = found->path.kind == PINFOLD_PATH_WRITE
				       ? judge_writable(paths, kept, found, err)
				       : judge_layered(paths, kept, found, err);
	bool again = last && streq(last->path.path, found->path.path);
	return verdict == VERDICT_KEEP && again ? VERDICT_DROP : verdict;
}

/* Shorter first; of one path hidden before writable before layered, and what yields last. */
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
		return a->path.kind < b->path.kind ? -1 : 1;
	return (int)a->yields - (int)b->yields;
}

int paths_settle(struct paths *paths, struct pinfold_error *err)
{
	if (paths->count > 0)
		qsort(paths->items, paths->count, sizeof(*paths->items), compare_found);
	size_t kept = 0;
	for (size_t i = 0; i < paths->count; i++) {
		enum verdict verdict = judge(paths, kept, &paths->items[i], err);
		if (verdict == VERDICT_REFUSE)
			return -1;
		if (verdict == VERDICT_KEEP)
			paths->items[kept++] = paths->items[i];
	}
	paths->count = kept;
	return 0;
}
