/* tests/report_receipt.c - what a receipt says, read back as JSON. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "report/receipt.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *parsed(const struct receipt *receipt)
{
	char *text = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(receipt_write(receipt, &text, &err), 0);
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	free(text);
	return root;
}

/* "a.b.c" below `root`. */
static json_t *at(json_t *root, const char *path)
{
	char name[64];
	while (*path) {
		size_t length = strcspn(path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)length, path);
		root = json_object_get(root, name);
		if (!root)
			fail_msg("there is no %s", path);
		path += length + (path[length] == '.');
	}
	return root;
}

static const char *text_at(json_t *root, const char *path)
{
	return json_string_value(at(root, path));
}

static json_int_t number_at(json_t *root, const char *path)
{
	assert_true(json_is_integer(at(root, path)));
	return json_integer_value(at(root, path));
}

static struct receipt full(void)
{
	static const char *const argv[] = { "make", "-j2", "a\xff\n", NULL };
	static const char *const relaxed[] = { "resources", NULL };
	static const char *const passed[] = { "seatbelt: not on this system", NULL };
	static const char *const dropped[] = { "AWS_PROFILE", "X_TOKEN", NULL };
	static const char *const rewritten[] = { "/tmp/x -> /private/tmp/x", NULL };
	static const char *const skipped[] = { "pipe", "so\033ck", NULL };
	static const struct pinfold_work work = {
		.size = sizeof(work), .fresh = 1, .walked = 10, .created = 9, .rewritten = 8,
		.removed = 7, .bytes = 6, .skipped = 2, .skipped_names = skipped,
		.cloned = 5, .ranged = 4, .plain = 3,
	};
	static struct pinfold_offer offer = { .size = sizeof(offer), .available = 1 };
	offer.kept = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(KERNEL);
	offer.note[PINFOLD_AXIS_RESOURCES] = "no delegated cgroup";
	return (struct receipt){
		.started = { .tv_sec = 1700000000, .tv_nsec = 123456789 },
		.argv = argv, .placement = "sandbox", .arm = "namespaces", .arm_version = "0.1.0",
		.statement = "namespaces: it guarantees that \xe2\x80\xa6", .offer = &offer,
		.relaxed = relaxed, .passed_over = passed, .tree = "/t", .directory = "/t/d",
		.view = "copy", .source = "/scratch/c", .kept = true, .work = &work,
		.rewritten = rewritten, .dropped = dropped, .survivors = 3, .left = 1, .user_nanoseconds = 5000999,
		.system_nanoseconds = 1000, .peak_bytes = 4096, .ending = PINFOLD_ENDED, .value = 7,
		.exit_code = 7,
		.durations = { .setup = 1000, .sync = 2000, .start = 3000, .run = 4000,
			       .settle = 5000, .total = 15000 },
	};
}

static void a_receipt_says_all_that_is_known_of_a_run(void **state)
{
	(void)state;
	struct receipt receipt = full();
	json_t *root = parsed(&receipt);
	assert_int_equal(number_at(root, "schema"), RECEIPT_SCHEMA);
	assert_string_equal(text_at(root, "kind"), "run");
	assert_string_equal(text_at(root, "pinfold"), PACKAGE_VERSION);
	assert_string_equal(text_at(root, "started"), "2023-11-14T22:13:20.123Z");
	assert_string_equal(json_string_value(json_array_get(at(root, "argv"), 1)), "-j2");
	assert_string_equal(text_at(json_array_get(at(root, "argv"), 2), "hex"), "61ff0a");
	assert_string_equal(text_at(root, "placement"), "sandbox");
	assert_string_equal(text_at(root, "arm.name"), "namespaces");
	assert_string_equal(text_at(root, "arm.version"), "0.1.0");
	assert_string_equal(text_at(root, "arm.statement"), receipt.statement);
	assert_string_equal(json_string_value(json_array_get(at(root, "relaxed"), 0)), "resources");
	assert_int_equal(json_array_size(at(root, "passed_over")), 1);
	assert_string_equal(text_at(root, "tree"), "/t");
	assert_string_equal(text_at(root, "directory"), "/t/d");
	assert_string_equal(text_at(root, "view.name"), "copy");
	assert_string_equal(text_at(root, "view.source"), "/scratch/c");
	assert_true(json_is_true(at(root, "view.kept")));
	assert_true(json_is_true(at(root, "view.work.fresh")));
	assert_int_equal(number_at(root, "view.work.walked"), 10);
	assert_int_equal(number_at(root, "view.work.created"), 9);
	assert_int_equal(number_at(root, "view.work.rewritten"), 8);
	assert_int_equal(number_at(root, "view.work.removed"), 7);
	assert_int_equal(number_at(root, "view.work.bytes"), 6);
	assert_int_equal(number_at(root, "view.work.bytes_by.reflink"), 5);
	assert_int_equal(number_at(root, "view.work.bytes_by.copy_file_range"), 4);
	assert_int_equal(number_at(root, "view.work.bytes_by.read_write"), 3);
	assert_int_equal(number_at(root, "view.work.skipped"), 2);
	assert_string_equal(json_string_value(json_array_get(at(root, "view.work.skipped_names"), 1)),
			    "so\033ck");
	assert_string_equal(json_string_value(json_array_get(at(root, "rewritten"), 0)), "/tmp/x -> /private/tmp/x");
	assert_int_equal(json_array_size(at(root, "environment.dropped")), 2);
	assert_int_equal(number_at(root, "process.survivors"), 3);
	assert_int_equal(number_at(root, "process.left"), 1);
	assert_int_equal(number_at(root, "process.user_us"), 5000);
	assert_int_equal(number_at(root, "process.system_us"), 1);
	assert_int_equal(number_at(root, "process.peak_bytes"), 4096);
	assert_int_equal(number_at(root, "exit_code"), 7);
	assert_int_equal(number_at(root, "durations_us.settle"), 5);
	assert_int_equal(number_at(root, "durations_us.total"), 15);
	json_decref(root);
}

static void every_axis_has_its_answer_in_a_receipt(void **state)
{
	(void)state;
	struct receipt receipt = full();
	json_t *root = parsed(&receipt), *promises = at(root, "arm.promises");
	assert_int_equal(json_object_size(promises), PINFOLD_AXIS_COUNT);
	assert_true(json_is_true(at(promises, "filesystem.kept")));
	assert_true(json_is_true(at(promises, "kernel.kept")));
	assert_true(json_is_false(at(promises, "network.kept")));
	assert_string_equal(text_at(promises, "resources.note"), "no delegated cgroup");
	assert_true(json_is_null(at(promises, "network.note")));
	json_decref(root);
}

static void an_ending_is_spelled_as_what_it_was(void **state)
{
	(void)state;
	static const struct {
		uint32_t ending;
		int32_t value;
		const char *kind, *signal;
	} rows[] = {
		{ PINFOLD_ENDED, 0, "ended", NULL }, { PINFOLD_ENDED, 255, "ended", NULL },
		{ PINFOLD_SIGNALLED, 9, "signalled", "SIGKILL" },
		{ PINFOLD_SIGNALLED, 6, "signalled", "SIGABRT" },
		{ PINFOLD_SIGNALLED, 40, "signalled", "SIG40" },
		{ PINFOLD_TIMED_OUT, 0, "timed_out", NULL }, { PINFOLD_UNKNOWN, 0, "unknown", NULL },
		{ 77, 0, "unknown", NULL },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct receipt receipt = full();
		receipt.ending = rows[i].ending;
		receipt.value = rows[i].value;
		json_t *root = parsed(&receipt), *ending = at(root, "ending");
		assert_string_equal(text_at(ending, "kind"), rows[i].kind);
		assert_int_equal(!!json_object_get(ending, "code"), rows[i].ending == PINFOLD_ENDED);
		assert_int_equal(!!json_object_get(ending, "signal"), !!rows[i].signal);
		if (rows[i].signal)
			assert_string_equal(text_at(ending, "signal_name"), rows[i].signal);
		json_decref(root);
	}
}

static void a_run_on_the_host_has_no_arm_and_promises_nothing(void **state)
{
	(void)state;
	struct receipt receipt = { .placement = "host", .exit_code = 1 };
	json_t *root = parsed(&receipt);
	assert_true(json_is_null(at(root, "arm")));
	assert_true(json_is_null(at(root, "view.work")));
	assert_int_equal(json_array_size(at(root, "argv")), 0);
	assert_int_equal(json_array_size(at(root, "environment.dropped")), 0);
	json_decref(root);
}

static void a_refusal_has_a_receipt_of_its_own(void **state)
{
	(void)state;
	struct pinfold_error err = { .code = PINFOLD_E_SANDBOX_DENIED, .action = "choose an arm",
				     .subject = "none keeps network", .recovery = "relax it" };
	char *text = receipt_refusal(&err);
	json_t *root = json_loads(text, 0, NULL);
	assert_string_equal(text_at(root, "kind"), "refusal");
	assert_string_equal(text_at(root, "error.code"), "E_SANDBOX_DENIED");
	assert_string_equal(text_at(root, "error.subject"), "none keeps network");
	json_decref(root);
	free(text);
}

static json_t *event_of(char *line)
{
	assert_non_null(line);
	assert_null(strchr(line, '\n'));
	json_t *root = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	free(line);
	return root;
}

static void every_event_is_one_line_with_the_receipts_members_that_are_known_by_then(void **state)
{
	static const struct {
		const char *name, *member;
	} rows[RECEIPT_EVENTS] = {
		[RECEIPT_CHOSEN] = { "chosen", "arm.promises.kernel.kept" },
		[RECEIPT_VIEW] = { "view", "view.work.skipped_names" },
		[RECEIPT_STARTED] = { "started", "environment.dropped" },
		[RECEIPT_ENDED] = { "ended", "ending.code" },
		[RECEIPT_SETTLED] = { "settled", "durations_us.settle" },
	};
	struct receipt receipt = full();
	json_t *whole = parsed(&receipt);
	(void)state;
	for (int i = 0; i < RECEIPT_EVENTS; i++) {
		json_t *root = event_of(receipt_event((enum receipt_event)i, &receipt, "f00", 5999));
		assert_string_equal(text_at(root, "event"), rows[i].name);
		assert_string_equal(text_at(root, "run"), "f00");
		assert_int_equal(number_at(root, "at_us"), 5);
		assert_true(json_equal(at(root, rows[i].member), at(whole, rows[i].member)));
		json_decref(root);
	}
	json_decref(whole);
}

static void what_was_done_about_a_wrapper_is_an_event_that_reads_back_as_its_record(void **state)
{
	const struct application application = {
		.program = "/usr/bin/make", .arm = "namespaces", .toolchain = "c", .decision = "kept",
		.wrapper = "cc\033ache", .reason = "it ran", .directory = "/t",
	};
	struct application read;
	(void)state;
	json_t *root = event_of(receipt_application_event(&application, "f00", 1000));
	assert_string_equal(text_at(root, "event"), "application");
	assert_int_equal(application_read(root, &read, NULL), 0);
	assert_string_equal(read.wrapper, application.wrapper);
	assert_string_equal(read.program, application.program);
	json_decref(root);
}

static void a_refusal_is_an_event_with_its_error_and_exit_code(void **state)
{
	const struct pinfold_error err = { .code = PINFOLD_E_NOT_FOUND, .subject = "mak" };
	(void)state;
	json_t *root = event_of(receipt_refusal_event(&err, 127));
	assert_string_equal(text_at(root, "event"), "refused");
	assert_string_equal(text_at(root, "error.code"), "E_NOT_FOUND");
	assert_int_equal(number_at(root, "exit_code"), 127);
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_receipt_says_all_that_is_known_of_a_run),
		cmocka_unit_test(every_axis_has_its_answer_in_a_receipt),
		cmocka_unit_test(an_ending_is_spelled_as_what_it_was),
		cmocka_unit_test(a_run_on_the_host_has_no_arm_and_promises_nothing),
		cmocka_unit_test(a_refusal_has_a_receipt_of_its_own),
		cmocka_unit_test(every_event_is_one_line_with_the_receipts_members_that_are_known_by_then),
		cmocka_unit_test(what_was_done_about_a_wrapper_is_an_event_that_reads_back_as_its_record),
		cmocka_unit_test(a_refusal_is_an_event_with_its_error_and_exit_code),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
