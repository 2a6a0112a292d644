/* plugins/common/telling/telling.c - a plan in its parts, for a person: what arms of Linux tell alike. */
#include "telling.h"

#include <string.h>

int telling_add(struct telling *telling, uint32_t kind, const char *what, const char *by)
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

static int add_ports(struct telling *telling, const uint16_t *ports, size_t count, const char *verb)
{
	for (size_t i = 0; i < count; i++)
		if (telling_add(telling, PINFOLD_DETAIL_RULE,
				telling->host->print(telling->host, "%s TCP port %u", verb, ports[i]), NULL) < 0)
			return -1;
	return 0;
}

int telling_add_ports(struct telling *telling)
{
	const struct pinfold_policy *policy = telling->policy;
	if (add_ports(telling, policy->connect_ports, policy->connect_count, "connect to") < 0)
		return -1;
	return add_ports(telling, policy->listen_ports, policy->listen_count, "bind");
}

int telling_add_classes(struct telling *telling, uint64_t refused)
{
	static const struct { const char *name, *what; } classes[] = {
#define CALL_ROW(NAME, name, what) { name, what },
		PINFOLD_CALLS(CALL_ROW)
#undef CALL_ROW
	};
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (refused >> i & 1 &&
		    telling_add(telling, PINFOLD_DETAIL_FILTER, telling->host->print(telling->host, "refuse %s: %s", classes[i].name,
										     classes[i].what), NULL) < 0)
			return -1;
	return 0;
}

int telling_add_always(struct telling *telling)
{
	return telling_add(telling, PINFOLD_DETAIL_FILTER,
			   "refuse to type into a terminal, and what only the machine's owner needs", NULL);
}

int telling_add_network(struct telling *telling, const char *by)
{
	static const char *const names[] = { "network none", "network loopback", "network host", "network ports" };
	uint32_t network = telling->policy->network;
	return network < sizeof(names) / sizeof(names[0]) ?
		       telling_add(telling, PINFOLD_DETAIL_CONSTRUCT, names[network], by) : 0;
}

int telling_add_path(struct telling *telling, const struct pinfold_path *path, const char *by)
{
	static const char *const nouns[] = {
		[PINFOLD_PATH_HIDE] = "hidden", [PINFOLD_PATH_WRITE] = "writable", [PINFOLD_PATH_LAYER] = "layered",
		[PINFOLD_PATH_READ] = "readable", [PINFOLD_PATH_EXECUTE] = "executable",
		[PINFOLD_PATH_PROTECT] = "protected", [PINFOLD_PATH_SOCKET] = "socket",
	};
	if (path->kind >= sizeof(nouns) / sizeof(nouns[0]))
		return 0;
	const char *mark = path->match == PINFOLD_MATCH_LITERAL ? "=" : "";
	const char *what = telling->host->print(telling->host, "%s%s %s%s", path->hard ? "hard " : "", nouns[path->kind], mark,
						path->path);
	return telling_add(telling, PINFOLD_DETAIL_CONSTRUCT, what, by);
}

int telling_end(struct telling *telling, int result, const struct pinfold_detail **ret_details, size_t *ret_count,
		struct pinfold_error *err)
{
	if (result < 0)
		return telling->host->fail(err, PINFOLD_E_NO_MEMORY, 0, "tell what a plan consists of", NULL, NULL);
	*ret_details = telling->rows;
	*ret_count = telling->count;
	return 0;
}
