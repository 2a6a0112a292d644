/* tests/landlock_versions.c - the arm landlock on kernels whose Landlock is older, and on those that refuse it: what
 * it promises is what that kernel gives, and each lack is said. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "namespaces_host.h"
#include "old_kernel.h"
#include "plugins/landlock/landlock.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* What the process below the other kernel found. */
struct found {
	int result;
	uint32_t available;
	uint64_t kept;
	char notes[PINFOLD_AXIS_COUNT][400];
	char missing[300], lift[300];
};

static struct found *found;
static const char *setting_sockets;

static int newest(void)
{
	struct test_host host;
	test_host_open(&host);
	int abi = wall_abi(&host.table);
	test_host_close(&host);
	return abi;
}

static int probe_here(void *unused)
{
	struct test_host host;
	struct pinfold_error err = { 0 };
	struct pinfold_offer offer = { .size = sizeof(offer) };
	(void)unused;
	test_host_open(&host);
	if (setting_sockets) {
		host.settings[0] = "sockets";
		host.settings[1] = setting_sockets;
	}
	found->result = probe_offer(&host.table, &offer, &err);
	if (found->result < 0)
		fprintf(stderr, "cannot %s: %s\n", err.action, err.subject);
	found->available = offer.available;
	found->kept = offer.kept;
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		snprintf(found->notes[axis], sizeof(found->notes[axis]), "%s", offer.note[axis] ? offer.note[axis] : "");
	snprintf(found->missing, sizeof(found->missing), "%s", offer.missing ? offer.missing : "");
	snprintf(found->lift, sizeof(found->lift), "%s", offer.lift ? offer.lift : "");
	test_host_close(&host);
	return 7;
}

static void probe_on(const struct old_kernel *kernel)
{
	memset(found, 0, sizeof(*found));
	int ended = old_kernel_run(kernel, probe_here, NULL);
	if (ended < 0 && errno == ENOTSUP)
		skip();
	assert_int_equal(ended, 7);
	assert_int_equal(found->result, 0);
}

static bool keeps(unsigned axis)
{
	return found->kept >> axis & 1;
}

static void has(unsigned axis, const char *words)
{
	if (!strstr(found->notes[axis], words))
		fail_msg("axis %u does not say \"%s\": %s", axis, words, found->notes[axis]);
}

static void lacks(unsigned axis, const char *words)
{
	if (strstr(found->notes[axis], words))
		fail_msg("axis %u says \"%s\": %s", axis, words, found->notes[axis]);
}

static void check(unsigned axis, bool lacking, const char *words)
{
	(lacking ? has : lacks)(axis, words);
}

static void each_version_promises_what_it_has_and_says_what_it_lacks(void **state)
{
	(void)state;
	const int here = newest();
	if (here < 1)
		skip();
	for (int abi = 1; abi <= here; abi++) {
		const struct old_kernel kernel = { .abi = abi };
		probe_on(&kernel);
		if (!found->available)
			fail_msg("version %d: %s", abi, found->missing);
		const uint64_t always = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES) | PINFOLD_BIT(SECRETS) |
					PINFOLD_BIT(NETWORK) | PINFOLD_BIT(SOCKETS) | PINFOLD_BIT(PROCESS_TREE) |
					PINFOLD_BIT(TERMINAL) | PINFOLD_BIT(KERNEL);
		if (found->kept != always)
			print_message("version %d keeps %#llx\n", abi, (unsigned long long)found->kept);
		assert_int_equal(found->kept, always);
		check(PINFOLD_AXIS_FILESYSTEM, abi < 2, "Linux 5.19");
		check(PINFOLD_AXIS_WRITES, abi < 3, "Linux 6.2");
		check(PINFOLD_AXIS_NETWORK, abi < 4, "Linux 6.7");
		check(PINFOLD_AXIS_PROCESSES, abi < 6, "Linux 6.12");
		check(PINFOLD_AXIS_PROCESS_TREE, abi < 6, "Linux 6.12");
		check(PINFOLD_AXIS_SOCKETS, abi < 9, "Linux 7.1");
	}
}

static void open_sockets_are_no_promise(void **state)
{
	(void)state;
	const struct old_kernel kernel = { .abi = newest() < 8 ? newest() : 8 };
	setting_sockets = "open";
	probe_on(&kernel);
	setting_sockets = NULL;
	assert_true(found->available);
	assert_false(keeps(PINFOLD_AXIS_SOCKETS));
	has(PINFOLD_AXIS_SOCKETS, "sockets = open");
	assert_true(keeps(PINFOLD_AXIS_NETWORK));
}

static void a_kernel_that_refuses_is_told_with_what_lifts_it(void **state)
{
	static const struct { int error; const char *missing, *lift; } rows[] = {
		{ ENOSYS, "not in this kernel", "5.13" },
		{ EOPNOTSUPP, "not enabled when the machine started", "lsm=" },
		{ EPERM, "refused", "landlock_" },
	};
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		const struct old_kernel kernel = { .error = rows[i].error };
		probe_on(&kernel);
		assert_false(found->available);
		assert_int_equal(found->kept, 0);
		assert_non_null(strstr(found->missing, rows[i].missing));
		assert_non_null(strstr(found->lift, rows[i].lift));
	}
}

/* --- the words, without a kernel -------------------------------------------------------------------- */

static struct pinfold_offer offer_of(int abi, uint32_t sights, bool root, const char *strays, bool sockets)
{
	struct pinfold_offer offer = { .size = sizeof(offer) };
	const struct settings settings = { .sockets = sockets };
	promise_fill(&settings, abi, sights, root, strays, &offer);
	return offer;
}

static void what_was_seen_takes_its_promise(void **state)
{
	(void)state;
	static const struct { uint32_t sight; uint64_t lost; } rows[] = {
		{ 0, 0 },
		{ SIGHT_ATTRIBUTES, PINFOLD_BIT(WRITES) }, { SIGHT_TRUNCATES, PINFOLD_BIT(WRITES) },
		{ SIGHT_ABSTRACT, PINFOLD_BIT(SOCKETS) }, { SIGHT_SOCKET, PINFOLD_BIT(SOCKETS) },
		{ SIGHT_NETWORK, PINFOLD_BIT(NETWORK) },
	};
	for (int abi = 1; abi <= 9; abi++) {
		uint64_t all = offer_of(abi, SIGHT_RENAMES, false, NULL, false).kept;
		for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
			struct pinfold_offer offer = offer_of(abi, SIGHT_RENAMES | rows[i].sight, false, NULL, false);
			assert_int_equal(offer.kept, all & ~rows[i].lost);
			for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
				if (!(offer.kept >> axis & 1) && !(rows[i].lost >> axis & 1))
					assert_non_null(offer.note[axis]);
		}
		assert_int_equal(offer_of(abi, 0, false, "no list", false).kept, all & ~PINFOLD_BIT(PROCESS_TREE));
		assert_int_equal(offer_of(abi, 0, false, NULL, true).kept, abi < 9 ? all & ~PINFOLD_BIT(SOCKETS) : all);
	}
}

static int share_memory(void **state)
{
	(void)state;
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return found == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_promises_what_it_has_and_says_what_it_lacks),
		cmocka_unit_test(open_sockets_are_no_promise),
		cmocka_unit_test(a_kernel_that_refuses_is_told_with_what_lifts_it),
		cmocka_unit_test(what_was_seen_takes_its_promise),
	};
	return cmocka_run_group_tests(tests, share_memory, NULL);
}
