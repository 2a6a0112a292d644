/* tests/report_documents.c - JSON that loses no byte and that no terminal obeys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "report/document.h"

#include <stdio.h>
#include <stdlib.h>

static char *written(struct document *document)
{
	char *text = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(document_write(document, &text, &err), 0);
	assert_null(document->root);
	return text;
}

/* Writes one text, reads it back and gives its bytes as a reader of the rule would find them. */
static void read_back(const char *bytes, char *room, size_t size)
{
	struct document document = document_object();
	document_put(&document, "it", document_text(bytes));
	char *text = written(&document);
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		assert_true(*at == '\n' || (*at >= 0x20 && *at < 0x7f));
	json_t *parsed = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(parsed);
	json_t *value = json_object_get(parsed, "it");
	room[0] = '\0';
	if (json_is_string(value)) {
		snprintf(room, size, "%s", json_string_value(value));
	} else {
		const char *hex = json_string_value(json_object_get(value, "hex"));
		assert_non_null(hex);
		assert_true(json_is_string(json_object_get(value, "text")));
		for (size_t i = 0; hex[i * 2]; i++) {
			unsigned byte = 0;
			assert_int_equal(sscanf(hex + i * 2, "%2x", &byte), 1);
			room[i] = (char)byte;
			room[i + 1] = '\0';
		}
	}
	json_decref(parsed);
	free(text);
}

static void hostile_names_come_back_byte_for_byte(void **state)
{
	(void)state;
	static const char *const names[] = {
		"", "plain", "a\nb", "\033[2J\033]0;x\a", "quote\"back\\slash", "caf\xc3\xa9",
		"a\xff", "\xc2\x9b", ("\xe2\x80\xae" "evil"), "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82",
		"\xf4\x90\x80\x80", "\x7f", "{\"hex\":\"00\"}", "\xf0\x9f\x98\x80", "\xef\xbf\xbf",
	};
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char room[200];
		read_back(names[i], room, sizeof(room));
		assert_string_equal(room, names[i]);
	}
}

static void random_bytes_come_back_byte_for_byte(void **state)
{
	(void)state;
	uint32_t seed = 7;
	for (int round = 0; round < 3000; round++) {
		char bytes[33], room[200];
		size_t length = 0;
		for (size_t i = 0; i < 32; i++) {
			seed = seed * 1664525u + 1013904223u;
			char byte = (char)(seed >> 24);
			if (byte)
				bytes[length++] = byte;
			if (seed >> 16 & 8)
				break;
		}
		bytes[length] = '\0';
		read_back(bytes, room, sizeof(room));
		assert_string_equal(room, bytes);
	}
}

static void a_delete_and_controls_are_written_as_escapes(void **state)
{
	(void)state;
	struct document list = document_list();
	document_add(&list, document_text("a\x7f\033"));
	char *text = written(&list);
	assert_null(strchr(text, '\x7f'));
	assert_null(strchr(text, '\033'));
	free(text);
}

static void values_are_what_they_say(void **state)
{
	(void)state;
	struct document document = document_object(), inner = document_object();
	document_put(&document, "absent", document_text(NULL));
	document_put(&document, "most", document_number(UINT64_MAX));
	document_put(&document, "zero", document_number(0));
	document_put(&document, "flag", document_flag(true));
	document_put(&document, "none", document_texts(NULL));
	document_put(&document, "two", document_texts((const char *const[]){ "a", "b", NULL }));
	document_put(&inner, "x", document_number(1));
	document_put_document(&document, "inner", &inner);
	assert_null(inner.root);
	char *text = written(&document);
	json_t *parsed = json_loads(text, 0, NULL);
	assert_true(json_is_null(json_object_get(parsed, "absent")));
	assert_true(json_integer_value(json_object_get(parsed, "most")) == INT64_MAX);
	assert_true(json_is_true(json_object_get(parsed, "flag")));
	assert_int_equal(json_array_size(json_object_get(parsed, "none")), 0);
	assert_true(json_is_array(json_object_get(parsed, "none")));
	assert_int_equal(json_array_size(json_object_get(parsed, "two")), 2);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(parsed, "inner"), "x")), 1);
	assert_int_equal(text[strlen(text) - 1], '\n');
	json_decref(parsed);
	free(text);
}

static void members_keep_the_order_in_which_they_were_put(void **state)
{
	(void)state;
	struct document document = document_object();
	document_put(&document, "zeta", document_number(1));
	document_put(&document, "alpha", document_number(2));
	char *text = written(&document);
	assert_true(strstr(text, "zeta") < strstr(text, "alpha"));
	free(text);
}

static void a_value_that_could_not_be_made_is_told_at_the_end(void **state)
{
	(void)state;
	struct document document = document_object(), inner = document_object();
	struct pinfold_error err = { 0 };
	char *text = NULL;
	document_put(&inner, "lost", NULL);
	document_put_document(&document, "inner", &inner);
	document_put(&document, "kept", document_number(1));
	assert_int_equal(document_write(&document, &text, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_NO_MEMORY);
	assert_null(text);
	document_release(&document);
}

static void an_error_has_its_four_parts_and_no_error_is_null(void **state)
{
	(void)state;
	struct pinfold_error err = { .code = PINFOLD_E_TREE, .sys = 28, .action = "copy",
				     .subject = "\033[31m\xff", .recovery = "make room" };
	struct document document = document_list();
	document_add(&document, document_error(&err));
	document_add(&document, document_error(NULL));
	document_add(&document, document_error(&(struct pinfold_error){ 0 }));
	char *text = written(&document);
	json_t *parsed = json_loads(text, 0, NULL), *first = json_array_get(parsed, 0);
	assert_string_equal(json_string_value(json_object_get(first, "code")), "E_TREE");
	assert_string_equal(json_string_value(json_object_get(first, "recovery")), "make room");
	assert_string_equal(json_string_value(json_object_get(json_object_get(first, "subject"), "hex")),
			    "1b5b33316dff");
	assert_int_equal(json_integer_value(json_object_get(first, "errno")), 28);
	assert_true(json_is_null(json_array_get(parsed, 1)));
	assert_true(json_is_null(json_array_get(parsed, 2)));
	json_decref(parsed);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_names_come_back_byte_for_byte),
		cmocka_unit_test(random_bytes_come_back_byte_for_byte),
		cmocka_unit_test(a_delete_and_controls_are_written_as_escapes),
		cmocka_unit_test(values_are_what_they_say),
		cmocka_unit_test(members_keep_the_order_in_which_they_were_put),
		cmocka_unit_test(a_value_that_could_not_be_made_is_told_at_the_end),
		cmocka_unit_test(an_error_has_its_four_parts_and_no_error_is_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
