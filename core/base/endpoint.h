/* base/endpoint.h - where a server listens: a socket's path, or a text that ends with a port of the loopback device.
 *
 * Without calls of the C library, for the supervisor's program as well.
 */
#ifndef BASE_ENDPOINT_H
#define BASE_ENDPOINT_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

struct endpoint {
	union {
		struct sockaddr any;
		struct sockaddr_in port;
		struct sockaddr_un path;
	} address;
	socklen_t bytes;
};

static inline int endpoint_by_path(const char *text, struct endpoint *ret_endpoint)
{
	struct endpoint found = { .address.path.sun_family = AF_UNIX, .bytes = sizeof(found.address.path) };
	unsigned long length = 0;
	for (; text[length]; length++) {
		if (length + 1 >= sizeof(found.address.path.sun_path))
			return -1;
		found.address.path.sun_path[length] = text[length];
	}
	*ret_endpoint = found;
	return 0;
}

/* "4226", "localhost:4226", "port 4226". */
static inline int endpoint_by_port(const char *text, struct endpoint *ret_endpoint)
{
	unsigned long port = 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			port = 0;
		else if (port <= UINT16_MAX)
			port = port * 10 + (unsigned long)(*text - '0');
	}
	if (port == 0 || port > UINT16_MAX)
		return -1;
	*ret_endpoint = (struct endpoint){ .address.port.sin_family = AF_INET,
					   .bytes = sizeof(ret_endpoint->address.port) };
	unsigned char *number = (unsigned char *)&ret_endpoint->address.port.sin_port;
	unsigned char *host = (unsigned char *)&ret_endpoint->address.port.sin_addr;
	number[0] = (unsigned char)(port >> 8);
	number[1] = (unsigned char)(port & 0xff);
	host[0] = 127;
	host[3] = 1;
	return 0;
}

/* -1 for what is none. */
static inline int endpoint_of(const char *text, struct endpoint *ret_endpoint)
{
	return text[0] == '/' ? endpoint_by_path(text, ret_endpoint) : endpoint_by_port(text, ret_endpoint);
}

#endif
