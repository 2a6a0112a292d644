/* cgroup/files.c - the small files of a cgroup, by the descriptor of its directory. */
#include "config.h"

#include "cgroup/files.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int files_read(int directory, const char *name, char *room, size_t bytes)
{
	auto_close int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, room, bytes - 1);
	room[got > 0 ? got : 0] = '\0';
	return got < 0 ? -1 : 0;
}

/* The kernel takes what one call writes, or nothing. */
int files_write(int directory, const char *name, const char *text)
{
	auto_close int file = openat(directory, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	return file < 0 || write(file, text, strlen(text)) < 0 ? -1 : 0;
}

int files_enter(int directory, const char *name)
{
	return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}
