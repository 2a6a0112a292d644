/* wrappers/sight.c - files as the command will see them, looked at from outside. */
#include "config.h"

#include "wrappers/sight.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/path.h"
#include "wrappers/fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* Where what lies below `from` would lie below `base`. */
static char *move(const char *from, const char *base, const char *path)
{
	const char *rest = path + strlen(from);
	return path_join(base, rest[0] == '/' ? rest + 1 : ".");
}

/* The layer that a path is seen through: what it lies over, and its upper directory; NULL for none. */
static const char *layer_over(const struct sight *sight, const char *path, const char **ret_upper)
{
	const char *over = NULL;
	if (path_is_within(path, sight->tree)) {
		*ret_upper = sight->upper;
		return sight->upper ? sight->tree : NULL;
	}
	for (size_t i = 0; i < sight->layer_count; i++) {
		const struct sight_layer *layer = &sight->layers[i];
		if (!path_is_within(path, layer->path) || (over && strlen(over) >= strlen(layer->path)))
			continue;
		over = layer->path;
		*ret_upper = layer->upper;
	}
	return over;
}

/* A name only: no device is opened and no FIFO waited for. */
static int open_at(const char *path)
{
	return path ? open(path, O_PATH | O_CLOEXEC) : -1;
}

/* What a layer has instead of a file that was removed. */
static bool is_removed(const struct stat *status)
{
	return S_ISCHR(status->st_mode) && status->st_rdev == 0;
}

/* A descriptor of what the command will find there, or -1 with errno. */
static int find(const struct sight *sight, const char *path, struct stat *ret_status)
{
	const char *upper, *over = layer_over(sight, path, &upper);
	if (over) {
		auto_free char *above = move(over, upper, path);
		auto_close int fd = open_at(above);
		if (fd >= 0 && fstat(fd, ret_status) == 0) {
			errno = ENOENT;
			return is_removed(ret_status) ? -1 : take_fd(&fd);
		}
	}
	bool inside = path_is_within(path, sight->tree);
	auto_free char *below = inside ? move(sight->tree, sight->source, path) : NULL;
	auto_close int fd = open_at(inside ? below : path);
	return fd >= 0 && fstat(fd, ret_status) == 0 ? take_fd(&fd) : -1;
}

static bool is_absence(int why)
{
	return why == ENOENT || why == ENOTDIR;
}

enum sight_found sight_read(const struct sight *sight, const char *path, char **ret_content)
{
	struct stat status;
	size_t bytes;
	auto_close int found = find(sight, path, &status);
	if (found < 0)
		return is_absence(errno) ? SIGHT_ABSENT : SIGHT_UNREADABLE;
	auto_close int fd = S_ISREG(status.st_mode) && status.st_size <= SIGHT_MOST ?
				 fd_reopen(found, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	return fd >= 0 && fd_read_all(fd, SIGHT_MOST, ret_content, &bytes) == 0 ? SIGHT_READ :
										   SIGHT_UNREADABLE;
}

void sight_add_name(const struct sight *sight, const char *path, struct text *text)
{
	if (path_is_within(path, sight->tree))
		text_addf(text, "tree:%s\n", path + strlen(sight->tree));
	else
		text_addf(text, "%s\n", path);
}

/* A copy's file is another one each time, with the same content. */
static bool add_content(const struct sight *sight, const char *path, struct text *text)
{
	char digest[FINGERPRINT_ROOM];
	auto_free char *content = NULL;
	if (!path_is_within(path, sight->tree) || sight_read(sight, path, &content) != SIGHT_READ)
		return false;
	fingerprint_of(content, strlen(content), digest);
	text_addf(text, "%s\n", digest);
	return true;
}

void sight_identify(const struct sight *sight, const char *path, struct text *text)
{
	struct stat status;
	auto_close int fd = find(sight, path, &status);
	if (fd < 0)
		return;
	sight_add_name(sight, path, text);
	if (add_content(sight, path, text))
		text_addf(text, "%o\n", (unsigned)status.st_mode);
	else
		text_addf(text, "%llu %llu %lld %lld.%09ld %lld.%09ld %o\n",
			  (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
			  (long long)status.st_size, (long long)status.st_mtim.tv_sec,
			  status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec,
			  status.st_ctim.tv_nsec, (unsigned)status.st_mode);
}

char *sight_program(const struct sight *sight, const char *path)
{
	struct stat status;
	char *name = NULL;
	auto_close int fd = find(sight, path, &status);
	if (fd < 0 || !S_ISREG(status.st_mode) || !(status.st_mode & 0111))
		return NULL;
	return path_of_fd(fd, &name) == 0 ? name : NULL;
}

bool sight_has_directory(const struct sight *sight, const char *path)
{
	struct stat status;
	auto_close int fd = find(sight, path, &status);
	return fd >= 0 && S_ISDIR(status.st_mode);
}
