/* sys/socket.h for macOS, with what Linux has more; see macos/sockets.c. */
#ifndef MACOS_SOCKET_H
#define MACOS_SOCKET_H

#include_next <sys/socket.h>

#define SOCK_CLOEXEC 0x10000000
#define SO_PEERCRED 0x7f01
struct ucred {
	pid_t pid;
	uid_t uid;
	gid_t gid;
};
int mac_getsockopt(int fd, int level, int option, void *value, socklen_t *bytes);
#define getsockopt mac_getsockopt
int mac_socket(int family, int type, int protocol);
#define socket mac_socket

#endif
