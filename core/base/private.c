/* base/private.c - small files that only the caller can have written, in his cache directory. */
#include "config.h"

#include "base/private.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *cache_root(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct text text = { 0 };
	if (cache && cache[0] == '/')
		text_add(&text, cache);
	else if (home && home[0] == '/')
		text_addf(&text, "%s/.cache", home);
	else
		return NULL;
	return text_take(&text);
}

static bool is_closed(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & 077);
}

int private_open_directory(const char *name, int flags, bool make)
{
	const char *const below[][3] = { { "" }, { "/pinfold" }, { "/pinfold", "/", name } };
	auto_free char *root = cache_root(), *path = NULL;
	errno = ENOENT;
	for (size_t i = make ? 0 : N_ELEMENTS(below) - 1; root && i < N_ELEMENTS(below); i++) {
		struct text text = { 0 };
		text_add(&text, root);
		for (size_t part = 0; part < N_ELEMENTS(below[i]) && below[i][part]; part++)
			text_add(&text, below[i][part]);
		free(path);
		path = text_take(&text);
		if (path && make)
			mkdir(path, 0700);
	}
	auto_close int fd = path ? open(path, flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat status;
	if (fd < 0 || fstat(fd, &status) < 0)
		return -1;
	errno = EPERM;
	return is_closed(&status) ? take_fd(&fd) : -1;
}

int private_open_file(int dir, const char *name, struct stat *ret_status)
{
	struct stat status;
	auto_close int fd = fd_open_beneath(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || !is_closed(&status))
		return -1;
	*ret_status = status;
	return take_fd(&fd);
}

void private_write_file(int dir, const char *name, const void *data, size_t bytes)
{
	static unsigned serial;
	char aside[NAME_MAX + 1];
	snprintf(aside, sizeof(aside), ".%s-%d-%u", name, (int)getpid(),
		 __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED));
	unlinkat(dir, aside, 0);
	auto_close int fd = fd_open_beneath(dir, aside, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return;
	if (fd_write_all(fd, data, bytes) < 0 || renameat(dir, aside, dir, name) < 0)
		unlinkat(dir, aside, 0);
}
