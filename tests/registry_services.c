/* tests/registry_services.c - what the host does for plugins: settings, memory, errors, records. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "registry_place.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "config/scope.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* The host table of the arm `good`, with these lines in its section. */
static struct pinfold_host *host_of_good(const char *lines)
{
	char more[1024];
	const struct pinfold_arm *arm;
	struct pinfold_error err = { 0 };
	snprintf(more, sizeof(more), "[arm:good]\n%s", lines);
	struct registry *registry = modules_open("good", more);
	if (registry_arm(registry, "good", &arm, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	struct pinfold_host *host = registry_host(registry, "arm:good");
	assert_non_null(host);
	return host;
}

static void a_setting_is_what_is_configured_or_its_initial_value(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	char path[1024];
	snprintf(path, sizeof(path), "%s/somewhere", place_path("home"));
	assert_string_equal(host->setting(host, "text"), "plain");
	assert_null(host->setting(host, "bare"));
	assert_string_equal(host->setting(host, "flag"), "yes");
	assert_string_equal(host->setting(host, "number"), "7");
	assert_string_equal(host->setting(host, "path"), path);
	assert_string_equal(host->setting(host, "list"), "a\nb c\nd");
	assert_string_equal(host->setting(host, "word"), "kept");
	assert_null(host->setting(host, "plugin"));
	assert_null(host->setting(host, "nothing"));
	registry_host_free(host);
	host = host_of_good("text = other\nbare = a\nflag = no\nnumber = 9\npath = ~/x\n"
			    "list = one, two\n  three\nword = open\nplugin = good\n");
	snprintf(path, sizeof(path), "%s/x", place_path("home"));
	assert_string_equal(host->setting(host, "text"), "other");
	assert_string_equal(host->setting(host, "bare"), "a");
	assert_string_equal(host->setting(host, "flag"), "no");
	assert_string_equal(host->setting(host, "number"), "9");
	assert_string_equal(host->setting(host, "path"), path);
	assert_string_equal(host->setting(host, "list"), "one\ntwo\nthree");
	assert_string_equal(host->setting(host, "word"), "open");
	assert_null(host->setting(host, "plugin"));
	registry_host_free(host);
}

static void a_host_table_is_whole_and_says_which_version_it_has(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	assert_int_equal(host->size, sizeof(*host));
	assert_int_equal(host->major, PINFOLD_PLUGIN_MAJOR);
	assert_int_equal(host->minor, PINFOLD_PLUGIN_MINOR);
	unsigned char *memory = host->allocate(host, 10000);
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(memory[i], 0);
	assert_null(host->allocate(host, SIZE_MAX));
	assert_string_equal(host->print(host, "%d-%s", 7, "x"), "7-x");
	host->log(host, PINFOLD_LOG_INFO, "a line");
	host->log(host, PINFOLD_LOG_INFO, NULL);
	assert_string_equal(modules_logged(), "a line\n");
	registry_host_free(host);
	registry_host_free(NULL);
}

/* cmocka has a macro of that name; the brackets keep it away. */
static void failing_fills_the_error_and_is_minus_one(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	struct pinfold_error err = { 0 };
	assert_int_equal((host->fail)(&err, PINFOLD_E_TREE, 2, "do", NULL, "undo"), -1);
	assert_int_equal(err.code, PINFOLD_E_TREE);
	assert_int_equal(err.sys, 2);
	assert_string_equal(err.subject, "");
	assert_int_equal((host->fail)(NULL, PINFOLD_E_TREE, 2, "do", NULL, "undo"), -1);
	registry_host_free(host);
}

static void a_call_is_a_system_call_that_leaves_errno_alone(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	errno = 77;
	assert_int_equal(host->call(SYS_getpid, 0, 0, 0, 0, 0, 0), getpid());
	assert_int_equal(host->call(SYS_close, -1, 0, 0, 0, 0, 0), -EBADF);
	assert_int_equal(errno, 77);
	registry_host_free(host);
}

static void blame_falls_on_a_silent_plugin_only(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	assert_int_equal(registry_blame(&err, "x", "open"), -1);
	assert_string_equal(err.subject, "x gave no reason for the failure of open");
	struct pinfold_error said = { .code = PINFOLD_E_TREE, .subject = "said" };
	assert_int_equal(registry_blame(&said, "x", "open"), -1);
	assert_string_equal(said.subject, "said");
	assert_int_equal(registry_blame(NULL, "x", "open"), -1);
}

static void assert_recalled(const struct pinfold_host *host, const char *name, const char *stamp,
			    const char *expected)
{
	const void *data = NULL;
	size_t bytes = 0;
	int found = host->recall(host, name, stamp, &data, &bytes);
	assert_int_equal(found, expected != NULL);
	if (!expected)
		return;
	assert_int_equal(bytes, strlen(expected));
	assert_memory_equal(data, expected, bytes);
}

static void a_record_comes_back_under_its_name_and_stamp_only(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	assert_recalled(host, "one", "s", NULL);
	host->keep(host, "one", "s", "first", 5);
	host->keep(host, "two", "s", "", 0);
	assert_recalled(host, "one", "s", "first");
	assert_recalled(host, "two", "s", "");
	assert_recalled(host, "one", "t", NULL);
	assert_recalled(host, "one", "", NULL);
	assert_recalled(host, "three", "s", NULL);
	host->keep(host, "one", "t", "second", 6);
	assert_recalled(host, "one", "s", NULL);
	assert_recalled(host, "one", "t", "second");
	registry_host_free(host);
	host = registry_host(modules_reopen(), NULL);
	assert_recalled(host, "one", "t", NULL);
	registry_host_free(host);
}

static void records_do_not_outlive_a_change_of_the_module(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	host->scope->identity = "another";
	assert_recalled(host, "one", "s", NULL);
	registry_host_free(host);
}

static void quiet_records_are_neither_kept_nor_found(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	host->scope->quiet_records = true;
	assert_recalled(host, "one", "s", NULL);
	host->keep(host, "two", "s", "first", 5);
	host->scope->quiet_records = false;
	assert_recalled(host, "one", "s", "first");
	assert_recalled(host, "two", "s", NULL);
	registry_host_free(host);
}

/* The file of the only record. */
static const char *record_file(void)
{
	static char path[1024];
	DIR *dir = opendir(place_path("cache/pinfold/records"));
	assert_non_null(dir);
	unsigned count = 0;
	for (const struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.') {
			count++;
			snprintf(path, sizeof(path), "%s/%s", place_path("cache/pinfold/records"),
				 entry->d_name);
		}
	closedir(dir);
	assert_int_equal(count, 1);
	return path;
}

static void a_record_with_any_byte_changed_or_missing_is_not_found(void **state)
{
	(void)state;
	char bytes[4096];
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	const char *file = record_file();
	int fd = open(file, O_RDWR | O_CLOEXEC);
	ssize_t length = read(fd, bytes, sizeof(bytes));
	assert_in_range(length, 50, 2000);
	for (ssize_t i = 0; i < length; i++) {
		char spoiled = (char)(bytes[i] ^ 0x20);
		assert_int_equal(pwrite(fd, &spoiled, 1, i), 1);
		assert_recalled(host, "one", "s", NULL);
		assert_int_equal(pwrite(fd, &bytes[i], 1, i), 1);
	}
	assert_recalled(host, "one", "s", "first");
	assert_int_equal(pwrite(fd, "x", 1, length), 1);
	assert_recalled(host, "one", "s", NULL);
	for (ssize_t i = length - 1; i >= 0; i -= 7) {
		assert_int_equal(ftruncate(fd, i), 0);
		assert_recalled(host, "one", "s", NULL);
	}
	close(fd);
	host->keep(host, "one", "s", "again", 5);
	assert_recalled(host, "one", "s", "again");
	registry_host_free(host);
}

static void a_record_that_others_could_have_written_is_not_found(void **state)
{
	(void)state;
	char aside[1100];
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	const char *file = record_file();
	assert_int_equal(chmod(file, 0620), 0);
	assert_recalled(host, "one", "s", NULL);
	assert_int_equal(chmod(file, 0600), 0);
	assert_recalled(host, "one", "s", "first");
	assert_int_equal(chmod(place_path("cache/pinfold/records"), 0750), 0);
	assert_recalled(host, "one", "s", NULL);
	host->keep(host, "one", "s", "other", 5);
	assert_int_equal(chmod(place_path("cache/pinfold/records"), 0700), 0);
	assert_recalled(host, "one", "s", "first");
	snprintf(aside, sizeof(aside), "%s.aside", file);
	assert_int_equal(rename(file, aside), 0);
	assert_int_equal(symlink(aside, file), 0);
	assert_recalled(host, "one", "s", NULL);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(mkfifo(file, 0600), 0);
	assert_recalled(host, "one", "s", NULL);
	registry_host_free(host);
}

static void records_of_another_owner_are_not_found(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not root: no record can be given to another user\n");
		skip();
	}
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	assert_int_equal(chown(record_file(), 12345, 0), 0);
	assert_recalled(host, "one", "s", NULL);
	assert_int_equal(chown(record_file(), 0, 0), 0);
	assert_recalled(host, "one", "s", "first");
	assert_int_equal(chown(place_path("cache/pinfold/records"), 12345, 0), 0);
	assert_recalled(host, "one", "s", NULL);
	registry_host_free(host);
}

static void without_a_usable_cache_directory_there_are_no_records(void **state)
{
	(void)state;
	static const char *const places[] = { "/proc/nope/cache", "relative", "", "/dev/null" };
	struct pinfold_host *host = host_of_good("");
	unsetenv("HOME");
	for (size_t i = 0; i < N_ELEMENTS(places); i++) {
		setenv("XDG_CACHE_HOME", places[i], 1);
		host->keep(host, "one", "s", "first", 5);
		assert_recalled(host, "one", "s", NULL);
	}
	unsetenv("XDG_CACHE_HOME");
	host->keep(host, "one", "s", "first", 5);
	assert_recalled(host, "one", "s", NULL);
	setenv("HOME", place_path("home"), 1);
	host->keep(host, "one", "s", "first", 5);
	assert_recalled(host, "one", "s", "first");
	assert_int_equal(access(place_path("home/.cache/pinfold/records"), F_OK), 0);
	registry_host_free(host);
}

/* Writers at the same moment: each reading finds one of the records whole, and nothing stays aside. */
static void records_written_at_once_are_never_mixed(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	static char data[2][3000];
	memset(data[0], 'a', sizeof(data[0]));
	memset(data[1], 'b', sizeof(data[1]));
	for (int writer = 0; writer < 2; writer++)
		if (fork() == 0) {
			for (int i = 0; i < 200; i++)
				host->keep(host, "one", "s", data[writer], sizeof(data[0]));
			_exit(0);
		}
	for (int i = 0; i < 400; i++) {
		const void *found;
		size_t bytes;
		if (!host->recall(host, "one", "s", &found, &bytes))
			continue;
		assert_int_equal(bytes, sizeof(data[0]));
		assert_true(memcmp(found, data[0], bytes) == 0 || memcmp(found, data[1], bytes) == 0);
	}
	while (wait(NULL) > 0)
		;
	record_file();
	DIR *dir = opendir(place_path("cache/pinfold/records"));
	for (const struct dirent *entry; (entry = readdir(dir));)
		assert_true(entry->d_name[0] != '.' || entry->d_name[1] == '.' || !entry->d_name[1]);
	closedir(dir);
	registry_host_free(host);
}

static void a_recall_costs_little(void **state)
{
	(void)state;
	struct pinfold_host *host = host_of_good("");
	host->keep(host, "one", "s", "first", 5);
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < 200; i++) {
		uint64_t start = clock_nanoseconds();
		assert_recalled(host, "one", "s", "first");
		uint64_t gone = clock_nanoseconds() - start;
		least = gone < least ? gone : least;
	}
	print_message("the fastest of 200 recalls took %llu ns\n", (unsigned long long)least);
	assert_in_range(least, 1, 40000);
	registry_host_free(host);
}

#define MODULES_TEST(name) cmocka_unit_test_setup_teardown(name, modules_set_up, modules_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MODULES_TEST(a_setting_is_what_is_configured_or_its_initial_value),
		MODULES_TEST(a_host_table_is_whole_and_says_which_version_it_has),
		MODULES_TEST(failing_fills_the_error_and_is_minus_one),
		MODULES_TEST(a_call_is_a_system_call_that_leaves_errno_alone),
		MODULES_TEST(blame_falls_on_a_silent_plugin_only),
		MODULES_TEST(a_record_comes_back_under_its_name_and_stamp_only),
		MODULES_TEST(records_do_not_outlive_a_change_of_the_module),
		MODULES_TEST(quiet_records_are_neither_kept_nor_found),
		MODULES_TEST(a_record_with_any_byte_changed_or_missing_is_not_found),
		MODULES_TEST(a_record_that_others_could_have_written_is_not_found),
		MODULES_TEST(records_of_another_owner_are_not_found),
		MODULES_TEST(without_a_usable_cache_directory_there_are_no_records),
		MODULES_TEST(records_written_at_once_are_never_mixed),
		MODULES_TEST(a_recall_costs_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
