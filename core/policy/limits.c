/* policy/limits.c - ceilings for each process of a command, and for all of them together. */
#include "policy/limits.h"

#include "base/fault.h"
#include "base/text.h"

static const struct row {
	const char *key;
	int resource;
	uint64_t unit;	/* of the configured number, in the resource's own */
	bool zero_counts;	/* 0 is a ceiling; else it leaves the caller's */
	/* So far above the soft ceiling the hard one is: at that of processor time the kernel kills, and below it
	 * sends a signal of its own, which tells what it was. */
	rlim_t above;
} rows[] = {
	{ "open-files", RLIMIT_NOFILE, 1, false, 0 },
	{ "processes", RLIMIT_NPROC, 1, false, 0 },
	{ "file-size", RLIMIT_FSIZE, 1, false, 0 },
	{ "address-space", RLIMIT_AS, 1, false, 0 },
	{ "core-size", RLIMIT_CORE, 1, true, 0 },
	{ "cpu-time", RLIMIT_CPU, 1000000000u, false, 1 },
};

/* A soft and a hard ceiling at once, so that the command cannot raise it again, but for what is above. */
static struct rlimit ceiling(const struct row *row, uint64_t number, rlim_t most)
{
	uint64_t whole = number / row->unit + (number % row->unit != 0);
	rlim_t value = most != RLIM_INFINITY && whole > most ? most : (rlim_t)whole;
	bool room = most == RLIM_INFINITY || most - value >= row->above;
	return (struct rlimit){ .rlim_cur = value, .rlim_max = room ? value + row->above : value };
}

int limits_read(const struct config *config, struct policy *policy, struct pinfold_error *err)
{
	policy->ceilings = (struct policy_ceilings){
		.memory = config_number(config, "limits", "memory"),
		.tasks = config_number(config, "limits", "tasks"),
		.processors = config_number(config, "limits", "processors"),
		.step_aside = config_word(config, "limits", "step-aside") == 1,
	};
	policy->limits = arena_allocate(policy->arena, sizeof(rows) / sizeof(rows[0]) *
							       sizeof(*policy->limits));
	if (!policy->limits)
		return fault_no_memory(err);
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		uint64_t number = config_number(config, "limits", rows[i].key);
		struct rlimit own;
		if ((number == 0 && !rows[i].zero_counts) || getrlimit(rows[i].resource, &own) < 0)
			continue;
		policy->limits[policy->limit_count++] = (struct policy_limit){
			.resource = rows[i].resource,
			.value = ceiling(&rows[i], number, own.rlim_max),
		};
	}
	return 0;
}
