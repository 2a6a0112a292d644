/* plugins/namespaces/wall.c - a second wall: Landlock's rules say once more what the view's mounts say, and reach
 * further: a named pipe that the read-only root shows cannot be written, and no signal and no connection to an
 * abstract socket leaves the command's own processes. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"
#include "landlock/wall.h"

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
	long result = wall_allow(host, ruleset, handled, (int)fd, WALL_WRITE);
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
	/* Rules of ports alone forbid, beside rules of files, to rename into another directory. */
	bool ports = policy->network == PINFOLD_NETWORK_PORTS;
	return !machine && !mounts && !ports && (!setting || strcmp(setting, "no") != 0) &&
	       wall_abi(host) >= LEAST_ABI;
}

/* In the command's task, when the view is laid: the rules are of what it shows. */
long wall_lay(const struct pinfold_host *host, const struct state *state)
{
	const struct wall_rights all = wall_rights_of(wall_abi(host));
	const struct wall_rights handled = { .files = all.files & WALL_WRITE, .scopes = all.scopes };
	long ruleset = wall_open(host, &handled);
	if (ruleset < 0)
		return ruleset;
	long result = allow_places(host, state, (int)ruleset, &handled);
	if (result >= 0)
		result = wall_close_in(host, (int)ruleset);
	call_close(host, ruleset);
	return result;
}
