/* plugins/namespaces/below.c - what is mounted in a tree: an overlay on it would show an empty directory
 * there. */
#include "config.h"

#include "below.h"
#include "layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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

bool below_read_line(char *line, struct below_line *ret_line)
{
	char *rest = line, *fields[6] = { NULL };
	for (int i = 0; i < 6 && rest; i++)
		fields[i] = strsep(&rest, " ");
	char *type = rest ? strstr(rest, "- ") : NULL;
	if (!fields[5] || !type)
		return false;
	type += 2;
	type[strcspn(type, " ")] = '\0';
	unescape(fields[4]);
	*ret_line = (struct below_line){ strtoull(fields[0], NULL, 10), fields[4], type };
	return true;
}

const char *below_find(const struct pinfold_host *host, char *table, const char *tree)
{
	const char *first = NULL;
	unsigned count = 0;
	for (char *line; (line = strsep(&table, "\n"));) {
		struct below_line found;
		if (!below_read_line(line, &found) || !path_lies_in(found.point, tree))
			continue;
		if (count++ == 0)
			first = found.point;
	}
	if (count < 2)
		return first ? host->print(host, "%s", first) : NULL;
	return host->print(host, "%s and %u more", first, count - 1);
}

char *below_read_table(const struct pinfold_host *host, const char *path)
{
	size_t room = 16384, length = 0;
	ssize_t got = -1;
	char *text = host->allocate(host, room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (text && fd >= 0) {
		got = read(fd, text + length, room - length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
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
	char *table = below_read_table(host, "/proc/self/mountinfo");
	if (!table)
		return -1;
	*ret_named = below_find(host, table, tree);
	return 0;
}
