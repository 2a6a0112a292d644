/* plugins/namespaces/gaps.c - what of a policy this arm cannot enforce here, each by name. */
#include "config.h"

#include "gaps.h"

#include "filter/filter.h"
#include "landlock/wall.h"

#include <string.h>

static const char lift_leave[] = "leave it out, or use an arm that can";

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

static const char *trouble_of(const struct scene *scene, const struct pinfold_path *path)
{
	if (path->kind > PINFOLD_PATH_SOCKET)
		return "this arm does not know this kind of path";
	if ((path->kind == PINFOLD_PATH_READ && !scene->bare) ||
	    (path->kind == PINFOLD_PATH_EXECUTE && !scene->bounded))
		return "a layer over the whole machine, or bubblewrap, shows all of it";
	if (path->kind == PINFOLD_PATH_HIDE && path->match == PINFOLD_MATCH_LITERAL)
		return "what is laid over a directory covers what is in it";
	return NULL;
}

bool gaps_takes(const struct scene *scene, const struct pinfold_path *path)
{
	return !trouble_of(scene, path);
}

static int find_paths(const struct pinfold_host *host, const struct scene *scene, struct pinfold_plan *plan)
{
	const struct pinfold_policy *policy = scene->policy;
	for (size_t i = 0; i < policy->path_count; i++) {
		const char *why = trouble_of(scene, &policy->paths[i]);
		if (why && add_path(host, plan, &policy->paths[i], why, lift_leave) < 0)
			return -1;
	}
	return 0;
}

/* Only what is laid over something keeps it from being written. */
int gaps_find_absent(const struct pinfold_host *host, const struct layout *layout, struct pinfold_plan *plan)
{
	for (size_t i = 0; i < layout->absent_count; i++) {
		const struct place *place = &layout->absent[i];
		if (gaps_add(host, plan, &(struct pinfold_gap){
			.firm = place->firm, .construct = host->print(host, "protected %s", place->path),
			.name = host->print(host, "writes:%s", place->path),
			.why = "it does not exist, and could be made where the command may write",
			.lift = host->print(host, "make it, or take what holds %s out of [filesystem] writable",
					    place->path) }) < 0)
			return -1;
	}
	return 0;
}

/* What this machine's Landlock cannot do for the ports, whose network is the host's. */
static int find_ports(const struct pinfold_host *host, const struct scene *scene, struct pinfold_plan *plan)
{
	const struct wall_rights all = wall_rights_of(wall_abi(host));
	if (!ports_can(host, scene->policy))
		return gaps_add(host, plan, &(struct pinfold_gap){
			.construct = "network ports", .name = "network:ports",
			.why = "a network of its own has none of the host's ports, and the kernel has no Landlock for "
			       "those",
			.lift = "use a kernel of 6.7 or later with Landlock, or set [network] mode" });
	if (!(all.scopes & WALL_SCOPE_ABSTRACT) &&
	    gaps_add(host, plan, &(struct pinfold_gap){
		.construct = "network ports without abstract unix sockets", .name = "sockets:abstract",
		.why = "they are the host network's, and the kernel's Landlock has no scope for them",
		.lift = "use a kernel of 6.12 or later" }) < 0)
		return -1;
	if (scene->policy->listen_count == 0)
		return 0;
	return gaps_add(host, plan, &(struct pinfold_gap){
		.construct = "network listen", .name = "network:listen",
		.why = "a program that listens without choosing a port gets one that the kernel chooses, and "
		       "Landlock does not look at it",
		.lift = "leave [network] listen empty: then nothing can listen" });
}

int gaps_find(const struct pinfold_host *host, const struct scene *scene, struct pinfold_plan *plan)
{
	const struct pinfold_policy *policy = scene->policy;
	if (find_paths(host, scene, plan) < 0)
		return -1;
	if (!PINFOLD_REACHES(policy, link_count))
		return 0;
	if (policy->network == PINFOLD_NETWORK_PORTS && find_ports(host, scene, plan) < 0)
		return -1;
	if (policy->calls_allowed & FILTER_CLASS(FOREIGN))
		return gaps_add(host, plan, &(struct pinfold_gap){
			.construct = "allowed system calls foreign", .name = "kernel:foreign",
			.why = "the filter ends a program that makes them: their numbers mean other calls",
			.lift = "leave the class out, and run programs of this machine's own kind" });
	return 0;
}
