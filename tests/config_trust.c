/* tests/config_trust.c - files and directories that others could write are not believed. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is opened on the way, and what each would be. */
static const struct {
	const char *name;
	mode_t mode;

} opened[] = {
	{ "vendor", 0755 },
	{ "vendor/a.conf", 0644 },
	{ "vendor/presets", 0755 },
	{ "vendor/presets/default.conf", 0644 },
	{ "site", 0755 },
	{ "site/pinfold.conf", 0644 },
	{ "site/conf.d", 0755 },
	{ "site/conf.d/a.conf", 0644 },
	{ "site/presets", 0755 },
	{ "site/presets/other.conf", 0644 },
	{ "user.conf", 0644 },
};

static void write_all(void)
{
	for (size_t i = 0; i < N_ELEMENTS(opened); i++)
		if (opened[i].mode == 0644)
			place_write(opened[i].name, "[network]\nmode = none\n");
	place_write("user.conf", "[pinfold]\npreset = default, other\n");
	config_free(place_expect(NULL));
}

static void what_group_or_others_can_write_is_refused_by_name(void **state)
{
	(void)state;
	write_all();
	for (size_t i = 0; i < N_ELEMENTS(opened); i++) {
		static const mode_t open_to[] = { S_IWGRP, S_IWOTH, S_IWGRP | S_IWOTH };
		for (size_t j = 0; j < N_ELEMENTS(open_to); j++) {
			assert_int_equal(chmod(place_path(opened[i].name),
					       opened[i].mode | open_to[j]),
					 0);
			place_refuses(opened[i].name, 0, "lets others write it", "chmod go-w");
		}
		chmod(place_path(opened[i].name), opened[i].mode);
		config_free(place_expect(NULL));
	}
}

static void what_belongs_to_a_third_user_is_refused_by_name(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not tested: giving files away needs root\n");
		skip();
	}
	write_all();
	for (size_t i = 0; i < N_ELEMENTS(opened); i++) {
		assert_int_equal(chown(place_path(opened[i].name), 12345, 0), 0);
		place_refuses(opened[i].name, 0,
			      "belongs to user 12345, who is neither root nor you",
			      "belong to root or to you");
		assert_int_equal(chown(place_path(opened[i].name), 0, 0), 0);
	}
}

/* Loads as an unprivileged user in a process of its own: 0 loaded, 1 refused. */
static int load_as(uid_t user)
{
	pid_t child = fork();
	if (child == 0) {
		struct config *config = NULL;
		if (setgid(user) < 0 || setuid(user) < 0)
			_exit(2);
		int result = place_load(NULL, &config, NULL);
		config_free(config);
		_exit(result < 0);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_user_believes_roots_files_and_his_own_and_no_others(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not tested: becoming another user needs root\n");
		skip();
	}
	write_all();
	chmod(place_path("."), 0755);
	assert_int_equal(load_as(12345), 0);
	assert_int_equal(chown(place_path("user.conf"), 12345, 12345), 0);
	assert_int_equal(load_as(12345), 0);
	assert_int_equal(load_as(54321), 1);
	assert_int_equal(load_as(0), 1);
}

static void a_file_that_cannot_be_read_is_an_error_not_a_missing_layer(void **state)
{
	(void)state;
	write_all();
	chmod(place_path("."), 0755);
	for (size_t i = 0; i < N_ELEMENTS(opened); i++) {
		chmod(place_path(opened[i].name), 0);
		if (geteuid() == 0)
			assert_int_equal(load_as(12345), 1);
		else
			place_refuses(opened[i].name, 0, "Permission denied", "readable");
		chmod(place_path(opened[i].name), opened[i].mode);
	}
}

static void a_home_that_cannot_be_entered_has_no_user_file(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not tested: becoming another user needs root\n");
		skip();
	}
	place_write("home/.config/pinfold/pinfold.conf", "not for you\n");
	chmod(place_path("."), 0755);
	chmod(place_path("home"), 0700);
	pid_t child = fork();
	if (child == 0) {
		const struct config_sources sources = {
			.vendor = place_path("vendor"), .site = place_path("site"),
		};
		struct config *config = NULL;
		if (setgid(12345) < 0 || setuid(12345) < 0)
			_exit(2);
		int result = config_load(&sources, &config, NULL);
		config_free(config);
		_exit(result < 0);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void what_is_no_regular_file_is_refused_without_waiting(void **state)
{
	(void)state;
	static const char *const files[] = { "vendor/a.conf", "site/pinfold.conf", "user.conf" };
	alarm(20);
	for (size_t i = 0; i < N_ELEMENTS(files); i++) {
		assert_int_equal(mkfifo(place_path(files[i]), 0644), 0);
		place_refuses(files[i], 0, "not a regular file", "regular file");
		remove(place_path(files[i]));
		assert_int_equal(mkdir(place_path(files[i]), 0755), 0);
		place_refuses(files[i], 0, "not a regular file", NULL);
		remove(place_path(files[i]));
	}
	struct config *config = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(mkfifo(place_path("named.conf"), 0644), 0);
	assert_int_equal(place_load_file("named.conf", NULL, &config, &err), -1);
	assert_non_null(strstr(err.subject, "named.conf: it is not a regular file"));
	alarm(0);
}

static void a_link_that_leads_nowhere_is_an_error_not_a_missing_layer(void **state)
{
	(void)state;
	static const char *const links[] = { "vendor/a.conf", "site/pinfold.conf", "site/conf.d",
					     "site/presets", "user.conf" };
	for (size_t i = 0; i < N_ELEMENTS(links); i++) {
		assert_int_equal(symlink("nowhere", place_path(links[i])), 0);
		place_refuses(links[i], 0, "No such file", NULL);
		remove(place_path(links[i]));
	}
}

static void a_link_is_judged_by_what_it_leads_to(void **state)
{
	(void)state;
	place_write("elsewhere/real.conf", "[limits]\nprocesses = 7\n");
	assert_int_equal(symlink(place_path("elsewhere/real.conf"), place_path("user.conf")), 0);
	struct config *config = place_expect(NULL);
	assert_int_equal(config_number(config, "limits", "processes"), 7);
	config_free(config);
	chmod(place_path("elsewhere/real.conf"), 0666);
	place_refuses("user.conf", 0, "lets others write it", NULL);
}

static void only_names_that_end_in_conf_and_are_not_hidden_are_read(void **state)
{
	(void)state;
	static const char *const ignored[] = {
		"vendor/.hidden.conf", "vendor/a.conf~", "vendor/a.conf.dpkg-old", "vendor/README",
		"site/other.conf", "site/conf.d/.#a.conf", "site/conf.d/a.conf.bak",
	};
	for (size_t i = 0; i < N_ELEMENTS(ignored); i++)
		place_write(ignored[i], "nonsense\n");
	config_free(place_expect(NULL));
}

static void no_descriptor_is_left_open(void **state)
{
	(void)state;
	write_all();
	int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(before);
	config_free(place_expect(NULL));
	place_write("user.conf", "[pinfold]\npreset = default, other, missing\n");
	place_refuses("user.conf", 2, "there is no preset `missing`", NULL);
	int after = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(after);
	assert_int_equal(after, before);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(what_group_or_others_can_write_is_refused_by_name),
		TEST(what_belongs_to_a_third_user_is_refused_by_name),
		TEST(a_user_believes_roots_files_and_his_own_and_no_others),
		TEST(a_file_that_cannot_be_read_is_an_error_not_a_missing_layer),
		TEST(a_home_that_cannot_be_entered_has_no_user_file),
		TEST(what_is_no_regular_file_is_refused_without_waiting),
		TEST(a_link_that_leads_nowhere_is_an_error_not_a_missing_layer),
		TEST(a_link_is_judged_by_what_it_leads_to),
		TEST(only_names_that_end_in_conf_and_are_not_hidden_are_read),
		TEST(no_descriptor_is_left_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
