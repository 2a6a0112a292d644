/* tests/report_application.c - records about compiler wrappers, written and read back. */
#include "report/application.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct application whole = {
	.program = "/usr/bin/cargo", .arm = "namespaces", .toolchain = "cargo", .decision = "kept",
	.wrapper = "sccache", .reason = "it compiled", .directory = "/tree",
};

static json_t *record_of(const struct application *application)
{
	struct document record = application_write(application);
	assert_false(record.failed);
	return record.root;
}

/* Takes the record. The subject names the member. */
static void is_refused(json_t *record, const char *member, const char *what)
{
	struct application found = whole;
	struct pinfold_error err = { 0 };
	assert_int_equal(application_read(record, &found, &err), -1);
	assert_ptr_equal(found.program, whole.program);
	if (!starts_with(err.subject, member) || !strstr(err.subject, what))
		fail_msg("%s", err.subject);
	json_decref(record);
}

static void a_whole_record_comes_back_as_it_was(void **state)
{
	(void)state;
	struct application found, none = whole;
	json_t *record = record_of(&whole);
	assert_int_equal(application_read(record, &found, NULL), 0);
	assert_string_equal(found.program, whole.program);
	assert_string_equal(found.wrapper, whole.wrapper);
	assert_string_equal(found.directory, whole.directory);
	assert_string_equal(found.decision, "kept");
	json_decref(record);
	none.wrapper = NULL;
	none.decision = "not_configured";
	record = record_of(&none);
	assert_int_equal(application_read(record, &found, NULL), 0);
	assert_null(found.wrapper);
	json_decref(record);
}

static const char *const members[] = { "program", "arm", "toolchain", "decision", "reason", "directory",
				       "wrapper" };

static json_t *holder_of(json_t *record, const char *member)
{
	return streq(member, "program") || streq(member, "arm") ? record : json_object_get(record, "decision");
}

static void each_member_that_is_missing_or_no_text_is_refused_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(members); i++) {
		json_t *record = record_of(&whole);
		json_object_del(holder_of(record, members[i]), members[i]);
		is_refused(record, members[i], "missing or invalid");
		record = record_of(&whole);
		json_object_set_new(holder_of(record, members[i]), members[i], json_integer(7));
		is_refused(record, members[i], "missing or invalid");
	}
}

static void each_member_that_redaction_took_is_refused_by_name_and_told_apart(void **state)
{
	(void)state;
	static const char *const taken[] = { "", "[REDACTED]", "/home/<redacted>/x", "***" };
	for (size_t i = 0; i < N_ELEMENTS(members); i++)
		for (size_t j = 0; j < N_ELEMENTS(taken); j++) {
			json_t *record = record_of(&whole);
			json_object_set_new(holder_of(record, members[i]), members[i],
					    json_string(taken[j]));
			is_refused(record, members[i], "after redaction");
		}
}

static void what_contradicts_itself_or_is_no_record_is_refused(void **state)
{
	(void)state;
	struct application kept = whole, odd = whole;
	kept.wrapper = NULL;
	is_refused(record_of(&kept), "wrapper", "nothing is named");
	odd.decision = "sure";
	is_refused(record_of(&odd), "decision", "missing or invalid");
	is_refused(json_array(), "decision", "missing or invalid");
	is_refused(json_object(), "decision", "missing or invalid");
	is_refused(NULL, "decision", "missing or invalid");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_record_comes_back_as_it_was),
		cmocka_unit_test(each_member_that_is_missing_or_no_text_is_refused_by_name),
		cmocka_unit_test(each_member_that_redaction_took_is_refused_by_name_and_told_apart),
		cmocka_unit_test(what_contradicts_itself_or_is_no_record_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
