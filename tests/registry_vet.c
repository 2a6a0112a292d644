/* tests/registry_vet.c - what a plugin exports is checked before anything of it is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "registry/modules.h"

#include <stdlib.h>
#include <string.h>

/* A plugin with one part of each kind, to be spoiled in one way by each test. */
struct specimen {
	struct pinfold_plugin plugin;
	struct pinfold_arm arm;
	struct pinfold_view view;
	struct pinfold_wrapper wrapper;
	struct pinfold_key keys[3];
	const struct pinfold_arm *arms[3];
	const struct pinfold_view *views[2];
	const struct pinfold_wrapper *wrappers[2];
};

static int probe(const struct pinfold_host *host, struct pinfold_offer *offer,
		 struct pinfold_error *err)
{
	(void)host;
	(void)offer;
	(void)err;
	return 0;
}

static int prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
		   const struct pinfold_shown *shown, struct pinfold_plan *plan,
		   struct pinfold_error *err)
{
	(void)host;
	(void)policy;
	(void)shown;
	(void)plan;
	(void)err;
	return 0;
}

static int enter(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return 0;
}

static int view_open(const struct pinfold_host *host, const char *tree, const char *session,
		     uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	(void)host;
	(void)tree;
	(void)session;
	(void)placing;
	(void)kept;
	(void)ret_state;
	(void)err;
	return 0;
}

static int view_sync(const struct pinfold_host *host, void *state, struct pinfold_shown *shown,
		     struct pinfold_work *work, struct pinfold_error *err)
{
	(void)host;
	(void)state;
	(void)shown;
	(void)work;
	(void)err;
	return 0;
}

static void view_close(const struct pinfold_host *host, void *state, uint32_t keep)
{
	(void)host;
	(void)state;
	(void)keep;
}

static int matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	(void)file_name;
	return 0;
}

static struct specimen *specimen_new(void)
{
	struct specimen *s = test_calloc(1, sizeof(*s));
	s->keys[0] = (struct pinfold_key){ sizeof(s->keys[0]), PINFOLD_KEY_TEXT, "one", "", NULL, "" };
	s->keys[1] = (struct pinfold_key){ sizeof(s->keys[0]), PINFOLD_KEY_WORD, "two", "a", "a b", "" };
	s->arm = (struct pinfold_arm){ .size = sizeof(s->arm), .name = "good", .summary = "",
				       .keys = s->keys, .probe = probe, .prepare = prepare,
				       .enter = enter };
	s->view = (struct pinfold_view){ .size = sizeof(s->view), .name = "good", .summary = "",
					 .open = view_open, .sync = view_sync, .close = view_close };
	s->wrapper = (struct pinfold_wrapper){ .size = sizeof(s->wrapper), .name = "good",
					       .summary = "", .matches = matches };
	s->arms[0] = &s->arm;
	s->views[0] = &s->view;
	s->wrappers[0] = &s->wrapper;
	s->plugin = (struct pinfold_plugin){ sizeof(s->plugin), PINFOLD_PLUGIN_MAJOR,
					     PINFOLD_PLUGIN_MINOR, "good", "1", "a plugin", s->arms,
					     s->views, s->wrappers, NULL };
	return s;
}

static int vet(const struct specimen *s, struct pinfold_error *err)
{
	return vet_plugin(&s->plugin, "/plugins/good.so", "good", err);
}

/* Checks the specimen, frees it, and expects this reason; NULL: that it is good. */
static void expect(struct specimen *s, const char *reason)
{
	struct pinfold_error err = { 0 };
	int result = vet(s, &err);
	test_free(s);
	if (!reason) {
		assert_string_equal(err.subject, "");
		assert_int_equal(result, 0);
		return;
	}
	assert_int_equal(result, -1);
	assert_int_equal(err.code, PINFOLD_E_PLUGIN);
	if (!strstr(err.subject, reason))
		fail_msg("\"%s\" does not say \"%s\"", err.subject, reason);
	assert_non_null(strstr(err.subject, "/plugins/good.so"));
	assert_string_not_equal(err.recovery, "");
}

/* For `SPOIL(arm.size = 8, "reason")`. */
#define SPOIL(assignment, reason)                                              \
	do {                                                                   \
		struct specimen *s = specimen_new();                           \
		s->assignment;                                                 \
		expect(s, reason);                                             \
	} while (0)

static void a_whole_plugin_is_good(void **state)
{
	(void)state;
	expect(specimen_new(), NULL);
}

static void another_major_version_is_refused(void **state)
{
	(void)state;
	SPOIL(plugin.major = PINFOLD_PLUGIN_MAJOR + 1, "it was built for interface 2.");
	SPOIL(plugin.major = PINFOLD_PLUGIN_MAJOR - 1, "it was built for interface 0.");
}

static void a_newer_minor_version_may_be_longer(void **state)
{
	(void)state;
	struct specimen *s = specimen_new();
	s->plugin.minor = PINFOLD_PLUGIN_MINOR + 1;
	s->plugin.size += 64;
	s->arm.size += 64;
	s->view.size += 64;
	s->wrapper.size += 64;
	expect(s, NULL);
}

/* The least sizes that the headers document, one byte less, and one byte more than there can be. */
static void the_documented_least_size_is_what_is_checked(void **state)
{
	(void)state;
	assert_int_equal(PINFOLD_PLUGIN_LEAST, 32);
	assert_int_equal(PINFOLD_KEY_LEAST, 24);
	assert_int_equal(PINFOLD_ARM_LEAST, 56);
	assert_int_equal(PINFOLD_VIEW_LEAST, 56);
	assert_int_equal(PINFOLD_WRAPPER_LEAST, 40);
	SPOIL(plugin.size = PINFOLD_PLUGIN_LEAST, NULL);
	SPOIL(plugin.size = PINFOLD_PLUGIN_LEAST - 1, "its structure says that it is 31 bytes");
	SPOIL(plugin.size = sizeof(struct pinfold_plugin) + 1, "its structure says");
	SPOIL(arm.size = PINFOLD_ARM_LEAST, NULL);
	SPOIL(arm.size = PINFOLD_ARM_LEAST - 1, "the structure of its arm says that it is 55 bytes");
	SPOIL(arm.size = sizeof(struct pinfold_arm) + 1, "the structure of its arm says");
	SPOIL(view.size = PINFOLD_VIEW_LEAST, NULL);
	SPOIL(view.size = PINFOLD_VIEW_LEAST - 1, "the structure of its view says");
	SPOIL(view.size = sizeof(struct pinfold_view) + 1, "the structure of its view says");
	SPOIL(wrapper.size = PINFOLD_WRAPPER_LEAST, NULL);
	SPOIL(wrapper.size = PINFOLD_WRAPPER_LEAST - 1, "the structure of its wrapper says");
	SPOIL(wrapper.size = sizeof(struct pinfold_wrapper) + 1, "the structure of its wrapper says");
	SPOIL(keys[0].size = PINFOLD_KEY_LEAST - 1, "its arm good says that it is 23 bytes");
	SPOIL(keys[0].size = sizeof(struct pinfold_key) + 1, "its arm good says");
	SPOIL(keys[1].size = PINFOLD_KEY_LEAST, "the keys of its arm good differ in size");
}

static void an_absurd_size_is_refused_in_every_version(void **state)
{
	(void)state;
	struct specimen *s = specimen_new();
	s->plugin.minor = UINT16_MAX;
	s->plugin.size = 65537;
	expect(s, "its structure says that it is 65537 bytes long");
}

static void a_size_that_no_plugin_can_have_is_refused(void **state)
{
	(void)state;
	SPOIL(plugin.size = UINT32_MAX, "its structure says");
	SPOIL(plugin.size = 0, "its structure says");
}

static void a_name_must_be_plain_and_that_of_the_file(void **state)
{
	(void)state;
	SPOIL(plugin.name = NULL, "it has no name");
	SPOIL(plugin.name = "", "it has no name");
	SPOIL(plugin.name = "Good", "it has no name");
	SPOIL(plugin.name = "../good", "it has no name");
	SPOIL(plugin.name = "better", "it calls itself better");
	SPOIL(plugin.version = NULL, "it has no version");
	SPOIL(plugin.summary = NULL, "it has no summary");
	SPOIL(arm.name = NULL, "its arm has no name");
	SPOIL(view.name = "a/b", "its view has no name");
	SPOIL(wrapper.name = "-", "its wrapper has no name");
}

static void a_part_without_a_hook_it_must_have_is_refused(void **state)
{
	(void)state;
	SPOIL(arm.probe = NULL, "its arm good has no hook probe");
	SPOIL(arm.prepare = NULL, "its arm good has no hook prepare");
	SPOIL(arm.enter = NULL, "its arm good has no hook enter");
	SPOIL(view.open = NULL, "its view good has no hook open");
	SPOIL(view.sync = NULL, "its view good has no hook sync");
	SPOIL(view.close = NULL, "its view good has no hook close");
	SPOIL(wrapper.matches = NULL, "its wrapper good has no hook matches");
}

static void two_parts_of_one_name_are_refused(void **state)
{
	(void)state;
	SPOIL(arms[1] = &s->arm, "it has two arms named good");
}

static void an_arm_that_shows_the_tree_in_an_unknown_way_is_refused(void **state)
{
	(void)state;
	SPOIL(arm.placing = 2, "unknown way");
}

static void keys_must_have_names_of_their_own_and_words(void **state)
{
	(void)state;
	SPOIL(keys[0].name = "plugin", "a key with an impossible name");
	SPOIL(keys[0].name = "a b", "a key with an impossible name");
	SPOIL(keys[1].words = NULL, "the key two of its arm good has no words");
}

static void a_list_beyond_the_size_is_absent(void **state)
{
	(void)state;
	struct specimen *s = specimen_new();
	s->plugin.size = offsetof(struct pinfold_plugin, wrappers);
	s->plugin.wrappers = (void *)8;
	assert_null(part_list(&s->plugin, PART_WRAPPER));
	assert_non_null(part_list(&s->plugin, PART_VIEW));
	expect(s, NULL);
}

static void only_plain_words_name_modules(void **state)
{
	(void)state;
	static const char *const good[] = { "a", "copytree", "a-1",
					    "a23456789012345678901234567890123456789012345678" };
	static const char *const bad[] = { "", "1a", "-a", "A", "a_b", "a.so", "../a", "/a", "a/b", "a b",
					   ".", "a\n",
					   "a234567890123456789012345678901234567890123456789" };
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(module_name_is_plain(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(module_name_is_plain(bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_plugin_is_good),
		cmocka_unit_test(another_major_version_is_refused),
		cmocka_unit_test(a_newer_minor_version_may_be_longer),
		cmocka_unit_test(the_documented_least_size_is_what_is_checked),
		cmocka_unit_test(an_absurd_size_is_refused_in_every_version),
		cmocka_unit_test(a_size_that_no_plugin_can_have_is_refused),
		cmocka_unit_test(a_name_must_be_plain_and_that_of_the_file),
		cmocka_unit_test(a_part_without_a_hook_it_must_have_is_refused),
		cmocka_unit_test(two_parts_of_one_name_are_refused),
		cmocka_unit_test(an_arm_that_shows_the_tree_in_an_unknown_way_is_refused),
		cmocka_unit_test(keys_must_have_names_of_their_own_and_words),
		cmocka_unit_test(a_list_beyond_the_size_is_absent),
		cmocka_unit_test(only_plain_words_name_modules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
