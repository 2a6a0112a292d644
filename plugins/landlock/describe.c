/* plugins/landlock/describe.c - a plan in its parts, for a person: what the rules allow, what the filter refuses, and
 * what holds each construct of the policy. */
#include "config.h"

#include "landlock.h"
#include "landlock/around.h"
#include "telling/telling.h"

static int add_named(struct telling *telling, uint32_t kind, const char *verb, const char *path)
{
	return telling_add(telling, kind, telling->host->print(telling->host, "%s %s", verb, path), NULL);
}

/* --- rules ------------------------------------------------------------------------------------------- */
static int add_reading(struct telling *telling, const struct state *state)
{
	const struct pinfold_host *host = telling->host;
	size_t rules = state->reading_rules;
	for (size_t i = 0; i < telling->policy->path_count; i++)
		if (telling->policy->paths[i].kind == PINFOLD_PATH_READ)
			return telling_add(telling, PINFOLD_DETAIL_RULE,
					   host->print(host, "read what is named readable, and /proc, but for what is "
							     "hidden: %zu rules", rules), NULL);
	return telling_add(telling, PINFOLD_DETAIL_RULE,
			   host->print(host, "read / but for what is hidden: %zu rules", rules), NULL);
}

static int add_writing(struct telling *telling, const struct state *state)
{
	const struct pinfold_shown *shown = state->shown;
	const char *copy = shown->imagined ? "the copy of the tree" : shown->source;
	if (add_named(telling, PINFOLD_DETAIL_RULE, "read and write", copy) < 0 ||
	    (shown->temporary && add_named(telling, PINFOLD_DETAIL_RULE, "read and write", shown->temporary) < 0))
		return -1;
	for (size_t i = 0; i < telling->policy->path_count; i++) {
		const struct pinfold_path *path = &telling->policy->paths[i];
		if (path->kind == PINFOLD_PATH_WRITE &&
		    add_named(telling, PINFOLD_DETAIL_RULE, "read and write", path->path) < 0)
			return -1;
	}
	return telling_add(telling, PINFOLD_DETAIL_RULE, telling->policy->terminal ?
			   "read and write /dev/null, zero, full, random, urandom, and the terminal" :
			   "read and write /dev/null, zero, full, random, urandom", NULL);
}

static int add_rules(struct telling *telling, const struct state *state)
{
	const struct wall_rights *handled = &state->handled;
	if (add_reading(telling, state) < 0 || add_writing(telling, state) < 0)
		return -1;
	if (telling->policy->network == PINFOLD_NETWORK_PORTS && handled->ports && telling_add_ports(telling) < 0)
		return -1;
	if (handled->scopes & WALL_SCOPE_SIGNAL &&
	    telling_add(telling, PINFOLD_DETAIL_RULE, "signals to the command's own processes alone", NULL) < 0)
		return -1;
	return handled->scopes & WALL_SCOPE_ABSTRACT ?
		       telling_add(telling, PINFOLD_DETAIL_RULE, "abstract sockets of the command's own processes alone", NULL) : 0;
}

/* --- filter ------------------------------------------------------------------------------------------ */
static int add_calls(struct telling *telling, const struct state *state)
{
	static const struct { uint32_t part; const char *what; } parts[] = {
		{ FILTER_NO_INTERNET, "refuse all sockets of the internet" },
		{ FILTER_TCP_ONLY, "refuse all of the internet's but TCP" },
		{ FILTER_NO_LISTENING, "refuse to listen" },
		{ FILTER_NO_UNIX, "refuse unix sockets but connected pairs" },
		{ FILTER_NO_TRUNCATION, "refuse to cut files but by a descriptor that is open for writing" },
		{ FILTER_ASK_ATTRIBUTES, "ask the host to change modes, owners, times and extended attributes, which it does "
					 "where the command may write" },
	};
	if (telling_add_classes(telling, filter_refuses(&state->wants)) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (state->wants.parts & parts[i].part &&
		    telling_add(telling, PINFOLD_DETAIL_FILTER, parts[i].what, NULL) < 0)
			return -1;
	return telling_add_always(telling);
}

/* --- constructs -------------------------------------------------------------------------------------- */
static int add_network(struct telling *telling, const struct state *state)
{
	const char *by = "a filter that refuses every socket of the internet";
	if (telling->policy->network == PINFOLD_NETWORK_HOST)
		by = "nothing: it is the host's";
	else if (!state->no_internet)
		by = "Landlock for the ports, and a filter for all that is not TCP";
	return telling_add_network(telling, by);
}

static const char *holder_of(const struct state *state, const struct pinfold_path *path)
{
	const struct pinfold_shown *shown = state->shown;
	bool of_tree = around_is_within(path->path, shown->tree) || around_is_within(path->path, shown->source);
	switch (path->kind) {
	case PINFOLD_PATH_HIDE:
		return of_tree ? "left out of the copy, and no rule for it in the tree" : "no rule for it, and one for each neighbour";
	case PINFOLD_PATH_LAYER:
		return "no rule lets it be written: there are no layers";
	case PINFOLD_PATH_PROTECT:
		return "no rule lets it be written";
	case PINFOLD_PATH_SOCKET:
		return state->handled.files & WALL_RESOLVE_UNIX ? "a rule" : "nothing: it cannot be connected to";
	default:
		return "a rule";
	}
}

static int add_constructs(struct telling *telling, const struct state *state)
{
	for (size_t i = 0; i < telling->policy->path_count; i++) {
		const struct pinfold_path *path = &telling->policy->paths[i];
		if (telling_add_path(telling, path, holder_of(state, path)) < 0)
			return -1;
	}
	return 0;
}

int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err)
{
	struct telling telling = { .host = host, .policy = policy };
	const struct state *state = plan->state;
	int result = add_rules(&telling, state);
	if (result == 0)
		result = add_calls(&telling, state);
	if (result == 0)
		result = add_network(&telling, state);
	if (result == 0)
		result = add_constructs(&telling, state);
	return telling_end(&telling, result, ret_details, ret_count, err);
}
