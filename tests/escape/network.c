/* escape/network.c - reaching the host's network, its loopback first of all, and being reached from it. */
#include "config.h"

#include "case.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

static struct sockaddr_in at(const char *address, const char *port)
{
	struct sockaddr_in result = { .sin_family = AF_INET, .sin_port = htons((uint16_t)number(port)) };
	inet_pton(AF_INET, address, &result.sin_addr);
	return result;
}

static long to(int type, const char *address, const char *port)
{
	struct sockaddr_in there = at(address, port);
	return connect_and_put(AF_INET, type, &there, sizeof(there));
}

static long loopback(void) { return to(SOCK_STREAM, "127.0.0.1", "tcp"); }
static long other_loopback(void) { return to(SOCK_STREAM, "127.9.8.7", "tcp"); }
static long any_address(void) { return to(SOCK_STREAM, "0.0.0.0", "tcp"); }
static long datagram(void) { return to(SOCK_DGRAM, "127.0.0.1", "udp"); }

static long own_address(void)
{
	return fact("address")[0] ? to(SOCK_STREAM, fact("address"), "tcp") : lack("the machine has no address but loopback");
}

static long own_address_datagram(void)
{
	return fact("address")[0] ? to(SOCK_DGRAM, fact("address"), "udp") : lack("the machine has no address but loopback");
}

static long loopback_6(void)
{
	struct sockaddr_in6 there = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)number("tcp6")),
				      .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	return number("tcp6") ? connect_and_put(AF_INET6, SOCK_STREAM, &there, sizeof(there)) : lack("the machine has no IPv6");
}

static long mapped(void)
{
	struct sockaddr_in6 there = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)number("tcp")) };
	inet_pton(AF_INET6, "::ffff:127.0.0.1", &there.sin6_addr);
	return connect_and_put(AF_INET6, SOCK_STREAM, &there, sizeof(there));
}

static long many_paths(void)
{
	struct sockaddr_in there = at("127.0.0.1", "tcp");
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP);
	if (fd < 0)
		return errno == EPROTONOSUPPORT && unconfined ? lack("the kernel has no MPTCP") : -errno;
	if (connect(fd, (void *)&there, sizeof(there)) < 0)
		return -errno;
	return put(fd);
}

/* Data in the first packet, without a call of connect(). */
static long fast_open(void)
{
	struct sockaddr_in there = at("127.0.0.1", "tcp");
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0)
		return -errno;
	long result = done(sendto(fd, token, strlen(token), MSG_FASTOPEN, (void *)&there, sizeof(there)));
	close(fd);
	return result;
}

static long unconnected(void)
{
	struct sockaddr_in there = at("127.0.0.1", "udp");
	struct iovec vector = { (void *)token, strlen(token) };
	struct mmsghdr message = { .msg_hdr = { .msg_name = &there, .msg_namelen = sizeof(there), .msg_iov = &vector, .msg_iovlen = 1 } };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		return -errno;
	return done(sendmmsg(fd, &message, 1, 0));
}

/* A question to a resolver on loopback, as systemd-resolved is one: the token is the name. */
static long resolve(void)
{
	struct sockaddr_in there = at("127.0.0.1", "udp");
	unsigned char question[80] = { 0x12, 0x34, 1, 0, 0, 1 };
	size_t length = strlen(token);
	question[12] = (unsigned char)length;
	memcpy(question + 13, token, length);
	question[13 + length + 2] = question[13 + length + 4] = 1;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		return -errno;
	return done(sendto(fd, question, 13 + length + 5, 0, (void *)&there, sizeof(there)));
}

static long light(void)
{
	struct sockaddr_in there = at("127.0.0.1", "udp");
	int fd = socket(AF_INET, SOCK_DGRAM, 136 /* UDPLITE */);
	if (fd < 0)
		return unconfined ? lack("the kernel has no UDP-Lite") : -errno;
	return done(sendto(fd, token, strlen(token), 0, (void *)&there, sizeof(there)));
}

/* Waits for the host, which tries to connect, and gives it the token. */
static long listen_at(const char *address, int with_bind)
{
	struct sockaddr_in here = at(address, "listen");
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (with_bind && bind(fd, (void *)&here, sizeof(here)) < 0)
		return -errno;
	if (listen(fd, 4) < 0)
		return -errno;
	struct pollfd wait = { fd, POLLIN, 0 };
	if (poll(&wait, 1, 400) != 1)
		return -ETIMEDOUT;
	return put(accept(fd, NULL, NULL));
}

static long be_a_server(void) { return listen_at("127.0.0.1", 1); }
static long be_a_server_for_all(void) { return listen_at("0.0.0.0", 1); }

static long many_listeners(void)
{
	struct sockaddr_in here = at("239.77.1.2", "multicast");
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct in_addr loop = { htonl(INADDR_LOOPBACK) };
	if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &loop, sizeof(loop)) < 0)
		return -errno;
	return done(sendto(fd, token, strlen(token), 0, (void *)&here, sizeof(here)));
}

/* Is there a device, or a route, that leads anywhere? */
static long has_device(void)
{
	struct ifconf list = { .ifc_len = 4096, .ifc_buf = (char[4096]){ 0 } };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCGIFCONF, &list) < 0)
		return -errno;
	for (int i = 0; i < list.ifc_len / (int)sizeof(struct ifreq); i++)
		if (strcmp(list.ifc_req[i].ifr_name, "lo") != 0)
			return 0;
	return -ENODEV;
}

static long add_address(void)
{
	struct {
		struct nlmsghdr header;
		struct ifaddrmsg address;
	} request = { { sizeof(request), RTM_NEWADDR, NLM_F_REQUEST | NLM_F_ACK, 1, 0 }, { AF_INET, 8, 0, 0, 999999 } };
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[200];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0 || recv(fd, &answer, sizeof(answer), 0) < 0)
		return -errno;
	/* An index that no device has: allowed, it would be looked for. */
	return answer.error.error == -EPERM || answer.error.error == -EACCES ? answer.error.error : 0;
}

#define NET(name, how, function, mechanism, source) { name, "network", how, function, &has_its_loopback, mechanism, source }
static const struct row rows[] = {
	NET("loopback", 0, loopback, "a service on the host's loopback", "reports about development servers"),
	NET("loopback-other", 0, other_loopback, "another address of 127.0.0.0/8", "ip(7)"),
	NET("any-address", 0, any_address, "0.0.0.0 as a destination is loopback", "CVE-2024-28224 and the 0.0.0.0 day"),
	NET("loopback-ipv6", 0, loopback_6, "a service on ::1", "ipv6(7)"),
	NET("mapped-address", 0, mapped, "an IPv4 address in an IPv6 socket", "ipv6(7)"),
	NET("own-address", 0, own_address, "the machine's own address in its network", "reports"),
	NET("datagram", 0, datagram, "UDP to loopback", "Landlock before ABI 10"),
	NET("own-address-datagram", 0, own_address_datagram, "UDP to the machine's own address", "Landlock before ABI 10"),
	NET("datagram-unconnected", 0, unconnected, "sendmmsg() without connecting", "sendmmsg(2)"),
	NET("resolver", 0, resolve, "a question to a resolver on loopback carries data out", "CVE-2025-66479 and reports about DNS"),
	NET("multipath", 0, many_paths, "MPTCP is TCP under another number", "seen around Landlock"),
	NET("fast-open", 0, fast_open, "MSG_FASTOPEN connects without connect()", "seen around Landlock"),
	NET("udp-lite", 0, light, "UDP-Lite is UDP under another number", "udplite(7)"),
	NET("multicast", 0, many_listeners, "a multicast group on loopback", "ip(7)"),
	NET("server", LISTENS, be_a_server, "a server inside is reached from the host's loopback", "Landlock's bind rights"),
	NET("server-for-all", LISTENS, be_a_server_for_all, "a server inside is reached at any address", "Landlock's bind rights"),
	NET("device", BY_WORD, has_device, "a network device beside loopback is there", "network_namespaces(7)"),
	{ "address-added", "user", BY_WORD | ROOT_ONLY, add_address, &has_its_loopback, "netlink adds an address to a device", "rtnetlink(7)" },
};
const struct class network_class = CLASS("DNS, loopback services, the network", rows);
