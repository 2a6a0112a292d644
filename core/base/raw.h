/* base/raw.h - system calls that leave errno alone.
 *
 * A child that shares memory with its parent shares the parent thread's errno as well: it calls by
 * these. The result is the kernel's: a negative errno on failure.
 */
#ifndef BASE_RAW_H
#define BASE_RAW_H

#if defined(__x86_64__)

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#elif defined(__riscv) && __riscv_xlen == 64

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;
	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
			 : "memory");
	return a0;
}

#else
#error "pinfold has no system call sequence for this processor yet: add one in base/raw.h"
#endif

#define RAW_SELECT(_0, _1, _2, _3, _4, _5, _6, chosen, ...) chosen
#define RAW_0(n) raw_call((n), 0, 0, 0, 0, 0, 0)
#define RAW_1(n, a) raw_call((n), (long)(a), 0, 0, 0, 0, 0)
#define RAW_2(n, a, b) raw_call((n), (long)(a), (long)(b), 0, 0, 0, 0)
#define RAW_3(n, a, b, c) raw_call((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW_4(n, a, b, c, d) raw_call((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RAW_5(n, a, b, c, d, e)                                                \
	raw_call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define RAW_6(n, a, b, c, d, e, f)                                             \
	raw_call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* raw(SYS_close, fd): one to seven arguments, each made a long. */
#define raw(...)                                                               \
	RAW_SELECT(__VA_ARGS__, RAW_6, RAW_5, RAW_4, RAW_3, RAW_2, RAW_1, RAW_0, )(__VA_ARGS__)

#endif
