/* copytree/arm.c - the arm `copytree`: the command works on the copy, at the copy's place, and is
 * confined in nothing else.
 *
 * For machines that give nothing better. It promises what a copy alone can keep, and says the rest.
 */
#include "copytree.h"

#include "bare/bare.h"
#include "system.h"

#include <errno.h>

PINFOLD_ARM_ANSWERS(11);

static const char lift_all[] = "use the arm namespaces";

static const char *const notes[PINFOLD_AXIS_COUNT] = {
	[PINFOLD_AXIS_FILESYSTEM] = "an absolute path still leads to the original tree",
	[PINFOLD_AXIS_WRITES] = "the command writes wherever you can",
	[PINFOLD_AXIS_SECRETS] = "the command reads whatever you can",
	[PINFOLD_AXIS_NETWORK] = "the command has the host's network",
	[PINFOLD_AXIS_SOCKETS] = "the command reaches the host's unix sockets",
	[PINFOLD_AXIS_PROCESSES] = "the command sees your processes, and can signal them",
	[PINFOLD_AXIS_USER] = "the command runs as you",
	[PINFOLD_AXIS_RESOURCES] = "the command could leave the cgroup that holds ceilings on all processes together: it writes wherever you can",
	[PINFOLD_AXIS_TERMINAL] = "the command has your terminal when it inherits it",
	[PINFOLD_AXIS_KERNEL] = "no system call is refused",
};

static int copytree_probe(const struct pinfold_host *host, struct pinfold_offer *offer,
			  struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		offer->note[axis] = notes[axis];
	const char *trouble = system_tree_trouble();
	if (!trouble)
		offer->kept |= PINFOLD_BIT(PROCESS_TREE);
	offer->note[PINFOLD_AXIS_PROCESS_TREE] = trouble ? trouble :
		"a command that kills its supervisor leaves processes behind, which are counted";
	return 0;
}

/* The constructs of a policy that are paths, and what this arm leaves undone about each kind. */
static const struct {
	uint32_t kind;
	const char *noun, *name, *why;
} path_gaps[] = {
	{ PINFOLD_PATH_HIDE, "hidden", "secrets", "copytree hides nothing" },
	{ PINFOLD_PATH_READ, "readable", "secrets:readable", "copytree hides nothing" },
	{ PINFOLD_PATH_EXECUTE, "executable", "execution", "copytree lets every program be executed" },
	{ PINFOLD_PATH_PROTECT, "protected", "writes", "the command writes wherever you can" },
};

enum { PATH_GAPS = sizeof(path_gaps) / sizeof(path_gaps[0]), GAPS_MOST = PATH_GAPS + 2 };

static const char *path_construct(const struct pinfold_host *host, const struct pinfold_policy *policy,
				  uint32_t kind, const char *noun)
{
	const char *first = NULL;
	unsigned count = 0;
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind && count++ == 0)
			first = policy->paths[i].path;
	if (count < 2)
		return count ? host->print(host, "%s %s", noun, first) : NULL;
	return host->print(host, "%s %s and %u more", noun, first, count - 1);
}

static const char *network_construct(uint32_t network)
{
	static const char *const words[] = {
		[PINFOLD_NETWORK_NONE] = "network none", [PINFOLD_NETWORK_LOOPBACK] = "network loopback",
		[PINFOLD_NETWORK_PORTS] = "network ports",
	};
	return network < sizeof(words) / sizeof(words[0]) ? words[network] : NULL;
}

static unsigned fill_gaps(const struct pinfold_host *host, const struct pinfold_policy *policy,
			  struct pinfold_gap *gaps)
{
	unsigned count = 0;
	const struct pinfold_gap gap = { .size = sizeof(gap), .lift = lift_all };
	if (policy->network != PINFOLD_NETWORK_HOST) {
		gaps[count] = gap;
		gaps[count].construct = network_construct(policy->network);
		gaps[count].name = "network";
		gaps[count++].why = "copytree leaves the host's network open";
	}
	for (size_t i = 0; i < PATH_GAPS; i++) {
		const char *construct = path_construct(host, policy, path_gaps[i].kind, path_gaps[i].noun);
		if (!construct)
			continue;
		gaps[count] = gap;
		gaps[count].construct = construct;
		gaps[count].name = path_gaps[i].name;
		gaps[count++].why = path_gaps[i].why;
	}
	if (PINFOLD_HAS(policy, calls_refused) && policy->calls_refused) {
		gaps[count] = gap;
		gaps[count].construct = "refused system calls";
		gaps[count].name = "kernel";
		gaps[count++].why = "no system call is refused";
	}
	return count;
}

static int copytree_prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
			    const struct pinfold_shown *shown, struct pinfold_plan *plan,
			    struct pinfold_error *err)
{
	struct pinfold_gap *gaps = host->allocate(host, GAPS_MOST * sizeof(*gaps));
	if (shown->kind != PINFOLD_SHOW_DIRECTORY)
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "show the working tree",
				  "copytree can show a copy only, not an overlay",
				  "set [pinfold] view = copy, or use the arm namespaces");
	plan->directory = bare_directory(host, shown);
	if (!plan->directory)
		return host->fail(err, PINFOLD_E_INTERNAL, 0, "find the working directory in the copy",
				  shown->directory, "report this");
	if (!gaps)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm copytree", NULL,
				  "free memory on this machine and try again");
	plan->temporary = shown->temporary;
	plan->gap_count = fill_gaps(host, policy, gaps);
	plan->gaps = gaps;
	return 0;
}

const struct pinfold_arm copytree_arm = {
	.size = sizeof(copytree_arm),
	.placing = PINFOLD_PLACING_IDENTITY,
	.name = "copytree",
	.summary = "the command works on a copy of the tree, and is not confined otherwise",
	.probe = copytree_probe,
	.prepare = copytree_prepare,
	.enter = system_enter,
	.becomes = 1,
};
