/* plugins/common/landlock/wall.c - Landlock's versions and its three system calls. */
#include "config.h"

#include "wall.h"

#include <errno.h>

/* The same numbers on every processor. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1 };
enum { RULE_PATH = 1, RULE_PORT = 2 };

struct path_rule {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

struct port_rule {
	uint64_t rights, port;
};

/* The seventh brought only how denials are logged, the eighth how threads are confined together. */
const struct wall_version wall_versions[] = {
	{ 1, "5.13",
	  { .files = WALL_EXECUTE | WALL_READ |
		     (WALL_WRITE & ~(WALL_REFER | WALL_TRUNCATE | WALL_IOCTL_DEV)) } },
	{ 2, "5.19", { .files = WALL_REFER } },
	{ 3, "6.2", { .files = WALL_TRUNCATE } },
	{ 4, "6.7", { .ports = WALL_BIND_TCP | WALL_CONNECT_TCP } },
	{ 5, "6.10", { .files = WALL_IOCTL_DEV } },
	{ 6, "6.12", { .scopes = WALL_SCOPE_ABSTRACT | WALL_SCOPE_SIGNAL } },
	{ 9, "7.1", { .files = WALL_RESOLVE_UNIX } },
};
const unsigned wall_version_count = sizeof(wall_versions) / sizeof(wall_versions[0]);

int wall_abi(const struct pinfold_host *host)
{
	return (int)host->call(CREATE_RULESET, 0, 0, ASK_VERSION, 0, 0, 0);
}

struct wall_rights wall_rights_of(int abi)
{
	struct wall_rights all = { 0 };
	for (unsigned i = 0; i < wall_version_count && wall_versions[i].abi <= abi; i++) {
		all.files |= wall_versions[i].brings.files;
		all.ports |= wall_versions[i].brings.ports;
		all.scopes |= wall_versions[i].brings.scopes;
	}
	return all;
}

long wall_open(const struct pinfold_host *host, const struct wall_rights *handled)
{
	return host->call(CREATE_RULESET, (long)handled, sizeof(*handled), 0, 0, 0, 0);
}

long wall_allow(const struct pinfold_host *host, int ruleset, const struct wall_rights *handled, int fd,
		uint64_t rights)
{
	struct path_rule rule = { .rights = rights & handled->files, .fd = fd };
	long result = rule.rights ? host->call(ADD_RULE, ruleset, RULE_PATH, (long)&rule, 0, 0, 0) : 0;
	if (result != -EINVAL || !(rule.rights & ~(uint64_t)WALL_ON_FILES))
		return result;
	rule.rights &= WALL_ON_FILES;
	return rule.rights ? host->call(ADD_RULE, ruleset, RULE_PATH, (long)&rule, 0, 0, 0) : 0;
}

long wall_allow_port(const struct pinfold_host *host, int ruleset, uint16_t port, uint64_t rights)
{
	const struct port_rule rule = { rights, port };
	return host->call(ADD_RULE, ruleset, RULE_PORT, (long)&rule, 0, 0, 0);
}

long wall_close_in(const struct pinfold_host *host, int ruleset)
{
	return host->call(RESTRICT_SELF, ruleset, 0, 0, 0, 0, 0);
}
