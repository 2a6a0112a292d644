/* tests/namespaces_layers.c - private layers over what is layered, also where everything lies on an overlay
 * and mounts are told to others, as in a container. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "namespaces_world.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *root;	/* where worlds are made */

static int open_world(void **state)
{
	(void)state;
	world_open(&world, root);
	return 0;
}

static long use_layer(void *unused)
{
	const char *layered = world.paths[2].path;
	(void)unused;
	if (!world_reads(world_path(&world, layered, "old"), "old"))
		return -1;
	if (world_create(world_path(&world, layered, "new")) < 0)
		return -2;
	if (unlink(world_path(&world, layered, "old")) < 0)
		return -3;
	return world_reads(world_path(&world, layered, "inner/deep"), "deep") ? 0 : -4;
}

static const char *make_layered(void)
{
	const char *layered = world_path(&world, world.base, "layered");
	assert_int_equal(mkdir(layered, 0700), 0);
	assert_int_equal(mkdir(world_path(&world, layered, "inner"), 0700), 0);
	world_write(world_path(&world, layered, "old"), "old");
	world_write(world_path(&world, layered, "inner/deep"), "deep");
	return layered;
}

static void assert_layer_ends(void)
{
	const char *layered = make_layered();
	world_name(&world, PINFOLD_PATH_LAYER, layered);
	assert_int_equal(world_inside(&world, use_layer), 0);
	assert_null(world.host.said);
	assert_true(world_reads(world_path(&world, layered, "old"), "old"));
	assert_false(world_exists(world_path(&world, layered, "new")));
}

static void writes_into_a_layered_path_end_with_the_run(void **state)
{
	(void)state;
	assert_layer_ends();
	assert_false(world_exists(world_path(&world, world.temporary, "layers")));
}

/* Two of one home are parts of one layer: what is hidden in one stays so, the rest of the home is as ever. */
static long use_two_layers(void *unused)
{
	const char *second = world.paths[3].path;
	if (use_layer(unused) < 0)
		return use_layer(unused) - 100;
	if (world_create(world_path(&world, second, "new")) < 0)
		return -10;
	if (!world_reads(world_path(&world, second, "token"), ""))
		return -11;
	if (world_create(world_path(&world, world.base, "new")) != -EROFS)
		return -12;
	if (world_create(world.secrets) != -EEXIST || world_exists(world_path(&world, world.secrets, "inner")))
		return -13;
	return 0;
}

static void layers_in_one_home_end_with_the_run_as_one(void **state)
{
	(void)state;
	const char *second = world_path(&world, world.base, "second");
	const char *first = make_layered();
	world_name(&world, PINFOLD_PATH_LAYER, first);
	assert_int_equal(mkdir(second, 0700), 0);
	world_write(world_path(&world, second, "token"), "secret");
	world_name(&world, PINFOLD_PATH_LAYER, second);
	world_name(&world, PINFOLD_PATH_HIDE, world_path(&world, second, "token"));
	world.policy.home = world.base;
	assert_int_equal(world_inside(&world, use_two_layers), 0);
	assert_non_null(((struct state *)world.plan.state)->shared);
	assert_true(world_reads(world_path(&world, first, "old"), "old"));
	assert_false(world_exists(world_path(&world, second, "new")));
	assert_false(world_exists(world_path(&world, world.base, "new")));
}

static void what_is_known_of_layers_is_forgotten_with_a_run_that_failed(void **state)
{
	(void)state;
	world_name(&world, PINFOLD_PATH_LAYER, make_layered());
	assert_int_equal(world_inside(&world, use_layer), 0);
	assert_int_not_equal(upper_recall(&world.host.table, &world.policy, &world.shown).known, 0);
	((struct state *)world.plan.state)->failed = "lay a private layer";
	assert_int_equal(prepare_settle(&world.host.table, &world.plan, &world.err), 0);
	assert_int_equal(upper_recall(&world.host.table, &world.policy, &world.shown).known, 0);
}

static void layers_on_disk_leave_nothing_that_their_owner_cannot_remove(void **state)
{
	(void)state;
	world.host.settings[0] = "layers";
	world.host.settings[1] = "disk";
	assert_layer_ends();
	assert_true(world_exists(world_path(&world, world.temporary, "layers")));
}	/* closing the world removes it */

static void layers_are_in_memory_on_an_overlay_even_when_disk_is_asked_for(void **state)
{
	(void)state;
	world.host.settings[0] = "layers";
	world.host.settings[1] = "disk";
	assert_layer_ends();
	assert_false(world_exists(world_path(&world, world.temporary, "layers")));
}

static long use_layer_and_no_other(void *unused)
{
	if (open(world.file, O_WRONLY) >= 0 || errno != EROFS)
		return -100;
	return use_layer(unused);
}

static void a_path_that_cannot_be_layered_is_told_and_the_others_are_laid(void **state)
{
	(void)state;
	world_name(&world, PINFOLD_PATH_LAYER, make_layered());
	world_name(&world, PINFOLD_PATH_LAYER, world.file);	/* only directories can be */
	assert_int_equal(world_inside(&world, use_layer_and_no_other), 0);
	assert_int_equal(world.plan.gap_count, 0);	/* no promise is lost */
	assert_true(starts_with(world.host.said, world.file));
}

/* Below, in user and mount namespaces of its own, worlds lie on an overlay, as in a container, whose mounts
 * are told to others. */
static int lay_overlay(const char *base)
{
	char options[512], text[64];
	uid_t user = geteuid();
	gid_t group = getegid();
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -1;
	world_write("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "%u %u 1", user, user);
	world_write("/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "%u %u 1", group, group);
	world_write("/proc/self/gid_map", text);
	snprintf(options, sizeof(options), "userxattr,lowerdir=%s/scratch,upperdir=%s/outside,workdir=%s/tree",
		 base, base, base);
	if (mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL) < 0)
		return -1;
	return mount("overlay", world_path(&world, base, "secrets"), "overlay", 0, options);
}

static void layers_are_laid_from_memory_where_the_scratch_directory_is_an_overlay(void **state)
{
	int status;
	(void)state;
	pid_t child = fork();
	if (child == 0) {
		if (lay_overlay(world.base) < 0)
			_exit(99);
		execl("/proc/self/exe", "namespaces_layers", world.secrets, NULL);
		_exit(98);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	chmod(world_path(&world, world.tree, "work"), 0700);
}

static long write_outside(void *unused)
{
	(void)unused;
	return world_create(world_path(&world, world.outside, "new"));
}

static void what_is_mounted_below_the_root_is_read_only_as_well(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, write_outside), EROFS);
	assert_int_equal(world_without(&world, write_outside), 0);
}

static long hear_of_mounts(void *unused)
{
	char line[1024];
	(void)unused;
	FILE *table = fopen("/proc/self/mountinfo", "re");
	if (!table)
		return -errno;
	while (fgets(line, sizeof(line), table))
		if (strstr(line, " master:") || strstr(line, " shared:"))
			return -EBUSY;
	return 0;
}

static void mounts_that_are_made_outside_later_do_not_come_in(void **state)
{
	(void)state;
	assert_int_equal(world_without(&world, hear_of_mounts), EBUSY);
	assert_int_equal(world_inside(&world, hear_of_mounts), 0);
}

#define LAYER_TEST(test) cmocka_unit_test_setup_teardown(test, open_world, world_tear_down)

/* The root of worlds is the caller's home, or what the argument names. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		LAYER_TEST(writes_into_a_layered_path_end_with_the_run),
		LAYER_TEST(layers_in_one_home_end_with_the_run_as_one),
		LAYER_TEST(what_is_known_of_layers_is_forgotten_with_a_run_that_failed),
		LAYER_TEST(layers_on_disk_leave_nothing_that_their_owner_cannot_remove),
		LAYER_TEST(a_path_that_cannot_be_layered_is_told_and_the_others_are_laid),
		LAYER_TEST(layers_are_laid_from_memory_where_the_scratch_directory_is_an_overlay),
	};
	const struct CMUnitTest on_overlay[] = {
		LAYER_TEST(writes_into_a_layered_path_end_with_the_run),
		LAYER_TEST(layers_in_one_home_end_with_the_run_as_one),
		LAYER_TEST(layers_are_in_memory_on_an_overlay_even_when_disk_is_asked_for),
		LAYER_TEST(what_is_mounted_below_the_root_is_read_only_as_well),
		LAYER_TEST(mounts_that_are_made_outside_later_do_not_come_in),
	};
	root = argc > 1 ? argv[1] : world_home();
	return argc > 1 ? cmocka_run_group_tests(on_overlay, NULL, NULL) :
			  cmocka_run_group_tests(tests, NULL, NULL);
}
