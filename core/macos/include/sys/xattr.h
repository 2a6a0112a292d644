/* sys/xattr.h for macOS, in the form that Linux gives these calls. */
#ifndef MACOS_XATTR_H
#define MACOS_XATTR_H

#include <sys/types.h>

#define ENODATA_OF_ATTRIBUTES 93	/* ENOATTR */
#undef ENODATA
#define ENODATA ENODATA_OF_ATTRIBUTES

ssize_t mac_fgetxattr(int fd, const char *name, void *value, size_t size, uint32_t position, int options)
	__asm__("_fgetxattr");
ssize_t mac_getxattr(const char *path, const char *name, void *value, size_t size, uint32_t position, int options)
	__asm__("_getxattr");
int mac_fsetxattr(int fd, const char *name, const void *value, size_t size, uint32_t position, int options)
	__asm__("_fsetxattr");
int mac_fremovexattr(int fd, const char *name, int options) __asm__("_fremovexattr");
ssize_t mac_flistxattr(int fd, char *list, size_t size, int options) __asm__("_flistxattr");

static inline ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
	return mac_fgetxattr(fd, name, value, size, 0, 0);
}

static inline ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	return mac_getxattr(path, name, value, size, 0, 0);
}

static inline int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	return mac_fsetxattr(fd, name, value, size, 0, flags);
}

static inline int fremovexattr(int fd, const char *name)
{
	return mac_fremovexattr(fd, name, 0);
}

static inline ssize_t flistxattr(int fd, char *list, size_t size)
{
	return mac_flistxattr(fd, list, size, 0);
}

#endif
