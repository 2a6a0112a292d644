/* tests/policy_property/try.c - every operation on every thing, by real system calls, leaving all as it was. */
#include "config.h"

#include "property.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Of a file its content, of a directory its mark: what is laid over it has neither. */
static bool reads_file(const char *path)
{
	char text[16] = "";
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	return got > 0;
}

/* Without a byte of the heap: this may be a child of a process with threads, which fork leaves as it is. */
static bool lists(const char *path)
{
	_Alignas(struct dirent64) char room[4096];
	bool found = false;
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && (got = getdents64(fd, room, sizeof(room))) > 0) {
		const struct dirent64 *entry;
		for (ssize_t at = 0; at < got; at += entry->d_reclen) {
			entry = (const struct dirent64 *)(const void *)(room + at);
			found = found || strcmp(entry->d_name, "mark") == 0;
		}
	}
	if (fd >= 0)
		close(fd);
	return found;
}

static bool makes(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	close(fd);
	return unlink(path) == 0;
}

static bool writes(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool replaces(const char *path)
{
	char other[200];
	snprintf(other, sizeof(other), "%s~", path);
	return rename(path, other) == 0 && rename(other, path) == 0;
}

/* What is in the file is no program: whoever may execute it is told so. */
static bool executes(const char *path)
{
	char *const argv[] = { (char *)path, NULL };
	char *const envp[] = { NULL };
	return execve(path, argv, envp) < 0 && errno == ENOEXEC;
}

static bool connects(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	memcpy(address.sun_path, path, strlen(path) + 1);
	int result = connect(fd, (struct sockaddr *)&address, sizeof(address));
	close(fd);
	return result == 0;
}

static uint8_t outcome(bool allowed)
{
	return allowed ? OUTCOME_ALLOWED : OUTCOME_DENIED;
}

static void try_thing(const struct property_thing *thing, uint8_t *outcomes)
{
	const char *path = thing->path;
	switch (thing->kind) {
	case THING_DIRECTORY:
		outcomes[MODEL_READ] = outcome(lists(path));
		outcomes[MODEL_REPLACE] = outcome(replaces(path));
		break;
	case THING_FILE:
		outcomes[MODEL_READ] = outcome(reads_file(path));
		outcomes[MODEL_WRITE] = outcome(writes(path));
		outcomes[MODEL_EXECUTE] = outcome(executes(path));
		outcomes[MODEL_REPLACE] = outcome(replaces(path));
		break;
	case THING_SOCKET:
		outcomes[MODEL_CONNECT] = outcome(connects(path));
		break;
	case THING_NOTHING:
		outcomes[MODEL_WRITE] = outcome(makes(path));
		break;
	}
}

long property_try(void *property_case)
{
	struct property_case *tried = property_case;
	for (size_t i = 0; i < tried->world->count; i++)
		try_thing(&tried->world->things[i], tried->outcomes[i]);
	return 0;
}
