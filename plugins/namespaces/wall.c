/* plugins/namespaces/wall.c - Landlock's rules. With the host's network they watch TCP's ports. And they are a second
 * wall: they say once more what the view's mounts say, and reach further: a named pipe that the read-only root shows
 * cannot be written, and no signal and no connection to an abstract socket leaves the command's own processes. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"

#include <string.h>

/* Before the second version no file could be renamed into another directory, wherever that lay. */
enum { LEAST_ABI = 2 };

static bool can_be_written(const struct place *place)
{
	switch (place->kind) {
	case PLACE_LAYER:
	case PLACE_WHOLE:
	case PLACE_OVER:
	case PLACE_BLANK:
	case PLACE_DEVICES:
		return true;
	case PLACE_SHOW:
	case PLACE_PROC:
		return !place->read_only;
	default:
		return false;
	}
}

/* A rule holds for what is mounted below as well. */
static bool has_a_rule_around(const struct place *place)
{
	for (place = place->around; place; place = place->around)
		if (can_be_written(place))
			return true;
	return false;
}

static long allow_place(const struct pinfold_host *host, int ruleset, const struct wall_rights *handled,
			const struct place *place)
{
	long fd = call_open(host, AT_FDCWD, place->path, O_PATH);
	if (fd < 0)
		return fd == -ENOENT || fd == -ENOTDIR ? 0 : fd;
	long result = wall_allow(host, ruleset, handled, (int)fd,
				 place->directory ? WALL_WRITE : WALL_WRITE & WALL_ON_FILES);
	call_close(host, fd);
	return result;
}

static long allow_places(const struct pinfold_host *host, const struct state *state, int ruleset,
			 const struct wall_rights *handled)
{
	long result = 0;
	for (size_t i = 0; result >= 0 && i < state->layout.count; i++) {
		const struct place *place = &state->layout.places[i];
		if (can_be_written(place) && !has_a_rule_around(place))
			result = allow_place(host, ruleset, handled, place);
	}
	return result;
}

bool wall_is_wanted(const struct pinfold_host *host, const struct pinfold_policy *policy,
		    const struct filter_wants *wants)
{
	const char *setting = host->setting(host, "landlock");
	bool machine = PINFOLD_HAS(policy, machine);	/* everything can be written */
	bool mounts = !(filter_refuses(wants) & FILTER_CLASS(NAMESPACES));	/* which Landlock forbids */
	return !machine && !mounts && (!setting || strcmp(setting, "no") != 0) && wall_abi(host) >= LEAST_ABI;
}

bool ports_can(const struct pinfold_host *host, const struct pinfold_policy *policy)
{
	return PINFOLD_REACHES(policy, link_count) && policy->network == PINFOLD_NETWORK_PORTS &&
	       !settings_read(host).wrapper && wall_rights_of(wall_abi(host)).ports;
}

/* Of several rulesets each must allow, and any of them forbids to move a file into another directory but where it
 * allows that: so there is one, and also one that is of ports alone has something to say of files. */
static struct wall_rights handled_by(const struct state *state)
{
	const struct wall_rights *all = &state->wall;
	struct wall_rights handled = { .ports = state->ports ? all->ports : 0 };
	handled.files = all->files & (state->walled ? WALL_WRITE : WALL_REFER);
	handled.scopes = all->scopes & (state->walled ? ~UINT64_C(0) : WALL_SCOPE_ABSTRACT);
	return handled;
}

static long allow_moving(const struct pinfold_host *host, int ruleset, const struct wall_rights *handled)
{
	long root = call_open(host, AT_FDCWD, "/", O_PATH);
	long result = root < 0 ? root : wall_allow(host, ruleset, handled, (int)root, WALL_REFER);
	call_close(host, root);
	return result;
}

static long allow_ports(const struct pinfold_host *host, const struct pinfold_policy *policy, int ruleset)
{
	long result = 0;
	for (size_t i = 0; result >= 0 && i < policy->connect_count; i++)
		result = wall_allow_port(host, ruleset, policy->connect_ports[i], WALL_CONNECT_TCP);
	for (size_t i = 0; result >= 0 && i < policy->listen_count; i++)
		result = wall_allow_port(host, ruleset, policy->listen_ports[i], WALL_BIND_TCP);
	return result;
}

/* In the command's task, when the view is laid: the rules are of what it shows. */
long wall_lay(const struct pinfold_host *host, const struct state *state)
{
	const struct wall_rights handled = handled_by(state);
	long ruleset = wall_open(host, &handled);
	if (ruleset < 0)
		return ruleset;
	long result = state->walled ? allow_places(host, state, (int)ruleset, &handled) :
				      allow_moving(host, (int)ruleset, &handled);
	if (result >= 0 && state->ports)
		result = allow_ports(host, state->ports, (int)ruleset);
	if (result >= 0)
		result = wall_close_in(host, (int)ruleset);
	call_close(host, ruleset);
	return result;
}
