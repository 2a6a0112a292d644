/* macos/caller.c - what of the caller decides about an offer. */
#include "config.h"

#include "arms/caller.h"

#include <sys/sysctl.h>

void caller_add(struct text *stamp)
{
	struct stat root;
	char build[64] = "";
	size_t bytes = sizeof(build) - 1;
	if (stat("/", &root) < 0)
		root = (struct stat){ 0 };
	sysctlbyname("kern.osversion", build, &bytes, NULL, 0);
	text_addf(stamp, "/ %llu:%llu\n", (unsigned long long)root.st_dev, (unsigned long long)root.st_ino);
	text_addf(stamp, "users %u %u, build %s\n", (unsigned)getuid(), (unsigned)getgid(), build);
}
