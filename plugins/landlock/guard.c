/* plugins/landlock/guard.c - one change of a file's attributes: what it is about, whether it lies where the
 * command may write, and doing it. Everything asked comes from the command and is believed in nothing. */
#include "config.h"

#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

enum kind { KIND_MODE, KIND_OWNER, KIND_UTIME, KIND_UTIMES, KIND_UTIMENSAT, KIND_SET, KIND_REMOVE };

enum { NONE = -1 };

/* Which argument is what. */
struct row {
	long call;
	enum kind kind;
	int base, path, flags;
	int first;	/* of what is to be set */
	bool link;	/* a link itself is meant */
};

static const struct row rows[] = {
#ifdef SYS_chmod
	{ SYS_chmod, KIND_MODE, NONE, 0, NONE, 1, false },
	{ SYS_chown, KIND_OWNER, NONE, 0, NONE, 1, false },
	{ SYS_lchown, KIND_OWNER, NONE, 0, NONE, 1, true },
	{ SYS_utime, KIND_UTIME, NONE, 0, NONE, 1, false },
	{ SYS_utimes, KIND_UTIMES, NONE, 0, NONE, 1, false },
	{ SYS_futimesat, KIND_UTIMES, 0, 1, NONE, 2, false },
#endif
	{ SYS_fchmod, KIND_MODE, 0, NONE, NONE, 1, false },
	{ SYS_fchmodat, KIND_MODE, 0, 1, NONE, 2, false },
	{ SYS_fchmodat2, KIND_MODE, 0, 1, 3, 2, false },
	{ SYS_fchown, KIND_OWNER, 0, NONE, NONE, 1, false },
	{ SYS_fchownat, KIND_OWNER, 0, 1, 4, 2, false },
	{ SYS_utimensat, KIND_UTIMENSAT, 0, 1, 3, 2, false },
	{ SYS_setxattr, KIND_SET, NONE, 0, NONE, 1, false },
	{ SYS_lsetxattr, KIND_SET, NONE, 0, NONE, 1, true },
	{ SYS_fsetxattr, KIND_SET, 0, NONE, NONE, 1, false },
	{ SYS_removexattr, KIND_REMOVE, NONE, 0, NONE, 1, false },
	{ SYS_lremovexattr, KIND_REMOVE, NONE, 0, NONE, 1, true },
	{ SYS_fremovexattr, KIND_REMOVE, 0, NONE, NONE, 1, false },
};

/* Which of these this processor has. */
const int32_t guard_calls[] = {
#ifdef SYS_chmod
	SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
	SYS_fchmod, SYS_fchmodat, SYS_fchmodat2, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
	SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
};
const size_t guard_call_count = sizeof(guard_calls) / sizeof(guard_calls[0]);
_Static_assert(sizeof(guard_calls) / sizeof(guard_calls[0]) == sizeof(rows) / sizeof(rows[0]), "each call has a row");

/* One call of the command's that waits. */
struct question {
	const struct pinfold_host *host;
	const struct guard *guard;
	const struct pinfold_asked *asked;
};

static const struct row *find_row(long call)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].call == call)
			return &rows[i];
	return NULL;
}

/* --- what it is about --------------------------------------------------------------------------------- */

/* What names the asking process by "self" must not mean this one. */
static void name_asker(const struct question *question, char *path, size_t room)
{
	static const struct { const char *own, *part; } names[] = {
		{ "/proc/self/", "" }, { "/proc/thread-self/", "" }, { "/dev/fd/", "fd/" },
	};
	char named[PATH_MAX];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i].own);
		if (strncmp(path, names[i].own, length) != 0)
			continue;
		int written = snprintf(named, sizeof(named), "/proc/%u/%s%s", question->asked->process, names[i].part,
				       path + length);
		if (written > 0 && (size_t)written < room && (size_t)written < sizeof(named))
			memcpy(path, named, (size_t)written + 1);
		return;
	}
}

/* A descriptor of the asking process, by its name and by nothing on the way that is a link of the command's: such
 * a link to "self" would mean this process, and its descriptors. */
static bool is_askers_descriptor(const struct question *question, const char *path)
{
	char own[64];
	size_t length = (size_t)snprintf(own, sizeof(own), "/proc/%u/fd/", question->asked->process);
	return strncmp(path, own, length) == 0 && path[length] && !path[length + strspn(path + length, "0123456789")];
}

static int open_named(const struct question *question, int base, const char *path, bool link)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | (link ? O_NOFOLLOW : 0),
		.resolve = is_askers_descriptor(question, path) ? 0 : RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
	return fd < 0 ? (errno == ELOOP ? -EPERM : -errno) : fd;
}

static int open_path(const struct question *question, const struct row *row, unsigned flags)
{
	const uint64_t *arguments = question->asked->arguments;
	int number = row->base == NONE ? AT_FDCWD : (int)arguments[row->base];
	char path[PATH_MAX];
	int result = question->host->asked_text(question->asked, arguments[row->path], path, sizeof(path));
	if (result < 0)
		return result;
	if (path[0] == '\0')
		return flags & AT_EMPTY_PATH ? question->host->asked_open(question->asked, number) : -ENOENT;
	name_asker(question, path, sizeof(path));
	int base = path[0] == '/' ? AT_FDCWD : question->host->asked_open(question->asked, number);
	if (base < 0 && base != AT_FDCWD)
		return base == -EACCES ? -EPERM : base;
	bool link = row->link || flags & AT_SYMLINK_NOFOLLOW;
	result = open_named(question, base, path, link);
	if (base >= 0)
		close(base);
	return result;
}

static int open_asked(const struct question *question, const struct row *row)
{
	const uint64_t *arguments = question->asked->arguments;
	unsigned flags = row->flags == NONE ? 0 : (unsigned)arguments[row->flags];
	if (flags & ~(unsigned)(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW))
		return -EINVAL;
	/* utimensat and futimesat mean the descriptor itself where there is no path. */
	if (row->path == NONE || (row->kind != KIND_SET && row->base != NONE && arguments[row->path] == 0 &&
				  (row->kind == KIND_UTIMENSAT || row->kind == KIND_UTIMES)))
		return question->host->asked_open(question->asked, (int)arguments[row->base]);
	return open_path(question, row, flags);
}

/* --- whether it may be -------------------------------------------------------------------------------- */

static bool is_under(const char *path, const char *root)
{
	size_t length = strlen(root);
	return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* A file without a name is nobody else's, and a pipe or a socket has no name to be found by. */
static bool is_nameless(int fd, const char *path)
{
	struct stat status;
	return path[0] != '/' || (fstat(fd, &status) == 0 && status.st_nlink == 0 && !S_ISDIR(status.st_mode));
}

static int check_place(const struct question *question, int fd, const char *link)
{
	char path[PATH_MAX];
	ssize_t length = readlink(link, path, sizeof(path) - 1);
	if (length < 0 || length == sizeof(path) - 1)
		return -EPERM;
	path[length] = '\0';
	for (size_t i = 0; i < question->guard->root_count; i++)
		if (is_under(path, question->guard->roots[i]))
			return 0;
	return is_nameless(fd, path) ? 0 : -EPERM;
}

/* --- doing it ------------------------------------------------------------------------------------------ */

static int told(int result)
{
	return result < 0 ? -errno : 0;
}

static int set_times(int fd, const char *link, const struct timespec *times)
{
	int result = utimensat(fd, "", times, AT_EMPTY_PATH);
	if (result < 0 && errno == EINVAL)	/* a kernel that knows no empty path here */
		result = utimensat(AT_FDCWD, link, times, 0);
	return told(result);
}

static int do_times(const struct question *question, const struct row *row, int fd, const char *link)
{
	uint64_t from = question->asked->arguments[row->first];
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_nsec = UTIME_NOW } };
	struct timeval coarse[2] = { { 0 } };
	struct utimbuf whole = { 0 };
	if (from == 0)
		return set_times(fd, link, NULL);
	if (row->kind == KIND_UTIMENSAT && question->host->asked_read(question->asked, from, times, sizeof(times)) < 0)
		return -EFAULT;
	if (row->kind == KIND_UTIMES && question->host->asked_read(question->asked, from, coarse, sizeof(coarse)) < 0)
		return -EFAULT;
	if (row->kind == KIND_UTIME && question->host->asked_read(question->asked, from, &whole, sizeof(whole)) < 0)
		return -EFAULT;
	for (int i = 0; i < 2; i++) {
		if (row->kind == KIND_UTIMES && (coarse[i].tv_usec < 0 || coarse[i].tv_usec >= 1000000))
			return -EINVAL;
		if (row->kind == KIND_UTIMES)
			times[i] = (struct timespec){ coarse[i].tv_sec, coarse[i].tv_usec * 1000 };
		if (row->kind == KIND_UTIME)
			times[i] = (struct timespec){ i == 0 ? whole.actime : whole.modtime, 0 };
	}
	return set_times(fd, link, times);
}

static int do_set(const struct question *question, const char *link, const char *name, const uint64_t *rest)
{
	char *value = rest[1] ? malloc(rest[1]) : NULL;
	int result = -ENOMEM;
	if (value || rest[1] == 0)
		result = rest[1] ? question->host->asked_read(question->asked, rest[0], value, rest[1]) : 0;
	if (result == 0)
		result = told(setxattr(link, name, value, rest[1], (int)rest[2]));
	free(value);
	return result;
}

static int do_attribute(const struct question *question, const struct row *row, const char *link)
{
	const uint64_t *arguments = question->asked->arguments + row->first;
	char name[XATTR_NAME_MAX + 2];
	int result = question->host->asked_text(question->asked, arguments[0], name, sizeof(name));
	if (result < 0)
		return result == -ENAMETOOLONG ? -ERANGE : result;
	if (row->kind == KIND_REMOVE)
		return told(removexattr(link, name));
	return arguments[2] > XATTR_SIZE_MAX ? -E2BIG : do_set(question, link, name, arguments + 1);
}

static int act(const struct question *question, const struct row *row, int fd, const char *link)
{
	const uint64_t *arguments = question->asked->arguments;
	switch (row->kind) {
	case KIND_MODE:
		return told(chmod(link, (mode_t)arguments[row->first] & 07777));
	case KIND_OWNER:
		return told(fchownat(fd, "", (uid_t)arguments[row->first], (gid_t)arguments[row->first + 1],
				     AT_EMPTY_PATH));
	case KIND_SET:
	case KIND_REMOVE:
		return do_attribute(question, row, link);
	default:
		return do_times(question, row, fd, link);
	}
}

int guard_answer(const struct pinfold_plan *plan, const struct pinfold_asked *asked)
{
	const struct state *state = plan->state;
	const struct question question = { plan->host, &state->guard, asked };
	const struct row *row = find_row(asked->number);
	char link[40];
	if (!row)
		return -ENOSYS;
	int fd = open_asked(&question, row);
	if (fd < 0)
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	int result = check_place(&question, fd, link);
	if (result == 0 && !plan->host->asked_waits(asked))
		result = -ENOENT;
	if (result == 0)
		result = act(&question, row, fd, link);
	close(fd);
	return result;
}
