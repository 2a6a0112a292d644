/* plugins/namespaces/ports.c - the host's network for TCP from and to named ports, and nothing else. */
#include "config.h"

#include "calls.h"
#include "ports.h"

#include <linux/landlock.h>

#ifndef LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (UINT64_C(1) << 0)
#endif
#ifndef LANDLOCK_ACCESS_NET_BIND_TCP
#define LANDLOCK_ACCESS_NET_BIND_TCP (UINT64_C(1) << 0)
#define LANDLOCK_ACCESS_NET_CONNECT_TCP (UINT64_C(1) << 1)
#endif

enum { RULE_OF_PORT = 2 };	/* LANDLOCK_RULE_NET_PORT, which older headers lack */

/* As the kernel has them from the version of each member on; older headers lack the later ones. */
struct ruleset {
	uint64_t files, network, scopes;
};

struct port_rule {
	uint64_t allowed, port;
};

int ports_version(const struct pinfold_host *host)
{
	return (int)call(host, SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool ports_can(const struct pinfold_host *host, const struct pinfold_policy *policy)
{
	return PINFOLD_REACHES(policy, link_count) && policy->network == PINFOLD_NETWORK_PORTS &&
	       !settings_read(host).wrapper && ports_version(host) >= PORTS_TCP;
}

static long add_ports(const struct pinfold_host *host, long rules, const uint16_t *ports, size_t count,
		      uint64_t allowed)
{
	long result = 0;
	for (size_t i = 0; result == 0 && i < count; i++) {
		const struct port_rule rule = { .allowed = allowed, .port = ports[i] };
		result = call(host, SYS_landlock_add_rule, rules, RULE_OF_PORT, &rule, 0);
	}
	return result;
}

long ports_apply(const struct pinfold_host *host, const struct pinfold_policy *policy)
{
	bool scoped = ports_version(host) >= PORTS_ABSTRACT;
	const struct ruleset ruleset = {
		.network = LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP,
		.scopes = scoped ? LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET : 0,
	};
	size_t size = scoped ? sizeof(ruleset) : offsetof(struct ruleset, scopes);
	long rules = call(host, SYS_landlock_create_ruleset, &ruleset, size, 0);
	if (rules < 0)
		return rules;
	long result = add_ports(host, rules, policy->connect_ports, policy->connect_count,
				LANDLOCK_ACCESS_NET_CONNECT_TCP);
	if (result == 0)
		result = add_ports(host, rules, policy->listen_ports, policy->listen_count,
				   LANDLOCK_ACCESS_NET_BIND_TCP);
	if (result == 0)
		result = call(host, SYS_landlock_restrict_self, rules, 0);
	call_close(host, rules);
	return result;
}
