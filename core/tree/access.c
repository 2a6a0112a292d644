/* tree/access.c - lists of who else may use a file (POSIX access lists), as what is applied gets them. */
#include "config.h"

#include "tree/access.h"

#include "base/cleanup.h"

#include <endian.h>
#include <errno.h>
#include <linux/posix_acl_xattr.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static const char own[] = "system.posix_acl_access", given[] = "system.posix_acl_default";

enum { OWNER = 0x01, OWNING_GROUP = 0x04, MASK = 0x10, OTHERS = 0x20 };	/* tags of entries, of the format on disk */

/* 1 with the list, to be freed; 0: there is none; -1 with errno. By the path of the descriptor: one of O_PATH
 * gives no attributes. */
static int read_list(int fd, const char *name, char **ret_list, size_t *ret_bytes)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	for (;;) {
		ssize_t room = getxattr(link, name, NULL, 0);
		auto_free char *list = room > 0 ? malloc((size_t)room) : NULL;
		ssize_t bytes = list ? getxattr(link, name, list, (size_t)room) : room;
		if (bytes < 0 && errno == ERANGE)
			continue;	/* it has grown */
		if (bytes < 0)
			return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -1;
		if (room > 0 && !list)
			return -1;
		*ret_list = take_pointer(&list);
		*ret_bytes = (size_t)bytes;
		return bytes > 0;
	}
}

static int write_list(int to, const char *name, const char *list, size_t bytes)
{
	return fsetxattr(to, name, list, bytes, 0) == 0 || errno == EOPNOTSUPP ? 0 : -1;
}

int access_keep(int from, int to)
{
	auto_free char *list = NULL;
	size_t bytes = 0;
	int found = read_list(from, own, &list, &bytes);
	return found > 0 ? write_list(to, own, list, bytes) : found;
}

/* Nobody gets more than the mode says, and where there is a mask it stands for the group in the mode. */
static void narrow(char *list, size_t bytes, uint32_t *mode)
{
	struct posix_acl_xattr_entry *entries = (void *)(list + sizeof(struct posix_acl_xattr_header));
	size_t count = (bytes - sizeof(struct posix_acl_xattr_header)) / sizeof(*entries);
	bool masked = false;
	for (size_t i = 0; i < count; i++)
		masked |= le16toh(entries[i].e_tag) == MASK;
	for (size_t i = 0; i < count; i++) {
		uint16_t tag = le16toh(entries[i].e_tag);
		int shift = tag == OWNER ? 6 : tag == (masked ? MASK : OWNING_GROUP) ? 3 : tag == OTHERS ? 0 : -1;
		if (shift < 0)
			continue;
		uint32_t allowed = le16toh(entries[i].e_perm) & *mode >> shift & 7;
		entries[i].e_perm = htole16((uint16_t)allowed);
		*mode = (*mode & ~(7u << shift)) | allowed << shift;
	}
}

int access_inherit(int dir, int to, uint32_t *mode)
{
	auto_free char *list = NULL;
	size_t bytes = 0;
	int found = read_list(dir, given, &list, &bytes);
	if (found <= 0 || bytes < sizeof(struct posix_acl_xattr_header))
		return found < 0 ? -1 : 0;
	if (S_ISDIR(*mode) && write_list(to, given, list, bytes) < 0)
		return -1;
	narrow(list, bytes, mode);
	return write_list(to, own, list, bytes);
}
