/* plugins/namespaces/gaps.c - what of a policy this arm cannot enforce here, each by name. */
#include "config.h"

#include "gaps.h"

#include <string.h>

static const char lift_update[] = "leave it out, or use an arm that can";

int gaps_add(const struct pinfold_host *host, struct pinfold_plan *plan, const struct pinfold_gap *gap)
{
	struct pinfold_gap *gaps = host->allocate(host, (plan->gap_count + 1) * sizeof(*gaps));
	if (!gaps || !gap->construct || !gap->name)
		return -1;
	if (plan->gap_count)
		memcpy(gaps, plan->gaps, plan->gap_count * sizeof(*gaps));
	gaps[plan->gap_count] = *gap;
	gaps[plan->gap_count].size = sizeof(*gap);
	plan->gaps = gaps;
	plan->gap_count++;
	return 0;
}

static const struct {
	const char *axis, *noun;
} words[] = {
	[PINFOLD_PATH_HIDE] = { "secrets", "hidden" },	    [PINFOLD_PATH_WRITE] = { "writes", "writable" },
	[PINFOLD_PATH_LAYER] = { "writes", "layered" },	    [PINFOLD_PATH_READ] = { "secrets", "readable" },
	[PINFOLD_PATH_EXECUTE] = { "execution", "executable" },
	[PINFOLD_PATH_PROTECT] = { "writes", "protected" }, [PINFOLD_PATH_SOCKET] = { "sockets", "socket" },
};

static int add_path(const struct pinfold_host *host, struct pinfold_plan *plan, const struct pinfold_path *path,
		    const char *why, const char *lift)
{
	const char *mark = path->match == PINFOLD_MATCH_LITERAL ? "=" : "";
	bool known = path->kind < sizeof(words) / sizeof(words[0]);
	const char *axis = known ? words[path->kind].axis : "unknown", *noun = known ? words[path->kind].noun : "path";
	return gaps_add(host, plan, &(struct pinfold_gap){
		.firm = path->hard, .construct = host->print(host, "%s %s%s", noun, mark, path->path),
		.name = host->print(host, "%s:%s", axis, path->path), .why = why, .lift = lift,
	});
}

static const char *trouble_of(const struct pinfold_path *path)
{
	if (path->kind > PINFOLD_PATH_LAYER)
		return "this arm does not lay it yet";
	return path->match == PINFOLD_MATCH_LITERAL ? "what is laid over a directory covers what is in it" : NULL;
}

bool gaps_takes(const struct pinfold_path *path)
{
	return !trouble_of(path);
}

static int find_paths(const struct pinfold_host *host, const struct pinfold_policy *policy,
		      struct pinfold_plan *plan)
{
	for (size_t i = 0; i < policy->path_count; i++) {
		const char *why = trouble_of(&policy->paths[i]);
		if (why && add_path(host, plan, &policy->paths[i], why, lift_update) < 0)
			return -1;
	}
	return 0;
}

static int find_calls(const struct pinfold_host *host, const struct pinfold_policy *policy,
		      struct pinfold_plan *plan)
{
	static const char *const names[] = {
#define CALL_NAME(NAME, name, what) name,
		PINFOLD_CALLS(CALL_NAME)
#undef CALL_NAME
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (policy->calls_refused >> i & 1 &&
		    gaps_add(host, plan, &(struct pinfold_gap){
			.construct = host->print(host, "refused system calls %s", names[i]),
			.name = host->print(host, "kernel:%s", names[i]),
			.why = "this arm's filter has no such part", .lift = lift_update }) < 0)
			return -1;
	return 0;
}

int gaps_find(const struct pinfold_host *host, const struct pinfold_policy *policy, struct pinfold_plan *plan)
{
	if (find_paths(host, policy, plan) < 0)
		return -1;
	if (!PINFOLD_HAS(policy, link_count))
		return 0;
	if (policy->network == PINFOLD_NETWORK_PORTS &&
	    gaps_add(host, plan, &(struct pinfold_gap){
		.construct = "network ports", .name = "network:ports",
		.why = "a network of its own has none of the host's ports",
		.lift = lift_update }) < 0)
		return -1;
	return find_calls(host, policy, plan);
}
