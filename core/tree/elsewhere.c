/* tree/elsewhere.c - layers over other places than the tree, whose changes are kept. */
#include "config.h"

#include "tree/elsewhere.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "config/scope.h"
#include "tree/contents.h"
#include "tree/inside.h"
#include "tree/remedy.h"
#include "tree/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pinfold/plugin.h>
#include <stdio.h>
#include <sys/stat.h>

static int refuse(const char *path, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_TREE, errno, "make a private layer", path,
		     remedy_of(errno, "check the scratch directory, or name another with [filesystem] scratch"));
}

char *elsewhere_path(int layers_fd, unsigned number)
{
	char name[16], target[PATH_MAX];
	snprintf(name, sizeof(name), "%u", number);
	auto_close int dir = inside_open(layers_fd, name, O_PATH, INSIDE_ONE_MOUNT);
	if (dir < 0)
		return NULL;
	ssize_t bytes = readlinkat(dir, "of", target, sizeof(target));
	return bytes < 0 ? NULL : strndup(target, (size_t)bytes);
}

static int open_layers(const char *layers)
{
	if (mkdir(layers, S_IRWXU) < 0 && errno != EEXIST)
		return -1;
	return open(layers, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* `of` comes first: a number without it was never finished, and is whoever takes it next. */
static int begin(int layers_fd, const char *name, const char *path)
{
	if (mkdirat(layers_fd, name, S_IRWXU) < 0 && errno != EEXIST)
		return -1;
	auto_close int dir = inside_open(layers_fd, name, O_PATH, INSIDE_ONE_MOUNT);
	return dir < 0 || symlinkat(path, dir, "of") < 0 ? -1 : 0;
}

/* The number of the layer over `path`, begun where there is none yet. */
static int find_number(int layers_fd, const char *path, char *name, size_t room)
{
	for (unsigned number = 0; number < UINT16_MAX; number++) {
		auto_free char *of = elsewhere_path(layers_fd, number);
		snprintf(name, room, "%u", number);
		if (!of && errno != ENOENT)
			return -1;
		if (!of)
			return begin(layers_fd, name, path);
		if (streq(of, path))
			return 0;
	}
	errno = ENOSPC;
	return -1;
}

static int make_upper(const struct pinfold_host *host, int dir, const char *path,
		      struct pinfold_error *err)
{
	auto_free char *root = NULL;
	auto_close int root_fd = -1;
	if (scratch_open(host->scope->config, &root, &root_fd, err) < 0)
		return -1;
	struct trash trash = { .root = root_fd };
	auto_close int below = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below < 0 || contents_make_layer(&trash, dir, below) < 0)
		return refuse(path, err);
	if (trash.used)
		discard_empty(&trash);
	return 0;
}

static int look_at(int dir, const char *name, uint64_t *ret_device, uint64_t *ret_inode)
{
	struct stat found;
	if (fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	*ret_device = found.st_dev;
	*ret_inode = found.st_ino;
	return 0;
}

int elsewhere_open(const char *layers, const char *path, char ret_name[ELSEWHERE_NAME])
{
	auto_close int layers_fd = open_layers(layers);
	if (layers_fd < 0 || find_number(layers_fd, path, ret_name, ELSEWHERE_NAME) < 0)
		return -1;
	return inside_open(layers_fd, ret_name, O_PATH, INSIDE_ONE_MOUNT);
}

int elsewhere_find(const struct pinfold_host *host, const char *layers, const char *path,
		   struct pinfold_layer *ret_layer, struct pinfold_error *err)
{
	char name[ELSEWHERE_NAME];
	auto_close int dir = elsewhere_open(layers, path, name);
	if (dir < 0)
		return refuse(path, err);
	if (faccessat(dir, "upper", F_OK, AT_SYMLINK_NOFOLLOW) < 0 && make_upper(host, dir, path, err) < 0)
		return -1;
	struct pinfold_layer layer = { .size = sizeof(layer) };
	if (look_at(dir, "upper", &layer.upper_device, &layer.upper_inode) < 0 ||
	    look_at(dir, "work", &layer.work_device, &layer.work_inode) < 0)
		return refuse(path, err);
	layer.upper = host->print(host, "%s/%s/upper", layers, name);
	layer.work = host->print(host, "%s/%s/work", layers, name);
	if (!layer.upper || !layer.work)
		return fault_no_memory(err);
	*ret_layer = layer;
	return 0;
}
