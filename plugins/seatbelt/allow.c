/* plugins/seatbelt/allow.c - the rules of what a policy allows. */
#include "lowering.h"

#include "base.h"
#include "expression.h"

#include <string.h>

static void allow(struct lowering *lowering, const char *operations, const struct pinfold_path *path)
{
	profile_allow(lowering->profile, operations);
	filter_of(lowering, path, path->path);
	profile_end(lowering->profile);
}

/* A grant's path is among the policy's; its token allows it instead. */
static bool is_granted(const struct pinfold_policy *policy, const struct pinfold_path *path)
{
	if (!PINFOLD_REACHES(policy, grant_count))
		return false;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].path && strcmp(policy->grants[i].path, path->path) == 0)
			return path->kind == PINFOLD_PATH_READ || path->kind == PINFOLD_PATH_WRITE ||
			       path->kind == PINFOLD_PATH_EXECUTE;
	return false;
}

static const char *operations_of(uint32_t kind)
{
	switch (kind) {
	case PINFOLD_PATH_READ:
		return "file-read*";
	case PINFOLD_PATH_WRITE:
		return "file-read* file-write*";
	case PINFOLD_PATH_EXECUTE:
		return "process-exec*";
	case PINFOLD_PATH_SOCKET:
		return "network-outbound";
	case PINFOLD_PATH_LAYER:	/* it is shown; there is no layer to write to */
		return "file-read*";
	default:
		return NULL;
	}
}

/* What exists is among the paths: a pattern allows what is made later. */
static void allow_patterns(struct lowering *lowering)
{
	const struct pinfold_pattern *pattern;
	for (size_t i = 0; (pattern = pattern_at(lowering->policy, i)); i++) {
		const char *operations = operations_of(pattern->kind);
		const char *expression = operations ? expression_of(lowering->host, pattern->pattern, false, true) : NULL;
		if (!operations)
			continue;
		if (!expression) {
			lowering->profile->failed = true;
			return;
		}
		profile_allow(lowering->profile, operations);
		profile_filter(lowering->profile, FILTER_REGEX, expression);
		profile_end(lowering->profile);
	}
}

/* That an allowed place can be reached: each directory above it may be looked at, not into. */
static void allow_way(struct lowering *lowering, const char *path)
{
	size_t length = strlen(path);
	profile_allow(lowering->profile, "file-read-metadata");
	profile_filter(lowering->profile, FILTER_LITERAL, "/");
	for (size_t at = 1; at < length; at++) {
		if (path[at] != '/')
			continue;
		const char *above = lowering->host->print(lowering->host, "%.*s", (int)at, path);
		if (!above) {
			lowering->profile->failed = true;
			return;
		}
		profile_filter(lowering->profile, FILTER_LITERAL, above);
	}
	profile_end(lowering->profile);
}

static void allow_paths(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		const char *operations = operations_of(path->kind);
		if (!operations || is_granted(policy, path))
			continue;
		allow(lowering, operations, path);
		if (lowering->limits_reading && path->kind != PINFOLD_PATH_EXECUTE)
			allow_way(lowering, path->path);
	}
}

const char *lower_extension(const struct pinfold_host *host, const struct pinfold_grant *grant)
{
	return host->print(host, "pinfold.grant.%s", grant->name);
}

static void allow_grants(struct lowering *lowering)
{
	static const char *const operations[] = {
		[PINFOLD_GRANT_READ] = "file-read*", [PINFOLD_GRANT_WRITE] = "file-read* file-write*",
		[PINFOLD_GRANT_EXECUTE] = "file-read* process-exec*",
		[PINFOLD_GRANT_TEMPORARY] = "file-read* file-write* network-outbound network-bind",
	};
	const struct pinfold_policy *policy = lowering->policy;
	if (!PINFOLD_REACHES(policy, grant_count))
		return;
	for (size_t i = 0; i < policy->grant_count; i++) {
		const char *extension = lower_extension(lowering->host, &policy->grants[i]);
		if (!extension || policy->grants[i].kind > PINFOLD_GRANT_TEMPORARY) {
			lowering->profile->failed |= !extension;
			continue;
		}
		profile_allow(lowering->profile, operations[policy->grants[i].kind]);
		profile_filter(lowering->profile, FILTER_EXTENSION, extension);
		profile_end(lowering->profile);
	}
}

static void allow_ports(struct lowering *lowering, const char *operations, uint32_t kind, const uint16_t *ports,
			size_t count)
{
	if (count == 0)
		return;
	profile_allow(lowering->profile, operations);
	for (size_t i = 0; i < count; i++) {
		const char *address = lowering->host->print(lowering->host, "*:%u", ports[i]);
		if (!address) {
			lowering->profile->failed = true;
			return;
		}
		profile_filter(lowering->profile, kind, address);
	}
	profile_end(lowering->profile);
}

static void allow_network(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	struct profile *profile = lowering->profile;
	const char *there = policy->network == PINFOLD_NETWORK_HOST ? "*" : "localhost";
	if (policy->network == PINFOLD_NETWORK_PORTS && PINFOLD_REACHES(policy, listen_count)) {
		allow_ports(lowering, "network-outbound", FILTER_REMOTE_TCP, policy->connect_ports,
			    policy->connect_count);
		allow_ports(lowering, "network-bind network-inbound", FILTER_LOCAL_TCP, policy->listen_ports,
			    policy->listen_count);
	}
	if (policy->network != PINFOLD_NETWORK_HOST && policy->network != PINFOLD_NETWORK_LOOPBACK)
		return;
	profile_allow(profile, "network-outbound");
	profile_add(profile, there[0] == '*' ? " (remote ip \"*:*\")" : " (remote ip \"localhost:*\")");
	profile_end(profile);
	profile_allow(profile, "network-bind network-inbound");
	profile_add(profile, there[0] == '*' ? " (local ip \"*:*\")" : " (local ip \"localhost:*\")");
	profile_end(profile);
	profile->rules += 2;
	if (there[0] == '*')
		base_network(profile);
}

static void allow_calls(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	bool told = PINFOLD_REACHES(policy, calls_refused);
	uint64_t allowed = told ? policy->calls_allowed : 0, refused = told ? policy->calls_refused : 0;
	if (!(refused >> PINFOLD_CALL_IPC & 1)) {
		profile_allow(lowering->profile, "ipc-posix-sem");
		profile_end(lowering->profile);
	}
	if (allowed >> PINFOLD_CALL_IPC & ~(refused >> PINFOLD_CALL_IPC) & 1) {
		profile_allow(lowering->profile, "ipc-posix-shm* ipc-sysv*");
		profile_end(lowering->profile);
	}
	if (allowed >> PINFOLD_CALL_DEBUG & ~(refused >> PINFOLD_CALL_DEBUG) & 1) {
		profile_allow(lowering->profile, "mach-priv-task-port");
		profile_add(lowering->profile, " (target same-sandbox)");
		profile_end(lowering->profile);
		lowering->profile->rules++;
	}
}

/* Where no path limits it, all can be read, and executed. */
static void allow_by_default(struct lowering *lowering)
{
	if (lowering->limits_reading) {
		base_readable(lowering->profile);
	} else {
		profile_allow(lowering->profile, "file-read*");
		profile_end(lowering->profile);
	}
	if (!lowering->limits_executing) {
		profile_allow(lowering->profile, "process-exec*");
		profile_end(lowering->profile);
	}
}

static void allow_links(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	if (!PINFOLD_REACHES(policy, link_count) || policy->link_count == 0)
		return;
	profile_allow(lowering->profile, "file-read-metadata");
	for (size_t i = 0; i < policy->link_count; i++)
		profile_filter(lowering->profile, FILTER_LITERAL, policy->links[i].from);
	profile_end(lowering->profile);
}

/* A socket that somebody else made can be in the tree itself, and in no copy of it. */
static void allow_own(struct lowering *lowering, const char *path, bool sockets)
{
	if (!path)
		return;
	profile_allow(lowering->profile, sockets ? "file-read* file-write* network-outbound network-bind" :
						   "file-read* file-write* network-bind");
	profile_filter(lowering->profile, FILTER_SUBTREE, path);
	profile_end(lowering->profile);
	allow_way(lowering, path);
}

static void execute_at(struct lowering *lowering, const struct pinfold_path *path, const char *place)
{
	if (!place)
		return;
	profile_allow(lowering->profile, "process-exec*");
	filter_of(lowering, path, place);
	profile_end(lowering->profile);
}

/* What of the named path lies in a place of the command's own; NULL where nothing does. */
static const char *part_in(const struct pinfold_path *path, const char *place)
{
	if (!place || path_is_in(path->path, place))
		return place ? path->path : NULL;
	return !path_is_literal(path) && path_is_in(place, path->path) ? place : NULL;
}

/* What may be executed in the tree may be in its copy, which lies among copies that are out of sight. */
static void execute_named(struct lowering *lowering)
{
	const struct pinfold_policy *policy = lowering->policy;
	const struct pinfold_shown *shown = lowering->scene->shown;
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		if (path->kind != PINFOLD_PATH_EXECUTE)
			continue;
		execute_at(lowering, path, place_in_copy(lowering, path));
		execute_at(lowering, path, part_in(path, shown->source));
		execute_at(lowering, path, part_in(path, shown->temporary));
	}
}

static void execute_own(struct lowering *lowering)
{
	const struct pinfold_shown *shown = lowering->scene->shown;
	if (lowering->limits_executing)
		return execute_named(lowering);
	profile_allow(lowering->profile, "process-exec*");
	profile_filter(lowering->profile, FILTER_SUBTREE, shown->source);
	if (shown->temporary)
		profile_filter(lowering->profile, FILTER_SUBTREE, shown->temporary);
	profile_end(lowering->profile);
}

void allow_own_places(struct lowering *lowering)
{
	const struct pinfold_shown *shown = lowering->scene->shown;
	allow_own(lowering, shown->source, lowering->copied);
	allow_own(lowering, shown->temporary, true);
	execute_own(lowering);
}

void allow_all(struct lowering *lowering)
{
	allow_calls(lowering);
	allow_by_default(lowering);
	allow_links(lowering);
	allow_patterns(lowering);
	allow_paths(lowering);
	allow_grants(lowering);
	allow_network(lowering);
}
