/* escape/sockets.c - services of the host that listen on unix sockets. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long by_path(void) { return put_to_path(SOCK_STREAM, fact("sock_stream")); }
static long by_datagram(void) { return put_to_path(SOCK_DGRAM, fact("sock_dgram")); }
static long by_packet(void) { return put_to_path(SOCK_SEQPACKET, fact("sock_seq")); }
static long in_tmp(void) { return put_to_path(SOCK_STREAM, fact("sock_tmp")); }
static long in_run(void) { return put_to_path(SOCK_STREAM, fact("docker")); }
static long session_bus(void) { return put_to_path(SOCK_STREAM, fact("bus")); }
static long service_manager(void) { return put_to_path(SOCK_STREAM, fact("systemd")); }
static long gpg_agent(void) { return put_to_path(SOCK_STREAM, fact("gpg")); }
static long ssh_agent(void) { return put_to_path(SOCK_STREAM, fact("ssh")); }
static long display_by_path(void) { return put_to_path(SOCK_STREAM, fact("x11")); }
static long compositor(void) { return put_to_path(SOCK_STREAM, fact("wayland")); }
static long podman(void) { return put_to_path(SOCK_STREAM, fact("podman")); }
static long relative(void) { return put_to_path(SOCK_STREAM, fact("sock_relative")); }
static long renamed(void) { return put_to_path(SOCK_STREAM, fact("sock_renamed")); }

static long by_link(void)
{
	unlink("to-socket");
	if (symlink(fact("sock_stream"), "to-socket") < 0)
		return -errno;
	return put_to_path(SOCK_STREAM, "to-socket");
}

static long by_hard_link(void)
{
	unlink("hard-socket");
	if (link(fact("sock_stream"), "hard-socket") < 0)
		return -errno;
	return put_to_path(SOCK_STREAM, "hard-socket");
}

static long by_descriptor(void)
{
	char path[64];
	int fd = open(fact("sock_stream"), O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return put_to_path(SOCK_STREAM, path);
}

static long by_relative_path(void)
{
	const char *path = fact("sock_stream");
	const char *name = strrchr(path, '/');
	if (chdir(fact("outside")) < 0)
		return -errno;
	return put_to_path(SOCK_STREAM, name + 1);
}

/* A pair needs no call of socket(), and one of datagrams can be connected anew. */
static long by_pair(void)
{
	int ends[2];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", fact("sock_dgram"));
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return -errno;
	if (connect(ends[0], (void *)&address, sizeof(address)) < 0)
		return -errno;
	return put(ends[0]);
}

static long by_message(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", fact("sock_dgram"));
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (fd < 0)
		return -errno;
	return done(sendto(fd, token, strlen(token), 0, (void *)&address, sizeof(address)));
}

static int abstract_address(const char *name, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "%s", name);
	return (int)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

static long to_abstract(int type, const char *name)
{
	struct sockaddr_un address;
	int length = abstract_address(name, &address);
	return connect_and_put(AF_UNIX, type, &address, (unsigned)length);
}

static long by_name(void) { return to_abstract(SOCK_STREAM, fact("abstract")); }
static long by_name_datagram(void) { return to_abstract(SOCK_DGRAM, fact("abstract_dgram")); }
static long display_by_name(void) { return to_abstract(SOCK_STREAM, fact("x11_abstract")); }

/* The service sends a descriptor of a directory of its own to whoever says F. */
static long take_descriptor(void)
{
	struct sockaddr_un address;
	int length = abstract_address(fact("abstract"), &address);
	char byte = 0, room[CMSG_SPACE(sizeof(int))];
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = room,
				  .msg_controllen = sizeof(room) };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), directory;
	if (fd < 0 || connect(fd, (void *)&address, (socklen_t)length) < 0 || write(fd, "F", 1) != 1 ||
	    recvmsg(fd, &message, 0) < 0)
		return -errno;
	if (!CMSG_FIRSTHDR(&message))
		return -ENODATA;
	memcpy(&directory, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(directory));
	return put(openat(directory, token, O_CREAT | O_WRONLY, 0600));
}

/* The host makes this one when the command runs. */
static long made_later(void)
{
	struct stat status;
	for (int tries = 0; tries < 100 && stat(fact("sock_late"), &status) < 0; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return put_to_path(SOCK_STREAM, fact("sock_late"));
}

static long made_later_in_tmp(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL);
	return put_to_path(SOCK_STREAM, fact("sock_late_tmp"));
}

static long by_32_bits_pair(void)
{
	int ends[2];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", fact("sock_dgram"));
	if (socketpair(AF_UNIX, SOCK_RAW, 0, ends) < 0)
		return -errno;
	return done(sendto(ends[0], token, strlen(token), 0, (void *)&address, sizeof(address)));
}

static long bind_outside(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", beside(fact("outside"), token));
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0)
		return -errno;
	return done(bind(fd, (void *)&address, sizeof(address)));
}

#define PATH_CASE(name, function, mechanism, source) \
	{ name, "sockets", 0, function, &has_its_socket, mechanism, source }
static const struct row rows[] = {
	PATH_CASE("socket-by-path", by_path, "a service's stream socket is connected to by its path", "GHSA-v4xv-rqh3-w9mc"),
	PATH_CASE("socket-datagram", by_datagram, "a service's datagram socket is written to", "reports"),
	PATH_CASE("socket-packet", by_packet, "a service's SOCK_SEQPACKET socket is connected to", "unix(7)"),
	PATH_CASE("socket-unconnected", by_message, "sendto() reaches a datagram socket without connecting", "unix(7)"),
	PATH_CASE("socket-pair-connected", by_pair, "a datagram socketpair() is connected anew, so that socket() need not be called", "seen around a filter"),
	PATH_CASE("socket-pair-raw", by_32_bits_pair, "a pair of type SOCK_RAW is one of datagrams", "seen around a filter"),
	PATH_CASE("socket-by-link", by_link, "a symbolic link in the tree leads to the socket", "CVE-2025-55345"),
	PATH_CASE("socket-by-hard-link", by_hard_link, "a hard link in the tree is the socket", "unix(7)"),
	PATH_CASE("socket-by-descriptor", by_descriptor, "O_PATH and /proc/self/fd name the socket otherwise", "proc(5)"),
	PATH_CASE("socket-by-relative-path", by_relative_path, "the socket is named from its own directory", "unix(7)"),
	PATH_CASE("socket-in-tmp", in_tmp, "a service's socket below /tmp", "reports"),
	PATH_CASE("container-engine", in_run, "an engine's socket below /run starts containers as root", "GHSA-v4xv-rqh3-w9mc"),
	PATH_CASE("container-engine-of-the-user", podman, "podman's socket in the runtime directory", "GHSA-v4xv-rqh3-w9mc"),
	PATH_CASE("session-bus", session_bus, "the session's D-Bus in the runtime directory", "GHSA-cc2q-qc34-jprg"),
	PATH_CASE("service-manager", service_manager, "`systemd --user` starts programs outside", "reports"),
	PATH_CASE("gpg-agent", gpg_agent, "gpg's agent signs", "reports"),
	PATH_CASE("ssh-agent", ssh_agent, "the agent that SSH_AUTH_SOCK names signs", "reports"),
	PATH_CASE("display", display_by_path, "an X server by its path takes keys and pictures of everything", "firejail and flatpak documents"),
	PATH_CASE("compositor", compositor, "a Wayland compositor in the runtime directory", "flatpak documents"),
	PATH_CASE("abstract-socket", by_name, "an abstract socket has no path that could be covered", "CVE-2020-15257, CVE-2024-27297"),
	PATH_CASE("abstract-datagram", by_name_datagram, "an abstract datagram socket", "CVE-2020-15257"),
	PATH_CASE("display-abstract", display_by_name, "an X server by its abstract name", "flatpak documents"),
	PATH_CASE("descriptor-handed-in", take_descriptor, "a process outside hands a directory in through an abstract socket", "CVE-2024-27297"),
	{ "socket-made-later", "sockets", LATE, made_later, &has_its_socket,
	  "a service makes its socket while the command runs", "pinfold-namespaces(7)", "during a run" },
	{ "socket-made-later-in-tmp", "sockets", LATE, made_later_in_tmp, &has_its_socket,
	  "a service makes its socket below /tmp while the command runs", "pinfold-namespaces(7)" },
	{ "socket-bound-to-relative-path", "sockets", 0, relative, &has_its_socket,
	  "the kernel does not know the whole path of a socket that was bound to a relative one", "pinfold-namespaces(7)",
	  "relative path" },
	{ "socket-renamed", "sockets", 0, renamed, &has_its_socket,
	  "the kernel knows a socket by the path it was bound to, not by the one it has now", "pinfold-namespaces(7)",
	  "another than its own" },
	{ "socket-bound-outside", "writes", 0, bind_outside, &has_its_socket,
	  "bind() makes a file, of a service that the host would trust", "unix(7)" },
};
const struct class sockets_class = CLASS("unix sockets, agents, buses, engines, displays", rows);
