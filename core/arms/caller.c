/* arms/caller.c - what of the caller decides about an offer. */
#include "config.h"

#include "arms/caller.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void add_root(struct text *stamp)
{
	struct stat status;
	if (stat("/", &status) < 0)
		text_add(stamp, "/ none\n");
	else
		text_addf(stamp, "/ %llu:%llu\n", (unsigned long long)status.st_dev,
			  (unsigned long long)status.st_ino);
}

/* "user:[4026531837]": a name says which it is without the kernel's having to open it. */
static void add_space(struct text *stamp, int directory, const char *name)
{
	char space[64];
	ssize_t length = readlinkat(directory, name, space, sizeof(space));
	text_add(stamp, name);
	text_add(stamp, " ");
	text_add_bytes(stamp, space, length < 0 ? 0 : (size_t)length);
	text_add(stamp, "\n");
}

/* What confines the caller itself, or lets it confine others. */
void caller_add(struct text *stamp)
{
	static const char *const spaces[] = { "user", "mnt", "pid", "net" };
	auto_close int directory = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };
	for (size_t i = 0; i < N_ELEMENTS(spaces); i++)
		add_space(stamp, directory, spaces[i]);
	add_root(stamp);
	syscall(SYS_capget, &head, caps);
	text_addf(stamp, "users %u %u, no new privileges %d, seccomp %d, capabilities %x %x\n",
		  (unsigned)getuid(), (unsigned)getgid(), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
		  prctl(PR_GET_SECCOMP, 0, 0, 0, 0), caps[0].effective, caps[1].effective);
}
