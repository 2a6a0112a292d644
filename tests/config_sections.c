/* tests/config_sections.c - keys of a plugin's section: kept, and checked when its list is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY(type_, name_, words_)                                              \
	{ sizeof(struct pinfold_key), PINFOLD_KEY_##type_, name_, NULL, words_, "help" }

static const struct pinfold_key keys[] = {
	KEY(TEXT, "text", NULL),   KEY(FLAG, "flag", NULL), KEY(NUMBER, "number", NULL),
	KEY(PATH, "path", NULL),   KEY(LIST, "list", NULL), KEY(WORD, "word", "low high"),
	{ sizeof(struct pinfold_key), 0, NULL, NULL, NULL, NULL },
};

static void assert_value(const struct config *config, const char *key, const char *value)
{
	assert_string_equal(config_section_value(config, "arm:x", key), value);
}

static void each_type_of_value_is_read_as_the_plugin_names_it(void **state)
{
	(void)state;
	place_write("user.conf", "[arm:x]\n"
				 "text = one, two  three\n"
				 "flag = yes\n"
				 "number = 12\n"
				 "path = ~/x\n"
				 "list = a, b\\,c\n"
				 "  d\n"
				 "list = e\n"
				 "word = high\n"
				 "[arm:y]\n"
				 "anything = at all\n");
	struct config *config = place_expect(NULL);
	assert_int_equal(config_check_section(config, "arm:x", keys, NULL), 0);
	assert_value(config, "text", "one, two  three");
	assert_value(config, "flag", "yes");
	assert_value(config, "number", "12");
	assert_value(config, "path", place_path("home/x"));
	assert_value(config, "list", "a\nb,c\nd\ne");
	assert_value(config, "word", "high");
	assert_null(config_section_value(config, "arm:x", "other"));
	assert_null(config_section_value(config, "view:x", "text"));
	assert_int_equal(config_check_section(config, "arm:none", keys, NULL), 0);
	config_free(config);
}

static const struct {
	const char *lines, *what, *recovery;
	unsigned line;
} refusals[] = {
	{ "txet = 1", "there is no key `txet` in [arm:x]", "`text`", 2 },
	{ "zzzzzzzz = 1", "there is no key `zzzzzzzz` in [arm:x]", "manual", 2 },
	{ "flag = maybe", "arm:x.flag: there is no `maybe`", "no yes", 2 },
	{ "flag =", "arm:x.flag: there is no ``", NULL, 2 },
	{ "number = -1", "arm:x.number: `-1` is not a number", NULL, 2 },
	{ "path = x", "arm:x.path: `x` is not an absolute path", NULL, 2 },
	{ "word = hihg", "arm:x.word: there is no `hihg`", "`high`", 2 },
	{ "text = 1\ntext = 2", "arm:x.text takes one value and has 2", "keep one", 2 },
	{ "list = 1\nword = low\n  high", "arm:x.word takes one value and has 2", NULL, 3 },
};

static void a_plugins_key_that_does_not_fit_is_refused_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refusals); i++) {
		char text[128], start[512];
		struct pinfold_error err = { 0 };
		snprintf(text, sizeof(text), "[arm:x]\n%s\n", refusals[i].lines);
		place_write("user.conf", text);
		struct config *config = place_expect(NULL);
		assert_int_equal(config_check_section(config, "arm:x", keys, &err), -1);
		snprintf(start, sizeof(start), "%s:%u: %s", place_path("user.conf"),
			 refusals[i].line,
			 refusals[i].what);
		assert_string_equal(err.subject, start);
		assert_int_equal(err.code, PINFOLD_E_CONFIG);
		if (refusals[i].recovery)
			assert_non_null(strstr(err.recovery, refusals[i].recovery));
		assert_int_equal(config_check_section(config, "arm:x", keys, NULL), -1);
		config_free(config);
	}
}

static void a_plugin_without_keys_accepts_none(void **state)
{
	(void)state;
	struct config *config = place_expect(SETTINGS("arm:x.key=1"));
	assert_int_equal(config_check_section(config, "arm:x", NULL, NULL), -1);
	config_free(config);
	config = place_expect(NULL);
	assert_int_equal(config_check_section(config, "arm:x", NULL, NULL), 0);
	config_free(config);
}

/* A key as a later plugin knows it. */
struct larger_key {
	struct pinfold_key known;
	const char *unknown;
};

static void keys_of_a_later_plugin_are_found_by_their_size(void **state)
{
	(void)state;
	static const struct larger_key larger[] = {
		{ { sizeof(struct larger_key), PINFOLD_KEY_TEXT, "a", NULL, NULL, "a" }, "more" },
		{ { sizeof(struct larger_key), 99, "b", NULL, NULL, "b" }, "more" },
		{ { 0 }, NULL },
	};
	struct config *config = place_expect(SETTINGS("arm:x.b=1"));
	assert_int_equal(config_check_section(config, "arm:x", &larger[0].known, NULL), 0);
	assert_value(config, "b", "1");
	config_free(config);
	config = place_expect(SETTINGS("arm:x.c=1"));
	assert_int_equal(config_check_section(config, "arm:x", &larger[0].known, NULL), -1);
	config_free(config);
}

static void the_hosts_own_key_is_for_vendor_and_site_and_no_plugins_affair(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[arm:x]\nplugin = module-y\n");
	struct config *config = place_expect(NULL);
	assert_value(config, "plugin", "module-y");
	assert_int_equal(config_check_section(config, "arm:x", keys, NULL), 0);
	assert_value(config, "plugin", "module-y");
	config_free(config);
	place_write("site/pinfold.conf", "[arm:x]\nplugin = ../module-y\n");
	place_refuses("site/pinfold.conf", 2, "arm:x.plugin: `../module-y` is not a name", NULL);
	place_write("site/pinfold.conf", "[arm:x]\nplugin = a\nplugin = b\n");
	place_refuses("site/pinfold.conf", 3, "arm:x.plugin is set a second time, after line 2",
		      NULL);
	place_write("site/pinfold.conf", "");
	place_write("user.conf", "[view:x]\nplugin = module-y\n");
	place_refuses("user.conf", 2, "view:x.plugin can be set by vendor and site files only",
		      NULL);
}

static void a_later_layer_replaces_a_plugins_key_and_entries_show_it(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[arm:x]\ntext = site\nlist = a\n  b\n");
	place_write("user.conf", "[wrapper:w]\nk = v\n[arm:x]\nlist = c\n");
	struct config *config = place_expect(NULL);
	static const struct {
		const char *section, *key, *value, *file;
		unsigned line;
	} expected[] = {
		{ "arm:x", "text", "site", "site/pinfold.conf", 2 },
		{ "arm:x", "list", "c", "user.conf", 4 },
		{ "wrapper:w", "k", "v", "user.conf", 2 },
	};
	size_t first = config_entry_count(config) - N_ELEMENTS(expected);
	for (size_t i = 0; i < N_ELEMENTS(expected); i++) {
		struct config_entry entry = config_entry_at(config, first + i);
		assert_string_equal(entry.section, expected[i].section);
		assert_string_equal(entry.key, expected[i].key);
		assert_string_equal(entry.value, expected[i].value);
		assert_string_equal(entry.file, place_path(expected[i].file));
		assert_int_equal(entry.line, expected[i].line);
	}
	config_free(config);
}

static void asking_before_checking_aborts(void **state)
{
	(void)state;
	struct config *config = place_expect(SETTINGS("arm:x.text=1"));
	pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		config_section_value(config, "arm:x", "text");
		_exit(0);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	config_free(config);
}

struct race {
	const struct config *config;
	pthread_barrier_t start;
};

enum { RACERS = 4, RACED_KEYS = 24, RACES = 40 };

static void *check_at_once(void *context)
{
	struct race *race = context;
	void *wrong = NULL;
	pthread_barrier_wait(&race->start);
	for (int i = 0; i < RACED_KEYS; i++) {
		char section[24];
		snprintf(section, sizeof(section), "arm:x%d", i);
		if (config_check_section(race->config, section, keys, NULL) < 0 ||
		    !streq(config_section_value(race->config, section, "list"), "aaaa\nbbbb\ncccc"))
			wrong = race;
	}
	return wrong;
}

static void threads_may_check_the_same_sections_at_once(void **state)
{
	(void)state;
	struct text text = { 0 };
	for (int i = 0; i < RACED_KEYS; i++)
		text_addf(&text, "[arm:x%d]\nlist = aaaa, bbbb\n  cccc\n", i);
	char *file = text_take(&text);
	place_write("user.conf", file);
	free(file);
	for (int round = 0; round < RACES; round++) {
		struct config *config = place_expect(NULL);
		struct race race = { .config = config };
		pthread_t threads[RACERS];
		pthread_barrier_init(&race.start, NULL, RACERS);
		for (size_t i = 0; i < RACERS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, check_at_once, &race), 0);
		for (size_t i = 0; i < RACERS; i++) {
			void *wrong = NULL;
			pthread_join(threads[i], &wrong);
			assert_null(wrong);
		}
		pthread_barrier_destroy(&race.start);
		config_free(config);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(each_type_of_value_is_read_as_the_plugin_names_it),
		TEST(a_plugins_key_that_does_not_fit_is_refused_with_its_line),
		TEST(a_plugin_without_keys_accepts_none),
		TEST(keys_of_a_later_plugin_are_found_by_their_size),
		TEST(the_hosts_own_key_is_for_vendor_and_site_and_no_plugins_affair),
		TEST(a_later_layer_replaces_a_plugins_key_and_entries_show_it),
		TEST(asking_before_checking_aborts),
		TEST(threads_may_check_the_same_sections_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
