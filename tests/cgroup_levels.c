/* tests/cgroup_levels.c - where the cgroup of a run may lie, and what the kernel's small files say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "cgroup/group.h"
#include "cgroup/levels.h"

enum { ALL = LEVEL_MEMORY | LEVEL_TASKS | LEVEL_PROCESSORS };

/* Machines, each from the caller's cgroup upward. */
static const struct level above_users = { .name = "user.slice", .controllers = ALL, .enabled = ALL };
static const struct level machine = { .name = "", .controllers = ALL, .enabled = ALL, .managed = true,
				      .occupied = true, .first = true };
static const struct level manager = { .name = "user@1000.service", .controllers = ALL, .enabled = ALL, .owned = true,
				      .marked = true, .managed = true };
static const struct level applications = { .name = "app.slice", .controllers = ALL, .enabled = ALL, .owned = true };
static const struct level scope = { .name = "run-1.scope", .controllers = ALL, .owned = true, .occupied = true };
static const struct level callers = { .name = "pinfold-callers", .owned = true, .occupied = true };

static struct level but(struct level level, bool occupied, bool marked)
{
	level.occupied = occupied;
	level.marked = marked;
	return level;
}

static void a_scope_that_holds_the_caller_itself_would_do_but_for_that(void **state)
{
	(void)state;
	const struct level levels[] = { scope, applications, manager, above_users, machine };
	struct level_choice choice = levels_choose(levels, N_ELEMENTS(levels), false, ALL);
	assert_int_equal(choice.verdict, LEVEL_OCCUPIED);
	assert_int_equal(choice.index, 0);
}

static void a_scope_above_the_callers_cgroup_is_the_place(void **state)
{
	(void)state;
	const struct level levels[] = { callers, but(scope, false, false), applications, manager, machine };
	struct level_choice choice = levels_choose(levels, N_ELEMENTS(levels), false, ALL);
	assert_int_equal(choice.verdict, LEVEL_FOUND);
	assert_int_equal(choice.index, 1);
}

/* Although the user owns it, and all is enabled in it. */
static void what_lies_between_units_is_the_service_managers(void **state)
{
	(void)state;
	struct level without = scope;
	without.controllers = 0;
	const struct level levels[] = { without, applications, manager, above_users, machine };
	struct level_choice choice = levels_choose(levels, N_ELEMENTS(levels), false, LEVEL_MEMORY);
	assert_int_equal(choice.verdict, LEVEL_WITHOUT);
	assert_int_equal(choice.lacking, LEVEL_MEMORY);
	assert_int_equal(levels_choose(levels + 1, N_ELEMENTS(levels) - 1, false, ALL).verdict, LEVEL_FOREIGN);
}

static void a_session_of_the_machines_manager_is_not_its_users(void **state)
{
	(void)state;
	struct level session = scope;
	session.owned = false;
	const struct level levels[] = { session, above_users, machine };
	assert_int_equal(levels_choose(levels, N_ELEMENTS(levels), false, ALL).verdict, LEVEL_FOREIGN);
}

static void root_has_what_carries_the_mark_and_no_more(void **state)
{
	(void)state;
	const struct level unmarked[] = { callers, but(scope, false, false), above_users, machine };
	const struct level marked[] = { callers, but(scope, false, true), above_users, machine };
	assert_int_equal(levels_choose(unmarked, N_ELEMENTS(unmarked), true, ALL).verdict, LEVEL_FOREIGN);
	assert_int_equal(levels_choose(marked, N_ELEMENTS(marked), true, ALL).verdict, LEVEL_FOUND);
	assert_int_equal(levels_choose(&machine, 1, true, ALL).verdict, LEVEL_FOREIGN);
}

/* Its owner could end, stop and starve what root runs there. */
static void root_takes_no_place_that_belongs_to_somebody_else(void **state)
{
	(void)state;
	struct level given = but(scope, false, true), alone = scope;
	given.owned = alone.owned = false;
	const struct level managed[] = { given, above_users, machine };
	assert_int_equal(levels_choose(managed, N_ELEMENTS(managed), true, ALL).verdict, LEVEL_FOREIGN);
	assert_int_equal(levels_choose(&alone, 1, true, ALL).verdict, LEVEL_FOREIGN);
}

static void a_controller_that_is_elsewhere_or_switched_off_is_told(void **state)
{
	(void)state;
	static const char text[] = "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpuset\t3\t1\t1\ncpu\t0\t9\t1\n"
				   "memory\t4\t62\t1\npids\t0\t1\t0\n";
	assert_int_equal(levels_elsewhere(text, ALL).old, LEVEL_MEMORY);
	assert_int_equal(levels_elsewhere(text, ALL).off, LEVEL_TASKS);
	assert_int_equal(levels_elsewhere(text, LEVEL_PROCESSORS).old, 0);
	assert_int_equal(levels_elsewhere("", ALL).old | levels_elsewhere("pids 1", ALL).off, 0);
}

static void without_a_service_manager_the_first_cgroup_will_do_with_processes_in_it(void **state)
{
	(void)state;
	struct level first = machine, container = machine;
	first.managed = false;
	container.managed = container.first = false;
	container.enabled = 0;
	assert_int_equal(levels_choose(&first, 1, false, ALL).verdict, LEVEL_FOREIGN);
	first.owned = container.owned = true;
	assert_int_equal(levels_choose(&first, 1, true, ALL).verdict, LEVEL_FOUND);
	assert_int_equal(levels_choose(&container, 1, true, ALL).verdict, LEVEL_OCCUPIED);
}

static void only_what_is_wanted_must_be_there(void **state)
{
	(void)state;
	struct level part = but(scope, false, false);
	part.controllers = LEVEL_MEMORY | LEVEL_TASKS;
	const struct level levels[] = { callers, part, applications, manager };
	assert_int_equal(levels_choose(levels, N_ELEMENTS(levels), false, LEVEL_TASKS).verdict, LEVEL_FOUND);
	struct level_choice choice = levels_choose(levels, N_ELEMENTS(levels), false, ALL);
	assert_int_equal(choice.verdict, LEVEL_WITHOUT);
	assert_int_equal(choice.lacking, LEVEL_PROCESSORS);	/* the caller's own lacks all three */
}

static void the_path_of_the_one_hierarchy_is_found_among_others(void **state)
{
	(void)state;
	char both[] = "3:cpu:/a\n0::/user.slice/x y.scope\n", old[] = "3:cpu:/a\n", outside[] = "0::/../other\n";
	assert_string_equal(levels_own_path(both), "/user.slice/x y.scope");
	assert_null(levels_own_path(old));
	assert_string_equal(levels_own_path(outside), "/../other");
}

static void a_mount_is_read_with_its_escapes_and_no_other_kind_is(void **state)
{
	(void)state;
	char *root, *point;
	char one[] = "31 22 0:26 /a\\040b /sys/fs/c\\134d rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";
	char other[] = "32 22 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu", cut[] = "31 22 - cgroup2 x rw";
	assert_true(levels_mount(one, &root, &point));
	assert_string_equal(root, "/a b");
	assert_string_equal(point, "/sys/fs/c\\d");
	assert_false(levels_mount(other, &root, &point));
	assert_false(levels_mount(cut, &root, &point));
}

static void what_a_mount_does_not_show_is_not_guessed(void **state)
{
	(void)state;
	assert_string_equal(levels_below("/a/b", "/"), "a/b");
	assert_string_equal(levels_below("/a/b", "/a"), "b");
	assert_string_equal(levels_below("/a", "/a"), "");
	assert_null(levels_below("/ab", "/a"));
	assert_null(levels_below("/../a", "/"));
	assert_null(levels_below("/a", "/.."));
}

static void controllers_and_counts_are_whole_words(void **state)
{
	(void)state;
	char room[64];
	assert_int_equal(levels_controllers("cpuset cpu io memory hugetlb pids\n"), ALL);
	assert_int_equal(levels_controllers("cpuset pidsx"), 0);
	assert_int_equal(levels_controllers(""), 0);
	assert_string_equal(levels_order(LEVEL_MEMORY | LEVEL_PROCESSORS, '+', room), "+memory +cpu");
	assert_string_equal(levels_order(LEVEL_TASKS, '-', room), "-pids");
	assert_string_equal(levels_words(LEVEL_MEMORY | LEVEL_TASKS, room), "memory and tasks");
	static const char events[] = "low 0\noom 3\noom_kill 2\noom_group_kill 1\nmax 7\n";
	assert_int_equal(levels_count(events, "oom_kill"), 2);
	assert_int_equal(levels_count(events, "max"), 7);
	assert_int_equal(levels_count(events, "oom_"), 0);
	assert_int_equal(levels_count("", "max"), 0);
}

/* On this machine, whatever it gives: a refusal says why and what would lift it. */
static void a_group_is_had_and_holds_or_is_refused_with_a_remedy(void **state)
{
	(void)state;
	struct group_refusal refusal = { "", "" };
	if (group_try(false, &refusal) == 0)
		return;
	assert_true(refusal.why[0] != '\0');
	assert_true(refusal.lift[0] != '\0');
	assert_null(strstr(refusal.why, "did not hold"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scope_that_holds_the_caller_itself_would_do_but_for_that),
		cmocka_unit_test(a_scope_above_the_callers_cgroup_is_the_place),
		cmocka_unit_test(what_lies_between_units_is_the_service_managers),
		cmocka_unit_test(a_session_of_the_machines_manager_is_not_its_users),
		cmocka_unit_test(root_takes_no_place_that_belongs_to_somebody_else),
		cmocka_unit_test(a_controller_that_is_elsewhere_or_switched_off_is_told),
		cmocka_unit_test(root_has_what_carries_the_mark_and_no_more),
		cmocka_unit_test(without_a_service_manager_the_first_cgroup_will_do_with_processes_in_it),
		cmocka_unit_test(only_what_is_wanted_must_be_there),
		cmocka_unit_test(the_path_of_the_one_hierarchy_is_found_among_others),
		cmocka_unit_test(a_mount_is_read_with_its_escapes_and_no_other_kind_is),
		cmocka_unit_test(what_a_mount_does_not_show_is_not_guessed),
		cmocka_unit_test(controllers_and_counts_are_whole_words),
		cmocka_unit_test(a_group_is_had_and_holds_or_is_refused_with_a_remedy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
