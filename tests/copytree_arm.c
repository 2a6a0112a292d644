/* tests/copytree_arm.c - the arm copytree promises what a copy can keep, and says what it cannot; its
 * view hands the tree to the engine in the way that the chosen arm needs. */
#include "config.h"

#include "namespaces_host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fault.h"
#include "base/text.h"
#include "plugins/copytree/copytree.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct pinfold_shown shown_at(const char *directory)
{
	return (struct pinfold_shown){ .size = sizeof(struct pinfold_shown), .tree = "/home/u/work",
				       .source = "/scratch/t/1/0/tree",
				       .temporary = "/scratch/t/1/0/tmp", .directory = directory };
}

static struct pinfold_plan plan_for(struct test_host *host, const struct pinfold_policy *policy,
				    const char *directory)
{
	struct pinfold_shown shown = shown_at(directory);
	struct pinfold_plan plan = { .size = sizeof(plan), .host = &host->table };
	struct pinfold_error err = { 0 };
	if (copytree_arm.prepare(&host->table, policy, &shown, &plan, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	return plan;
}

static void every_axis_is_answered_and_what_is_not_kept_has_a_note(void **state)
{
	(void)state;
	struct test_host host;
	test_host_open(&host);
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	assert_int_equal(copytree_arm.probe(&host.table, &offer, &err), 0);
	assert_int_equal(offer.available, 1);
	assert_int_equal(offer.answered, (1u << PINFOLD_AXIS_COUNT) - 1);
	assert_int_equal(offer.kept & ~PINFOLD_BIT(PROCESS_TREE), PINFOLD_BIT(FILESYSTEM));
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (!(offer.kept >> axis & 1))
			assert_non_null(offer.note[axis]);
	bool lists = access("/proc/thread-self/children", R_OK) == 0;
	assert_int_equal(!!(offer.kept & PINFOLD_BIT(PROCESS_TREE)), lists);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	test_host_close(&host);
}

static void the_command_works_in_the_copy_where_it_was_in_the_tree(void **state)
{
	(void)state;
	static const char *const directories[][2] = {
		{ "/home/u/work", "/scratch/t/1/0/tree" },
		{ "/home/u/work/a/b", "/scratch/t/1/0/tree/a/b" },
		{ NULL, "/scratch/t/1/0/tree" },
	};
	struct pinfold_policy policy = { .size = sizeof(policy), .network = PINFOLD_NETWORK_HOST };
	for (size_t i = 0; i < N_ELEMENTS(directories); i++) {
		struct test_host host;
		test_host_open(&host);
		struct pinfold_plan plan = plan_for(&host, &policy, directories[i][0]);
		assert_string_equal(plan.directory, directories[i][1]);
		assert_string_equal(plan.temporary, "/scratch/t/1/0/tmp");
		assert_int_equal(plan.namespaces, 0);
		assert_int_equal(plan.gap_count, 0);
		test_host_close(&host);
	}
}

static void a_directory_that_is_not_in_the_tree_is_a_fault(void **state)
{
	(void)state;
	struct test_host host;
	test_host_open(&host);
	struct pinfold_policy policy = { .size = sizeof(policy), .network = PINFOLD_NETWORK_HOST };
	struct pinfold_shown shown = shown_at("/home/u/work2");
	struct pinfold_plan plan = { .size = sizeof(plan), .host = &host.table };
	struct pinfold_error err = { 0 };
	assert_int_equal(copytree_arm.prepare(&host.table, &policy, &shown, &plan, &err), -1);
	assert_string_equal(err.subject, "/home/u/work2");
	shown = shown_at("/home/u/work");
	shown.kind = PINFOLD_SHOW_OVERLAY;
	assert_int_equal(copytree_arm.prepare(&host.table, &policy, &shown, &plan, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	test_host_close(&host);
}

static void what_the_policy_asks_and_a_copy_cannot_give_is_a_gap(void **state)
{
	(void)state;
	static const char *const constructs[] = { "network none", "network loopback", NULL };
	static const struct pinfold_path paths[] = {
		{ .size = sizeof(paths[0]), .kind = PINFOLD_PATH_WRITE, .path = "/w" },
		{ .size = sizeof(paths[0]), .kind = PINFOLD_PATH_HIDE, .path = "/home/u/.ssh" },
		{ .size = sizeof(paths[0]), .kind = PINFOLD_PATH_HIDE, .path = "/home/u/.aws" },
	};
	for (uint32_t network = 0; network < N_ELEMENTS(constructs); network++) {
		for (size_t count = 0; count <= N_ELEMENTS(paths); count++) {
			struct test_host host;
			test_host_open(&host);
			struct pinfold_policy policy = { .size = sizeof(policy), .network = network,
							 .paths = paths, .path_count = count };
			struct pinfold_plan plan = plan_for(&host, &policy, "/home/u/work");
			unsigned closed = constructs[network] != NULL;
			assert_int_equal(plan.gap_count, closed + (count > 1));
			if (closed) {
				assert_string_equal(plan.gaps[0].name, "network");
				assert_string_equal(plan.gaps[0].construct, constructs[network]);
			}
			if (count > 1) {
				assert_string_equal(plan.gaps[closed].name, "secrets");
				assert_string_equal(plan.gaps[closed].construct,
						    count == 2 ? "hidden /home/u/.ssh" :
								 "hidden /home/u/.ssh and 1 more");
			}
			for (uint32_t i = 0; i < plan.gap_count; i++) {
				assert_non_null(plan.gaps[i].why);
				assert_non_null(plan.gaps[i].lift);
			}
			test_host_close(&host);
		}
	}
}

/* In a child: what is given up there is given up for good. */
static int enter(uint32_t first, uint32_t second)
{
	struct test_host host;
	test_host_open(&host);
	struct pinfold_plan plan = { .size = sizeof(plan), .host = &host.table };
	pid_t child = fork();
	if (child == 0)
		_exit(-(copytree_arm.enter(&plan, first) ?: copytree_arm.enter(&plan, second)));
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	test_host_close(&host);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_command_cannot_raise_its_privileges_and_that_is_verified(void **state)
{
	(void)state;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) {
		print_message("the caller cannot raise its privileges either\n");
		skip();
	}
	assert_int_equal(enter(PINFOLD_STAGE_APPLY, PINFOLD_STAGE_VERIFY), 0);
	assert_int_equal(enter(PINFOLD_STAGE_VIEW, PINFOLD_STAGE_VERIFY), EPERM);
}

static struct {
	uint32_t follow_out, keep;
	unsigned opened, closed;
	int fails;
} engine;

static int fake_open(const struct pinfold_host *host, const char *tree, uint32_t follow_out,
		     const struct pinfold_budget *budget, struct pinfold_copy **ret_copy,
		     struct pinfold_error *err)
{
	(void)host;
	(void)budget;
	engine.follow_out = follow_out;
	if (engine.fails)
		return fault(err, PINFOLD_E_TREE, 0, "open", tree, "");
	*ret_copy = (struct pinfold_copy *)&engine;
	engine.opened++;
	return 0;
}

static int fake_sync(struct pinfold_copy *copy, struct pinfold_work *ret_work,
		     struct pinfold_error *err)
{
	(void)copy;
	(void)err;
	ret_work->walked = 7;
	return 0;
}

static const char *fake_place(const struct pinfold_copy *copy)
{
	(void)copy;
	return "/";
}

static void fake_close(struct pinfold_copy *copy, uint32_t keep)
{
	engine.keep = keep;
	engine.closed += copy != NULL;
}

static const struct pinfold_trees fakes = { .size = sizeof(fakes), .open = fake_open,
					    .sync = fake_sync, .directory = fake_place,
					    .temporary = fake_place, .close = fake_close };

static void the_view_follows_links_out_only_where_the_arm_does_not_keep_writes(void **state)
{
	(void)state;
	static const uint64_t promises[] = { PINFOLD_BIT(FILESYSTEM),
					     PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES) };
	for (size_t i = 0; i < N_ELEMENTS(promises); i++) {
		struct test_host host;
		test_host_open(&host);
		struct pinfold_shown shown = { .size = sizeof(shown) };
		struct pinfold_work work = { .size = sizeof(work) };
		struct pinfold_error err = { 0 };
		struct stat top;
		void *opened = NULL;
		host.table.trees = &fakes;
		assert_int_equal(copytree_view.open(&host.table, "/w", NULL, 0, promises[i], &opened, &err),
				 0);
		assert_int_equal(engine.follow_out, i == 0);
		assert_int_equal(copytree_view.sync(&host.table, opened, &shown, &work, &err), 0);
		assert_int_equal(work.walked, 7);
		assert_int_equal(stat("/", &top), 0);
		assert_string_equal(shown.source, "/");
		assert_true(shown.source_inode == top.st_ino && shown.source_device == top.st_dev);
		assert_true(shown.temporary_inode == top.st_ino && shown.temporary_device == top.st_dev);
		copytree_view.close(&host.table, opened, PINFOLD_COPY_RETIRE);
		assert_int_equal(engine.keep, PINFOLD_COPY_RETIRE);
		copytree_view.close(&host.table, NULL, PINFOLD_COPY_KEEP);
		test_host_close(&host);
	}
	assert_int_equal(engine.opened, engine.closed);
}

static void a_copy_that_cannot_be_opened_is_the_view_s_failure(void **state)
{
	(void)state;
	struct test_host host;
	test_host_open(&host);
	struct pinfold_error err = { 0 };
	void *opened = NULL;
	assert_int_equal(copytree_view.open(&host.table, "/w", NULL, 0, 0, &opened, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_PLUGIN);
	host.table.trees = &fakes;
	engine.fails = 1;
	assert_int_equal(copytree_view.open(&host.table, "/w", NULL, 0, 0, &opened, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_TREE);
	assert_null(opened);
	engine.fails = 0;
	test_host_close(&host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_axis_is_answered_and_what_is_not_kept_has_a_note),
		cmocka_unit_test(the_command_works_in_the_copy_where_it_was_in_the_tree),
		cmocka_unit_test(a_directory_that_is_not_in_the_tree_is_a_fault),
		cmocka_unit_test(what_the_policy_asks_and_a_copy_cannot_give_is_a_gap),
		cmocka_unit_test(the_command_cannot_raise_its_privileges_and_that_is_verified),
		cmocka_unit_test(the_view_follows_links_out_only_where_the_arm_does_not_keep_writes),
		cmocka_unit_test(a_copy_that_cannot_be_opened_is_the_view_s_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
