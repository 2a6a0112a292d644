/* escape/world_files.c - the places that are attacked, and the facts about them that the attempts get. */
#include "config.h"

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* For the length of one expression. */
static const char *in(const char *directory, const char *name)
{
	static char paths[8][PATH_ROOM + 64];
	static unsigned next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

int files_write(const char *directory, const char *name, const char *text, mode_t mode)
{
	int fd = open(in(directory, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || fchmod(fd, mode) < 0) {
		perror(in(directory, name));
		return -1;
	}
	return close(fd);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)status;
	(void)at;
	if (kind == FTW_DP)
		return rmdir(path);
	return unlink(path);
}

static int open_up(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)at;
	return S_ISDIR(status->st_mode) && kind != FTW_SL ? chmod(path, 0700) & 0 : 0;
}

void files_remove(const char *path)
{
	nftw(path, open_up, 16, FTW_PHYS);
	nftw(path, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
	if (access(path, F_OK) == 0) {	/* deeper than a path can be */
		char command[PATH_ROOM + 64];
		snprintf(command, sizeof(command), "chmod -R u+rwX -- '%s'; rm -rf -- '%s'", path, path);
		if (system(command) != 0)
			fprintf(stderr, "cannot remove %s\n", path);
	}
}

static int copy_into(const char *program, const char *directory, const char *name)
{
	int from = open(program, O_RDONLY | O_CLOEXEC);
	int to = open(in(directory, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	struct stat status;
	if (from < 0 || to < 0 || fstat(from, &status) < 0 || sendfile(to, from, NULL, (size_t)status.st_size) < 0) {
		perror(program);
		return -1;
	}
	close(from);
	return close(to);
}

static int make_outside(struct world *world)
{
	const char *outside = world->outside;
	char text[64];
	if ((mkdir(outside, 0755) < 0 && errno != EEXIST) || files_write(outside, "file", "as it was\n", 0644) < 0 ||
	    files_write(outside, "other", "as it was\n", 0644) < 0 || mkdir(in(outside, "empty"), 0755) < 0 ||
	    (mkfifo(in(outside, "fifo"), 0600) < 0 && errno != EEXIST))
		return -1;
	setxattr(in(outside, "file"), "user.mark", "x", 1, 0);
	snprintf(text, sizeof(text), "%s\n", world->secrets[0]);
	if (link(in(world->home, ".ssh/id_secret"), in(outside, "alias")) < 0)
		return -1;
	if (geteuid() == 0) {
		snprintf(text, sizeof(text), "%s\n", world->secrets[1]);
		if (files_write(outside, "of-root", text, 0600) < 0)
			return -1;
		snprintf(text, sizeof(text), "%s\n", world->secrets[2]);
		if (files_write(outside, "of-other", text, 0600) < 0 ||
		    chown(in(outside, "of-other"), 54321, 54321) < 0)
			return -1;
	}
	return 0;
}

static int make_home(struct world *world)
{
	static const char *const directories[] = { ".ssh", ".cache", ".cache/program", ".cargo", ".cargo/registry",
						   ".gnupg", ".config", ".config/pinfold" };
	char text[64];
	mkdir(world->home, 0755);
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (mkdir(in(world->home, directories[i]), 0700) < 0 && errno != EEXIST)
			return -1;
	snprintf(text, sizeof(text), "%s\n", world->secrets[0]);
	if (files_write(world->home, ".cache/program/entry", "as it was\n", 0644) < 0 ||
	    files_write(world->home, ".cargo/registry/crate", "as it was\n", 0644) < 0)
		return -1;
	return files_write(world->home, ".ssh/id_secret", text, 0600);
}

static int make_tree(struct world *world)
{
	const char *tree = world->tree;
	char text[PATH_ROOM + 64];
	if ((mkdir(tree, 0755) < 0 && errno != EEXIST) || mkdir(in(tree, "src"), 0755) < 0 || mkdir(in(tree, "programs"), 0755) < 0 ||
	    mkdir(in(tree, "modules"), 0755) < 0 || copy_into(world->preload, in(tree, "modules"), "namespaces.so") < 0 ||
	    copy_into(world->preload, in(tree, "modules"), "copytree.so") < 0 ||
	    files_write(tree, "one", "one\n", 0644) < 0 || files_write(tree, "src/say", "say\n", 0644) < 0 ||
	    files_write(tree, "suid", "suid\n", 04755) < 0 || copy_into(world->cases, tree, "cases") < 0)
		return -1;
	snprintf(text, sizeof(text), "%s\n", world->secrets[3]);
	if (files_write(tree, ".secret", text, 0600) < 0 || symlink(in(world->outside, "file"), in(tree, "link")) < 0 ||
	    symlink(in(world->outside, "empty"), in(tree, "linked")) < 0 ||
	    link(in(world->outside, "file"), in(tree, "hard")) < 0)
		return -1;
	/* Programs that pinfold might look for, each of which leaves a mark outside. */
	static const char *const programs[] = { "git", "bwrap", "sh", "env", "pinfold-init", "ldconfig", "cc", "uname", "less", "diff" };
	snprintf(text, sizeof(text), "#!/bin/sh\necho ran >'%s/mark'\n", world->outside);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (files_write(in(tree, "programs"), programs[i], text, 0755) < 0)
			return -1;
	return 0;
}

/* A handle of the secret, as only somebody outside can get it. */
static void find_handle(struct world *world)
{
	union {
		struct file_handle head;
		char room[sizeof(struct file_handle) + 128];
	} handle = { .head.handle_bytes = 128 };
	int mount;
	if (name_to_handle_at(AT_FDCWD, in(world->home, ".ssh/id_secret"), &handle.head, &mount, 0) < 0)
		return;
	char *text = world->secret_handle;
	int at = snprintf(text, sizeof(world->secret_handle), "%u:%d:", handle.head.handle_bytes, handle.head.handle_type);
	for (unsigned i = 0; i < handle.head.handle_bytes && (size_t)at + 3 < sizeof(world->secret_handle); i++)
		at += snprintf(text + at, 3, "%02x", handle.head.f_handle[i]);
}

int files_make(struct world *world)
{
	char text[64];
	umask(022);
	snprintf(text, sizeof(text), "%s\n", world->secrets[4]);
	chmod(world->tree, 0755);
	if (make_home(world) < 0 || make_outside(world) < 0 || make_tree(world) < 0 ||
	    files_write(world->base, "hidden", text, 0600) < 0 || mkdir(world->callers, 0700) < 0) {
		perror("the places that are attacked");
		return -1;
	}
	find_handle(world);
	return 0;
}

static void write_places(FILE *facts, const struct world *world)
{
#define FACT(name, ...) (fprintf(facts, name "="), fprintf(facts, __VA_ARGS__), fputc('\n', facts))
	const char *outside = world->outside;
	struct stat root = { 0 };
	stat("/", &root);
	FACT("outside", "%s", outside);
	FACT("home", "%s", world->home);
	FACT("tree", "%s", world->tree);
	FACT("runtime", "%s", world->runtime);
	FACT("tmpdir", "%s", world->callers);
	FACT("program", "%s", world->program);
	FACT("module", "%s", world->module);
	FACT("secret", "%s/.ssh/id_secret", world->home);
	FACT("secret_alias", "%s/alias", outside);
	FACT("secret_handle", "%s", world->secret_handle);
	FACT("hidden", "%s/hidden", world->base);
	FACT("root_only", "%s/of-root", outside);
	FACT("other_only", "%s/of-other", outside);
	FACT("report", "%s/report.json", world->tree);
	FACT("disk", "%lu", (unsigned long)root.st_dev);
	FACT("fifo", "%s/fifo", outside);
	FACT("fifo_tmp", "%s/fifo", world->tmp);
}

static void write_sockets(FILE *facts, const struct world *world)
{
	const struct service_state *services = world->service_state;
	const char *outside = world->outside, *runtime = world->runtime;
	FACT("sock_stream", "%s/stream", outside);
	FACT("sock_dgram", "%s/dgram", outside);
	FACT("sock_seq", "%s/seq", outside);
	FACT("sock_late", "%s/late", outside);
	FACT("sock_relative", "%s/relative", outside);
	FACT("sock_renamed", "%s/renamed", outside);
	FACT("sock_tmp", "%s/stream", world->tmp);
	FACT("sock_late_tmp", "%s/late", world->tmp);
	FACT("ssh", "%s/agent.1", world->tmp);
	FACT("docker", "%s%s", world->run, world->run[0] ? "/docker.sock" : "");
	FACT("x11", "%s", world->x11);
	FACT("x11_abstract", "%s", world->x11);
	FACT("bus", "%s/bus", runtime);
	FACT("systemd", "%s/systemd-private", runtime);
	FACT("gpg", "%s/gpg", runtime);
	FACT("wayland", "%s/wayland-0", runtime);
	FACT("podman", "%s/podman.sock", runtime);
	FACT("abstract", "escape-%d-stream", world->services);
	FACT("abstract_dgram", "escape-%d-dgram", world->services);
	FACT("tcp", "%u", services->tcp);
	FACT("tcp6", "%u", services->tcp6);
	FACT("udp", "%u", services->udp);
	FACT("multicast", "%u", services->multicast);
	FACT("listen", "%u", services->listen);
	FACT("address", "%s", world->address);
}

static void write_kernel(FILE *facts, const struct world *world)
{
	const struct victim_state *victim = world->victim_state;
	FACT("victim", "%d", world->victim);
	FACT("victim_word", "%lu", (unsigned long)victim->word);
	FACT("victim_secret", "%lu", (unsigned long)victim->secret);
	FACT("victim_fd", "%d", victim->descriptor);
	FACT("shm", "%d", world->shm);
	FACT("shm_key", "%d", world->services);
	FACT("msg", "%d", world->msg);
	FACT("sem", "%d", world->sem);
	FACT("mq", "%s", world->mq);
	FACT("pshm", "%s", world->pshm);
	FACT("key", "%d", world->key);
	FACT("key_name", "%s", world->key_name);
#undef FACT
}

int files_facts(struct world *world)
{
	char *text = NULL;
	size_t length;
	FILE *facts = open_memstream(&text, &length);
	if (!facts)
		return -1;
	write_places(facts, world);
	write_sockets(facts, world);
	write_kernel(facts, world);
	fclose(facts);
	int result = files_write(world->tree, "world", text, 0644);
	free(text);
	return result;
}
