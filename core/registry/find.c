/* registry/find.c - which files the configured module names mean. */
#include "config.h"

#include "registry/modules.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/places.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

/* What is wrong with one name on the way to a directory, or NULL. Who may write a parent may put
 * another directory in the place of ours, unless the sticky bit keeps them from renaming it. A parent
 * may be writable by its group: so are homes with private groups, and /usr/local/lib on Debian. */
static const char *step_fault(const char *path, bool last)
{
	struct stat status;
	if (lstat(path, &status) < 0)
		return strerror(errno);
	if (!owner_is_trusted(status.st_uid))
		return "belongs to another user";
	if (S_ISLNK(status.st_mode))
		return NULL;
	if (!S_ISDIR(status.st_mode))
		return "is not a directory";
	if (last && status.st_mode & (S_IWGRP | S_IWOTH))
		return "can be written by others";
	if (status.st_mode & S_IWOTH && !(status.st_mode & S_ISVTX))
		return "can be written by others";
	return NULL;
}

/* Checks every name from the root to `path`. */
static int check_way(const char *path, struct pinfold_error *err)
{
	char part[PATH_MAX];
	for (size_t at = 1;; at++) {
		if (path[at] != '/' && path[at] != '\0')
			continue;
		memcpy(part, path, at);
		part[at] = '\0';
		const char *wrong = step_fault(part, path[at] == '\0');
		if (wrong)
			return faultf(err, PINFOLD_E_PLUGIN, 0, "trust the plugin directory",
				      "make it and its parents root's or yours, and writable by no one "
				      "else",
				      "%s: %s %s", path, part, wrong);
		if (path[at] == '\0')
			return 0;
	}
}

/* A directory from which modules may be loaded; its canonical path then. */
static int vet_directory(const char *path, char **ret_canonical, struct pinfold_error *err)
{
	if (path[0] != '/' || strlen(path) >= PATH_MAX)
		return fault(err, PINFOLD_E_PLUGIN, 0, "trust the plugin directory", path,
			     "give an absolute path in [pinfold] plugin-directories");
	auto_free char *canonical = path_canonical(path);
	if (!canonical)
		return fault(err, PINFOLD_E_PLUGIN, errno, "open the plugin directory", path,
			     "make the directory, or take it out of [pinfold] plugin-directories");
	if (check_way(canonical, err) < 0 || (!streq(canonical, path) && check_way(path, err) < 0))
		return -1;
	*ret_canonical = take_pointer(&canonical);
	return 0;
}

/* What is wrong with the file itself, or NULL. */
static const char *file_fault(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "it is not a file";
	if (!owner_is_trusted(status->st_uid))
		return "it belongs to another user";
	return status->st_mode & (S_IWGRP | S_IWOTH) ? "it can be written by others" : NULL;
}

struct directory {
	const char *path;
	bool trusted, exists;
	struct pinfold_error refusal;
};

/* What a later process compares to know that a module is still the same. */
static const char *file_identity(struct arena *arena, const char *path, const struct stat *status)
{
	return arena_print(arena, "%s %llu:%llu %lld %lld.%09ld %lld.%09ld", path,
			   (unsigned long long)status->st_dev, (unsigned long long)status->st_ino,
			   (long long)status->st_size, (long long)status->st_mtim.tv_sec,
			   status->st_mtim.tv_nsec, (long long)status->st_ctim.tv_sec,
			   status->st_ctim.tv_nsec);
}

static struct module_entry *add_entry(struct registry *registry, const char *name, const char *path)
{
	struct module_entry *entry = &registry->modules[registry->count++];
	entry->module.name = name;
	entry->module.path = path;
	return entry;
}

static void refuse(struct module_entry *entry, const struct pinfold_error *refusal)
{
	entry->module.state = MODULE_REFUSED;
	entry->module.refusal = *refusal;
}

/* Every file of this name in the directories: the first that is trusted is the module. */
static int find_files(struct registry *registry, const struct directory *directories, size_t count,
		      const char *name, bool *ret_found)
{
	const struct module_entry *taken = NULL;
	*ret_found = false;
	for (size_t i = 0; i < count; i++) {
		struct stat status;
		const char *path = arena_print(registry->arena, "%s/%s.so", directories[i].path, name);
		if (!path)
			return -1;
		if (!directories[i].exists || stat(path, &status) < 0)
			continue;
		*ret_found = true;
		struct module_entry *entry = add_entry(registry, name, path);
		if (!(entry->identity = file_identity(registry->arena, path, &status)))
			return -1;
		struct pinfold_error err = directories[i].refusal;
		const char *wrong = file_fault(&status);
		if (directories[i].trusted && taken)
			faultf(&err, PINFOLD_E_PLUGIN, 0, "use the plugin",
			       "give one of the two files another name", "%s: the name is taken by %s",
			       path, taken->module.path);
		else if (directories[i].trusted && wrong)
			faultf(&err, PINFOLD_E_PLUGIN, 0, "use the plugin",
			       "remove it, or make it root's or yours, and writable by no one else",
			       "%s: %s", path, wrong);
		else if (directories[i].trusted)
			taken = entry;
		if (entry != taken)
			refuse(entry, &err);
	}
	return 0;
}

static void name_missing(struct module_entry *entry, const struct directory *directories,
			 size_t count)
{
	struct text where = { 0 };
	for (size_t i = 0; i < count; i++)
		text_addf(&where, "%s%s", i ? ", " : "", directories[i].path);
	auto_free char *list = text_take(&where);
	struct text remedy = { 0 };
	text_addf(&remedy, "install the package that has it (an arm's is often pinfold-arm-%s), "
		  "or take it out of [pinfold] plugins", entry->module.name);
	auto_free char *recovery = text_take(&remedy);
	struct pinfold_error err = { 0 };
	faultf(&err, PINFOLD_E_PLUGIN, 0, "find the plugin",
	       recovery ? recovery : "install the package that has it", "%s: no such module in %s",
	       entry->module.name, list ? list : "any directory");
	refuse(entry, &err);
}

static int find_module(struct registry *registry, const struct directory *directories, size_t count,
		       const char *name)
{
	bool found = false;
	if (!module_name_is_plain(name)) {
		struct pinfold_error err = { 0 };
		fault(&err, PINFOLD_E_PLUGIN, 0, "find the plugin", name,
		      "name modules by a bare name of a-z, 0-9 and -, without directory and ending");
		refuse(add_entry(registry, name, NULL), &err);
		return 0;
	}
	if (find_files(registry, directories, count, name, &found) < 0)
		return -1;
	if (!found)
		name_missing(add_entry(registry, name, NULL), directories, count);
	return 0;
}

static int open_directory(struct registry *registry, const char *path, struct directory *directory)
{
	auto_free char *canonical = NULL;
	struct stat status;
	directory->trusted = vet_directory(path, &canonical, &directory->refusal) == 0;
	directory->path = arena_copy(registry->arena, canonical ? canonical : path);
	directory->exists = path[0] == '/' && stat(path, &status) == 0;
	return directory->path ? 0 : -1;
}

int find_modules(struct registry *registry, struct pinfold_error *err)
{
	const struct list *names = config_list(registry->config, "pinfold", "plugins");
	const struct list *further = config_list(registry->config, "pinfold", "plugin-directories");
	size_t count = further->count + 1;
	struct arena *arena = registry->arena;
	struct directory *directories = arena_allocate(arena, count * sizeof(*directories));
	registry->modules =
		arena_allocate(arena, (names->count * count + 1) * sizeof(*registry->modules));
	if (!directories || !registry->modules ||
	    open_directory(registry, places_plugins(), &directories[0]) < 0)
		return fault_no_memory(err);
	for (size_t i = 0; i < further->count; i++)
		if (open_directory(registry, further->items[i], &directories[i + 1]) < 0)
			return fault_no_memory(err);
	for (size_t i = 0; i < names->count; i++) {
		const char *name = arena_copy(arena, names->items[i]);
		bool repeated = false;
		for (size_t j = 0; j < i; j++)
			repeated = repeated || streq(names->items[j], names->items[i]);
		if (!name || (!repeated && find_module(registry, directories, count, name) < 0))
			return fault_no_memory(err);
	}
	return 0;
}
