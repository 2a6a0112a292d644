/* face/streams.c - the descriptors that the command gets. */
#include "config.h"

#include "face/streams.h"

#include "base/cleanup.h"
#include "base/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static const char *stream_name(int number)
{
	static const char *const names[] = { "standard input", "standard output",
					     "standard error" };
	return number < 3 ? names[number] : "a descriptor that is handed over";
}

/* Opens /dev/null above the standard numbers, and occupies those of them that are closed. */
static int open_null(struct streams *streams, struct pinfold_error *err)
{
	for (;;) {
		int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return fault(err, PINFOLD_E_SYSTEM, errno, "open /dev/null",
				     "in place of a closed standard stream",
				     "check /dev on this machine, and the limit of open files");
		if (fd > 2) {
			streams->null = fd;
			return 0;
		}
		streams->held[fd] = fd;
	}
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int check(int fd, int number, bool confined, struct pinfold_error *err)
{
	struct stat about;
	if (fstat(fd, &about) < 0)
		return faultf(err, PINFOLD_E_USAGE, errno, "hand over a descriptor",
			      "open it first, or leave it out", "%s: %d", stream_name(number), fd);
	if (confined && S_ISDIR(about.st_mode))
		return faultf(err, PINFOLD_E_POLICY, EISDIR, "hand over a directory",
			      "redirect it from a file or /dev/null: through a directory the command "
			      "would reach the host's files", "%s", stream_name(number));
	return 0;
}

int streams_open(const int wanted[3], bool input_null, bool confined, struct streams *ret_streams,
		 struct pinfold_error *err)
{
	struct streams streams = { .null = -1, .held = { -1, -1, -1 } };
	bool closed = false;
	for (int i = 0; i < 3; i++)
		closed = closed || !is_open(i);
	int result = closed || input_null ? open_null(&streams, err) : 0;
	for (int i = 0; result == 0 && i < 3; i++) {
		int fd = wanted[i] >= 0 ? wanted[i] : i;
		bool none = (i == 0 && input_null) || (fd < 3 && streams.held[fd] == fd);
		streams.given[i] = none ? streams.null : fd;
		result = check(streams.given[i], i, confined, err);
	}
	if (result < 0) {
		streams_release(&streams);
		return -1;
	}
	*ret_streams = streams;
	return 0;
}

static size_t kept_count(const struct streams *streams)
{
	size_t count = 0;
	while (streams->kept && streams->kept[count] >= 0)
		count++;
	return count;
}

bool streams_keeps(const struct streams *streams, int fd)
{
	for (size_t i = 0; i < kept_count(streams); i++)
		if (streams->kept[i] == fd)
			return true;
	return false;
}

int streams_keep(struct streams *streams, int fd, bool confined, struct pinfold_error *err)
{
	if (fd < 3)
		return faultf(err, PINFOLD_E_USAGE, 0, "hand over a descriptor",
			      "name descriptors from 3 on: 0, 1 and 2 are handed over anyway",
			      "%d", fd);
	if (check(fd, 3, confined, err) < 0)
		return -1;
	if (streams_keeps(streams, fd))
		return 0;
	size_t count = kept_count(streams);
	int *kept = realloc(streams->kept, (count + 2) * sizeof(*kept));
	if (!kept)
		return fault_no_memory(err);
	kept[count] = fd;
	kept[count + 1] = -1;
	streams->kept = kept;
	return 0;
}

void streams_release(struct streams *streams)
{
	cleanup_fd(&streams->null);
	for (int i = 0; i < 3; i++)
		cleanup_fd(&streams->held[i]);
	free(streams->kept);
	*streams = (struct streams){ .null = -1, .held = { -1, -1, -1 } };
}
