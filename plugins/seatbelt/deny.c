/* plugins/seatbelt/deny.c - the rules of what a policy refuses, whatever it allows. */
#include "lowering.h"

#include "expression.h"

#include <string.h>

enum { MOVED_MOST = 16 };

/* What does not exist has no spelling yet, and may be made in any that the file system takes for the same. */
static void refuse_at(struct lowering *lowering, const struct pinfold_path *path, const char *place)
{
	if (path->inode != 0)
		return filter_of(lowering, path, place);
	const char *expression = expression_of_path(lowering->host, place, !path_is_literal(path));
	if (!expression)
		lowering->profile->failed = true;
	else
		profile_filter(lowering->profile, FILTER_REGEX, expression);
}

static void deny(struct lowering *lowering, const char *operations, const struct pinfold_path *path, unsigned kind)
{
	profile_deny(lowering->profile, operations, kind);
	const char *const places[] = { path->path, place_in_copy(lowering, path), place_in_tree(lowering, path) };
	for (size_t i = 0; i < 3; i++)
		if (places[i] && (i == 0 || strcmp(places[i], path->path) != 0))
			refuse_at(lowering, path, places[i]);
	profile_end(lowering->profile);
}

static bool is_hard(const struct pinfold_path *path)
{
	return PINFOLD_REACHES(path, hard) && path->hard;
}

static void deny_paths(struct lowering *lowering, bool hard)
{
	const struct pinfold_policy *policy = lowering->policy;
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		unsigned kind = path->kind == PINFOLD_PATH_HIDE ? RULE_HIDDEN : RULE_PROTECTED;
		if (!kind_refuses(path->kind) || is_hard(path) != hard)
			continue;
		deny(lowering, path->kind == PINFOLD_PATH_HIDE ? HIDDEN_OPERATIONS : "file-write*", path,
		     hard ? RULE_HARD : kind);
	}
}

static void refuse_pattern(struct lowering *lowering, const char *pattern)
{
	const char *expression = expression_of(lowering->host, pattern, true, true);
	if (!expression)
		lowering->profile->failed = true;
	else
		profile_filter(lowering->profile, FILTER_REGEX, expression);
}

static void refuse_moved(struct lowering *lowering, const char *pattern, const char *from, const char *to)
{
	const char *all[MOVED_MOST];
	int count = lowering->copied ? expression_moved(lowering->host, pattern, from, to, all, MOVED_MOST) : 0;
	for (int i = 0; i < count; i++)
		refuse_pattern(lowering, all[i]);
	lowering->profile->failed |= count == EXPRESSION_NO_MEMORY;
	if (count == EXPRESSION_TOO_DEEP)
		lowering->profile->too_deep = pattern;
}

static void deny_pattern(struct lowering *lowering, const struct pinfold_pattern *pattern, bool hard)
{
	const struct pinfold_shown *shown = lowering->scene->shown;
	bool hidden = pattern->kind == PINFOLD_PATH_HIDE;
	profile_deny(lowering->profile, hidden ? HIDDEN_OPERATIONS : "file-write*",
		     hard ? RULE_HARD : hidden ? RULE_HIDDEN : RULE_PROTECTED);
	refuse_pattern(lowering, pattern->pattern);
	refuse_moved(lowering, pattern->pattern, shown->tree, shown->source);
	refuse_moved(lowering, pattern->pattern, shown->source, shown->tree);
	profile_end(lowering->profile);
}

static void deny_patterns(struct lowering *lowering, bool hard)
{
	const struct pinfold_pattern *pattern;
	for (size_t i = 0; (pattern = pattern_at(lowering->policy, i)); i++)
		if (kind_refuses(pattern->kind) && (pattern->hard != 0) == hard)
			deny_pattern(lowering, pattern, hard);
}

static void deny_subtree(struct lowering *lowering, const char *operations, const char *path, unsigned kind)
{
	if (!path)
		return;
	profile_deny(lowering->profile, operations, kind);
	profile_filter(lowering->profile, FILTER_SUBTREE, path);
	profile_end(lowering->profile);
}

/* The tree itself stays as it is, and copies of others stay out of sight. */
void deny_own_surroundings(struct lowering *lowering)
{
	if (lowering->copied)
		deny_subtree(lowering, "file-write*", lowering->scene->shown->tree, RULE_TREE);
	deny_subtree(lowering, HIDDEN_OPERATIONS, lowering->policy->scratch, RULE_SCRATCH);
}

static bool is_writable(const struct lowering *lowering, const char *path)
{
	const struct pinfold_policy *policy = lowering->policy;
	const struct pinfold_shown *shown = lowering->scene->shown;
	if (path_is_in(path, shown->source) || path_is_in(path, shown->temporary))
		return true;
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_WRITE && path_is_in(path, policy->paths[i].path))
			return true;
	return false;
}

static void pin(struct lowering *lowering, const char *path, bool *ret_begun)
{
	if (!path)
		return;
	if (!*ret_begun)
		profile_deny(lowering->profile, "file-write-unlink", RULE_PROTECTED);
	*ret_begun = true;
	profile_filter(lowering->profile, FILTER_LITERAL, path);
}

/* Who renames a directory takes what is in it from under the rules that name it: every writable directory
 * above a refused path keeps its name. */
static void pin_above(struct lowering *lowering, const char *path, bool *ret_begun)
{
	for (size_t at = strlen(path); at > 1; at--) {
		if (path[at - 1] != '/' || at < 2)
			continue;
		const char *above = lowering->host->print(lowering->host, "%.*s", (int)(at - 1), path);
		if (!above) {
			lowering->profile->failed = true;
			return;
		}
		if (!is_writable(lowering, above))
			continue;
		pin(lowering, above, ret_begun);
	}
}

/* What lies in a writable path is the command's to replace, not the path itself. */
static void pin_edges(struct lowering *lowering, bool *ret_begun)
{
	const struct pinfold_policy *policy = lowering->policy;
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_WRITE)
			pin(lowering, policy->paths[i].path, ret_begun);
	pin(lowering, lowering->scene->shown->source, ret_begun);
	pin(lowering, lowering->scene->shown->temporary, ret_begun);
}

static void pin_all(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	bool begun = false;
	pin_edges(lowering, &begun);
	for (size_t i = 0; i < policy->path_count; i++) {
		if (!kind_refuses(policy->paths[i].kind))
			continue;
		pin_above(lowering, policy->paths[i].path, &begun);
		const char *copied = place_in_copy(lowering, &policy->paths[i]);
		if (copied)
			pin_above(lowering, copied, &begun);
	}
	if (begun)
		profile_end(lowering->profile);
}

static bool is_readable(uint32_t kind)
{
	return kind == PINFOLD_PATH_READ || kind == PINFOLD_PATH_WRITE || kind == PINFOLD_PATH_LAYER;
}

static void filter_readable(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	const struct pinfold_pattern *pattern;
	for (size_t i = 0; i < policy->path_count; i++)
		if (is_readable(policy->paths[i].kind))
			filter_of(lowering, &policy->paths[i], policy->paths[i].path);
	for (size_t i = 0; (pattern = pattern_at(policy, i)); i++) {
		const char *expression = is_readable(pattern->kind) ?
						 expression_of(lowering->host, pattern->pattern, false, true) : NULL;
		if (expression)
			profile_filter(lowering->profile, FILTER_REGEX, expression);
	}
	for (size_t i = 0; PINFOLD_REACHES(policy, grant_count) && i < policy->grant_count; i++) {
		const char *extension = lower_extension(lowering->host, &policy->grants[i]);
		if (extension)
			profile_filter(lowering->profile, FILTER_EXTENSION, extension);
		lowering->profile->failed |= !extension;
	}
}

/* The kernel does not ask whether a program may be read when it is executed. */
static void deny_execution_unread(struct lowering *lowering)
{
	const struct pinfold_shown *shown = lowering->scene->shown;
	if (!lowering->limits_reading)
		return;
	profile_deny(lowering->profile, "process-exec*", RULE_DEFAULT);
	profile_add(lowering->profile, "\n  (require-not (require-any");
	filter_readable(lowering);
	profile_filter(lowering->profile, FILTER_SUBTREE, shown->source);
	if (shown->temporary)
		profile_filter(lowering->profile, FILTER_SUBTREE, shown->temporary);
	profile_add(lowering->profile, "))");
	profile_end(lowering->profile);
	lowering->profile->rules += 2;
}

void deny_all(struct lowering *lowering)
{
	deny_execution_unread(lowering);
	deny_patterns(lowering, false);
	deny_paths(lowering, false);
	deny_patterns(lowering, true);
	deny_paths(lowering, true);
	pin_all(lowering);
}
