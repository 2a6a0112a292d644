/* cage/handed.c - files that the command is handed for reading only. */
#include "config.h"

#include "cage/handed.h"

#include "base/fault.h"
#include "base/raw.h"
#include "cage/birth.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Pipes and terminals have nothing to be changed; what has no name any more is nobody else's. */
static bool is_file(int fd)
{
	struct stat about;
	int flags = fcntl(fd, F_GETFL);
	return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && fstat(fd, &about) == 0 &&
	       (S_ISREG(about.st_mode) || S_ISBLK(about.st_mode)) && about.st_nlink > 0;
}

static bool can_change(const char *link)
{
	struct stat about;
	return faccessat(AT_FDCWD, link, W_OK, AT_EACCESS) == 0 ||
	       (stat(link, &about) == 0 && about.st_uid == geteuid());
}

/* 1: added; 0: none of those; -1: no memory. */
static int look_at(int fd, struct handed *to)
{
	char link[32], path[PATH_MAX];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!is_file(fd) || !can_change(link))
		return 0;
	ssize_t length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	*to = (struct handed){ .fd = fd, .path = strdup(path) };
	return to->path ? 1 : -1;
}

int handed_list(const int streams[3], const int *kept, struct handed **ret_files, size_t *ret_count,
		struct pinfold_error *err)
{
	size_t kept_count = 0, count = 0;
	while (kept && kept[kept_count] >= 0)
		kept_count++;
	struct handed *files = calloc(kept_count + 3, sizeof(*files));
	int added = files ? 0 : -1;
	for (size_t i = 0; added >= 0 && i < kept_count + 3; i++) {
		added = look_at(i < 3 ? streams[i] : kept[i - 3], &files[count]);
		count += added == 1;
	}
	if (added < 0) {
		handed_free(files, count);
		return fault_no_memory(err);
	}
	*ret_files = files;
	*ret_count = count;
	return 0;
}

void handed_free(struct handed *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(files[i].path);
	free(files);
}

static IN_CHILD long is_same(int left, int right)
{
	struct statx a, b;
	long result = raw(SYS_statx, left, "", AT_EMPTY_PATH, STATX_INO, &a);
	if (result >= 0)
		result = raw(SYS_statx, right, "", AT_EMPTY_PATH, STATX_INO, &b);
	if (result < 0)
		return result;
	return a.stx_ino == b.stx_ino && a.stx_dev_major == b.stx_dev_major &&
	       a.stx_dev_minor == b.stx_dev_minor ? 0 : -ESTALE;
}

/* The new descriptor has a position of its own, which begins where the old one's is. */
static IN_CHILD long take_place(int fresh, int old)
{
	long flags = raw(SYS_fcntl, old, F_GETFL, 0), result = is_same(fresh, old);
	if (result < 0 || flags & O_PATH)
		return result < 0 ? result : raw(SYS_dup3, fresh, old, O_CLOEXEC);
	long at = raw(SYS_lseek, old, 0, SEEK_CUR);
	if (at > 0)
		result = raw(SYS_lseek, fresh, at, SEEK_SET);
	if (result >= 0)
		result = raw(SYS_fcntl, fresh, F_SETFL, flags);
	return result < 0 ? result : raw(SYS_dup3, fresh, old, O_CLOEXEC);
}

static IN_CHILD long reopen(const struct handed *file)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
			 ((unsigned long)raw(SYS_fcntl, file->fd, F_GETFL, 0) & O_PATH ? O_PATH : 0),
		.resolve = RESOLVE_NO_SYMLINKS,
	};
	long fresh = raw(SYS_openat2, AT_FDCWD, file->path, &how, sizeof(how));
	if (fresh < 0)
		return fresh;
	long result = take_place((int)fresh, file->fd);
	raw(SYS_close, fresh);
	return result;
}

long IN_CHILD handed_reopen(const struct handed *files, size_t count, const char **ret_path)
{
	for (size_t i = 0; i < count; i++) {
		long result = reopen(&files[i]);
		if (result < 0) {
			*ret_path = files[i].path;
			return result;
		}
	}
	return 0;
}

int handed_fault(const char *path, int sys, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_POLICY, sys, "hand over a file for reading only", path,
		     "hand it over through a pipe, as in `cat FILE | pinfold run …`: the command "
		     "could open this one for writing");
}
