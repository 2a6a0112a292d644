/* tests/namespaces_overlay.c - the working tree below an overlay: what the command changes lands in the layer
 * above, on disk or in memory. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "namespaces_world.h"
#include "plugins/namespaces/below.h"
#include "plugins/namespaces/ground.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *root;	/* where worlds are made */
static const char *upper, *work;

static const char *in_tree(const char *name)
{
	return world_path(&world, world.tree, name);
}

static const char *in_upper(const char *name)
{
	return world_path(&world, upper, name);
}

static void know(const char *path, uint64_t *ret_device, uint64_t *ret_inode)
{
	struct stat status;
	assert_int_equal(lstat(path, &status), 0);
	*ret_device = status.st_dev;
	*ret_inode = status.st_ino;
}

/* As the view would have it. */
static int open_world(void **state)
{
	struct pinfold_shown *shown = &world.shown;
	(void)state;
	world_open(&world, root);
	upper = world_path(&world, world.scratch, "upper");
	work = world_path(&world, world.scratch, "work");
	assert_int_equal(mkdir(upper, 0700), 0);
	assert_int_equal(mkdir(work, 0700), 0);
	assert_int_equal(mkdir(in_tree("dir"), 0700), 0);
	world_write(in_tree("dir/deep"), "deep");
	world_write(in_tree("old"), "old");
	world_write(in_tree("gone"), "gone");
	shown->kind = PINFOLD_SHOW_OVERLAY;
	shown->source = world.tree;
	know(world.tree, &shown->source_device, &shown->source_inode);
	shown->upper = upper;
	shown->work = work;
	know(upper, &shown->upper_device, &shown->upper_inode);
	know(work, &shown->work_device, &shown->work_inode);
	shown->layers = world.scratch;
	shown->session = 1;
	return 0;
}

static int close_world(void **state)
{
	(void)state;
	int fd = open(world.scratch, O_PATH | O_DIRECTORY);
	upper_open_work(fd, "work");
	close(fd);
	world_close(&world);
	return 0;
}

static long change_the_tree(void *unused)
{
	(void)unused;
	if (!world_reads(in_tree("old"), "old") || !world_reads(in_tree("dir/deep"), "deep"))
		return -1;
	if (world_create(in_tree("new")) < 0)
		return -2;
	world_write(in_tree("old"), "NEW");
	if (unlink(in_tree("gone")) < 0 || world_exists(in_tree("gone")))
		return -3;
	if (unlink(in_tree("dir/deep")) < 0 || rmdir(in_tree("dir")) < 0 || mkdir(in_tree("dir"), 0700) < 0)
		return -4;
	if (world_exists(in_tree("dir/deep")))
		return -5;
	return 0;
}

static void assert_tree_is_as_it_was(void)
{
	assert_true(world_reads(in_tree("old"), "old"));
	assert_true(world_reads(in_tree("gone"), "gone"));
	assert_true(world_reads(in_tree("dir/deep"), "deep"));
	assert_false(world_exists(in_tree("new")));
}

static void assert_layer_has_the_changes(void)
{
	struct stat status;
	assert_true(world_exists(in_upper("new")));
	assert_true(world_reads(in_upper("old"), "NEW"));
	assert_int_equal(lstat(in_upper("gone"), &status), 0);
	assert_true(S_ISCHR(status.st_mode) && status.st_rdev == makedev(0, 0));
}

static bool has_volatile_mark(void)
{
	int fd = open(work, O_PATH | O_DIRECTORY);
	upper_open_work(AT_FDCWD, work);
	close(fd);
	return world_exists(world_path(&world, work, "work/incompat/volatile"));
}

static void what_the_command_changes_lands_in_the_layer_and_not_in_the_tree(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, change_the_tree), 0);
	assert_tree_is_as_it_was();
	assert_layer_has_the_changes();
}

static long find_the_changes(void *unused)
{
	(void)unused;
	if (!world_exists(in_tree("new")) || !world_reads(in_tree("old"), "NEW"))
		return -1;
	return world_exists(in_tree("gone")) || world_exists(in_tree("dir/deep")) ? -2 : 0;
}

static void a_layer_that_is_to_last_serves_the_next_run_and_shows_its_changes(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, change_the_tree), 0);
	assert_false(has_volatile_mark());
	assert_int_equal(world_inside(&world, find_the_changes), 0);
	assert_tree_is_as_it_was();
}

static void a_layer_that_need_not_last_is_never_synced(void **state)
{
	(void)state;
	world.shown.session = 0;
	assert_int_equal(world_inside(&world, change_the_tree), 0);
	assert_true(has_volatile_mark());
	assert_layer_has_the_changes();
}

static void without_an_upper_part_the_layer_lies_in_memory_and_ends_with_the_run(void **state)
{
	(void)state;
	world.shown.upper = world.shown.work = NULL;
	assert_int_equal(world_inside(&world, change_the_tree), 0);
	assert_tree_is_as_it_was();
	assert_false(world_exists(in_upper("new")));
	assert_int_not_equal(world_inside(&world, find_the_changes), 0);
}

static long look_for_secrets(void *unused)
{
	(void)unused;
	if (world_reads(in_tree("token"), "secret") || world_exists(in_tree("dir/keys/inner")))
		return -1;
	if (rename(in_tree("dir"), in_tree("elsewhere")) == 0)
		return -2;
	if (unlink(in_tree("token")) == 0)
		return -3;
	return world_reads(in_tree("old"), "old") ? 0 : -4;
}

static void what_is_hidden_in_the_tree_stays_hidden_over_the_overlay(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_tree("dir/keys"), 0700), 0);
	world_write(in_tree("dir/keys/inner"), "secret");
	world_write(in_tree("token"), "secret");
	world_name(&world, PINFOLD_PATH_HIDE, in_tree("token"));
	world_name(&world, PINFOLD_PATH_HIDE, in_tree("dir/keys"));
	assert_int_equal(world_inside(&world, look_for_secrets), 0);
}

static long write_both(void *unused)
{
	(void)unused;
	if (world_create(in_tree("new")) < 0)
		return -1;
	return world_create(in_tree("dir/new"));
}

static void a_writable_path_in_the_tree_is_the_hosts_over_the_overlay(void **state)
{
	(void)state;
	world_name(&world, PINFOLD_PATH_WRITE, in_tree("dir"));
	assert_int_equal(world_inside(&world, write_both), 0);
	assert_true(world_exists(in_tree("dir/new")));
	assert_false(world_exists(in_upper("dir/new")));
	assert_true(world_exists(in_upper("new")));
	assert_false(world_exists(in_tree("new")));
}

static long see_no_layer(void *unused)
{
	(void)unused;
	return world_exists(upper) ? -1 : 0;
}

static void the_command_cannot_reach_the_layer_itself(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, see_no_layer), 0);
}

static void a_layer_in_the_place_of_the_one_that_was_looked_at_is_refused(void **state)
{
	(void)state;
	assert_int_equal(rename(upper, world_path(&world, world.scratch, "moved")), 0);
	assert_int_equal(mkdir(upper, 0700), 0);
	struct trial trial = world_try(&world, change_the_tree);
	assert_int_equal(trial.step, TRIAL_VIEW);
	assert_int_equal(trial.error, ESTALE);
	assert_non_null(strstr(trial.what, world.tree));
}

static void a_view_that_was_not_laid_is_noticed_by_the_command(void **state)
{
	(void)state;
	world.shown.layers = NULL;
	test_host_swallow(SYS_move_mount, -1);
	struct trial trial = world_try(&world, change_the_tree);
	test_host_swallow(-1, -1);
	assert_true(trial.step < TRIAL_INSIDE);
	assert_tree_is_as_it_was();
}

static void bubblewrap_is_never_asked_for_an_overlay(void **state)
{
	(void)state;
	world.host.settings[0] = "wrapper";
	world.host.settings[1] = "/bin/true";
	world.plan = (struct pinfold_plan){ .size = sizeof(world.plan) };
	assert_int_equal(prepare_plan(&world.host.table, &world.policy, &world.shown, &world.plan, &world.err), -1);
	assert_non_null(strstr(world.err.subject, "bubblewrap"));
	prepare_release(&world.host.table, &world.plan);
}

static void mounts_in_a_tree_are_found_whatever_their_names(void **state)
{
	char table[] = "21 1 8:1 / / rw - ext4 /dev/a rw\n22 21 0:5 / /home/a rw - tmpfs t rw\n"
		       "23 21 0:5 / /home/a/my\\040files\\134 rw - tmpfs t rw\n24 21 0:5 / /home/ab/c rw - tmpfs t rw\n"
		       "25 21 0:5 / /home/a/b/c rw shared:1 - tmpfs t rw\nnonsense\n";
	char again[sizeof(table)];
	(void)state;
	memcpy(again, table, sizeof(table));
	assert_string_equal(below_find(&world.host.table, table, "/home/a"), "/home/a/my files\\ and 1 more");
	assert_null(below_find(&world.host.table, again, "/home/a/b/c"));
}

static void what_is_mounted_is_listed_by_path_without_what_the_view_makes_anew(void **state)
{
	char table[] = "21 1 8:1 / / rw - ext4 /dev/a rw\n22 21 0:5 / /proc rw - proc p rw\n"
		       "23 21 0:5 / /var/my\\040files rw shared:3 - xfs t rw\n24 22 0:5 / /proc/sys rw - tmpfs t rw\n"
		       "25 21 0:5 / /home rw - nfs4 t rw\n26 21 0:5 / /run/user rw - tmpfs t rw\nnonsense\n";
	const struct scene scene = { .policy = &world.policy, .shown = &world.shown, .blank = { "/run" } };
	struct mounted *mounts;
	size_t count;
	(void)state;
	assert_int_equal(machine_parse(&world.host.table, table, &scene, &mounts, &count), 0);
	assert_int_equal(count, 3);
	assert_string_equal(mounts[0].path, "/");
	assert_string_equal(mounts[1].path, "/home");
	assert_string_equal(mounts[2].path, "/var/my files");
	assert_string_equal(mounts[2].type, "xfs");
	assert_int_equal(mounts[2].id, 23);
	assert_true(machine_is_layerable("ext4"));
	assert_false(machine_is_layerable("vfat") || machine_is_layerable("sysfs") || machine_is_layerable("ext"));
}

static unsigned entries_in(const char *path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return (unsigned)status.st_nlink;
}

static void ground_that_serves_is_told_from_the_trial_and_is_left_clean(void **state)
{
	struct ground ground;
	(void)state;
	ground_try(&world.host.table, world.tree, world.temporary, &ground);
	assert_int_equal(ground.step, GROUND_DONE);
	assert_int_equal(entries_in(world.temporary), 2);
	ground_try(&world.host.table, world.tree, NULL, &ground);
	assert_int_equal(ground.step, GROUND_DONE);
	assert_false(ground.renames || ground.links);
	assert_tree_is_as_it_was();
}

static void ground_that_cannot_be_written_is_refused_with_the_reason(void **state)
{
	struct ground ground;
	(void)state;
	ground_try(&world.host.table, world.tree, world_path(&world, world.base, "nowhere"), &ground);
	assert_int_equal(ground.step, GROUND_PLACE);
	assert_int_equal(ground.error, ENOENT);
	const char *missing = ground_missing(&world.host.table, &ground, "/nowhere");
	assert_non_null(strstr(missing, "No such file"));
	assert_non_null(strstr(ground_lift(&ground), "[filesystem] scratch"));
}

/* Below, the world lies on an overlay, as in a container. */
static void ground_on_an_overlay_is_refused_and_memory_serves(void **state)
{
	struct ground ground;
	(void)state;
	ground_try(&world.host.table, world.tree, world.temporary, &ground);
	assert_int_equal(ground.step, GROUND_LAY);
	ground_try(&world.host.table, world.tree, NULL, &ground);
	assert_int_equal(ground.step, GROUND_DONE);
	assert_int_equal(entries_in(world.temporary), 2);
}

static void write_maps(void)
{
	char text[64];
	uid_t user = geteuid();
	gid_t group = getegid();
	assert_int_equal(unshare(CLONE_NEWUSER | CLONE_NEWNS), 0);
	world_write("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "%u %u 1", user, user);
	world_write("/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "%u %u 1", group, group);
	world_write("/proc/self/gid_map", text);
}

static void run_on_overlay(const char *base)
{
	char options[512];
	write_maps();
	snprintf(options, sizeof(options), "userxattr,lowerdir=%s/tree,upperdir=%s/upper,workdir=%s/work",
		 base, world.scratch, world.scratch);
	if (mount("overlay", world.secrets, "overlay", 0, options) < 0)
		_exit(99);
	execl("/proc/self/exe", "namespaces_overlay", world.secrets, NULL);
	_exit(98);
}

static void on_an_overlay_memory_takes_the_place_of_the_scratch_directory(void **state)
{
	int status;
	(void)state;
	pid_t child = fork();
	if (child == 0)
		run_on_overlay(world.base);
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

#define OVERLAY_TEST(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

/* The root of worlds is the caller's home, or what the argument names. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		OVERLAY_TEST(what_the_command_changes_lands_in_the_layer_and_not_in_the_tree),
		OVERLAY_TEST(a_layer_that_is_to_last_serves_the_next_run_and_shows_its_changes),
		OVERLAY_TEST(a_layer_that_need_not_last_is_never_synced),
		OVERLAY_TEST(without_an_upper_part_the_layer_lies_in_memory_and_ends_with_the_run),
		OVERLAY_TEST(what_is_hidden_in_the_tree_stays_hidden_over_the_overlay),
		OVERLAY_TEST(a_writable_path_in_the_tree_is_the_hosts_over_the_overlay),
		OVERLAY_TEST(the_command_cannot_reach_the_layer_itself),
		OVERLAY_TEST(a_layer_in_the_place_of_the_one_that_was_looked_at_is_refused),
		OVERLAY_TEST(a_view_that_was_not_laid_is_noticed_by_the_command),
		OVERLAY_TEST(bubblewrap_is_never_asked_for_an_overlay),
		OVERLAY_TEST(mounts_in_a_tree_are_found_whatever_their_names),
		OVERLAY_TEST(what_is_mounted_is_listed_by_path_without_what_the_view_makes_anew),
		OVERLAY_TEST(ground_that_serves_is_told_from_the_trial_and_is_left_clean),
		OVERLAY_TEST(ground_that_cannot_be_written_is_refused_with_the_reason),
		OVERLAY_TEST(on_an_overlay_memory_takes_the_place_of_the_scratch_directory),
	};
	const struct CMUnitTest on_overlay[] = {
		OVERLAY_TEST(ground_on_an_overlay_is_refused_and_memory_serves),
		OVERLAY_TEST(without_an_upper_part_the_layer_lies_in_memory_and_ends_with_the_run),
	};
	root = argc > 1 ? argv[1] : world_home();
	return argc > 1 ? cmocka_run_group_tests(on_overlay, NULL, NULL) :
			  cmocka_run_group_tests(tests, NULL, NULL);
}
