/* tests/wrappers_kept.c - decisions that are kept between runs. */
#include "config.h"

#include "wrappers/decisions.h"
#include "wrappers_place.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct decision_key key_of(const char *what, const char *stamps)
{
	struct decision_key key = { .arm = "here", .tree = "/tree" };
	fingerprint_of(what, strlen(what), key.key);
	fingerprint_of(stamps, strlen(stamps), key.stamps);
	return key;
}

static void keep(const struct decision_key *key)
{
	struct decision decision;
	assert_int_equal(decision_fill(&decision, DECISION_KEPT, "cargo", "w", "it ran", "/tree/sub"), 0);
	decisions_keep(key, &decision);
	decision_release(&decision);
}

static bool recall(const struct decision_key *key)
{
	struct decision decision;
	if (decisions_recall(key, &decision) != 1)
		return false;
	assert_int_equal(decision.kind, DECISION_KEPT);
	assert_string_equal(decision.toolchain, "cargo");
	assert_string_equal(decision.wrapper, "w");
	assert_string_equal(decision.reason, "it ran");
	assert_string_equal(decision.directory, "/tree/sub");
	decision_release(&decision);
	return true;
}

static const char *file_of(const struct decision_key *key)
{
	char name[200];
	snprintf(name, sizeof(name), "home/.cache/pinfold/wrappers/%s", key->key);
	return place(name);
}

static void a_decision_comes_back_under_its_key_and_stamps_alone(void **state)
{
	(void)state;
	struct decision_key key = key_of("a", "1"), other = key_of("b", "1"), later = key_of("a", "2");
	assert_false(recall(&key));
	keep(&key);
	assert_true(recall(&key));
	assert_false(recall(&other));
	assert_false(recall(&later));
	keep(&later);
	assert_true(recall(&later));
	assert_false(recall(&key));
}

static void its_file_is_private_and_nothing_lies_beside_it(void **state)
{
	(void)state;
	struct decision_key key = key_of("private", "1");
	umask(0);
	keep(&key);
	umask(022);
	struct stat about;
	assert_int_equal(stat(file_of(&key), &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	assert_int_equal(stat(place("home/.cache/pinfold/wrappers"), &about), 0);
	assert_int_equal(about.st_mode & 0777, 0700);
	DIR *dir = opendir(place("home/.cache/pinfold/wrappers"));
	for (const struct dirent *entry; (entry = readdir(dir));)
		assert_true(entry->d_name[0] != '.' || strlen(entry->d_name) < 3);
	closedir(dir);
}

static void overwrite(const struct decision_key *key, const char *content, unsigned mode)
{
	FILE *file = fopen(file_of(key), "w");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
	chmod(file_of(key), mode);
}

/* A whole file with some of its members otherwise. */
static void spell(const struct decision_key *key, const char *format, const char *decision, const char *wrapper,
		  const char *reason, char *room, size_t bytes)
{
	snprintf(room, bytes, "{\"format\":%s,\"key\":\"%s\",\"stamps\":\"%s\",\"arm\":\"here\",\"tree\":\"/tree\","
		 "\"toolchain\":\"cargo\",\"decision\":\"%s\",\"wrapper\":%s,\"reason\":\"%s\","
		 "\"directory\":\"/tree/sub\",\"measured\":1}", format, key->key, key->stamps, decision, wrapper,
		 reason);
}

static void what_is_damaged_of_the_future_or_contradicts_itself_is_measured_again(void **state)
{
	(void)state;
	struct decision_key key = key_of("damaged", "1");
	char text[1000];
	static const struct {
		const char *format, *decision, *wrapper, *reason;
	} bad[] = {
		{ "2", "kept", "\"w\"", "it ran" }, { "\"1\"", "kept", "\"w\"", "it ran" },
		{ "1", "sure", "\"w\"", "it ran" }, { "1", "kept", "null", "it ran" },
		{ "1", "kept", "\"\"", "it ran" }, { "1", "kept", "\"w\"", "" },
	};
	keep(&key);
	spell(&key, "1", "kept", "\"w\"", "it ran", text, sizeof(text));
	overwrite(&key, text, 0600);
	assert_true(recall(&key));
	overwrite(&key, text, 0644);
	assert_false(recall(&key));
	for (size_t i = 0; i < N_ELEMENTS(bad); i++) {
		spell(&key, bad[i].format, bad[i].decision, bad[i].wrapper, bad[i].reason, text, sizeof(text));
		overwrite(&key, text, 0600);
		assert_false(recall(&key));
	}
	spell(&key, "1", "kept", "\"w\"", "it ran", text, sizeof(text));
	size_t last = (size_t)(strrchr(text, '}') - text);	/* a line's end more or less changes nothing */
	for (size_t length = 0; length <= last; length++) {
		char cut[1000];
		snprintf(cut, sizeof(cut), "%.*s", (int)length, text);
		overwrite(&key, cut, 0600);
		assert_false(recall(&key));
	}
	unlink(file_of(&key));
	assert_int_equal(mkfifo(file_of(&key), 0600), 0);
	assert_false(recall(&key));
	unlink(file_of(&key));
	assert_int_equal(symlink(place("elsewhere"), file_of(&key)), 0);
	assert_false(recall(&key));
	unlink(file_of(&key));
	keep(&key);
	chmod(place("home/.cache/pinfold/wrappers"), 0755);
	assert_false(recall(&key));
	chmod(place("home/.cache/pinfold/wrappers"), 0700);
	assert_true(recall(&key));
}

static void to_symlink(const char *good, const char *path)
{
	assert_int_equal(symlink(good, path), 0);
}

static void to_fifo(const char *good, const char *path)
{
	(void)good;
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void to_directory(const char *good, const char *path)
{
	(void)good;
	assert_int_equal(mkdir(path, 0700), 0);
}

static void to_nothing(const char *good, const char *path)
{
	(void)good, (void)path;
}

static void to_endless(const char *good, const char *path)
{
	(void)good;
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && ftruncate(fd, (off_t)1 << 40) == 0);
	close(fd);
}

/* Another key's decision, whole and private, under this one's name. */
static void to_hard_link(const char *good, const char *path)
{
	(void)good;
	struct decision_key other = key_of("another", "1");
	keep(&other);
	assert_int_equal(link(file_of(&other), path), 0);
}

static void what_lies_there_in_place_of_a_decision_is_measured_again_and_waited_for_by_nobody(void **state)
{
	(void)state;
	static void (*const place_it[])(const char *good, const char *path) = {
		to_nothing, to_symlink, to_fifo, to_directory, to_endless, to_hard_link,
	};
	struct decision_key key = key_of("poisoned", "1");
	for (size_t i = 0; i < N_ELEMENTS(place_it); i++) {
		char path[600], good[700];
		struct kept_decisions list;
		keep(&key);
		assert_true(recall(&key));
		snprintf(path, sizeof(path), "%s", file_of(&key));
		snprintf(good, sizeof(good), "%s.good", path);
		assert_int_equal(rename(path, good), 0);
		place_it[i](good, path);
		assert_false(recall(&key));
		assert_int_equal(decisions_list(&list, NULL), 0);
		decisions_list_release(&list);
		if (place_it[i] != to_directory) {	/* nobody lays a file over that */
			keep(&key);
			assert_true(recall(&key));
		}
		assert_int_equal(place_it[i] == to_directory ? rmdir(path) : unlink(path), 0);
		assert_int_equal(unlink(good), 0);
	}
}

/* A busy machine is not busy for ever, and a clock may be set back. */
static void what_could_not_be_told_counts_for_a_quarter_of_an_hour(void **state)
{
	(void)state;
	static const struct {
		const char *decision;
		int age;
		bool counts;
	} cases[] = {
		{ "unmeasured", 60, true }, { "unmeasured", 16 * 60, false }, { "unmeasured", -3600, false },
		{ "disabled", 16 * 60, true }, { "disabled", -3600, true }, { "kept", 365 * 86400, true },
	};
	struct decision_key key = key_of("age", "1");
	char text[1000], aged[1100];
	keep(&key);
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		struct decision decision = { 0 };
		spell(&key, "1", cases[i].decision, "\"w\"", "it ran", text, sizeof(text));
		snprintf(aged, sizeof(aged), "%.*s\"measured\":%lld}", (int)(strstr(text, "\"measured\"") - text), text,
			 (long long)time(NULL) - cases[i].age);
		overwrite(&key, aged, 0600);
		assert_int_equal(decisions_recall(&key, &decision), cases[i].counts);
		decision_release(&decision);
	}
}

static void one_run_measures_at_a_time_and_only_for_its_own_key(void **state)
{
	(void)state;
	struct decision_key key = key_of("locked", "1"), other = key_of("free", "1");
	int first = -1, second = -1, third = -1;
	assert_int_equal(decisions_lock(&key, &first), 1);
	assert_int_equal(decisions_lock(&key, &second), 0);
	assert_int_equal(decisions_lock(&other, &third), 1);
	close(first);
	assert_int_equal(decisions_lock(&key, &second), 1);
	close(second);
	close(third);
}

static void decisions_are_listed_and_forgotten_by_tree(void **state)
{
	(void)state;
	size_t count;
	struct kept_decisions list;
	struct decision_key key = key_of("listed", "1"), other = key_of("others", "1");
	other.tree = "/other";
	assert_int_equal(decisions_forget(NULL, &count, NULL), 0);
	keep(&key);
	keep(&other);
	assert_int_equal(decisions_list(&list, NULL), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].arm, "here");
	decisions_list_release(&list);
	assert_int_equal(decisions_forget("/other", &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_true(recall(&key));
	assert_false(recall(&other));
	assert_int_equal(decisions_forget(NULL, &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_int_equal(decisions_list(&list, NULL), 0);
	assert_int_equal(list.count, 0);
	decisions_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_decision_comes_back_under_its_key_and_stamps_alone),
		cmocka_unit_test(its_file_is_private_and_nothing_lies_beside_it),
		cmocka_unit_test(what_is_damaged_of_the_future_or_contradicts_itself_is_measured_again),
		cmocka_unit_test(what_lies_there_in_place_of_a_decision_is_measured_again_and_waited_for_by_nobody),
		cmocka_unit_test(what_could_not_be_told_counts_for_a_quarter_of_an_hour),
		cmocka_unit_test(one_run_measures_at_a_time_and_only_for_its_own_key),
		cmocka_unit_test(decisions_are_listed_and_forgotten_by_tree),
	};
	return cmocka_run_group_tests(tests, place_make, place_remove);
}
