/* tests/cage_ending.c - endings: codes, signals, stops, and that nothing is left. */
#include "config.h"

#include "cage_scene.h"

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
		scene_open(&scene, both[i], "echo up; exec sleep 95");
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

/* A command that is not confined may signal its supervisor, also while that is not one yet. */
static void a_stopped_supervisor_still_ends_everything(void **state)
{
	(void)state;
	static const char *const scripts[] = {
		"kill -STOP $PPID; echo up; exec sleep 95",
		"sleep 0.1; kill -STOP $PPID; echo up; exec sleep 95",
	};
	for (size_t k = 0; k < N_ELEMENTS(scripts); k++) {
		struct scene scene;
		struct child *child = NULL;
		scene_open(&scene, 0, scripts[k]);
		assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, NULL), 0);
		close(scene.out[1]);
		scene.out[1] = -1;
		char word[3];
		assert_int_equal(read(scene.out[0], word, 3), 3);
		/* More orders than there is room for must not make the host wait. */
		for (int i = 0; i < 2000; i++)
			child_signal(child, SIGWINCH);
		kill(child_supervisor(child), SIGSTOP);
		assert_true(child_deadline(child) == 0);
		assert_int_equal(child_end(child), 0);
		assert_true(child_deadline(child) > 0);
		struct child_event event = await(child);
		assert_int_equal(event.kind, CHILD_OVER);
		assert_int_equal(event.value, SIGKILL);
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
	/* What the caller ignores, as nohup has it, the commands would ignore too. */
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	for (size_t i = 0; i < N_ELEMENTS(signals); i++)
		signal(signals[i], SIG_DFL);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_exit_code_comes_back),
		cmocka_unit_test(a_signal_that_ended_the_command_comes_back),
		cmocka_unit_test(everything_the_command_started_ends_with_it),
		cmocka_unit_test(a_process_that_forks_from_itself_for_ever_is_ended),
		cmocka_unit_test(an_ended_child_is_over_at_once_with_its_grandchildren),
		cmocka_unit_test(a_signal_reaches_the_whole_group),
		cmocka_unit_test(a_child_outlives_the_thread_that_started_it),
		cmocka_unit_test(nothing_is_left_when_the_host_is_killed),
		cmocka_unit_test(a_lost_supervisor_makes_the_ending_unknown),
		cmocka_unit_test(a_stopped_supervisor_still_ends_everything),
		cmocka_unit_test(a_stop_is_told_and_the_command_goes_on),
		cmocka_unit_test(children_that_are_left_are_reaped_in_time),
		cmocka_unit_test(many_children_leave_descriptors_as_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
