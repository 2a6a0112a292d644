/* plugins/landlock/network.c - the network of a policy: all, rules for ports, or none. */
#include "config.h"

#include "lowering.h"

static int lower_ports(struct lowering *low, struct filter_wants *wants, struct pinfold_error *err)
{
	const struct pinfold_policy *policy = low->policy;
	long result = 0;
	wants->parts |= FILTER_TCP_ONLY | (policy->listen_count ? 0 : FILTER_NO_LISTENING);
	if (policy->listen_count)
		lowering_gap(low, &(struct pinfold_gap){
			.construct = "network listen", .name = "network:listen",
			.why = "a program that listens without choosing a port gets one that the kernel chooses, and "
			       "Landlock does not look at it",
			.lift = "leave [network] listen empty: then nothing can listen",
		});
	for (size_t i = 0; result >= 0 && i < policy->connect_count; i++)
		result = wall_allow_port(low->host, low->state->ruleset, policy->connect_ports[i], WALL_CONNECT_TCP);
	for (size_t i = 0; result >= 0 && i < policy->listen_count; i++)
		result = wall_allow_port(low->host, low->state->ruleset, policy->listen_ports[i], WALL_BIND_TCP);
	return result < 0 ? lowering_fail(low, "a port of TCP", (int)-result, err) : 0;
}

int lowering_network(struct lowering *low, struct filter_wants *wants, struct pinfold_error *err)
{
	uint32_t network = low->policy->network;
	if (network == PINFOLD_NETWORK_HOST)
		return 0;
	if (network == PINFOLD_NETWORK_PORTS && low->state->handled.ports)
		return lower_ports(low, wants, err);
	wants->parts |= FILTER_NO_INTERNET;
	low->state->no_internet = true;
	if (network == PINFOLD_NETWORK_LOOPBACK)
		lowering_gap(low, &(struct pinfold_gap){
			.construct = "network loopback", .name = "network", .lift = LOWERING_OTHER_ARM,
			.why = "a loopback of its own takes a network namespace; there is no network at all",
		});
	if (network == PINFOLD_NETWORK_PORTS)
		lowering_gap(low, &(struct pinfold_gap){
			.construct = "network ports", .name = "network", .lift = "use Linux 6.7 or later",
			.why = "this kernel's Landlock has no rules for ports; there is no network at all",
		});
	return 0;
}
