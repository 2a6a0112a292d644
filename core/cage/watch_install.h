/* cage/watch_install.h - in the child, by system calls alone: what it listens with is sent to who listens (cage/watch.h).
 */
#ifndef CAGE_WATCH_INSTALL_H
#define CAGE_WATCH_INSTALL_H

#include <linux/filter.h>
#include <sys/socket.h>

/* By which what is sent while nobody listens yet is told from all that a program sends. */
#define WATCH_HANDING_OVER (MSG_NOSIGNAL | MSG_EOR)

/* Lays the filter, and sends its listener; without one, that which was made already. Neither stays open here, nor does the
 * socket. 0, or a negative errno: then nothing was sent. */
long watch_install(int socket, const struct sock_fprog *filter, int made);

#endif
