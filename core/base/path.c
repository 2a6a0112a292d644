/* base/path.c - path names as text, and as the kernel resolves them. */
#include "base/path.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/stat.h>

bool path_is_within(const char *path, const char *base)
{
	size_t length = strlen(base);
	if (length > 0 && base[length - 1] == '/')
		length--;
	return strncmp(path, base, length) == 0 && (path[length] == '/' || path[length] == '\0');
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
	char link[64], path[PATH_MAX];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, sizeof(path) - 1);
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

char *path_home(void)
{
	const char *home = getenv("HOME");
	if (!home || home[0] != '/') {
		const struct passwd *user = getpwuid(geteuid());
		home = user ? user->pw_dir : NULL;
	}
	return home && home[0] == '/' ? realpath(home, NULL) : NULL;
}
