/* base/path.c - path names as text, and as the kernel resolves them. */
#include "config.h"

#include "base/path.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

const char *path_below(const char *path, const char *base)
{
	size_t length = strlen(base);
	if (length > 0 && base[length - 1] == '/')
		length--;
	if (strncmp(path, base, length) != 0 || (path[length] != '/' && path[length] != '\0'))
		return NULL;
	return path + length + (path[length] == '/');
}

bool path_is_within(const char *path, const char *base)
{
	return path_below(path, base) != NULL;
}

char *path_join(const char *base, const char *rest)
{
	struct text text = { 0 };
	text_add(&text, base);
	if (!ends_with(base, "/"))
		text_add(&text, "/");
	text_add(&text, rest);
	return text_take(&text);
}

int path_of_fd(int fd, char **ret_path)
{
	char path[PATH_MAX];
	ssize_t length = fd_name(fd, path, sizeof(path) - 1);
	if (length < 0)
		return -1;
	path[length] = '\0';
	struct stat named, held;
	if (path[0] != '/' || fstat(fd, &held) < 0 || lstat(path, &named) < 0 ||
	    named.st_dev != held.st_dev || named.st_ino != held.st_ino) {
		errno = ENOENT;
		return -1;
	}
	char *copy = strdup(path);
	if (!copy)
		return -1;
	*ret_path = copy;
	return 0;
}

/* Is there nothing in it but a link that would make it another: no empty part, no "." and no ".."? */
static bool is_plain(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *part = path; part; part = strchr(part, '/')) {
		size_t dots = strspn(++part, ".");
		if (dots <= 2 && (part[dots] == '/' || part[dots] == '\0'))
			return false;
	}
	return true;
}

char *path_canonical(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	auto_close int fd = is_plain(path) ?
				    (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)) : -1;
	return fd >= 0 ? strdup(path) : realpath(path, NULL);
}

char *path_home(void)
{
	const char *home = getenv("HOME");
	if (!home || home[0] != '/') {
		const struct passwd *user = getpwuid(geteuid());
		home = user ? user->pw_dir : NULL;
	}
	return home && home[0] == '/' ? path_canonical(home) : NULL;
}
