/* tests/seatbelt_elsewhere.c - elsewhere than on a Mac the arm is refused with its reason, and still shows what
 * its profile would be. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "namespaces_host.h"

#include "base/text.h"
#include "plugins/seatbelt/calls.h"
#include "plugins/seatbelt/seatbelt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void the_arm_is_refused_and_says_of_which_system_it_is_a_part(void **state)
{
	struct test_host host;
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	(void)state;
	test_host_open(&host);
	assert_int_equal(seatbelt_arm.probe(&host.table, &offer, &err), 0);
	assert_int_equal(offer.available, 0);
	assert_int_equal(offer.answered, (1u << PINFOLD_AXIS_COUNT) - 1);
	assert_non_null(strstr(offer.missing, "macOS"));
	assert_non_null(offer.lift);
	test_host_close(&host);
}

/* The table is filled once in a process: each library has one of its own. */
static const char *missing_in(const char *library)
{
	static char told[512];
	int ends[2], status;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct test_host host;
		struct pinfold_offer offer = { .size = sizeof(offer) };
		struct pinfold_error err = { 0 };
		test_host_open(&host);
		calls_from(library);
		int result = seatbelt_arm.probe(&host.table, &offer, &err);
		bool refused = result == 0 && !offer.available && offer.missing && offer.lift;
		dprintf(ends[1], "%s", refused ? offer.missing : "it was not refused");
		_exit(0);
	}
	close(ends[1]);
	ssize_t got = read(ends[0], told, sizeof(told) - 1);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(got > 0 && status == 0);
	told[got] = '\0';
	return told;
}

static void a_library_that_lacks_a_function_is_refused_by_its_name(void **state)
{
	(void)state;
	assert_string_equal(missing_in("libm.so.6"), "the function sandbox_create_params is missing on macOS build unknown");
	assert_non_null(strstr(missing_in("/no/such/library"), "a part of macOS"));
}

/* The whole of a file, with every name that is this made another, so that the linker does not find it. */
static void copy_without(const char *from, const char *to, const char *name)
{
	char whole[80];
	size_t bytes = strlen(name) + 2, length = 0, found = 0;
	struct stat about;
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fstat(fd, &about) == 0);
	char *text = malloc((size_t)about.st_size);
	assert_non_null(text);
	while (length < (size_t)about.st_size) {
		ssize_t got = read(fd, text + length, (size_t)about.st_size - length);
		assert_true(got > 0);
		length += (size_t)got;
	}
	close(fd);
	whole[0] = '\0';
	memcpy(whole + 1, name, bytes - 1);
	for (char *at; (at = memmem(text, length, whole, bytes)); found++)
		at[1] = '?';
	assert_true(found > 0);
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	assert_true(fd >= 0 && write(fd, text, length) == (ssize_t)length);
	close(fd);
	free(text);
}

/* Each in turn; those that every system has by this name are found in the C library here. */
static void each_function_that_is_missing_is_named_with_the_systems_build(void **state)
{
	static const char *const symbols[] = {
#define SYMBOL(member, symbol, type, parameters) symbol,
		SEATBELT_CALLS(SYMBOL)
#undef SYMBOL
	};
	char library[256], wanted[256];
	unsigned named = 0;
	(void)state;
	snprintf(library, sizeof(library), "%.200s/pinfold-mac-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	int fd = mkstemp(library);
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < N_ELEMENTS(symbols); i++) {
		if (streq(symbols[i], "fork") || streq(symbols[i], "execve") || streq(symbols[i], "kill"))
			continue;
		copy_without(TEST_BUILD "/tests/fakes/.libs/mac.so", library, symbols[i]);
		snprintf(wanted, sizeof(wanted), "the function %s is missing on macOS build %s", symbols[i],
			 streq(symbols[i], "sysctlbyname") ? "unknown" : "25F71");
		assert_string_equal(missing_in(library), wanted);
		named++;
	}
	unlink(library);
	assert_int_equal(named, 12);
}

static void a_plan_can_be_described_and_not_entered(void **state)
{
	struct test_host host;
	struct pinfold_error err = { 0 };
	struct pinfold_path hidden = { .size = sizeof(hidden), .path = "/home/u/.ssh", .inode = 1 };
	struct pinfold_policy policy = { .size = sizeof(policy), .paths = &hidden, .path_count = 1 };
	struct pinfold_shown shown = { .size = sizeof(shown), .tree = "/home/u/t", .source = "/s/t",
				       .temporary = "/s/tmp", .directory = "/home/u/t/below" };
	const struct pinfold_detail *details;
	size_t count, found = 0;
	(void)state;
	test_host_open(&host);
	struct pinfold_plan plan = { .size = sizeof(plan), .host = &host.table };
	assert_int_equal(seatbelt_arm.prepare(&host.table, &policy, &shown, &plan, &err), 0);
	assert_string_equal(plan.directory, "/s/t/below");
	assert_int_equal(seatbelt_arm.describe(&host.table, &policy, &plan, &details, &count, &err), 0);
	assert_true(count > 10);
	assert_string_equal(details[0].what, "(version 1)");
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(details[i].kind, PINFOLD_DETAIL_RULE);
		assert_null(strchr(details[i].what, '\n'));
		assert_null(strstr(details[i].what, "param"));
		found += streq(details[i].what, "(deny file-read* file-write* process-exec* network-outbound network-bind "
						"(subpath \"/home/u/.ssh\"))");
	}
	assert_int_equal(found, 1);
	assert_int_equal(seatbelt_arm.enter(&plan, PINFOLD_STAGE_APPLY), -ENOSYS);
	assert_int_equal(seatbelt_arm.enter(&plan, PINFOLD_STAGE_VERIFY), -ENOSYS);
	assert_int_equal(seatbelt_arm.settle(&host.table, &plan, &err), 0);
	seatbelt_arm.release(&host.table, &plan);
	test_host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_function_that_is_missing_is_named_with_the_systems_build),
		cmocka_unit_test(a_library_that_lacks_a_function_is_refused_by_its_name),
		cmocka_unit_test(the_arm_is_refused_and_says_of_which_system_it_is_a_part),
		cmocka_unit_test(a_plan_can_be_described_and_not_entered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
