/* tree/scratch.c - the private directory below which all copies lie. */
#include "config.h"

#include "tree/scratch.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/list.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char action[] = "make the scratch directory";
static const char remedy[] = "name a directory of yours with [filesystem] scratch, none of whose "
			     "parents others can write";

static int refuse(struct pinfold_error *err, int sys, const char *path, const char *why)
{
	return faultf(err, PINFOLD_E_SANDBOX_DENIED, sys, action, remedy, "%s%s", path, why);
}

/* A parent that others can write lets them put configuration there that tools in the copy obey; a sticky
 * bit does not help. */
static int vet(const struct stat *found, const char *path, bool last, struct pinfold_error *err)
{
	if (found->st_uid != geteuid() && (last || !owner_is_trusted(found->st_uid)))
		return refuse(err, 0, path, " belongs to another user");
	if (found->st_mode & (S_IWGRP | S_IWOTH))
		return refuse(err, 0, path, " can be written by others");
	return 0;
}

static int vet_open(int fd, const char *path, bool last, struct pinfold_error *err)
{
	struct stat found;
	return fstat(fd, &found) < 0 ? refuse(err, errno, path, "") : vet(&found, path, last, err);
}

/* One directory further down, made if need be; `path` is what was walked so far and grows. */
static int step(int *fd, struct text *path, const char *name, bool last, struct pinfold_error *err)
{
	if (!ends_with(path->data, "/"))
		text_add(path, "/");
	text_add(path, name);
	if (path->failed)
		return fault_no_memory(err);
	if (mkdirat(*fd, name, S_IRWXU) < 0 && errno != EEXIST)
		return refuse(err, errno, path->data, "");
	int next = openat(*fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0)
		return refuse(err, errno, path->data, "");
	close(*fd);
	*fd = next;
	return vet_open(next, path->data, last, err);
}

/* Vets every directory above a canonical one, from the top: once one is vetted, nobody who is not
 * trusted can put something else in the place of the next. */
static int vet_parents(const char *canonical, struct pinfold_error *err)
{
	auto_free char *path = strdup(canonical);
	struct stat found;
	int result = !path ? fault_no_memory(err) :
		     lstat("/", &found) < 0 ? refuse(err, errno, "/", "") : vet(&found, "/", false, err);
	for (char *slash = path; result == 0 && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		result = lstat(path, &found) < 0 ? refuse(err, errno, path, "") :
						   vet(&found, path, false, err);
		*slash = '/';
	}
	return result;
}

static int open_vetted(const char *canonical, bool last, int *ret_fd, struct pinfold_error *err)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	if (vet_parents(canonical, err) < 0)
		return -1;
	auto_close int fd = (int)syscall(SYS_openat2, AT_FDCWD, canonical, &how, sizeof(how));
	if (fd < 0)
		return refuse(err, errno, canonical, "");
	if (vet_open(fd, canonical, last, err) < 0)
		return -1;
	*ret_fd = take_fd(&fd);
	return 0;
}

static bool is_odd(const char *name)
{
	return streq(name, ".") || streq(name, "..");
}

/* Opens `canonical` (which exists) and then makes what `missing` names. */
static int walk(const char *canonical, const char *missing, char **ret_path, int *ret_fd,
		struct pinfold_error *err)
{
	auto_free char *parts = strdup(missing);
	auto_close int fd = -1;
	struct text path = { 0 };
	char *next = NULL, *name = parts ? strtok_r(parts, "/", &next) : NULL;
	int result = parts ? open_vetted(canonical, !name, &fd, err) : fault_no_memory(err);
	text_add(&path, canonical);
	while (name && result == 0) {
		char *following = strtok_r(NULL, "/", &next);
		result = is_odd(name) ? refuse(err, 0, missing, " has dots in it") :
					step(&fd, &path, name, !following, err);
		name = following;
	}
	if (result == 0 && path.failed)
		result = fault_no_memory(err);
	if (result < 0) {
		text_release(&path);
		return -1;
	}
	*ret_path = text_take(&path);
	*ret_fd = take_fd(&fd);
	return 0;
}

static int open_place(const char *wanted, char **ret_path, int *ret_fd, struct pinfold_error *err)
{
	auto_free char *existing = strdup(wanted);
	if (wanted[0] != '/')
		return refuse(err, 0, wanted, " is not an absolute path");
	for (;;) {
		auto_free char *canonical = existing ? path_canonical(existing) : NULL;
		if (canonical)
			return walk(canonical, wanted + strlen(existing), ret_path, ret_fd, err);
		char *slash = existing ? strrchr(existing, '/') : NULL;
		if (!slash || errno != ENOENT)
			return refuse(err, errno, wanted, "");
		slash[slash == existing] = '\0';
	}
}

static int add_place(struct list *places, const char *base, const char *rest)
{
	return base && base[0] == '/' ? list_addf(places, "%s/%s", base, rest) : 0;
}

/* Where copies may lie when nobody named a place, the best first. */
static int list_places(struct list *places)
{
	auto_free char *home = path_home();
	const char *cache = getenv("XDG_CACHE_HOME");
	bool named = cache && cache[0] == '/';
	if (add_place(places, named ? cache : home, named ? "pinfold" : ".cache/pinfold") < 0)
		return -1;
	return add_place(places, getenv("XDG_RUNTIME_DIR"), "pinfold");
}

int scratch_open(const struct config *config, char **ret_path, int *ret_fd,
		 struct pinfold_error *err)
{
	const char *named = config_text(config, "filesystem", "scratch");
	if (named && *named)
		return open_place(named, ret_path, ret_fd, err);
	auto_list struct list places = { 0 };
	if (list_places(&places) < 0)
		return fault_no_memory(err);
	struct pinfold_error first = { 0 }, other;
	for (size_t i = 0; i < places.count; i++)
		if (open_place(places.items[i], ret_path, ret_fd, i == 0 ? &first : &other) == 0)
			return 0;
	if (places.count == 0)
		return refuse(err, 0, "there is no home, no cache and no runtime directory", "");
	if (err)
		*err = first;
	return -1;
}

int scratch_root(const struct config *config, char **ret_path, struct pinfold_error *err)
{
	auto_close int fd = -1;
	return scratch_open(config, ret_path, &fd, err);
}
