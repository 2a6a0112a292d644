/* macos/asked.c - no call of a command's waits for an answer here: the kernel asks nobody. */
#include "config.h"

#include "base/asked.h"

#include <errno.h>

int asked_waits(const struct pinfold_asked *asked)
{
	(void)asked;
	return 0;
}

int asked_read(const struct pinfold_asked *asked, uint64_t at, void *room, size_t bytes)
{
	(void)asked;
	(void)at;
	(void)room;
	(void)bytes;
	return -ENOSYS;
}

int asked_text(const struct pinfold_asked *asked, uint64_t at, char *room, size_t bytes)
{
	return asked_read(asked, at, room, bytes);
}

int asked_open(const struct pinfold_asked *asked, int number)
{
	(void)asked;
	(void)number;
	return -ENOSYS;
}

const char *asked_trouble(bool bare)
{
	(void)bare;
	return "macOS asks nobody of a command's calls";
}

int asked_is_possible(const struct pinfold_host *host)
{
	(void)host;
	return 0;
}
