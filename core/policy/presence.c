/* policy/presence.c - asking once what a directory holds, where most of what is sought is not there. */
#include "config.h"

#include "policy/presence.h"

#include "base/cleanup.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* A file system may take letters of either case for one: then so must this. */
static int compare_names(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(const char *directory, struct list *names)
{
	auto_closedir DIR *dir = opendir(directory);
	if (!dir)
		return -1;
	errno = 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (list_add(names, entry->d_name) < 0)
			return -1;
	return errno ? -1 : 0;
}

static unsigned folded(char byte)
{
	return byte & 0x80 ? 0x80u : (unsigned char)byte | 0x20u;
}

/* The first part of a path. */
struct part {
	const char *text;
	size_t length;
	unsigned mark;	/* the same for names that differ in the case of letters only */
};

static struct part first_part(const char *path)
{
	struct part part = { .text = path, .length = (size_t)(strchrnul(path, '/') - path) };
	if (part.length > 0)
		part.mark = (unsigned)part.length + 31 * folded(path[part.length / 2]) +
			    29 * folded(path[part.length - 1]);
	part.mark %= PRESENCE_MARKS;
	return part;
}

void presence_read(const char *directory, struct presence *ret_presence)
{
	struct list names = { 0 };
	*ret_presence = (struct presence){ 0 };
	if (!directory || read_names(directory, &names) < 0) {
		list_release(&names);
		return;
	}
	if (names.count > 0)
		qsort(names.items, names.count, sizeof(*names.items), compare_names);
	size_t length = strlen(directory);
	if (length > 0 && directory[length - 1] == '/')
		length--;
	*ret_presence = (struct presence){ directory, length, names, { 0 } };
	for (size_t i = 0; i < names.count; i++) {
		unsigned mark = first_part(names.items[i]).mark;
		ret_presence->marks[mark / 64] |= UINT64_C(1) << mark % 64;
	}
}

static int compare_part(const void *key, const void *name)
{
	const struct part *part = key;
	int order = strncasecmp(part->text, *(char *const *)name, part->length);
	return order ? order : (*(char *const *)name)[part->length] == '\0' ? 0 : -1;
}

bool presence_covers(const struct presence *presence, const char *path)
{
	return presence->directory &&
	       strncmp(path, presence->directory, presence->length) == 0 &&
	       path[presence->length] == '/';
}

bool presence_lacks(const struct presence *presence, const char *rest)
{
	struct part part = first_part(rest);
	if (!presence->directory || part.length == 0)
		return false;
	return !(presence->marks[part.mark / 64] >> part.mark % 64 & 1) ||
	       !bsearch(&part, presence->names.items, presence->names.count,
			sizeof(*presence->names.items), compare_part);
}

bool presence_denies(const struct presence *presence, const char *path)
{
	return presence_covers(presence, path) && presence_lacks(presence, path + presence->length + 1);
}

void presence_release(struct presence *presence)
{
	list_release(&presence->names);
	presence->directory = NULL;
}
