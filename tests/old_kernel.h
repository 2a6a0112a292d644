/* tests/old_kernel.h - runs code as on a kernel whose Landlock is older, or that refuses it. */
#ifndef OLD_KERNEL_H
#define OLD_KERNEL_H

struct old_kernel {
	int abi;	/* the newest version that it has; 0: as it is here */
	int error;	/* what its calls end with instead, or 0 */
};

/* Runs `body` in a process of its own, and what that starts: its exit status, or 1000 and the signal. -1 where this
 * machine cannot play another (then errno says why). */
int old_kernel_run(const struct old_kernel *kernel, int (*body)(void *context), void *context);

#endif
