/* tests/tree_churn.c - a tree that changes while it is copied: no sync fails for it, and the first one
 * in quiet is right. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

static _Atomic int stop;

static const char *expect(void)
{
	const char *found = place_once(0);
	if (!found)
		fail_msg("cannot %s: %s: %s; %s", place.err.action, place.err.subject, strerror(place.err.sys), place.err.recovery);
	return found;
}

static void write_quietly(const char *path, unsigned turn)
{
	char content[64];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int bytes = snprintf(content, sizeof(content), "turn %u%.*s", turn, (int)(turn % 20),
			     "....................");
	if (fd < 0)
		return;
	if (write(fd, content, (size_t)bytes) < bytes)
		stop = 1;
	close(fd);
}

/* Directories come and go with what is in them, files become directories and links, and back. */
static void *churn(void *context)
{
	char path[8][300];
	for (unsigned i = 0; i < 8; i++)
		snprintf(path[i], sizeof(path[i]), "%s/%u", (const char *)context, i);
	for (unsigned turn = 0; !stop; turn++) {
		const char *at = path[turn % 8], *other = path[turn * 3 % 8];
		char inner[320];
		snprintf(inner, sizeof(inner), "%s/inner", at);
		switch (turn / 8 % 5) {
		case 0:
			place_remove(at);
			mkdir(at, 0755);
			write_quietly(inner, turn);
			break;
		case 1:
			place_remove(at);
			write_quietly(at, turn);
			break;
		case 2:
			rename(at, other);
			break;
		case 3:
			place_remove(at);
			if (symlink("elsewhere", at) < 0)
				write_quietly(inner, turn);
			break;
		default:
			write_quietly(at, turn);
		}
	}
	return NULL;
}

static void a_tree_that_changes_meanwhile_is_copied_and_right_when_it_is_quiet(void **state)
{
	(void)state;
	pthread_t thread;
	char work[256];
	place.settings[0] = "copy.threads=2";
	for (int i = 0; i < 30; i++) {
		place_directory(place_path("work/d%d", i));
		place_write(place_path("work/d%d/f", i), "f");
	}
	snprintf(work, sizeof(work), "%s", place.tree);
	stop = 0;
	assert_int_equal(pthread_create(&thread, NULL, churn, work), 0);
	unsigned moved = 0;
	/* Where others have the processors, the other thread needs its time. */
	for (int i = 0; i < 300 || (moved <= 50 && i < 30000); i++) {
		expect();
		moved += place.work.created + place.work.rewritten + place.work.removed > 0;
	}
	stop = 1;
	pthread_join(thread, NULL);
	place_assert_equal(place.tree, expect());
	place_let_age();
	place_assert_equal(place.tree, expect());
	print_message("%u syncs found changes\n", moved);
	assert_true(moved > 50);
}

static void *append(void *context)
{
	auto_close int fd = open(context, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	while (!stop && write(fd, "line of a log\n", 14) == 14)
		usleep(20);
	return NULL;
}

static void a_file_that_is_being_written_is_copied_whole_or_named(void **state)
{
	(void)state;
	pthread_t thread;
	char log[300];
	snprintf(log, sizeof(log), "%.250s/log", place.tree);
	stop = 0;
	assert_int_equal(pthread_create(&thread, NULL, append, log), 0);
	unsigned done = 0;
	for (int i = 0; i < 200; i++) {
		const char *copy = place_once(0);
		done += copy != NULL;
		if (!copy)
			assert_non_null(strstr(place.err.subject, "/work/log"));
		struct stat found;
		if (copy && stat(place_path("%s/log", copy + strlen(place.base) + 1), &found) == 0)
			assert_int_equal(found.st_size % 14, 0);
	}
	stop = 1;
	pthread_join(thread, NULL);
	place_assert_equal(place.tree, expect());
	print_message("%u of 200 syncs went through\n", done);
	assert_true(done > 0);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(a_tree_that_changes_meanwhile_is_copied_and_right_when_it_is_quiet),
		TREE_TEST(a_file_that_is_being_written_is_copied_whole_or_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
