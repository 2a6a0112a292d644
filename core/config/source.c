/* config/source.c - configuration files: opened once, and believed only if no one else can write. */
#include "config.h"

#include "config/source.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/owner.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static const char ACTION[] = "read the configuration";

/* Would anyone but root and the caller have a say in what lies behind this descriptor? */
static int check_trust(const struct stat *about, const char *path, struct pinfold_error *err)
{
	if (!owner_is_trusted(about->st_uid))
		return faultf(err, PINFOLD_E_CONFIG, 0, ACTION,
			      "make it belong to root or to you, or remove it",
			      "%s: it belongs to user %lu, who is neither root nor you", path,
			      (unsigned long)about->st_uid);
	if (about->st_mode & (S_IWGRP | S_IWOTH))
		return faultf(err, PINFOLD_E_CONFIG, 0, ACTION,
			      "take the permission away: chmod go-w",
			      "%s: its mode %04o lets others write it", path,
			      about->st_mode & 07777u);
	return 0;
}

static int fault_open(const char *path, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_CONFIG, errno, ACTION, "make it readable, or remove it",
		      "%s: %s", path, strerror(errno));
}

/* A link that leads nowhere is there, and was meant to be read. */
static bool is_named(int at, const char *name)
{
	struct stat about;
	int reason = errno;
	bool named = fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
	errno = reason;
	return named;
}

int source_open_directory(int at, const char *name, const char *path, int *ret_fd,
			  struct pinfold_error *err)
{
	auto_close int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT && !is_named(at, name))
		return 0;
	struct stat about;
	if (fd < 0 || fstat(fd, &about) < 0)
		return fault_open(path, err);
	if (check_trust(&about, path, err) < 0)
		return -1;
	*ret_fd = take_fd(&fd);
	return 1;
}

static int read_open(int fd, const struct stat *about, const char *path, char **ret_data,
		     size_t *ret_bytes, struct pinfold_error *err)
{
	if (!S_ISREG(about->st_mode))
		return faultf(err, PINFOLD_E_CONFIG, 0, ACTION, "put a regular file in its place",
			      "%s: it is not a regular file", path);
	if (fd_read_all(fd, SOURCE_BYTES_MOST, ret_data, ret_bytes) < 0)
		return fault_open(path, err);
	return 1;
}

int source_read(int at, const char *name, const char *path, char **ret_data, size_t *ret_bytes,
		struct pinfold_error *err)
{
	auto_close int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool no_way = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
	if (fd < 0 && no_way && !is_named(at, name))
		return 0;
	struct stat about;
	if (fd < 0 || fstat(fd, &about) < 0)
		return fault_open(path, err);
	if (check_trust(&about, path, err) < 0)
		return -1;
	return read_open(fd, &about, path, ret_data, ret_bytes, err);
}

int source_read_named(const char *path, char **ret_data, size_t *ret_bytes,
		      struct pinfold_error *err)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;
	if (fd < 0 && errno == ENOENT)
		return fault(err, PINFOLD_E_CONFIG, errno, ACTION, path,
			     "name a file that exists, or leave it out");
	if (fd < 0 || fstat(fd, &about) < 0)
		return fault_open(path, err);
	return read_open(fd, &about, path, ret_data, ret_bytes, err);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int source_list(int directory, const char *path, struct list *names, struct pinfold_error *err)
{
	auto_closedir DIR *entries = fd_list(directory);
	if (!entries)
		return fault_open(path, err);
	errno = 0;
	for (const struct dirent *entry; (entry = readdir(entries));)
		if (entry->d_name[0] != '.' && ends_with(entry->d_name, ".conf") &&
		    list_add(names, entry->d_name) < 0)
			return fault_no_memory(err);
	if (errno != 0)
		return fault_open(path, err);
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items), compare_names);
	return 0;
}
