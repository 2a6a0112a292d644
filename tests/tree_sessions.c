/* tests/tree_sessions.c - sessions and last runs: what they leave, and who may have it when. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/copies.h"
#include "tree/kept.h"

#include <fcntl.h>
#include <pinfold/plugin.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct pinfold_place_order session(const char *name)
{
	return (struct pinfold_place_order){ .size = sizeof(struct pinfold_place_order), .session = name };
}

static struct pinfold_place_order session_layer(const char *name)
{
	struct pinfold_place_order order = session(name);
	order.layer = 1;
	return order;
}

/* Opened and synced. */
static struct pinfold_copy *open_one(struct pinfold_place_order order)
{
	struct pinfold_copy *copy = NULL;
	if (place_open_order(&order, &copy) < 0 || place_sync(copy) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return copy;
}

static void assert_cannot_open(struct pinfold_place_order order, uint32_t code)
{
	struct pinfold_copy *copy = NULL;
	place.err = (struct pinfold_error){ 0 };
	assert_int_equal(place_open_order(&order, &copy), -1);
	assert_int_equal(place.err.code, code);
	assert_null(copy);
}

static struct kept *open_kept(const char *name)
{
	struct kept *kept = NULL;
	if (kept_open(place_config(), place.tree, name, &kept, &place.err) < 0)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return kept;
}

static void assert_cannot_keep(const char *name, uint32_t code)
{
	struct kept *kept = NULL;
	place.err = (struct pinfold_error){ 0 };
	assert_int_equal(kept_open(place_config(), place.tree, name, &kept, &place.err), -1);
	assert_int_equal(place.err.code, code);
	assert_null(kept);
}

static void assert_same_object(int fd, const char *path)
{
	struct stat held, named;
	assert_int_equal(fstat(fd, &held), 0);
	assert_int_equal(lstat(path, &named), 0);
	assert_int_equal(held.st_ino, named.st_ino);
}

static void write_in(const char *directory, const char *name, const char *content)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	place_write(path, content);
}

static bool is_in(const char *directory, const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return access(path, F_OK) == 0;
}

static void the_last_run_is_found_with_what_was_known_before_it(void **state)
{
	(void)state;
	place_write(place_path("work/f"), "f");
	const char *directory = place_once(0);
	struct kept *kept = open_kept(NULL);
	assert_int_equal(kept->count, 1);
	assert_string_equal(kept->parts[0].path, place.tree);
	assert_false(kept->parts[0].layer);
	assert_int_equal(kept->parts[0].base.header->count, 2);
	assert_same_object(kept->parts[0].held_fd, directory);
	assert_same_object(kept->parts[0].place_fd, place.tree);
	kept_close(kept);
}

static void the_last_of_several_runs_is_the_one_that_began_last(void **state)
{
	(void)state;
	char last[4096];
	struct pinfold_copy *first = NULL, *second = NULL;
	place_write(place_path("work/f"), "f");
	assert_int_equal(place_open(0, &first), 0);
	place_let_age();
	assert_int_equal(place_open(0, &second), 0);
	assert_int_equal(place_sync(first), 0);
	assert_int_equal(place_sync(second), 0);
	snprintf(last, sizeof(last), "%s", copies_trees.directory(second));
	place_close(second, PINFOLD_COPY_KEEP);
	place_close(first, PINFOLD_COPY_KEEP);
	struct kept *kept = open_kept(NULL);
	assert_same_object(kept->parts[0].held_fd, last);
	kept_close(kept);
	place_let_age();
	snprintf(last, sizeof(last), "%s", place_once(1));
	kept = open_kept(NULL);
	assert_true(kept->follow_out);
	assert_same_object(kept->parts[0].held_fd, last);
	kept_close(kept);
}

static void nothing_is_found_where_nothing_ran(void **state)
{
	(void)state;
	assert_cannot_keep(NULL, PINFOLD_E_SESSION);
	assert_cannot_keep("mine", PINFOLD_E_SESSION);
	assert_cannot_keep("..", PINFOLD_E_USAGE);
}

static void what_a_command_works_in_is_not_opened(void **state)
{
	(void)state;
	struct pinfold_copy *copy = open_one(session(NULL)), *mine = open_one(session("mine"));
	assert_cannot_keep(NULL, PINFOLD_E_BUSY);
	assert_cannot_keep("mine", PINFOLD_E_BUSY);
	assert_cannot_open(session("mine"), PINFOLD_E_BUSY);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	copies_trees.close(mine, PINFOLD_COPY_KEEP);
	kept_close(open_kept(NULL));
	kept_close(open_kept("mine"));
}

static void what_is_opened_no_command_works_in(void **state)
{
	(void)state;
	copies_trees.close(open_one(session("mine")), PINFOLD_COPY_KEEP);
	struct kept *kept = open_kept("mine");
	assert_cannot_open(session("mine"), PINFOLD_E_BUSY);
	copies_trees.close(open_one(session("other")), PINFOLD_COPY_KEEP);
	copies_trees.close(open_one(session(NULL)), PINFOLD_COPY_KEEP);
	kept_close(kept);
}

static void names_of_sessions_are_plain(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"", ".", "..", ".hidden", "a/b", "/", "a b", "a\n", "\xc3\xbc", "=", "a=b", "~", "*",
		"12345678901234567890123456789012345678901234567890123456789012345",
	};
	static const char *const good[] = {
		"a", "A.b_c-9", "0", "-", "_", "a..",
		"1234567890123456789012345678901234567890123456789012345678901234",
	};
	for (size_t i = 0; i < N_ELEMENTS(bad); i++)
		assert_cannot_open(session(bad[i]), PINFOLD_E_USAGE);
	for (size_t i = 0; i < N_ELEMENTS(good); i++)
		copies_trees.close(open_one(session(good[i])), PINFOLD_COPY_KEEP);
}

static void a_session_keeps_its_kind(void **state)
{
	(void)state;
	struct pinfold_place_order followed = session("followed");
	followed.follow_out = 1;
	struct pinfold_place_order kinds[] = { session("copied"), followed, session_layer("layered") };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++)
		copies_trees.close(open_one(kinds[i]), PINFOLD_COPY_RETIRE);
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++)
		for (size_t j = 0; j < N_ELEMENTS(kinds); j++) {
			struct pinfold_place_order order = kinds[j];
			order.session = kinds[i].session;
			if (i == j)
				copies_trees.close(open_one(order), PINFOLD_COPY_KEEP);
			else
				assert_cannot_open(order, PINFOLD_E_SESSION);
		}
}

static void a_layer_looks_like_what_it_lies_over(void **state)
{
	(void)state;
	struct stat tree, upper;
	assert_int_equal(chmod(place.tree, 0751), 0);
	place_set_time(place.tree, 1000000000, 123456789);
	struct pinfold_copy *copy = open_one(session_layer(NULL));
	assert_string_equal(copies_trees.directory(copy), place.tree);
	assert_int_equal(lstat(place.tree, &tree), 0);
	assert_int_equal(lstat(copies_trees.upper(copy), &upper), 0);
	assert_int_equal(upper.st_mode, tree.st_mode);
	assert_int_equal(upper.st_mtim.tv_sec, 1000000000);
	assert_int_equal(upper.st_mtim.tv_nsec, 123456789);
	assert_int_equal(place_count(copies_trees.work(copy)), 0);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
}

static void a_layer_is_empty_except_in_a_session(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct pinfold_copy *copy = open_one(session_layer(NULL));
		assert_int_equal(place_count(copies_trees.upper(copy)), 0);
		write_in(copies_trees.upper(copy), "f", "f");
		copies_trees.close(copy, PINFOLD_COPY_KEEP);
	}
	struct kept *kept = open_kept(NULL);
	assert_true(kept->parts[0].layer);
	assert_int_equal(faccessat(kept->parts[0].held_fd, "f", F_OK, 0), 0);
	kept_close(kept);
	for (int i = 0; i < 2; i++) {
		struct pinfold_copy *copy = open_one(session_layer("mine"));
		assert_int_equal(is_in(copies_trees.upper(copy), "f"), i == 1);
		write_in(copies_trees.upper(copy), "f", "f");
		copies_trees.close(copy, PINFOLD_COPY_RETIRE);
	}
}

static void layers_over_other_places_are_found_again(void **state)
{
	(void)state;
	struct pinfold_layer first = { 0 }, second = { 0 }, again = { 0 };
	place_directory(place_path("elsewhere"));
	place_directory(place_path("cache"));
	assert_int_equal(chmod(place_path("cache"), 0711), 0);
	struct pinfold_copy *copy = open_one(session("mine"));
	const char *layers = copies_trees.layers(copy);
	const struct pinfold_host *host = place_host();
	assert_int_equal(copies_trees.layer(host, layers, place_path("elsewhere"), &first, &place.err), 0);
	assert_int_equal(copies_trees.layer(host, layers, place_path("cache"), &second, &place.err), 0);
	assert_int_equal(copies_trees.layer(host, layers, place_path("elsewhere"), &again, &place.err), 0);
	assert_string_equal(first.upper, again.upper);
	assert_int_equal(first.work_inode, again.work_inode);
	assert_string_not_equal(first.upper, second.upper);
	struct stat upper;
	assert_int_equal(lstat(second.upper, &upper), 0);
	assert_int_equal(upper.st_mode & 07777, 0711);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	struct kept *kept = open_kept("mine");
	assert_int_equal(kept->count, 3);
	assert_string_equal(kept->parts[1].path, place_path("elsewhere"));
	assert_string_equal(kept->parts[2].path, place_path("cache"));
	assert_true(kept->parts[2].layer);
	assert_same_object(kept->parts[2].held_fd, second.upper);
	kept_close(kept);
}

static void layers_over_other_places_end_with_a_run_of_no_session(void **state)
{
	(void)state;
	struct pinfold_layer layer = { 0 };
	place_directory(place_path("elsewhere"));
	for (int i = 0; i < 2; i++) {
		struct pinfold_copy *copy = open_one(session(NULL));
		assert_int_equal(copies_trees.layer(place_host(), copies_trees.layers(copy),
						    place_path("elsewhere"), &layer, &place.err), 0);
		assert_int_equal(place_count(layer.upper), 0);
		write_in(layer.upper, "f", "f");
		copies_trees.close(copy, PINFOLD_COPY_KEEP);
		struct kept *kept = open_kept(NULL);
		assert_int_equal(kept->count, 2);
		kept_close(kept);
	}
}

static void assert_touched(const char *name, size_t part, uint32_t entries)
{
	struct kept *kept = open_kept(name);
	assert_true(kept->parts[part].layer);
	assert_non_null(kept->parts[part].base.memory);
	assert_int_equal(kept->parts[part].base.header->count, entries);
	kept_close(kept);
}

/* The root, and what was touched. */
static void what_layers_touch_is_written_down_when_a_run_ends(void **state)
{
	(void)state;
	struct pinfold_layer layer = { 0 };
	place_directory(place_path("elsewhere"));
	for (uint32_t i = 0; i < 2; i++) {
		struct pinfold_copy *copy = open_one(session_layer("mine"));
		write_in(copies_trees.upper(copy), i ? "g" : "f", "f");
		assert_int_equal(copies_trees.layer(place_host(), copies_trees.layers(copy),
						    place_path("elsewhere"), &layer, &place.err), 0);
		write_in(layer.upper, "h", "h");
		copies_trees.close(copy, i ? PINFOLD_COPY_KEEP : PINFOLD_COPY_RETIRE);
		assert_touched("mine", 0, 2 + i);
		assert_touched("mine", 1, 2);
	}
	struct pinfold_copy *copy = open_one(session_layer(NULL));
	write_in(copies_trees.upper(copy), "f", "f");
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	assert_touched(NULL, 0, 2);
}

/* What a process leaves that opens it and is killed, before or after it was brought up to date. */
static void be_killed(struct pinfold_place_order order, bool synced)
{
	pid_t child = fork();
	if (child == 0) {
		struct pinfold_copy *copy = NULL;
		if (place_open_order(&order, &copy) < 0 || (synced && place_sync(copy) < 0))
			_exit(1);
		write_in(order.layer ? copies_trees.upper(copy) : copies_trees.directory(copy), "left", "left");
		raise(SIGKILL);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static void a_session_survives_a_killed_run(void **state)
{
	(void)state;
	struct pinfold_place_order kinds[] = { session("copied"), session_layer("layered") };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
		be_killed(kinds[i], true);
		struct kept *kept = open_kept(kinds[i].session);
		assert_int_equal(faccessat(kept->parts[0].held_fd, "left", F_OK, 0), 0);
		if (kept->parts[0].layer)
			assert_int_equal(kept->parts[0].base.header->count, 2);
		kept_close(kept);
		be_killed(kinds[i], true);
		struct pinfold_copy *copy = open_one(kinds[i]);
		assert_int_equal(place.work.fresh, 0);
		copies_trees.close(copy, PINFOLD_COPY_KEEP);
	}
}

static uint64_t count_changes(const char *name)
{
	uint64_t count = 0;
	struct kept *kept = open_kept(name);
	assert_int_equal(kept_count(kept, &count, &place.err), 0);
	kept_close(kept);
	return count;
}

/* Where nothing else happens, and where more is changed beside it, by the command or in the tree. */
static void what_was_added_goes_on_being_a_change(void **state)
{
	(void)state;
	place_directory(place_path("work/d"));
	place_write(place_path("work/d/f"), "f");
	struct pinfold_copy *copy = open_one(session("mine"));
	write_in(copies_trees.directory(copy), "top", "new");
	write_in(copies_trees.directory(copy), "d/new", "new");
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(count_changes("mine"), 2);
		place_let_age();
		copies_trees.close(open_one(session("mine")), PINFOLD_COPY_KEEP);
	}
	place_write(place_path("work/d/f"), "other");
	place_write(place_path("work/g"), "g");
	copies_trees.close(open_one(session("mine")), PINFOLD_COPY_KEEP);
	assert_int_equal(count_changes("mine"), 2);
	copy = open_one(session("mine"));
	char path[4096];
	snprintf(path, sizeof(path), "%s/d/new", copies_trees.directory(copy));
	unlink(path);
	write_in(copies_trees.directory(copy), "d/other", "new");
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	copies_trees.close(open_one(session("mine")), PINFOLD_COPY_KEEP);
	assert_int_equal(count_changes("mine"), 2);
}

static void a_session_whose_first_copy_was_never_finished_begins_anew(void **state)
{
	(void)state;
	be_killed(session("mine"), false);
	assert_cannot_keep("mine", PINFOLD_E_SESSION);
	struct pinfold_copy *copy = open_one(session("mine"));
	assert_int_equal(place.work.fresh, 1);
	assert_false(is_in(copies_trees.directory(copy), "left"));
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	be_killed(session("other"), false);
	copies_trees.close(open_one(session_layer("other")), PINFOLD_COPY_KEEP);
}

static void a_session_that_cannot_begin_leaves_nothing(void **state)
{
	(void)state;
	place.settings[0] = "copy.max-files=1";
	place_write(place_path("work/f"), "f");
	place_write(place_path("work/g"), "g");
	struct pinfold_copy *copy = NULL;
	struct pinfold_place_order order = session("mine");
	assert_int_equal(place_open_order(&order, &copy), 0);
	assert_int_equal(place_sync(copy), -1);
	copies_trees.close(copy, PINFOLD_COPY_KEEP);
	assert_cannot_keep("mine", PINFOLD_E_SESSION);
}

#define SESSION_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SESSION_TEST(the_last_run_is_found_with_what_was_known_before_it),
		SESSION_TEST(the_last_of_several_runs_is_the_one_that_began_last),
		SESSION_TEST(nothing_is_found_where_nothing_ran),
		SESSION_TEST(what_a_command_works_in_is_not_opened),
		SESSION_TEST(what_is_opened_no_command_works_in),
		SESSION_TEST(names_of_sessions_are_plain),
		SESSION_TEST(a_session_keeps_its_kind),
		SESSION_TEST(a_layer_looks_like_what_it_lies_over),
		SESSION_TEST(a_layer_is_empty_except_in_a_session),
		SESSION_TEST(layers_over_other_places_are_found_again),
		SESSION_TEST(layers_over_other_places_end_with_a_run_of_no_session),
		SESSION_TEST(what_layers_touch_is_written_down_when_a_run_ends),
		SESSION_TEST(a_session_survives_a_killed_run),
		SESSION_TEST(what_was_added_goes_on_being_a_change),
		SESSION_TEST(a_session_whose_first_copy_was_never_finished_begins_anew),
		SESSION_TEST(a_session_that_cannot_begin_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
