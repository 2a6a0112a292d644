/* tree/carry.c - the content of one file: comparing it and carrying it over. */
#include "config.h"

#include "tree/carry.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

bool carry_clone(int from, int to)
{
	return ioctl(to, FICLONE, from) == 0;
}

struct carry *carry_new(void)
{
	struct carry *carry = malloc(sizeof(*carry));
	if (carry)
		carry->ranged = carry->plain = 0;
	return carry;
}

static bool can_do_without(int failure)
{
	return failure == EXDEV || failure == EINVAL || failure == ENOSYS || failure == EOPNOTSUPP ||
	       failure == EPERM || failure == EBADF;
}

static ssize_t read_fully(int fd, char *room, size_t wanted, off_t at)
{
	size_t have = 0;
	while (have < wanted) {
		ssize_t got = pread(fd, room + have, wanted - have, at + (off_t)have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

static int write_fully(int fd, const char *bytes, size_t count, off_t at)
{
	for (size_t done = 0; done < count;) {
		ssize_t put = pwrite(fd, bytes + done, count - done, at + (off_t)done);
		if (put < 0 && errno != EINTR)
			return -1;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* Through memory: what is short, and what the kernel does not copy between two file systems. */
static enum carry_result carry_plainly(struct carry *carry, int from, int to, off_t at, off_t end,
				       struct digest *digest)
{
	while (at < end) {
		size_t wanted = end - at < CARRY_ROOM ? (size_t)(end - at) : CARRY_ROOM;
		ssize_t got = read_fully(from, carry->left, wanted, at);
		if (got != (ssize_t)wanted)
			return got < 0 ? CARRY_SOURCE_FAILED : CARRY_CHANGED;
		if (write_fully(to, carry->left, wanted, at) < 0)
			return CARRY_COPY_FAILED;
		carry->plain += wanted;
		if (digest)
			digest_add(digest, carry->left, wanted);
		at += got;
	}
	return CARRY_DONE;
}

/* Of a long file, so that it can be given up within a moment. */
enum { PIECE_BYTES = 8 << 20 };

static enum carry_result carry_range(struct carry *carry, int from, int to, off_t at, off_t end,
				     const struct carry_pace *pace)
{
	off_t in = at, out = at;
	while (in < end) {
		size_t wanted = end - in < PIECE_BYTES ? (size_t)(end - in) : PIECE_BYTES;
		ssize_t put = copy_file_range(from, &in, to, &out, wanted, 0);
		if (put < 0 && errno == EINTR)
			continue;
		enum carry_result result = CARRY_DONE;
		carry->ranged += put > 0 ? (uint64_t)put : 0;
		if (put == 0 || (put < 0 && can_do_without(errno))) {
			put = (ssize_t)wanted;
			result = carry_plainly(carry, from, to, in, in + put, NULL);
			in = out = in + put;
		}
		if (put < 0 || (result == CARRY_DONE && pace && pace->carried(pace->context, (uint64_t)put) != 0))
			return CARRY_COPY_FAILED;
		if (result != CARRY_DONE)
			return result;
	}
	return CARRY_DONE;
}

static enum carry_result carry_around_holes(struct carry *carry, int from, int to, off_t size,
					    const struct carry_pace *pace)
{
	for (off_t at = 0; at < size;) {
		off_t data = lseek(from, at, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			break;
		off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
		if (data < 0 || hole < 0)
			return carry_range(carry, from, to, at, size, pace);
		if (data >= size)
			break;
		if (hole > size)
			hole = size;
		enum carry_result result = carry_range(carry, from, to, data, hole, pace);
		if (result != CARRY_DONE)
			return result;
		at = hole;
	}
	return ftruncate(to, size) < 0 ? CARRY_COPY_FAILED : CARRY_DONE;
}

/* Two calls for most files of a tree, and no more than copy_file_range takes. */
static enum carry_result carry_short(struct carry *carry, int from, int to, off_t size,
				     const struct carry_pace *pace, uint64_t *ret_digest)
{
	struct digest digest;
	if (size > CARRY_ROOM)
		digest_begin(&digest);
	enum carry_result result =
		carry_plainly(carry, from, to, 0, size, size > CARRY_ROOM ? &digest : NULL);
	if (result == CARRY_DONE)
		*ret_digest = size > CARRY_ROOM ? digest_end(&digest) :
						  digest_of(carry->left, (size_t)size);
	if (result == CARRY_DONE && pace && pace->carried(pace->context, (uint64_t)size) != 0)
		return CARRY_COPY_FAILED;
	return result;
}

enum carry_result carry_bytes(struct carry *carry, int from, int to, const struct stamp *stamp,
			      const struct carry_pace *pace, uint64_t *ret_digest)
{
	*ret_digest = 0;
	bool has_holes = stamp->stored < stamp->size;
	if (stamp->size <= DIGEST_MOST && !has_holes)
		return carry_short(carry, from, to, (off_t)stamp->size, pace, ret_digest);
	if (!has_holes)
		return carry_range(carry, from, to, 0, (off_t)stamp->size, pace);
	enum carry_result result = carry_around_holes(carry, from, to, (off_t)stamp->size, pace);
	if (result == CARRY_DONE && stamp->size <= DIGEST_MOST)
		digest_file(from, stamp->size, ret_digest);
	return result;
}

/* The next place at or after `at` where either file has data. */
static uint64_t skip_holes(int from, int to, uint64_t at, uint64_t size)
{
	off_t left = lseek(from, (off_t)at, SEEK_DATA);
	uint64_t left_at = left >= 0 ? (uint64_t)left : errno == ENXIO ? size : at;
	off_t right = lseek(to, (off_t)at, SEEK_DATA);
	uint64_t right_at = right >= 0 ? (uint64_t)right : errno == ENXIO ? size : at;
	return left_at < right_at ? left_at : right_at;
}

static int read_pair(struct carry *carry, int from, int to, size_t wanted, off_t at)
{
	ssize_t left = read_fully(from, carry->left, wanted, at);
	ssize_t right = left < 0 ? -1 : read_fully(to, carry->right, wanted, at);
	if (left < 0 || right < 0)
		return -1;
	return left == right && (size_t)left == wanted && memcmp(carry->left, carry->right, wanted) == 0;
}

int carry_compare(struct carry *carry, int from, int to, const struct stamp *stamp,
		  uint64_t *ret_digest)
{
	uint64_t size = stamp->size;
	bool digests = size <= DIGEST_MOST;
	struct digest digest;
	digest_begin(&digest);
	for (uint64_t at = 0; at < size;) {
		if (!digests && stamp->stored < size && (at = skip_holes(from, to, at, size)) >= size)
			break;
		size_t wanted = size - at < CARRY_ROOM ? (size_t)(size - at) : CARRY_ROOM;
		int same = read_pair(carry, from, to, wanted, (off_t)at);
		if (same <= 0)
			return same;
		if (digests)
			digest_add(&digest, carry->left, wanted);
		at += wanted;
	}
	*ret_digest = digests ? digest_end(&digest) : 0;
	return 1;
}

bool carry_is_same(struct carry *carry, int from, int to, const struct stamp *stamp,
		   uint64_t *ret_digest)
{
	return carry_compare(carry, from, to, stamp, ret_digest) == 1;
}

/* The names of the attributes of `fd`, each ended by NUL; NULL with 0 bytes for none. */
static int list_attributes(int fd, char **ret_names, size_t *ret_bytes)
{
	ssize_t room = flistxattr(fd, NULL, 0);
	auto_free char *names = room > 0 ? malloc((size_t)room) : NULL;
	ssize_t bytes = names ? flistxattr(fd, names, (size_t)room) : room;
	if (bytes < 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
		bytes = 0;
	if (bytes < 0 || (room > 0 && !names))
		return -1;
	*ret_names = take_pointer(&names);
	*ret_bytes = (size_t)bytes;
	return 0;
}

static int carry_attribute(int from, int to, const char *name)
{
	ssize_t room = fgetxattr(from, name, NULL, 0);
	auto_free char *value = room >= 0 ? malloc((size_t)room + 1) : NULL;
	ssize_t bytes = value ? fgetxattr(from, name, value, (size_t)room) : -1;
	if (bytes < 0)
		return errno == ENODATA ? 0 : -1;
	if (fsetxattr(to, name, value, (size_t)bytes, 0) == 0)
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

static bool attribute_exists(int fd, const char *name)
{
	return fgetxattr(fd, name, NULL, 0) >= 0 || errno == ERANGE;
}

/* The user's own; those of the kernel's overlay are its own affair. */
static bool is_carried(const char *name)
{
	return starts_with(name, "user.") && !starts_with(name, "user.overlay.");
}

/* And what would let others in, or raise privileges, which a copy never has. */
static bool is_dropped(const char *name)
{
	return starts_with(name, "user.") || starts_with(name, "system.posix_acl_") ||
	       streq(name, "security.capability");
}

static int each_attribute(int fd, bool (*concerns)(const char *), int (*act)(int, int, const char *),
			  int from, int to)
{
	auto_free char *names = NULL;
	size_t bytes = 0;
	if (list_attributes(fd, &names, &bytes) < 0)
		return -1;
	for (size_t at = 0; at < bytes; at += strlen(names + at) + 1)
		if (concerns(names + at) && act(from, to, names + at) < 0)
			return -1;
	return 0;
}

static int drop_attribute(int from, int to, const char *name)
{
	return is_carried(name) && attribute_exists(from, name) ? 0 : fremovexattr(to, name);
}

int carry_attributes(int from, int to, bool fresh)
{
	if (!fresh && each_attribute(to, is_dropped, drop_attribute, from, to) < 0)
		return -1;
	return each_attribute(from, is_carried, carry_attribute, from, to);
}

int carry_user_attributes(int from, int to)
{
	if (each_attribute(to, is_carried, drop_attribute, from, to) < 0)
		return -1;
	return each_attribute(from, is_carried, carry_attribute, from, to);
}

static int compare_attribute(int a, int b, const char *name)
{
	ssize_t room = fgetxattr(a, name, NULL, 0);
	auto_free char *left = room >= 0 ? malloc((size_t)room + 1) : NULL;
	auto_free char *right = room >= 0 ? malloc((size_t)room + 1) : NULL;
	if (!left || !right || fgetxattr(a, name, left, (size_t)room) != room ||
	    fgetxattr(b, name, right, (size_t)room) != room)
		return -1;
	return memcmp(left, right, (size_t)room) == 0 ? 0 : -1;
}

static int attribute_is_there(int a, int b, const char *name)
{
	(void)a;
	return attribute_exists(b, name) ? 0 : -1;
}

static bool has_attributes(int fd)
{
	return fgetxattr(fd, "user.pinfold", NULL, 0) >= 0 || errno == ENODATA || errno == ERANGE;
}

bool carry_attributes_are_same(int a, int b)
{
	if (!has_attributes(a) || !has_attributes(b))
		return true;
	return each_attribute(a, is_carried, compare_attribute, a, b) == 0 &&
	       each_attribute(b, is_carried, attribute_is_there, b, a) == 0;
}

int carry_has_any(int fd)
{
	auto_free char *names = NULL;
	size_t bytes = 0;
	if (list_attributes(fd, &names, &bytes) < 0)
		return -1;
	for (size_t at = 0; at < bytes; at += strlen(names + at) + 1)
		if (is_carried(names + at))
			return 1;
	return 0;
}
