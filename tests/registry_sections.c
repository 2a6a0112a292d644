/* tests/registry_sections.c - a section that no module has is refused, and costs no loading else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"
#include "registry/registry.h"

#include <stdio.h>
#include <unistd.h>

/* 0 or -1 as registry_check_sections; *ret_loaded counts the modules that were loaded for it. */
static int check(const char *text, size_t *ret_loaded, struct pinfold_error *err)
{
	const struct registry_services services = { 0 };
	struct registry *registry = NULL;
	place_write("site/pinfold.conf", text);
	struct config *config = place_expect(NULL);
	assert_int_equal(registry_new(config, &services, &registry, err), 0);
	int result = registry_check_sections(registry, err);
	*ret_loaded = 0;
	for (size_t i = 0; i < registry_count(registry); i++)
		*ret_loaded += registry_module(registry, i)->state == MODULE_LOADED;
	registry_free(registry);
	config_free(config);
	return result;
}

static void a_section_named_like_a_module_or_naming_one_loads_nothing(void **state)
{
	(void)state;
	size_t loaded;
	assert_int_equal(check("", &loaded, NULL), 0);
	assert_int_equal(loaded, 0);
	assert_int_equal(check("[arm:namespaces]\nanything = 1\n[arm:seatbelt]\nx = 1\n"
			       "[view:other]\nplugin = copytree\n[wrapper:x]\nplugin = jobobject\n",
			       &loaded, NULL), 0);
	assert_int_equal(loaded, 0);
}

static void a_part_with_another_name_is_found_in_its_module(void **state)
{
	(void)state;
	size_t loaded;
	assert_int_equal(check("[view:copy]\nx = 1\n", &loaded, NULL), 0);
	assert_true(loaded > 0);
}

static void a_section_that_no_module_has_is_refused_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text, *what, *recovery;
	} cases[] = {
		{ "\n[arm:namespace]\nwrapper = /usr/bin/bwrap\n",
		  "the section [arm:namespace] is no module's: there is no arm `namespace`",
		  "write `namespaces`" },
		{ "\n[view:coppy]\nx = 1\n", "there is no view `coppy`", "write `copy`" },
		{ "\n[wrapper:zzzzzzzzzz]\nx = 1\n", "there is no key `x` in [wrapper:zzzzzzzzzz]", NULL },
		{ "[arm:namespaces]\n[view:zzzzzzzz]\nplugin = zzzzzzzz\n", "there is no view", NULL },
	};
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct pinfold_error err = { 0 };
		size_t loaded;
		char start[512];
		assert_int_equal(check(cases[i].text, &loaded, &err), -1);
		snprintf(start, sizeof(start), "%s:3: ", place_path("site/pinfold.conf"));
		assert_int_equal(err.code, PINFOLD_E_CONFIG);
		assert_true(starts_with(err.subject, start));
		assert_non_null(strstr(err.subject, cases[i].what));
		if (cases[i].recovery)
			assert_non_null(strstr(err.recovery, cases[i].recovery));
	}
}

static void a_module_that_is_there_and_refused_leaves_the_question_open(void **state)
{
	(void)state;
	char text[1024];
	size_t loaded;
	place_write("modules/broken.so", "no object\n");
	snprintf(text, sizeof(text),
		 "[pinfold]\nplugins = copytree, broken\nplugin-directories = %s\n[arm:x]\ny = 1\n",
		 place_path("modules"));
	assert_int_equal(check(text, &loaded, NULL), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_section_named_like_a_module_or_naming_one_loads_nothing),
		TEST(a_part_with_another_name_is_found_in_its_module),
		TEST(a_section_that_no_module_has_is_refused_with_its_line),
		TEST(a_module_that_is_there_and_refused_leaves_the_question_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
