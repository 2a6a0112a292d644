/* tests/config_layers.c - which layer wins, what adds up, and what presets lie below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void assert_entry(const struct config *config, const char *section, const char *key,
			 const char *value, const char *file, unsigned line)
{
	for (size_t i = 0; i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		if (strcmp(entry.section, section) != 0 || strcmp(entry.key, key) != 0)
			continue;
		assert_string_equal(entry.value, value);
		if (!file)
			assert_null(entry.file);
		else
			assert_string_equal(entry.file, file[0] == '-' ? file : place_path(file));
		assert_int_equal(entry.line, line);
		return;
	}
	fail_msg("no entry %s.%s", section, key);
}

static void without_any_file_every_key_has_its_built_in_value(void **state)
{
	(void)state;
	struct config *config = place_expect(NULL);
	assert_string_equal(place_list(config, "pinfold", "arms"),
			    "namespaces|landlock|copytree");
	assert_string_equal(config_text(config, "pinfold", "arm"), "");
	assert_int_equal(config_word(config, "placement", "host"), 1);
	assert_int_equal(config_word(config, "network", "mode"), 0);
	assert_int_equal(config_number(config, "pinfold", "probe-timeout"), 2000000000);
	assert_true(config_number(config, "copy", "max-bytes") == UINT64_C(4) << 30);
	assert_int_equal(config_list(config, "filesystem", "hidden")->count, 0);
	assert_entry(config, "limits", "timeout", "0", NULL, 0);
	config_free(config);
}

/* Each row is laid on top of those before it. */
static const struct {
	const char *file;	/* NULL: --set */
	const char *value;
} ladder[] = {
	{ "vendor/presets/default.conf", "1" }, { "vendor/10-first.conf", "2" },
	{ "vendor/20-second.conf", "3" },	{ "site/pinfold.conf", "4" },
	{ "site/conf.d/10-first.conf", "5" },	{ "site/conf.d/20-second.conf", "6" },
	{ "user.conf", "7" },			{ "named.conf", "8" },
	{ NULL, "9" },
};

static void each_layer_wins_over_all_below_it_and_says_where_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ladder) / sizeof(ladder[0]); i++) {
		char text[64];
		struct pinfold_error err = { 0 };
		struct config *config = NULL;
		const char *file = ladder[i].file;
		snprintf(text, sizeof(text), "\n[limits]\nprocesses = %s\n", ladder[i].value);
		if (file)
			place_write(file, text);
		assert_int_equal(place_load_file(i >= 7 ? "named.conf" : NULL,
						 file ? NULL : SETTINGS("limits.processes=9"),
						 &config,
						 &err), 0);
		assert_entry(config, "limits", "processes", ladder[i].value, file ? file : "--set",
			     file ? 3 : 1);
		config_free(config);
	}
}

static void files_of_a_directory_are_read_in_the_order_of_their_names(void **state)
{
	(void)state;
	struct config *config;
	for (int i = 0; i < 20; i++) {
		char name[64], text[64];
		int number = i * 7 % 20;
		snprintf(name, sizeof(name), "%s/%02d.conf", i % 2 ? "vendor" : "site/conf.d",
			 number);
		snprintf(text, sizeof(text), "[filesystem]\nhidden = /%02d\n", number);
		place_write(name, text);
	}
	config = place_expect(NULL);
	assert_string_equal(place_list(config, "filesystem", "hidden"),
			    "/01|/03|/05|/07|/09|/11|/13|/15|/17|/19|/00|/02|/04|/06|/08|/10|/12|/14|"
			    "/16|/18");
	config_free(config);
}

static void lists_that_add_gather_every_layer_and_others_are_replaced(void **state)
{
	(void)state;
	place_write("vendor/presets/default.conf", "[filesystem]\nhidden = /preset\n");
	place_write("vendor/a.conf", "[filesystem]\nhidden = /a\n[pinfold]\nview = copy\n");
	place_write("site/pinfold.conf",
		    "[filesystem]\nhidden = /b, /a\n[pinfold]\nview = overlay, copy\n");
	place_write("user.conf", "[filesystem]\nhidden = /c\n");
	struct config *config = place_expect(SETTINGS("filesystem.hidden=/d",
						      "filesystem.hidden=/e"));
	assert_string_equal(place_list(config, "filesystem", "hidden"), "/preset|/a|/b|/c|/d|/e");
	assert_entry(config, "filesystem", "hidden", "/preset, /a, /b, /c, /d, /e", "--set", 2);
	assert_string_equal(place_list(config, "pinfold", "view"), "overlay|copy");
	assert_entry(config, "pinfold", "view", "overlay, copy", "site/pinfold.conf", 4);
	config_free(config);
}

static void a_list_is_written_with_commas_repeated_keys_and_indented_lines(void **state)
{
	(void)state;
	place_write("user.conf", "[filesystem]\n"
				 "hidden = /a, /b b ,\n"
				 "\t/c\n"
				 "# a comment does not end the list\n"
				 "\n"
				 "   /d,/e\\,e\n"
				 "hidden = /f ; a comment\n"
				 "[pinfold]\n"
				 "view =\n"
				 "  overlay\n"
				 "  copy\n");
	struct config *config = place_expect(NULL);
	assert_string_equal(place_list(config, "filesystem", "hidden"), "/a|/b b|/c|/d|/e,e|/f");
	assert_string_equal(place_list(config, "pinfold", "view"), "overlay|copy");
	config_free(config);
}

static void a_list_set_to_nothing_is_empty_and_never_everything(void **state)
{
	(void)state;
	place_write("user.conf", "[pinfold]\narms =\nplugins = ; none\n[environment]\nallow =\n");
	struct config *config = place_expect(NULL);
	assert_int_equal(config_list(config, "pinfold", "arms")->count, 0);
	assert_int_equal(config_list(config, "pinfold", "plugins")->count, 0);
	assert_int_equal(config_list(config, "environment", "allow")->count, 0);
	config_free(config);
}

static void a_list_that_adds_cannot_be_emptied_from_above(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[environment]\nallow = LANG\n");
	place_write("user.conf", "[environment]\nallow =\n");
	place_refuses("user.conf", 2, place_path("site/pinfold.conf:2"), "remove this line");
}

static void a_preset_lies_below_the_vendor_and_the_sites_wins_over_the_vendors(void **state)
{
	(void)state;
	place_write("vendor/presets/one.conf", "[limits]\nprocesses = 1\nopen-files = 1\n");
	place_write("vendor/presets/two.conf",
		    "[limits]\nprocesses = 2\n[pinfold]\nrequire = network\n");
	place_write("site/presets/two.conf", "[limits]\nprocesses = 22\n");
	place_write("vendor/pinfold.conf", "[limits]\nopen-files = 9\n");
	struct config *config = place_expect(SETTINGS("pinfold.preset=one, two"));
	assert_entry(config, "limits", "processes", "22", "site/presets/two.conf", 2);
	assert_entry(config, "limits", "open-files", "9", "vendor/pinfold.conf", 2);
	assert_int_equal(config_list(config, "pinfold", "require")->count, 0);
	config_free(config);
}

static void presets_of_site_and_vendor_are_listed_each_once(void **state)
{
	(void)state;
	place_write("vendor/presets/both@1.conf", "");
	place_write("site/presets/both@1.conf", "");
	place_write("site/presets/.hidden.conf", "");
	place_write("site/presets/none.txt", "");
	place_write("vendor/presets/vendors.conf", "");
	struct config *config = place_expect(NULL);
	struct list names = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(config_presets(config, &names, &err), 0);
	assert_int_equal(names.count, 3);
	assert_string_equal(names.items[0], "both@1");
	assert_true(list_has(&names, "vendors"));
	assert_true(list_has(&names, "default"));
	list_release(&names);
	config_free(config);
}

static void a_preset_that_is_not_there_is_an_error_even_the_default_one(void **state)
{
	(void)state;
	place_write("user.conf", "[pinfold]\npreset = default, rust\n");
	place_refuses("user.conf", 2, "there is no preset `rust`", "preset");
	place_write("vendor/presets/build@3.conf", "");
	place_write("site/presets/agent-own.conf", "");
	place_write("user.conf", "[pinfold]\npreset = default, biuld\n");
	place_refuses("user.conf", 2, "there is no preset `biuld`", "write `build`");
	place_write("user.conf", "[pinfold]\npreset = default, agent-owm\n");
	place_refuses("user.conf", 2, "there is no preset `agent-owm`", "write `agent-own`");
	place_write("user.conf", "[pinfold]\npreset = default, build@2\n");
	place_refuses("user.conf", 2, "there is no preset `build@2`", "write `build@3`");
	remove(place_path("user.conf"));
	remove(place_path("vendor/presets/default.conf"));
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	assert_int_equal(place_load(NULL, &config, &err), -1);
	assert_non_null(strstr(err.subject, "built in: there is no preset `default`"));
	config = place_expect(SETTINGS("pinfold.preset="));
	assert_int_equal(config_list(config, "pinfold", "preset")->count, 0);
	config_free(config);
}

static void a_preset_is_limited_to_what_a_command_may_touch(void **state)
{
	(void)state;
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "[pinfold]\nview = direct\n", "pinfold.view cannot be set by a preset" },
		{ "[pinfold]\npreset = x\n", "pinfold.preset cannot be set by a preset" },
		{ "[pinfold]\nplugin-directories = /x\n", "cannot be set by a preset" },
		{ "[pinfold]\nfinal = network.mode\n", "cannot be set by a preset" },
		{ "[placement]\nhost = always\n", "placement.host cannot be set by a preset" },
		{ "\n[arm:namespaces]\nx = 1\n", "there is no section [arm:namespaces] in presets" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		place_write("vendor/presets/default.conf", cases[i].text);
		place_refuses("vendor/presets/default.conf", 2, cases[i].what, NULL);
	}
	place_write("vendor/presets/default.conf",
		    "[pinfold]\nrequire = network\n[copy]\nkept = 2\n");
	config_free(place_expect(NULL));
}

static void the_user_file_is_found_by_xdg_config_home_or_below_home(void **state)
{
	(void)state;
	const struct config_sources sources = { .vendor = place_path("vendor"), .site = "" };
	struct config *config;
	place_write("home/.config/pinfold/pinfold.conf", "[limits]\nprocesses = 1\n");
	place_write("xdg/pinfold/pinfold.conf", "[limits]\nprocesses = 2\n");
	assert_int_equal(config_load(&sources, &config, NULL), 0);
	assert_int_equal(config_number(config, "limits", "processes"), 1);
	config_free(config);
	setenv("XDG_CONFIG_HOME", place_path("xdg"), 1);
	assert_int_equal(config_load(&sources, &config, NULL), 0);
	assert_int_equal(config_number(config, "limits", "processes"), 2);
	config_free(config);
	setenv("XDG_CONFIG_HOME", "xdg", 1);	/* not absolute: does not count */
	assert_int_equal(config_load(&sources, &config, NULL), 0);
	assert_int_equal(config_number(config, "limits", "processes"), 1);
	config_free(config);
}

static void missing_directories_and_files_are_no_error_but_a_named_file_is(void **state)
{
	(void)state;
	const struct config_sources sources = {
		.vendor = place_path("no/vendor"), .site = place_path("no/site"),
		.user = place_path("no/user.conf"), .settings = SETTINGS("pinfold.preset="),
	};
	struct config *config = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(config_load(&sources, &config, &err), 0);
	config_free(config);
	assert_int_equal(place_load_file("no.conf", NULL, &config, &err), -1);
	assert_int_equal(err.sys, ENOENT);
	assert_string_equal(strrchr(err.subject, '/'), "/no.conf");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(without_any_file_every_key_has_its_built_in_value),
		TEST(each_layer_wins_over_all_below_it_and_says_where_it_is),
		TEST(files_of_a_directory_are_read_in_the_order_of_their_names),
		TEST(lists_that_add_gather_every_layer_and_others_are_replaced),
		TEST(a_list_is_written_with_commas_repeated_keys_and_indented_lines),
		TEST(a_list_set_to_nothing_is_empty_and_never_everything),
		TEST(a_list_that_adds_cannot_be_emptied_from_above),
		TEST(a_preset_lies_below_the_vendor_and_the_sites_wins_over_the_vendors),
		TEST(presets_of_site_and_vendor_are_listed_each_once),
		TEST(a_preset_that_is_not_there_is_an_error_even_the_default_one),
		TEST(a_preset_is_limited_to_what_a_command_may_touch),
		TEST(the_user_file_is_found_by_xdg_config_home_or_below_home),
		TEST(missing_directories_and_files_are_no_error_but_a_named_file_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
