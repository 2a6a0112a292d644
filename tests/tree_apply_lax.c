/* tests/tree_apply_lax.c - file systems that cannot exchange names, or not even give a file a second one. */
#include "config.h"

#include "tree_applied.h"
#include "tree_picture.h"
#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Renames with flags are no longer known to this process; without `links`, second names neither. */
static int forget_calls(bool links)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, links ? UINT32_MAX : SYS_linkat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
	};
	/* What is no renameat2 jumps to the last but one. */
	rules[3].jf = 2;
	struct sock_fprog program = { .len = N_ELEMENTS(rules), .filter = rules };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static char *before, *after;

static void make_scene(void *context)
{
	(void)context;
	applied_release();
	place_remove(place.tree);
	place_remove(place.scratch);
	place_directory(place.tree);
	applied_meanwhile("mkdir d gone; for n in a b c run d/x gone/f; do echo $n >$n; done; ln -s a link");
	found_start(FOUND_COPY);
	applied_command("echo changed >a; rm b; mkdir new; echo 1 >new/f; rm -r gone; ln -sfn c link; mv c d/c; "
			"mv d e; echo 2 >e/n; chmod 755 run; echo 3 >n");
	free(before);
	free(after);
	before = picture_of(place.tree, PICTURE_TIMES);
	after = picture_of(found_held, PICTURE_TIMES);
	applied_find();
}

/* 0, 1 where it was refused, 2 where no filter is to be had. */
static int apply_in_child(bool links)
{
	pid_t child = fork();
	if (child == 0) {
		if (forget_calls(links) < 0)
			_exit(2);
		_exit(applied_apply() < 0 ? (place.err.sys == ENOTSUP ? 1 : 3) : applied.done ? 0 : 4);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2) {
		print_message("no filter of system calls can be set here\n");
		skip();
	}
	return WEXITSTATUS(status);
}

static void where_names_cannot_be_exchanged_it_is_done_in_two_steps(void **state)
{
	(void)state;
	make_scene(NULL);
	assert_int_equal(apply_in_child(true), 0);
	auto_free char *now = picture_of(place.tree, PICTURE_TIMES);
	picture_assert_equal(strchr(after, '\n'), strchr(now, '\n'));
	assert_false(applied_left_something());
}

static void where_a_file_has_one_name_only_it_is_refused(void **state)
{
	(void)state;
	make_scene(NULL);
	assert_int_equal(apply_in_child(false), 1);
	auto_free char *now = picture_of(place.tree, PICTURE_TIMES);
	picture_assert_equal(before, now);
	assert_false(applied_left_something());
}

static int apply_laxly(void *context)
{
	(void)context;
	return forget_calls(true) < 0 || applied_apply() < 0 || !applied.done ? -1 : 0;
}

static unsigned undone, done;

static void check(void *context, const struct walked *walked)
{
	(void)context;
	if (applied_recover() < 0)
		fail_msg("cannot %s: %s (%s)", place.err.action, place.err.subject, strerror(place.err.sys));
	assert_false(applied_left_something());
	auto_free char *now = picture_of(place.tree, PICTURE_TIMES);
	bool is = picture_is_equal(strchr(after, '\n'), strchr(now, '\n'));
	if (!is)
		picture_assert_equal(before, now);
	assert_true(is || walked->end != WALK_SUCCEEDED);
	done += is;
	undone += !is;
}

static void after_any_fault_of_it_the_tree_is_as_before_or_as_after(void **state)
{
	(void)state;
	static const struct walk walk = { .prepare = make_scene, .act = apply_laxly, .check = check, .most = 40 };
	done = undone = 0;
	walk_run(&walk, NULL);
	assert_true(done > 0 && undone > 0);
	print_message("%u as before, %u as after\n", undone, done);
}

static int tear_down(void **state)
{
	walk_tell();
	applied_release();
	free(before);
	free(after);
	before = after = NULL;
	return place_tear_down(state);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(where_names_cannot_be_exchanged_it_is_done_in_two_steps),
		TREE_TEST(where_a_file_has_one_name_only_it_is_refused),
		TREE_TEST(after_any_fault_of_it_the_tree_is_as_before_or_as_after),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
