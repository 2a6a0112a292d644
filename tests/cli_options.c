/* tests/cli_options.c - the command line: every row of every verb, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/verb.h"

#include <stdio.h>
#include <string.h>

static const struct verb *const verbs[] = {
	&verb_run, &verb_exec, &verb_serve, &verb_diff, &verb_report, &verb_apply, &verb_discard, &verb_sessions, &verb_jobs, &verb_gc,
	&verb_explain, &verb_probe, &verb_wrappers, &verb_config, &verb_plugins, &verb_help,
};

static void with_every_row(void (*test)(const struct verb *, const struct option_row *))
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		for (size_t t = 0; verbs[i]->options[t]; t++)
			for (const struct option_row *row = verbs[i]->options[t]; row->name; row++)
				test(verbs[i], row);
}

static const char *stored(const struct request *request, const struct option_row *row)
{
	const char *field = (const char *)request + row->field;
	if (row->kind == OPTION_TEXT)
		return *(const char *const *)(const void *)field;
	const struct words *words = row->kind == OPTION_SETTING ?
					    &request->settings :
					    (const struct words *)(const void *)field;
	return words->count ? words->items[words->count - 1] : NULL;
}

static void reads(const struct verb *verb, const struct option_row *row, char **argv, bool value)
{
	struct request request = { 0 };
	struct pinfold_error err = { 0 };
	char expected[128];
	assert_int_equal(options_read(verb->options, argv, &request, &err), 0);
	if (row->kind == OPTION_FLAG) {
		assert_true(*(const bool *)((const char *)&request + row->field));
	} else if (value) {
		snprintf(expected, sizeof(expected), "%s%svalue", row->setting ? row->setting : "",
			 row->setting && !strchr(row->setting, '=') ? "=" : "");
		assert_string_equal(stored(&request, row), expected);
	}
	assert_string_equal(request.operands[0], "operand");
	assert_null(request.operands[1]);
	request_release(&request);
}

static void read_row(const struct verb *verb, const struct option_row *row)
{
	char joined[128];
	snprintf(joined, sizeof(joined), "%s=value", row->name);
	char *flag[] = { "verb", (char *)(uintptr_t)row->name, "--", "operand", NULL };
	char *apart[] = { "verb", (char *)(uintptr_t)row->name, "value", "--", "operand", NULL };
	char *together[] = { "verb", joined, "operand", NULL };
	if (!row->argument) {
		reads(verb, row, flag, false);
		return;
	}
	reads(verb, row, apart, true);
	reads(verb, row, together, true);
}

static void every_option_reads_its_value_apart_and_together(void **state)
{
	(void)state;
	with_every_row(read_row);
}

static void refuses(const struct verb *verb, char **argv)
{
	struct request request = { 0 };
	struct pinfold_error err = { 0 };
	assert_int_equal(options_read(verb->options, argv, &request, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_USAGE);
	assert_true(err.subject[0] && err.recovery[0] && err.action[0]);
	request_release(&request);
}

static void misuse_row(const struct verb *verb, const struct option_row *row)
{
	char wrong[128];
	char *bare[] = { "verb", (char *)(uintptr_t)row->name, NULL };
	snprintf(wrong, sizeof(wrong), "%s=yes", row->name);
	char *valued[] = { "verb", wrong, NULL };
	refuses(verb, row->argument ? bare : valued);
	snprintf(wrong, sizeof(wrong), "%sx", row->name);
	refuses(verb, valued);
}

static void an_option_without_its_value_or_with_one_too_many_is_refused(void **state)
{
	(void)state;
	with_every_row(misuse_row);
}

static void row_is_told(const struct verb *verb, const struct option_row *row)
{
	(void)verb;
	assert_true(row->name[0] == '-' && row->help[0]);
	assert_true(row->kind != OPTION_FLAG || !row->argument);
	bool whole = strcmp(row->name, "--set") == 0;
	assert_true((row->kind == OPTION_SETTING && !whole) == (row->setting != NULL));
}

static void every_option_has_a_line_of_help(void **state)
{
	(void)state;
	with_every_row(row_is_told);
}

static void no_option_has_two_rows_in_a_verb(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		for (size_t t = 0; verbs[i]->options[t]; t++)
			for (const struct option_row *row = verbs[i]->options[t]; row->name; row++) {
				size_t same = 0;
				for (size_t u = 0; verbs[i]->options[u]; u++)
					for (const struct option_row *other = verbs[i]->options[u];
					     other->name; other++)
						same += strcmp(row->name, other->name) == 0;
				assert_int_equal(same, 1);
			}
}

static void an_unknown_option_names_the_nearest(void **state)
{
	(void)state;
	struct request request = { 0 };
	struct pinfold_error err = { 0 };
	char *argv[] = { "run", "--tiemout", "3", NULL };
	assert_int_equal(options_read(verb_run.options, argv, &request, &err), -1);
	assert_string_equal(err.subject, "--tiemout");
	assert_non_null(strstr(err.recovery, "--timeout"));
}

static void options_end_at_the_command_so_that_its_own_are_left_alone(void **state)
{
	(void)state;
	static char *lines[][8] = {
		{ "run", "-q", "ls", "-q", "--json", NULL },
		{ "run", "-q", "--", "ls", "-q", "--json", NULL },
	};
	for (size_t i = 0; i < 2; i++) {
		struct request request = { 0 };
		assert_int_equal(options_read(verb_run.options, lines[i], &request, NULL), 0);
		assert_true(request.quiet);
		assert_false(request.json);
		assert_string_equal(request.operands[0], "ls");
		assert_string_equal(request.operands[1], "-q");
		request_release(&request);
	}
}

static void where_words_are_no_command_options_may_follow_them(void **state)
{
	(void)state;
	static char *argv[] = { "diff", "src", "--stat", "-C", "--", "-", "--session=x", "doc", "--",
				"--json", "--", NULL };
	struct request request = { 0 };
	assert_int_equal(options_read_mixed(verb_diff.options, argv, &request, NULL), 0);
	assert_true(request.stat);
	assert_false(request.json);
	assert_string_equal(request.directory, "--");
	assert_string_equal(request.session, "x");
	static const char *const operands[] = { "src", "-", "doc", "--json", "--" };
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(request.operands[i], operands[i]);
	assert_null(request.operands[5]);
	request_release(&request);
	char *none[] = { "diff", NULL }, *unknown[] = { "diff", "src", "--stta", NULL };
	assert_int_equal(options_read_mixed(verb_diff.options, none, &request, NULL), 0);
	assert_null(request.operands[0]);
	assert_int_equal(options_read_mixed(verb_diff.options, unknown, &request, NULL), -1);
	request_release(&request);
}

static void a_lone_dash_and_an_empty_word_are_operands(void **state)
{
	(void)state;
	static char *lines[][3] = { { "run", "-", NULL }, { "run", "", NULL } };
	for (size_t i = 0; i < 2; i++) {
		struct request request = { 0 };
		assert_int_equal(options_read(verb_run.options, lines[i], &request, NULL), 0);
		assert_string_equal(request.operands[0], lines[i][1]);
		request_release(&request);
	}
}

static void repeated_settings_and_variables_keep_their_order(void **state)
{
	(void)state;
	struct request request = { 0 };
	char *argv[] = { "run", "--set", "a.b=1", "--arm", "copytree", "--env", "X=1", "--env", "Y",
			 "--set", "a.b=2", "true", NULL };
	assert_int_equal(options_read(verb_run.options, argv, &request, NULL), 0);
	assert_int_equal(request.settings.count, 3);
	assert_string_equal(request.settings.items[0], "a.b=1");
	assert_string_equal(request.settings.items[1], "pinfold.arm=copytree");
	assert_string_equal(request.settings.items[2], "a.b=2");
	assert_null(request.settings.items[3]);
	assert_int_equal(request.origins.count, 3);
	assert_string_equal(request.origins.items[1], "--arm");
	assert_string_equal(request.origins.items[2], "--set");
	assert_string_equal(request.environment.items[0], "X=1");
	assert_string_equal(request.environment.items[1], "Y");
	request_release(&request);
}

static int command_from(const char *keep, const char *where, struct pinfold_command *command,
			int *descriptors)
{
	struct request request = { .keep = keep, .where = where };
	struct pinfold_error err = { 0 };
	int result = command_of(&request, command, descriptors, COMMAND_DESCRIPTORS, &err);
	assert_true(result == 0 || err.code == PINFOLD_E_USAGE);
	return result;
}

static void descriptors_are_a_list_of_numbers_past_the_standard_streams(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", ",", "3,", ",3", "3,,4", "2", "-3", "x", "3x", "3 4",
					     "99999999999999999999", "3,auto" };
	struct pinfold_command command;
	int descriptors[COMMAND_DESCRIPTORS];
	assert_int_equal(command_from("3,14", NULL, &command, descriptors), 0);
	assert_int_equal(command.descriptors[0], 3);
	assert_int_equal(command.descriptors[1], 14);
	assert_int_equal(command.descriptors[2], -1);
	assert_int_equal(command_from("auto", NULL, &command, descriptors), 0);
	assert_int_equal(command.jobserver, 1);
	assert_null(command.descriptors);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(command_from(wrong[i], NULL, &command, descriptors), -1);
	char many[4 * COMMAND_DESCRIPTORS] = "3";
	for (size_t i = 1; i < COMMAND_DESCRIPTORS; i++)
		strcat(many, ",3");
	assert_int_equal(command_from(many, NULL, &command, descriptors), -1);
}

static void a_placement_is_one_of_two_words_exactly(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", "Host", " host", "hosts", "sand", "direct" };
	struct pinfold_command command;
	int descriptors[COMMAND_DESCRIPTORS];
	assert_int_equal(command_from(NULL, NULL, &command, descriptors), 0);
	assert_int_equal(command.where, PINFOLD_WHERE_SANDBOX);
	assert_int_equal(command_from(NULL, "host", &command, descriptors), 0);
	assert_int_equal(command.where, PINFOLD_WHERE_HOST);
	assert_int_equal(command_from(NULL, "sandbox", &command, descriptors), 0);
	assert_int_equal(command.where, PINFOLD_WHERE_SANDBOX);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(command_from(NULL, wrong[i], &command, descriptors), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_reads_its_value_apart_and_together),
		cmocka_unit_test(an_option_without_its_value_or_with_one_too_many_is_refused),
		cmocka_unit_test(every_option_has_a_line_of_help),
		cmocka_unit_test(no_option_has_two_rows_in_a_verb),
		cmocka_unit_test(an_unknown_option_names_the_nearest),
		cmocka_unit_test(options_end_at_the_command_so_that_its_own_are_left_alone),
		cmocka_unit_test(where_words_are_no_command_options_may_follow_them),
		cmocka_unit_test(a_lone_dash_and_an_empty_word_are_operands),
		cmocka_unit_test(repeated_settings_and_variables_keep_their_order),
		cmocka_unit_test(descriptors_are_a_list_of_numbers_past_the_standard_streams),
		cmocka_unit_test(a_placement_is_one_of_two_words_exactly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
