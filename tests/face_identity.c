/* tests/face_identity.c - paths of a policy that lie in the tree, for an arm that works in the copy's place. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/places.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char modules[PATH_MAX];
static char heard[1 << 16];

/* This program's own: a module that tells, beside the one with the view of copies. */
const char *places_plugins(void)
{
	return modules;
}

const char *places_vendor(void)
{
	return TEST_BUILD "/tests/vendor";
}

const char *places_site(void)
{
	return "/nonexistent/pinfold";
}

const char *places_init(void)
{
	return TEST_BUILD "/pinfold-init";
}

static void hear(void *context, uint32_t level, const char *text)
{
	(void)context;
	(void)level;
	size_t length = strlen(heard);
	snprintf(heard + length, sizeof(heard) - length, "%s\n", text);
}

static int make_modules(void **state)
{
	char command[4 * PATH_MAX];
	if (face_place_make(state) < 0)
		return -1;
	snprintf(modules, sizeof(modules), "%.4000s/modules", face_place_home());
	umask(022);
	snprintf(command, sizeof(command), "mkdir '%s' && cp %s/tests/modules/copytree.so %s/tests/fakes/modules/tells-its-policy.so '%s'",
		 modules, TEST_BUILD, TEST_BUILD, modules);
	return system(command) == 0 && mkdir("secret", 0755) == 0 ? 0 : -1;
}

static void run_hiding(const char *view, const char *hidden, const char *further)
{
	static const char *const argv[] = { "true", NULL };
	char named[2 * PATH_MAX], viewed[64];
	snprintf(named, sizeof(named), "filesystem.hidden=%s, %s", hidden, further);
	snprintf(viewed, sizeof(viewed), "pinfold.view=%s", view);
	const char *const settings[] = {
		"pinfold.plugins=copytree, tells-its-policy", "pinfold.arm=tells-its-policy", viewed, "network.mode=host",
		"pinfold.preset=", named, NULL,
	};
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings, .log = hear };
	const struct pinfold_command command = { .size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 } };
	struct pinfold *pinfold;
	struct pinfold_run *run = NULL;
	struct pinfold_error err = { 0 };
	uint32_t over;
	heard[0] = '\0';
	if (pinfold_new(&options, &pinfold, &err) < 0 || pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	pinfold_run_free(run);
	pinfold_free(pinfold);
}

static bool hides(const char *path)
{
	char line[PATH_MAX + 16];
	snprintf(line, sizeof(line), "hides %s ", path);
	return strstr(heard, line) != NULL;
}

static void a_path_in_the_tree_means_the_copy_for_an_arm_that_works_in_its_place(void **state)
{
	(void)state;
	char in_tree[PATH_MAX], in_copy[2 * PATH_MAX], copy[PATH_MAX], line[3 * PATH_MAX];
	struct stat about;
	snprintf(in_tree, sizeof(in_tree), "%.4000s/secret", face_place_tree());
	run_hiding("copy", in_tree, modules);
	assert_int_equal(sscanf(heard, "shows %4000s", copy), 1);
	assert_string_not_equal(copy, face_place_tree());
	snprintf(in_copy, sizeof(in_copy), "%s/secret", copy);
	assert_false(hides(in_tree));
	assert_int_equal(stat(in_copy, &about), 0);
	snprintf(line, sizeof(line), "hides %s %llu\n", in_copy, (unsigned long long)about.st_ino);
	assert_non_null(strstr(heard, line));
	assert_true(hides(modules));
	run_hiding("direct", in_tree, modules);
	assert_true(hides(in_tree));
	assert_true(hides(modules));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_in_the_tree_means_the_copy_for_an_arm_that_works_in_its_place),
	};
	return cmocka_run_group_tests(tests, make_modules, face_place_remove);
}
