/* tests/tree_place.c - a working tree and a scratch root for one test, and syncing between them. */
#include "config.h"

#include "tree_place.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/text.h"
#include "config/scope.h"
#include "tree/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pinfold/plugin.h>
#include <stdio.h>
#include <sys/stat.h>

struct place place;

static struct config *config;

/* Copies want parents that nobody else can write: home has them, the build tree may not. */
int place_set_up(void **state)
{
	(void)state;
	auto_free char *home = path_home();
	memset(&place, 0, sizeof(place));
	assert_non_null(home);
	snprintf(place.base, sizeof(place.base), "%s/.pinfold-test-XXXXXX", home);
	assert_non_null(mkdtemp(place.base));
	snprintf(place.tree, sizeof(place.tree), "%s/work", place.base);
	snprintf(place.scratch, sizeof(place.scratch), "%s/s", place.base);
	assert_int_equal(mkdir(place.tree, 0755), 0);
	return 0;
}

static int remove_found(const char *path, const struct stat *found, int type, struct FTW *walk)
{
	(void)found;
	(void)type;
	(void)walk;
	return remove(path);
}

static int open_up(const char *path, const struct stat *found, int type, struct FTW *walk)
{
	(void)type;
	(void)walk;
	if (S_ISDIR(found->st_mode))
		chmod(path, 0700);
	return 0;
}

void place_remove(const char *path)
{
	nftw(path, open_up, 16, FTW_PHYS);
	nftw(path, remove_found, 16, FTW_PHYS | FTW_DEPTH);
}

int place_tear_down(void **state)
{
	(void)state;
	config_free(config);
	config = NULL;
	place_remove(place.base);
	return access(place.base, F_OK) == 0 ? -1 : 0;
}

const char *place_path(const char *format, ...)
{
	static char rooms[8][8192];
	static unsigned next;
	char *room = rooms[next++ % 8];
	int start = snprintf(room, sizeof(rooms[0]), "%s/", place.base);
	va_list list;
	va_start(list, format);
	vsnprintf(room + start, sizeof(rooms[0]) - (size_t)start, format, list);
	va_end(list);
	return room;
}

void place_write(const char *path, const char *content)
{
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
}

void place_directory(const char *path)
{
	assert_int_equal(mkdir(path, 0755), 0);
}

char *place_read(const char *path)
{
	auto_close int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char room[4096];
	ssize_t got = fd < 0 ? -1 : read(fd, room, sizeof(room) - 1);
	if (got < 0)
		return NULL;
	room[got] = '\0';
	return strdup(room);
}

void place_set_time(const char *path, long seconds, long nanoseconds)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { seconds, nanoseconds } };
	assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

void place_let_age(void)
{
	usleep(40000);
}

/* Texts that layers are named by; few enough to be left until the next test. */
static const char *print(const struct pinfold_host *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static const char *print(const struct pinfold_host *table, const char *format, ...)
{
	static char texts[8][4096];
	static unsigned next;
	(void)table;
	char *room = texts[next++ % N_ELEMENTS(texts)];
	va_list list;
	va_start(list, format);
	vsnprintf(room, sizeof(texts[0]), format, list);
	va_end(list);
	return room;
}

static const struct pinfold_host *host(void)
{
	static struct pinfold_scope scope;
	static struct pinfold_host table = { .size = sizeof(table), .scope = &scope, .print = print };
	if (!config) {
		char scratch[300];
		const char *settings[18] = { scratch };
		snprintf(scratch, sizeof(scratch), "filesystem.scratch=%s", place.scratch);
		for (size_t i = 0; place.settings[i]; i++)
			settings[i + 1] = place.settings[i];
		struct config_sources sources = { .site = "", .user = "", .settings = settings };
		if (config_load(&sources, &config, &place.err) < 0)
			fail_msg("%s: %s", place.err.action, place.err.subject);
	}
	scope.config = config;
	return &table;
}

const struct pinfold_host *place_host(void)
{
	return host();
}

const struct config *place_config(void)
{
	return host()->scope->config;
}

int place_open_order(const struct pinfold_place_order *order, struct pinfold_copy **ret_copy)
{
	return copies_trees.open_place(host(), place.tree, order, ret_copy, &place.err);
}

int place_open(uint32_t follow_out, struct pinfold_copy **ret_copy)
{
	return copies_trees.open(host(), place.tree, follow_out, NULL, ret_copy, &place.err);
}

int place_sync(struct pinfold_copy *copy)
{
	place.work.size = sizeof(place.work);
	return copies_trees.sync(copy, &place.work, &place.err);
}

void place_close(struct pinfold_copy *copy, uint32_t keep)
{
	copies_trees.close(copy, keep);
}

const char *place_once(uint32_t follow_out)
{
	static char directory[4096];
	struct pinfold_copy *copy = NULL;
	if (place_open(follow_out, &copy) < 0)
		return NULL;
	snprintf(directory, sizeof(directory), "%s", copies_trees.directory(copy));
	int result = place_sync(copy);
	place_close(copy, PINFOLD_COPY_KEEP);
	return result < 0 ? NULL : directory;
}

static const char *compared_tree, *compared_copy;

static void assert_same_content(const char *a, const char *b, off_t size)
{
	auto_close int left = open(a, O_RDONLY | O_CLOEXEC), right = open(b, O_RDONLY | O_CLOEXEC);
	char one[8192], other[8192];
	assert_true(left >= 0 && right >= 0);
	for (off_t at = 0; at < size && at < 1 << 20;) {
		ssize_t got = read(left, one, sizeof(one));
		assert_true(got > 0);
		assert_int_equal(read(right, other, (size_t)got), got);
		if (memcmp(one, other, (size_t)got) != 0)
			fail_msg("%s and %s differ", a, b);
		at += got;
	}
}

static int compare(const char *path, const struct stat *left, int type, struct FTW *walk)
{
	(void)type;
	(void)walk;
	char other[PATH_MAX + 256], one_link[PATH_MAX], other_link[PATH_MAX];
	struct stat right;
	if (!S_ISREG(left->st_mode) && !S_ISDIR(left->st_mode) && !S_ISLNK(left->st_mode))
		return 0;
	snprintf(other, sizeof(other), "%s%s", compared_copy, path + strlen(compared_tree));
	if (lstat(other, &right) < 0)
		fail_msg("%s is missing", other);
	if ((left->st_mode & (S_IFMT | 0777)) != (right.st_mode & (S_IFMT | 0777)))
		fail_msg("mode of %s is %o, not %o", other, right.st_mode, left->st_mode);
	if (left->st_mtim.tv_sec != right.st_mtim.tv_sec ||
	    left->st_mtim.tv_nsec != right.st_mtim.tv_nsec)
		fail_msg("time of %s is another", other);
	if (S_ISREG(left->st_mode)) {
		assert_int_equal(left->st_size, right.st_size);
		assert_same_content(path, other, left->st_size);
	}
	if (S_ISLNK(left->st_mode)) {
		ssize_t bytes = readlink(path, one_link, sizeof(one_link));
		assert_int_equal(readlink(other, other_link, sizeof(other_link)), bytes);
		assert_memory_equal(one_link, other_link, (size_t)bytes);
	}
	return 0;
}

static unsigned counted, counted_special;

static int count(const char *path, const struct stat *found, int type, struct FTW *walk)
{
	(void)path;
	(void)type;
	counted += walk->level > 0;
	counted_special += !S_ISREG(found->st_mode) && !S_ISDIR(found->st_mode) &&
			   !S_ISLNK(found->st_mode);
	return 0;
}

unsigned place_count(const char *path)
{
	counted = counted_special = 0;
	nftw(path, count, 16, FTW_PHYS);
	return counted;
}

void place_assert_equal(const char *tree, const char *copy)
{
	assert_non_null(copy);
	compared_tree = tree;
	compared_copy = copy;
	assert_int_equal(nftw(tree, compare, 16, FTW_PHYS), 0);
	unsigned expected = place_count(tree);
	expected -= counted_special;
	assert_int_equal(place_count(copy), expected);
}
