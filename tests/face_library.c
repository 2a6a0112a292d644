/* tests/face_library.c - the embedding interface: misuse, threads, and what a run leaves behind. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pinfold_command command_of(const char *const *argv)
{
	return (struct pinfold_command){
		.size = sizeof(struct pinfold_command), .argv = argv, .streams = { -1, -1, -1 },
	};
}

static void must(int result, const struct pinfold_error *err)
{
	char *text = result < 0 ? pinfold_error_text(err) : NULL;
	if (text)
		print_error("%s", text);
	free(text);
	assert_int_equal(result, 0);
}

static struct pinfold_result finish(struct pinfold_run *run)
{
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_error err = { 0 };
	uint32_t state;
	must(pinfold_run_wait(run, -1, &state, &err), &err);
	assert_int_equal(state, PINFOLD_OVER);
	must(pinfold_run_result(run, &result, &err), &err);
	return result;
}

static struct pinfold_result run_command(struct pinfold *pinfold,
					 const struct pinfold_command *command)
{
	struct pinfold_run *run;
	struct pinfold_error err = { 0 };
	must(pinfold_run_start(pinfold, command, &run, &err), &err);
	struct pinfold_result result = finish(run);
	pinfold_run_free(run);
	return result;
}

static uint32_t exit_code_of(struct pinfold *pinfold, const char *const *argv)
{
	struct pinfold_command command = command_of(argv);
	return run_command(pinfold, &command).exit_code;
}

static unsigned open_descriptors(void)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void structures_without_size_or_command_are_refused(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL }, *const none[] = { NULL };
	struct pinfold_options options = { 0 };
	struct pinfold_error err = { 0 };
	struct pinfold *pinfold, *other = NULL;
	struct pinfold_run *run = NULL;
	assert_int_equal(pinfold_new(&options, &other, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_null(other);
	pinfold = face_open(NULL);
	struct pinfold_command commands[] = { command_of(argv), command_of(NULL), command_of(none),
					      command_of(argv), command_of(argv) };
	commands[0].size = 0;
	commands[3].size = 4;
	commands[4].where = 7;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		err = (struct pinfold_error){ 0 };
		assert_int_equal(pinfold_run_start(pinfold, &commands[i], &run, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_USAGE);
		assert_null(run);
		char *document = NULL;
		assert_int_equal(pinfold_describe_run(pinfold, &commands[i], 0, &document, &err), -1);
		assert_null(document);
	}
	assert_int_equal(pinfold_run_start(pinfold, NULL, &run, &err), -1);
	assert_int_equal(pinfold_run_start(NULL, &commands[0], &run, NULL), -1);
	assert_int_equal(pinfold_run_start(pinfold, &commands[0], NULL, NULL), -1);
	pinfold_free(pinfold);
	pinfold_free(NULL);
	pinfold_run_free(NULL);
}

static void a_caller_built_with_an_older_header_is_served(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_command command = command_of(argv);
	command.size = offsetof(struct pinfold_command, approved);
	memset((char *)&command + command.size, 0xff, sizeof(command) - command.size);
	assert_int_equal(run_command(pinfold, &command).exit_code, 0);
	command = command_of(argv);
	command.size = offsetof(struct pinfold_command, environment);
	assert_int_equal(run_command(pinfold, &command).exit_code, 0);
	pinfold_free(pinfold);
}

struct introduction {
	int shown[2];	/* a pipe that the command writes into */
	bool quiet;	/* nothing had been written yet */
	char *statement;
};

static void remember_introduction(void *context, struct pinfold_run *run)
{
	struct introduction *introduction = context;
	struct pollfd on = { .fd = introduction->shown[0], .events = POLLIN };
	introduction->quiet = poll(&on, 1, 50) == 0;
	introduction->statement = strdup(pinfold_run_statement(run));
}

static void what_is_held_can_be_shown_before_the_command_says_anything(void **state)
{
	(void)state;
	static const char *const argv[] = { "echo", "out", NULL };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_command command = command_of(argv);
	struct introduction introduction = { 0 };
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	assert_int_equal(pipe(introduction.shown), 0);
	command.streams[1] = introduction.shown[1];
	command.introducing = remember_introduction;
	command.context = &introduction;
	must(pinfold_run_start(pinfold, &command, &run, &err), &err);
	assert_true(introduction.quiet);
	assert_string_equal(introduction.statement, pinfold_run_statement(run));
	assert_int_equal(finish(run).exit_code, 0);
	pinfold_run_free(run);
	free(introduction.statement);
	close(introduction.shown[0]);
	close(introduction.shown[1]);
	pinfold_free(pinfold);
}

static void a_result_or_receipt_that_is_asked_for_too_early_is_refused(void **state)
{
	(void)state;
	static const char *const argv[] = { "sleep", "60", NULL };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_command command = command_of(argv);
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	char *receipt = NULL;
	uint32_t now;
	must(pinfold_run_start(pinfold, &command, &run, &err), &err);
	assert_int_equal(pinfold_run_result(run, &result, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_int_equal(pinfold_run_receipt(run, &receipt, &err), -1);
	assert_null(receipt);
	must(pinfold_run_wait(run, 20, &now, &err), &err);
	assert_int_equal(now, PINFOLD_RUNNING);
	assert_int_equal(pinfold_run_end(run), 0);
	result = finish(run);
	assert_int_equal(result.ending, 1);
	assert_int_equal(result.exit_code, 128 + SIGKILL);
	result.size = 0;
	assert_int_equal(pinfold_run_result(run, &result, &err), -1);
	must(pinfold_run_receipt(run, &receipt, &err), &err);
	assert_non_null(strstr(receipt, "\"signalled\""));
	free(receipt);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static void a_run_that_is_freed_while_it_runs_is_ended(void **state)
{
	(void)state;
	static const char *const argv[] = { "sh", "-c", "sleep 60 & sleep 60", NULL };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_command command = command_of(argv);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	must(pinfold_run_start(pinfold, &command, &run, &err), &err);
	pinfold_run_free(run);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	pinfold_free(pinfold);
}

static void what_can_be_executed_is_what_a_shell_could_execute(void **state)
{
	(void)state;
	static const struct {
		const char *argv[4];
		uint32_t code;
	} commands[] = {
		{ { "./say", "a", NULL }, 0 }, { { "./plain", "a", NULL }, 0 },
		{ { "sh", "-c", "exit 7", NULL }, 7 }, { { "sh", "-c", "kill -9 $$", NULL }, 137 },
		{ { "/bin/sh", "-c", "exit 255", NULL }, 255 },
	};
	struct pinfold *pinfold = face_open(NULL);
	int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct pinfold_command command = command_of(commands[i].argv);
		command.streams[1] = silent;
		assert_int_equal(run_command(pinfold, &command).exit_code, commands[i].code);
	}
	close(silent);
	pinfold_free(pinfold);
}

static void what_cannot_be_executed_is_refused_and_leaves_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *argv[2];
		int code;
	} commands[] = {
		{ { "no-such-program", NULL }, 127 }, { { "./no-such", NULL }, 127 },
		{ { "one/x", NULL }, 127 }, { { "", NULL }, 127 }, { { "./one", NULL }, 126 },
		{ { "./src", NULL }, 126 }, { { "/etc/passwd", NULL }, 126 },
	};
	struct pinfold *pinfold = face_open(NULL);
	static const char *const once[] = { "true", NULL };
	assert_int_equal(exit_code_of(pinfold, once), 0);
	unsigned descriptors = open_descriptors(), entries = face_place_count(face_place_home());
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct pinfold_command command = command_of(commands[i].argv);
		struct pinfold_error err = { 0 };
		struct pinfold_run *run = NULL;
		assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
		assert_null(run);
		assert_int_equal(pinfold_exit_code(&err), commands[i].code);
		assert_true(err.action[0] && err.recovery[0]);
	}
	assert_int_equal(open_descriptors(), descriptors);
	assert_int_equal(face_place_count(face_place_home()), entries);
	pinfold_free(pinfold);
}

static void many_runs_leave_the_caller_as_it_was(void **state)
{
	(void)state;
	static const char *const argv[] = { "sh", "-c", "echo x >made; : >\"$TMPDIR/left\"", NULL };
	unsigned descriptors = open_descriptors();
	struct pinfold *pinfold = face_open(NULL);
	struct sigaction before[32], after[32];
	char here[PATH_MAX], there[PATH_MAX];
	assert_int_equal(exit_code_of(pinfold, argv), 0);
	unsigned entries = face_place_count(face_place_home());
	for (int i = 1; i < 32; i++)
		sigaction(i, NULL, &before[i]);
	assert_non_null(getcwd(here, sizeof(here)));
	for (int i = 0; i < 20; i++)
		assert_int_equal(exit_code_of(pinfold, argv), 0);
	for (int i = 1; i < 32; i++)
		sigaction(i, NULL, &after[i]);
	for (int i = 1; i < 32; i++)
		assert_true(before[i].sa_handler == after[i].sa_handler &&
			    before[i].sa_flags == after[i].sa_flags);
	assert_non_null(getcwd(there, sizeof(there)));
	assert_string_equal(here, there);
	assert_int_equal(face_place_count(face_place_home()), entries);
	assert_int_equal(access("made", F_OK), -1);
	pinfold_free(pinfold);
	assert_int_equal(open_descriptors(), descriptors);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);	/* the last supervisors too are reaped */
}

static void *run_in_thread(void *pinfold)
{
	static const char *const argv[] = { "sh", "-c", "sleep 0.05; exit 3", NULL };
	return (void *)(uintptr_t)exit_code_of(pinfold, argv);
}

static void threads_share_one_handle_and_each_has_its_own_run(void **state)
{
	(void)state;
	struct pinfold *pinfold = face_open(NULL);
	pthread_t threads[6];
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, pinfold), 0);
	for (size_t i = 0; i < 6; i++) {
		void *code;
		assert_int_equal(pthread_join(threads[i], &code), 0);
		assert_int_equal((uintptr_t)code, 3);
	}
	pinfold_free(pinfold);
}

struct started {
	struct pinfold *pinfold;
	struct pinfold_run *run;
	int result;
};

static void *start_in_thread(void *memory)
{
	static const char *const argv[] = { "sh", "-c", "sleep 0.3; exit 4", NULL };
	struct started *started = memory;
	struct pinfold_command command = command_of(argv);
	started->result = pinfold_run_start(started->pinfold, &command, &started->run, NULL);
	return NULL;
}

static void a_command_outlives_the_thread_that_started_it(void **state)
{
	(void)state;
	struct started started = { .pinfold = face_open(NULL) };
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, start_in_thread, &started), 0);
	pthread_join(thread, NULL);
	assert_int_equal(started.result, 0);
	assert_int_equal(finish(started.run).exit_code, 4);
	pinfold_run_free(started.run);
	pinfold_free(started.pinfold);
}

static void a_time_limit_ends_the_run_as_timed_out(void **state)
{
	(void)state;
	static const char *const settings[] = { "limits.timeout=200ms", NULL };
	static const char *const argv[] = { "sh", "-c", "sleep 60 & setsid sleep 60 & sleep 60", NULL };
	struct pinfold *pinfold = face_open(settings);
	struct pinfold_command command = command_of(argv);
	struct pinfold_result result = run_command(pinfold, &command);
	assert_int_equal(result.ending, 2);
	assert_int_equal(result.value, 0);
	assert_int_equal(result.exit_code, 124);
	pinfold_free(pinfold);
}

static void the_streams_that_are_named_are_the_commands(void **state)
{
	(void)state;
	static const char *const argv[] = { "sh", "-c", "cat; echo error >&2", NULL };
	struct pinfold *pinfold = face_open(NULL);
	struct pinfold_command command = command_of(argv);
	int in[2], out[2];
	char text[64] = "";
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	command.streams[0] = in[0];
	command.streams[1] = command.streams[2] = out[1];
	assert_int_equal(write(in[1], "line\n", 5), 5);
	close(in[1]);
	assert_int_equal(run_command(pinfold, &command).exit_code, 0);
	close(out[1]);
	assert_int_equal(read(out[0], text, sizeof(text) - 1), 11);
	assert_string_equal(text, "line\nerror\n");
	close(in[0]);
	close(out[0]);
	pinfold_free(pinfold);
}

static void closed_standard_streams_are_null_for_the_command_and_stay_closed(void **state)
{
	(void)state;
	struct pinfold *pinfold = face_open(NULL);
	static const char *const argv[] = {
		"sh", "-c", "for n in 0 1 2; do [ /proc/self/fd/$n -ef /dev/null ] || exit 1; done", NULL,
	};
	int saved[3];
	for (int i = 0; i < 3; i++) {
		saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
		close(i);
	}
	struct pinfold_command command = command_of(argv);
	struct pinfold_run *run = NULL;
	struct pinfold_result result = { .size = sizeof(result) };
	uint32_t now;
	int started = pinfold_run_start(pinfold, &command, &run, NULL);
	bool closed = true;
	if (started == 0 && pinfold_run_wait(run, -1, &now, NULL) == 0)
		pinfold_run_result(run, &result, NULL);
	pinfold_run_free(run);
	for (int i = 0; i < 3; i++) {
		closed = closed && fcntl(i, F_GETFD) < 0;
		dup2(saved[i], i);
		close(saved[i]);
	}
	assert_int_equal(started, 0);
	assert_true(closed);
	assert_int_equal(result.exit_code, 0);
	pinfold_free(pinfold);
}

static void a_descriptor_that_leads_to_the_hosts_files_is_not_handed_over(void **state)
{
	(void)state;
	static const char *const argv[] = { "true", NULL };
	struct pinfold *pinfold = face_open(NULL);
	int closed = 700, handed[2] = { open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), -1 };
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	for (int stream = 0; stream < 4; stream++) {
		struct pinfold_command command = command_of(argv);
		if (stream < 3)
			command.streams[stream] = handed[0];
		else
			command.descriptors = handed;
		assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_POLICY);
		assert_int_equal(err.sys, EISDIR);
	}
	close(handed[0]);
	handed[0] = closed;
	struct pinfold_command command = command_of(argv);
	command.descriptors = handed;
	assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_null(run);
	pinfold_free(pinfold);
}

static void the_host_is_open_only_as_far_as_the_configuration_says(void **state)
{
	(void)state;
	static const struct {
		const char *setting;
		uint32_t gate, approved;
		bool runs;
	} cases[] = {
		{ "placement.host=never", PINFOLD_GATE_NEVER, 1, false },
		{ "placement.host=ask", PINFOLD_GATE_ASK, 0, false },
		{ "placement.host=ask", PINFOLD_GATE_ASK, 2, false },
		{ "placement.host=ask", PINFOLD_GATE_ASK, 1, true },
		{ "placement.host=always", PINFOLD_GATE_ALWAYS, 0, true },
	};
	static const char *const argv[] = { "sh", "-c", ": >made", NULL };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const settings[] = { cases[i].setting, NULL };
		struct pinfold *pinfold = face_open(settings);
		struct pinfold_command command = command_of(argv);
		struct pinfold_error err = { 0 };
		struct pinfold_run *run = NULL;
		command.where = PINFOLD_WHERE_HOST;
		command.approved = cases[i].approved;
		assert_int_equal(pinfold_host_gate(pinfold), cases[i].gate);
		assert_int_equal(pinfold_run_start(pinfold, &command, &run, &err), cases[i].runs ? 0 : -1);
		if (cases[i].runs)
			assert_int_equal(finish(run).exit_code, 0);
		else
			assert_int_equal(err.code, PINFOLD_E_PLACEMENT_DENIED);
		pinfold_run_free(run);
		assert_int_equal(unlink("made"), cases[i].runs ? 0 : -1);
		pinfold_free(pinfold);
	}
}

static int is_statement_new(const char *arm)
{
	static const char *const argv[] = { "true", NULL };
	char setting[64];
	snprintf(setting, sizeof(setting), "pinfold.arm=%s", arm);
	struct pinfold *pinfold = face_open((const char *const[]){ setting, NULL });
	struct pinfold_command command = command_of(argv);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	must(pinfold_run_start(pinfold, &command, &run, &err), &err);
	int new = pinfold_run_statement_is_new(run);
	finish(run);
	pinfold_run_free(run);
	pinfold_free(pinfold);
	return new;
}

static void a_statement_is_new_until_it_was_asked_about_and_again_when_it_changes(void **state)
{
	(void)state;
	assert_int_equal(is_statement_new("copytree"), 1);
	assert_int_equal(is_statement_new("copytree"), 0);
	assert_int_equal(is_statement_new("copytree"), 0);
	assert_int_equal(is_statement_new("namespaces"), 1);
	assert_int_equal(is_statement_new("namespaces"), 0);
	assert_int_equal(is_statement_new("copytree"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structures_without_size_or_command_are_refused),
		cmocka_unit_test(a_caller_built_with_an_older_header_is_served),
		cmocka_unit_test(a_result_or_receipt_that_is_asked_for_too_early_is_refused),
		cmocka_unit_test(a_run_that_is_freed_while_it_runs_is_ended),
		cmocka_unit_test(what_can_be_executed_is_what_a_shell_could_execute),
		cmocka_unit_test(what_cannot_be_executed_is_refused_and_leaves_nothing),
		cmocka_unit_test(many_runs_leave_the_caller_as_it_was),
		cmocka_unit_test(threads_share_one_handle_and_each_has_its_own_run),
		cmocka_unit_test(a_command_outlives_the_thread_that_started_it),
		cmocka_unit_test(a_time_limit_ends_the_run_as_timed_out),
		cmocka_unit_test(what_is_held_can_be_shown_before_the_command_says_anything),
		cmocka_unit_test(the_streams_that_are_named_are_the_commands),
		cmocka_unit_test(closed_standard_streams_are_null_for_the_command_and_stay_closed),
		cmocka_unit_test(a_descriptor_that_leads_to_the_hosts_files_is_not_handed_over),
		cmocka_unit_test(the_host_is_open_only_as_far_as_the_configuration_says),
		cmocka_unit_test(a_statement_is_new_until_it_was_asked_about_and_again_when_it_changes),
	};
	return cmocka_run_group_tests(tests, face_place_make, face_place_remove);
}
