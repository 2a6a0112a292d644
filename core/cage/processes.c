/* cage/processes.c - the processes of this machine, as far as the caller may look. */
#include "config.h"

#include "cage/processes.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_MOST = 4 << 20 };

static int read_file(pid_t pid, const char *name, char **ret_data, size_t *ret_bytes)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fd_read_path(path, FILE_MOST, ret_data, ret_bytes);
}

/* "PID (NAME) STATE PARENT …": a name may have anything in it, also parentheses. */
static bool read_one(pid_t pid, struct process *process)
{
	auto_free char *data = NULL;
	size_t bytes = 0;
	if (read_file(pid, "stat", &data, &bytes) < 0)
		return false;
	const char *rest = strrchr(data, ')');
	int parent;
	unsigned long long ticks;
	if (!rest || sscanf(rest, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			    &parent, &ticks) != 2)
		return false;
	*process = (struct process){ .pid = pid, .parent = parent, .ticks = ticks };
	return true;
}

static int add(struct process **processes, size_t count, const struct process *one)
{
	if (count % 256 == 0) {
		struct process *more = realloc(*processes, (count + 256) * sizeof(*more));
		if (!more)
			return -1;
		*processes = more;
	}
	(*processes)[count] = *one;
	return 0;
}

int processes_read(struct process **ret_processes, size_t *ret_count)
{
	auto_closedir DIR *all = opendir("/proc");
	const struct dirent *entry;
	auto_free struct process *processes = NULL;
	size_t count = 0;
	struct process one;
	if (!all)
		return -1;
	while ((entry = readdir(all))) {
		int pid = atoi(entry->d_name);
		if (pid <= 0 || !read_one(pid, &one))
			continue;
		if (add(&processes, count, &one) < 0)
			return -1;
		count++;
	}
	*ret_processes = take_pointer(&processes);
	*ret_count = count;
	return 0;
}

bool process_run(pid_t pid, char *room, size_t bytes)
{
	static const char mark[] = "PINFOLD_RUN=";
	auto_free char *data = NULL;
	size_t length = 0;
	if (read_file(pid, "environ", &data, &length) < 0)
		return false;
	for (size_t at = 0; at < length; at += strlen(data + at) + 1) {
		const char *value = data + at + sizeof(mark) - 1;
		if (!starts_with(data + at, mark) || strlen(value) == 0 || strlen(value) >= bytes)
			continue;
		memcpy(room, value, strlen(value) + 1);
		return true;
	}
	return false;
}

char *process_command(pid_t pid)
{
	auto_free char *data = NULL;
	size_t bytes = 0;
	if (read_file(pid, "cmdline", &data, &bytes) < 0 || bytes == 0)
		return NULL;
	for (size_t i = 0; i + 1 < bytes; i++)
		if (data[i] == '\0')
			data[i] = ' ';
	return take_pointer(&data);
}

char *process_directory(pid_t pid)
{
	char path[64], target[PATH_MAX];
	snprintf(path, sizeof(path), "/proc/%d/cwd", (int)pid);
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return NULL;
	target[length] = '\0';
	return strdup(target);
}
