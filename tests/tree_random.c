/* tests/tree_random.c - random operations of a command, and the changes found: the tree with these changes
 * made is what the command saw at its end, and no change is told that is none.
 *
 * Arguments: how many operations (of each view), and a seed.
 */
#include "config.h"

#include "tree_found.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "tree/digest.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { ROUND = 60, RUNS = 3, MOST = 4096 };

static unsigned operations = 600;
static uint64_t seed;

static unsigned draw(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* --- what is there ------------------------------------------------------------------------------ */

struct fact {
	char path[64];
	uint32_t mode;
	uint64_t content, attribute;
};

struct facts {
	struct fact items[MOST];
	size_t count;
};

static struct facts tree, seen, made;
static struct facts *gathered;
static size_t gathered_base;

static uint64_t content_of(const char *path, uint32_t mode)
{
	char room[65536] = "";
	auto_close int fd = S_ISREG(mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t bytes = S_ISLNK(mode) ? readlink(path, room, sizeof(room)) :
			S_ISREG(mode) ? read(fd, room, sizeof(room)) : 0;
	return bytes < 0 ? 1 : digest_of(room, (size_t)bytes);
}

static int gather_one(const char *path, const struct stat *found_stat, int type, struct FTW *walk)
{
	char value[64];
	struct fact *fact = &gathered->items[gathered->count++];
	(void)type;
	if (walk->level == 0 || gathered->count == MOST) {
		gathered->count--;
		return 0;
	}
	memset(fact, 0, sizeof(*fact));
	snprintf(fact->path, sizeof(fact->path), "%s", path + gathered_base + 1);
	fact->mode = found_stat->st_mode;
	fact->content = content_of(path, fact->mode);
	ssize_t bytes = S_ISREG(fact->mode) || S_ISDIR(fact->mode) ?
				getxattr(path, "user.mark", value, sizeof(value)) : -1;
	fact->attribute = bytes < 0 ? 0 : digest_of(value, (size_t)bytes);
	if (S_ISLNK(fact->mode))
		fact->mode = S_IFLNK;
	return 0;
}

static int compare_facts(const void *a, const void *b)
{
	return strcmp(((const struct fact *)a)->path, ((const struct fact *)b)->path);
}

static void gather(const char *path, struct facts *facts)
{
	gathered = facts;
	gathered_base = strlen(path);
	facts->count = 0;
	nftw(path, gather_one, 32, FTW_PHYS);
	qsort(facts->items, facts->count, sizeof(facts->items[0]), compare_facts);
}

static struct fact *find(struct facts *facts, const char *path)
{
	for (size_t i = 0; i < facts->count; i++)
		if (streq(facts->items[i].path, path))
			return &facts->items[i];
	return NULL;
}

/* --- what the command does ---------------------------------------------------------------------- */

static const char *random_name(void)
{
	static char rooms[4][64];
	static unsigned next;
	char *room = rooms[next++ % 4];
	int bytes = 0;
	for (unsigned depth = 1 + draw(3); depth > 0; depth--)
		bytes += snprintf(room + bytes, sizeof(rooms[0]) - (size_t)bytes, "%s%c", bytes ? "/" : "",
				  "abcde"[draw(5)]);
	return room;
}

static const char *random_path(const char *top)
{
	static char rooms[4][4200];
	static unsigned next;
	char *room = rooms[next++ % 4];
	snprintf(room, sizeof(rooms[0]), "%s/%s", top, random_name());
	return room;
}

static void write_some(const char *path, int flags)
{
	char content[32];
	auto_close int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CREAT | O_CLOEXEC | flags,
				 0644);
	int bytes = snprintf(content, sizeof(content), "%.*s", (int)draw(4), "xyzzy");
	if (fd >= 0 && write(fd, content, (size_t)bytes) < 0)
		return;
}

/* Most fail, for there is nothing of the name, or something else: that is as good. */
static void operate_once(const char *top)
{
	const char *at = random_path(top), *to = random_path(top);
	int result = 0;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { draw(1000000), draw(1000) } };
	switch (draw(16)) {
	case 0:
	case 1: write_some(at, O_TRUNC); break;
	case 2: write_some(at, O_APPEND); break;
	case 3: write_some(at, 0); break;
	case 4: result = unlink(at); break;
	case 5:
	case 6: result = mkdir(at, 0755); break;
	case 7: result = rmdir(at); break;
	case 8: draw(4) ? (void)0 : place_remove(at); break;
	case 9:
	case 10: result = rename(at, to); break;
	case 11: result = symlink(random_name(), at); break;
	case 12: result = link(at, to); break;
	case 13: result = fchmodat(AT_FDCWD, at, 0600 + 0111 * draw(2), 0); break;
	case 14: result = utimensat(AT_FDCWD, at, times, AT_SYMLINK_NOFOLLOW); break;
	default:
		result = draw(2) ? lsetxattr(at, "user.mark", "1", 1, 0) : lremovexattr(at, "user.mark");
	}
	(void)result;
}

/* Links would lead a chmod elsewhere in the same tree: that is a change as well. Directories stay open to
 * their owner, so that the model can look into them. */
static void open_directories(const char *top)
{
	gather(top, &made);
	for (size_t i = 0; i < made.count; i++) {
		char path[4200];
		snprintf(path, sizeof(path), "%s/%s", top, made.items[i].path);
		if (S_ISDIR(made.items[i].mode) && (made.items[i].mode & 0700) != 0700)
			chmod(path, 0711);
	}
}

struct run {
	uint64_t seed;
	unsigned count;
};

/* In another process, perhaps: what is seen is handed over in a file. */
static int operate(void *context)
{
	const struct run *run = context;
	char top[4200];
	snprintf(top, sizeof(top), "%s", found_in(""));
	seed = run->seed;
	for (unsigned i = 0; i < run->count; i++) {
		operate_once(top);
		if (i % 8 == 0)
			open_directories(top);
	}
	open_directories(top);
	gather(top, &seen);
	auto_close int fd = open(place_path("seen"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return write(fd, &seen, sizeof(seen)) == (ssize_t)sizeof(seen) ? 0 : -1;
}

static void read_seen(void)
{
	auto_close int fd = open(place_path("seen"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, &seen, sizeof(seen)), sizeof(seen));
}

/* --- the model ---------------------------------------------------------------------------------- */

static const char *rest_below(const char *path, const char *directory)
{
	size_t bytes = strlen(directory);
	return strncmp(path, directory, bytes) == 0 && (path[bytes] == '/' || path[bytes] == '\0') ?
		       path + bytes : NULL;
}

static bool is_removed(const char *path)
{
	for (size_t i = 0; i < found.count; i++)
		if ((found.items[i].kind == CHANGE_REMOVED || found.items[i].kind == CHANGE_RETYPED) &&
		    streq(found.items[i].path, path))
			return true;
	return false;
}

/* The name that the tree's entry has afterwards. */
static void new_name(const char *path, char *room, size_t bytes)
{
	size_t longest = 0;
	snprintf(room, bytes, "%s", path);
	for (size_t i = 0; i < found.count; i++) {
		const struct change *change = &found.items[i];
		const char *rest = change->from ? rest_below(path, change->from) : NULL;
		if (!rest || strlen(change->from) <= longest)
			continue;
		longest = strlen(change->from);
		snprintf(room, bytes, "%s%s", change->path, rest);
	}
}

static bool is_attribute_kind(uint32_t mode)
{
	return S_ISREG(mode) || S_ISDIR(mode);
}

/* Each respect that is told differs; those that are not stay as they were. */
static void change_fact(struct fact *fact, const struct change *change, const struct fact *now)
{
	if (change->what & (CHANGED_CONTENT | CHANGED_TARGET)) {
		assert_true(fact->content != now->content);
		fact->content = now->content;
	}
	if (change->what & CHANGED_MODE) {
		assert_true(fact->mode != now->mode);
		fact->mode = now->mode;
	}
	if (change->what & CHANGED_ATTRIBUTES) {
		assert_true(is_attribute_kind(now->mode) && fact->attribute != now->attribute);
		fact->attribute = now->attribute;
	}
}

static void make_change(const struct change *change)
{
	struct fact *now = find(&seen, change->path), *fact = find(&made, change->path);
	if (change->kind == CHANGE_REMOVED) {
		assert_non_null(find(&tree, change->path));
		return;
	}
	assert_non_null(now);
	if (change->kind == CHANGE_ADDED || change->kind == CHANGE_RETYPED) {
		assert_null(fact);
		made.items[made.count++] = *now;
		return;
	}
	assert_non_null(fact);
	change_fact(fact, change, now);
}

static void make_changes(void)
{
	made.count = 0;
	for (size_t i = 0; i < tree.count; i++) {
		if (is_removed(tree.items[i].path))
			continue;
		struct fact *fact = &made.items[made.count++];
		*fact = tree.items[i];
		new_name(tree.items[i].path, fact->path, sizeof(fact->path));
	}
	for (size_t i = 0; i < found.count; i++)
		make_change(&found.items[i]);
	qsort(made.items, made.count, sizeof(made.items[0]), compare_facts);
}

static void assert_is_seen(const char *text, uint64_t began)
{
	make_changes();
	for (size_t i = 0; i < made.count || i < seen.count; i++) {
		const struct fact *a = &made.items[i], *b = &seen.items[i];
		if (i < made.count && i < seen.count && streq(a->path, b->path) && a->mode == b->mode &&
		    a->content == b->content && a->attribute == b->attribute)
			continue;
		fail_msg("seed %llu: with the changes there is %s (%o), the command saw %s (%o):\n%s",
			 (unsigned long long)began, i < made.count ? a->path : "nothing", a->mode,
			 i < seen.count ? b->path : "nothing", b->mode, text);
	}
}

static void play(enum found_view view)
{
	uint64_t began = seed;
	assert_int_equal(place_set_up(NULL), 0);
	for (int i = 0; i < 120; i++)
		operate_once(place.tree);
	open_directories(place.tree);
	gather(place.tree, &tree);
	place_let_age();
	found_start(view);
	for (int i = 0; i < RUNS; i++) {
		struct run run = { seed + (unsigned)i * 7919, ROUND / RUNS };
		found_run(operate, &run);
	}
	read_seen();
	const char *text = found_changes(NULL);
	assert_is_seen(text, began);
	found_release();
	assert_int_equal(place_tear_down(NULL), 0);
}

static void play_all(enum found_view view)
{
	const char *lack = found_lacks(view);
	if (lack) {
		print_message("not tested: %s; it takes %s\n", found_view_names[view], lack);
		skip();
	}
	for (unsigned done = 0; done < operations; done += ROUND) {
		draw(2);
		play(view);
	}
}

static void a_tree_with_the_changes_of_its_copy_is_what_the_command_saw(void **state)
{
	(void)state;
	play_all(FOUND_COPY);
}

static void a_tree_with_the_changes_of_a_user_s_layer_is_what_the_command_saw(void **state)
{
	(void)state;
	play_all(FOUND_USER_LAYER);
}

static void a_tree_with_the_changes_of_a_layer_of_root_is_what_the_command_saw(void **state)
{
	(void)state;
	play_all(FOUND_ROOT_LAYER);
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_with_the_changes_of_its_copy_is_what_the_command_saw),
		cmocka_unit_test(a_tree_with_the_changes_of_a_user_s_layer_is_what_the_command_saw),
		cmocka_unit_test(a_tree_with_the_changes_of_a_layer_of_root_is_what_the_command_saw),
	};
	seed = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
	if (count > 1)
		operations = (unsigned)strtoul(arguments[1], NULL, 10);
	if (count > 2)
		seed = strtoull(arguments[2], NULL, 10);
	print_message("%u operations of each view, seed %llu\n", operations, (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
