/* policy/presence.c - asking once what a directory holds, where most of what is sought is not there. */
#include "policy/presence.h"

#include "base/cleanup.h"
#include "base/path.h"

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

void presence_read(const char *directory, struct presence *ret_presence)
{
	struct list names = { 0 };
	*ret_presence = (struct presence){ 0 };
	if (!directory || read_names(directory, &names) < 0) {
		list_release(&names);
		return;
	}
	qsort(names.items, names.count, sizeof(*names.items), compare_names);
	*ret_presence = (struct presence){ .directory = directory, .names = names };
}

/* Compares a name with the first part of a path. */
static int compare_part(const void *part, const void *name)
{
	size_t length = strcspn(part, "/");
	int order = strncasecmp(part, *(char *const *)name, length);
	return order ? order : (*(char *const *)name)[length] == '\0' ? 0 : -1;
}

bool presence_denies(const struct presence *presence, const char *path)
{
	if (!presence->directory || !path_is_within(path, presence->directory))
		return false;
	const char *part = path + strlen(presence->directory);
	part += strspn(part, "/");
	return *part && !bsearch(part, presence->names.items, presence->names.count,
				 sizeof(*presence->names.items), compare_part);
}

void presence_release(struct presence *presence)
{
	list_release(&presence->names);
	presence->directory = NULL;
}
