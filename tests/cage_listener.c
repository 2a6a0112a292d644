/* tests/cage_listener.c - who listens to what a command's filter asks: what an arm answers is answered and never goes on by
 * itself, what it leaves to be refused is refused by its number, and where the listener is gone the kernel refuses. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/asked.h"
#include "base/text.h"
#include "cage/watch.h"
#include "cage/watch_install.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Answered in the command's stead, one told of as a whole and one by its argument. */
static const int32_t answered[] = { SYS_fchmod };
static const struct pinfold_told_call told[] = {
	{ .size = sizeof(told[0]), .number = SYS_acct, .name = "acct", .lift = "nothing" },
	{ .size = sizeof(told[0]), .number = SYS_socket, .name = "socket(AF_INET)", .lift = "nothing", .error = EAFNOSUPPORT,
	  .argument = 0, .mask = 0xffffffff, .value = AF_INET },
};

static unsigned asked_count, powerful;
static char seen[400];

static int answer(const struct pinfold_plan *plan, const struct pinfold_asked *asked)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	(void)plan;
	syscall(SYS_capget, &header, data);
	powerful += (data[0].effective | data[1].effective) != 0;
	asked_count++;
	return asked->number == SYS_fchmod ? -ETXTBSY : -EIO;
}

static void tell(void *context, const struct attempt_seen *attempt)
{
	(void)context;
	size_t length = strlen(seen);
	if (attempt->kind == WATCH_CALL || strstr(attempt->target, "nowhere"))
		snprintf(seen + length, sizeof(seen) - length, "%s %s;", attempt->call, attempt->target);
}

static int error_of(long result)
{
	return result < 0 ? errno : 0;
}

/* Errors, one a byte, of the calls that the plan is about and of two that it is not. */
static void try_calls(uint8_t errors[6])
{
	errors[0] = (uint8_t)error_of(syscall(SYS_fchmod, 0, 0700));
	errors[1] = (uint8_t)error_of(syscall(SYS_acct, "/nowhere"));
	errors[2] = (uint8_t)error_of(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
	errors[3] = (uint8_t)error_of(syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
	errors[4] = (uint8_t)error_of(syscall(SYS_openat, AT_FDCWD, "/nowhere", O_RDONLY));
	errors[5] = (uint8_t)error_of(syscall(SYS_getppid));
}

/* As an arm's filter does that has the listener itself. */
static int make_own_listener(void)
{
	struct sock_filter asks[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fchmod, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(asks) / sizeof(asks[0]), asks };
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

/* The child tries once while it is listened to, and again when a byte says that it no longer is. */
static void child_main(const struct watch *watch, int out, int in)
{
	uint8_t errors[12];
	char byte;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	const struct sock_fprog *filter = watch_filter(watch);
	if (watch_install(watch_child_end(watch), filter, filter ? -1 : make_own_listener()) < 0)
		_exit(1);
	try_calls(errors);
	if (write(out, errors, 6) != 6 || read(in, &byte, 1) != 1)
		_exit(2);
	try_calls(errors + 6);
	_exit(write(out, errors + 6, 6) == 6 ? 0 : 3);
}

static void run(watch_tell *teller, uint8_t errors[12])
{
	const struct pinfold_plan plan = {
		.size = sizeof(plan), .answer = answer, .answered = answered, .answered_count = 1,
		.told = teller ? told : NULL, .told_count = teller ? 2 : 0,
	};
	struct pinfold_error err = { 0 };
	struct watch *watch = NULL;
	int out[2], in[2], status = -1;
	asked_count = powerful = 0;
	seen[0] = '\0';
	assert_int_equal(watch_begin(teller, NULL, &watch, &err), 0);
	watch_plan(watch, &plan);
	assert_int_equal(pipe(out) | pipe(in), 0);
	pid_t child = fork();
	if (child == 0)
		child_main(watch, out[1], in[0]);
	watch_started(watch);
	assert_int_equal(read(out[0], errors, 6), 6);
	const char *trouble = watch_end(watch, false);
	assert_string_equal(trouble ? trouble : "", "something of the command was still there");
	assert_int_equal(write(in[1], "", 1), 1);
	assert_int_equal(read(out[0], errors + 6, 6), 6);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	for (int i = 0; i < 2; i++) {
		close(out[i]);
		close(in[i]);
	}
}

static int skip_where_nobody_can_listen(void **state)
{
	(void)state;
	const char *trouble = asked_trouble(true);
	if (trouble)
		print_message("%s\n", trouble);
	return trouble ? -1 : 0;
}

static void what_an_arm_answers_never_goes_on_by_itself(void **state)
{
	uint8_t errors[12];
	if (skip_where_nobody_can_listen(state) < 0)
		skip();
	run(NULL, errors);
	assert_int_equal(errors[0], ETXTBSY);
	assert_int_equal(errors[4], ENOSYS);	/* asked about, and in nobody's list */
	assert_int_equal(errors[2], 0);
	assert_int_equal(asked_count, 1);
	assert_int_equal(powerful, 0);
	assert_int_equal(errors[6], ENOSYS);
	assert_int_equal(errors[10], ENOSYS);
	assert_int_equal(errors[11], 0);
}

static void what_is_told_goes_on_or_is_refused_by_its_number(void **state)
{
	uint8_t errors[12];
	if (skip_where_nobody_can_listen(state) < 0)
		skip();
	run(tell, errors);
	assert_int_equal(errors[0], ETXTBSY);
	assert_int_equal(errors[1], EPERM);
	assert_int_equal(errors[2], EAFNOSUPPORT);
	assert_int_equal(errors[3], 0);
	assert_int_equal(errors[4], ENOENT);
	assert_int_equal(powerful, 0);
	assert_string_equal(seen, "acct acct;socket socket(AF_INET);openat /nowhere;");
	/* Nobody listens any more. */
	for (size_t i = 6; i < 11; i++)
		assert_int_equal(errors[i], i == 9 ? 0 : ENOSYS);
	assert_int_equal(errors[11], 0);
}

static bool may_trace_with(uint32_t without)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		if (syscall(SYS_capget, &header, data) < 0)
			_exit(2);
		data[0].effective &= ~without;
		_exit(syscall(SYS_capset, &header, data) < 0 ? 2 : asked_may_trace());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status);
}

static void where_only_administrators_look_it_is_the_capability_that_counts_and_not_the_user(void **state)
{
	(void)state;
	for (char scope = '0'; scope <= '4'; scope++)
		for (int may_trace = 0; may_trace < 2; may_trace++)
			assert_int_equal(asked_scope_lets(scope, may_trace), scope < '2' || (scope == '2' && may_trace));
	assert_int_equal(may_trace_with(0), asked_may_trace());
	assert_false(may_trace_with(1u << CAP_SYS_PTRACE));
}

/* A first start that failed hands over to a second one; that all have ended is what the end waits for. */
static void each_start_is_listened_to_to_its_end(void **state)
{
	const struct pinfold_plan plan = { .size = sizeof(plan) };
	struct pinfold_error err = { 0 };
	struct watch *watch = NULL;
	if (skip_where_nobody_can_listen(state) < 0)
		skip();
	seen[0] = '\0';
	assert_int_equal(watch_begin(tell, NULL, &watch, &err), 0);
	watch_plan(watch, &plan);
	for (int i = 0; i < 3; i++) {
		int status = -1;
		pid_t child = fork();
		if (child == 0) {
			prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
			if (watch_install(watch_child_end(watch), watch_filter(watch), -1) < 0)
				_exit(1);
			_exit(syscall(SYS_openat, AT_FDCWD, "/nowhere", O_RDONLY) < 0 && errno == ENOENT ? 0 : 2);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	assert_null(watch_end(watch, true));
	assert_string_equal(seen, "openat /nowhere;openat /nowhere;openat /nowhere;");
}

/* So that somebody waits for the next answer whenever one was given. */
static int answer_slowly(const struct pinfold_plan *plan, const struct pinfold_asked *asked)
{
	const struct timespec moment = { .tv_nsec = 2000000 };
	nanosleep(&moment, NULL);
	return answer(plan, asked);
}

static void *ask_without_end(void *goes_on)
{
	while (goes_on)
		syscall(SYS_fchmod, 0, 0700);
	return goes_on;
}

/* Until a clock of its own ends it. */
static void ask_from_many(struct watch *watch, int out)
{
	pthread_t thread;
	alarm(8);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (watch_install(watch_child_end(watch), watch_filter(watch), make_own_listener()) < 0)
		_exit(1);
	for (int i = 0; i < 50; i++)
		if (pthread_create(&thread, NULL, ask_without_end, watch) != 0)
			_exit(2);
	if (write(out, "", 1) != 1)
		_exit(3);
	ask_without_end(watch);
}

static void who_asks_without_an_end_does_not_keep_the_listener(void **state)
{
	const struct pinfold_plan plan = { .size = sizeof(plan), .answer = answer_slowly, .answered = answered, .answered_count = 1 };
	struct pinfold_error err = { 0 };
	struct watch *watch = NULL;
	int out[2], status;
	char byte;
	if (skip_where_nobody_can_listen(state) < 0)
		skip();
	assert_int_equal(watch_begin(NULL, NULL, &watch, &err), 0);
	watch_plan(watch, &plan);
	assert_int_equal(pipe(out), 0);
	pid_t child = fork();
	if (child == 0)
		ask_from_many(watch, out[1]);
	watch_started(watch);
	assert_int_equal(read(out[0], &byte, 1), 1);
	assert_non_null(watch_end(watch, false));
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	close(out[0]);
	close(out[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_arm_answers_never_goes_on_by_itself),
		cmocka_unit_test(what_is_told_goes_on_or_is_refused_by_its_number),
		cmocka_unit_test(where_only_administrators_look_it_is_the_capability_that_counts_and_not_the_user),
		cmocka_unit_test(each_start_is_listened_to_to_its_end),
		cmocka_unit_test(who_asks_without_an_end_does_not_keep_the_listener),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
