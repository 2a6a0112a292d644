/* policy/glob.c - patterns of paths. */
#include "config.h"

#include "policy/glob.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?") != NULL;
}

size_t glob_fixed(const char *pattern, size_t plain)
{
	const char *first = strpbrk(pattern + plain, "*?");
	const char *end = first ? first : pattern + strlen(pattern);
	while (end > pattern && *end != '/')
		end--;
	return (size_t)(end - pattern);
}

static size_t part_length(const char *text)
{
	return strcspn(text, "/");
}

static bool is_deep(const char *part)
{
	return part[0] == '*' && part[1] == '*' && part_length(part) == 2;
}

/* The bytes of one character: what does not begin one counts by itself. */
static size_t character(const char *text)
{
	size_t length = 1;
	if ((unsigned char)text[0] >= 0xc0)
		while (((unsigned char)text[length] & 0xc0) == 0x80)
			length++;
	return length;
}

/* One part against a name; both end at a slash or with the text. A star gives back what it took. */
static bool part_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *taken = NULL;
	const char *end = pattern + part_length(pattern), *last = name + part_length(name);
	while (name < last) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			taken = name;
		} else if (pattern < end && *pattern == '?') {
			pattern++;
			name += character(name);
		} else if (pattern < end && *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = taken += character(taken);
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end && name == last;
}

static const char *next_part(const char *part)
{
	part += part_length(part);
	return *part == '/' ? part + 1 : part;
}

static bool parts_match(const char *pattern, const char *path)
{
	while (*pattern && !is_deep(pattern)) {
		if (!*path || !part_matches(pattern, path))
			return false;
		pattern = next_part(pattern);
		path = next_part(path);
	}
	if (!*pattern)
		return !*path;
	if (!*next_part(pattern))
		return *path;
	for (pattern = next_part(pattern);; path = next_part(path)) {
		if (parts_match(pattern, path))
			return true;
		if (!*path)
			return false;
	}
}

bool glob_matches(const char *pattern, const char *path)
{
	return pattern[0] == '/' && path[0] == '/' && parts_match(pattern + 1, path + 1);
}

/* A walk: the path of the directory that it is in, and what has been seen. */
struct walk {
	glob_found found;
	void *context;
	char path[PATH_MAX];
	size_t length;
	unsigned seen, matches, depth;
	enum glob_ending ending;
	struct glob_names *names;	/* to be filled, or NULL */
};

static bool push(struct walk *walk, const char *name, size_t length)
{
	if (walk->length + length + 2 > sizeof(walk->path)) {
		walk->ending = GLOB_TOO_DEEP;
		return false;
	}
	walk->path[walk->length++] = '/';
	memcpy(walk->path + walk->length, name, length);
	walk->length += length;
	walk->path[walk->length] = '\0';
	return true;
}

static void pop(struct walk *walk, size_t length)
{
	walk->length = length;
	walk->path[length] = '\0';
}

static void tell(struct walk *walk, int sys)
{
	const char *path = walk->path[0] ? walk->path : "/";
	if (sys == 0 && ++walk->matches > GLOB_MATCHES_MOST)
		walk->ending = GLOB_TOO_MANY;
	else if (walk->found(walk->context, path, sys) != 0)
		walk->ending = GLOB_STOPPED;
}

static void walk_into(struct walk *walk, int at, const char *name, const char *pattern, bool follow);

/* What a name is to the pattern that stands at `part`: it may be gone into, and it may match. */
static void visit(struct walk *walk, int at, const char *name, unsigned char type, const char *part)
{
	const char *rest = next_part(part);
	bool plain = type == DT_REG || type == DT_FIFO || type == DT_SOCK || type == DT_CHR || type == DT_BLK;
	size_t length = walk->length;
	if (!push(walk, name, strlen(name)))
		return;
	if (is_deep(part)) {
		if (!*rest)
			tell(walk, 0);
		else if (!plain && type != DT_LNK)
			walk_into(walk, at, name, part, false);
	} else if (part_matches(part, name)) {
		if (!*rest)
			tell(walk, 0);
		else if (!plain)
			walk_into(walk, at, name, rest, true);
	}
	pop(walk, length);
}

static bool has_wild(const char *part)
{
	size_t length = part_length(part);
	return memchr(part, '*', length) || memchr(part, '?', length);
}

void glob_names_release(struct glob_names *names)
{
	free(names->rows);
	free(names->directory);
	*names = (struct glob_names){ 0 };
}

static void begin_names(struct glob_names *names, const char *directory)
{
	names->bytes = 0;
	names->complete = false;
	free(names->directory);
	names->directory = strdup(directory);
}

/* Not, where memory is gone. */
static bool keep_name(struct glob_names *names, unsigned char type, const char *name)
{
	size_t bytes = strlen(name) + 2, room = names->room ? names->room : 4096;
	while (room < names->bytes + bytes)
		room *= 2;
	char *rows = room > names->room ? realloc(names->rows, room) : names->rows;
	if (!rows)
		return false;
	names->rows = rows;
	names->room = room;
	rows[names->bytes] = (char)type;
	memcpy(rows + names->bytes + 1, name, bytes - 1);
	names->bytes += bytes;
	return true;
}

static void look_again(struct walk *walk, const struct glob_names *names, const char *part)
{
	for (size_t at = 0; at < names->bytes && walk->ending == GLOB_DONE; at += strlen(names->rows + at + 1) + 2)
		visit(walk, -1, names->rows + at + 1, (unsigned char)names->rows[at], part);
}

static struct dirent *next_entry(DIR *dir)
{
	errno = 0;
	return readdir(dir);
}

/* `beside`: a second part that the same names are held against, or NULL. */
static void look_around(struct walk *walk, int fd, const char *part, const char *beside)
{
	auto_closedir DIR *dir = fd_list(fd);
	if (!dir) {
		tell(walk, errno);
		return;
	}
	struct dirent *entry = NULL;
	while (walk->ending == GLOB_DONE && (entry = next_entry(dir))) {
		if (streq(entry->d_name, ".") || streq(entry->d_name, ".."))
			continue;
		if (walk->names && !keep_name(walk->names, entry->d_type, entry->d_name))
			walk->names = NULL;	/* the next pattern lists it anew */
		if (++walk->seen > GLOB_SEEN_MOST)
			walk->ending = GLOB_TOO_LONG;
		else
			visit(walk, fd, entry->d_name, entry->d_type, part);
		if (beside && walk->ending == GLOB_DONE)
			visit(walk, fd, entry->d_name, entry->d_type, beside);
	}
	if (walk->names)
		walk->names->complete = walk->ending == GLOB_DONE && !entry && errno == 0;
}

static void find_part(struct walk *walk, int fd, const char *part)
{
	char name[NAME_MAX + 1];
	size_t length = part_length(part), before = walk->length;
	const char *next = next_part(part), *beside = NULL;
	if (is_deep(part) && *next && has_wild(next) && !is_deep(next))
		beside = next;
	else if (is_deep(part) && *next)
		find_part(walk, fd, next);
	if (has_wild(part)) {
		if (walk->ending == GLOB_DONE)
			look_around(walk, fd, part, beside);
		return;
	}
	if (length >= sizeof(name) || !push(walk, part, length))
		return;
	memcpy(name, part, length);
	name[length] = '\0';
	if (*next_part(part))
		walk_into(walk, fd, name, next_part(part), true);
	else if (faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		tell(walk, 0);
	pop(walk, before);
}

static void walk_into(struct walk *walk, int at, const char *name, const char *pattern, bool follow)
{
	auto_close int fd = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
	if (fd < 0) {
		if (errno == EACCES)
			tell(walk, errno);
		return;
	}
	if (++walk->depth > GLOB_DEPTH_MOST)
		walk->ending = GLOB_TOO_DEEP;
	else
		find_part(walk, fd, pattern);
	walk->depth--;
}

/* One listing tells all where the pattern's last part is its only one with a wildcard. */
static bool takes_one_listing(const char *part)
{
	return !is_deep(part) && !*next_part(part);
}

enum glob_ending glob_expand(const char *pattern, size_t plain, struct glob_names *names, glob_found found,
			     void *context)
{
	struct walk walk = { .found = found, .context = context };
	size_t fixed = glob_fixed(pattern, plain);
	const char *part = pattern + fixed + 1;
	if (fixed >= sizeof(walk.path))
		return GLOB_TOO_DEEP;
	memcpy(walk.path, pattern, fixed);
	walk.length = fixed;
	walk.names = names && takes_one_listing(part) ? names : NULL;
	if (walk.names && names->complete && names->directory && streq(names->directory, walk.path)) {
		look_again(&walk, names, part);
		return walk.ending;
	}
	if (walk.names)
		begin_names(names, walk.path);
	auto_close int fd = open(fixed ? walk.path : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		tell(&walk, errno);
	else
		find_part(&walk, fd, part);
	return walk.ending;
}
