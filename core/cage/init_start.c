/* cage/init_start.c - the supervisor program's first instructions, and what a compiler may call. */
#include "cage/init_calls.h"

#include <stddef.h>

#if defined(__x86_64__)
__asm__(".globl _start\n.type _start,@function\n_start:\n"
	"\txor %ebp,%ebp\n\tmov %rsp,%rdi\n\tand $-16,%rsp\n\tcall init_main\n\thlt\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n.type _start,%function\n_start:\n"
	"\tmov x29,#0\n\tmov x30,#0\n\tmov x0,sp\n\tbl init_main\n\tbrk #0\n");
#elif defined(__riscv)
__asm__(".globl _start\n.type _start,@function\n_start:\n"
	"\tmv a0,sp\n\tandi sp,sp,-16\n\tcall init_main\n\tebreak\n");
#else
#error "pinfold-init has no first instructions for this processor yet: add them here"
#endif

/* A compiler may turn an initializer into a call of these, even without a C library. */
void *memset(void *to, int byte, size_t count);
void *memcpy(void *to, const void *from, size_t count);

void *memset(void *to, int byte, size_t count)
{
	for (volatile char *at = to; count > 0; count--)
		*at++ = (char)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t count)
{
	volatile char *at = to;
	for (const char *source = from; count > 0; count--)
		*at++ = *source++;
	return to;
}
