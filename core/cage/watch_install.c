/* cage/watch_install.c - lays a filter that asks, and sends its listener. Without a C library: the supervisor's program
 * does it, too, where another program confines. */
#include "cage/watch_install.h"

#include "base/raw.h"
#include "cage/birth.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1ul << 5)
#endif

static IN_CHILD long send_listener(int socket, int listener)
{
	int word = 0;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	__builtin_memcpy(CMSG_DATA(&control.head), &listener, sizeof(listener));
	struct iovec data = { &word, sizeof(word) };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control),
	};
	return raw(SYS_sendmsg, socket, &message, WATCH_HANDING_OVER);
}

/* A signal must not have a call made twice; kernels before 5.19 know no way to wait for it. */
static IN_CHILD long listen_by(const struct sock_fprog *filter)
{
	long listener = raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, filter);
	return listener != -EINVAL ? listener :
				     raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, filter);
}

long IN_CHILD watch_install(int socket, const struct sock_fprog *filter, int made)
{
	long listener = filter ? listen_by(filter) : made;
	long result = listener < 0 ? listener : send_listener(socket, (int)listener);
	if (listener >= 0)
		raw(SYS_close, listener);
	raw(SYS_close, socket);
	return result < 0 ? result : 0;
}
