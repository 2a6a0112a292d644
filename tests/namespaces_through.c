/* tests/namespaces_through.c - the arm through bubblewrap: which program is trusted, what it is told, and
 * whether what it makes holds. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "namespaces_world.h"
#include "plugins/namespaces/probe.h"
#include "plugins/namespaces/through.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUBBLEWRAP "/usr/bin/bwrap"

static int open_world(void **state)
{
	(void)state;
	world_open(&world, world_home());
	world.host.settings[0] = "wrapper";
	world.host.settings[1] = BUBBLEWRAP;
	return 0;
}

static void need_bubblewrap(void)
{
	if (access(BUBBLEWRAP, X_OK) == 0)
		return;
	print_message("skipped: there is no " BUBBLEWRAP "\n");
	skip();
}

static void assert_distrusted(const char *path)
{
	const char *found;
	struct pinfold_error err = { 0 };
	assert_int_equal(through_check(&world.host.table, path, &found, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_string_equal(err.subject, path);
	assert_true(err.recovery[0] != '\0');
}

static void only_a_program_that_root_alone_can_change_is_trusted(void **state)
{
	const char *found;
	struct pinfold_error err = { 0 };
	(void)state;
	assert_int_equal(through_check(&world.host.table, "/usr/bin/env", &found, &err), 0);
	assert_string_equal(found, "/usr/bin/env");
	assert_distrusted("bwrap");
	assert_distrusted("./bwrap");
	assert_distrusted("/nonexistent/bwrap");
	assert_distrusted("/usr/bin");
	assert_distrusted("/etc/passwd");
	assert_distrusted("/dev/null");
	const char *own = world_path(&world, world.outside, "bwrap");
	world_write(own, "#!/bin/sh\n");
	chmod(own, 0777);
	assert_distrusted(own);
	chmod(own, 0755);
	if (geteuid() != 0)
		assert_distrusted(own);
	chmod(world.outside, 0777);	/* root's program where anybody could replace it */
	assert_distrusted(own);
	chmod(world.outside, 0700);
}

static int nothing_is_a_link(const struct place *place)
{
	return ends_with(place->path, "missing") ? 0 : ends_with(place->path, "file") ? S_IFREG : S_IFDIR;
}

static int everything_is_a_link(const struct place *place)
{
	return place->kind == PLACE_HIDE ? -1 : S_IFDIR;
}

/* Where the words stand in the list, or -1. */
static int find_words(const struct arguments *list, const char *first, const char *second)
{
	for (size_t i = 0; i + 1 < list->count; i++)
		if (streq(list->items[i], first) && streq(list->items[i + 1], second))
			return (int)i;
	return -1;
}

static void bubblewrap_is_told_all_that_the_layout_says_in_its_order(void **state)
{
	(void)state;
	struct arguments list;
	struct layout layout;
	static const struct pinfold_path paths[] = {
		{ .kind = PINFOLD_PATH_HIDE, .path = "/home/other", .mode = S_IFDIR },
		{ .kind = PINFOLD_PATH_HIDE, .path = "/home/u/file", .mode = S_IFREG },
		{ .kind = PINFOLD_PATH_HIDE, .path = "/home/u/missing" },
		{ .kind = PINFOLD_PATH_LAYER, .path = "/home/u/.cargo", .mode = S_IFDIR },
	};
	const struct pinfold_policy policy = { .paths = paths, .path_count = N_ELEMENTS(paths),
					       .scratch = "/home/u/.scratch",
					       .runtime_dir = "/run/user/1" };
	const struct pinfold_shown shown = { .tree = "/home/other/t", .source = "/home/u/.scratch/copy",
					     .temporary = "/x", .directory = "/home/other/t/sub" };
	const struct scene scene = { .policy = &policy, .shown = &shown, .private_source = "/x/tmp",
				     .temporary = { "/tmp", NULL }, .blank = { "/run", NULL },
				     .fresh_proc = true, .root = true };
	assert_int_equal(layout_make(&world.host.table, &scene, &layout, &world.err), 0);
	assert_int_equal(through_options(&world.host.table, &scene, &layout, nothing_is_a_link, &list,
					 &world.err), 0);
	assert_true(find_words(&list, "--unshare-all", "--unshare-user") == 0);
	assert_true(find_words(&list, "--cap-drop", "ALL") > 0);
	int root = find_words(&list, "--ro-bind", "/");
	int hidden = find_words(&list, "--tmpfs", "/home/other");
	int tree = find_words(&list, "--bind", "/home/u/.scratch/copy");
	int closed = find_words(&list, "--remount-ro", "/home/other");
	assert_true(root > 0 && root < hidden && hidden < tree && tree < closed);
	assert_true(find_words(&list, "/dev/null", "/home/u/file") > root);
	assert_int_equal(find_words(&list, "/dev/null", "/home/u/missing"), -1);
	assert_true(find_words(&list, "--remount-ro", "/proc") > find_words(&list, "--proc", "/proc"));
	assert_true(find_words(&list, "--dir", "/run/user/1") > find_words(&list, "--tmpfs", "/run"));
	assert_true(find_words(&list, "--chdir", shown.directory) > 0);
	assert_int_equal(find_words(&list, "--cap-drop", "--share-net"), -1);
	assert_true(starts_with(world.host.said, "/home/u/.cargo stays read-only"));
	assert_int_equal(through_options(&world.host.table, &scene, &layout, everything_is_a_link, &list,
					 &world.err), -1);
	assert_int_equal(world.err.sys, ELOOP);
}

static void the_arm_is_available_through_bubblewrap(void **state)
{
	struct pinfold_offer offer = { .size = sizeof(offer) };
	(void)state;
	need_bubblewrap();
	assert_int_equal(probe_offer(&world.host.table, &offer, &world.err), 0);
	if (!offer.available)
		print_message("%s\n", offer.missing);
	assert_int_equal(offer.available, 1);
	/* Root's command can change the modes of devices there. */
	assert_int_equal(!(offer.kept & PINFOLD_BIT(WRITES)), geteuid() == 0);
	assert_non_null(offer.note[PINFOLD_AXIS_WRITES]);
}

static void a_program_that_confines_nothing_is_found_out(void **state)
{
	static const char *const liars[] = { "/usr/bin/true", "/usr/bin/env", "/usr/bin/nonexistent", "bwrap" };
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(liars); i++) {
		struct pinfold_offer offer = { .size = sizeof(offer) };
		world.host.settings[1] = liars[i];
		assert_int_equal(probe_offer(&world.host.table, &offer, &world.err), 0);
		assert_int_equal(offer.available, 0);
		assert_int_equal(offer.kept, 0);
		assert_true(offer.missing && offer.missing[0] && offer.lift && offer.lift[0]);
	}
}

static bool runs_once(const char *line, char *said, size_t room)
{
	const char *const words[] = { "/bin/sh", "-c", line, "sh", world.tree, world.secret, world.secrets,
				      world.file, world.by_path.sun_path, world.scratch, NULL };
	world.plan = (struct pinfold_plan){ .size = sizeof(world.plan) };
	assert_int_equal(prepare_plan(&world.host.table, &world.policy, &world.shown, &world.plan, &world.err), 0);
	assert_int_equal(stage_enter(&world.plan, PINFOLD_STAGE_VIEW), 0);	/* nothing is left to do */
	bool well = through_try(&world.host.table, &world.plan, words, said, room);
	prepare_release(&world.host.table, &world.plan);
	return well;
}

/* A shell's line inside; its exit code 0 or not. Other tests' sockets come and go meanwhile, at which
 * bubblewrap gives up. */
static bool runs(const char *line)
{
	char said[256] = "";
	bool well = runs_once(line, said, sizeof(said));
	for (int attempt = 0; !well && strstr(said, "Can't ") && attempt < 50; attempt++)
		well = runs_once(line, said, sizeof(said));
	if (said[0])
		print_message("%s: %s\n", line, said);
	return well;
}

static void what_bubblewrap_makes_holds(void **state)
{
	struct stat status;
	(void)state;
	need_bubblewrap();
	world.policy.runtime_dir = "/run/user/4711";
	assert_true(runs("echo x >made && [ \"$(pwd)\" = \"$1\" ]"));
	assert_int_equal(lstat(world_path(&world, world.copy, "made"), &status), 0);
	assert_int_equal(lstat(world_path(&world, world.tree, "made"), &status), -1);
	assert_true(runs("[ -e \"$2\" ] && ! cat \"$2\" 2>/dev/null | grep -q secret"));
	assert_true(runs("[ -d \"$3\" ] && [ ! -e \"$3/inner\" ] && ! touch \"$3/new\" 2>/dev/null"));
	assert_true(runs("grep -q outside \"$4\" && ! touch \"$4\" 2>/dev/null && ! chmod 644 \"$4\" 2>/dev/null"));
	assert_true(runs("[ -e \"$5\" ] && [ ! -S \"$5\" ]"));
	assert_true(runs("[ -d \"$6\" ] && [ ! -e \"$6/copy\" ]"));
	assert_true(runs("[ -d /run/user/4711 ] && touch /run/user/4711/x && [ ! -e /run/systemd ]"));
	assert_true(runs("touch /tmp/x /dev/shm/x && ! touch /dev/x 2>/dev/null && echo >/dev/null"));
	assert_true(runs("grep -q '^CapEff:.0000000000000000' /proc/self/status && "
			 "grep -q '^NoNewPrivs:.1' /proc/self/status && grep -q '^Seccomp:.2' /proc/self/status"));
	assert_true(runs("! true 2>/dev/null >>/proc/sys/kernel/core_pattern"));
	assert_false(runs("exit 3"));
}

static void what_vanished_from_the_copy_is_not_made_in_it(void **state)
{
	struct stat status;
	(void)state;
	need_bubblewrap();
	world_write(world_path(&world, world.tree, "key"), "secret");
	world_name(&world, PINFOLD_PATH_HIDE, world_path(&world, world.tree, "key"));
	assert_true(runs("[ ! -e key ]"));
	assert_int_equal(lstat(world_path(&world, world.copy, "key"), &status), -1);
}

int main(void)
{
#define THROUGH_TEST(test) cmocka_unit_test_setup_teardown(test, open_world, world_tear_down)
	const struct CMUnitTest tests[] = {
		THROUGH_TEST(only_a_program_that_root_alone_can_change_is_trusted),
		THROUGH_TEST(bubblewrap_is_told_all_that_the_layout_says_in_its_order),
		THROUGH_TEST(the_arm_is_available_through_bubblewrap),
		THROUGH_TEST(a_program_that_confines_nothing_is_found_out),
		THROUGH_TEST(what_bubblewrap_makes_holds),
		THROUGH_TEST(what_vanished_from_the_copy_is_not_made_in_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
