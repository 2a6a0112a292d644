/* tests/face_exec.c - becoming the command: what fails before leaves the caller as it was. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pinfold *open_pinfold(const char *arm)
{
	char named[64];
	const char *const settings[] = {
		"pinfold.plugins=good, fails-in-enter, confines-others-only", "pinfold.view=direct", "network.mode=host",
		"pinfold.preset=", "limits.open-files=77", named, NULL,
	};
	snprintf(named, sizeof(named), "pinfold.arm=%s", arm);
	return face_open(settings);
}

static struct pinfold_command command_of(const char *const *argv)
{
	return (struct pinfold_command){
		.size = sizeof(struct pinfold_command), .argv = argv, .streams = { -1, -1, -1 },
	};
}

/* What a process has of the things that becoming a command changes. */
struct standing {
	struct rlimit files;
	sigset_t mask;
	int privileges, priority;
	unsigned descriptors;
	char directory[PATH_MAX];
};

static struct standing standing_now(void)
{
	struct standing now;
	memset(&now, 0, sizeof(now));
	getrlimit(RLIMIT_NOFILE, &now.files);
	sigprocmask(SIG_SETMASK, NULL, &now.mask);
	now.privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	now.priority = getpriority(PRIO_PROCESS, 0);
	for (int fd = 0; fd < 200; fd++)
		now.descriptors += fcntl(fd, F_GETFD) >= 0 ? 1u + (unsigned)fcntl(fd, F_GETFD) * 1000u : 0;
	if (!getcwd(now.directory, sizeof(now.directory)))
		now.directory[0] = '\0';
	return now;
}

static void what_fails_when_it_is_tried_leaves_the_caller_as_it_was(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL }, *const nothing[] = { "./nothing", NULL };
	static const struct {
		const char *arm;
		const char *const *argv;
		uint32_t code;
	} rows[] = {
		{ "fails-in-enter", argv, PINFOLD_E_STEP }, { "good", nothing, PINFOLD_E_NOT_FOUND },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pinfold *pinfold = open_pinfold(rows[i].arm);
		struct pinfold_command command = command_of(rows[i].argv);
		struct pinfold_error err = { 0 };
		struct pinfold_run *run = NULL;
		pinfold_exec_prepare(pinfold, &command, &run, NULL);	/* what is opened once and stays */
		struct standing before = standing_now(), after;
		assert_int_equal(pinfold_exec_prepare(pinfold, &command, &run, &err), -1);
		after = standing_now();
		assert_int_equal(err.code, rows[i].code);
		assert_true(rows[i].code != PINFOLD_E_STEP || err.sys == ENOSPC);
		assert_null(run);
		assert_memory_equal(&before, &after, sizeof(before));
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		pinfold_free(pinfold);
	}
}

static void what_was_prepared_and_not_become_leaves_the_caller_as_it_was(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL };
	struct pinfold *pinfold = open_pinfold("good");
	struct pinfold_command command = command_of(argv);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	if (pinfold_exec_prepare(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	pinfold_run_free(run);
	struct standing before = standing_now(), after;
	uint32_t now;
	assert_int_equal(pinfold_exec_prepare(pinfold, &command, &run, &err), 0);
	assert_int_equal(pinfold_run_poll(run, &now, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_int_equal(pinfold_run_signal(run, SIGTERM), 0);
	assert_int_equal(pinfold_run_end(run), 0);
	assert_non_null(strstr(pinfold_run_statement(run), "good"));
	pinfold_run_free(run);
	after = standing_now();
	assert_memory_equal(&before, &after, sizeof(before));
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), 0);
	assert_int_equal(pinfold_exec(run, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static int become_and_tell(const char *arm, const char *const *argv, const int streams[3])
{
	struct pinfold *pinfold = open_pinfold(arm);
	struct pinfold_command command = command_of(argv);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	uint32_t changed = 7;
	memcpy(command.streams, streams, sizeof(command.streams));
	if (pinfold_exec_prepare(pinfold, &command, &run, &err) < 0)
		return 90;
	pinfold_exec(run, &changed, &err);
	return changed == 1 && err.code == PINFOLD_E_STEP ? 91 : 92;
}

static int in_a_process(const char *arm, const char *const *argv, const int streams[3])
{
	int status;
	pid_t pid = fork();
	if (pid == 0)
		_exit(become_and_tell(arm, argv, streams));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void a_step_that_fails_only_for_good_says_that_the_caller_is_changed(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL };
	static const int own[] = { -1, -1, -1 };
	assert_int_equal(in_a_process("confines-others-only", argv, own), 91);
}

static void the_caller_is_the_command_with_its_streams_and_its_status(void **state)
{
	(void)state;
	static const char *const argv[] = { "sh", "-c", "read word; echo $word $PPID $(ulimit -n); exit 43", NULL };
	static const char *const killed[] = { "sh", "-c", "kill -USR1 $$", NULL };
	static const int own[] = { -1, -1, -1 };
	int in[2], out[2];
	char told[64] = "", wanted[64];
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	assert_int_equal(write(in[1], "hello\n", 6), 6);
	const int streams[] = { in[0], out[1], 2 };
	assert_int_equal(in_a_process("good", argv, streams), 43);
	assert_true(read(out[0], told, sizeof(told) - 1) > 0);
	snprintf(wanted, sizeof(wanted), "hello %d 77\n", (int)getpid());
	assert_string_equal(told, wanted);
	assert_int_equal(in_a_process("good", killed, own), 100 + SIGUSR1);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_fails_when_it_is_tried_leaves_the_caller_as_it_was),
		TEST(what_was_prepared_and_not_become_leaves_the_caller_as_it_was),
		TEST(a_step_that_fails_only_for_good_says_that_the_caller_is_changed),
		TEST(the_caller_is_the_command_with_its_streams_and_its_status),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}
