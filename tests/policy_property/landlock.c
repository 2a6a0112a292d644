/* tests/policy_property/landlock.c - the arm landlock lets a command do nothing that the model denies, neither in the
 * copy nor in the tree beside it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/path.h"
#include "namespaces_host.h"
#include "plugins/landlock/landlock.h"
#include "property.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What of the copy lies aside, for it is hidden; and the policy as the arm is given it. */
struct lowered {
	const struct property_world *world;
	struct arena *arena;
	struct pinfold_policy policy;
	struct pinfold_path *paths;
	char moved[PROPERTY_THINGS][200];
	char aside[PROPERTY_THINGS][200];
	size_t count;
};

static void name_in_copy(const struct property_world *world, const char *path, char *room, size_t size)
{
	const char *rest = path_below(path, world->tree);
	if (snprintf(room, size, "%s%s%s", world->copy, *rest ? "/" : "", rest) >= (int)size)
		abort();
}

/* As the view does. */
static void leave_out(struct lowered *lowered, const char *copy)
{
	size_t i = lowered->count;
	snprintf(lowered->moved[i], sizeof(lowered->moved[i]), "%s", copy);
	snprintf(lowered->aside[i], sizeof(lowered->aside[i]), "%s/aside-%zu", lowered->world->scratch, i);
	if (rename(lowered->moved[i], lowered->aside[i]) == 0)
		lowered->count++;
}

/* As the core does for an arm that shows the copy at its own place. 0: it goes. */
static bool move_into_copy(struct lowered *lowered, struct pinfold_path *path)
{
	struct stat status = { 0 };
	char copy[200];
	name_in_copy(lowered->world, path->path, copy, sizeof(copy));
	bool names_only = path->match == PINFOLD_MATCH_LITERAL && S_ISDIR(path->mode);
	if (path->kind == PINFOLD_PATH_HIDE && !names_only)
		leave_out(lowered, copy);
	bool there = lstat(copy, &status) == 0 || path->kind == PINFOLD_PATH_PROTECT;
	if (there) {
		path->path = arena_copy(lowered->arena, copy);
		path->device = status.st_dev;
		path->inode = status.st_ino;
	}
	return there || path->kind == PINFOLD_PATH_HIDE;
}

static void lower(struct lowered *lowered, const struct pinfold_policy *policy)
{
	size_t kept = 0;
	lowered->policy = *policy;
	lowered->paths = calloc(policy->path_count + 1, sizeof(*lowered->paths));
	for (size_t i = 0; i < policy->path_count; i++) {
		lowered->paths[kept] = policy->paths[i];
		if (!path_is_within(policy->paths[i].path, lowered->world->tree) ||
		    move_into_copy(lowered, &lowered->paths[kept]))
			kept++;
	}
	lowered->policy.paths = lowered->paths;
	lowered->policy.path_count = kept;
}

static void put_back(struct lowered *lowered)
{
	while (lowered->count-- > 0)
		if (rename(lowered->aside[lowered->count], lowered->moved[lowered->count]) < 0)
			abort();
	free(lowered->paths);
}

static struct pinfold_shown show(const struct property_world *world)
{
	struct stat copy, temporary;
	lstat(world->copy, &copy);
	lstat(world->temporary, &temporary);
	return (struct pinfold_shown){
		.size = sizeof(struct pinfold_shown), .tree = world->tree, .directory = world->tree,
		.source = world->copy, .source_device = copy.st_dev, .source_inode = copy.st_ino,
		.temporary = world->temporary, .temporary_device = temporary.st_dev,
		.temporary_inode = temporary.st_ino,
	};
}

/* First in the copy, then in the tree itself: where that is read, it counts as if the copy were; and nothing may be
 * written there, whatever the model says of the working tree. */
static int try_both(struct property_case *tried)
{
	static struct property_world moved;
	const struct property_world *world = tried->world;
	static uint8_t seen[PROPERTY_THINGS][MODEL_OPERATIONS];
	moved = *world;
	for (size_t i = 0; i < world->count; i++)
		if (world->things[i].in_tree)
			name_in_copy(world, world->things[i].path, moved.things[i].path, sizeof(moved.things[i].path));
	property_try(tried);
	memcpy(seen, tried->outcomes, sizeof(seen));
	tried->world = &moved;
	property_try(tried);
	tried->world = world;
	for (size_t i = 0; i < world->count; i++) {
		const uint8_t *at = seen[i];
		if (!world->things[i].in_tree)
			continue;
		if (at[MODEL_WRITE] == OUTCOME_ALLOWED || at[MODEL_REPLACE] == OUTCOME_ALLOWED)
			return 3;
		if (at[MODEL_READ] == OUTCOME_ALLOWED)
			tried->outcomes[i][MODEL_READ] = OUTCOME_ALLOWED;
		if (at[MODEL_EXECUTE] == OUTCOME_ALLOWED)
			tried->outcomes[i][MODEL_EXECUTE] = OUTCOME_ALLOWED;
	}
	return 0;
}

static void inside(const struct pinfold_plan *plan, struct property_case *tried)
{
	if (stage_enter(plan, PINFOLD_STAGE_APPLY) < 0 || stage_enter(plan, PINFOLD_STAGE_VERIFY) < 0)
		_exit(2);
	_exit(try_both(tried));
}

static int run_prepared(const struct pinfold_plan *plan, struct property_case *tried, char *why, size_t room)
{
	static const char *const words[] = { "", "it ended early", "it could not be confined", "something in the tree was written" };
	int status = 0;
	if (plan->gap_count > 0)
		return 1;
	pid_t child = fork();
	if (child == 0)
		inside(plan, tried);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	snprintf(why, room, "%s: %s", words[WIFEXITED(status) && WEXITSTATUS(status) < 4 ? WEXITSTATUS(status) : 1],
		 *plan->failed ? *plan->failed : "");
	return -1;
}

static int run(const struct policy *policy, struct property_case *tried, char *why, size_t room)
{
	struct test_host host;
	struct pinfold_plan plan = { .size = sizeof(plan) };
	struct pinfold_error err = { 0 };
	struct pinfold_shown shown = show(tried->world);
	struct lowered lowered = { .world = tried->world };
	test_host_open(&host);
	lowered.arena = host.arena;
	lower(&lowered, &policy->lowered);
	int result = prepare_plan(&host.table, &lowered.policy, &shown, &plan, &err);
	if (result < 0)
		snprintf(why, room, "%s: %s", err.action, err.subject);
	else
		result = run_prepared(&plan, tried, why, room);
	prepare_release(&host.table, &plan);
	put_back(&lowered);
	test_host_close(&host);
	return result;
}

static const char *const own[] = { "/proc", "/dev", NULL };
static const struct property_driver driver = { "landlock", own, run };

static void nothing_that_the_model_denies_is_let_through_by_landlock(void **state)
{
	(void)state;
	struct test_host host;
	test_host_open(&host);
	int abi = wall_abi(&host.table);
	test_host_close(&host);
	if (abi < 1) {
		print_message("the kernel has no Landlock\n");
		skip();
	}
	assert_int_equal(property_check(&driver, 8000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_the_model_denies_is_let_through_by_landlock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
