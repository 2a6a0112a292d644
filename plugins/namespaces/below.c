/* plugins/namespaces/below.c - what is mounted in a tree: an overlay on it would show an empty directory
 * there. */
#include "config.h"

#include "below.h"
#include "layout.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A byte that would end a field is written as a backslash and three octal digits. */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; to++) {
		bool escaped = from[0] == '\\' && strspn(from + 1, "01234567") >= 3;
		*to = escaped ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0')) : *from;
		from += escaped ? 4 : 1;
	}
	*to = '\0';
}

/* The fifth field of one line, or NULL. */
static char *point_in_line(char *line)
{
	char *rest = line, *field = NULL;
	for (int i = 0; i < 5 && rest; i++)
		field = strsep(&rest, " ");
	if (!field || !rest)
		return NULL;
	unescape(field);
	return field;
}

const char *below_find(const struct pinfold_host *host, char *table, const char *tree)
{
	const char *first = NULL;
	unsigned count = 0;
	for (char *line; (line = strsep(&table, "\n"));) {
		const char *point = point_in_line(line);
		if (!point || !path_lies_in(point, tree))
			continue;
		if (count++ == 0)
			first = point;
	}
	if (count < 2)
		return first ? host->print(host, "%s", first) : NULL;
	return host->print(host, "%s and %u more", first, count - 1);
}

/* The whole of a file of the kernel's, or NULL. */
static char *read_table(const struct pinfold_host *host, const char *path)
{
	size_t room = 8192, length = 0;
	ssize_t got = -1;
	char *text = host->allocate(host, room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (text && fd >= 0 && (got = read(fd, text + length, room - length - 1)) > 0) {
		length += (size_t)got;
		if (room - length > 4096)
			continue;
		char *larger = host->allocate(host, room *= 2);
		if (larger)
			memcpy(larger, text, length);
		text = larger;
	}
	if (fd >= 0)
		close(fd);
	return got == 0 ? text : NULL;
}

int below_look(const struct pinfold_host *host, const char *tree, const char **ret_named)
{
	char *table = read_table(host, "/proc/self/mountinfo");
	if (!table)
		return -1;
	*ret_named = below_find(host, table, tree);
	return 0;
}
