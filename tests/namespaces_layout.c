/* tests/namespaces_layout.c - what the arm decides before it touches anything: places, their order, and
 * which of the host's sockets have to be covered. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "namespaces_host.h"
#include "plugins/namespaces/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct fixture {
	struct test_host host;
	struct pinfold_path paths[8];
	struct pinfold_policy policy;
	struct pinfold_shown shown;
	struct scene scene;
	struct layout layout;
	struct pinfold_error err;
};

static int open_fixture(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	test_host_open(&f->host);
	f->policy = (struct pinfold_policy){ .size = sizeof(f->policy), .paths = f->paths,
					     .scratch = "/home/u/.cache/pinfold" };
	f->shown = (struct pinfold_shown){
		.size = sizeof(f->shown), .tree = "/home/u/work",
		.source = "/home/u/.cache/pinfold/copy", .temporary = "/home/u/.cache/pinfold/tmp",
		.directory = "/home/u/work", .source_inode = 7, .tree_inode = 8,
	};
	f->scene = (struct scene){
		.policy = &f->policy, .shown = &f->shown,
		.private_source = "/home/u/.cache/pinfold/tmp/tmp",
		.temporary = { "/tmp", "/var/tmp" }, .blank = { "/run", NULL }, .fresh_proc = true,
	};
	*state = f;
	return 0;
}

static int close_fixture(void **state)
{
	struct fixture *f = *state;
	test_host_close(&f->host);
	free(f);
	return 0;
}

static void add_path(struct fixture *f, uint32_t kind, const char *path, uint32_t mode)
{
	f->paths[f->policy.path_count++] = (struct pinfold_path){
		.size = sizeof(f->paths[0]), .kind = kind, .path = path, .mode = mode, .inode = 5,
	};
}

static void lay_out(struct fixture *f)
{
	assert_int_equal(layout_make(&f->host.table, &f->scene, &f->layout, &f->err), 0);
}

static const struct place *place_at(const struct fixture *f, const char *path)
{
	for (size_t i = 0; i < f->layout.count; i++)
		if (streq(f->layout.places[i].path, path))
			return &f->layout.places[i];
	return NULL;
}

static bool has_make(const struct makes *makes, const char *path)
{
	for (size_t i = 0; i < makes->count; i++)
		if (streq(makes->rows[i].path, path))
			return true;
	return false;
}

static void assert_refused(struct fixture *f, const char *subject)
{
	assert_int_equal(layout_make(&f->host.table, &f->scene, &f->layout, &f->err), -1);
	assert_string_equal(f->err.subject, subject);
	assert_true(f->err.recovery[0] != '\0');
}

static void every_place_comes_after_the_one_it_lies_in(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.ssh", S_IFDIR);
	add_path(f, PINFOLD_PATH_WRITE, "/home/u/work/out", S_IFDIR);
	add_path(f, PINFOLD_PATH_LAYER, "/home/u/.cargo", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.cargo/credentials.toml", S_IFREG);
	lay_out(f);
	for (size_t i = 0; i < f->layout.count; i++)
		for (size_t k = 0; k < i; k++)
			assert_false(path_lies_in(f->layout.places[k].path, f->layout.places[i].path));
	assert_ptr_equal(place_at(f, "/home/u/work/out")->around, place_at(f, "/home/u/work"));
	assert_ptr_equal(place_at(f, "/home/u/.cargo/credentials.toml")->around,
			 place_at(f, "/home/u/.cargo"));
}

static void a_neighbour_whose_name_begins_alike_is_not_taken_for_a_parent(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/work-old", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/work/key", S_IFREG);
	lay_out(f);
	assert_null(place_at(f, "/home/u/work-old")->around);
	assert_ptr_equal(place_at(f, "/home/u/work/key")->around, place_at(f, "/home/u/work"));
}

static void a_tree_below_an_emptied_directory_gets_its_mount_point(void **state)
{
	struct fixture *f = *state;
	f->shown.tree = "/tmp/a/b";
	lay_out(f);
	assert_true(has_make(&f->layout.mount_points, "a"));
	assert_true(has_make(&f->layout.mount_points, "a/b"));

	f->shown.tree = "/run/x/y";
	lay_out(f);
	const char *point = arena_print(f->host.arena, "%s/x/y", place_at(f, "/run")->skeleton);
	assert_true(has_make(&f->layout.skeleton, point));

	f->shown.tree = "/dev/shm/t";
	lay_out(f);
	assert_true(has_make(&f->layout.skeleton, "shm/t"));
}

static void a_tree_below_a_hidden_directory_is_shown_in_an_emptied_one(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_HIDE, "/home/other", S_IFDIR);
	f->shown.tree = "/home/other/src/t";
	lay_out(f);
	const struct place *hidden = place_at(f, "/home/other");
	assert_non_null(hidden->skeleton);
	assert_true(has_make(&f->layout.skeleton,
			     arena_print(f->host.arena, "%s/src/t", hidden->skeleton)));
}

static void what_is_hidden_in_an_emptied_directory_needs_no_place(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_HIDE, "/run/user/1000/keyring", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/tmp/secret", S_IFREG);
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.gnupg", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.gnupg/private", S_IFDIR);
	lay_out(f);
	assert_null(place_at(f, "/run/user/1000/keyring"));
	assert_null(place_at(f, "/tmp/secret"));
	assert_non_null(place_at(f, "/home/u/.gnupg"));
	assert_null(place_at(f, "/home/u/.gnupg/private"));
}

static void what_is_hidden_in_the_tree_is_hidden_in_its_copy(void **state)
{
	struct fixture *f = *state;
	f->shown.tree = "/tmp/t";
	add_path(f, PINFOLD_PATH_HIDE, "/tmp/t/key", S_IFREG);
	lay_out(f);
	assert_int_equal(place_at(f, "/tmp/t/key")->kind, PLACE_HIDE);
}

static void directories_on_the_way_to_a_hidden_path_in_a_writable_one_are_held(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_WRITE, "/srv/w", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/srv/w/a/b/key", S_IFREG);
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/work/a/key", S_IFREG);
	lay_out(f);
	assert_int_equal(place_at(f, "/srv/w/a")->kind, PLACE_PIN);
	assert_int_equal(place_at(f, "/srv/w/a/b")->kind, PLACE_PIN);
	assert_null(place_at(f, "/home/u/work/a"));	/* a copy: the next run has another */

	f->shown.source = f->shown.tree;	/* the tree itself: the next run would see it moved */
	lay_out(f);
	assert_int_equal(place_at(f, "/home/u/work/a")->kind, PLACE_PIN);
}

static size_t first_bytes;

static void *allocate_and_note(const struct pinfold_host *host, size_t bytes)
{
	if (!first_bytes)
		first_bytes = bytes;
	return arena_allocate(((const struct test_host *)host)->arena, bytes);
}

static void there_is_room_for_what_is_held_on_the_way_to_a_deep_scratch_directory(void **state)
{
	struct fixture *f = *state;
	f->shown.source = f->shown.tree;
	f->policy.scratch = "/home/u/work/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/scratch";
	f->host.table.allocate = allocate_and_note;
	first_bytes = 0;
	lay_out(f);
	assert_int_equal(place_at(f, "/home/u/work/1/2/3")->kind, PLACE_PIN);
	assert_true(f->layout.count > 20);
	assert_true(f->layout.count * sizeof(f->layout.places[0]) <= first_bytes);
}

static size_t allocations, failing;

static void *allocate_but_one(const struct pinfold_host *host, size_t bytes)
{
	if (++allocations == failing)
		return NULL;
	return arena_allocate(((const struct test_host *)host)->arena, bytes);
}

static void without_memory_there_is_an_error_and_never_a_view_with_less_in_it(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_WRITE, "/srv/w", S_IFDIR);
	add_path(f, PINFOLD_PATH_HIDE, "/srv/w/a/b/key", S_IFREG);
	f->host.table.allocate = allocate_but_one;
	allocations = failing = 0;
	lay_out(f);
	size_t needed = allocations;
	assert_true(needed > 3);
	for (failing = 1; failing <= needed; failing++) {
		allocations = 0;
		assert_int_equal(layout_make(&f->host.table, &f->scene, &f->layout, &f->err), -1);
		assert_int_equal(f->err.code, PINFOLD_E_NO_MEMORY);
	}
}

static void a_tree_that_the_kernels_directories_would_bury_is_refused_by_name(void **state)
{
	struct fixture *f = *state;
	static const char *const trees[] = { "/", "/proc", "/proc/self/x", "/sys", "/sys/fs", "/dev",
					     "/dev/shm", "/dev/pts/x" };
	for (size_t i = 0; i < N_ELEMENTS(trees); i++) {
		f->shown.tree = trees[i];
		assert_refused(f, trees[i]);
		assert_int_equal(f->err.code, PINFOLD_E_SANDBOX_DENIED);
	}
	f->shown.tree = "/devices";
	lay_out(f);
}

static void a_policy_that_contradicts_itself_is_refused(void **state)
{
	struct fixture *f = *state;
	static const struct { uint32_t kind; const char *path; } rows[] = {
		{ PINFOLD_PATH_HIDE, "/home/u/work" },
		{ PINFOLD_PATH_WRITE, "/" },
		{ PINFOLD_PATH_HIDE, "/" },
		{ PINFOLD_PATH_WRITE, "/proc/sys" },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		f->policy.path_count = 0;
		add_path(f, rows[i].kind, rows[i].path, S_IFDIR);
		assert_refused(f, rows[i].path);
		assert_int_equal(f->err.code, PINFOLD_E_POLICY);
	}
}

static void the_temporary_directory_moves_when_the_tree_takes_its_place(void **state)
{
	struct fixture *f = *state;
	lay_out(f);
	assert_string_equal(f->layout.temporary, "/tmp");
	f->shown.tree = "/tmp";
	lay_out(f);
	assert_string_equal(f->layout.temporary, "/var/tmp");
	f->scene.temporary[1] = NULL;
	lay_out(f);
	assert_string_equal(f->layout.temporary, f->scene.private_source);
	assert_true(place_at(f, f->scene.private_source)->temporary);
	assert_int_equal(place_at(f, f->policy.scratch)->kind, PLACE_HIDE);
}

static void the_runtime_directory_is_empty_and_the_users_own(void **state)
{
	struct fixture *f = *state;
	f->policy.runtime_dir = "/run/user/1000";
	lay_out(f);
	const char *point = arena_print(f->host.arena, "%s/user/1000", place_at(f, "/run")->skeleton);
	assert_true(has_make(&f->layout.skeleton, point));
	f->policy.runtime_dir = "/home/u/.runtime";
	lay_out(f);
	assert_int_equal(place_at(f, "/home/u/.runtime")->kind, PLACE_BLANK);
}

static void a_socket_is_covered_only_where_it_can_be_seen(void **state)
{
	struct fixture *f = *state;
	static const char *const sockets[] = { "/home/u/.gnupg/S.agent", "/home/u/work/s", "/srv/db.sock" };
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.gnupg", S_IFDIR);
	f->scene.sockets = sockets;
	f->scene.socket_count = N_ELEMENTS(sockets);
	lay_out(f);
	assert_null(place_at(f, sockets[0]));
	assert_int_equal(place_at(f, sockets[1])->kind, PLACE_SOCKET);
	assert_int_equal(place_at(f, sockets[2])->kind, PLACE_SOCKET);
}

static void every_place_says_what_it_does_in_an_error(void **state)
{
	struct fixture *f = *state;
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/.ssh", S_IFDIR);
	lay_out(f);
	for (size_t i = 0; i < f->layout.count; i++)
		assert_true(ends_with(f->layout.places[i].what, f->layout.places[i].path));
	assert_string_equal(place_at(f, "/home/u/.ssh")->what, "hide /home/u/.ssh");
}

static void sockets_are_read_from_a_table_with_hostile_names(void **state)
{
	struct fixture *f = *state;
	char table[] =
		"Num       RefCount Protocol Flags    Type St Inode Path\n"
		"0000000012ced614: 00000003 00000000 00000000 0001 03  1650\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1651 /srv/two words\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1652 @abstract/name\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01 12345678 /srv/b\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1653 /srv/b\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1654 relative\n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1655 /srv/a\nrest of a name\n"
		"\n \n0 0 0 0 0 0 0\n0 0 0 0 0 0 0 \n"
		"0000000012ced614: 00000002 00000000 00010000 0001 01  1656 /srv/\xff\x1b[2J";
	const char *const *paths;
	size_t count;
	assert_int_equal(sockets_parse(&f->host.table, table, &paths, &count), 0);
	static const char *const expected[] = { "/srv/a", "/srv/b", "/srv/two words", "/srv/\xff\x1b[2J" };
	assert_int_equal(count, N_ELEMENTS(expected));
	for (size_t i = 0; i < count; i++)
		assert_string_equal(paths[i], expected[i]);
}

static void with_the_scope_of_the_machine_all_lies_below_layers_but_what_has_a_place_of_its_own(void **state)
{
	struct fixture *f = *state;
	static const struct region regions[] = {
		{ .path = "/", .layer = true, .directory = true, .below = 11 },
		{ .path = "/etc/hosts", .below = -1 },
		{ .path = "/home/u/secret/mount", .layer = true, .directory = true, .below = 12 },
		{ .path = "/srv", .layer = true, .directory = true, .below = 13 },
		{ .path = "/sys", .directory = true, .below = -1 },
	};
	f->scene.regions = regions;
	f->scene.region_count = N_ELEMENTS(regions);
	f->scene.whole = true;
	add_path(f, PINFOLD_PATH_HIDE, "/home/u/secret", S_IFDIR);
	add_path(f, PINFOLD_PATH_LAYER, "/home/u/.cargo", S_IFDIR);
	lay_out(f);
	assert_string_equal(f->layout.places[0].path, "/");
	assert_int_equal(f->layout.places[0].kind, PLACE_WHOLE);
	assert_int_equal(place_at(f, "/srv")->kind, PLACE_WHOLE);
	assert_int_equal(place_at(f, "/srv")->below, 13);
	assert_true(place_at(f, "/sys")->kind == PLACE_SHOW && place_at(f, "/sys")->read_only);
	assert_true(place_at(f, "/etc/hosts")->kind == PLACE_SHOW && place_at(f, "/etc/hosts")->read_only);
	assert_int_equal(place_at(f, "/home/u/work")->kind, PLACE_SHOW);
	assert_int_equal(place_at(f, "/home/u/secret")->kind, PLACE_HIDE);
	assert_null(place_at(f, "/home/u/secret/mount"));
	assert_null(place_at(f, "/home/u/.cargo"));
}

int main(void)
{
#define LAYOUT_TEST(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)
	const struct CMUnitTest tests[] = {
		LAYOUT_TEST(every_place_comes_after_the_one_it_lies_in),
		LAYOUT_TEST(a_neighbour_whose_name_begins_alike_is_not_taken_for_a_parent),
		LAYOUT_TEST(a_tree_below_an_emptied_directory_gets_its_mount_point),
		LAYOUT_TEST(a_tree_below_a_hidden_directory_is_shown_in_an_emptied_one),
		LAYOUT_TEST(what_is_hidden_in_an_emptied_directory_needs_no_place),
		LAYOUT_TEST(what_is_hidden_in_the_tree_is_hidden_in_its_copy),
		LAYOUT_TEST(directories_on_the_way_to_a_hidden_path_in_a_writable_one_are_held),
		LAYOUT_TEST(without_memory_there_is_an_error_and_never_a_view_with_less_in_it),
		LAYOUT_TEST(there_is_room_for_what_is_held_on_the_way_to_a_deep_scratch_directory),
		LAYOUT_TEST(a_tree_that_the_kernels_directories_would_bury_is_refused_by_name),
		LAYOUT_TEST(a_policy_that_contradicts_itself_is_refused),
		LAYOUT_TEST(the_temporary_directory_moves_when_the_tree_takes_its_place),
		LAYOUT_TEST(the_runtime_directory_is_empty_and_the_users_own),
		LAYOUT_TEST(a_socket_is_covered_only_where_it_can_be_seen),
		LAYOUT_TEST(with_the_scope_of_the_machine_all_lies_below_layers_but_what_has_a_place_of_its_own),
		LAYOUT_TEST(every_place_says_what_it_does_in_an_error),
		LAYOUT_TEST(sockets_are_read_from_a_table_with_hostile_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
