/* tests/config_random.c - random bytes and broken files never crash and never make up a key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/fault.h"
#include "base/text.h"
#include "config/keys.h"

#include <stdlib.h>

enum { ROUNDS = 1500, FILE_MOST = 1024 };

/* Always the same sequence: a failure can be seen again. */
static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % limit;
}

static const char valid[] = "# a comment\n"
			    "[pinfold]\n"
			    "arms = namespaces, landlock\n"
			    "require = network,\n\twrites\n"
			    "probe-timeout = 500ms ; half a second\n"
			    "[filesystem]\n"
			    "hidden = ~/.ssh, /srv/keys\n  /srv/more\n"
			    "hidden = /last\n"
			    "[network]\n"
			    "mode: loopback\n"
			    "[environment]\n"
			    "set = A=1, B=2\\,3\n"
			    "drop = *_TOKEN\n"
			    "[copy]\n"
			    "max-bytes = 256M\n"
			    "[arm:namespaces]\n"
			    "wrapper = /usr/bin/bwrap\n";

static const char alphabet[] = "\n\n\n[]=:;#, \t\\~/.-*ahmode019KMG\r\0\xef\xbb\xbf\x80\xff";

static void assert_is_sound(const struct config *config)
{
	for (size_t i = 0; i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		if (i < key_count)
			assert_non_null(key_find(entry.section, entry.key));
		else
			assert_true(key_is_plugin_section(entry.section) && key_is_name(entry.key));
		for (const char *at = entry.value; *at; at++)
			assert_true(*at == '\t' || (unsigned char)*at >= 0x20);
	}
	static const char *const lists[] = { "hidden", "writable", "layered" };
	for (size_t i = 0; i < N_ELEMENTS(lists); i++) {
		const struct list *list = config_list(config, "filesystem", lists[i]);
		for (size_t j = 0; j < list->count; j++)
			assert_true(list->items[j][list->items[j][0] == '-'] == '/');
	}
	assert_true(config_word(config, "network", "mode") <= 2);
}

/* 1 where the file is accepted. */
static int load_bytes(const char *data, size_t bytes)
{
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	place_write_bytes("user.conf", data, bytes);
	if (place_load(NULL, &config, &err) < 0) {
		assert_null(config);
		assert_string_equal(fault_code_name(err.code), "E_CONFIG");
		assert_true(starts_with(err.subject, place_path("user.conf:")));
		assert_true(strlen(err.recovery) > 0);
		return 0;
	}
	assert_is_sound(config);
	config_free(config);
	return 1;
}

static void random_bytes_are_refused_or_read_soundly(void **state)
{
	(void)state;
	random_state = 1;
	for (int round = 0; round < ROUNDS; round++) {
		char data[FILE_MOST];
		unsigned bytes = random_below(round % 2 ? 40 : FILE_MOST);
		for (unsigned i = 0; i < bytes; i++)
			data[i] = round % 3 ? alphabet[random_below(sizeof(alphabet) - 1)]
					    : (char)random_below(256);
		load_bytes(data, bytes);
	}
}

/* One change of a kind that editors, disks and attackers make. */
static size_t mutate(char *data, size_t bytes)
{
	size_t at = random_below((unsigned)bytes), length = random_below(20) + 1;
	if (length > bytes - at)
		length = bytes - at;
	switch (random_below(5)) {
	case 0:
		data[at] = alphabet[random_below(sizeof(alphabet) - 1)];
		return bytes;
	case 1:	/* leave out */
		memmove(data + at, data + at + length, bytes - at - length);
		return bytes - length;
	case 2:	/* put in twice */
		memmove(data + at + length, data + at, bytes - at);
		return bytes + length;
	case 3:	/* cut off */
		return bytes - length;
	default:
		memmove(data + at + 1, data + at, bytes - at);
		data[at] = alphabet[random_below(sizeof(alphabet) - 1)];
		return bytes + 1;
	}
}

static void random_changes_of_a_valid_file_are_refused_or_read_soundly(void **state)
{
	(void)state;
	int accepted = 0;
	random_state = 2;
	assert_int_equal(load_bytes(valid, sizeof(valid) - 1), 1);
	for (int round = 0; round < ROUNDS; round++) {
		char data[FILE_MOST];
		size_t bytes = sizeof(valid) - 1;
		memcpy(data, valid, bytes);
		for (unsigned changes = random_below(3) + 1; changes > 0 && bytes > 40; changes--)
			bytes = mutate(data, bytes);
		accepted += load_bytes(data, bytes);
	}
	/* Both ways are walked, or this says nothing. */
	assert_in_range(accepted, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

static void every_prefix_of_a_valid_file_is_refused_or_read_soundly(void **state)
{
	(void)state;
	for (size_t bytes = 0; bytes < sizeof(valid); bytes++)
		load_bytes(valid, bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(random_bytes_are_refused_or_read_soundly),
		TEST(random_changes_of_a_valid_file_are_refused_or_read_soundly),
		TEST(every_prefix_of_a_valid_file_is_refused_or_read_soundly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
