/* escape/foreign.c - calls of the processor's other instruction sets, whose numbers a filter must know too. */
#include "config.h"

#include "case.h"
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define I386_GETPID 20
#define I386_IOCTL 54
#define I386_MOUNT 21
#define I386_SOCKETCALL 102
#define I386_UNSHARE 310
#define X32_BIT 0x40000000L

#ifdef __x86_64__
/* Arguments that are pointers must lie in the low 4 GiB. */
static long call_32(long call, long a, long b, long c)
{
	long result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(call), "b"(a), "c"(b), "d"(c), "S"(0L), "D"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static char *low_memory(void)
{
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

long foreign_ioctl(int fd, unsigned long request)
{
	char *memory = low_memory();
	if (!memory)
		return -errno;
	memory[0] = '!';
	return call_32(I386_IOCTL, fd, (long)request, (long)memory);
}

static long get_pid_32(void)
{
	long result = call_32(I386_GETPID, 0, 0, 0);
	return result > 0 ? 0 : result;
}

static long unshare_32(void)
{
	return call_32(I386_UNSHARE, 0x10000000, 0, 0);
}

/* socketcall: one number for all calls of sockets, its arguments in memory. */
static long socket_32(void)
{
	char *memory = low_memory();
	if (!memory)
		return -errno;
	unsigned arguments[3] = { 38 /* AF_ALG */, 5, 0 };
	memcpy(memory, arguments, sizeof(arguments));
	long result = call_32(I386_SOCKETCALL, 1, (long)memory, 0);
	return result >= 0 ? 0 : result;
}

static long get_pid_x32(void)
{
	long result = syscall(X32_BIT | SYS_getpid);
	if (result < 0 && errno == ENOSYS)
		return -ENOSYS;
	return result > 0 ? 0 : -errno;
}

static long unshare_x32(void)
{
	return done(syscall(X32_BIT | SYS_unshare, 0x10000000));
}
#else
long foreign_ioctl(int fd, unsigned long request)
{
	(void)fd;
	(void)request;
	return lack("this processor has no 32-bit interface that is known here");
}

static long get_pid_32(void) { return foreign_ioctl(0, 0); }
static long unshare_32(void) { return foreign_ioctl(0, 0); }
static long socket_32(void) { return foreign_ioctl(0, 0); }
static long get_pid_x32(void) { return foreign_ioctl(0, 0); }
static long unshare_x32(void) { return foreign_ioctl(0, 0); }
#endif

static const struct row rows[] = {
	{ "i386-call", "kernel", BY_WORD, get_pid_32, &starts_children,
	  "int 0x80 calls by the numbers of the 32-bit interface, which a filter of 64-bit numbers misreads",
	  "seccomp(2)" },
	{ "i386-unshare", "kernel", BY_WORD, unshare_32, &starts_children,
	  "a user namespace made through the 32-bit interface", "seccomp(2)" },
	{ "i386-socketcall", "kernel", BY_WORD, socket_32, &has_its_socket,
	  "socketcall() has the family in memory, out of a filter's sight", "socketcall(2)" },
	{ "x32-call", "kernel", BY_WORD, get_pid_x32, &starts_children,
	  "the x32 interface has the same instruction set in a filter's eyes and other numbers", "seccomp(2), CVE-2019-10063" },
	{ "x32-unshare", "kernel", BY_WORD, unshare_x32, &starts_children,
	  "a user namespace made through the x32 interface", "seccomp(2)" },
};
const struct class foreign_class = CLASS("x32 and i386 calls", rows);
