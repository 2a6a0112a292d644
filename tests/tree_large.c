/* tests/tree_large.c - a tree of very many files: all of it is synced and found, in memory that grows no faster
 * than the files. The argument is a hundredth of their number. */
#include "config.h"

#include "tree_found.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_ONE = 100, BYTES_EACH = 200, BYTES_FIXED = 24 << 20 };

static unsigned directories = 30;

static void make_tree(void)
{
	for (unsigned i = 0; i < directories; i++) {
		if (i % IN_ONE == 0)
			place_directory(place_path("work/%u", i / IN_ONE));
		place_directory(place_path("work/%u/%u", i / IN_ONE, i));
		for (int j = 0; j < IN_ONE; j++) {
			const char *name = place_path("work/%u/%u/a-file-%d.c", i / IN_ONE, i, j);
			auto_close int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
			assert_true(fd >= 0);
		}
	}
	place_let_age();
}

static int change(void *context)
{
	auto_close int fd = open(found_in("0/new"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	(void)context;
	return fd >= 0 && unlink(found_in("0/0/a-file-7.c")) == 0 ? 0 : -1;
}

static void search(void)
{
	found_run(change, NULL);
	assert_string_equal(found_changes(NULL), "removed 0/0/a-file-7.c\nadded 0/new\n");
	assert_true(found.walked > (uint64_t)directories * IN_ONE);
	found_release();
	for (int i = 0; i < 2; i++) {
		assert_non_null(place_once(0));
		assert_string_equal(found_changes(NULL), "");
	}
	found_release();
}

/* Under a sanitizer most memory is the sanitizer's. */
#if defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* The peak counts from here: the process that made the tree needed little. */
static long peak_kilobytes(void)
{
	struct rusage used;
	assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
	return used.ru_maxrss;
}

static void all_is_synced_and_found_in_little_memory(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-files=4000000";
	make_tree();
	found_start(FOUND_COPY);
	assert_int_equal(place_count(found_held),
			 directories * (IN_ONE + 1) + (directories + IN_ONE - 1) / IN_ONE);
	search();
	long most = (BYTES_FIXED + (long)directories * IN_ONE * BYTES_EACH) / 1024, peak = peak_kilobytes();
	print_message("%u files: %ld MiB\n", directories * IN_ONE, peak / 1024);
	if (!IS_SANITIZED && peak > most)
		fail_msg("%ld KiB, not %ld", peak, most);
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_is_synced_and_found_in_little_memory, place_set_up,
						place_tear_down),
	};
	if (count > 1)
		directories = (unsigned)strtoul(arguments[1], NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
