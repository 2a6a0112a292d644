/* cage/watch_calls.c - the calls that are watched, and what each names: read from the command's memory, and followed
 * in the command's own sight of the files. */
#include "config.h"

#include "cage/watch_calls.h"

#include "base/asked.h"
#include "base/cleanup.h"

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
#include <sys/un.h>

#define N NO_ARGUMENT
#define CALL(name, kind, directory, path, flags, structured, follows)                \
	{ SYS_##name, #name, WATCH_##kind, directory, path, flags, structured, follows, false }
#define TIMES(name, directory, path, flags) { SYS_##name, #name, WATCH_CHANGE, directory, path, flags, false, true, true }

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

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
	CALL(fchmodat2, CHANGE, 0, 1, 3, false, true),
	CALL(fchmod, CHANGE, 0, N, N, false, true),
	CALL(fchownat, CHANGE, 0, 1, 4, false, true),
	CALL(fchown, CHANGE, 0, N, N, false, true),
	TIMES(utimensat, 0, 1, 3),
	CALL(setxattr, CHANGE, N, 0, N, false, true),
	CALL(lsetxattr, CHANGE, N, 0, N, false, false),
	CALL(fsetxattr, CHANGE, 0, N, N, false, true),
	CALL(removexattr, CHANGE, N, 0, N, false, true),
	CALL(lremovexattr, CHANGE, N, 0, N, false, false),
	CALL(fremovexattr, CHANGE, 0, N, N, false, true),
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
	CALL(utime, CHANGE, N, 0, N, false, true),
	CALL(utimes, CHANGE, N, 0, N, false, true),
	TIMES(futimesat, 0, 1, N),
#endif
	CALL(connect, CONNECT, N, 1, 2, false, false),
	CALL(sendto, CONNECT, N, 4, 5, false, false),
	CALL(sendmsg, CONNECT, N, 1, N, true, false),
	CALL(sendmmsg, CONNECT, N, 1, 2, true, false),
	CALL(bind, LISTEN, N, 1, 2, false, false),
};
const size_t watched_count = sizeof(watched_calls) / sizeof(watched_calls[0]);

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

/* The directory that a relative name begins at, or what is open itself. */
static bool start_of(const struct pinfold_asked *asked, int directory, char room[PATH_MAX])
{
	auto_close int fd = asked_open(asked, directory);
	return fd >= 0 && name_of(fd, room);
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

static bool locate(const struct pinfold_asked *asked, char *path, bool follows, char room[PATH_MAX], bool *ret_there)
{
	auto_close int root = asked_open_root(asked);
	if (root < 0)
		return false;
	auto_close int fd = open_in(root, path, follows);
	*ret_there = fd >= 0;
	return fd >= 0 ? name_of(fd, room) : find_parent(root, path, room);
}

/* Where a name leads that is given as the command gave it; false where that is nowhere. */
static bool find(const struct pinfold_asked *asked, int directory, const char *named, bool follows, char room[PATH_MAX],
		 bool *ret_there)
{
	char whole[2 * PATH_MAX];
	bool relative = named[0] != '/';
	if (relative && !start_of(asked, directory, room))
		return false;
	snprintf(whole, sizeof(whole), "%s%s%s", relative ? room : "", relative ? "/" : "", named);
	return strlen(whole) < PATH_MAX && locate(asked, whole, follows, room, ret_there);
}

/* --- telling ------------------------------------------------------------------------------------------- */
/* Of an open. -1: only a place is opened, and nothing in it. */
static int kind_of_flags(uint64_t flags)
{
	if (flags & O_PATH)
		return -1;
	if (flags & O_CREAT)
		return WATCH_MAKE;
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC ? WATCH_WRITE : WATCH_READ;
}

struct teller {
	watch_tell *tell;
	void *context;
};

/* What was found may be another's where the call has gone meanwhile. */
static void say(const struct teller *teller, const struct pinfold_asked *asked, const struct attempt_seen *seen)
{
	if (asked_waits(asked))
		teller->tell(teller->context, seen);
}

/* -1: nothing that is looked at. */
static int kind_of(const struct watched_call *call, const struct pinfold_asked *asked, uint64_t *ret_flags)
{
	uint64_t flags = call->flags == NO_ARGUMENT ? 0 : asked->arguments[call->flags];
	if (call->structured && asked_read(asked, flags, &flags, sizeof(flags)) < 0)
		return -1;
	*ret_flags = flags;
	return call->flags == NO_ARGUMENT || call->kind == WATCH_CHANGE ? (int)call->kind : kind_of_flags(flags);
}

static void look_at_path(const struct watched_call *call, const struct pinfold_asked *asked, const struct teller *teller)
{
	char named[PATH_MAX] = "", target[PATH_MAX];
	uint64_t flags = 0;
	int kind = kind_of(call, asked, &flags);
	int directory = call->directory == NO_ARGUMENT ? AT_FDCWD : (int)asked->arguments[call->directory];
	struct attempt_seen seen = { .kind = (enum watch_kind)kind, .call = call->name, .target = target, .there = true };
	uint64_t at = call->path == NO_ARGUMENT ? 0 : asked->arguments[call->path];
	bool itself = call->path == NO_ARGUMENT || (call->bare && at == 0);
	if (kind < 0 || (!itself && asked_text(asked, at, named, sizeof(named)) < 0))
		return;
	itself |= !named[0] && flags & AT_EMPTY_PATH;
	bool follows = call->follows && !(flags & (call->kind == WATCH_CHANGE ? AT_SYMLINK_NOFOLLOW : O_NOFOLLOW));
	if (itself ? start_of(asked, directory, target) :
		     named[0] && find(asked, directory, named, follows, target, &seen.there))
		say(teller, asked, &seen);
}

/* An address in the command's memory. */
struct addressed {
	const struct watched_call *call;
	const struct pinfold_asked *asked;
	const struct teller *teller;
};

/* Whoever takes a name of the file system's makes it; one without is of nobody's but his own. */
static void look_at_unix(const struct addressed *by, const struct sockaddr_un *address, size_t bytes)
{
	char named[sizeof(address->sun_path) + 1] = "", target[PATH_MAX];
	bool taken = by->call->kind == WATCH_LISTEN;
	struct attempt_seen seen = {
		.kind = taken ? WATCH_MAKE : WATCH_CONNECT, .call = by->call->name, .target = target,
	};
	size_t length = bytes - offsetof(struct sockaddr_un, sun_path);
	if (bytes <= offsetof(struct sockaddr_un, sun_path))
		return;
	memcpy(named, address->sun_path, length);
	seen.abstract = named[0] == '\0';
	if (seen.abstract && taken)
		return;
	if (seen.abstract)
		snprintf(target, sizeof(target), "@%.*s", (int)length - 1, named + 1);
	if (seen.abstract || find(by->asked, AT_FDCWD, named, !taken, target, &seen.there))
		say(by->teller, by->asked, &seen);
}

/* Any address is this machine's own, for who connects. */
static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
	uint32_t four = ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr);
	if (address->ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(six))
		four = (uint32_t)six->s6_addr[12] << 24 | (uint32_t)six->s6_addr[13] << 16 | six->s6_addr[14] << 8 |
		       six->s6_addr[15];
	else if (address->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(six) || IN6_IS_ADDR_UNSPECIFIED(six);
	return four >> 24 == 127 || four == INADDR_ANY;
}

static void look_at_internet(const struct addressed *by, const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const void *)address;
	const struct sockaddr_in6 *six = (const void *)address;
	char text[INET6_ADDRSTRLEN] = "", target[INET6_ADDRSTRLEN + 16];
	bool is_four = address->ss_family == AF_INET;
	inet_ntop(address->ss_family, is_four ? (const void *)&four->sin_addr : (const void *)&six->sin6_addr, text,
		  sizeof(text));
	struct attempt_seen seen = {
		.kind = by->call->kind, .call = by->call->name, .target = target, .network = true,
		.port = ntohs(is_four ? four->sin_port : six->sin6_port),
		.loopback = is_loopback(address),
	};
	snprintf(target, sizeof(target), is_four ? "%s:%u" : "[%s]:%u", text, seen.port);
	say(by->teller, by->asked, &seen);
}

static void look_at_address(const struct addressed *by, uint64_t at, uint64_t length)
{
	struct sockaddr_storage address = { 0 };
	size_t bytes = length < sizeof(address) ? length : sizeof(address);
	if (at == 0 || bytes < sizeof(sa_family_t) || asked_read(by->asked, at, &address, bytes) < 0)
		return;
	if (address.ss_family == AF_UNIX && bytes <= sizeof(struct sockaddr_un))
		look_at_unix(by, (const void *)&address, bytes);
	else if ((address.ss_family == AF_INET && bytes >= sizeof(struct sockaddr_in)) ||
		 (address.ss_family == AF_INET6 && bytes >= sizeof(struct sockaddr_in6)))
		look_at_internet(by, &address);
}

/* One message, or of several so many as anybody sends at once. */
static void look_at_messages(const struct addressed *by)
{
	enum { MOST = 16 };
	bool several = by->call->flags != NO_ARGUMENT;
	size_t each = several ? sizeof(struct mmsghdr) : sizeof(struct msghdr);
	uint64_t count = several ? by->asked->arguments[by->call->flags] : 1;
	for (size_t i = 0; i < count && i < MOST; i++) {
		struct msghdr message;
		uint64_t at = by->asked->arguments[by->call->path] + i * each;
		if (asked_read(by->asked, at, &message, sizeof(message)) < 0)
			return;
		look_at_address(by, (uint64_t)(uintptr_t)message.msg_name, message.msg_namelen);
	}
}

static void look_at_addresses(const struct watched_call *call, const struct pinfold_asked *asked, const struct teller *teller)
{
	const struct addressed by = { call, asked, teller };
	if (call->structured)
		look_at_messages(&by);
	else
		look_at_address(&by, asked->arguments[call->path], asked->arguments[call->flags]);
}

bool watch_is_watched(int number)
{
	for (size_t i = 0; i < watched_count; i++)
		if (watched_calls[i].number == number)
			return true;
	return false;
}

void watch_look(const struct pinfold_asked *asked, watch_tell *tell, void *context)
{
	const struct teller teller = { tell, context };
	for (size_t i = 0; i < watched_count; i++) {
		if (watched_calls[i].number != asked->number)
			continue;
		if (watched_calls[i].kind == WATCH_CONNECT || watched_calls[i].kind == WATCH_LISTEN)
			look_at_addresses(&watched_calls[i], asked, &teller);
		else
			look_at_path(&watched_calls[i], asked, &teller);
	}
}
