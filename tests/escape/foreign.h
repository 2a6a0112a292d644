/* escape/foreign.h - the same processor's other interfaces to the kernel. */
#ifndef ESCAPE_FOREIGN_H
#define ESCAPE_FOREIGN_H

/* ioctl(fd, request) with a byte of input, by the 32-bit interface. */
long foreign_ioctl(int fd, unsigned long request);

#endif
