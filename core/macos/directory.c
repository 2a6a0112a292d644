/* macos/directory.c - the entries of a directory by its descriptor, without a stream of the C library's. */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/attr.h>

/* Types of things in a file system, as the kernel numbers them. */
enum { VREG = 1, VDIR, VBLK, VCHR, VLNK, VSOCK, VFIFO };

/* What the kernel gives of each entry. */
struct given {
	uint32_t length;
	attribute_set_t returned;
	attrreference_t name;
	fsobj_type_t type;
	uint64_t inode;
} __attribute__((packed, aligned(4)));

static uint8_t type_of(fsobj_type_t type)
{
	switch (type) {
	case VREG:
		return DT_REG;
	case VDIR:
		return DT_DIR;
	case VLNK:
		return DT_LNK;
	case VBLK:
		return DT_BLK;
	case VCHR:
		return DT_CHR;
	case VSOCK:
		return DT_SOCK;
	case VFIFO:
		return DT_FIFO;
	default:
		return DT_UNKNOWN;
	}
}

static size_t put(struct dirent64 *to, const struct given *from)
{
	const char *name = (const char *)&from->name + from->name.attr_dataoffset;
	size_t bytes = strnlen(name, sizeof(to->d_name) - 1);
	size_t all = (offsetof(struct dirent64, d_name) + bytes + 1 + 7) / 8 * 8;
	to->d_ino = from->inode;
	to->d_reclen = (uint16_t)all;
	to->d_type = type_of(from->type);
	memcpy(to->d_name, name, bytes);
	to->d_name[bytes] = '\0';
	return all;
}

/* Asks for so few that all of them fit, each with the longest name. */
ssize_t getdents64(int fd, void *room, size_t bytes)
{
	struct attrlist wanted = { .bitmapcount = ATTR_BIT_MAP_COUNT,
				   .commonattr = ATTR_CMN_RETURNED_ATTRS | ATTR_CMN_NAME | ATTR_CMN_OBJTYPE |
						 ATTR_CMN_FILEID };
	char given[16384];
	size_t used = 0;
	if (bytes < 2 * sizeof(given)) {
		errno = EINVAL;
		return -1;
	}
	int count = getattrlistbulk(fd, &wanted, given, sizeof(given), 0);
	if (count < 0)
		return -1;
	const char *at = given;
	for (int i = 0; i < count; i++) {
		const struct given *one = (const struct given *)(const void *)at;
		used += put((struct dirent64 *)(void *)((char *)room + used), one);
		at += one->length;
	}
	return (ssize_t)used;
}
