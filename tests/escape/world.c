/* escape/world.c - everything that is attacked, made and put back. */
#include "config.h"

#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

const char *world_secret(struct world *world, const char *prefix)
{
	unsigned char bytes[10];
	char *secret = world->secrets[world->secret_count++];
	int at = snprintf(secret, sizeof(world->secrets[0]), "%s", prefix);
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	for (size_t i = 0; i < sizeof(bytes); i++)
		at += snprintf(secret + at, 3, "%02x", bytes[i]);
	return secret;
}

/* What the caller of pinfold has in his environment. */
static int make_environment(struct world *world)
{
	static char texts[16][PATH_ROOM + 160];
	static char *variables[17];
	int count = 0;
#define VARIABLE(...) (snprintf(texts[count], sizeof(texts[0]), __VA_ARGS__), variables[count] = texts[count], count++)
	VARIABLE("PATH=%s/programs:%s", world->tree, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	VARIABLE("HOME=%s", world->home);
	VARIABLE("TMPDIR=%s", world->callers);
	VARIABLE("XDG_RUNTIME_DIR=%s", world->runtime);
	VARIABLE("DBUS_SESSION_BUS_ADDRESS=unix:path=%s/bus", world->runtime);
	VARIABLE("SSH_AUTH_SOCK=%s/agent.1", world->tmp);
	VARIABLE("LC_ALL=C.UTF-8");
	VARIABLE("TERM=xterm");
	VARIABLE("ESCAPE_API_TOKEN=%s", world->secrets[9]);
	VARIABLE("AWS_SECRET_ACCESS_KEY=%s", world->secrets[10]);
	VARIABLE("DATABASE_URL=postgres://somebody:%s@db.example.org/x", world->secrets[11]);
	VARIABLE("PLAIN=ghp_%s0123456789abcdef", world->secrets[12]);
	VARIABLE("LTDL_LIBRARY_PATH=%s/modules", world->tree);
	VARIABLE("ESCAPE_MARK=%s/mark", world->outside);
	VARIABLE("BASH_ENV=%s/programs/sh", world->tree);
	VARIABLE("ENV=%s/programs/sh", world->tree);
#undef VARIABLE
	world->environment = variables;
	return 0;
}

static void name_places(struct world *world)
{
#define PLACE(field, name) snprintf(world->field, sizeof(world->field), "%s/" name, world->base)
	PLACE(outside, "outside");
	PLACE(home, "home");
	PLACE(tree, "tree");
	PLACE(runtime, "runtime");
	PLACE(callers, "callers");
#undef PLACE
}

int world_open(struct world *world, const char *cases, const char *program)
{
	const char *temporary = getenv("TMPDIR");
	char base[300], *real;
	snprintf(base, sizeof(base), "%s/esc-XXXXXX", temporary && *temporary ? temporary : "/var/tmp");
	if (!mkdtemp(base) || !(real = realpath(base, NULL)) || strlen(real) >= sizeof(world->base))
		return perror(base), -1;
	strcpy(world->base, real);
	free(real);
	chmod(world->base, 0755);
	snprintf(world->cases, sizeof(world->cases), "%s", cases);
	snprintf(world->program, sizeof(world->program), "%s", program);
	snprintf(world->module, sizeof(world->module), "%.*s/../lib/pinfold/namespaces.so",
		 (int)(strrchr(program, '/') - program), program);
	name_places(world);
	for (int i = 0; i < 14; i++)
		world_secret(world, "S");
	if (files_make(world) < 0 || services_start(world) < 0 || victim_start(world) < 0 || objects_make(world) < 0)
		return perror("what is to be attacked"), -1;
	make_environment(world);
	return files_facts(world);
}

void world_close(struct world *world)
{
	victim_stop(world);
	services_stop(world);
	if (world->mq[0])
		objects_remove(world);
	files_remove(world->base);
}

static bool is_listed(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

/* Removes what is in a directory and not in the list. */
static void clear(const char *directory, const char *const *keep)
{
	char path[PATH_ROOM + 300];
	DIR *open_directory = opendir(directory);
	if (!open_directory)
		return;
	for (struct dirent *entry; (entry = readdir(open_directory));) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || is_listed(entry->d_name, keep))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		files_remove(path);
	}
	closedir(open_directory);
}

int world_mend(struct world *world)
{
	static const char *const of_outside[] = { "stream", "dgram", "seq", "late", "relative", "renamed", "fifo", NULL };
	static const char *const of_home[] = { ".cache", NULL };
	static const char *const of_cache[] = { "pinfold", NULL };
	static const char *const of_base[] = { "outside", "home", "tree", "runtime", "callers", NULL };
	static const char *const of_runtime[] = { "bus", "systemd-private", "gpg", "wayland-0", "podman.sock", NULL };
	static const char *const none[] = { NULL };
	char cache[PATH_ROOM + 16];
	const char *what;
	snprintf(cache, sizeof(cache), "%s/.cache", world->home);
	clear(world->outside, of_outside);
	clear(world->home, of_home);
	clear(cache, of_cache);
	clear(world->runtime, of_runtime);
	clear(world->tree, none);
	clear(world->base, of_base);
	rmdir(world->callers);
	files_remove(world->callers);
	if (!victim_is_whole(world, &what)) {
		victim_stop(world);
		if (victim_start(world) < 0)
			return -1;
	}
	if (objects_changed(world)) {
		objects_remove(world);
		objects_make(world);
	}
	if (files_make(world) < 0)
		return -1;
	return files_facts(world);
}
