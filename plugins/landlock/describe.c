/* plugins/landlock/describe.c - a plan in its parts, for a person: what the rules allow, what the filter refuses, and
 * what holds each construct of the policy. */
#include "config.h"

#include "landlock.h"
#include "landlock/around.h"

#include <string.h>
#include <sys/stat.h>

/* Details in the making. */
struct telling {
	const struct pinfold_host *host;
	const struct pinfold_policy *policy;
	const struct state *state;
	struct pinfold_detail *rows;
	size_t count, room;
};

static int add(struct telling *telling, uint32_t kind, const char *what, const char *by)
{
	if (telling->count == telling->room) {
		size_t room = telling->room ? telling->room * 2 : 64;
		struct pinfold_detail *rows = telling->host->allocate(telling->host, room * sizeof(*rows));
		if (!rows)
			return -1;
		if (telling->count)
			memcpy(rows, telling->rows, telling->count * sizeof(*rows));
		telling->rows = rows;
		telling->room = room;
	}
	telling->rows[telling->count++] = (struct pinfold_detail){ sizeof(struct pinfold_detail), kind, what, by };
	return what ? 0 : -1;
}

static int add_named(struct telling *telling, uint32_t kind, const char *verb, const char *path)
{
	return add(telling, kind, telling->host->print(telling->host, "%s %s", verb, path), NULL);
}

/* --- rules ------------------------------------------------------------------------------------------- */
static int add_ports(struct telling *telling, const uint16_t *ports, size_t count, const char *verb)
{
	for (size_t i = 0; i < count; i++)
		if (add(telling, PINFOLD_DETAIL_RULE, telling->host->print(telling->host, "%s TCP port %u", verb, ports[i]),
			NULL) < 0)
			return -1;
	return 0;
}

static int add_reading(struct telling *telling)
{
	const struct pinfold_host *host = telling->host;
	size_t rules = telling->state->reading_rules;
	for (size_t i = 0; i < telling->policy->path_count; i++)
		if (telling->policy->paths[i].kind == PINFOLD_PATH_READ)
			return add(telling, PINFOLD_DETAIL_RULE,
				   host->print(host, "read what is named readable, and /proc, but for what is hidden: %zu rules",
					       rules), NULL);
	return add(telling, PINFOLD_DETAIL_RULE, host->print(host, "read / but for what is hidden: %zu rules", rules), NULL);
}

static int add_writing(struct telling *telling)
{
	const struct pinfold_shown *shown = telling->state->shown;
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
	return add(telling, PINFOLD_DETAIL_RULE, telling->policy->terminal ?
		   "read and write /dev/null, zero, full, random, urandom, and the terminal" :
		   "read and write /dev/null, zero, full, random, urandom", NULL);
}

static int add_rules(struct telling *telling)
{
	const struct pinfold_policy *policy = telling->policy;
	const struct wall_rights *handled = &telling->state->handled;
	if (add_reading(telling) < 0 || add_writing(telling) < 0)
		return -1;
	if (policy->network == PINFOLD_NETWORK_PORTS && handled->ports &&
	    (add_ports(telling, policy->connect_ports, policy->connect_count, "connect to") < 0 ||
	     add_ports(telling, policy->listen_ports, policy->listen_count, "bind") < 0))
		return -1;
	if (handled->scopes & WALL_SCOPE_SIGNAL &&
	    add(telling, PINFOLD_DETAIL_RULE, "signals to the command's own processes alone", NULL) < 0)
		return -1;
	return handled->scopes & WALL_SCOPE_ABSTRACT ?
		       add(telling, PINFOLD_DETAIL_RULE, "abstract sockets of the command's own processes alone", NULL) : 0;
}

/* --- filter ------------------------------------------------------------------------------------------ */
static int add_calls(struct telling *telling)
{
	static const struct { const char *name, *what; } classes[] = {
#define CALL_ROW(NAME, name, what) { name, what },
		PINFOLD_CALLS(CALL_ROW)
#undef CALL_ROW
	};
	static const struct { uint32_t part; const char *what; } parts[] = {
		{ FILTER_NO_INTERNET, "refuse all sockets of the internet" },
		{ FILTER_TCP_ONLY, "refuse all of the internet's but TCP" },
		{ FILTER_NO_LISTENING, "refuse to listen" },
		{ FILTER_NO_UNIX, "refuse unix sockets but connected pairs" },
		{ FILTER_NO_TRUNCATION, "refuse to cut files but by a descriptor that is open for writing" },
		{ FILTER_ASK_ATTRIBUTES, "ask the host to change modes, owners, times and extended attributes, which it does "
					 "where the command may write" },
	};
	uint64_t refused = filter_refuses(&telling->state->wants);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (refused >> i & 1 &&
		    add(telling, PINFOLD_DETAIL_FILTER, telling->host->print(telling->host, "refuse %s: %s", classes[i].name,
									     classes[i].what), NULL) < 0)
			return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (telling->state->wants.parts & parts[i].part &&
		    add(telling, PINFOLD_DETAIL_FILTER, parts[i].what, NULL) < 0)
			return -1;
	return add(telling, PINFOLD_DETAIL_FILTER, "refuse to type into a terminal, and what only the machine's owner needs",
		   NULL);
}

/* --- constructs -------------------------------------------------------------------------------------- */
static int add_network(struct telling *telling)
{
	static const char *const names[] = { "network none", "network loopback", "network host", "network ports" };
	uint32_t network = telling->policy->network;
	const char *by = "a filter that refuses every socket of the internet";
	if (network == PINFOLD_NETWORK_HOST)
		by = "nothing: it is the host's";
	else if (!telling->state->no_internet)
		by = "Landlock for the ports, and a filter for all that is not TCP";
	return network < sizeof(names) / sizeof(names[0]) ? add(telling, PINFOLD_DETAIL_CONSTRUCT, names[network], by) : 0;
}

static const char *holder_of(const struct telling *telling, const struct pinfold_path *path)
{
	const struct pinfold_shown *shown = telling->state->shown;
	bool of_tree = around_is_within(path->path, shown->tree) || around_is_within(path->path, shown->source);
	switch (path->kind) {
	case PINFOLD_PATH_HIDE:
		return of_tree ? "left out of the copy, and no rule for it in the tree" : "no rule for it, and one for each neighbour";
	case PINFOLD_PATH_LAYER:
		return "no rule lets it be written: there are no layers";
	case PINFOLD_PATH_PROTECT:
		return "no rule lets it be written";
	case PINFOLD_PATH_SOCKET:
		return telling->state->handled.files & WALL_RESOLVE_UNIX ? "a rule" : "nothing: it cannot be connected to";
	default:
		return "a rule";
	}
}

static int add_constructs(struct telling *telling)
{
	static const char *const nouns[] = {
		[PINFOLD_PATH_HIDE] = "hidden", [PINFOLD_PATH_WRITE] = "writable", [PINFOLD_PATH_LAYER] = "layered",
		[PINFOLD_PATH_READ] = "readable", [PINFOLD_PATH_EXECUTE] = "executable",
		[PINFOLD_PATH_PROTECT] = "protected", [PINFOLD_PATH_SOCKET] = "socket",
	};
	for (size_t i = 0; i < telling->policy->path_count; i++) {
		const struct pinfold_path *path = &telling->policy->paths[i];
		if (path->kind >= sizeof(nouns) / sizeof(nouns[0]))
			continue;
		const char *mark = path->match == PINFOLD_MATCH_LITERAL ? "=" : "";
		const char *what = telling->host->print(telling->host, "%s%s %s%s", path->hard ? "hard " : "",
							nouns[path->kind], mark, path->path);
		if (add(telling, PINFOLD_DETAIL_CONSTRUCT, what, holder_of(telling, path)) < 0)
			return -1;
	}
	return 0;
}

int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err)
{
	struct telling telling = { .host = host, .policy = policy, .state = plan->state };
	if (add_rules(&telling) < 0 || add_calls(&telling) < 0 || add_network(&telling) < 0 || add_constructs(&telling) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "tell what a plan consists of", NULL, NULL);
	*ret_details = telling.rows;
	*ret_count = telling.count;
	return 0;
}
