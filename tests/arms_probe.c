/* tests/arms_probe.c - probing: whatever a plugin does there becomes an offer or a refusal. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "registry_place.h"

#include "arms/arms.h"
#include "base/clock.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time enough for every probe that ends, and little for one that does not. */
static const char patient[] = "probe-timeout = 10s\n", hasty[] = "probe-timeout = 300ms\n";

/* Probes one fake, freshly; the caller frees. */
static struct arms_offer *probe(const char *name)
{
	struct registry *registry = modules_open(name, strcmp(name, "hangs-in-probe") == 0 ? hasty : patient);
	struct arms_offer *offer = arms_probe(registry, modules_config(), name, true);
	assert_non_null(offer);
	assert_string_equal(offer->name, name);
	assert_false(offer->remembered);
	return offer;
}

static void assert_refused(const char *name, const char *missing)
{
	struct arms_offer *offer = probe(name);
	assert_int_equal(offer->offer.available, 0);
	assert_int_equal(offer->offer.kept, 0);
	if (!strstr(offer->offer.missing, missing))
		fail_msg("%s: \"%s\" does not say \"%s\"", name, offer->offer.missing, missing);
	assert_non_null(offer->offer.lift);
	assert_string_not_equal(offer->offer.lift, "");
	arms_offer_free(offer);
}

static const struct {
	const char *name, *missing;
} refused[] = {
	{ "fails-in-probe", "cannot probe the fake: it never works: No space left on device" },
	{ "silent-in-probe", "silent-in-probe gave no reason for the failure of probe" },
	{ "crashes-in-probe", "probing crashes-in-probe crashed with signal 11 (" },
	{ "aborts-in-probe", "probing aborts-in-probe crashed with signal 6 (" },
	{ "exits-in-probe", "probing exits-in-probe ended without an answer (exit code 0)" },
	{ "hangs-in-probe", "probing hangs-in-probe took longer than 300 ms" },
	{ "answers-half", "answers-half does not answer for secrets, network, sockets, processes, "
			  "process_tree, user, resources, terminal, and kernel" },
	{ "promises-too-much", "promises-too-much promises what it did not answer for: network" },
	{ "refuses-silently", "refuses-silently gave no reason" },
	{ "points-nowhere", "probing points-nowhere crashed with signal 11" },
	{ "talks-without-end", "probing talks-without-end gave an answer without sense" },
	{ "jobobject", "this build makes no job object" },
	{ "absent", "cannot find the plugin: absent: no such module in " },
	{ "from-the-future", "it was built for interface 2." },
	{ "no-symbol", "it exports no symbol pinfold_plugin" },
};

static void whatever_goes_wrong_is_a_refusal_with_the_true_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refused); i++)
		assert_refused(refused[i].name, refused[i].missing);
}

static void a_probe_that_fills_its_pipe_holds_nobody_up(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++)
		assert_refused("talks-without-end", "an answer without sense");
}

static void a_good_probe_gives_its_offer_and_its_words(void **state)
{
	(void)state;
	struct arms_offer *offer = probe("good");
	assert_int_equal(offer->offer.available, 1);
	assert_int_equal(offer->offer.kept, PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(PROCESS_TREE) |
						    PINFOLD_BIT(NETWORK));
	assert_string_equal(offer->offer.note[PINFOLD_AXIS_SECRETS], "it hides nothing");
	assert_null(offer->offer.note[PINFOLD_AXIS_KERNEL]);
	assert_string_equal(offer->arm->name, "good");
	assert_string_equal(modules_logged(), "probe 1 of good\n");
	arms_offer_free(offer);
	arms_offer_free(NULL);
}

static void a_promise_that_only_a_later_host_knows_is_ignored(void **state)
{
	(void)state;
	struct arms_offer *offer = probe("promises-the-unknown");
	assert_int_equal(offer->offer.available, 1);
	assert_int_equal(offer->offer.kept, PINFOLD_BIT(FILESYSTEM));
	arms_offer_free(offer);
}

static void a_text_without_an_end_is_cut(void **state)
{
	(void)state;
	struct arms_offer *offer = probe("never-ends-its-text");
	assert_int_equal(offer->offer.available, 1);
	assert_int_equal(strlen(offer->offer.note[0]), 4096);
	arms_offer_free(offer);
}

/* A name of this test's processes alone: the same test may run elsewhere at this moment. */
static const char *own_name(const char *what)
{
	static char name[16];
	snprintf(name, sizeof(name), "%s-%u", what, (unsigned)getpid() % 1000000u);
	return name;
}

static unsigned count_processes_named(const char *name)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc");
	for (const struct dirent *entry; (entry = readdir(dir));) {
		char path[300], text[64] = "";
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		int fd = atoi(entry->d_name) > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 && starts_with(text, name) &&
		    text[strlen(name)] == '\n')
			count++;
		if (fd >= 0)
			close(fd);
	}
	closedir(dir);
	return count;
}

static void nothing_that_a_probe_started_outlives_it(void **state)
{
	(void)state;
	static const char *const names[] = { "forks-in-probe", "hangs-in-probe" };
	char before[16] = "";
	const char *own = own_name("strays");
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, own);
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		struct arms_offer *offer = probe(names[i]);
		assert_int_equal(offer->offer.available, i == 0);
		arms_offer_free(offer);
		assert_int_equal(count_processes_named(own), 1);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
	}
	prctl(PR_SET_NAME, before);
}

/* The host may be killed at any moment of a probe. */
static void nothing_of_a_probe_outlives_the_host(void **state)
{
	(void)state;
	int status;
	const char *own = own_name("doomed");
	struct registry *registry = modules_open("hangs-in-probe", "probe-timeout = 20s\n");
	pid_t host = fork();
	if (host == 0) {
		prctl(PR_SET_NAME, own);
		arms_probe(registry, modules_config(), "hangs-in-probe", true);
		_exit(1);
	}
	for (int i = 0; i < 500 && count_processes_named(own) < 3; i++)
		usleep(10000);
	unsigned before = count_processes_named(own);
	assert_int_equal(kill(host, SIGKILL), 0);
	assert_int_equal(waitpid(host, &status, 0), host);
	assert_int_equal(before, 3);
	for (int i = 0; i < 500 && count_processes_named(own) > 0; i++)
		usleep(10000);
	assert_int_equal(count_processes_named(own), 0);
}

static void a_probe_has_nothing_of_the_hosts_descriptors_signals_and_session(void **state)
{
	(void)state;
	sigset_t blocked, before;
	int open_one = open("/", O_PATH);
	int high = dup2(open_one, 500);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	signal(SIGPIPE, SIG_IGN);
	struct arms_offer *offer = probe("looks-around");
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
	close(open_one);
	close(high);
	if (!offer->offer.available)
		fail_msg("%s", offer->offer.missing);
	arms_offer_free(offer);
}

static void a_probe_cannot_write_on_the_hosts_streams(void **state)
{
	(void)state;
	char found[64];
	int saved[3], file = open(place_path("streams"), O_RDWR | O_CREAT, 0600);
	for (int stream = 0; stream <= 2; stream++) {
		saved[stream] = dup(stream);
		dup2(file, stream);
	}
	struct arms_offer *offer = probe("prints-in-probe");
	for (int stream = 0; stream <= 2; stream++) {
		dup2(saved[stream], stream);
		close(saved[stream]);
	}
	assert_int_equal(offer->offer.available, 1);
	arms_offer_free(offer);
	assert_int_equal(pread(file, found, sizeof(found), 0), 0);
	close(file);
}

/* An embedding program may ignore SIGCHLD, or have closed its streams. */
static void probing_works_in_a_host_without_streams_that_ignores_its_children(void **state)
{
	(void)state;
	int status;
	struct registry *registry = modules_open("good", patient);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGCHLD, SIG_IGN);
		close(0);
		close(1);
		close(2);
		struct arms_offer *offer = arms_probe(registry, modules_config(), "good", true);
		_exit(offer && offer->offer.available ? 42 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

static void an_available_offer_is_remembered_by_the_next_process(void **state)
{
	(void)state;
	struct registry *registry = modules_open("good", patient);
	arms_offer_free(arms_probe(registry, modules_config(), "good", false));
	assert_string_equal(modules_logged(), "probe 1 of good\n");
	registry = modules_reopen();
	struct arms_offer *offer = arms_probe(registry, modules_config(), "good", false);
	assert_true(offer->remembered);
	assert_string_equal(offer->offer.note[PINFOLD_AXIS_SECRETS], "it hides nothing");
	assert_int_equal(offer->offer.kept >> PINFOLD_AXIS_NETWORK & 1, 1);
	arms_offer_free(offer);
	assert_string_equal(modules_logged(), "probe 1 of good\n");
}

static void a_fresh_probe_believes_no_record_and_renews_it(void **state)
{
	(void)state;
	struct registry *registry = modules_open("good", patient);
	arms_offer_free(arms_probe(registry, modules_config(), "good", false));
	modules_forget_log();
	struct arms_offer *offer = arms_probe(registry, modules_config(), "good", true);
	assert_false(offer->remembered);
	assert_string_equal(modules_logged(), "probe 1 of good\n");
	arms_offer_free(offer);
}

static void a_forgotten_offer_is_probed_again(void **state)
{
	(void)state;
	struct registry *registry = modules_open("good", patient);
	arms_offer_free(arms_probe(registry, modules_config(), "good", false));
	arms_forget(registry, modules_config(), "good");
	struct arms_offer *offer = arms_probe(registry, modules_config(), "good", false);
	assert_false(offer->remembered);
	assert_string_equal(modules_logged(), "probe 1 of good\nprobe 2 of good\n");
	arms_offer_free(offer);
}

static void a_refusal_is_never_remembered(void **state)
{
	(void)state;
	struct registry *registry = modules_open("good", "[arm:good]\nword = refused\n");
	for (int i = 0; i < 2; i++) {
		struct arms_offer *offer = arms_probe(registry, modules_config(), "good", false);
		assert_int_equal(offer->offer.available, 0);
		assert_false(offer->remembered);
		assert_string_equal(offer->offer.missing, "the key says so");
		arms_offer_free(offer);
	}
	assert_string_equal(modules_logged(), "probe 1 of good\nprobe 2 of good\n");
}

static void a_changed_section_or_caller_makes_a_remembered_offer_void(void **state)
{
	(void)state;
	int status;
	struct registry *registry = modules_open("good", patient);
	arms_offer_free(arms_probe(registry, modules_config(), "good", false));
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		struct arms_offer *offer = arms_probe(registry, modules_config(), "good", false);
		_exit(offer->remembered ? 1 : 42);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	registry = modules_open("good", "[arm:good]\nword = open\n");
	struct arms_offer *offer = arms_probe(registry, modules_config(), "good", false);
	assert_false(offer->remembered);
	assert_int_equal(offer->offer.kept >> PINFOLD_AXIS_NETWORK & 1, 0);
	arms_offer_free(offer);
}

#define MODULES_TEST(name) cmocka_unit_test_setup_teardown(name, modules_set_up, modules_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MODULES_TEST(whatever_goes_wrong_is_a_refusal_with_the_true_reason),
		MODULES_TEST(a_probe_that_fills_its_pipe_holds_nobody_up),
		MODULES_TEST(a_good_probe_gives_its_offer_and_its_words),
		MODULES_TEST(a_promise_that_only_a_later_host_knows_is_ignored),
		MODULES_TEST(a_text_without_an_end_is_cut),
		MODULES_TEST(nothing_that_a_probe_started_outlives_it),
		MODULES_TEST(nothing_of_a_probe_outlives_the_host),
		MODULES_TEST(a_probe_has_nothing_of_the_hosts_descriptors_signals_and_session),
		MODULES_TEST(a_probe_cannot_write_on_the_hosts_streams),
		MODULES_TEST(probing_works_in_a_host_without_streams_that_ignores_its_children),
		MODULES_TEST(an_available_offer_is_remembered_by_the_next_process),
		MODULES_TEST(a_fresh_probe_believes_no_record_and_renews_it),
		MODULES_TEST(a_forgotten_offer_is_probed_again),
		MODULES_TEST(a_refusal_is_never_remembered),
		MODULES_TEST(a_changed_section_or_caller_makes_a_remembered_offer_void),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
