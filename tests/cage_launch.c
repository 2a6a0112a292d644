/* tests/cage_launch.c - launching: steps, streams, descriptors, and what is begun and given up. */
#include "config.h"

#include "cage_scene.h"
#include "cage/ids.h"

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

static void only_the_streams_and_what_is_kept_stay_open(void **state)
{
	(void)state;
	/* Numbers that the shell does not use itself. */
	int leaked = fcntl(2, F_DUPFD, 90), kept = fcntl(2, F_DUPFD_CLOEXEC, 77);
	int list[] = { kept, -1 };
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		char *output = NULL, number[16];
		scene_open(&scene, both[i], "cd /proc/self/fd && echo * | tr ' ' '\\n' | sort -n | tr '\\n' ' '");
		scene.launch.kept = list;
		play(&scene, &output);
		assert_int_equal(strncmp(output, "0 1 2 ", 6), 0);
		snprintf(number, sizeof(number), " %d ", kept);
		assert_non_null(strstr(output, number));
		snprintf(number, sizeof(number), " %d ", leaked);
		assert_null(strstr(output, number));
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
	char *output = NULL, expected[32];
	snprintf(expected, sizeof(expected), "61\n0\n%d\n", getpriority(PRIO_PROCESS, 0) + 5);
	const struct launch_limit list[] = { { RLIMIT_NOFILE, { 61, 61 } }, { RLIMIT_CORE, { 0, 0 } } };
	scene_open(&scene, ALL_NAMESPACES, "ulimit -n; ulimit -c; nice");
	scene.launch.limits = list;
	scene.launch.limit_count = 2;
	scene.launch.priority = 5;
	play(&scene, &output);
	assert_string_equal(output, expected);
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

/* The line of a status that says on which processors a task may run. */
static void note_processors(const char *status, char line[256])
{
	const char *begin = strstr(status, "Cpus_allowed_list:");
	assert_non_null(begin);
	snprintf(line, 256, "%.*s", (int)strcspn(begin, "\n"), begin);
}

static void note_own_processors(char line[256])
{
	char status[8192] = "";
	int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0 && read(file, status, sizeof(status) - 1) > 0);
	close(file);
	note_processors(status, line);
}

/* Run often, as it hangs on who of host and supervisor comes to run first, and where. */
static void expect_own_processors(uint64_t namespaces)
{
	char expected[256], seen[256];
	note_own_processors(expected);
	for (int i = 0; i < 25; i++) {
		struct scene scene;
		char *output = NULL;
		scene_open(&scene, namespaces, "grep Cpus_allowed_list /proc/self/status /proc/$PPID/status");
		play(&scene, &output);
		note_processors(output, seen);
		assert_string_equal(seen, expected);
		if (namespaces == 0) {	/* with namespaces the pid names another in the host's /proc */
			note_processors(strstr(output, "Cpus_allowed_list:") + 1, seen);
			assert_string_equal(seen, expected);
		}
		free(output);
		scene_close(&scene);
	}
}

static void command_and_supervisor_may_run_where_the_caller_may(void **state)
{
	(void)state;
	cpu_set_t all, one;
	assert_return_code(sched_getaffinity(0, sizeof(all), &all), errno);
	for (size_t i = 0; i < 2; i++) {
		expect_own_processors(both[i]);
		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		assert_return_code(sched_setaffinity(0, sizeof(one), &one), errno);
		expect_own_processors(both[i]);
		assert_return_code(sched_setaffinity(0, sizeof(all), &all), errno);
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

static struct embryo *begin_without_arm(struct launch launch, uint64_t namespaces)
{
	struct embryo *embryo = NULL;
	launch.arm = NULL;
	launch.plan = NULL;
	assert_int_equal(child_begin(&launch, namespaces, &embryo, NULL), 0);
	return embryo;
}

static void a_child_that_was_begun_without_an_arm_can_become_one_arms(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, both[i % 2], "exit 6");
		struct embryo *embryo = begin_without_arm(scene.launch, both[i % 2]);
		usleep(i > 1 ? 20000 : 0);
		assert_int_equal(child_adopt(embryo, &scene.launch), 0);
		assert_int_equal(child_start(&scene.launch, embryo, &child, NULL, NULL), 0);
		assert_int_equal(await(child).value, 6);
		assert_true(scene.state.ahead);
		child_free(child);
		scene_close(&scene);
	}
}

static void a_child_becomes_no_arms_when_anything_was_otherwise(void **state)
{
	const int kept[] = { 2, -1 };
	(void)state;
	for (size_t i = 0; i < 9; i++) {
		struct scene scene;
		scene_open(&scene, ALL_NAMESPACES, "true");
		struct launch launch = scene.launch;
		uint64_t namespaces = ALL_NAMESPACES;
		if (i < 3)
			launch.streams[i] = i == 0 ? scene.out[1] : scene.launch.streams[0];
		else if (i == 3)
			launch.terminal = scene.launch.streams[0];
		else if (i == 4)
			scene.launch.terminal = scene.launch.streams[0];
		else if (i == 5)
			launch.kept = kept;
		else if (i == 6)
			scene.launch.kept = kept;
		else
			namespaces &= ~(uint64_t)(i == 7 ? CLONE_NEWNET : CLONE_NEWIPC);
		struct embryo *embryo = begin_without_arm(launch, namespaces);
		assert_int_equal(child_adopt(embryo, &scene.launch), -1);
		child_abandon(embryo);
		assert_false(scene.state.ahead);
		scene_close(&scene);
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}

/* All that may be known of the launch by then. */
static void lay(struct embryo *embryo, const struct scene *scene, struct launch *early)
{
	*early = scene->launch;
	early->program = early->directory = NULL;
	early->argv = early->envp = NULL;
	child_lay(embryo, early);
}

static void await_views(const struct scene *scene, int views)
{
	for (int i = 0; i < 4000 && __atomic_load_n(&scene->state.views, __ATOMIC_SEQ_CST) < views; i++)
		usleep(5000);
	assert_int_equal(__atomic_load_n(&scene->state.views, __ATOMIC_SEQ_CST), views);
}

static void a_view_is_laid_before_the_program_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < 8; i++) {
		struct scene scene;
		struct launch early;
		struct child *child = NULL;
		scene_open(&scene, both[i % 2], "exit 6");
		struct embryo *embryo = i & 4 ? begin(&scene, both[i % 2]) : begin_without_arm(scene.launch, both[i % 2]);
		if (!(i & 4))
			assert_int_equal(child_adopt(embryo, &scene.launch), 0);
		lay(embryo, &scene, &early);
		if (i & 2)
			await_views(&scene, 1);
		assert_int_equal(child_start(&scene.launch, embryo, &child, NULL, NULL), 0);
		assert_int_equal(await(child).value, 6);
		assert_int_equal(scene.state.views, 2);	/* and looked at again */
		child_free(child);
		scene_close(&scene);
	}
}

static void what_fails_when_the_view_is_laid_early_is_told_at_the_start(void **state)
{
	static const struct { int stage; uint32_t step; } rows[] = {
		{ PINFOLD_STAGE_VIEW, CHILD_STEP_VIEW },
		{ PINFOLD_STAGE_APPLY, CHILD_STEP_APPLY },
		{ PINFOLD_STAGE_VERIFY, CHILD_STEP_VERIFY },
	};
	(void)state;
	for (size_t i = 0; i < 2 * N_ELEMENTS(rows); i++) {
		struct scene scene;
		struct launch early;
		struct child *child = NULL;
		struct pinfold_error err = { 0 };
		uint32_t step = CHILD_STEP_NONE;
		scene_open(&scene, ALL_NAMESPACES, "true");
		scene.state.fail_stage = rows[i / 2].stage;
		scene.state.fail_with = ENOTTY;
		struct embryo *embryo = begin(&scene, ALL_NAMESPACES);
		lay(embryo, &scene, &early);
		usleep(i % 2 ? 20000 : 0);
		assert_int_equal(child_start(&scene.launch, embryo, &child, &step, &err), -1);
		assert_int_equal(step, rows[i / 2].step);
		assert_int_equal(err.sys, ENOTTY);
		scene_close(&scene);
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}

static void what_was_begun_and_abandoned_leaves_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < 10; i++) {
		struct scene scene;
		scene_open(&scene, 0, "echo ran");
		struct launch early;
		struct embryo *embryo = begin(&scene, both[i % 2]);
		if (i % 3 == 0)
			lay(embryo, &scene, &early);
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

static void what_was_begun_holds_nothing_of_the_hosts_but_what_is_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		int low[2], kept[2], high[2];
		scene_open(&scene, 0, "true");
		assert_int_equal(pipe(low) | pipe(kept) | pipe(high), 0);
		assert_int_equal(dup2(high[1], 300), 300);
		scene.launch.kept = (const int[]){ kept[1], -1 };
		struct embryo *embryo = begin(&scene, both[i]);
		close(low[1]);
		close(kept[1]);
		close(high[1]);
		close(300);
		struct pollfd on[] = { { low[0], POLLIN, 0 }, { kept[0], POLLIN, 0 }, { high[0], POLLIN, 0 } };
		assert_int_equal(poll(&on[0], 1, 5000), 1);
		assert_int_equal(poll(&on[2], 1, 5000), 1);
		assert_int_equal(poll(&on[1], 1, 0), 0);
		child_abandon(embryo);
		assert_int_equal(poll(&on[1], 1, 5000), 1);
		close(low[0]);
		close(kept[0]);
		close(high[0]);
		scene_close(&scene);
	}
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
			scene.launch.kept = (const int[]){ alive[1], -1 };
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

static void the_maps_of_all_ids_map_each_to_itself(void **state)
{
	char text[128], small[8];
	(void)state;
	assert_int_equal(ids_same("         0          0 4294967295\n", text, sizeof(text)), 15);
	assert_string_equal(text, "0 0 4294967295\n");
	assert_true(ids_same("0 100000 65536\n70000 1000 1\n", text, sizeof(text)) > 0);
	assert_string_equal(text, "0 0 65536\n70000 70000 1\n");
	assert_int_equal(ids_same("0 100000 65536\n", small, sizeof(small)), -1);
	assert_int_equal(ids_same("", text, sizeof(text)), -1);
}

static void a_plan_that_wants_all_ids_has_them_where_the_caller_may(void **state)
{
	struct scene scene;
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	(void)state;
	scene_open(&scene, ALL_NAMESPACES, "cat /proc/self/uid_map | tr -s ' ' '\n' | tail -n 1");
	scene.plan.all_ids = 1;
	if (geteuid() == 0) {
		char *output = NULL;
		play(&scene, &output);
		assert_true(strtoul(output, NULL, 10) > 1);
		free(output);
	} else {
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
		assert_non_null(strstr(err.recovery, "root"));
	}
	scene_close(&scene);
}

static void what_a_plan_hands_to_its_init_is_open_there_and_closed_to_the_command(void **state)
{
	struct scene scene;
	char *output = NULL;
	int handed = fcntl(2, F_DUPFD_CLOEXEC, 60), other = fcntl(2, F_DUPFD_CLOEXEC, 60);
	const int list[] = { handed, -1 };
	(void)state;
	scene_open(&scene, ALL_NAMESPACES, "ls /proc/self/fd");
	scene.plan.inherit = list;
	scene.state.open = handed;
	scene.state.closed = other;
	play(&scene, &output);
	assert_null(strstr(output, "60"));
	free(output);
	scene_close(&scene);
	close(handed);
	close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_is_in_namespaces_of_its_own),
		cmocka_unit_test(the_loopback_of_a_closed_network_is_up),
		cmocka_unit_test(a_failing_stage_names_its_step_and_the_target_never_runs),
		cmocka_unit_test(a_directory_that_is_not_there_and_a_missing_program_are_told_apart),
		cmocka_unit_test(only_the_streams_and_what_is_kept_stay_open),
		cmocka_unit_test(a_closed_descriptor_is_refused_before_anything_starts),
		cmocka_unit_test(the_environment_is_exactly_what_was_given),
		cmocka_unit_test(limits_are_seen_by_the_command),
		cmocka_unit_test(handlers_are_reset_and_nothing_is_blocked),
		cmocka_unit_test(command_and_supervisor_may_run_where_the_caller_may),
		cmocka_unit_test(the_command_cannot_look_into_its_supervisor),
		cmocka_unit_test(a_child_that_was_begun_runs_as_one_that_was_not),
		cmocka_unit_test(a_child_that_was_begun_without_an_arm_can_become_one_arms),
		cmocka_unit_test(a_child_becomes_no_arms_when_anything_was_otherwise),
		cmocka_unit_test(what_was_begun_and_abandoned_leaves_nothing),
		cmocka_unit_test(a_view_is_laid_before_the_program_is_known),
		cmocka_unit_test(what_fails_when_the_view_is_laid_early_is_told_at_the_start),
		cmocka_unit_test(what_was_begun_holds_nothing_of_the_hosts_but_what_is_kept),
		cmocka_unit_test(what_was_begun_ends_with_a_host_that_is_killed),
		cmocka_unit_test(the_maps_of_all_ids_map_each_to_itself),
		cmocka_unit_test(a_plan_that_wants_all_ids_has_them_where_the_caller_may),
		cmocka_unit_test(what_a_plan_hands_to_its_init_is_open_there_and_closed_to_the_command),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
