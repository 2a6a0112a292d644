/* plugins/namespaces/describe.c - a plan in its parts, for a person: what is laid, what the filter refuses, and
 * what holds each construct of the policy. */
#include "config.h"

#include "describe.h"
#include "telling/telling.h"

#include <string.h>

static int add_mounts(struct telling *telling, const struct state *state)
{
	const struct layout *layout = &state->layout;
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		const char *what = telling->host->print(telling->host, "%s%s%s", place->what,
							place->read_only ? ", read-only" : "",
							place->no_execution ? ", without execution" : "");
		if (telling_add(telling, PINFOLD_DETAIL_MOUNT, what, NULL) < 0)
			return -1;
	}
	return telling_add(telling, PINFOLD_DETAIL_MOUNT, state->whole ? "a layer over the root" :
			   state->bounded ? "the rest of the root, read-only, without execution" :
					    "the rest of the root, read-only", NULL);
}

static int add_calls(struct telling *telling, const struct state *state)
{
	if (telling_add_classes(telling, state->refused_calls) < 0)
		return -1;
	if (state->ports && telling_add(telling, PINFOLD_DETAIL_FILTER, "refuse all of the internet's but TCP", NULL) < 0)
		return -1;
	return telling_add_always(telling);
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
	const char *laid, *not_laid;
} words[] = {
	[PINFOLD_PATH_HIDE] = { "something empty laid over it", "what it lies in is empty, or not there" },
	[PINFOLD_PATH_WRITE] = { "shown as it is, and writable", "it is not there" },
	[PINFOLD_PATH_LAYER] = { "shown below a layer", "it lies below the machine's layer, or stays read-only" },
	[PINFOLD_PATH_READ] = { "shown in a root that has nothing else",
				"what it lies in is shown, or made for what it holds" },
	[PINFOLD_PATH_EXECUTE] = { "laid on itself, where nothing else can be executed",
				   "what it lies in is not there" },
	[PINFOLD_PATH_PROTECT] = { "laid on itself, read-only, and held in place",
				   "nothing lets it be written" },
	[PINFOLD_PATH_SOCKET] = { "shown where other sockets are covered", "it is not there" },
};

static int add_constructs(struct telling *telling, const struct state *state)
{
	for (size_t i = 0; i < telling->policy->path_count; i++) {
		const struct pinfold_path *path = &telling->policy->paths[i];
		if (path->kind >= sizeof(words) / sizeof(words[0]))
			continue;
		bool laid = find_place(&state->layout, path->path);
		if (telling_add_path(telling, path, laid ? words[path->kind].laid : words[path->kind].not_laid) < 0)
			return -1;
	}
	return 0;
}

static const char *holder_of_network(const struct pinfold_policy *policy, const struct state *state)
{
	switch (policy->network) {
	case PINFOLD_NETWORK_LOOPBACK:
		return "a network namespace of its own, with a loopback";
	case PINFOLD_NETWORK_HOST:
		return "nothing: it is the host's";
	case PINFOLD_NETWORK_PORTS:
		if (state->ports)
			return "Landlock for the ports, and a filter for all that is not TCP";
		/* fall through */
	default:
		return "a network namespace of its own";
	}
}

int describe_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		  const struct pinfold_plan *plan, const struct pinfold_detail **ret_details, size_t *ret_count,
		  struct pinfold_error *err)
{
	struct telling telling = { .host = host, .policy = policy };
	const struct state *state = plan->state;
	int result = add_mounts(&telling, state);
	if (result == 0 && state->ports)
		result = telling_add_ports(&telling);
	if (result == 0)
		result = add_calls(&telling, state);
	if (result == 0)
		result = telling_add_network(&telling, holder_of_network(policy, state));
	if (result == 0)
		result = add_constructs(&telling, state);
	return telling_end(&telling, result, ret_details, ret_count, err);
}
