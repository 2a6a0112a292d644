/* sys/auxv.h for macOS. */
#ifndef MACOS_AUXV_H
#define MACOS_AUXV_H

#include <unistd.h>

/* The one question that is asked: was a set-user-ID program executed? */
#define AT_SECURE 23
static inline unsigned long getauxval(unsigned long type)
{
	return type == AT_SECURE && issetugid();
}

#endif
