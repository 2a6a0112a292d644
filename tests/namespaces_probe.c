/* tests/namespaces_probe.c - the arm is tried for real, and each refusal says what lifts it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "namespaces_host.h"
#include "plugins/namespaces/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_arm_is_available_here_and_says_what_it_does_not_keep(void **state)
{
	struct test_host host;
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	(void)state;
	test_host_open(&host);
	assert_int_equal(probe_offer(&host.table, &offer, &err), 0);
	if (!offer.available)
		print_message("missing: %s\nlift: %s\n", offer.missing, offer.lift);
	assert_int_equal(offer.available, 1);
	assert_int_equal(offer.answered, (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1);
	uint64_t open = PINFOLD_BIT(RESOURCES) | (geteuid() == 0 ? PINFOLD_BIT(USER) : 0);
	assert_int_equal(offer.kept, offer.answered & ~open);
	assert_int_equal(offer.holds_group, 1);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (open >> axis & 1)
			assert_non_null(offer.note[axis]);
	test_host_close(&host);
}

/* A probe that was killed cannot take away what it laid out: the next one does. */
static void what_a_killed_probe_has_left_is_removed_by_the_next(void **state)
{
	struct test_host host;
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	char left[] = "/var/tmp/pinfold-probe.leftXXXXXX", used[] = "/var/tmp/pinfold-probe.usedXXXXXX";
	(void)state;
	test_host_open(&host);
	/* Locked from the start, so that a probe of another test takes it for none that was left. */
	assert_non_null(mkdtemp(used));
	int lock = open(used, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	assert_non_null(mkdtemp(left));
	close(open(arena_print(host.arena, "%s/file", left), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	assert_int_equal(probe_offer(&host.table, &offer, &err), 0);
	assert_int_equal(access(left, F_OK), -1);
	assert_int_equal(rmdir(used), 0);
	close(lock);
	test_host_close(&host);
}

static const struct switches usual = { .apparmor_restricts = -1, .clone_allowed = -1,
				       .namespaces_allowed = 96365 };

static struct refusal explain(uint32_t step, int error, const char *what, struct switches switches)
{
	const struct trial trial = { .step = step, .error = error, .what = what };
	return refusal_explain(&trial, &switches);
}

static void a_refusal_names_the_switch_that_lifts_it(void **state)
{
	(void)state;
	struct switches apparmor = usual, debian = usual, none = usual;
	apparmor.apparmor_restricts = 1;
	debian.clone_allowed = 0;
	none.namespaces_allowed = 0;
	const struct {
		uint32_t step;
		int error;
		const char *what;
		struct switches switches;
		const char *lift;
	} rows[] = {
		{ TRIAL_CLONE, ENOSPC, NULL, usual, "user.max_user_namespaces" },
		{ TRIAL_CLONE, EPERM, NULL, none, "user.max_user_namespaces" },
		{ TRIAL_CLONE, EPERM, NULL, debian, "kernel.unprivileged_userns_clone" },
		{ TRIAL_CLONE, EPERM, NULL, apparmor, "apparmor_restrict_unprivileged_userns" },
		{ TRIAL_CLONE, EPERM, NULL, usual, "seccomp=unconfined" },
		{ TRIAL_MAP, EPERM, NULL, apparmor, "wrapper = /usr/bin/bwrap" },
		{ TRIAL_MAP, EACCES, NULL, apparmor, "apparmor_restrict_unprivileged_userns" },
		{ TRIAL_VIEW, EACCES, "make the root read-only", apparmor, "apparmor_restrict" },
		{ TRIAL_VIEW, EPERM, "make the root read-only", usual, "seccomp=unconfined" },
		{ TRIAL_VIEW, EPERM, "mount /proc", usual, "proc = none" },
		{ TRIAL_VIEW, ENOSYS, "show /usr", usual, "5.12" },
		{ TRIAL_VIEW, EMFILE, "show /usr", usual, "ulimit -n" },
		{ TRIAL_APPLY, EINVAL, "install the filter of system calls", usual, "SECCOMP" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct refusal refusal = explain(rows[i].step, rows[i].error, rows[i].what, rows[i].switches);
		assert_non_null(refusal.missing);
		if (!strstr(refusal.lift, rows[i].lift))
			print_message("row %zu: %s\n", i, refusal.lift);
		assert_non_null(strstr(refusal.lift, rows[i].lift));
	}
	assert_non_null(strstr(explain(TRIAL_CLONE, ENOSPC, NULL, usual).lift, "not a matter of disk"));
}

static void no_step_and_no_error_is_left_without_words(void **state)
{
	(void)state;
	for (uint32_t step = 0; step < TRIAL_DONE; step++)
		for (int error = 1; error < 134; error++) {
			struct refusal refusal = explain(step, error, NULL, usual);
			assert_true(refusal.missing && refusal.missing[0]);
			assert_true(refusal.lift && refusal.lift[0]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_arm_is_available_here_and_says_what_it_does_not_keep),
		cmocka_unit_test(what_a_killed_probe_has_left_is_removed_by_the_next),
		cmocka_unit_test(a_refusal_names_the_switch_that_lifts_it),
		cmocka_unit_test(no_step_and_no_error_is_left_without_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
