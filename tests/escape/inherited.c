/* escape/inherited.c - descriptors and directories that the caller had open. */
#include "config.h"

#include "case.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long make_in_directory(void)
{
	return put(openat(9, token, O_CREAT | O_WRONLY, 0600));
}

static long write_to_file(void)
{
	return done(write(8, token, 8));
}

static long walk_from_directory(void)
{
	return put(openat(9, beside("../outside", token), O_CREAT | O_WRONLY, 0600));
}

static long go_there(void)
{
	if (fchdir(9) < 0)
		return -errno;
	return put(open(token, O_CREAT | O_WRONLY, 0600));
}

/* Whatever is open beyond the streams and can be written beneath. */
static long find_a_directory(void)
{
	long result = -EBADF;
	for (int fd = 3; fd < 1024 && result != 0; fd++) {
		struct stat status;
		if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
			result = put(openat(fd, token, O_CREAT | O_WRONLY, 0600));
	}
	return result;
}

static long make_beside_input(void)
{
	return put(openat(0, token, O_CREAT | O_WRONLY, 0600));
}

static long walk_from_input(void)
{
	return put(open(beside("/proc/self/fd/0/../outside", token), O_CREAT | O_WRONLY, 0600));
}

static long write_to_input(void)
{
	return put(open("/proc/self/fd/0", O_WRONLY));
}

static long truncate_input(void)
{
	return opened(open("/dev/stdin", O_WRONLY | O_TRUNC));
}

static long look_at_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	long result = -EBADF;
	if (!directory)
		return -errno;
	for (struct dirent *entry; (entry = readdir(directory));)
		if (atoi(entry->d_name) > 2 && atoi(entry->d_name) != dirfd(directory))
			result = 0;
	closedir(directory);
	return result;
}

static const struct row rows[] = {
	{ "inherited-directory", "writes", DESCRIPTORS, make_in_directory, &writes_in_the_tree,
	  "a directory that the caller had open is a way around every mount", "seen with bubblewrap 0.8" },
	{ "inherited-file", "writes", DESCRIPTORS, write_to_file, &writes_in_the_tree,
	  "a file that the caller had open for writing", "seen with bubblewrap 0.8" },
	{ "inherited-directory-upwards", "writes", DESCRIPTORS, walk_from_directory, &writes_in_the_tree,
	  "`..` of an inherited directory leads up the host's tree", "CVE-2024-21626" },
	{ "inherited-working-directory", "writes", DESCRIPTORS, go_there, &writes_in_the_tree,
	  "fchdir() to an inherited directory makes every relative path the host's", "CVE-2024-21626, GHSA-xr7r-f8xq-vfvv" },
	{ "any-inherited-directory", "writes", DESCRIPTORS, find_a_directory, &writes_in_the_tree,
	  "every descriptor from 3 to 1023 is tried as a directory of the host's, pinfold's own among them", "CVE-2024-21626" },
	{ "descriptors-left-open", "writes", DESCRIPTORS | BY_WORD, look_at_descriptors, &writes_in_the_tree,
	  "/proc/self/fd names a descriptor beyond the streams", "CVE-2024-21626" },
	{ "input-is-a-directory", "writes", DESCRIPTORS | STDIN_DIRECTORY | WHOLE, make_beside_input, &writes_in_the_tree,
	  "standard input is a directory of the host's", "seen with bubblewrap 0.8" },
	{ "input-leads-upwards", "writes", DESCRIPTORS | STDIN_DIRECTORY | WHOLE, walk_from_input, &writes_in_the_tree,
	  "/proc/self/fd/0/.. walks the host", "seen with bubblewrap 0.8" },
	{ "directory-handed-over", "writes", DESCRIPTORS | KEEP_DIRECTORY | WHOLE, make_in_directory, &writes_in_the_tree,
	  "a directory among the descriptors that are to be handed over", "CVE-2024-21626" },
	{ "input-opened-for-writing", "writes", STDIN_FILE | WHOLE, write_to_input, &reads_its_input,
	  "a file that standard input reads is opened again for writing through /proc/self/fd", "magic links, proc(5)" },
	{ "input-truncated", "writes", STDIN_FILE | WHOLE, truncate_input, &reads_its_input,
	  "/dev/stdin opened with O_TRUNC empties the file that it reads", "magic links, proc(5)" },
};
const struct class inherited_class = CLASS("inherited descriptors and directories", rows);
