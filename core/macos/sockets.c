/* macos/sockets.c - sockets that an exec closes, and whose the other end is. */
#include "config.h"

#include <errno.h>
#include <sys/socket.h>

#undef getsockopt

/* The peer's user and group; a Mac does not tell its process here. */
static int peer(int fd, struct ucred *ret_peer)
{
	*ret_peer = (struct ucred){ .pid = 0 };
	return getpeereid(fd, &ret_peer->uid, &ret_peer->gid);
}

int mac_getsockopt(int fd, int level, int option, void *value, socklen_t *bytes)
{
	if (level != SOL_SOCKET || option != SO_PEERCRED)
		return getsockopt(fd, level, option, value, bytes);
	if (*bytes == sizeof(struct ucred))
		return peer(fd, value);
	errno = EINVAL;
	return -1;
}

#undef socket
int mac_socket(int family, int type, int protocol)
{
	int fd = socket(family, type & ~SOCK_CLOEXEC, protocol);
	if (fd >= 0 && type & SOCK_CLOEXEC)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}
