/* tests/tree_apply_walk.c - an apply, and the recovery of one, that fail or end at any of their calls. */
#include "config.h"

#include "tree_applied.h"
#include "tree_picture.h"
#include "walk.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Fewer in the check than in the soak. */
enum { FAULTS = 100, KILLS = 9, RECOVERY_FAULTS = 36 };

static char *before, *after;
static enum found_view view;
static bool dirty;	/* the scene is to be made anew */
static unsigned undone, done, finished;

static bool in_soak;

static unsigned most(unsigned usual)
{
	return in_soak ? 0 : usual;
}

static const char anything[] =
	"mkdir d d/e empty gone gone/deep closed moved; for n in a b c run d/x d/y d/e/z gone/f gone/deep/g closed/f "
	"moved/f both; do echo $n >$n; done; ln both d/both; ln -s a link; ln -s a gone/link; chmod 555 closed";

static const char anything_else[] =
	"echo changed and longer >a; rm b; mkdir new new/in; echo 1 >new/f; echo 2 >new/in/g; ln new/f new/h; "
	"ln -s g new/in/l; chmod 500 new/in; rm -r gone; chmod 755 run; ln -sfn b link; chmod 755 closed; "
	"echo x >closed/f; echo y >closed/n; chmod 555 closed; mv moved elsewhere; echo z >elsewhere/n; mv c d/c; "
	"rm -r empty; echo file >empty; chmod 700 d/e; rm d/x; mkdir d/x; echo in >d/x/in; echo both >>both";

#define HEX "0123456789abcdef0123456789abcdef012345"
#define LOOSE ".git/objects/01/" HEX
#define PACK ".git/objects/pack/pack-ab" HEX

static const char repository[] =
	"mkdir -p .git/objects/01 .git/objects/pack .git/refs/heads; echo loose >" LOOSE "; echo of x >.git/refs/heads/x; "
	"echo y >.git/packed-refs";

/* As `git gc` leaves it. */
static const char packed[] =
	"echo pack >" PACK ".pack; echo index of it >" PACK ".idx; rm -r .git/objects/01; echo x >>.git/packed-refs; "
	"rm .git/refs/heads/x";

static const char *tree_script = anything, *command = anything_else;

/* What a layer makes of the tree is what the command makes of a tree. */
static char *picture_of_wanted(void)
{
	char line[8192];
	snprintf(line, sizeof(line), "cd '%s' && rm -rf wanted && cp -a work wanted && cd wanted && { %s; }",
		 place.base, command);
	assert_int_equal(system(line), 0);
	return picture_of(place_path("wanted"), PICTURE_NO_TIMES);
}

static void make_scene(void)
{
	static const char *const made[] = { "s", "upper", "shown", "work-of-it", "slot", "wanted" };
	applied_release();
	place_remove(place.tree);
	for (size_t i = 0; i < N_ELEMENTS(made); i++)
		place_remove(place_path("%s", made[i]));
	place_directory(place.tree);
	applied_meanwhile(tree_script);
	if (view != FOUND_COPY)	/* an overlay parts the names of a file */
		applied_meanwhile("rm both; cp d/both both");
	applied_start(view);
	applied_command(command);
	free(before);
	free(after);
	before = picture_of(place.tree, PICTURE_TIMES);
	after = view == FOUND_COPY ? picture_of(found_held, PICTURE_TIMES) : picture_of_wanted();
	dirty = false;
}

static void prepare(void *context)
{
	(void)context;
	if (dirty)
		make_scene();
	dirty = true;	/* unless somebody looks */
	applied_find();
}

static int apply(void *context)
{
	(void)context;
	return applied_apply() < 0 || !applied.done ? -1 : 0;
}

static int recover(void *context)
{
	(void)context;
	return applied_recover();
}

/* The tree is as before or as after; true when after. */
static bool is_after(void)
{
	auto_free char *now = picture_of(place.tree, PICTURE_TIMES);
	if (picture_is_equal(before, now))
		return false;
	auto_free char *plain = view == FOUND_COPY ? NULL : picture_of(place.tree, PICTURE_NO_TIMES);
	if (!picture_is_equal(strchr(after, '\n'), strchr(plain ? plain : now, '\n'))) {
		picture_assert_equal(before, now);
		fail_msg("neither before nor after");
	}
	return true;
}

static void expect_recovered(bool may_be_before)
{
	if (applied_recover() < 0)
		fail_msg("cannot %s: %s (%s)", place.err.action, place.err.subject, strerror(place.err.sys));
	assert_false(applied_left_something());
	bool is = is_after();
	assert_true(is || may_be_before);
	if (view != FOUND_COPY)	/* and the layer holds what the tree has not */
		assert_int_equal(*found_changes(NULL) == '\0', is);
	done += is;
	undone += !is;
	dirty = is;
}

static void check_apply(void *context, const struct walked *walked)
{
	(void)context;
	/* What succeeded is there; what failed may have got as far as that. */
	finished += walked->end == WALK_SUCCEEDED;
	expect_recovered(walked->end != WALK_SUCCEEDED);
}

static void walk_an_apply(unsigned usual)
{
	static const struct walk walk = { .prepare = prepare, .act = apply, .check = check_apply };
	struct walk with = walk;
	with.most = most(usual);
	dirty = true;
	done = undone = finished = 0;
	unsigned met = walk_run(&with, NULL);
	assert_true(met > usual / 2);
	assert_true(undone > met / 10);
	assert_true(done > 0);
	print_message("%u faults: %u as before, %u as after\n", met, undone, done);
}

static void after_any_fault_the_tree_is_as_before_or_as_after(void **state)
{
	(void)state;
	view = FOUND_COPY;
	walk_an_apply(FAULTS);
}

static void after_any_fault_so_are_the_tree_and_a_layer(void **state)
{
	assert_int_equal(place_tear_down(state), 0);
	const char *lacks = found_lacks(FOUND_USER_LAYER);
	assert_int_equal(place_set_up(state), 0);
	if (lacks) {
		print_message("no %s: this lacks %s\n", found_view_names[FOUND_USER_LAYER], lacks);
		skip();
	}
	view = FOUND_USER_LAYER;
	walk_an_apply(FAULTS / 3);
}

/* How many calls an apply makes. */
static unsigned count_apply(void)
{
	static const struct walk walk = { .act = apply };
	enum walk_end end;
	unsigned low = 0, high = 1;
	while (walk_once(&walk, NULL, high, 0, &end)) {
		expect_recovered(true);
		prepare(NULL);
		low = high;
		high *= 2;
	}
	dirty = true;
	while (high - low > 1) {
		unsigned middle = (low + high) / 2;
		prepare(NULL);
		bool met = walk_once(&walk, NULL, middle, 0, &end);
		dirty = true;
		applied_recover();
		*(met ? &low : &high) = middle;
	}
	return high;
}

static unsigned killed_at;

static void prepare_killed(void *context)
{
	static const struct walk walk = { .act = apply };
	enum walk_end end;
	prepare(context);
	walk_once(&walk, NULL, killed_at, 0, &end);
}

static void check_recovery(void *context, const struct walked *walked)
{
	(void)context;
	(void)walked;
	expect_recovered(true);
}

static void a_recovery_may_itself_fail_or_end_anywhere(void **state)
{
	(void)state;
	view = FOUND_COPY;
	struct walk walk = { .prepare = prepare_killed, .act = recover, .check = check_recovery };
	dirty = true;
	prepare(NULL);
	unsigned calls = count_apply(), met = 0;
	done = undone = 0;
	walk.most = most(RECOVERY_FAULTS / KILLS);
	/* The later half has the interesting moments. */
	for (unsigned i = 0; i < KILLS; i++) {
		killed_at = calls * (KILLS / 2 + i) / (KILLS + KILLS / 2);
		met += walk_run(&walk, NULL);
	}
	assert_true(met >= KILLS);
	assert_true(undone > 0 && done > 0);
	print_message("%u faults: %u as before, %u as after\n", met, undone, done);
}

static bool is_there(const char *path)
{
	return access(applied_at("%s", path), F_OK) == 0;
}

static bool packed_refs_have_x(void)
{
	char line[8192];
	snprintf(line, sizeof(line), "grep -q x '%s'", applied_at(".git/packed-refs"));
	return system(line) == 0;
}

static void no_object_and_no_ref_of_gits_is_missing_at_any_time(void **state)
{
	static const struct walk walk = { .act = apply };
	enum walk_end end = WALK_KILLED;
	unsigned both = 0;
	(void)state;
	view = FOUND_COPY;
	tree_script = repository;
	command = packed;
	dirty = true;
	for (unsigned call = 0; end == WALK_KILLED; call++) {
		prepare(NULL);
		if (!walk_once(&walk, NULL, call, 0, &end))
			break;
		bool has_pack = is_there(PACK ".idx") && is_there(PACK ".pack");
		assert_true(is_there(LOOSE) || has_pack);
		assert_true(is_there(".git/refs/heads/x") ||
			    packed_refs_have_x());
		both += is_there(LOOSE) && has_pack;
		expect_recovered(true);
	}
	assert_true(both > 0);
}

static int tear_down(void **state)
{
	tree_script = anything;
	command = anything_else;
	walk_tell();
	applied_release();
	free(before);
	free(after);
	before = after = NULL;
	return place_tear_down(state);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)

/* With any argument for long. */
int main(int argc, char **argv)
{
	(void)argv;
	in_soak = argc > 1;
	const struct CMUnitTest tests[] = {
		TREE_TEST(after_any_fault_the_tree_is_as_before_or_as_after),
		TREE_TEST(after_any_fault_so_are_the_tree_and_a_layer),
		TREE_TEST(no_object_and_no_ref_of_gits_is_missing_at_any_time),
		TREE_TEST(a_recovery_may_itself_fail_or_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
