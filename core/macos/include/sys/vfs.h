/* sys/vfs.h for macOS. */
#include <sys/mount.h>
#include <sys/param.h>
