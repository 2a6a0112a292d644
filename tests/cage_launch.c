/* tests/cage_launch.c - launching: steps, streams, descriptors, endings, and what a child leaves. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cage/child.h"

#include "base/fd.h"
#include "base/raw.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const plain_environment[] = { "PATH=/usr/bin:/bin", "PINFOLD_RUN=test-mark", NULL };

/* An arm that makes every namespace, gives up its capabilities, and fails where it is told to. */
struct fake_state {
	bool drop;
	int fail_stage;
	long fail_with;
	const char *failed;
};

static int fake_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	const struct fake_state *state = plan->state;
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	if (stage == PINFOLD_STAGE_APPLY && state->drop) {
		raw(SYS_prctl, PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
		raw(SYS_capset, &header, none);
	}
	return state->fail_stage == (int)stage ? (int)-state->fail_with : 0;
}

static const struct pinfold_arm fake_arm = {
	.size = sizeof(fake_arm),
	.name = "fake",
	.enter = fake_enter,
};

enum { ALL_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
			CLONE_NEWUTS | CLONE_NEWCGROUP };

struct scene {
	struct fake_state state;
	struct pinfold_plan plan;
	struct launch launch;
	const char *argv[8];
	int out[2];
};

static void scene_open(struct scene *scene, uint64_t namespaces, const char *script)
{
	*scene = (struct scene){ .state = { .fail_stage = -1 } };
	assert_int_equal(pipe2(scene->out, O_CLOEXEC), 0);
	scene->argv[0] = "sh";
	scene->argv[1] = "-c";
	scene->argv[2] = script;
	scene->plan = (struct pinfold_plan){
		.size = sizeof(scene->plan),
		.namespaces = namespaces,
		.state = &scene->state,
		.failed = &scene->state.failed,
	};
	scene->launch = (struct launch){
		.arm = &fake_arm,
		.plan = &scene->plan,
		.program = "/bin/sh",
		.argv = scene->argv,
		.envp = plain_environment,
		.directory = "/",
		.streams = { open("/dev/null", O_RDWR | O_CLOEXEC), scene->out[1], 2 },
		.own_session = true,
		.terminal = -1,
	};
}

static void scene_close(struct scene *scene)
{
	close(scene->launch.streams[0]);
	close(scene->out[0]);
	if (scene->out[1] >= 0)
		close(scene->out[1]);
}

static struct child_event await(struct child *child)
{
	struct child_event event = { 0 };
	while (event.kind == CHILD_NOTHING) {
		struct pollfd on = { .fd = child_descriptor(child), .events = POLLIN };
		assert_true(poll(&on, 1, 20000) > 0);
		assert_int_equal(child_event(child, &event, NULL), 0);
	}
	return event;
}

/* Runs the scene to its end; what it wrote goes to `ret_output`. */
static struct child_event play(struct scene *scene, char **ret_output)
{
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	if (child_start(&scene->launch, NULL, &child, NULL, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, strerror(err.sys));
	close(scene->out[1]);
	scene->out[1] = -1;
	struct child_event event = await(child);
	size_t bytes;
	if (ret_output)
		assert_int_equal(fd_read_all(scene->out[0], 1 << 20, ret_output, &bytes), 0);
	child_free(child);
	return event;
}

static const uint64_t both[] = { 0, ALL_NAMESPACES };

static void every_exit_code_comes_back(void **state)
{
	(void)state;
	static const int codes[] = { 0, 1, 2, 125, 126, 127, 128, 137, 255 };
	for (size_t i = 0; i < 2 * N_ELEMENTS(codes); i++) {
		char script[32];
		int code = codes[i / 2];
		struct scene scene;
		snprintf(script, sizeof(script), "exit %d", code);
		scene_open(&scene, both[i % 2], script);
		struct child_event event = play(&scene, NULL);
		assert_int_equal(event.ending, PINFOLD_ENDED);
		assert_int_equal(event.value, code);
		assert_int_equal(event.survivors, 0);
		scene_close(&scene);
	}
}

static void a_signal_that_ended_the_command_comes_back(void **state)
{
	(void)state;
	static const int signals[] = { SIGABRT, SIGKILL, SIGTERM, SIGSEGV, SIGHUP, SIGINT };
	for (size_t i = 0; i < 2 * N_ELEMENTS(signals); i++) {
		char script[64];
		struct scene scene;
		snprintf(script, sizeof(script), "ulimit -c 0; kill -%d $$; sleep 5", signals[i / 2]);
		scene_open(&scene, both[i % 2], script);
		struct child_event event = play(&scene, NULL);
		assert_int_equal(event.ending, PINFOLD_SIGNALLED);
		assert_int_equal(event.value, signals[i / 2]);
		scene_close(&scene);
	}
}

static void the_command_is_in_namespaces_of_its_own(void **state)
{
	(void)state;
	struct scene scene;
	scene_open(&scene, ALL_NAMESPACES,
		   "for n in user mnt net ipc uts cgroup; do readlink /proc/self/ns/$n; done");
	char *output = NULL, own[256];
	play(&scene, &output);
	static const char *const names[] = { "user", "mnt", "net", "ipc", "uts", "cgroup" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char link[64];
		snprintf(link, sizeof(link), "/proc/self/ns/%s", names[i]);
		ssize_t length = readlink(link, own, sizeof(own) - 1);
		assert_true(length > 0);
		own[length] = '\0';
		assert_null(strstr(output, own));
		assert_non_null(strstr(output, names[i]));
	}
	free(output);
	scene_close(&scene);
}

static void the_loopback_of_a_closed_network_is_up(void **state)
{
	(void)state;
	struct scene scene;
	scene_open(&scene, ALL_NAMESPACES, "cat /proc/self/net/fib_trie 2>/dev/null | grep -c 127.0.0.1");
	char *output = NULL;
	play(&scene, &output);
	assert_true(atoi(output) > 0);
	free(output);
	scene_close(&scene);
}

static void a_failing_stage_names_its_step_and_the_target_never_runs(void **state)
{
	(void)state;
	static const struct {
		int stage;
		uint32_t step;
	} cases[] = {
		{ PINFOLD_STAGE_VIEW, CHILD_STEP_VIEW },
		{ PINFOLD_STAGE_APPLY, CHILD_STEP_APPLY },
		{ PINFOLD_STAGE_VERIFY, CHILD_STEP_VERIFY },
	};
	for (size_t i = 0; i < 2 * N_ELEMENTS(cases); i++) {
		struct scene scene;
		struct child *child = NULL;
		struct pinfold_error err = { 0 };
		uint32_t step = 0;
		scene_open(&scene, both[i % 2], "echo ran");
		scene.state.fail_stage = cases[i / 2].stage;
		scene.state.fail_with = ENOTTY;
		assert_int_equal(child_start(&scene.launch, NULL, &child, &step, &err), -1);
		assert_int_equal(step, cases[i / 2].step);
		assert_int_equal(err.code, PINFOLD_E_STEP);
		assert_int_equal(err.sys, ENOTTY);
		assert_non_null(strstr(err.action, child_step_name(step)));
		close(scene.out[1]);
		scene.out[1] = -1;
		char byte;
		assert_int_equal(read(scene.out[0], &byte, 1), 0);
		scene_close(&scene);
	}
}

static void a_directory_that_is_not_there_and_a_missing_program_are_told_apart(void **state)
{
	(void)state;
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	struct scene scene;
	scene_open(&scene, ALL_NAMESPACES, "echo ran");
	scene.launch.directory = "/no/such/directory";
	assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_STEP);
	assert_string_equal(err.subject, "/no/such/directory");
	scene.launch.directory = "/";
	scene.launch.program = "/no/such/program";
	assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_NOT_FOUND);
	scene.launch.program = "/etc/passwd";
	assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_NOT_EXECUTABLE);
	scene_close(&scene);
}

static void everything_the_command_started_ends_with_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		char *output = NULL;
		scene_open(&scene, both[i],
			   "sleep 97 & setsid sleep 97 & (setsid sh -c 'trap \"\" TERM HUP; sleep 97' &) &"
			   " (env -i setsid sleep 97 &); sleep 0.2; exit 3");
		struct child_event event = play(&scene, &output);
		assert_int_equal(event.value, 3);
		assert_true(event.survivors >= 4);
		assert_int_equal(event.left, 0);
		free(output);
		scene_close(&scene);
	}
}

static void a_process_that_forks_from_itself_for_ever_is_ended(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		scene_open(&scene, both[i], "hop() { (hop &) ; exit 0; }; (hop &) ; (hop &); sleep 0.2");
		struct child_event event = play(&scene, NULL);
		assert_int_equal(event.ending, PINFOLD_ENDED);
		assert_int_equal(event.left, 0);
		scene_close(&scene);
	}
}

static void an_ended_child_is_over_at_once_with_its_grandchildren(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i], "trap '' TERM; (sleep 98 &) ; echo up; sleep 98; sleep 98");
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		close(scene.out[1]);
		scene.out[1] = -1;
		char word[8];
		assert_int_equal(read(scene.out[0], word, 3), 3);
		assert_int_equal(child_signal(child, SIGTERM), 0);
		assert_int_equal(child_end(child), 0);
		struct child_event event = await(child);
		assert_int_equal(event.ending, PINFOLD_SIGNALLED);
		assert_int_equal(event.value, SIGKILL);
		assert_int_equal(read(scene.out[0], word, 1), 0);
		child_free(child);
		scene_close(&scene);
	}
}

static void a_signal_reaches_the_whole_group(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i], "exec 2>/dev/null; trap 'exit 7' USR1; echo up; while :; do sleep 0.05; done");
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		char word[3];
		assert_int_equal(read(scene.out[0], word, 3), 3);
		assert_int_equal(child_signal(child, SIGUSR1), 0);
		struct child_event event = await(child);
		assert_int_equal(event.value, 7);
		child_free(child);
		scene_close(&scene);
	}
}

static void only_the_streams_and_what_is_kept_stay_open(void **state)
{
	(void)state;
	int leaked = dup(2), kept = fcntl(2, F_DUPFD_CLOEXEC, 77);
	int list[] = { kept, -1 };
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		char *output = NULL, expected[64];
		scene_open(&scene, both[i], "cd /proc/self/fd && echo * | tr ' ' '\\n' | sort -n | tr '\\n' ' '");
		scene.launch.kept = list;
		play(&scene, &output);
		snprintf(expected, sizeof(expected), "0 1 2 %d ", kept);
		/* The shell opens the directory that it lists. */
		assert_non_null(strstr(output, expected + 6));
		char leak[16];
		snprintf(leak, sizeof(leak), " %d ", leaked);
		if (leaked > 3)
			assert_null(strstr(output, leak));
		free(output);
		scene_close(&scene);
	}
	close(leaked);
	close(kept);
}

static void a_closed_descriptor_is_refused_before_anything_starts(void **state)
{
	(void)state;
	int list[] = { 999, -1 };
	struct scene scene;
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	scene_open(&scene, 0, "true");
	scene.launch.kept = list;
	assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_non_null(strstr(err.subject, "999"));
	scene_close(&scene);
}

static void the_environment_is_exactly_what_was_given(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		static const char *const environment[] = { "ONLY=this", NULL };
		struct scene scene;
		char *output = NULL;
		scene_open(&scene, both[i], "");
		scene.launch.program = "/usr/bin/env";
		scene.argv[0] = "env";
		scene.argv[1] = NULL;
		scene.launch.envp = environment;
		play(&scene, &output);
		assert_string_equal(output, "ONLY=this\n");
		free(output);
		scene_close(&scene);
	}
}

static void limits_are_seen_by_the_command(void **state)
{
	(void)state;
	struct scene scene;
	char *output = NULL;
	const struct launch_limit list[] = { { RLIMIT_NOFILE, { 61, 61 } }, { RLIMIT_CORE, { 0, 0 } } };
	scene_open(&scene, ALL_NAMESPACES, "ulimit -n; ulimit -c; nice");
	scene.launch.limits = list;
	scene.launch.limit_count = 2;
	scene.launch.priority = 5;
	play(&scene, &output);
	assert_string_equal(output, "61\n0\n5\n");
	free(output);
	scene_close(&scene);
}

static void handlers_are_reset_and_nothing_is_blocked(void **state)
{
	(void)state;
	struct scene scene;
	char *output = NULL;
	sigset_t set, before;
	sigfillset(&set);
	void (*pipe_before)(int) = signal(SIGPIPE, SIG_IGN);
	pthread_sigmask(SIG_SETMASK, &set, &before);
	scene_open(&scene, ALL_NAMESPACES, "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status");
	play(&scene, &output);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, pipe_before);
	assert_non_null(strstr(output, "SigBlk:\t0000000000000000"));
	const char *ignored = strstr(output, "SigIgn:\t");
	assert_non_null(ignored);
	unsigned long bits = strtoul(ignored + strlen("SigIgn:\t"), NULL, 16);
	assert_true(bits & 1ul << (SIGPIPE - 1));
	assert_false(bits & 1ul << (SIGCHLD - 1));
	free(output);
	scene_close(&scene);
}

static void *start_and_leave(void *argument)
{
	struct child **child = ((void **)argument)[1];
	assert_int_equal(child_start(((void **)argument)[0], NULL, child, NULL, NULL), 0);
	return NULL;
}

static void a_child_outlives_the_thread_that_started_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		struct child *child = NULL;
		pthread_t thread;
		scene_open(&scene, both[i], "sleep 0.3; exit 9");
		void *arguments[] = { &scene.launch, &child };
		assert_int_equal(pthread_create(&thread, NULL, start_and_leave, arguments), 0);
		pthread_join(thread, NULL);
		struct child_event event = await(child);
		assert_int_equal(event.ending, PINFOLD_ENDED);
		assert_int_equal(event.value, 9);
		child_free(child);
		scene_close(&scene);
	}
}

/* A host in a process of its own, killed while its command runs; the command holds the pipe. */
static void nothing_is_left_when_the_host_is_killed(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		scene_open(&scene, both[i], "(setsid sleep 96 &); echo up; sleep 96");
		pid_t host = fork();
		if (host == 0) {
			struct child *child = NULL;
			if (child_start(&scene.launch, NULL, &child, NULL, NULL) == 0)
				pause();
			_exit(1);
		}
		close(scene.out[1]);
		scene.out[1] = -1;
		char word[3];
		assert_int_equal(read(scene.out[0], word, 3), 3);
		kill(host, SIGKILL);
		waitpid(host, NULL, 0);
		struct pollfd on = { .fd = scene.out[0], .events = POLLIN };
		assert_int_equal(poll(&on, 1, 10000), 1);
		assert_int_equal(read(scene.out[0], word, 1), 0);
		scene_close(&scene);
	}
}

static void a_lost_supervisor_makes_the_ending_unknown(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i], "echo up; sleep 95");
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		char word[3];
		assert_int_equal(read(scene.out[0], word, 3), 3);
		kill(child_supervisor(child), SIGKILL);
		struct child_event event = await(child);
		assert_int_equal(event.ending, PINFOLD_UNKNOWN);
		child_free(child);
		scene_close(&scene);
	}
}

static void a_stop_is_told_and_the_command_goes_on(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i], "kill -STOP $$; exit 4");
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		struct child_event event = await(child);
		assert_int_equal(event.kind, CHILD_STOPPED);
		assert_int_equal(event.value, SIGSTOP);
		assert_int_equal(child_to_foreground(child), 0);
		event = await(child);
		assert_int_equal(event.value, 4);
		child_free(child);
		scene_close(&scene);
	}
}

/* The supervisor has capabilities that the command has not: its memory, files and environment are
 * out of reach, although both are the same user's. */
static void the_command_cannot_look_into_its_supervisor(void **state)
{
	(void)state;
	struct scene scene;
	char *output = NULL;
	/* Without a new /proc, the host's shows the supervisor under its outer pid. */
	scene_open(&scene, ALL_NAMESPACES,
		   "while read -r k v; do [ \"$k\" = PPid: ] && p=$v; done </proc/self/status;"
		   " for s in 1 2 3 4 5 6 7 8 9; do grep -q pinfold /proc/$p/comm && echo found;"
		   " [ $s -gt 5 ] && sleep 0.1;"
		   " for f in environ maps exe cwd root fd/3 auxv mem; do"
		   " case $f in exe|cwd|root|fd*) readlink /proc/$p/$f;;"
		   " *) head -c 1 /proc/$p/$f;; esac 2>/dev/null && echo LEAK $f; done; done; true");
	scene.state.drop = true;
	play(&scene, &output);
	assert_non_null(strstr(output, "found"));
	if (strstr(output, "LEAK"))
		fail_msg("%s", output);
	free(output);
	scene_close(&scene);
}

static struct embryo *begin(struct scene *scene, uint64_t namespaces)
{
	struct embryo *embryo = NULL;
	struct pinfold_error err = { 0 };
	if (child_begin(&scene->launch, namespaces, &embryo, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, strerror(err.sys));
	return embryo;
}

static void a_child_that_was_begun_runs_as_one_that_was_not(void **state)
{
	(void)state;
	/* What was begun with other namespaces than the plan asks for is given up. */
	for (size_t i = 0; i < 4; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i % 2], "readlink /proc/self/ns/net; exit 6");
		struct embryo *embryo = begin(&scene, both[i / 2]);
		usleep(i % 2 ? 20000 : 0);
		assert_int_equal(child_start(&scene.launch, embryo, &child, NULL, NULL), 0);
		close(scene.out[1]);
		scene.out[1] = -1;
		assert_int_equal(await(child).value, 6);
		char output[64] = "", own[64] = "";
		assert_true(read(scene.out[0], output, sizeof(output) - 1) > 0);
		assert_true(readlink("/proc/self/ns/net", own, sizeof(own) - 1) > 0);
		assert_int_equal(strncmp(output, own, strlen(own)) == 0, i % 2 == 0);
		child_free(child);
		scene_close(&scene);
	}
}

static void what_was_begun_and_abandoned_leaves_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < 10; i++) {
		struct scene scene;
		scene_open(&scene, 0, "echo ran");
		struct embryo *embryo = begin(&scene, both[i % 2]);
		usleep(i > 4 ? 5000 : 0);
		child_abandon(embryo);
		close(scene.out[1]);
		scene.out[1] = -1;
		char byte;
		assert_int_equal(read(scene.out[0], &byte, 1), 0);
		scene_close(&scene);
	}
	child_abandon(NULL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}

static void what_was_begun_ends_with_a_host_that_is_killed(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		int alive[2];
		scene_open(&scene, 0, "true");
		assert_int_equal(pipe(alive), 0);
		pid_t host = fork();
		if (host == 0) {
			begin(&scene, both[i]);
			assert_int_equal(write(scene.out[1], "b", 1), 1);
			pause();
			_exit(1);
		}
		close(alive[1]);
		char byte;
		assert_int_equal(read(scene.out[0], &byte, 1), 1);
		kill(host, SIGKILL);
		waitpid(host, NULL, 0);
		/* The tasks have a copy of the pipe's other end as long as they live. */
		assert_int_equal(read(alive[0], &byte, 1), 0);
		close(alive[0]);
		scene_close(&scene);
	}
}

static unsigned open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void children_that_are_left_are_reaped_in_time(void **state)
{
	(void)state;
	struct leaving leaving = LEAVING_NONE;
	unsigned before = open_descriptors();
	for (size_t i = 0; i < 30; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i % 2], "exit 3");
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		assert_int_equal(await(child).value, 3);
		child_leave(child, &leaving);
		assert_true(leaving.count < 20);
		scene_close(&scene);
	}
	leaving_await(&leaving);
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}

static void many_children_leave_descriptors_as_they_were(void **state)
{
	(void)state;
	unsigned before = open_descriptors();
	for (size_t i = 0; i < 40; i++) {
		struct scene scene;
		scene_open(&scene, both[i % 2], "true");
		if (i % 5 == 4)
			scene.launch.directory = "/no/such/directory";
		struct child *child = NULL;
		if (child_start(&scene.launch, NULL, &child, NULL, NULL) == 0)
			child_free(child);
		scene_close(&scene);
	}
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_exit_code_comes_back),
		cmocka_unit_test(a_signal_that_ended_the_command_comes_back),
		cmocka_unit_test(the_command_is_in_namespaces_of_its_own),
		cmocka_unit_test(the_loopback_of_a_closed_network_is_up),
		cmocka_unit_test(a_failing_stage_names_its_step_and_the_target_never_runs),
		cmocka_unit_test(a_directory_that_is_not_there_and_a_missing_program_are_told_apart),
		cmocka_unit_test(everything_the_command_started_ends_with_it),
		cmocka_unit_test(a_process_that_forks_from_itself_for_ever_is_ended),
		cmocka_unit_test(an_ended_child_is_over_at_once_with_its_grandchildren),
		cmocka_unit_test(a_signal_reaches_the_whole_group),
		cmocka_unit_test(only_the_streams_and_what_is_kept_stay_open),
		cmocka_unit_test(a_closed_descriptor_is_refused_before_anything_starts),
		cmocka_unit_test(the_environment_is_exactly_what_was_given),
		cmocka_unit_test(limits_are_seen_by_the_command),
		cmocka_unit_test(handlers_are_reset_and_nothing_is_blocked),
		cmocka_unit_test(a_child_outlives_the_thread_that_started_it),
		cmocka_unit_test(nothing_is_left_when_the_host_is_killed),
		cmocka_unit_test(a_lost_supervisor_makes_the_ending_unknown),
		cmocka_unit_test(a_stop_is_told_and_the_command_goes_on),
		cmocka_unit_test(the_command_cannot_look_into_its_supervisor),
		cmocka_unit_test(a_child_that_was_begun_runs_as_one_that_was_not),
		cmocka_unit_test(what_was_begun_and_abandoned_leaves_nothing),
		cmocka_unit_test(what_was_begun_ends_with_a_host_that_is_killed),
		cmocka_unit_test(children_that_are_left_are_reaped_in_time),
		cmocka_unit_test(many_children_leave_descriptors_as_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
