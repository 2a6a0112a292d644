/* tests/config_lines.c - every way in which a file could be misread is an error that names its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG_COMMENT "# " FIFTY FIFTY FIFTY TEN TEN TEN TEN "012345"	/* 198 */

static const struct refusal {
	const char *text;
	unsigned line;
	const char *what, *recovery;
} refusals[] = {
	/* names */
	{ "[filesystme]\n", 1, "there is no section [filesystme]", "`filesystem`" },
	{ "[ network ]\nmode = none\n", 1, "there is no section [ network ]", "`network`" },
	{ "[NETWORK]\n", 1, "there is no section [NETWORK]", NULL },
	{ "[]\n", 1, "there is no section []", NULL },
	{ "[wrapers]\n[session]\n", 1, "there is no section [wrapers]", NULL },
	{ "[preset:x]\n", 1, "there is no section [preset:x]", NULL },
	{ "[slot:x]\n", 1, "there is no section [slot:x]", NULL },
	{ "[arm:]\n", 1, "there is no section [arm:]", NULL },
	{ "[arm:../x]\n", 1, "there is no section [arm:../x]", NULL },
	{ "[network]\n\nmod = none\n", 3, "there is no key `mod` in [network]", "`mode`" },
	{ "[network]\nmax-files = 1\n", 2, "`max-files` is a key of [copy], not of [network]",
	  "section that it belongs to" },
	{ "[network]\nMode = none\n", 2, "there is no key `Mode`", "`mode`" },
	{ "[network]\n= none\n", 2, "there is no key ``", NULL },
	{ "[arm:x]\nKey = 1\n", 2, "`Key` in [arm:x] is not the name of a key", NULL },
	{ "[arm:x]\n" FIFTY " = 1\n", 2, "is not the name of a key", NULL },
	{ "mode = none\n", 1, "a line before the first section", "`[pinfold]`" },
	{ "# a comment\n\nmode = none\n[network]\n", 3, "a line before the first section", NULL },
	/* sections */
	{ "[network]\nmode = none\n[filesystem\nhidden = /a\n", 3, "a broken section line",
	  "`[name]`" },
	{ "[network]\nmode = none\nfilesystem]\nhidden = /a\n", 3, "neither a section nor", NULL },
	{ "[network] mode = host\n", 1, "a broken section line", NULL },
	{ "[network]]\n", 1, "a broken section line", NULL },
	{ "[arm:" FIFTY "]\n", 1, "a section's name of more than 49 letters", NULL },
	/* lines */
	{ "[network]\nmode\n", 2, "neither a section nor `key = value`", "`key = value`" },
	{ "[network]\nmode none\n[nothing]\n", 2, "neither a section nor", NULL },
	{ "[network]\nmode = none\nmode = host\n", 3,
	  "network.mode is set a second time, after line 2",
	  "remove one" },
	{ "[network]\nmode = none\n[limits]\n[network]\nmode = none\n", 5,
	  "set a second time, after line 2", NULL },
	{ "[network]\nmode = none\nmode : none\n", 3, "set a second time", NULL },
	{ "[network]\n" LONG_COMMENT "12\n", 2, "a line of 200 bytes, more than 199",
	  "continuation" },
	{ "[network]\n" LONG_COMMENT "12mode = host\n", 2, "a line of 211 bytes", NULL },
	{ "[filesystem]\nhidden = /" FIFTY FIFTY FIFTY TEN TEN TEN TEN "\n", 2,
	  "a line of 200 bytes",
	  NULL },
	{ "[filesystem]\nhidden = /a\n   /" FIFTY FIFTY FIFTY FIFTY "\n", 3, "a line of 204 bytes",
	  NULL },
	{ "[filesystem]\nhidden = /a\r/b\n", 2, "the control character 0x0d", "plain text" },
	{ "[filesystem]\rhidden = /a\r", 1, "the control character 0x0d", NULL },
	{ "[filesystem]\nhidden = /a\033[2J\n", 2, "the control character 0x1b", NULL },
	{ "[filesystem]\n# eight or more \x7f of them\n", 2, "the control character 0x7f", NULL },
	{ "[filesystem]\n# eight or more \x1f of them\n", 2, "the control character 0x1f", NULL },
	{ "[filesystem]\n# \x7f\n", 2, "the control character 0x7f", NULL },
	{ "[filesystem]\nhidden = /a\f/b\n", 2, "the control character 0x0c", NULL },
	{ "\n\xef\xbb\xbf[network]\n", 2, "a line before the first section", NULL },
	/* comments that are none */
	{ "[filesystem]\nhidden = /a # keys\n", 2, "` #` after a value", "` ;`" },
	{ "[filesystem]\nhidden = /a\n  /b\t# keys\n", 3, "` #` after a value", NULL },
	{ "[filesystem]\nhidden = # keys\n", 2, "` #` after a value", NULL },
	{ "[filesystem]\nhidden = /a\n  /b ; keys\n", 3, "a comment after a continued value",
	  "line of its own" },
	/* indentation */
	{ "  [network]\nmode = none\n", 1, "an indented line continues the value above it", NULL },
	{ " mode = none\n", 1, "an indented line", NULL },
	{ "[network]\n  mode = none\n", 2, "an indented line", "remove the space" },
	{ "[network]\nmode = none\n  [placement]\nhost = ask\n", 3, "an indented line", NULL },
	{ "[network]\nmode = none\n  host\n", 3, "network.mode takes one value",
	  "remove the space" },
	{ "[network]\nmode = none\n[filesystem]\n  hidden = /a\n", 4, "an indented line", NULL },
	{ "[filesystem]\nhidden = /a\n  writable = /b\n", 3, "continues the value of `hidden`",
	  "remove the space" },
	{ "[environment]\nset = A=1\n\tallow=B\n", 3, "continues the value of `set`", NULL },
	{ "[filesystem]\nhidden = /a\n\twritable: /b\n", 3, "continues the value of `hidden`",
	  NULL },
	{ "[arm:x]\nlist = a\n  other = b\n", 3, "continues the value of `list`", NULL },
	{ "\xef\xbb\xbf  [network]\n", 1, "an indented line", NULL },
};

static void what_could_be_misread_is_refused_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refusals); i++) {
		const struct refusal *refusal = &refusals[i];
		place_write("user.conf", refusal->text);
		place_refuses("user.conf", refusal->line, refusal->what, refusal->recovery);
	}
}

static void the_same_holds_for_every_kind_of_file(void **state)
{
	(void)state;
	static const char *const files[] = {
		"vendor/presets/default.conf", "vendor/a.conf", "site/pinfold.conf",
		"site/conf.d/a.conf", "user.conf",
	};
	for (size_t i = 0; i < N_ELEMENTS(files); i++) {
		place_write(files[i], "[network]\nmode = hots\n");
		place_refuses(files[i], 2, "network.mode: there is no `hots`", "`host`");
		place_write(files[i], "");
	}
}

static void a_nul_byte_is_refused_wherever_it_is(void **state)
{
	(void)state;
	static const char text[] = "[network]\nmode = none\n# end\n";
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		char broken[sizeof(text)];
		memcpy(broken, text, sizeof(text));
		if (broken[i] == '\n')
			continue;
		broken[i] = '\0';
		place_write_bytes("user.conf", broken, sizeof(text) - 1);
		place_refuses("user.conf", i < 10 ? 1 : i < 22 ? 2 : 3,
			      "the control character 0x00", NULL);
	}
}

static void nothing_is_used_of_a_file_with_an_error_further_down(void **state)
{
	(void)state;
	place_write("user.conf",
		    "[filesystem]\nwritable = /\n[network]\nmode = host\nmoed = host\n");
	place_refuses("user.conf", 5, "there is no key `moed`", NULL);
}

/* Files that mean the same as "[filesystem] hidden = /a, /b". */
static const char *const readable[] = {
	"[filesystem]\nhidden = /a, /b",
	"[filesystem]\r\nhidden = /a, /b\r\n",
	"[filesystem]\r\nhidden = /a\r\n\t/b\r\n",
	"\xef\xbb\xbf[filesystem]\nhidden = /a, /b\n",
	"\xef\xbb\xbf# a comment\n[filesystem]\nhidden: /a, /b\n",
	"[filesystem] ; paths\nhidden=/a,/b ; # both\n",
	"[filesystem]\t# paths\n  # indented comment\n\n \t\nhidden = /a\n  ; another\n   /b\n",
	"[filesystem]\n" LONG_COMMENT "1\nhidden = /a, /b\n",
	"[filesystem]\nhidden = /a\n[network]\nmode = none\n[filesystem]\nhidden = /b\n",
	"[filesystem]\nhidden = /a,\n  /b,\n",
	"[filesystem]\nhidden =\n  /a\n  /b\n",
	"[filesystem]\nhidden = /a\n\t/b   \n   \n",
};

static void what_means_one_thing_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(readable); i++) {
		place_write("user.conf", readable[i]);
		struct config *config = place_expect(NULL);
		assert_string_equal(place_list(config, "filesystem", "hidden"), "/a|/b");
		config_free(config);
	}
	place_write("user.conf", "");
	config_free(place_expect(NULL));
}

static void a_line_of_199_bytes_keeps_its_last_byte(void **state)
{
	(void)state;
	place_write("user.conf",
		    "[filesystem]\nhidden = /" FIFTY FIFTY FIFTY TEN TEN TEN "012345678\r\n"
				 "  /z");
	struct config *config = place_expect(NULL);
	assert_string_equal(place_list(config, "filesystem", "hidden"),
			    "/" FIFTY FIFTY FIFTY TEN TEN TEN "012345678|/z");
	config_free(config);
}

static void a_section_name_of_49_letters_is_whole(void **state)
{
	(void)state;
	place_write("user.conf", "[arm:a" TEN TEN TEN TEN "0123]\nkey = value\n");
	struct config *config = place_expect(NULL);
	struct config_entry entry = config_entry_at(config, config_entry_count(config) - 1);
	assert_string_equal(entry.section, "arm:a" TEN TEN TEN TEN "0123");
	assert_string_equal(entry.key, "key");
	config_free(config);
}

static void a_continued_item_that_only_resembles_a_key_is_an_item(void **state)
{
	(void)state;
	place_write("user.conf",
		    "[environment]\nset = A=1\n  drip=2\n  " FIFTY TEN "=3\n  drop\\,=4\n");
	struct config *config = place_expect(NULL);
	assert_string_equal(place_list(config, "environment", "set"),
			    "A=1|drip=2|" FIFTY TEN "=3|drop,=4");
	config_free(config);
}

static void a_file_past_a_megabyte_is_refused(void **state)
{
	(void)state;
	size_t bytes = (1 << 20) + 1;
	char *text = malloc(bytes);
	assert_non_null(text);
	memset(text, '\n', bytes);
	place_write_bytes("user.conf", text, bytes);
	place_refuses("user.conf", 0, "File too large", NULL);
	place_write_bytes("user.conf", text, bytes - 1);
	config_free(place_expect(NULL));
	free(text);
}

static const struct {
	const char *setting, *what, *recovery;
} bad_settings[] = {
	{ "network.mode", "`network.mode` names no key", "SECTION.KEY=VALUE" },
	{ "mode=none", "`mode=none` names no key", "SECTION.KEY=VALUE" },
	{ "", "`` names no key", NULL },
	{ "=x.y", "`=x.y` names no key", NULL },
	{ ".mode=none", "there is no section []", NULL },
	{ "network.=none", "there is no key `` in [network]", NULL },
	{ "netwrok.mode=none", "there is no section [netwrok]", "`network`" },
	{ "network.moed=none", "there is no key `moed` in [network]", "`mode`" },
	{ "arm:x.y.z=1", "there is no section [arm:x.y]", NULL },
	{ "filesystem.hidden=/a\n/b", "filesystem.hidden: the control character 0x0a", NULL },
	{ "filesystem.hidden=/a\x1b", "the control character 0x1b", NULL },
	{ "pinfold.plugin-directories=/x", "can be set by vendor and site files only",
	  "administrator" },
	{ "pinfold.final=network.mode", "can be set by vendor and site files only", NULL },
	{ "arm:x.plugin=y", "arm:x.plugin can be set by vendor and site files only", NULL },
};

static void a_setting_of_the_command_line_is_checked_like_a_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(bad_settings); i++)
		place_refuses_settings(SETTINGS("limits.nice=1", bad_settings[i].setting), "--set",
				       2,
				       bad_settings[i].what, bad_settings[i].recovery);
}

static void a_setting_of_the_command_line_knows_no_comments_and_no_limit(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add(&text, " filesystem.hidden = /a ;b, /c #d, /");
	for (int i = 0; i < 20; i++)
		text_add(&text, FIFTY);
	char *setting = text_take(&text);
	struct config *config = place_expect(SETTINGS(setting, "network.mode=host",
						      "network.mode=none"));
	assert_int_equal(config_list(config, "filesystem", "hidden")->count, 3);
	assert_string_equal(config_list(config, "filesystem", "hidden")->items[0], "/a ;b");
	assert_string_equal(config_list(config, "filesystem", "hidden")->items[1], "/c #d");
	assert_int_equal(strlen(config_list(config, "filesystem", "hidden")->items[2]), 1001);
	assert_string_equal(config_text(config, "network", "mode"), "none");
	config_free(config);
	free(setting);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(what_could_be_misread_is_refused_with_its_line),
		TEST(the_same_holds_for_every_kind_of_file),
		TEST(a_nul_byte_is_refused_wherever_it_is),
		TEST(nothing_is_used_of_a_file_with_an_error_further_down),
		TEST(what_means_one_thing_is_read),
		TEST(a_line_of_199_bytes_keeps_its_last_byte),
		TEST(a_section_name_of_49_letters_is_whole),
		TEST(a_continued_item_that_only_resembles_a_key_is_an_item),
		TEST(a_file_past_a_megabyte_is_refused),
		TEST(a_setting_of_the_command_line_is_checked_like_a_line),
		TEST(a_setting_of_the_command_line_knows_no_comments_and_no_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
