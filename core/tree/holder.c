/* tree/holder.c - who holds a lock, for a person who waits for it. */
#include "config.h"

#include "tree/holder.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { SHOWN_MOST = 100 };

/* The kernel's list of locks names the process that took each; one of another namespace of processes has no
 * number here. 0 where there is none. */
static unsigned long find_process(const struct stat *lock)
{
	char line[256];
	unsigned long found = 0;
	FILE *locks = fopen("/proc/locks", "re");
	while (locks && !found && fgets(line, sizeof(line), locks)) {
		unsigned long process, inode;
		unsigned device_major, device_minor;
		if (sscanf(line, "%*u: FLOCK %*s %*s %lu %x:%x:%lu", &process, &device_major, &device_minor,
			   &inode) == 4 &&
		    inode == lock->st_ino && device_major == major(lock->st_dev) &&
		    device_minor == minor(lock->st_dev))
			found = process;
	}
	if (locks)
		fclose(locks);
	return found;
}

static void add_command(struct text *text, unsigned long process)
{
	char name[64], words[SHOWN_MOST + 1];
	snprintf(name, sizeof(name), "/proc/%lu/cmdline", process);
	auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -1 : read(fd, words, SHOWN_MOST);
	if (bytes <= 0)
		return;
	for (ssize_t i = 0; i < bytes - 1; i++)
		words[i] = words[i] ? words[i] : ' ';
	words[bytes] = '\0';
	text_addf(text, " (%s%s)", words, bytes == SHOWN_MOST ? "..." : "");
}

char *holder_of(int root, const char *place)
{
	struct stat lock;
	struct text path = { 0 }, text = { 0 };
	text_addf(&path, "%s/lock", place);
	bool known = !path.failed && fstatat(root, path.data, &lock, AT_SYMLINK_NOFOLLOW) == 0;
	unsigned long process = known ? find_process(&lock) : 0;
	text_release(&path);
	if (process == 0)
		return NULL;
	text_addf(&text, "process %lu", process);
	add_command(&text, process);
	return text_take(&text);
}
