/* tests/face_terminal.c - a terminal of the command's own, for a program that has none itself. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct pinfold *open_pinfold(const char *terminal)
{
	const char *const settings[] = { "pinfold.arm=copytree", terminal, NULL };
	return face_open(settings);
}

static const char *const argv[] = {
	"sh", "-c", "test -t 0 && test -t 1 && stty -echo && echo ready; read word; echo got $word; stty size", NULL,
};

static struct pinfold_command on_its_terminal(void)
{
	return (struct pinfold_command){
		.size = sizeof(struct pinfold_command), .argv = argv,
		.streams = { PINFOLD_STREAM_TERMINAL, PINFOLD_STREAM_TERMINAL, PINFOLD_STREAM_TERMINAL },
	};
}

/* `wanted` is shown after what was wanted before. */
static void expect(int terminal, const char *wanted)
{
	static char seen[4096];
	size_t length = strlen(seen);
	struct pollfd on = { .fd = terminal, .events = POLLIN };
	while (!strstr(seen, wanted)) {
		if (poll(&on, 1, 10000) != 1)
			fail_msg("`%s` lacks `%s`", seen, wanted);
		ssize_t got = read(terminal, seen + length, sizeof(seen) - 1 - length);
		length += got > 0 ? (size_t)got : 0;
		seen[length] = '\0';
	}
	char *rest = strstr(seen, wanted) + strlen(wanted);
	memmove(seen, rest, strlen(rest) + 1);
}

static void a_program_without_a_terminal_gives_the_command_one_and_reads_it(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold("pinfold.terminal=new");
	struct pinfold_command command = on_its_terminal();
	struct pinfold_error err = { 0 };
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run;
	struct winsize size = { .ws_row = 17, .ws_col = 71 };
	uint32_t over;
	if (pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	int terminal = pinfold_run_terminal(run);
	expect(terminal, "ready\r\n");
	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
	assert_int_equal(write(terminal, "this\n", 5), 5);
	expect(terminal, "got this\r\n");
	expect(terminal, "17 71\r\n");
	assert_int_equal(pinfold_run_wait(run, -1, &over, &err), 0);
	assert_int_equal(pinfold_run_result(run, &result, &err), 0);
	assert_int_equal(result.exit_code, 0);
	assert_int_equal(pinfold_run_terminal(run), -1);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static void a_terminal_that_the_policy_does_not_give_is_refused(void **state)
{
	(void)state;
	struct pinfold *pinfold = open_pinfold("pinfold.terminal=none");
	struct pinfold_command command = on_its_terminal();
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_non_null(strstr(err.recovery, "terminal = new"));
	assert_null(run);
	pinfold_free(pinfold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_without_a_terminal_gives_the_command_one_and_reads_it),
		cmocka_unit_test(a_terminal_that_the_policy_does_not_give_is_refused),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}
