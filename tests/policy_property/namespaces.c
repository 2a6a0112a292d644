/* tests/policy_property/namespaces.c - the arm namespaces lets a command do nothing that the model denies. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "namespaces_host.h"
#include "plugins/namespaces/trial.h"
#include "property.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct pinfold_shown show(const struct property_world *world)
{
	struct stat tree, copy, temporary;
	lstat(world->tree, &tree);
	lstat(world->copy, &copy);
	lstat(world->temporary, &temporary);
	return (struct pinfold_shown){
		.size = sizeof(struct pinfold_shown), .tree = world->tree, .tree_device = tree.st_dev,
		.tree_inode = tree.st_ino, .source = world->copy, .source_device = copy.st_dev,
		.source_inode = copy.st_ino, .temporary = world->temporary,
		.temporary_device = temporary.st_dev, .temporary_inode = temporary.st_ino,
		.directory = world->tree,
	};
}

static int run_prepared(struct test_host *host, struct pinfold_plan *plan, struct property_case *tried, char *why,
			size_t room)
{
	struct trial trial;
	if (plan->gap_count > 0)
		return 1;
	trial_run(&host->table, plan, property_try, tried, &trial);
	if (trial.step < TRIAL_INSIDE || trial.error != 0) {
		snprintf(why, room, "step %u: %s: %s", trial.step, trial.what ? trial.what : "", strerror(trial.error));
		return -1;
	}
	return 0;
}

static int run(const struct policy *policy, struct property_case *tried, char *why, size_t room)
{
	struct test_host host;
	struct pinfold_plan plan = { .size = sizeof(plan) };
	struct pinfold_error err = { 0 };
	struct pinfold_shown shown = show(tried->world);
	test_host_open(&host);
	int result = prepare_plan(&host.table, &policy->lowered, &shown, &plan, &err);
	if (result < 0)
		snprintf(why, room, "%s: %s", err.action, err.subject);
	else
		result = run_prepared(&host, &plan, tried, why, room);
	prepare_settle(&host.table, &plan, &err);
	prepare_release(&host.table, &plan);
	test_host_close(&host);
	return result;
}

static const char *const own[] = { "/proc", "/dev", "/tmp", "/var/tmp", "/run", NULL };
static const struct property_driver driver = { "namespaces", own, run };

static void nothing_that_the_model_denies_is_let_through_by_namespaces(void **state)
{
	(void)state;
	assert_int_equal(property_check(&driver, 16000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_the_model_denies_is_let_through_by_namespaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
