/* tests/tree_apply_model.c - a command does anything at all, and it is applied: the tree is then what it
 * would be, had the command done that in the tree itself. */
#include "config.h"

#include "tree_applied.h"
#include "tree_picture.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

enum { ROUNDS = 8, OPERATIONS = 20 };

static unsigned rounds = ROUNDS;

struct series {
	const char *top;	/* NULL: as found_in leads */
	uint64_t seed, random;
	bool layer;
};

static unsigned draw(struct series *series, unsigned below)
{
	series->random = series->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(series->random >> 33) % below;
}

/* One of a few names, up to three deep, so that operations meet. */
static const char *draw_path(struct series *series, unsigned room)
{
	static char rooms[3][4096];
	char name[64];
	size_t used = 0;
	unsigned depth = draw(series, 3);
	for (unsigned i = 0; i <= depth; i++)
		used += (size_t)snprintf(name + used, sizeof(name) - used, "%s%c", i ? "/" : "",
					 (i < depth ? "pqr" : "abpqrc")[draw(series, i < depth ? 3 : 6)]);
	if (series->top)
		snprintf(rooms[room], sizeof(rooms[0]), "%s/%s", series->top, name);
	else
		snprintf(rooms[room], sizeof(rooms[0]), "%s", found_in(name));
	return rooms[room];
}

/* In a user namespace everybody has root's power over files, which the caller has not in the tree: what that would
 * let be done to a file that cannot be written is left out. */
static bool is_closed(const char *path)
{
	struct stat found_stat;
	return lstat(path, &found_stat) == 0 && !S_ISLNK(found_stat.st_mode) && !(found_stat.st_mode & S_IWUSR);
}

static void write_some(struct series *series, const char *path, int flags)
{
	char bytes[5000];
	size_t count = draw(series, 4) ? draw(series, 40) : draw(series, sizeof(bytes));
	memset(bytes, (int)('a' + draw(series, 26)), sizeof(bytes));
	auto_close int fd = is_closed(path) ? -1 : open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0644);
	if (fd >= 0)
		assert_int_equal(write(fd, bytes, count), count);
}

static bool is_directory(const char *path)
{
	struct stat found_stat;
	return lstat(path, &found_stat) == 0 && S_ISDIR(found_stat.st_mode);
}

static void set_mode(struct series *series, const char *path)
{
	static const mode_t modes[] = { 0644, 0755, 0600, 0700, 0444 };
	mode_t mode = modes[draw(series, 5)];
	struct stat found_stat;
	if (lstat(path, &found_stat) == 0 && !S_ISLNK(found_stat.st_mode))
		chmod(path, S_ISDIR(found_stat.st_mode) ? mode | 0300 : mode);
}

/* What an overlay does in another way is left out there: it cannot move directories that come from below,
 * and parts the names of a file. */
static void operate_once(struct series *series)
{
	const char *path = draw_path(series, 0), *other = draw_path(series, 1);
	switch (draw(series, 13)) {
	case 0:
	case 1:
		write_some(series, path, O_CREAT | O_TRUNC);
		break;
	case 2:
		write_some(series, path, O_CREAT | O_APPEND);
		break;
	case 3:
		unlink(path);
		break;
	case 4:
	case 5:
		mkdir(path, 0755);
		break;
	case 6:
		rmdir(path);
		break;
	case 7:
		if (draw(series, 3) == 0)
			place_remove(path);
		break;
	case 8:
	case 9:
		if (!series->layer || !is_directory(path))
			rename(path, other);
		break;
	case 10:
		set_mode(series, path);
		break;
	case 11:
		(void)!symlink(draw(series, 2) ? "a" : "p/b", path);
		break;
	default:
		if (!series->layer)
			(void)!link(path, other);
		else if (!is_closed(path))
			setxattr(path, "user.some", "value", draw(series, 6), 0);
	}
}

static int operate(void *context)
{
	struct series *series = context;
	series->random = series->seed;
	for (int i = 0; i < OPERATIONS; i++)
		operate_once(series);
	return 0;
}

static void one_round(enum found_view view, uint64_t seed)
{
	char line[16384], wanted[4096];
	struct series series = { .seed = seed, .layer = view != FOUND_COPY };
	snprintf(wanted, sizeof(wanted), "%s/wanted", place.base);
	snprintf(line, sizeof(line), "rm -rf '%s' && cp -a '%s' '%s'", wanted, place.tree, wanted);
	assert_int_equal(system(line), 0);
	found_run(operate, &series);
	series.top = wanted;
	operate(&series);
	if (applied_run() < 0)
		fail_msg("seed %llu on a %s: cannot %s: %s (%s)", (unsigned long long)seed,
			 found_view_names[view], place.err.action, place.err.subject, strerror(place.err.sys));
	if (!streq(applied_left(), ""))
		fail_msg("seed %llu on a %s: %s", (unsigned long long)seed, found_view_names[view],
			 applied_left());
	auto_free char *expected = picture_of(wanted, PICTURE_NO_TIMES);
	auto_free char *found_tree = picture_of(place.tree, PICTURE_NO_TIMES);
	if (!picture_is_equal(expected, found_tree))
		print_message("seed %llu on a %s\n", (unsigned long long)seed, found_view_names[view]);
	picture_assert_equal(expected, found_tree);
	assert_string_equal(found_changes(NULL), "");
	assert_false(applied_left_something());
}

static void a_view(enum found_view view)
{
	const char *lacks = found_lacks(view);
	if (lacks) {
		print_message("no %s: this lacks %s\n", found_view_names[view], lacks);
		skip();
	}
	assert_int_equal(place_set_up(NULL), 0);
	const char *given = getenv("PINFOLD_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : 1000 * (uint64_t)view;
	applied_start(view);
	for (unsigned i = 0; i < rounds; i++) {
		if (view == FOUND_COPY && i > 0)
			applied_start(view);
		one_round(view, seed + i);
		applied_order = (struct apply_order){ 0 };
	}
	applied_release();
	assert_int_equal(place_tear_down(NULL), 0);
}

static void what_was_done_in_a_copy_is_as_if_done_in_the_tree(void **state)
{
	(void)state;
	a_view(FOUND_COPY);
}

static void what_was_done_in_a_layer_of_a_user_is_as_if_done_in_the_tree(void **state)
{
	(void)state;
	a_view(FOUND_USER_LAYER);
}

static void what_was_done_in_a_layer_of_root_is_as_if_done_in_the_tree(void **state)
{
	(void)state;
	a_view(FOUND_ROOT_LAYER);
}

/* Takes the number of operations for each view. */
int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10) / OPERATIONS + 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_done_in_a_copy_is_as_if_done_in_the_tree),
		cmocka_unit_test(what_was_done_in_a_layer_of_a_user_is_as_if_done_in_the_tree),
		cmocka_unit_test(what_was_done_in_a_layer_of_root_is_as_if_done_in_the_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
