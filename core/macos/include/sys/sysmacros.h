/* sys/sysmacros.h for macOS: sys/types.h has them. */
#include <sys/types.h>
