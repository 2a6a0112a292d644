/* plugins/namespaces/known.c - in the child: opens what was looked at before, and nothing else that has taken
 * its place. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"

struct identity known_status(const struct statx *status)
{
	return (struct identity){ status->stx_dev_major, status->stx_dev_minor, status->stx_ino };
}

static bool is_same(const struct identity *known, const struct statx *status)
{
	struct identity found = known_status(status);
	return known->inode == 0 || (known->inode == found.inode && known->major == found.major &&
				     known->minor == found.minor);
}

long known_open(const struct pinfold_host *host, const char *path, const struct identity *known)
{
	struct statx status;
	long fd = call_open(host, AT_FDCWD, path, O_PATH);
	if (fd < 0)
		return fd;
	long result = call_status(host, (int)fd, &status);
	if (result == 0 && is_same(known, &status))
		return fd;
	call_close(host, fd);
	return result < 0 ? result : -ESTALE;
}
