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

/* The host's own devices may be covered by then, and with them what else lies there: /dev/shm. */
long known_open(const struct pinfold_host *host, const struct state *state, const char *path,
		const struct identity *known)
{
	static const char devices[] = "/dev/";
	struct statx status;
	size_t i = 0;
	while (devices[i] && path[i] == devices[i])
		i++;
	bool covered = !devices[i] && path[i] && state->devices >= 0;
	long fd = call_open(host, covered ? state->devices : AT_FDCWD, covered ? path + i : path, O_PATH);
	if (fd < 0)
		return fd;
	long result = call_status(host, (int)fd, &status);
	if (result == 0 && is_same(known, &status))
		return fd;
	call_close(host, fd);
	return result < 0 ? result : -ESTALE;
}
