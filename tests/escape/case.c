/* escape/case.c - what attempts have: facts about what is attacked, and small operations that report an errno. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

const char *token = "none";
int unconfined, second;

/* The file `world` in the working directory has a line NAME=VALUE for each. */
const char *fact(const char *name)
{
	static char text[16384];
	static char found[16][512];
	static unsigned next;
	size_t length = strlen(name);
	if (!text[0]) {
		FILE *file = fopen("world", "re");
		if (!file || fread(text, 1, sizeof(text) - 1, file) == 0)
			fputs("the file `world` is not here\n", stderr);
		if (file)
			fclose(file);
	}
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (strncmp(line, name, length) == 0 && line[length] == '=') {
			char *value = found[next++ % 16];
			snprintf(value, sizeof(found[0]), "%.*s", (int)strcspn(line + length + 1, "\n"),
				 line + length + 1);
			return value;
		}
	return "";
}

long number(const char *name)
{
	return strtol(fact(name), NULL, 0);
}

static const char *lacking = "nothing was said";

long lack(const char *what)
{
	lacking = what;
	return UNAVAILABLE;
}

const char *lacked(void)
{
	return lacking;
}

const char *beside(const char *directory, const char *name)
{
	static char paths[16][1024];
	static unsigned next;
	char *path = paths[next++ % 16];
	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

long done(long result)
{
	return result < 0 ? -errno : 0;
}

long opened(int fd)
{
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

long put(int fd)
{
	if (fd < 0)
		return -errno;
	long result = done(write(fd, token, strlen(token)));
	close(fd);
	return result;
}

long make(const char *path)
{
	return put(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

void say(const void *bytes, size_t count)
{
	fflush(stdout);
	if (write(STDOUT_FILENO, bytes, count) < 0 || write(STDOUT_FILENO, "\n", 1) < 0)
		_exit(1);
}

long tell(const char *path)
{
	char bytes[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ssize_t got = read(fd, bytes, sizeof(bytes));
	long result = got > 0 ? 0 : got == 0 ? -ENODATA : -errno;
	close(fd);
	if (got > 0)
		say(bytes, (size_t)got);
	return result;
}

long connect_and_put(int family, int type, const void *address, unsigned length)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	struct timeval limit = { .tv_sec = 2 };
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, address, length) < 0) {
		long result = -errno;
		close(fd);
		return result;
	}
	return put(fd);
}

long put_to_path(int type, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (!path[0])
		return lack("there is no such service here");
	if (strlen(path) >= sizeof(address.sun_path))
		return lack("the path of the socket is too long for this directory");
	strcpy(address.sun_path, path);
	return connect_and_put(AF_UNIX, type, &address, sizeof(address));
}

long in_child(long (*attempt)(void))
{
	int ends[2], status;
	long result = -EINTR;
	if (pipe(ends) < 0)
		return -errno;
	pid_t child = fork();
	if (child == 0) {
		result = attempt();
		_exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &result, sizeof(result)) != sizeof(result))
		result = -EINTR;
	close(ends[0]);
	waitpid(child, &status, 0);
	return result;
}
