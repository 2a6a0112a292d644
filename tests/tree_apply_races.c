/* tests/tree_apply_races.c - while an apply runs somebody saves files and moves directories: no edit is lost,
 * and nothing outside of the tree is written. */
#include "config.h"

#include "tree_applied.h"
#include "tree_picture.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

static bool in_soak;

static unsigned rounds(unsigned usual)
{
	return in_soak ? usual * 20 : usual;
}

static atomic_uint microseconds;

/* As most editors do: beside it, and then in its place. */
static void *save_by_rename(void *argument)
{
	(void)argument;
	char beside[4096], path[4096];
	snprintf(path, sizeof(path), "%s/d/edited", place.tree);
	snprintf(beside, sizeof(beside), "%s/d/.edited.swp", place.tree);
	usleep(microseconds);
	place_write(beside, "my edit\n");
	if (rename(beside, path) < 0)
		abort();
	return NULL;
}

static void *save_in_place(void *argument)
{
	(void)argument;
	usleep(microseconds);
	auto_close int fd = open(applied_at("d/edited"), O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "my edit\n", 8) != 8)
		abort();
	return NULL;
}

static void make_scene(const char *command)
{
	applied_release();
	place_remove(place.tree);
	place_remove(place.scratch);
	place_directory(place.tree);
	applied_meanwhile("mkdir d; for n in a b d/edited d/x e; do echo $n >$n; done");
	found_start(FOUND_COPY);
	applied_command(command);
	applied_find();
}

/* How often the edit came before the exchange, so that there was a conflict. */
static unsigned race_with(void *(*edit)(void *), const char *command, unsigned count)
{
	unsigned conflicts = 0;
	for (unsigned i = 0; i < count; i++) {
		pthread_t editor;
		make_scene(command);
		place_let_age();
		microseconds = i * 25000 / count;
		assert_int_equal(pthread_create(&editor, NULL, edit, NULL), 0);
		int result = applied_apply();
		assert_int_equal(pthread_join(editor, NULL), 0);
		assert_int_equal(result, 0);
		auto_free char *now = place_read(applied_at("d/edited"));
		if (!now || !streq(now, "my edit\n"))
			fail_msg("the edit is lost: %s", now ? now : "no file");
		assert_false(applied_left_something());
		conflicts += applied.conflicts > 0;
	}
	return conflicts;
}

static void what_an_editor_saves_meanwhile_stays(void **state)
{
	(void)state;
	static const char *const commands[] = { "echo by the command >d/edited; echo 1 >a; rm b; echo 2 >n",
						"rm d/edited; echo 1 >a", "mv d/edited d/moved; echo 1 >a" };
	unsigned count = rounds(12), conflicts = 0;
	for (size_t i = 0; i < 2; i++)
		conflicts += race_with(save_by_rename, commands[i], count);
	conflicts += race_with(save_in_place, commands[0], count);
	assert_true(conflicts > 0);
	print_message("%u of %u met an edit\n", conflicts, 3 * count);
}

static atomic_bool over;

/* The directory, then a link to one outside in its place, then a file, then the directory again. */
static void *keep_swapping(void *argument)
{
	(void)argument;
	char there[4096], aside[4096], outside[4096];
	snprintf(there, sizeof(there), "%s/d", place.tree);
	snprintf(aside, sizeof(aside), "%s/aside", place.tree);
	snprintf(outside, sizeof(outside), "%s/outside", place.base);
	for (unsigned i = 0; !over; i++) {
		if (rename(there, aside) < 0)
			continue;
		usleep(i * 7 % 50);
		if (i % 3 == 2)
			mknod(there, S_IFREG | 0644, 0);
		else if (symlink(i % 3 ? "e" : outside, there) < 0)
			abort();
		usleep(i * 13 % 50);
		unlink(there);
		rename(aside, there);
		usleep(i * 11 % 300);
	}
	return NULL;
}

static void nothing_outside_is_written_while_directories_are_swapped(void **state)
{
	(void)state;
	static const char command[] = "for i in 1 2 3 4 5 6 7 8 9; do echo new >d/n$i; done; echo changed >d/x; rm d/edited; "
				      "mkdir d/m; echo in >d/m/in; chmod 700 d";
	unsigned through = 0, count = rounds(25);
	place_directory(place_path("outside"));
	place_write(place_path("outside/x"), "x\n");
	place_write(place_path("outside/edited"), "d/edited\n");
	auto_free char *outside = picture_of(place_path("outside"), PICTURE_TIMES);
	for (unsigned i = 0; i < count; i++) {
		pthread_t swapper;
		make_scene(command);
		applied_order.partial = i % 2;
		over = false;
		assert_int_equal(pthread_create(&swapper, NULL, keep_swapping, NULL), 0);
		int result = applied_apply();
		over = true;
		assert_int_equal(pthread_join(swapper, NULL), 0);
		through += result == 0 && applied.done;
		if (applied_recover() < 0)
			fail_msg("cannot %s: %s", place.err.action, place.err.subject);
		auto_free char *now = picture_of(place_path("outside"), PICTURE_TIMES);
		picture_assert_equal(outside, now);
		assert_false(applied_left_something());
		auto_free char *x = place_read(applied_at("d/x"));
		assert_true(x && (streq(x, "d/x\n") || streq(x, "changed\n")));
	}
	print_message("%u of %u were applied\n", through, count);
}

static int tear_down(void **state)
{
	applied_release();
	return place_tear_down(state);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

/* With any argument for long. */
int main(int argc, char **argv)
{
	(void)argv;
	in_soak = argc > 1;
	const struct CMUnitTest tests[] = {
		TREE_TEST(what_an_editor_saves_meanwhile_stays),
		TREE_TEST(nothing_outside_is_written_while_directories_are_swapped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
