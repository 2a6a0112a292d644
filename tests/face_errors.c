/* tests/face_errors.c - errors as callers and people get them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pinfold/pinfold.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void an_error_is_a_block_of_code_action_subject_and_what_to_try(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	assert_int_equal(pinfold_fail(&err, PINFOLD_E_TREE, 0, "copy the working tree",
				      "1,204,551 files, past the budget of 1,000,000",
				      "set [copy] max-files, or use the view `overlay`"), -1);
	char *text = pinfold_error_text(&err);
	assert_string_equal(text, "pinfold: E_TREE: cannot copy the working tree\n"
				  "  subject: 1,204,551 files, past the budget of 1,000,000\n"
				  "  try:     set [copy] max-files, or use the view `overlay`\n");
	free(text);
	pinfold_fail(&err, PINFOLD_E_SYSTEM, ENOSPC, "write", "a file", NULL);
	text = pinfold_error_text(&err);
	assert_string_equal(text, "pinfold: E_SYSTEM: cannot write: No space left on device\n"
				  "  subject: a file\n");
	free(text);
}

static void no_part_of_an_error_can_command_a_terminal_or_forge_a_line(void **state)
{
	(void)state;
	static const char *const hostile[] = {
		"\033]0;x\007", "a\nb", "a\r\033[1A", ("\xc2\x9b" "2J"), "\xff\xfe", "\b\b\b", "\177",
		"\xe2\x80\xae", "\033c", "\t", "a\n  try:     rm -rf /",
	};
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct pinfold_error err = { 0 };
		pinfold_fail(&err, PINFOLD_E_TREE, 0, hostile[i], hostile[i], hostile[i]);
		char *text = pinfold_error_text(&err);
		size_t lines = 0;
		for (const unsigned char *at = (unsigned char *)text; *at; at++) {
			lines += *at == '\n';
			assert_true(*at == '\n' || (*at >= 0x20 && *at < 0x7f));
		}
		assert_int_equal(lines, 3);
		free(text);
	}
}

static void a_code_has_its_name_and_its_exit_code(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
#define KNOWN(name, text) assert_string_equal(pinfold_code_name(PINFOLD_E_##name), text);
	PINFOLD_CODES(KNOWN)
#undef KNOWN
	assert_string_equal(pinfold_code_name(12345), "E_INTERNAL");
	for (uint32_t code = 0; code < 64; code++) {
		err.code = code;
		assert_int_equal(pinfold_exit_code(&err), code == PINFOLD_E_NOT_FOUND	    ? 127 :
							  code == PINFOLD_E_NOT_EXECUTABLE ? 126 :
							  code == PINFOLD_E_TIMED_OUT	    ? 124 :
											     125);
	}
	assert_int_equal(pinfold_exit_code(NULL), 125);
}

static void an_error_of_numbers_nobody_knows_is_still_told(void **state)
{
	(void)state;
	struct pinfold_error err = { .code = 4000000000u, .sys = 123456 };
	char *text = pinfold_error_text(&err);
	assert_string_equal(text, "pinfold: E_INTERNAL: cannot go on\n");
	free(text);
	assert_null(pinfold_error_text(NULL));
}

static void a_refusal_is_a_receipt_of_its_own(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	pinfold_fail(&err, PINFOLD_E_NOT_FOUND, ENOENT, "run the program", "a\xff\033", "look");
	char *text = pinfold_refusal_receipt(&err);
	assert_non_null(strstr(text, "E_NOT_FOUND"));
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\xff'));
	free(text);
}

static void the_nearest_name_and_quoting_are_there_for_callers(void **state)
{
	(void)state;
	static const char *const names[] = { "sandbox", "host", NULL };
	assert_string_equal(pinfold_nearest("sandbx", names), "sandbox");
	assert_null(pinfold_nearest("elsewhere", names));
	assert_null(pinfold_nearest(NULL, names));
	assert_null(pinfold_nearest("host", NULL));
	char *quoted = pinfold_quote("a\033\n");
	assert_string_equal(quoted, "a\\x1b\\n");
	free(quoted);
	quoted = pinfold_quote(NULL);
	assert_string_equal(quoted, "");
	free(quoted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_is_a_block_of_code_action_subject_and_what_to_try),
		cmocka_unit_test(no_part_of_an_error_can_command_a_terminal_or_forge_a_line),
		cmocka_unit_test(a_code_has_its_name_and_its_exit_code),
		cmocka_unit_test(an_error_of_numbers_nobody_knows_is_still_told),
		cmocka_unit_test(a_refusal_is_a_receipt_of_its_own),
		cmocka_unit_test(the_nearest_name_and_quoting_are_there_for_callers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
