/* report/receipt_file.c - a file that is written whole or not at all, and known to be writable before. */
#include "config.h"

#include "report/receipt_file.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

struct receipt_file {
	int directory, file;
	char *path;		/* as the caller named it */
	const char *name;	/* its last part */
	char temporary[48];	/* its name until it is committed; "" while it has none */
};

static const char write_action[] = "write the receipt";

static struct receipt_file *new_file(const char *path)
{
	struct receipt_file *file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	file->directory = file->file = -1;
	file->path = strdup(path);
	if (!file->path) {
		free(file);
		return NULL;
	}
	const char *slash = strrchr(file->path, '/');
	file->name = slash ? slash + 1 : file->path;
	return file;
}

static void release(struct receipt_file *file)
{
	cleanup_fd(&file->file);
	cleanup_fd(&file->directory);
	free(file->path);
	free(file);
}

static int open_directory(struct receipt_file *file, struct pinfold_error *err)
{
	size_t length = (size_t)(file->name - file->path);
	auto_free char *directory = strndup(length ? file->path : ".", length ? length : 1);
	if (!directory)
		return fault_no_memory(err);
	file->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file->directory >= 0)
		return 0;
	return fault(err, PINFOLD_E_USAGE, errno, write_action, file->path,
		     "name a file in a directory that exists and can be entered");
}

static int check_target(const struct receipt_file *file, struct pinfold_error *err)
{
	struct stat status;
	bool unnamed = !*file->name || streq(file->name, ".") || streq(file->name, "..");
	if (!unnamed && fstatat(file->directory, file->name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return 0;
		return fault(err, PINFOLD_E_SYSTEM, errno, write_action, file->path,
			     "name a file that can be looked at");
	}
	if (unnamed || !S_ISREG(status.st_mode))
		return fault(err, PINFOLD_E_USAGE, 0, write_action, file->path,
			     "name a regular file, or one that does not exist: no directory, link, "
			     "pipe, socket or device");
	return 0;
}

static int pick_name(struct receipt_file *file)
{
	uint64_t random;
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -1;
	snprintf(file->temporary, sizeof(file->temporary), ".pinfold-receipt-%016llx",
		 (unsigned long long)random);
	return 0;
}

/* Beside the target. */
static int make_named(struct receipt_file *file)
{
	int fd = pick_name(file) < 0 ? -1 : openat(file->directory, file->temporary,
						  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		file->temporary[0] = '\0';
	return fd;
}

/* Without a name where the file system can do that. */
static int open_temporary(struct receipt_file *file, struct pinfold_error *err)
{
	file->file = openat(file->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (file->file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		file->file = make_named(file);
	if (file->file >= 0)
		return 0;
	return fault(err, PINFOLD_E_SYSTEM, errno, write_action, file->path,
		     "name a file in a directory that you can write");
}

int receipt_file_open(const char *path, struct receipt_file **ret_file, struct pinfold_error *err)
{
	struct receipt_file *file = new_file(path);
	if (!file)
		return fault_no_memory(err);
	if (open_directory(file, err) < 0 || check_target(file, err) < 0 ||
	    open_temporary(file, err) < 0) {
		release(file);
		return -1;
	}
	*ret_file = file;
	return 0;
}

static int give_name(struct receipt_file *file)
{
	char held[64];
	if (file->temporary[0])
		return 0;
	if (pick_name(file) < 0)
		return -1;
	snprintf(held, sizeof(held), "/proc/self/fd/%d", file->file);
	if (linkat(AT_FDCWD, held, file->directory, file->temporary, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	file->temporary[0] = '\0';
	return -1;
}

static int write_whole(const struct receipt_file *file, const char *text)
{
	return fd_write_all(file->file, text, strlen(text)) < 0 ? -1 : fchmod(file->file, 0600);
}

/* What has no name is deleted to AppArmor, and gets none below a profile of it. */
static int write_named(struct receipt_file *file, const char *text)
{
	int fd = make_named(file);
	if (fd < 0)
		return -1;
	close(file->file);
	file->file = fd;
	return write_whole(file, text);
}

int receipt_file_commit(struct receipt_file *file, const char *text, struct pinfold_error *err)
{
	int result = check_target(file, err);
	if (result == 0 &&
	    (write_whole(file, text) < 0 || (give_name(file) < 0 && write_named(file, text) < 0) ||
	     renameat(file->directory, file->temporary, file->directory, file->name) < 0))
		result = fault(err, PINFOLD_E_SYSTEM, errno, write_action, file->path,
			       "check the room and the rights in its directory");
	if (result == 0)
		file->temporary[0] = '\0';
	receipt_file_abandon(file);
	return result;
}

void receipt_file_abandon(struct receipt_file *file)
{
	if (!file)
		return;
	if (file->temporary[0])
		unlinkat(file->directory, file->temporary, 0);
	release(file);
}
