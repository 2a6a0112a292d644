/* plugins/common/landlock/wall.h - the kernel's Landlock: what each version of it has, and rulesets.
 *
 * A ruleset allows and never forbids: what it handles is refused but where a rule allows it. The C library has
 * no functions for it and its headers may be older than the kernel, so calls and rights have our own names.
 */
#ifndef LANDLOCK_WALL_H
#define LANDLOCK_WALL_H

#include <pinfold/arm.h>
#include <stdbool.h>

enum {
	WALL_EXECUTE = 1 << 0,
	WALL_WRITE_FILE = 1 << 1,
	WALL_READ_FILE = 1 << 2,
	WALL_READ_DIR = 1 << 3,
	WALL_REMOVE_DIR = 1 << 4,
	WALL_REMOVE_FILE = 1 << 5,
	WALL_MAKE_CHAR = 1 << 6,
	WALL_MAKE_DIR = 1 << 7,
	WALL_MAKE_REG = 1 << 8,
	WALL_MAKE_SOCK = 1 << 9,
	WALL_MAKE_FIFO = 1 << 10,
	WALL_MAKE_BLOCK = 1 << 11,
	WALL_MAKE_SYM = 1 << 12,
	WALL_REFER = 1 << 13,
	WALL_TRUNCATE = 1 << 14,
	WALL_IOCTL_DEV = 1 << 15,
	WALL_RESOLVE_UNIX = 1 << 16
};
#define WALL_READ (WALL_READ_FILE | WALL_READ_DIR)
#define WALL_WRITE                                                                                 \
	(WALL_WRITE_FILE | WALL_REMOVE_DIR | WALL_REMOVE_FILE | WALL_MAKE_CHAR | WALL_MAKE_DIR |   \
	 WALL_MAKE_REG | WALL_MAKE_SOCK | WALL_MAKE_FIFO | WALL_MAKE_BLOCK | WALL_MAKE_SYM |       \
	 WALL_REFER | WALL_TRUNCATE | WALL_IOCTL_DEV)

/* What may be allowed for a file that is no directory; the kernel refuses rules that say more (EINVAL). */
#define WALL_ON_FILES                                                                              \
	(WALL_EXECUTE | WALL_WRITE_FILE | WALL_READ_FILE | WALL_TRUNCATE | WALL_IOCTL_DEV | WALL_RESOLVE_UNIX)

enum { WALL_BIND_TCP = 1 << 0, WALL_CONNECT_TCP = 1 << 1 };
enum { WALL_SCOPE_ABSTRACT = 1 << 0, WALL_SCOPE_SIGNAL = 1 << 1 };

/* What a ruleset handles, as the kernel's call wants it. */
struct wall_rights {
	uint64_t files, ports, scopes;
};

/* The versions that differ in what they keep; the newest that we know is the last. */
struct wall_version {
	int abi;
	const char *kernel;	/* the first with it */
	struct wall_rights brings;
};
extern const struct wall_version wall_versions[];
extern const unsigned wall_version_count;

/* The newest version that this kernel has, or a negative errno: ENOSYS not built in, EOPNOTSUPP not enabled. */
int wall_abi(const struct pinfold_host *host);
/* All that a kernel of this version can handle. */
struct wall_rights wall_rights_of(int abi);

/* A descriptor, or a negative errno. System calls only, as all below. */
long wall_open(const struct pinfold_host *host, const struct wall_rights *handled);
/* Allows, at what `fd` leads to and below, what of `rights` is handled and can be meant there. */
long wall_allow(const struct pinfold_host *host, int ruleset, const struct wall_rights *handled, int fd,
		uint64_t rights);
long wall_allow_port(const struct pinfold_host *host, int ruleset, uint16_t port, uint64_t rights);
/* Confines the calling thread. What it starts is confined as well. */
long wall_close_in(const struct pinfold_host *host, int ruleset);

#endif
