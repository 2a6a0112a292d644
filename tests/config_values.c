/* tests/config_values.c - each type of value: what it takes, what it means, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
	const char *section, *key, *text;
	uint64_t number;
} quantities[] = {
	{ "limits", "processes", "0", 0 },
	{ "limits", "processes", "007", 7 },
	{ "limits", "processes", "18446744073709551615", UINT64_MAX },
	{ "limits", "nice", "19", 19 },
	{ "copy", "max-bytes", "0", 0 },
	{ "copy", "max-bytes", "1000", 1000 },
	{ "copy", "max-bytes", "3K", 3072 },
	{ "copy", "max-bytes", "256M", UINT64_C(256) << 20 },
	{ "copy", "max-bytes", "2T", UINT64_C(2) << 40 },
	{ "limits", "timeout", "0", 0 },
	{ "limits", "timeout", "0s", 0 },
	{ "limits", "timeout", "500ms", 500000000 },
	{ "limits", "timeout", "2s", 2000000000 },
	{ "limits", "timeout", "5m", UINT64_C(300000000000) },
	{ "limits", "timeout", "1h", UINT64_C(3600000000000) },
	{ "limits", "processors", "0", 0 },
	{ "limits", "processors", "2", 200 },
	{ "limits", "processors", "0.5", 50 },
	{ "limits", "processors", "1.05", 105 },
	{ "limits", "processors", "0.01", 1 },
};

static void quantities_mean_what_their_units_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(quantities); i++) {
		char setting[96];
		snprintf(setting, sizeof(setting), "%s.%s=%s", quantities[i].section,
			 quantities[i].key,
			 quantities[i].text);
		struct config *config = place_expect(SETTINGS(setting));
		assert_true(config_number(config, quantities[i].section, quantities[i].key) ==
			    quantities[i].number);
		assert_string_equal(config_text(config, quantities[i].section, quantities[i].key),
				    quantities[i].text);
		config_free(config);
	}
}

static const struct {
	const char *setting, *what, *recovery;
} refusals[] = {
	{ "limits.processes=", "limits.processes: `` is not a number", "digits only" },
	{ "limits.processes=-1", "`-1` is not a number", NULL },
	{ "limits.processes=+1", "`+1` is not a number", NULL },
	{ "limits.processes=1.5", "is not a number", NULL },
	{ "limits.processes=1 000", "is not a number", NULL },
	{ "limits.processes=0x10", "is not a number", NULL },
	{ "limits.processes=10K", "is not a number", NULL },
	{ "limits.processes=18446744073709551616", "is not a number", NULL },
	{ "limits.processes=99999999999999999999999999", "is not a number", NULL },
	{ "limits.nice=20", "limits.nice: 20 is more than 19", NULL },
	{ "copy.threads=65", "copy.threads: 65 is more than 64", NULL },
	{ "copy.max-bytes=4X", "`4X` is not a size", "K, M, G, or T" },
	{ "copy.max-bytes=4 G", "is not a size", NULL },
	{ "copy.max-bytes=4g", "is not a size", NULL },
	{ "copy.max-bytes=G", "is not a size", NULL },
	{ "copy.max-bytes=16777216T", "is not a size", NULL },
	{ "limits.timeout=s", "`s` is not a duration", "ms, s, m, or h" },
	{ "limits.timeout=5 s", "is not a duration", NULL },
	{ "limits.timeout=1d", "is not a duration", NULL },
	{ "limits.timeout=1m30s", "is not a duration", NULL },
	{ "limits.timeout=5124096h", "is not a duration", NULL },
	{ "limits.processors=1.555", "`1.555` is not a share", "such as 1.5" },
	{ "limits.processors=.5", "is not a share", NULL },
	{ "limits.processors=1.", "is not a share", NULL },
	{ "limits.processors=1.5x", "is not a share", NULL },
	{ "limits.processors=50%", "is not a share", NULL },
	{ "limits.processors=10000000", "is not a share", NULL },
	{ "placement.host=alwais", "placement.host: there is no `alwais`", "`always`" },
	{ "placement.host=", "placement.host: there is no ``", "never ask always" },
	{ "placement.host=ask always", "there is no `ask always`", NULL },
	{ "placement.host=zzzzzzzzz", "there is no `zzzzzzzzz`", "it is one of: never ask always" },
	{ "network.mode=None", "there is no `None`", "`none`" },
	{ "pinfold.arm=../x", "pinfold.arm: `../x` is not a name", NULL },
	{ "pinfold.arms=landlock, Namespaces", "pinfold.arms: `Namespaces` is not a name", NULL },
	{ "pinfold.plugins=x.so", "`x.so` is not a name", "no ending" },
	{ "pinfold.plugins=/lib/x", "`/lib/x` is not a name", NULL },
	{ "pinfold.plugins=1x", "`1x` is not a name", NULL },
	{ "pinfold.preset=../../tmp/x", "is not a name", NULL },
	{ "pinfold.require=netwrok", "pinfold.require: there is no promise `netwrok`", "`network`" },
	{ "pinfold.require=writes network", "there is no promise `writes network`", NULL },
	{ "filesystem.hidden=secret", "filesystem.hidden: `secret` is not an absolute path",
	  "`~/`" },
	{ "filesystem.hidden=/a, ./b", "`./b` is not an absolute path", NULL },
	{ "filesystem.hidden=~root/x", "`~root/x` is not an absolute path", NULL },
	{ "filesystem.hidden=$HOME/x", "is not an absolute path", NULL },
	{ "filesystem.hidden=\"/a b\"", "is not an absolute path", NULL },
	{ "filesystem.scratch=tmp", "filesystem.scratch: `tmp` is not an absolute path", NULL },
	{ "environment.drop=A=B", "environment.drop: `A=B` is not the name of a variable", NULL },
	{ "environment.drop=A*B", "`A*B` is not the name of a variable", NULL },
	{ "environment.drop=**A", "is not the name of a variable", NULL },
	{ "environment.drop=*", "`*` is not the name of a variable", NULL },
	{ "environment.drop=A B", "is not the name of a variable", NULL },
	{ "environment.drop=\"A\"", "is not the name of a variable", NULL },
	{ "environment.drop=caf\xc3\xa9", "is not the name of a variable", NULL },
	{ "environment.allow=$PATH", "is not the name of a variable", NULL },
	{ "environment.set=A", "environment.set: `A` is not NAME=VALUE", "`\\,`" },
	{ "environment.set=A=1,2", "`2` is not NAME=VALUE", "`\\,`" },
	{ "environment.set==x", "`=x` is not NAME=VALUE", NULL },
	{ "environment.set=A B=x", "`A B=x` is not NAME=VALUE", NULL },
};

static void a_value_that_does_not_fit_is_refused_with_what_would_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refusals); i++)
		place_refuses_settings(SETTINGS(refusals[i].setting), "--set", 1, refusals[i].what,
				       refusals[i].recovery);
}

static void a_tilde_is_the_callers_home_in_every_kind_of_path(void **state)
{
	(void)state;
	char expected[1024];
	place_write("user.conf", "[filesystem]\nhidden = ~, ~/a, /b\nscratch = ~/s\n");
	struct config *config = place_expect(NULL);
	snprintf(expected, sizeof(expected), "%s|%s/a|/b", place_path("home"), place_path("home"));
	assert_string_equal(place_list(config, "filesystem", "hidden"), expected);
	assert_string_equal(config_text(config, "filesystem", "scratch"), place_path("home/s"));
	assert_int_equal(config_homeless(config)->count, 0);
	config_free(config);
}

static void a_home_that_is_the_root_gives_paths_with_one_slash(void **state)
{
	(void)state;
	setenv("HOME", "/", 1);
	struct config *config = place_expect(SETTINGS("filesystem.hidden=~, ~/a"));
	assert_string_equal(place_list(config, "filesystem", "hidden"), "/|/a");
	config_free(config);
}

static void without_a_home_items_below_it_are_left_out_and_named(void **state)
{
	(void)state;
	setenv("HOME", place_path("no-home"), 1);
	struct config *config = place_expect(SETTINGS("filesystem.hidden=~/.ssh, /a, ~"));
	assert_string_equal(place_list(config, "filesystem", "hidden"), "/a");
	assert_int_equal(config_homeless(config)->count, 2);
	assert_string_equal(config_homeless(config)->items[0], "~/.ssh");
	assert_string_equal(config_homeless(config)->items[1], "~");
	config_free(config);
	place_refuses_settings(SETTINGS("filesystem.scratch=~/s"), "--set", 1,
			       "filesystem.scratch: there is no home for `~/s`", "set HOME");
}

static void a_path_of_the_file_system_may_be_marked_as_one_that_may_be_missing(void **state)
{
	(void)state;
	char expected[1024];
	struct config *config = place_expect(SETTINGS("filesystem.layered=-~/a, -/b, /-c"));
	snprintf(expected, sizeof(expected), "-%s/a|-/b|/-c", place_path("home"));
	assert_string_equal(place_list(config, "filesystem", "layered"), expected);
	config_free(config);
	static const char *const refused[] = { "filesystem.layered=--/a", "filesystem.hidden=-a",
					       "filesystem.writable=-", "filesystem.scratch=-/a" };
	for (size_t i = 0; i < N_ELEMENTS(refused); i++)
		place_refuses_settings(SETTINGS(refused[i]), "--set", 1, "is not an absolute path", NULL);
	setenv("HOME", place_path("no-home"), 1);
	config = place_expect(SETTINGS("filesystem.layered=-~/a"));
	assert_int_equal(config_list(config, "filesystem", "layered")->count, 0);
	assert_string_equal(config_homeless(config)->items[0], "-~/a");
	config_free(config);
}

static void items_keep_what_is_theirs(void **state)
{
	(void)state;
	place_write("user.conf", "[environment]\n"
				 "set = FLAGS=-a -b\\,c, EMPTY=, URL=http://h:1/?x=y;z\n"
				 "drop = *_TOKEN, AWS_*, *SECRET*, BASH_FUNC_x%%\n"
				 "[filesystem]\n"
				 "hidden = /with space/and=equals, /back\\slash, /\xff\xfe\n"
				 "[pinfold]\n"
				 "require = network, process_tree\n");
	struct config *config = place_expect(NULL);
	assert_string_equal(place_list(config, "environment", "set"),
			    "FLAGS=-a -b,c|EMPTY=|URL=http://h:1/?x=y;z");
	assert_string_equal(place_list(config, "environment", "drop"),
			    "*_TOKEN|AWS_*|*SECRET*|BASH_FUNC_x%%");
	assert_string_equal(place_list(config, "filesystem", "hidden"),
			    "/with space/and=equals|/back\\slash|/\xff\xfe");
	assert_string_equal(place_list(config, "pinfold", "require"), "network|process_tree");
	config_free(config);
}

static void words_count_from_the_first(void **state)
{
	(void)state;
	static const char *const words[] = { "none", "loopback", "ports", "host" };
	for (unsigned i = 0; i < N_ELEMENTS(words); i++) {
		char setting[64];
		snprintf(setting, sizeof(setting), "network.mode=%s", words[i]);
		struct config *config = place_expect(SETTINGS(setting));
		assert_int_equal(config_word(config, "network", "mode"), i);
		config_free(config);
	}
}

static void ten_thousand_items_take_no_more_memory_than_they_need(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add(&text, "filesystem.hidden=");
	for (int i = 0; i < 10000; i++)
		text_addf(&text, "/some/where/%d,", i);
	char *setting = text_take(&text);
	struct config *config = place_expect(SETTINGS(setting));
	assert_int_equal(config_list(config, "filesystem", "hidden")->count, 10000);
	config_free(config);
	free(setting);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(quantities_mean_what_their_units_say),
		TEST(a_value_that_does_not_fit_is_refused_with_what_would_fit),
		TEST(a_tilde_is_the_callers_home_in_every_kind_of_path),
		TEST(a_home_that_is_the_root_gives_paths_with_one_slash),
		TEST(without_a_home_items_below_it_are_left_out_and_named),
		TEST(a_path_of_the_file_system_may_be_marked_as_one_that_may_be_missing),
		TEST(items_keep_what_is_theirs),
		TEST(words_count_from_the_first),
		TEST(ten_thousand_items_take_no_more_memory_than_they_need),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
