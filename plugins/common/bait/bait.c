/* plugins/common/bait/bait.c - lays out what a probe tries to reach, and takes it away again. */
#include "config.h"

#include "bait.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool connects(int family, const void *address, socklen_t length)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool connected = fd >= 0 && connect(fd, address, length) == 0;
	if (fd >= 0)
		close(fd);
	return connected;
}

bool bait_reaches(const struct bait *bait, int which)
{
	switch (which) {
	case 0:
		return connects(AF_UNIX, &bait->abstract, bait->abstract_length);
	case 1:
		return connects(AF_INET, &bait->loopback, sizeof(bait->loopback));
	default:
		return connects(AF_UNIX, &bait->path, sizeof(bait->path));
	}
}

bool bait_creates(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool bait_reads(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool got = fd >= 0 && read(fd, &byte, 1) == 1;
	if (fd >= 0)
		close(fd);
	return got;
}

static int listen_at(int family, void *address, socklen_t room, socklen_t *length)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool bound = fd >= 0 && bind(fd, address, *length) == 0 && listen(fd, 8) == 0;
	*length = room;
	if (bound && getsockname(fd, address, length) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void listen_all(struct bait *bait)
{
	socklen_t length = sizeof(bait->loopback);
	bait->abstract.sun_family = bait->path.sun_family = AF_UNIX;
	bait->abstract_length = sizeof(sa_family_t);	/* the kernel chooses a name */
	bait->listeners[0] = listen_at(AF_UNIX, &bait->abstract, sizeof(bait->abstract),
				       &bait->abstract_length);
	bait->loopback.sin_family = AF_INET;
	bait->loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bait->listeners[1] = listen_at(AF_INET, &bait->loopback, sizeof(bait->loopback), &length);
	length = sizeof(bait->path);
	memcpy(bait->path.sun_path, bait->socket, strlen(bait->socket) + 1);
	bait->listeners[2] = listen_at(AF_UNIX, &bait->path, sizeof(bait->path), &length);
	for (int i = 0; i < 3; i++)
		bait->reached |= (uint32_t)bait_reaches(bait, i) << i;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Opens and locks a directory of ours that is still there and that no probe uses; -1 otherwise. */
static int lock_directory(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &status) == 0 && status.st_nlink > 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* What nobody holds locked is of a probe that was killed. */
static void remove_left(const char *root)
{
	DIR *directory = opendir(root);
	char path[300];
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		if (strncmp(entry->d_name, "pinfold-probe.", 14) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", root, entry->d_name);
		int lock = lock_directory(path);
		if (lock < 0)
			continue;
		nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
		close(lock);
	}
	if (directory)
		closedir(directory);
}

/* Another probe may take the new directory for one that was left, until it is locked: then again. */
static bool make_in(struct bait *bait, const char *root)
{
	for (int tries = 0; tries < 8; tries++) {
		snprintf(bait->base, sizeof(bait->base), "%s/pinfold-probe.XXXXXX", root);
		if (!mkdtemp(bait->base))
			return false;
		bait->lock = lock_directory(bait->base);
		if (bait->lock >= 0)
			return true;
	}
	return false;
}

static bool make_base(struct bait *bait)
{
	static const char *const roots[] = { "/var/tmp", "/tmp", "/dev/shm" };
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		remove_left(roots[i]);
		if (make_in(bait, roots[i]))
			return true;
	}
	bait->base[0] = '\0';
	return false;
}

static bool name_all(const struct pinfold_host *host, struct bait *bait)
{
	const char *base = bait->base;
	return (bait->tree = host->print(host, "%s/tree", base)) &&
	       (bait->copy = host->print(host, "%s/copy", base)) &&
	       (bait->temporary = host->print(host, "%s/tmp", base)) &&
	       (bait->secret = host->print(host, "%s/secret", bait->tree)) &&
	       (bait->copied_secret = host->print(host, "%s/secret", bait->copy)) &&
	       (bait->marker = host->print(host, "%s/marker", bait->tree)) &&
	       (bait->socket = host->print(host, "%s/socket", base)) &&
	       (bait->pipe = host->print(host, "%s/pipe", base));
}

bool bait_lay(const struct pinfold_host *host, struct bait *bait)
{
	if (!make_base(bait) || !name_all(host, bait) || mkdir(bait->tree, 0700) < 0 ||
	    mkdir(bait->copy, 0700) < 0 || mkdir(bait->temporary, 0700) < 0 || mkfifo(bait->pipe, 0600) < 0 ||
	    !bait_creates(bait->secret) || !bait_creates(bait->copied_secret))
		return false;
	int fd = open(bait->copied_secret, O_WRONLY | O_CLOEXEC);
	bool written = fd >= 0 && write(fd, "secret", 6) == 6;
	if (fd >= 0)
		close(fd);
	listen_all(bait);
	return written;
}

void bait_take_away(struct bait *bait)
{
	for (int i = 0; i < 3; i++)
		if (bait->listeners[i] >= 0)
			close(bait->listeners[i]);
	if (bait->base[0])
		nftw(bait->base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	if (bait->lock >= 0)
		close(bait->lock);
}
