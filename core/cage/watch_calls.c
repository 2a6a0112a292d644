/* cage/watch_calls.c - the calls that are watched, and what each names: read from the command's memory, and followed
 * in the command's own sight of the files. */
#include "config.h"

#include "cage/watch_calls.h"

#include "base/cleanup.h"
#include "base/path.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

#define N NO_ARGUMENT
#define CALL(name, kind, directory, path, flags, structured, follows)                \
	{ SYS_##name, #name, WATCH_##kind, directory, path, flags, structured, follows }

const struct watched_call watched_calls[] = {
	CALL(openat, READ, 0, 1, 2, false, true),
	CALL(openat2, READ, 0, 1, 2, true, true),
	CALL(execve, EXECUTE, N, 0, N, false, true),
	CALL(execveat, EXECUTE, 0, 1, N, false, true),
	CALL(mkdirat, MAKE, 0, 1, N, false, false),
	CALL(mknodat, MAKE, 0, 1, N, false, false),
	CALL(symlinkat, MAKE, 1, 2, N, false, false),
	CALL(linkat, MAKE, 2, 3, N, false, false),
	CALL(unlinkat, REPLACE, 0, 1, N, false, false),
#ifdef SYS_renameat
	CALL(renameat, REPLACE, 0, 1, N, false, false),
	CALL(renameat, REPLACE, 2, 3, N, false, false),
#endif
	CALL(renameat2, REPLACE, 0, 1, N, false, false),
	CALL(renameat2, REPLACE, 2, 3, N, false, false),
	CALL(truncate, CHANGE, N, 0, N, false, true),
	CALL(fchmodat, CHANGE, 0, 1, N, false, true),
	CALL(fchownat, CHANGE, 0, 1, N, false, false),
	CALL(utimensat, CHANGE, 0, 1, N, false, true),
	CALL(setxattr, CHANGE, N, 0, N, false, true),
	CALL(lsetxattr, CHANGE, N, 0, N, false, false),
#ifdef SYS_open
	CALL(open, READ, N, 0, 1, false, true),
	CALL(creat, MAKE, N, 0, N, false, true),
	CALL(mkdir, MAKE, N, 0, N, false, false),
	CALL(mknod, MAKE, N, 0, N, false, false),
	CALL(symlink, MAKE, N, 1, N, false, false),
	CALL(link, MAKE, N, 1, N, false, false),
	CALL(unlink, REPLACE, N, 0, N, false, false),
	CALL(rmdir, REPLACE, N, 0, N, false, false),
	CALL(rename, REPLACE, N, 0, N, false, false),
	CALL(rename, REPLACE, N, 1, N, false, false),
	CALL(chmod, CHANGE, N, 0, N, false, true),
	CALL(chown, CHANGE, N, 0, N, false, true),
	CALL(lchown, CHANGE, N, 0, N, false, false),
#endif
	CALL(connect, CONNECT, N, N, N, false, false),
};
const size_t watched_count = sizeof(watched_calls) / sizeof(watched_calls[0]);

/* --- the command's memory ---------------------------------------------------------------------------- */
static bool read_memory(uint32_t pid, uint64_t at, void *room, size_t bytes)
{
	struct iovec here = { room, bytes }, there = { (void *)(uintptr_t)at, bytes };
	return process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* Page by page: what follows a text need not be there. */
static bool read_text(uint32_t pid, uint64_t at, char room[PATH_MAX])
{
	for (size_t length = 0; length < PATH_MAX;) {
		size_t part = 4096 - (at + length) % 4096;
		if (part > PATH_MAX - length)
			part = PATH_MAX - length;
		if (!read_memory(pid, at + length, room + length, part))
			return false;
		if (memchr(room + length, '\0', part))
			return true;
		length += part;
	}
	return false;
}

/* --- where a name leads ------------------------------------------------------------------------------ */
static int open_in(int root, const char *path, bool follows)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW), .resolve = RESOLVE_IN_ROOT };
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

static bool name_of(int fd, char room[PATH_MAX])
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, room, PATH_MAX - 1);
	if (length <= 0 || room[0] != '/')
		return false;
	room[length] = '\0';
	return true;
}

/* "/proc/PID/cwd", or of a descriptor: the directory that a relative name begins at. */
static bool start_of(uint32_t pid, const struct watched_call *call, const uint64_t *arguments, char room[PATH_MAX])
{
	int directory = call->directory == NO_ARGUMENT || !arguments ? AT_FDCWD : (int)arguments[call->directory];
	char link[64];
	if (directory == AT_FDCWD)
		snprintf(link, sizeof(link), "/proc/%u/cwd", pid);
	else
		snprintf(link, sizeof(link), "/proc/%u/fd/%d", pid, directory);
	ssize_t length = readlink(link, room, PATH_MAX - 1);
	if (length <= 0 || room[0] != '/')
		return false;
	room[length] = '\0';
	return true;
}

/* What is not there has a directory, and a name in it. */
static bool find_parent(int root, char *path, char room[PATH_MAX])
{
	char parent[PATH_MAX];
	char *last = strrchr(path, '/');
	while (last > path && last[1] == '\0') {
		*last = '\0';
		last = strrchr(path, '/');
	}
	if (!last)
		return false;
	const char *name = last + 1;
	snprintf(parent, sizeof(parent), "%.*s", (int)(last == path ? 1 : last - path), path);
	auto_close int fd = open_in(root, parent, true);
	if (fd < 0 || !name_of(fd, room))
		return false;
	size_t length = strlen(room);
	if (length + strlen(name) + 2 > PATH_MAX || strcmp(name, "..") == 0)
		return false;
	snprintf(room + length, PATH_MAX - length, "%s%s", length > 1 ? "/" : "", name);
	return true;
}

static bool locate(uint32_t pid, char *path, bool follows, char room[PATH_MAX], bool *ret_there)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/%u/root", pid);
	auto_close int root = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return false;
	auto_close int fd = open_in(root, path, follows);
	*ret_there = fd >= 0;
	return fd >= 0 ? name_of(fd, room) : find_parent(root, path, room);
}

/* --- telling ------------------------------------------------------------------------------------------- */
/* -1: only a place is opened, and nothing in it. */
static int kind_of_flags(uint64_t flags)
{
	if (flags & O_PATH)
		return -1;
	if (flags & O_CREAT)
		return WATCH_MAKE;
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC ? WATCH_WRITE : WATCH_READ;
}

static void look_at_path(const struct watched_call *call, const struct seccomp_notif *asked, watch_tell *tell, void *context)
{
	const uint64_t *arguments = (const uint64_t *)asked->data.args;
	char named[PATH_MAX], whole[2 * PATH_MAX], target[PATH_MAX];
	uint64_t flags = call->flags == NO_ARGUMENT ? 0 : arguments[call->flags];
	if (call->structured && !read_memory(asked->pid, flags, &flags, sizeof(flags)))
		return;
	int kind = call->flags == NO_ARGUMENT ? (int)call->kind : kind_of_flags(flags);
	if (kind < 0 || !read_text(asked->pid, arguments[call->path], named) || !named[0])
		return;
	if (named[0] != '/' && !start_of(asked->pid, call, arguments, target))
		return;
	snprintf(whole, sizeof(whole), "%s%s%s", named[0] == '/' ? "" : target, named[0] == '/' ? "" : "/", named);
	struct attempt_seen seen = { .kind = (enum watch_kind)kind, .call = call->name, .target = target };
	bool follows = call->follows && !(flags & O_NOFOLLOW);
	if (strlen(whole) < PATH_MAX && locate(asked->pid, whole, follows, target, &seen.there))
		tell(context, &seen);
}

static void look_at_unix(const struct seccomp_notif *asked, const struct sockaddr_un *address, size_t bytes,
			 watch_tell *tell, void *context)
{
	char named[sizeof(address->sun_path) + 1] = "", whole[2 * PATH_MAX], target[PATH_MAX];
	struct attempt_seen seen = { .kind = WATCH_CONNECT, .call = "connect", .target = target };
	size_t length = bytes - offsetof(struct sockaddr_un, sun_path);
	if (bytes <= offsetof(struct sockaddr_un, sun_path))
		return;
	memcpy(named, address->sun_path, length);
	seen.abstract = named[0] == '\0';
	if (seen.abstract) {
		snprintf(target, sizeof(target), "@%.*s", (int)length - 1, named + 1);
		tell(context, &seen);
		return;
	}
	const struct watched_call here = { .directory = NO_ARGUMENT };
	if (named[0] != '/' && !start_of(asked->pid, &here, NULL, target))
		return;
	snprintf(whole, sizeof(whole), "%s%s%s", named[0] == '/' ? "" : target, named[0] == '/' ? "" : "/", named);
	if (strlen(whole) < PATH_MAX && locate(asked->pid, whole, true, target, &seen.there))
		tell(context, &seen);
}

static void look_at_internet(const struct sockaddr_storage *address, watch_tell *tell, void *context)
{
	const struct sockaddr_in *four = (const void *)address;
	const struct sockaddr_in6 *six = (const void *)address;
	char text[INET6_ADDRSTRLEN] = "", target[INET6_ADDRSTRLEN + 16];
	bool is_four = address->ss_family == AF_INET;
	inet_ntop(address->ss_family, is_four ? (const void *)&four->sin_addr : (const void *)&six->sin6_addr, text,
		  sizeof(text));
	struct attempt_seen seen = {
		.kind = WATCH_CONNECT, .call = "connect", .target = target, .network = true,
		.port = ntohs(is_four ? four->sin_port : six->sin6_port),
		.loopback = is_four ? ntohl(four->sin_addr.s_addr) >> 24 == 127 : IN6_IS_ADDR_LOOPBACK(&six->sin6_addr),
	};
	snprintf(target, sizeof(target), is_four ? "%s:%u" : "[%s]:%u", text, seen.port);
	tell(context, &seen);
}

static void look_at_address(const struct seccomp_notif *asked, watch_tell *tell, void *context)
{
	struct sockaddr_storage address = { 0 };
	size_t bytes = asked->data.args[2] < sizeof(address) ? asked->data.args[2] : sizeof(address);
	if (bytes < sizeof(sa_family_t) || !read_memory(asked->pid, asked->data.args[1], &address, bytes))
		return;
	if (address.ss_family == AF_UNIX && bytes <= sizeof(struct sockaddr_un))
		look_at_unix(asked, (const void *)&address, bytes, tell, context);
	else if ((address.ss_family == AF_INET && bytes >= sizeof(struct sockaddr_in)) ||
		 (address.ss_family == AF_INET6 && bytes >= sizeof(struct sockaddr_in6)))
		look_at_internet(&address, tell, context);
}

void watch_look(const struct seccomp_notif *asked, watch_tell *tell, void *context)
{
	for (size_t i = 0; i < watched_count; i++) {
		if (watched_calls[i].number != asked->data.nr)
			continue;
		if (watched_calls[i].kind == WATCH_CONNECT)
			look_at_address(asked, tell, context);
		else
			look_at_path(&watched_calls[i], asked, tell, context);
	}
}
