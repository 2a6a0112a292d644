/* plugins/namespaces/calls.h - system calls by the host's table, which leaves errno alone: the result
 * or a negative errno. For code that runs in a child whose memory is shared with the host. */
#ifndef CALLS_H
#define CALLS_H

#include <pinfold/plugin.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <sys/syscall.h>

#define CALL_SELECT(_0, _1, _2, _3, _4, _5, _6, chosen, ...) chosen
#define CALL_0(h, n) (h)->call((n), 0, 0, 0, 0, 0, 0)
#define CALL_1(h, n, a) (h)->call((n), (long)(a), 0, 0, 0, 0, 0)
#define CALL_2(h, n, a, b) (h)->call((n), (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL_3(h, n, a, b, c) (h)->call((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL_4(h, n, a, b, c, d) (h)->call((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CALL_5(h, n, a, b, c, d, e)                                            \
	(h)->call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define CALL_6(h, n, a, b, c, d, e, f)                                         \
	(h)->call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* call(host, SYS_close, fd): no to six arguments, each made a long. */
#define call(h, ...)                                                           \
	CALL_SELECT(__VA_ARGS__, CALL_6, CALL_5, CALL_4, CALL_3, CALL_2, CALL_1, CALL_0, )(h, __VA_ARGS__)

/* Opens without following any link, on the way or at the end. */
static inline long call_open(const struct pinfold_host *host, int base, const char *path,
			     uint64_t flags)
{
	const struct open_how how = {
		.flags = flags | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS,
	};
	return call(host, SYS_openat2, base, path, &how, sizeof(how));
}

static inline void call_close(const struct pinfold_host *host, long fd)
{
	if (fd >= 0)
		call(host, SYS_close, fd);
}

static inline long call_status(const struct pinfold_host *host, int fd, struct statx *ret_status)
{
	return call(host, SYS_statx, fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO, ret_status);
}

/* A detached copy of the mount tree at `path` below `base`. */
static inline long call_clone(const struct pinfold_host *host, int base, const char *path)
{
	return call(host, SYS_open_tree, base, path,
		    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE |
			    AT_SYMLINK_NOFOLLOW);
}

/* Lays the detached tree `tree` on `path`, or on the descriptor `base` itself where that is "". */
static inline long call_lay(const struct pinfold_host *host, int tree, int base, const char *path)
{
	return call(host, SYS_move_mount, tree, "", base, path,
		    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

/* Sets attributes of mounts, which from then on hear of no mount that is made elsewhere. */
static inline long call_restrict(const struct pinfold_host *host, int base, const char *path,
				 uint64_t flags, uint64_t set)
{
	const struct mount_attr attributes = { .attr_set = set, .propagation = MS_PRIVATE };
	return call(host, SYS_mount_setattr, base, path, flags | AT_EMPTY_PATH, &attributes,
		    sizeof(attributes));
}

/* Takes attributes of mounts away. */
static inline long call_permit(const struct pinfold_host *host, int base, uint64_t flags, uint64_t clear)
{
	const struct mount_attr attributes = { .attr_clr = clear };
	return call(host, SYS_mount_setattr, base, "", flags | AT_EMPTY_PATH, &attributes, sizeof(attributes));
}

#endif
