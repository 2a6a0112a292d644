/* face/directory.c - the working tree's directory. */
#include "config.h"

#include "face/directory.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char action[] = "open the working directory";

static int refuse_name(const char *path, struct pinfold_error *err)
{
	static const char *const closed[] = { "/proc", "/dev", "/sys" };
	static const char elsewhere[] = "change to a project's directory, or name one with -C";
	if (streq(path, "/"))
		return fault(err, PINFOLD_E_TREE, 0, "use the root directory as a working tree",
			     path, elsewhere);
	bool memory = starts_with(path, "/dev/shm/");	/* anybody's files */
	for (size_t i = 0; i < N_ELEMENTS(closed) && !memory; i++)
		if (path_is_within(path, closed[i]))
			return fault(err, PINFOLD_E_TREE, 0,
				     "use a directory of the kernel's as a working tree", path,
				     elsewhere);
	return 0;
}

/* Where /proc does not say the name, the name that was given is followed, and compared. */
static char *find_path(int fd, const char *named, const struct stat *held)
{
	char *path;
	struct stat found;
	if (path_of_fd(fd, &path) == 0)
		return path;
	path = realpath(named, NULL);
	int failure = !path ? errno : stat(path, &found) < 0 ? errno :
		      found.st_dev != held->st_dev || found.st_ino != held->st_ino ? ENOENT : 0;
	if (failure) {
		free(path);
		errno = failure;
		return NULL;
	}
	return path;
}

static int refuse_unnamed(const char *named, struct pinfold_error *err)
{
	static const char finding[] = "find the working directory's path";
	int failure = errno;
	auto_free char *current = named ? NULL : getcwd(NULL, 0);
	const char *shown = named ? named : current ? current : "the current directory";
	if (failure == EACCES)
		return fault(err, PINFOLD_E_TREE, failure, finding, shown,
			     "a directory above it cannot be entered: give yourself leave to search all of them (chmod "
			     "u+x), or use another directory");
	return fault(err, PINFOLD_E_TREE, failure, finding, shown,
		     "use a directory whose whole path has at most 4,095 bytes and which was "
		     "not moved or deleted meanwhile");
}

int directory_open(const char *named, struct directory *ret_directory, struct pinfold_error *err)
{
	const char *shown = named ? named : "the current directory";
	if (named && !named[0])
		return fault(err, PINFOLD_E_USAGE, 0, action, "its name is empty",
			     "name a directory, or leave the name out");
	auto_close int fd = open(named ? named : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat held;
	if (fd < 0 || fstat(fd, &held) < 0)
		return fault(err, PINFOLD_E_TREE, errno, action, shown,
			     "name a directory that exists and that you may enter");
	if (held.st_nlink == 0)
		return fault(err, PINFOLD_E_TREE, ENOENT, action, "it was deleted",
			     "change to a directory that exists");
	auto_free char *path = find_path(fd, named ? named : ".", &held);
	if (!path)
		return refuse_unnamed(named, err);
	if (refuse_name(path, err) < 0)
		return -1;
	*ret_directory = (struct directory){
		.fd = take_fd(&fd), .path = take_pointer(&path),
		.device = held.st_dev, .inode = held.st_ino,
	};
	return 0;
}

void directory_release(struct directory *directory)
{
	cleanup_fd(&directory->fd);
	free(directory->path);
	*directory = (struct directory){ .fd = -1 };
}
