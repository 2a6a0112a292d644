/* plugins/seatbelt/gaps.c - naming what Seatbelt cannot enforce, and what would lift it. */
#include "gaps.h"

static int add(struct gaps *gaps, struct pinfold_gap gap)
{
	if (!gap.construct || !gap.name || gaps->count == gaps->room)
		return -1;
	gap.size = sizeof(gap);
	gaps->rows[gaps->count++] = gap;
	return 0;
}

static int network_gap(const struct pinfold_policy *policy, struct gaps *gaps)
{
	if (policy->network != PINFOLD_NETWORK_LOOPBACK)
		return 0;
	return add(gaps, (struct pinfold_gap){
		.construct = "network loopback", .name = "network",
		.why = "a Mac has one loopback: accepted, the command reaches every service on it",
		.lift = "set [network] mode = none" });
}

static int scope_gap(const struct pinfold_policy *policy, struct gaps *gaps)
{
	if (!PINFOLD_REACHES(policy, machine) || !policy->machine)
		return 0;
	return add(gaps, (struct pinfold_gap){
		.construct = "scope machine", .name = "writes",
		.why = "Seatbelt lays no layers: accepted, what lies outside of the copy stays read-only",
		.lift = "set [filesystem] scope = tree" });
}

static int terminal_gap(const struct scene *scene, struct gaps *gaps)
{
	if (!scene->policy->terminal || !scene->control)
		return 0;
	return add(gaps, (struct pinfold_gap){
		.construct = "terminal inherit", .name = "terminal",
		.why = "[arm:seatbelt] terminal-control lets the command change your terminal, and type into it",
		.lift = "set [arm:seatbelt] terminal-control = no" });
}

/* Classes that Seatbelt can refuse: tracing and interprocess memory, by their operations. A Mac has no
 * namespaces, io_uring or keyrings of the kernel's. */
static int call_gaps(const struct pinfold_host *host, const struct pinfold_policy *policy, struct gaps *gaps)
{
	static const struct {
		uint32_t class;
		const char *name;
	} lacking[] = { { PINFOLD_CALL_PERFORMANCE, "performance" }, { PINFOLD_CALL_FOREIGN, "foreign" } };
	if (!PINFOLD_REACHES(policy, calls_refused))
		return 0;
	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
		if (policy->calls_refused >> lacking[i].class & 1 &&
		    add(gaps, (struct pinfold_gap){
			    .construct = host->print(host, "system calls %s", lacking[i].name),
			    .name = host->print(host, "kernel:%s", lacking[i].name),
			    .why = "Seatbelt has no rule for this class of calls",
			    .lift = "take the class out of the calls that are refused" }) < 0)
			return -1;
	return 0;
}

int gaps_find(const struct pinfold_host *host, const struct scene *scene, struct gaps *ret_gaps)
{
	struct gaps gaps = { .room = 8 };
	gaps.rows = host->allocate(host, gaps.room * sizeof(*gaps.rows));
	if (!gaps.rows || network_gap(scene->policy, &gaps) < 0 ||
	    scope_gap(scene->policy, &gaps) < 0 || terminal_gap(scene, &gaps) < 0 ||
	    call_gaps(host, scene->policy, &gaps) < 0)
		return -1;
	*ret_gaps = gaps;
	return 0;
}
