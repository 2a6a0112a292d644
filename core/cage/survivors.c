/* cage/survivors.c - processes that carry a run's mark in their environment. */
#include "config.h"

#include "cage/survivors.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>

enum { ENVIRONMENT_MOST = 4 << 20 };

static bool has_entry(const char *environment, size_t bytes, const char *mark)
{
	for (size_t at = 0; at < bytes; at += strlen(environment + at) + 1)
		if (streq(environment + at, mark))
			return true;
	return false;
}

static bool carries(int processes, const char *pid, const char *mark)
{
	char name[300];
	snprintf(name, sizeof(name), "%s/environ", pid);
	auto_close int file = openat(processes, name, O_RDONLY | O_CLOEXEC);
	auto_free char *data = NULL;
	size_t bytes = 0;
	if (file < 0 || fd_read_all(file, ENVIRONMENT_MOST, &data, &bytes) < 0)
		return false;
	return has_entry(data, bytes, mark);
}

uint32_t survivors_count(const char *mark)
{
	auto_closedir DIR *processes = mark[0] ? opendir("/proc") : NULL;
	const struct dirent *entry;
	uint32_t count = 0;
	while (processes && (entry = readdir(processes)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    carries(dirfd(processes), entry->d_name, mark))
			count++;
	return count;
}
