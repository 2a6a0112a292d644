/* tests/tree_digest.c - what the index says of contents. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/digest.h"
#include "tree/index.h"

#include <fcntl.h>
#include <stdio.h>

static const char *expect(void)
{
	const char *copy = place_once(0);
	if (!copy)
		fail_msg("cannot %s: %s; %s", place.err.action, place.err.subject, place.err.recovery);
	return copy;
}

static bool was_young;	/* of what was recorded last */

static struct index_entry recorded(const char *copy, const char *name)
{
	struct index index = { 0 };
	struct index_entry found = { .kind = INDEX_KINDS };
	auto_close int slot = open(place_path("%s/..", copy + strlen(place.base) + 1), O_PATH | O_CLOEXEC);
	assert_int_equal(index_load(slot, "index", &index), 0);
	for (uint32_t i = 1; i < index.header->count; i++)
		if (streq(index_name(&index, &index.entries[i]), name))
			found = index.entries[i];
	was_young = stamp_is_young(found.ctime, index.header->began);
	index_release(&index);
	assert_int_not_equal(found.kind, INDEX_KINDS);
	return found;
}

static char *bytes_of(size_t count, unsigned seed)
{
	char *bytes = malloc(count + 1);
	assert_non_null(bytes);
	for (size_t i = 0; i < count; i++)
		bytes[i] = (char)('a' + (i * 7 + i / 251 + seed) % 26);
	bytes[count] = '\0';
	return bytes;
}

/* Where the scratch root's file system shares bytes, nothing passes through memory, unless it is young. */
static void assert_digest(const char *copy, const char *name, uint64_t expected)
{
	struct index_entry entry = recorded(copy, name);
	if (!(entry.flags & INDEX_CLONED) || entry.digest != 0)
		assert_int_equal(entry.digest, expected);
}

static void a_digest_is_the_published_xxh3_and_never_0(void **state)
{
	(void)state;
	assert_int_equal(digest_of("", 0), 0x2d06800538d394c2u);
	struct digest digest;
	auto_free char *bytes = bytes_of(300000, 0);
	digest_begin(&digest);
	for (size_t at = 0; at < 300000; at += 1000)
		digest_add(&digest, bytes + at, 1000);
	assert_int_equal(digest_end(&digest), digest_of(bytes, 300000));
}

static void a_short_file_has_the_digest_of_its_content(void **state)
{
	(void)state;
	static const size_t sizes[] = { 0, 1, 4096, 65535, 65536, 65537, 200000, DIGEST_MOST };
	for (size_t i = 0; i < N_ELEMENTS(sizes); i++) {
		auto_free char *bytes = bytes_of(sizes[i], (unsigned)i);
		place_write(place_path("work/%zu", sizes[i]), bytes);
	}
	const char *copy = expect();
	place_assert_equal(place.tree, copy);
	for (size_t i = 0; i < N_ELEMENTS(sizes); i++) {
		auto_free char *bytes = bytes_of(sizes[i], (unsigned)i);
		char name[24];
		snprintf(name, sizeof(name), "%zu", sizes[i]);
		assert_digest(copy, name, digest_of(bytes, sizes[i]));
	}
}

static void a_long_file_has_none(void **state)
{
	(void)state;
	auto_free char *bytes = bytes_of(DIGEST_MOST + 1, 0);
	place_write(place_path("work/long"), bytes);
	place_let_age();
	const char *copy = expect();
	place_assert_equal(place.tree, copy);
	assert_int_equal(recorded(copy, "long").digest, 0);
}

/* A busy machine may let it grow old meanwhile. */
static void assert_young(const char *name, const char *bytes)
{
	for (int tries = 0; tries < 1000; tries++) {
		place_write(place_path("work/%s", name), bytes);
		uint64_t digest = recorded(expect(), name).digest;
		if (!was_young)
			continue;
		assert_int_equal(digest, digest_of(bytes, strlen(bytes)));
		return;
	}
	fail_msg("%s was never young", name);
}

static void a_long_file_that_changed_just_now_has_one(void **state)
{
	(void)state;
	auto_free char *bytes = bytes_of(DIGEST_MOST + 1, 0), *more = bytes_of(DIGEST_MOST + 1, 1);
	place_write(place_path("work/long"), bytes);
	assert_int_equal(link(place_path("work/long"), place_path("work/same")), 0);
	assert_young("long", bytes);
	assert_young("same", bytes);
	assert_young("long", more);
	place_let_age();
	const char *copy = expect();
	place_assert_equal(place.tree, copy);
	auto_close int fd = open(place_path("work/huge"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(fd, DIGEST_MOST_YOUNG + 1), 0);
	copy = expect();
	assert_int_equal(recorded(copy, "huge").digest, 0);
}

static void a_file_with_holes_and_a_link_have_theirs(void **state)
{
	(void)state;
	auto_close int fd = open(place_path("work/holes"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	auto_free char *zeros = calloc(1, 500000);
	assert_int_equal(pwrite(fd, "end", 3, 499997), 3);
	memcpy(zeros + 499997, "end", 3);
	assert_int_equal(symlink("where/to", place_path("work/link")), 0);
	const char *copy = expect();
	assert_digest(copy, "holes", digest_of(zeros, 500000));
	assert_int_equal(recorded(copy, "link").digest, digest_of("where/to", 8));
}

static void every_name_of_a_file_has_its_digest(void **state)
{
	(void)state;
	place_write(place_path("work/a"), "shared");
	assert_int_equal(link(place_path("work/a"), place_path("work/b")), 0);
	const char *copy = expect();
	assert_digest(copy, "a", digest_of("shared", 6));
	assert_digest(copy, "b", digest_of("shared", 6));
}

static void a_file_that_was_touched_keeps_its_digest_and_a_changed_one_gets_another(void **state)
{
	(void)state;
	place_write(place_path("work/f"), "before");
	place_let_age();
	expect();
	place_set_time(place_path("work/f"), 5, 5);
	place_let_age();
	const char *copy = expect();
	assert_int_equal(recorded(copy, "f").mtime, INT64_C(5000000005));
	assert_digest(copy, "f", digest_of("before", 6));
	place_write(place_path("work/f"), "behind");
	place_let_age();
	copy = expect();
	assert_digest(copy, "f", digest_of("behind", 6));
	place_let_age();
	expect();
	assert_int_equal(place.work.rewritten, 0);
	assert_digest(copy, "f", digest_of("behind", 6));
}

static void a_file_that_ends_early_has_no_digest(void **state)
{
	(void)state;
	uint64_t digest = 7;
	place_write(place_path("work/f"), "12345");
	auto_close int fd = open(place_path("work/f"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(digest_file(fd, 6, &digest), -1);
	assert_int_equal(digest, 7);
	assert_int_equal(digest_file(fd, 5, &digest), 0);
	assert_int_equal(digest, digest_of("12345", 5));
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_digest_is_the_published_xxh3_and_never_0),
		TREE_TEST(a_short_file_has_the_digest_of_its_content),
		TREE_TEST(a_long_file_has_none),
		TREE_TEST(a_long_file_that_changed_just_now_has_one),
		TREE_TEST(a_file_with_holes_and_a_link_have_theirs),
		TREE_TEST(every_name_of_a_file_has_its_digest),
		TREE_TEST(a_file_that_was_touched_keeps_its_digest_and_a_changed_one_gets_another),
		TREE_TEST(a_file_that_ends_early_has_no_digest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
