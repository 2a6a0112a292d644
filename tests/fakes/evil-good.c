/* fakes/evil-good.c - a module called `good` where none may be taken from: loading it is a crime that
 * it confesses. */
#define FAKE_NAME "good"
#include "fake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void confess(void)
{
	const char *file = getenv("PINFOLD_TEST_CONFESSION");
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd >= 0)
		close(fd);
}
