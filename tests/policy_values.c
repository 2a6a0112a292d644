/* tests/policy_values.c - promises, words, limits and times of a policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "policy/axes.h"
#include "policy/policy.h"
#include "policy_configured.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static int build(const char *const *settings, struct policy **policy, struct pinfold_error *err)
{
	const struct policy_caller caller = { .tree = "/usr", .user = geteuid() };
	struct config *config = configured(settings);
	int result = policy_build(config, &caller, policy, err);
	config_free(config);
	return result;
}

static struct policy *built(const char *const *settings)
{
	struct policy *policy = NULL;
	struct pinfold_error err = { 0 };
	if (build(settings, &policy, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	return policy;
}

static void without_settings_a_policy_is_closed_and_unlimited(void **state)
{
	(void)state;
	struct policy *policy = built(NULL);
	assert_int_equal(policy->lowered.size, sizeof(policy->lowered));
	assert_int_equal(policy->lowered.network, PINFOLD_NETWORK_NONE);
	assert_int_equal(policy->require, 0);
	assert_int_equal(policy->timeout, 0);
	assert_int_equal(policy->priority, 0);
	assert_int_equal(policy->lowered.terminal, 1);
	assert_int_equal(policy->host_gate, POLICY_HOST_ASK);
	assert_int_equal(policy->limit_count, 1);
	assert_int_equal(policy->limits[0].resource, RLIMIT_CORE);
	assert_int_equal(policy->limits[0].value.rlim_max, 0);
	assert_null(policy->lowered.relax[0]);
	assert_null(policy->lowered.home);
	assert_null(policy->lowered.scratch);
	policy_free(policy);
	policy_free(NULL);
}

static void every_word_becomes_the_member_that_the_arms_know(void **state)
{
	(void)state;
	static const struct {
		const char *setting;
		size_t offset;
		uint32_t expected;
	} rows[] = {
		{ "network.mode=none", offsetof(struct policy, lowered.network), PINFOLD_NETWORK_NONE },
		{ "network.mode=loopback", offsetof(struct policy, lowered.network), PINFOLD_NETWORK_LOOPBACK },
		{ "network.mode=host", offsetof(struct policy, lowered.network), PINFOLD_NETWORK_HOST },
		{ "placement.host=never", offsetof(struct policy, host_gate), POLICY_HOST_NEVER },
		{ "placement.host=ask", offsetof(struct policy, host_gate), POLICY_HOST_ASK },
		{ "placement.host=always", offsetof(struct policy, host_gate), POLICY_HOST_ALWAYS },
		{ "pinfold.terminal=inherit", offsetof(struct policy, terminal), POLICY_TERMINAL_INHERIT },
		{ "pinfold.terminal=none", offsetof(struct policy, terminal), POLICY_TERMINAL_NONE },
		{ "pinfold.terminal=none", offsetof(struct policy, lowered.terminal), 0 },
		{ "pinfold.stdin=inherit", offsetof(struct policy, standard_input), POLICY_STDIN_INHERIT },
		{ "pinfold.stdin=null", offsetof(struct policy, standard_input), POLICY_STDIN_NULL },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct policy *policy = built(LIST(rows[i].setting));
		uint32_t found;
		memcpy(&found, (const char *)policy + rows[i].offset, sizeof(found));
		if (found != rows[i].expected)
			fail_msg("%s became %u", rows[i].setting, found);
		policy_free(policy);
	}
}

static void every_axis_has_its_name_both_ways(void **state)
{
	(void)state;
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		assert_int_equal(policy_axis(policy_axis_name(axis)), axis);
	assert_null(policy_axis_name(PINFOLD_AXIS_COUNT));
	assert_null(policy_axis_name(UINT32_MAX));
	assert_int_equal(policy_axis("nonsense"), -1);
	assert_int_equal(policy_axis(""), -1);
}

static void required_promises_become_bits(void **state)
{
	(void)state;
	struct policy *policy = built(LIST("pinfold.require=network, kernel, network"));
	assert_true(policy->require == (PINFOLD_BIT(NETWORK) | PINFOLD_BIT(KERNEL)));
	policy_free(policy);
}

static void a_promise_that_nobody_knows_is_refused_with_the_nearest_name(void **state)
{
	(void)state;
	struct list names = { 0 };
	struct pinfold_error err = { 0 };
	uint64_t bits = 42;
	list_add(&names, "netwrok");
	assert_int_equal(axes_read(&names, &bits, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	assert_non_null(strstr(err.recovery, "`network`"));
	assert_int_equal(bits, 42);
	list_release(&names);
	struct policy *policy = NULL;
	assert_int_equal(build(LIST("pinfold.relax=secrts:/x"), &policy, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	assert_non_null(strstr(err.recovery, "`secrets`"));
	assert_int_equal(build(LIST("pinfold.relax=zzzzzzzzzzzz"), &policy, &err), -1);
	assert_non_null(strstr(err.recovery, "probe"));
	assert_null(policy);
}

static void accepted_gaps_are_handed_to_the_arm_by_name(void **state)
{
	(void)state;
	struct policy *policy = built(LIST("pinfold.relax=resources, secrets:/home/u/.ssh",
					   "pinfold.require=secrets"));
	assert_string_equal(policy->lowered.relax[0], "resources");
	assert_string_equal(policy->lowered.relax[1], "secrets:/home/u/.ssh");
	assert_null(policy->lowered.relax[2]);
	policy_free(policy);
}

static void what_is_required_cannot_be_relaxed(void **state)
{
	(void)state;
	struct policy *policy = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(build(LIST("pinfold.relax=network", "pinfold.require=network"), &policy, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	assert_string_equal(err.subject, "network");
	assert_null(policy);
}

static const struct policy_limit *limit_of(const struct policy *policy, int resource)
{
	for (size_t i = 0; i < policy->limit_count; i++)
		if (policy->limits[i].resource == resource)
			return &policy->limits[i];
	return NULL;
}

static void ceilings_of_the_whole_run_are_no_limits_of_a_process(void **state)
{
	(void)state;
	struct policy *policy = built(LIST("limits.memory=2G", "limits.tasks=300", "limits.processors=1.5",
					   "limits.step-aside=yes"));
	const struct policy_ceilings *ceilings = &policy->ceilings;
	assert_int_equal(ceilings->memory, UINT64_C(2) << 30);
	assert_int_equal(ceilings->tasks, 300);
	assert_int_equal(ceilings->processors, 150);
	assert_true(ceilings->step_aside);
	assert_null(limit_of(policy, RLIMIT_AS));
	assert_null(limit_of(policy, RLIMIT_NPROC));
	policy_free(policy);
}

static void limits_are_soft_and_hard_and_never_past_the_callers(void **state)
{
	(void)state;
	struct rlimit own;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &own), 0);
	struct policy *policy = built(LIST("limits.open-files=64", "limits.processes=100",
					   "limits.file-size=1M", "limits.address-space=2G",
					   "limits.core-size=4K", "limits.cpu-time=1500ms",
					   "limits.nice=5", "limits.timeout=2s"));
	static const struct {
		int resource;
		rlim_t expected;
	} rows[] = {
		{ RLIMIT_NOFILE, 64 }, { RLIMIT_NPROC, 100 }, { RLIMIT_FSIZE, 1u << 20 },
		{ RLIMIT_AS, (rlim_t)2 << 30 }, { RLIMIT_CPU, 2 },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		const struct policy_limit *limit = limit_of(policy, rows[i].resource);
		assert_non_null(limit);
		assert_true(limit->value.rlim_cur == rows[i].expected);
		assert_true(limit->value.rlim_max == rows[i].expected + (rows[i].resource == RLIMIT_CPU));
	}
	assert_non_null(limit_of(policy, RLIMIT_CORE));
	assert_int_equal(policy->priority, 5);
	assert_true(policy->timeout == UINT64_C(2000000000));
	policy_free(policy);
	policy = built(LIST("limits.open-files=18446744073709551615"));
	assert_true(limit_of(policy, RLIMIT_NOFILE)->value.rlim_max == own.rlim_max);
	policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_settings_a_policy_is_closed_and_unlimited),
		cmocka_unit_test(every_word_becomes_the_member_that_the_arms_know),
		cmocka_unit_test(every_axis_has_its_name_both_ways),
		cmocka_unit_test(required_promises_become_bits),
		cmocka_unit_test(a_promise_that_nobody_knows_is_refused_with_the_nearest_name),
		cmocka_unit_test(accepted_gaps_are_handed_to_the_arm_by_name),
		cmocka_unit_test(what_is_required_cannot_be_relaxed),
		cmocka_unit_test(ceilings_of_the_whole_run_are_no_limits_of_a_process),
		cmocka_unit_test(limits_are_soft_and_hard_and_never_past_the_callers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
