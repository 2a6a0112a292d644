/* plugins/seatbelt/lower.c - the order of a profile's rules. */
#include "lowering.h"

#include "base.h"
#include "gaps.h"

#include <string.h>

bool path_is_in(const char *path, const char *root)
{
	size_t length = root ? strlen(root) : 0;
	if (!root || length == 0)
		return false;
	if (length == 1)
		return true;
	return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool path_is_literal(const struct pinfold_path *path)
{
	return PINFOLD_REACHES(path, match) && path->match == PINFOLD_MATCH_LITERAL;
}

void filter_of(struct lowering *lowering, const struct pinfold_path *path, const char *at)
{
	profile_filter(lowering->profile, path_is_literal(path) ? FILTER_LITERAL : FILTER_SUBTREE, at);
}

/* `path` moved from below one directory to below another; all of the latter where the former lies in it. */
static const char *moved(struct lowering *lowering, const struct pinfold_path *path, const char *from, const char *to)
{
	size_t length = from ? strlen(from) : 0;
	if (!lowering->copied)
		return NULL;
	if (!path_is_literal(path) && path_is_in(from, path->path))
		return to;
	if (!path_is_in(path->path, from))
		return NULL;
	const char *text = lowering->host->print(lowering->host, "%s%s", to, path->path + (length > 1 ? length : 0));
	if (!text)
		lowering->profile->failed = true;
	return text;
}

const char *place_in_copy(struct lowering *lowering, const struct pinfold_path *path)
{
	return moved(lowering, path, lowering->scene->shown->tree, lowering->scene->shown->source);
}

const char *place_in_tree(struct lowering *lowering, const struct pinfold_path *path)
{
	return moved(lowering, path, lowering->scene->shown->source, lowering->scene->shown->tree);
}

const struct pinfold_pattern *pattern_at(const struct pinfold_policy *policy, size_t at)
{
	return PINFOLD_REACHES(policy, pattern_count) && at < policy->pattern_count ? &policy->patterns[at] : NULL;
}

bool kind_refuses(uint32_t kind)
{
	return kind == PINFOLD_PATH_HIDE || kind == PINFOLD_PATH_PROTECT;
}

static bool names_kind(const struct pinfold_policy *policy, uint32_t kind)
{
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind)
			return true;
	for (size_t i = 0; pattern_at(policy, i); i++)
		if (policy->patterns[i].kind == kind)
			return true;
	return false;
}

static void write_all(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	base_begin(lowering->profile);
	base_terminals(lowering->profile, policy->terminal, lowering->scene->control);
	allow_all(lowering);
	deny_own_surroundings(lowering);
	allow_own_places(lowering);
	deny_all(lowering);
	if (!lowering->scene->alone)
		base_mark(lowering->profile);
}

int lower(const struct pinfold_host *host, const struct scene *scene, struct profile *ret_profile,
	  struct gaps *ret_gaps, struct pinfold_error *err)
{
	struct profile profile = { .host = host, .reports = scene->reports };
	struct gaps gaps;
	const char *tree = scene->shown->tree, *source = scene->shown->source;
	struct lowering lowering = {
		.host = host, .scene = scene, .policy = scene->policy, .profile = &profile,
		.copied = tree && source && strcmp(tree, source) != 0,
		.limits_reading = names_kind(scene->policy, PINFOLD_PATH_READ),
		.limits_executing = names_kind(scene->policy, PINFOLD_PATH_EXECUTE),
	};
	int result = gaps_find(host, scene, &gaps);
	write_all(&lowering);
	if (result < 0 || profile.failed)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "lower the policy for Seatbelt", NULL,
				  "free memory on this machine and try again");
	if (profile.too_deep)
		return host->fail(err, PINFOLD_E_POLICY, 0, "lower a pattern for Seatbelt", profile.too_deep,
				  "name it by fewer than 64 parts");
	*ret_profile = profile;
	*ret_gaps = gaps;
	return 0;
}
