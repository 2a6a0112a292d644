/* escape/world_services.c - the services of the host: one process that listens on everything and counts what it is sent. */
#include "config.h"

#include "world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 128

static struct pollfd polled[MOST];
static int kinds[MOST];
enum { LISTENER, PACKETS, TALKER, PIPE, CONTROL };
static int polled_count, outside_directory;
static struct service_state *own;

static int add(int fd, int kind)
{
	if (fd < 0 || polled_count == MOST)
		return -1;
	polled[polled_count] = (struct pollfd){ fd, POLLIN, 0 };
	kinds[polled_count++] = kind;
	return fd;
}

static void drop(int i)
{
	close(polled[i].fd);
	polled_count--;
	polled[i] = polled[polled_count];
	kinds[i] = kinds[polled_count];
}

static int at_path(int type, const char *directory, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (!directory[0])
		return -1;
	if ((size_t)snprintf(address.sun_path, sizeof(address.sun_path), "%s%s%s", directory, name[0] ? "/" : "", name) >=
	    sizeof(address.sun_path)) {
		fprintf(stderr, "the path of a socket is too long below %s\n", directory);
		return -1;
	}
	unlink(address.sun_path);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) < 0)
		return -1;
	chmod(address.sun_path, 0777);
	if (type != SOCK_DGRAM)
		listen(fd, 64);
	return add(fd, type == SOCK_DGRAM ? PACKETS : LISTENER);
}

static void at_name(int type, const char *name, const char *suffix)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s%s", name, suffix);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (bind(fd, (void *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1) + (socklen_t)length) < 0)
		return;
	if (type != SOCK_DGRAM)
		listen(fd, 64);
	add(fd, type == SOCK_DGRAM ? PACKETS : LISTENER);
}

static uint16_t at_port(int family, int type, int protocol, uint16_t port)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6 };
	struct sockaddr_in *address_4 = (void *)&address;
	socklen_t length = sizeof(address);
	int fd = socket(family, type | SOCK_CLOEXEC, protocol), five = 5;
	if (family == AF_INET)
		*address_4 = (struct sockaddr_in){ .sin_family = AF_INET };
	address.sin6_port = htons(port);
	int one = 1;
	if (family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (bind(fd, (void *)&address, family == AF_INET ? sizeof(*address_4) : sizeof(address)) < 0 ||
	    getsockname(fd, (void *)&address, &length) < 0)
		return 0;
	if (type == SOCK_STREAM) {
		setsockopt(fd, IPPROTO_TCP, 23 /* TCP_FASTOPEN */, &five, sizeof(five));
		listen(fd, 64);
	}
	add(fd, type == SOCK_DGRAM ? PACKETS : LISTENER);
	return ntohs(address.sin6_port);
}

static void join_group(void)
{
	struct ip_mreq group = { .imr_interface.s_addr = htonl(INADDR_LOOPBACK) };
	own->multicast = at_port(AF_INET, SOCK_DGRAM, 0, 0);
	inet_pton(AF_INET, "239.77.1.2", &group.imr_multiaddr);
	setsockopt(polled[polled_count - 1].fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof(group));
}

static void listen_everywhere(struct world *world)
{
	static const char *const in_runtime[] = { "bus", "systemd-private", "gpg", "wayland-0", "podman.sock" };
	char renamed[PATH_ROOM + 32], first[PATH_ROOM + 32];
	at_path(SOCK_STREAM, world->outside, "stream");
	at_path(SOCK_DGRAM, world->outside, "dgram");
	at_path(SOCK_SEQPACKET, world->outside, "seq");
	if (chdir(world->outside) == 0)
		at_path(SOCK_STREAM, ".", "relative");
	at_path(SOCK_STREAM, world->outside, "first-name");
	snprintf(first, sizeof(first), "%s/first-name", world->outside);
	snprintf(renamed, sizeof(renamed), "%s/renamed", world->outside);
	rename(first, renamed);
	at_path(SOCK_STREAM, world->tmp, "stream");
	at_path(SOCK_STREAM, world->tmp, "agent.1");
	for (size_t i = 0; i < sizeof(in_runtime) / sizeof(in_runtime[0]); i++)
		at_path(SOCK_STREAM, world->runtime, in_runtime[i]);
	at_path(SOCK_STREAM, world->run, "docker.sock");
	at_path(SOCK_STREAM, world->x11, "");
	at_name(SOCK_STREAM, world->x11, "");
	snprintf(first, sizeof(first), "escape-%d", getpid());
	at_name(SOCK_STREAM, first, "-stream");
	at_name(SOCK_DGRAM, first, "-dgram");
	own->tcp = at_port(AF_INET, SOCK_STREAM, 0, 0);
	own->tcp6 = at_port(AF_INET6, SOCK_STREAM, 0, 0);
	own->udp = at_port(AF_INET, SOCK_DGRAM, 0, 0);
	at_port(AF_INET, SOCK_DGRAM, 136 /* UDP-Lite */, own->udp);
	at_port(AF_INET, SOCK_STREAM, 262 /* MPTCP */, 0);
	join_group();
	own->listen = at_port(AF_INET, SOCK_STREAM, 0, 0);	/* a port that is free, for others to listen at */
	drop(polled_count - 1);
	snprintf(first, sizeof(first), "%s/fifo", world->outside);
	add(open(first, O_RDWR | O_NONBLOCK | O_CLOEXEC), PIPE);
	snprintf(first, sizeof(first), "%s/fifo", world->tmp);
	add(open(first, O_RDWR | O_NONBLOCK | O_CLOEXEC), PIPE);
}

static void hand_over(int fd)
{
	char room[CMSG_SPACE(sizeof(int))] = "", byte = 'D';
	struct iovec vector = { &byte, 1 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	*header = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(header), &outside_directory, sizeof(int));
	sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void hear(int i)
{
	char bytes[256];
	ssize_t got = read(polled[i].fd, bytes, sizeof(bytes));
	if (got > 1)
		own->messages++;
	if (got == 1 && bytes[0] == 'F')
		hand_over(polled[i].fd);
	if (got <= 0 && kinds[i] == TALKER)
		drop(i);
}

static bool serve_once(int timeout)
{
	bool any = false;
	if (poll(polled, (nfds_t)polled_count, timeout) <= 0)
		return false;
	for (int i = polled_count - 1; i > 0; i--) {	/* the first is the control */
		if (!polled[i].revents)
			continue;
		any = true;
		if (kinds[i] == LISTENER)
			add(accept4(polled[i].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), TALKER);
		else
			hear(i);
	}
	return any;
}

/* Whoever asks by the control is answered when nothing is left to be read; L and R make and remove late sockets. */
static void serve(struct world *world)
{
	char byte;
	for (;;) {
		while (serve_once(polled[0].revents ? 0 : -1))
			;
		if (!polled[0].revents)
			continue;
		if (read(polled[0].fd, &byte, 1) != 1)
			_exit(0);
		polled[0].revents = 0;
		if (byte == 'L') {
			at_path(SOCK_STREAM, world->outside, "late");
			at_path(SOCK_STREAM, world->tmp, "late");
		} else if (byte == 'R') {
			drop(polled_count - 1);
			drop(polled_count - 1);
		}
		while (serve_once(0))
			;
		if (write(polled[0].fd, &byte, 1) != 1)
			_exit(0);
	}
}

static void find_address(struct world *world)
{
	struct ifaddrs *all = NULL;
	if (getifaddrs(&all) < 0)
		return;
	for (struct ifaddrs *one = all; one; one = one->ifa_next)
		if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && !(one->ifa_flags & IFF_LOOPBACK))
			inet_ntop(AF_INET, &((struct sockaddr_in *)(void *)one->ifa_addr)->sin_addr, world->address,
				  sizeof(world->address));
	freeifaddrs(all);
}

static int make_places(struct world *world)
{
	char path[PATH_ROOM + 32];
	strcpy(world->tmp, "/tmp/escape-XXXXXX");
	if (!mkdtemp(world->tmp) || mkdir(world->runtime, 0700) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/fifo", world->tmp);
	mkfifo(path, 0600);
	strcpy(world->run, "/run/escape-XXXXXX");
	if (geteuid() != 0 || !mkdtemp(world->run))
		world->run[0] = 0;
	world->made_x11 = mkdir("/tmp/.X11-unix", 01777) == 0 && chmod("/tmp/.X11-unix", 01777) == 0;
	snprintf(world->x11, sizeof(world->x11), "/tmp/.X11-unix/X%d", 10000 + getpid() % 40000);
	return 0;
}

int services_start(struct world *world)
{
	int ends[2];
	own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	world->service_state = own;
	if (own == MAP_FAILED || make_places(world) < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	find_address(world);
	outside_directory = open(world->outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	world->services = fork();
	if (world->services == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[1]);
		add(ends[0], CONTROL);
		listen_everywhere(world);
		own->ready = 1;
		serve(world);
	}
	close(ends[0]);
	world->control = ends[1];
	for (int tries = 0; tries < 10000 && !own->ready; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	return world->services > 0 && own->ready ? 0 : -1;
}

static void ask(struct world *world, char what)
{
	if (write(world->control, &what, 1) != 1 || read(world->control, &what, 1) != 1)
		fputs("the services have gone\n", stderr);
}

unsigned services_count(struct world *world)
{
	ask(world, '?');
	return world->service_state->messages;
}

void services_make_late(struct world *world, bool remove)
{
	char path[PATH_ROOM + 16];
	ask(world, remove ? 'R' : 'L');
	if (!remove)
		return;
	snprintf(path, sizeof(path), "%s/late", world->outside);
	unlink(path);
	snprintf(path, sizeof(path), "%s/late", world->tmp);
	unlink(path);
}

void services_stop(struct world *world)
{
	if (world->services > 0) {
		kill(world->services, SIGKILL);
		waitpid(world->services, NULL, 0);
		close(world->control);
		close(outside_directory);
	}
	files_remove(world->tmp);
	if (world->run[0])
		files_remove(world->run);
	unlink(world->x11);
	if (world->made_x11)
		rmdir("/tmp/.X11-unix");
	world->services = 0;
}
