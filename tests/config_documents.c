/* tests/config_documents.c - the table of keys, pinfold.conf, its manual and the presets agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "config/keys.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *read_source(const char *name)
{
	char path[1024], *data = NULL;
	size_t bytes = 0;
	snprintf(path, sizeof(path), "%s/%s", TEST_SOURCE, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fd_read_all(fd, 1 << 20, &data, &bytes), 0);
	close(fd);
	return data;
}

/* A list of "section.key = value" as a document has them, in its order. */
static void add_key(struct list *list, const char *section, const char *name, const char *value)
{
	assert_int_equal(list_addf(list, "%s.%s = %s", section, name, value), 0);
}

static void assert_lists_agree(const struct list *found)
{
	auto_list struct list expected = { 0 };
	for (size_t i = 0; i < key_count; i++)
		add_key(&expected, key_table[i].section, key_table[i].name, key_table[i].initial);
	for (size_t i = 0; i < expected.count && i < found->count; i++)
		assert_string_equal(found->items[i], expected.items[i]);
	assert_int_equal(found->count, expected.count);
}

static void the_shipped_file_has_every_key_commented_with_its_help_and_value(void **state)
{
	(void)state;
	auto_free char *text = read_source("conf/pinfold.conf");
	auto_list struct list found = { 0 };
	char section[64] = "", help[256] = "", *rest = NULL;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char name[64], value[128] = "";
		if (sscanf(line, "[%63[^]]]", section) == 1)
			continue;
		assert_true(line[0] == '#');
		if (starts_with(line, "# ") && !starts_with(line, "# One of: "))
			snprintf(help, sizeof(help), "%s", line + 2);
		if (sscanf(line, "#%63[a-z-] = %127[^\n]", name, value) < 1 || line[1] == ' ')
			continue;
		add_key(&found, section, name, value);
		const struct key *key = key_find(section, name);
		assert_non_null(key);
		assert_string_equal(help, key->help);
	}
	assert_lists_agree(&found);
}

static void the_shipped_file_changes_nothing_and_with_every_key_uncommented_neither(void **state)
{
	(void)state;
	auto_free char *text = read_source("conf/pinfold.conf");
	for (int uncommented = 0; uncommented <= 1; uncommented++) {
		for (char *line = text; uncommented && line; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (line[0] == '#' && line[1] >= 'a' && line[1] <= 'z')
				line[0] = ' ';
		}
		/* An indented key would continue another: shift instead. */
		struct text shifted = { 0 };
		for (char *at = text; *at; at++)
			if (*at != ' ' || (at > text && at[-1] != '\n'))
				text_add_bytes(&shifted, at, 1);
		auto_free char *file = text_take(&shifted);
		place_write("vendor/pinfold.conf", file);
		struct config *config = place_expect(NULL);
		for (size_t i = 0; i < key_count; i++) {
			struct config_entry entry = config_entry_at(config, i);
			assert_string_equal(entry.value, key_table[i].initial);
			assert_int_equal(entry.file != NULL, uncommented);
		}
		config_free(config);
	}
}

static void the_manual_names_every_key_with_its_value(void **state)
{
	(void)state;
	auto_free char *text = read_source("conf/pinfold.conf.5");
	auto_list struct list found = { 0 };
	char section[64] = "", name[64] = "", *rest = NULL;
	bool expects_value = false, stated = true;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char value[128];
		sscanf(line, ".Ss [%63[^]]]\\&", section);
		if (starts_with(line, ".Ss [arm:NAME]"))
			break;
		if (sscanf(line, ".It Cm %63[a-z-] No =", name) == 1 && *section) {
			assert_true(stated);
			stated = false;
		}
		if (expects_value && sscanf(line, ".Ql %127[^\n]", value) == 1) {
			assert_true(ends_with(value, " ."));
			value[strlen(value) - 2] = '\0';
			add_key(&found, section, name, value);
			stated = true;
		}
		if (streq(line, "Default: empty.")) {
			add_key(&found, section, name, "");
			stated = true;
		}
		expects_value = streq(line, "Default:");
	}
	assert_lists_agree(&found);
}

static void the_manual_is_clean_mdoc(void **state)
{
	(void)state;
	char line[512];
	int complaints = 0;
	FILE *lint = popen("command -v mandoc >/dev/null || echo none; "
			   "mandoc -Tlint '" TEST_SOURCE "/conf/pinfold.conf.5' 2>&1", "re");
	assert_non_null(lint);
	while (fgets(line, sizeof(line), lint)) {
		if (streq(line, "none\n")) {
			pclose(lint);
			print_message("not tested: mandoc is missing\n");
			skip();
		}
		if (strstr(line, "referenced manual not found"))
			continue;	/* pinfold(1) need not be installed here */
		print_message("%s", line);
		complaints++;
	}
	pclose(lint);
	assert_int_equal(complaints, 0);
}

static void every_key_has_one_line_of_help_and_a_sound_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		assert_true(key_is_name(key->name) && key_is_name(key->section));
		assert_true(strlen(key->help) > 5 && strlen(key->help) < 90);
		assert_null(strchr(key->help, '\n'));
		assert_ptr_equal(key_find(key->section, key->name), key);
		assert_int_equal(key->type == KEY_WORD, key->words != NULL);
		assert_true(key->merge == MERGE_REPLACE || key->type == KEY_LIST);
	}
}

/* Copies conf/presets into the place, and returns their names. */
static void copy_presets(struct list *names)
{
	DIR *directory = opendir(TEST_SOURCE "/conf/presets");
	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		char from[512], to[512];
		if (!ends_with(entry->d_name, ".conf"))
			continue;
		snprintf(from, sizeof(from), "conf/presets/%s", entry->d_name);
		snprintf(to, sizeof(to), "vendor/presets/%s", entry->d_name);
		auto_free char *text = read_source(from);
		place_write(to, text);
		assert_int_equal(list_add(names, entry->d_name), 0);
	}
	closedir(directory);
}

static void every_shipped_preset_loads_and_is_installed(void **state)
{
	(void)state;
	auto_list struct list names = { 0 };
	auto_free char *rules = read_source("conf/conf.mk");
	copy_presets(&names);
	assert_true(list_has(&names, "default.conf") && list_has(&names, "small.conf"));
	for (size_t i = 0; i < names.count; i++) {
		char setting[128], installed[128];
		snprintf(installed, sizeof(installed), "conf/presets/%s", names.items[i]);
		assert_non_null(strstr(rules, installed));
		snprintf(setting, sizeof(setting), "pinfold.preset=%.*s",
			 (int)(strlen(names.items[i]) - strlen(".conf")), names.items[i]);
		config_free(place_expect(SETTINGS(setting)));
	}
}

static void the_built_in_directories_count_where_none_is_named(void **state)
{
	(void)state;
	const struct config_sources sources = { .settings = SETTINGS("pinfold.preset=small") };
	struct config *config = NULL;
	assert_int_equal(config_load(&sources, &config, NULL), 0);
	assert_int_equal(config_number(config, "copy", "max-depth"), 64);
	config_free(config);
}

static void the_small_preset_has_the_small_budget(void **state)
{
	(void)state;
	auto_list struct list names = { 0 };
	copy_presets(&names);
	struct config *config = place_expect(SETTINGS("pinfold.preset=default, small"));
	assert_int_equal(config_number(config, "copy", "max-files"), 100000);
	assert_int_equal(config_number(config, "copy", "max-bytes"), 256 << 20);
	assert_int_equal(config_number(config, "copy", "max-depth"), 64);
	assert_true(config_list(config, "filesystem", "hidden")->count > 3);
	config_free(config);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_shipped_file_has_every_key_commented_with_its_help_and_value),
		TEST(the_shipped_file_changes_nothing_and_with_every_key_uncommented_neither),
		TEST(the_manual_names_every_key_with_its_value),
		TEST(the_manual_is_clean_mdoc),
		TEST(every_key_has_one_line_of_help_and_a_sound_row),
		TEST(every_shipped_preset_loads_and_is_installed),
		TEST(the_built_in_directories_count_where_none_is_named),
		TEST(the_small_preset_has_the_small_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
