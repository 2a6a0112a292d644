/* plugins/namespaces/describe.c - a plan in its parts, for a person: what is laid, what the filter refuses, and
 * what holds each construct of the policy. */
#include "config.h"

#include "describe.h"
#include "filter/filter.h"

#include <string.h>

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

static int add_mounts(struct telling *telling)
{
	const struct layout *layout = &telling->state->layout;
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		const char *what = telling->host->print(telling->host, "%s%s%s", place->what,
							place->read_only ? ", read-only" : "",
							place->no_execution ? ", without execution" : "");
		if (add(telling, PINFOLD_DETAIL_MOUNT, what, NULL) < 0)
			return -1;
	}
	return add(telling, PINFOLD_DETAIL_MOUNT, telling->state->whole ? "a layer over the root" :
		   telling->state->bounded ? "the rest of the root, read-only, without execution" :
					     "the rest of the root, read-only", NULL);
}

static int add_ports(struct telling *telling, const uint16_t *ports, size_t count, const char *verb)
{
	for (size_t i = 0; i < count; i++)
		if (add(telling, PINFOLD_DETAIL_RULE, telling->host->print(telling->host, "%s TCP port %u", verb, ports[i]),
			NULL) < 0)
			return -1;
	return 0;
}

static int add_calls(struct telling *telling)
{
	static const struct { const char *name, *what; } classes[] = {
#define CALL_ROW(NAME, name, what) { name, what },
		PINFOLD_CALLS(CALL_ROW)
#undef CALL_ROW
	};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (!(telling->state->refused_calls >> i & 1))
			continue;
		const char *what = telling->host->print(telling->host, "refuse %s: %s", classes[i].name, classes[i].what);
		if (add(telling, PINFOLD_DETAIL_FILTER, what, NULL) < 0)
			return -1;
	}
	if (telling->state->ports && add(telling, PINFOLD_DETAIL_FILTER, "refuse all of the internet's but TCP", NULL) < 0)
		return -1;
	return add(telling, PINFOLD_DETAIL_FILTER, "refuse to type into a terminal, and what only the machine's owner needs",
		   NULL);
}

static const struct place *find_place(const struct layout *layout, const char *path)
{
	for (size_t i = 0; i < layout->count; i++)
		if (strcmp(layout->places[i].path, path) == 0)
			return &layout->places[i];
	return NULL;
}

/* What holds a rule, where something is laid for it, and where nothing needs to be. */
static const struct {
	const char *noun, *laid, *not_laid;
} words[] = {
	[PINFOLD_PATH_HIDE] = { "hidden", "something empty laid over it", "what it lies in is empty, or not there" },
	[PINFOLD_PATH_WRITE] = { "writable", "shown as it is, and writable", "it is not there" },
	[PINFOLD_PATH_LAYER] = { "layered", "shown below a layer", "it lies below the machine's layer, or stays read-only" },
	[PINFOLD_PATH_READ] = { "readable", "shown in a root that has nothing else",
				"what it lies in is shown, or made for what it holds" },
	[PINFOLD_PATH_EXECUTE] = { "executable", "laid on itself, where nothing else can be executed",
				   "what it lies in is not there" },
	[PINFOLD_PATH_PROTECT] = { "protected", "laid on itself, read-only, and held in place",
				   "nothing lets it be written" },
	[PINFOLD_PATH_SOCKET] = { "socket", "shown where other sockets are covered", "it is not there" },
};

static int add_constructs(struct telling *telling)
{
	for (size_t i = 0; i < telling->policy->path_count; i++) {
		const struct pinfold_path *path = &telling->policy->paths[i];
		if (path->kind >= sizeof(words) / sizeof(words[0]))
			continue;
		const char *mark = path->match == PINFOLD_MATCH_LITERAL ? "=" : "";
		const char *what = telling->host->print(telling->host, "%s%s %s%s", path->hard ? "hard " : "",
							words[path->kind].noun, mark, path->path);
		bool laid = find_place(&telling->state->layout, path->path);
		if (add(telling, PINFOLD_DETAIL_CONSTRUCT, what,
			laid ? words[path->kind].laid : words[path->kind].not_laid) < 0)
			return -1;
	}
	return 0;
}

static int add_network(struct telling *telling)
{
	static const char *const names[] = { "network none", "network loopback", "network host", "network ports" };
	static const char *const bys[] = {
		"a network namespace of its own", "a network namespace of its own, with a loopback",
		"nothing: it is the host's", "Landlock for the ports, and a filter for all that is not TCP",
	};
	uint32_t network = telling->policy->network;
	if (network >= sizeof(names) / sizeof(names[0]))
		return 0;
	bool closed = network == PINFOLD_NETWORK_PORTS && !telling->state->ports;
	return add(telling, PINFOLD_DETAIL_CONSTRUCT, names[network], closed ? bys[0] : bys[network]);
}

int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err)
{
	struct telling telling = { .host = host, .policy = policy, .state = plan->state };
	int result = add_mounts(&telling);
	if (result == 0 && telling.state->ports)
		result = add_ports(&telling, policy->connect_ports, policy->connect_count, "connect to");
	if (result == 0 && telling.state->ports)
		result = add_ports(&telling, policy->listen_ports, policy->listen_count, "bind");
	if (result == 0)
		result = add_calls(&telling);
	if (result == 0)
		result = add_network(&telling);
	if (result == 0)
		result = add_constructs(&telling);
	if (result < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "tell what a plan consists of", NULL, NULL);
	*ret_details = telling.rows;
	*ret_count = telling.count;
	return 0;
}
