/* tests/wrappers_c.c - what could name a wrapper of a C or C++ compiler, and how it is taken away. */
#include "config.h"

#include "wrappers/variables.h"
#include "wrappers_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const *with(const char *entry)
{
	static const char *environment[3];
	environment[0] = "PATH=/usr/bin:/bin";
	environment[1] = entry;
	return environment;
}

static char *joined(const struct list *words)
{
	static char room[400];
	room[0] = '\0';
	for (size_t i = 0; i < words->count; i++)
		snprintf(room + strlen(room), sizeof(room) - strlen(room), "%s[%s]", i ? " " : "", words->items[i]);
	return room;
}

static void a_program_before_the_compiler_is_a_wrapper_and_an_option_after_it_is_not(void **state)
{
	(void)state;
	assert_false(place_look(&toolchain_c, with(NULL))->named);
	assert_false(place_look(&toolchain_c, with("CC=gcc"))->named);
	assert_false(place_look(&toolchain_c, with("CC=gcc -m32"))->named);
	assert_false(place_look(&toolchain_c, with("CC=clang-14 x"))->named);
	assert_false(place_look(&toolchain_cxx, with("CC=ccache gcc"))->named);
	const struct look *look = place_look(&toolchain_c, with("CC=ccache gcc -m32"));
	assert_true(look->named);
	assert_string_equal(look->candidates.items[0], "ccache");
	assert_string_equal(joined(&look->trials[0].with), "[ccache] [gcc] [-m32]");
	assert_string_equal(joined(&look->trials[0].without), "[gcc] [-m32]");
	/* A name that ends as a cross compiler's does. */
	look = place_look(&toolchain_c, with("CC=my-cc cc -m32"));
	assert_true(look->named);
	assert_string_equal(look->candidates.items[0], "my-cc");
	assert_string_equal(joined(&look->trials[0].without), "[cc] [-m32]");
	assert_false(place_look(&toolchain_c, with("CC=x86_64-linux-gnu-gcc -m32"))->named);
	look = place_look(&toolchain_cxx, with("CXX=\"/my tools/w\" distcc x86_64-linux-gnu-g++-12"));
	assert_string_equal(joined(&look->trials[0].with), "[/my tools/w] [distcc] [x86_64-linux-gnu-g++-12]");
	assert_string_equal(joined(&look->trials[0].without), "[x86_64-linux-gnu-g++-12]");
}

static void cmakes_launchers_are_words_between_semicolons(void **state)
{
	(void)state;
	assert_false(place_look(&toolchain_c, with("CMAKE_C_COMPILER_LAUNCHER="))->named);
	const struct look *look = place_look(&toolchain_c, with("CMAKE_C_COMPILER_LAUNCHER=w;--fast"));
	assert_string_equal(joined(&look->trials[0].with), "[w] [--fast] [cc]");
	assert_string_equal(joined(&look->trials[0].without), "[cc]");
	assert_true(place_look(&toolchain_cxx, with("CMAKE_CXX_COMPILER_LAUNCHER=w"))->named);
}

/* A directory of links as ccache has it, and one of a compiler's own links. */
static char masked_path[5100];
static void make_links(void)
{
	place_write("real/ccache", "#!/bin/sh\n", 0755);
	place_write("real/gcc-12", "#!/bin/sh\n", 0755);
	mkdir(place("links"), 0755);
	mkdir(place("honest"), 0755);
	(void)!symlink(place("real/ccache"), place("links/gcc"));
	(void)!symlink(place("real/gcc-12"), place("honest/gcc"));
	snprintf(masked_path, sizeof(masked_path), "PATH=%s:%s:%s", place("honest-none"), place("links"),
		 place("honest"));
}

static void a_link_with_a_compilers_name_to_another_program_is_a_wrapper(void **state)
{
	(void)state;
	make_links();
	const char *const environment[] = { masked_path, NULL };
	const struct look *look = place_look(&toolchain_c, environment);
	assert_true(look->named);
	assert_string_equal(look->candidates.items[0], place("real/ccache"));
	assert_string_equal(joined(&look->trials[0].with), "[gcc]");
	assert_string_equal(look->shadows.items[0], place("links"));
	char honest_first[5100];
	snprintf(honest_first, sizeof(honest_first), "PATH=%s:%s", place("honest"), place("links"));
	assert_false(place_look(&toolchain_c, (const char *const[]){ honest_first, NULL })->named);
	char by_path[5100];
	snprintf(by_path, sizeof(by_path), "CC=%s -O", place("links/gcc"));
	look = place_look(&toolchain_c, with(by_path));
	assert_true(look->named);
	assert_string_equal(joined(&look->trials[0].without), "[gcc] [-O]");
}

static void switching_off_leaves_the_compiler_and_nothing_before_it(void **state)
{
	(void)state;
	make_links();
	const char *const environment[] = { masked_path, "CC=ccache 'my gcc' -m32", "CXX=w g++",
					    "CMAKE_C_COMPILER_LAUNCHER=w", NULL };
	const struct look *look = place_look(&toolchain_c, environment);
	struct list variables = { 0 };
	for (size_t i = 0; environment[i]; i++)
		list_add(&variables, environment[i]);
	assert_int_equal(toolchain_c.switch_off(look, &variables), 0);
	assert_int_equal(variables.count, 4);
	const char *const *left = (const char *const *)variables.items;
	assert_string_equal(variables_value(left, "CC"), "'my gcc' -m32");
	assert_string_equal(variables_value(left, "CXX"), "w g++");
	assert_string_equal(variables_value(left, "CMAKE_C_COMPILER_LAUNCHER"), "");
	assert_null(strstr(variables_value(left, "PATH"), "links"));
	assert_non_null(strstr(variables_value(left, "PATH"), "honest"));
	list_release(&variables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_before_the_compiler_is_a_wrapper_and_an_option_after_it_is_not),
		cmocka_unit_test(cmakes_launchers_are_words_between_semicolons),
		cmocka_unit_test(a_link_with_a_compilers_name_to_another_program_is_a_wrapper),
		cmocka_unit_test(switching_off_leaves_the_compiler_and_nothing_before_it),
	};
	return cmocka_run_group_tests(tests, place_make, place_remove);
}
