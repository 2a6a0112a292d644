/* report/content.c - what is in a file, as far as it is to be shown. */
#include "config.h"

#include "report/content.h"

#include "base/fd.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int content_read(int fd, uint64_t most, struct content *ret_content)
{
	struct content content = { .kind = CONTENT_LARGE };
	struct stat status;
	if (fstat(fd, &status) < 0)
		return -1;
	if (!S_ISREG(status.st_mode)) {
		errno = ESTALE;
		return -1;
	}
	if ((uint64_t)status.st_size <= most) {
		if (fd_read_all(fd, (size_t)most, &content.data, &content.bytes) == 0)
			content.kind = memchr(content.data, '\0', content.bytes) ? CONTENT_BINARY : CONTENT_TEXT;
		else if (errno != EFBIG)
			return -1;
	}
	*ret_content = content;
	return 0;
}

int content_read_link(int dir, const char *name, struct content *ret_content)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(dir, name, target, sizeof(target));
	char *data = length < 0 ? NULL : strndup(target, (size_t)length);
	if (!data)
		return -1;
	*ret_content = (struct content){ .kind = CONTENT_TEXT, .data = data, .bytes = (size_t)length };
	return 0;
}

void content_release(struct content *content)
{
	free(content->data);
	*content = (struct content){ 0 };
}
