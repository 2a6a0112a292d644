/* tests/policy_git_find.c - which git directories outside of a tree are believed. No git is needed. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/path.h"
#include "base/text.h"
#include "policy/git_find.h"

#include <endian.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct world {
	char root[64];
	struct git_found found;
};

static char *in(const struct world *world, const char *rest)
{
	static char rooms[16][300];
	static unsigned turn;
	char *room = rooms[turn++ % 16];
	snprintf(room, sizeof(rooms[0]), "%s/%s", world->root, rest);
	return room;
}

static void make(const struct world *world, const char *rest)
{
	char path[300];
	snprintf(path, sizeof(path), "%s", in(world, rest));
	for (char *slash = path + strlen(world->root); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	mkdir(path, 0755);
}

static void write_bytes(const struct world *world, const char *rest, const void *data, size_t bytes)
{
	int fd = open(in(world, rest), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, bytes), bytes);
	close(fd);
}

/* Each path in the text with "@" for the world's root. */
static void write_text(const struct world *world, const char *rest, const char *text)
{
	char room[600];
	const char *at = strchr(text, '@');
	if (at)
		snprintf(room, sizeof(room), "%.*s%s%s", (int)(at - text), text, world->root, at + 1);
	else
		snprintf(room, sizeof(room), "%s", text);
	write_bytes(world, rest, room, strlen(room));
}

/* A git directory, as git makes one. */
static void make_git(const struct world *world, const char *rest)
{
	char path[200];
	static const char *const parts[] = { "objects/info", "refs/heads", "hooks" };
	for (size_t i = 0; i < N_ELEMENTS(parts); i++) {
		snprintf(path, sizeof(path), "%s/%s", rest, parts[i]);
		make(world, path);
	}
	snprintf(path, sizeof(path), "%s/HEAD", rest);
	write_text(world, path, "ref: refs/heads/main\n");
	snprintf(path, sizeof(path), "%s/config", rest);
	write_text(world, path, "[core]\n\tbare = false\n");
}

/* A repository `repo` with a linked worktree `tree`. */
static void make_linked(const struct world *world)
{
	make_git(world, "repo/.git");
	make(world, "repo/.git/worktrees/w");
	write_text(world, "repo/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
	write_text(world, "repo/.git/worktrees/w/commondir", "../..\n");
	write_text(world, "repo/.git/worktrees/w/gitdir", "@/tree/.git\n");
	write_text(world, "tree/.git", "gitdir: @/repo/.git/worktrees/w\n");
}

static int open_world(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	snprintf(world->root, sizeof(world->root), "/tmp/policy-git-XXXXXX");
	assert_non_null(mkdtemp(world->root));
	make(world, "tree/sub");
	*state = world;
	return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *ftw)
{
	(void)about, (void)kind, (void)ftw;
	return remove(path);
}

static int close_world(void **state)
{
	struct world *world = *state;
	git_found_release(&world->found);
	nftw(world->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(world);
	return 0;
}

static const struct git_found *find(struct world *world, const char *tree)
{
	git_found_release(&world->found);
	assert_int_equal(git_find(in(world, tree), geteuid(), &world->found, NULL), 0);
	return &world->found;
}

static void finds_one(struct world *world, const char *tree, const char *git)
{
	const struct git_found *found = find(world, tree);
	struct stat status;
	assert_int_equal(found->count, 1);
	assert_string_equal(found->places[0].path, in(world, git));
	assert_int_equal(lstat(in(world, git), &status), 0);
	assert_int_equal(found->places[0].status.st_ino, status.st_ino);
	assert_int_equal(found->remarks.count, 0);
}

/* Nothing is brought in; a person is told, or there is nothing to tell. */
static void finds_none(struct world *world, size_t remarks)
{
	const struct git_found *found = find(world, "tree");
	if (found->count)
		fail_msg("believed: %s", found->places[0].path);
	if (found->remarks.count != remarks)
		fail_msg("remarks: %zu, the first: %s", found->remarks.count,
			 found->remarks.count ? found->remarks.items[0] : "");
}

static void a_linked_worktree_brings_its_common_directory(void **state)
{
	struct world *world = *state;
	make_linked(world);
	finds_one(world, "tree", "repo/.git");
	write_text(world, "tree/.git", "gitdir: ../repo/.git/worktrees/w\n");
	write_text(world, "repo/.git/worktrees/w/gitdir", "../../../../tree/.git\n");
	finds_one(world, "tree", "repo/.git");
}

static void a_submodule_brings_its_own_directory_only(void **state)
{
	struct world *world = *state;
	make_git(world, "super/.git");
	make_git(world, "super/.git/modules/tree");
	write_text(world, "super/.git/modules/tree/config", "[core]\n\tworktree = ../../../../tree\n");
	write_text(world, "tree/.git", "gitdir: ../super/.git/modules/tree\n");
	finds_one(world, "tree", "super/.git/modules/tree");
}

static void a_subdirectory_of_a_checkout_brings_the_one_above(void **state)
{
	struct world *world = *state;
	make_git(world, "tree/.git");
	finds_one(world, "tree/sub", "tree/.git");
	finds_none(world, 0);
}

static void a_directory_of_repositories_brings_what_its_worktrees_need(void **state)
{
	struct world *world = *state;
	make_linked(world);
	assert_int_equal(rename(in(world, "tree/.git"), in(world, "tree/sub/.git")), 0);
	write_text(world, "repo/.git/worktrees/w/gitdir", "@/tree/sub/.git\n");
	make_git(world, "tree/other/.git");
	finds_one(world, "tree", "repo/.git");
}

static void put_number(unsigned char *at, uint32_t number)
{
	number = htobe32(number);
	memcpy(at, &number, sizeof(number));
}

/* An index with one file of the tree, as `git add` writes it. */
static void make_index(const struct world *world, const char *rest, uint32_t version, unsigned change)
{
	static const char name[] = "sub/file";
	unsigned char data[160] = "DIRC";
	struct stat status;
	write_text(world, "tree/sub/file", "content\n");
	assert_int_equal(stat(in(world, "tree/sub/file"), &status), 0);
	put_number(data + 4, version);
	put_number(data + 8, 1);
	put_number(data + 12 + 8, (uint32_t)status.st_mtim.tv_sec);
	put_number(data + 12 + 12, (uint32_t)status.st_mtim.tv_nsec);
	put_number(data + 12 + 20, (uint32_t)status.st_ino + change);
	put_number(data + 12 + 36, (uint32_t)status.st_size);
	memcpy(data + 12 + 62 + (version == 4), name, sizeof(name));
	write_bytes(world, rest, data, sizeof(data));
}

static void a_separate_git_directory_is_known_by_its_index_or_its_configuration(void **state)
{
	struct world *world = *state;
	make_git(world, "separate");
	write_text(world, "tree/.git", "gitdir: @/separate\n");
	finds_none(world, 1);
	for (uint32_t version = 2; version <= 4; version++) {
		make_index(world, "separate/index", version, 0);
		finds_one(world, "tree", "separate");
		make_index(world, "separate/index", version, 1);
		finds_none(world, 1);
	}
	write_text(world, "separate/config", "[core]\n\tworktree = @/tree\n");
	finds_one(world, "tree", "separate");
}

static void a_link_to_a_git_directory_is_believed_for_the_same_reasons(void **state)
{
	struct world *world = *state;
	make_git(world, "separate");
	assert_int_equal(symlink("../separate", in(world, "tree/.git")), 0);
	finds_none(world, 1);
	make_index(world, "separate/index", 2, 0);
	finds_one(world, "tree", "separate");
}

static void what_lies_in_the_tree_is_nothing_to_bring(void **state)
{
	struct world *world = *state;
	finds_none(world, 0);
	make_git(world, "tree/.git");
	finds_none(world, 0);
	make_git(world, "tree/.git/modules/sub");
	write_text(world, "tree/sub/.git", "gitdir: ../.git/modules/sub\n");
	finds_none(world, 0);
}

/* The danger: whoever wrote the tree names a directory of the caller's. */
static void a_directory_that_does_not_lead_back_is_not_believed(void **state)
{
	struct world *world = *state;
	make(world, "secret");
	write_text(world, "secret/HEAD", "x");
	make_git(world, "other/.git");
	static const struct {
		const char *text;
		size_t remarks;
	} rows[] = {
		{ "gitdir: @/secret\n", 1 }, { "gitdir: @/other/.git\n", 1 }, { "gitdir: @\n", 1 },
		{ "gitdir: /\n", 1 }, { "gitdir: /etc\n", 1 }, { "gitdir: @/none\n", 0 },
		{ "gitdir: /dev/null\n", 0 }, { "gitdir: ../other/.git/objects\n", 1 }, { "x\n", 0 },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		write_text(world, "tree/.git", rows[i].text);
		finds_none(world, rows[i].remarks);
	}
}

static void a_worktree_that_belongs_to_another_tree_is_not_believed(void **state)
{
	struct world *world = *state;
	make_linked(world);
	make(world, "theirs");
	write_text(world, "theirs/.git", "gitdir: @/repo/.git/worktrees/w\n");
	write_text(world, "repo/.git/worktrees/w/gitdir", "@/theirs/.git\n");
	finds_none(world, 1);
	write_text(world, "repo/.git/worktrees/w/gitdir", "@/tree\n");
	finds_none(world, 1);
	assert_int_equal(symlink("../tree/.git", in(world, "theirs/link")), 0);
	write_text(world, "repo/.git/worktrees/w/gitdir", "@/theirs/link\n");
	finds_none(world, 1);
}

/* A git directory in the tree, all of it written by whoever wrote the tree, with somebody else's as its
 * common one. */
static void a_common_directory_that_does_not_hold_the_other_is_not_believed(void **state)
{
	struct world *world = *state;
	make_git(world, "other/.git");
	make_git(world, "tree/.git");
	write_text(world, "tree/.git/commondir", "@/other/.git\n");
	write_text(world, "tree/.git/gitdir", "@/tree/.git\n");
	finds_none(world, 1);
	make_git(world, "tree/fake/worktrees/w");
	write_text(world, "tree/fake/worktrees/w/commondir", "@/other/.git\n");
	write_text(world, "tree/fake/worktrees/w/gitdir", "@/tree/sub/.git\n");
	write_text(world, "tree/sub/.git", "gitdir: ../fake/worktrees/w\n");
	assert_int_equal(find(world, "tree/sub")->count, 0);
}

static void what_belongs_to_somebody_else_is_not_believed(void **state)
{
	struct world *world = *state;
	if (geteuid() != 0) {
		print_message("only root can give files away\n");
		skip();
	}
	static const char *const theirs[] = { "tree/.git", "repo/.git", "repo/.git/worktrees/w" };
	make_linked(world);
	for (size_t i = 0; i < N_ELEMENTS(theirs); i++) {
		assert_int_equal(lchown(in(world, theirs[i]), 12345, 12345), 0);
		assert_int_equal(find(world, "tree")->count, 0);
		assert_int_equal(lchown(in(world, theirs[i]), 0, 0), 0);
		finds_one(world, "tree", "repo/.git");
	}
	make_git(world, "tree/up/.git");
	make(world, "tree/up/here");
	assert_int_equal(lchown(in(world, "tree/up/.git"), 12345, 12345), 0);
	assert_int_equal(find(world, "tree/up/here")->count, 0);
}

static void strange_things_at_every_place_are_survived(void **state)
{
	struct world *world = *state;
	static const char *const places[] = {
		"tree/.git", "repo/.git/worktrees/w/commondir", "repo/.git/worktrees/w/gitdir",
		"repo/.git/worktrees/w/HEAD", "repo/.git/HEAD",
	};
	char *large = calloc(1, 100000);
	memset(large, 'a', 99999);
	for (size_t i = 0; i < N_ELEMENTS(places); i++) {
		make_linked(world);
		assert_int_equal(unlink(in(world, places[i])), 0);
		assert_int_equal(find(world, "tree")->count, 0);
		assert_int_equal(mkfifo(in(world, places[i]), 0644), 0);
		assert_int_equal(find(world, "tree")->count, 0);
		unlink(in(world, places[i]));
		assert_int_equal(mkdir(in(world, places[i]), 0755), 0);
		assert_int_equal(find(world, "tree")->count, 0);
		rmdir(in(world, places[i]));
		assert_int_equal(symlink("/dev/zero", in(world, places[i])), 0);
		assert_int_equal(find(world, "tree")->count, 0);
		unlink(in(world, places[i]));
		write_bytes(world, places[i], "gitdir: /\0x", 11);
		if (i < 3)
			assert_int_equal(find(world, "tree")->count, 0);
		write_bytes(world, places[i], large, 99999);
		if (i < 3)
			assert_int_equal(find(world, "tree")->count, 0);
	}
	free(large);
}

static void lent_objects_are_found_through_a_chain_that_may_be_a_circle(void **state)
{
	struct world *world = *state;
	make_git(world, "tree/.git");
	make_git(world, "one");
	make_git(world, "two");
	write_text(world, "tree/.git/objects/info/alternates", "# lent\n@/one/objects\n/none\n");
	write_text(world, "one/objects/info/alternates", "../../two/objects\n");
	write_text(world, "two/objects/info/alternates", "@/tree/.git/objects\n../../one/objects\n");
	const struct git_found *found = find(world, "tree");
	assert_int_equal(found->count, 0);
	assert_true(list_has(&found->borrowed, in(world, "one/objects")));
	assert_true(list_has(&found->borrowed, in(world, "two/objects")));
	assert_int_equal(found->borrowed.count, 3);
}

static void no_more_than_so_many_are_brought(void **state)
{
	struct world *world = *state;
	for (int i = 0; i < 20; i++) {
		char git[40], tree[40], text[100];
		snprintf(git, sizeof(git), "git%d", i);
		make_git(world, git);
		snprintf(text, sizeof(text), "[core]\n\tworktree = @/tree/w%d\n", i);
		strcat(git, "/config");
		write_text(world, git, text);
		snprintf(tree, sizeof(tree), "tree/w%d", i);
		make(world, tree);
		strcat(tree, "/.git");
		snprintf(text, sizeof(text), "gitdir: @/git%d\n", i);
		write_text(world, tree, text);
	}
	const struct git_found *found = find(world, "tree");
	assert_int_equal(found->count, GIT_FIND_MOST);
	assert_int_equal(found->remarks.count, 20 - GIT_FIND_MOST);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_linked_worktree_brings_its_common_directory),
		TEST(a_submodule_brings_its_own_directory_only),
		TEST(a_subdirectory_of_a_checkout_brings_the_one_above),
		TEST(a_directory_of_repositories_brings_what_its_worktrees_need),
		TEST(a_separate_git_directory_is_known_by_its_index_or_its_configuration),
		TEST(a_link_to_a_git_directory_is_believed_for_the_same_reasons),
		TEST(what_lies_in_the_tree_is_nothing_to_bring),
		TEST(a_directory_that_does_not_lead_back_is_not_believed),
		TEST(a_worktree_that_belongs_to_another_tree_is_not_believed),
		TEST(a_common_directory_that_does_not_hold_the_other_is_not_believed),
		TEST(what_belongs_to_somebody_else_is_not_believed),
		TEST(strange_things_at_every_place_are_survived),
		TEST(lent_objects_are_found_through_a_chain_that_may_be_a_circle),
		TEST(no_more_than_so_many_are_brought),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
