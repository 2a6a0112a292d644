/* plugins/common/filter/library.c - libseccomp, opened only when a filter must be made. */
#include "config.h"

#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_OF(number) #number
#define NAME_OF(major) "libseccomp.so." TEXT_OF(major)

static bool describe(const char *path, struct library_file *ret_file)
{
	struct stat status;
	size_t length = strlen(path);
	if (path[0] != '/' || length >= sizeof(ret_file->path) || stat(path, &status) < 0)
		return false;
	*ret_file = (struct library_file){
		.device = status.st_dev, .inode = status.st_ino, .bytes = (uint64_t)status.st_size,
		.seconds = status.st_ctim.tv_sec, .nanoseconds = status.st_ctim.tv_nsec,
	};
	memcpy(ret_file->path, path, length + 1);
	return true;
}

static const char *find_calls(struct library *library)
{
	static const struct { const char *name; size_t offset; } calls[] = {
		{ "seccomp_init", offsetof(struct library, init) },
		{ "seccomp_release", offsetof(struct library, release) },
		{ "seccomp_attr_set", offsetof(struct library, attr_set) },
		{ "seccomp_rule_add_array", offsetof(struct library, rule_add_array) },
		{ "seccomp_export_bpf", offsetof(struct library, export_bpf) },
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *call = dlsym(library->object, calls[i].name);
		if (!call)
			return "it lacks a function that it should have";
		memcpy((char *)library + calls[i].offset, &call, sizeof(call));
	}
	return NULL;
}

const char *library_open(struct library *ret_library)
{
	struct library library = { .object = dlopen(NAME_OF(SCMP_VER_MAJOR), RTLD_NOW | RTLD_LOCAL) };
	if (!library.object)
		return "it cannot be loaded";
	const char *fault = find_calls(&library);
	struct link_map *map = NULL;
	if (fault) {
		dlclose(library.object);
		return fault;
	}
	if (dlinfo(library.object, RTLD_DI_LINKMAP, &map) < 0 || !map->l_name ||
	    !describe(map->l_name, &library.file))
		library.file.path[0] = '\0';
	*ret_library = library;
	return NULL;
}

void library_close(struct library *library)
{
	dlclose(library->object);
}

bool library_is_unchanged(const struct library_file *file)
{
	struct library_file now;
	if (!memchr(file->path, '\0', sizeof(file->path)) || !describe(file->path, &now))
		return false;
	return now.device == file->device && now.inode == file->inode && now.bytes == file->bytes &&
	       now.seconds == file->seconds && now.nanoseconds == file->nanoseconds;
}
