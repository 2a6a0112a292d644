/* tests/policy_property/world.c - the things that policies by chance are about. */
#include "config.h"

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		abort();
	close(fd);
}

static int make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (strlen(path) >= sizeof(address.sun_path))
		abort();
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		abort();
	return fd;
}

static void add(struct property_world *world, enum property_thing_kind kind, bool in_tree, const char *path)
{
	struct property_thing *thing = &world->things[world->count];
	world->sockets[world->count++] = -1;
	thing->kind = kind;
	thing->in_tree = in_tree;
	snprintf(thing->path, sizeof(thing->path), "%s", path);
}

/* A directory with a mark, two files, a name that nothing has, and directories in it. */
static void make_directory(struct property_world *world, const char *path, const char *copy, unsigned depth)
{
	static const char *const names[] = { "a", "b" };
	char inner[160], inner_copy[180];
	const char *const places[] = { path, copy };
	add(world, THING_DIRECTORY, copy != NULL, path);
	for (size_t i = 0; i < 2 && places[i]; i++) {
		mkdir(places[i], 0755);
		snprintf(inner_copy, sizeof(inner_copy), "%s/mark", places[i]);
		make_file(inner_copy, path);
		snprintf(inner_copy, sizeof(inner_copy), "%s/file", places[i]);
		make_file(inner_copy, "content");
	}
	snprintf(inner, sizeof(inner), "%s/file", path);
	add(world, THING_FILE, copy != NULL, inner);
	snprintf(inner, sizeof(inner), "%s/new", path);
	add(world, THING_NOTHING, copy != NULL, inner);
	if (!copy && depth > 0) {
		snprintf(inner, sizeof(inner), "%s/socket", path);
		add(world, THING_SOCKET, false, inner);
		world->sockets[world->count - 1] = make_socket(inner);
	}
	for (size_t i = 0; depth > 0 && i < 2; i++) {
		snprintf(inner, sizeof(inner), "%s/%s", path, names[i]);
		snprintf(inner_copy, sizeof(inner_copy), "%s/%s", copy ? copy : "", names[i]);
		make_directory(world, inner, copy ? inner_copy : NULL, depth - 1);
	}
}

void world_make(struct property_world *world, const char *root)
{
	*world = (struct property_world){ .count = 0 };
	snprintf(world->base, sizeof(world->base), "%s/property.XXXXXX", root);
	if (!mkdtemp(world->base))
		abort();
	snprintf(world->home, sizeof(world->home), "%s/h", world->base);
	snprintf(world->scratch, sizeof(world->scratch), "%s/scratch", world->base);
	snprintf(world->copy, sizeof(world->copy), "%s/copy", world->scratch);
	snprintf(world->temporary, sizeof(world->temporary), "%s/tmp", world->scratch);
	snprintf(world->tree, sizeof(world->tree), "%s/h/tree", world->base);
	mkdir(world->home, 0755);
	mkdir(world->scratch, 0700);
	mkdir(world->copy, 0755);
	mkdir(world->temporary, 0700);
	char path[140];
	snprintf(path, sizeof(path), "%s/h/x", world->base);
	make_directory(world, path, NULL, 2);
	snprintf(path, sizeof(path), "%s/s", world->base);
	make_directory(world, path, NULL, 1);
	make_directory(world, world->tree, world->copy, 1);
	snprintf(path, sizeof(path), "%s/h/link", world->base);
	if (symlink("x/a", path) < 0)
		abort();
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

int world_remove(struct property_world *world)
{
	for (size_t i = 0; i < world->count; i++)
		if (world->sockets[i] >= 0)
			close(world->sockets[i]);
	return nftw(world->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
