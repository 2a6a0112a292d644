/* plugins/namespaces/bubblewrap.c - looks whether bubblewrap can be trusted, and hands it its options
 * and its filter in memory. */
#include "config.h"

#include "calls.h"
#include "through.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int distrust(const struct pinfold_host *host, struct pinfold_error *err, int sys, const char *path,
		    const char *recovery)
{
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, sys, "use [arm:namespaces] wrapper", path, recovery);
}

static bool only_root_changes(const char *path, mode_t kind)
{
	struct stat status;
	return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == 0 &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

int through_check(const struct pinfold_host *host, const char *program, const char **ret_path,
		  struct pinfold_error *err)
{
	if (program[0] != '/')
		return distrust(host, err, 0, program, "name it by an absolute path");
	char *canonical = realpath(program, NULL);
	if (!canonical)
		return distrust(host, err, errno, program, "install bubblewrap, or leave the setting out");
	const char *path = host->print(host, "%s", canonical);
	bool trusted = only_root_changes(canonical, S_IFREG) && access(canonical, X_OK) == 0;
	for (char *slash = strrchr(canonical, '/'); trusted && slash; slash = strrchr(canonical, '/')) {
		*slash = '\0';
		trusted = only_root_changes(canonical[0] ? canonical : "/", S_IFDIR);
	}
	free(canonical);
	if (!path || !trusted)
		return distrust(host, err, 0, program,
				"name an executable of root's that nobody else can write, in directories of the same kind");
	*ret_path = path;
	return 0;
}

/* Where the host has what a place will be laid on: in the copy, if it lies in the tree. */
static int look_at_host(const struct place *place)
{
	char path[PATH_MAX];
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	const struct place *around = place->around;
	struct stat status;
	while (around && around->kind == PLACE_PIN)
		around = around->around;
	if (place->kind == PLACE_DEVICES || place->kind == PLACE_PROC || place->kind == PLACE_SHOW)
		return S_IFDIR;
	bool moved = around && around->kind == PLACE_SHOW;
	int length = moved ? snprintf(path, sizeof(path), "%s%s", around->from,
				      place->path + strlen(around->path)) :
			     snprintf(path, sizeof(path), "%s", place->path);
	if (length >= (int)sizeof(path))
		return 0;
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd < 0)
		return errno == ELOOP ? -1 : 0;
	int mode = fstat(fd, &status) == 0 ? (int)status.st_mode : 0;
	close(fd);
	return mode;
}

static int put_in_memory(const void *data, size_t bytes, const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	if (write(fd, data, bytes) == (ssize_t)bytes && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Each word with a NUL at its end. */
static int put_words(const struct pinfold_host *host, const struct arguments *list)
{
	size_t bytes = 0, at = 0;
	for (size_t i = 0; i < list->count; i++)
		bytes += strlen(list->items[i]) + 1;
	char *text = host->allocate(host, bytes + 1);
	if (!text)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		size_t length = strlen(list->items[i]) + 1;
		memcpy(text + at, list->items[i], length);
		at += length;
	}
	return put_in_memory(text, bytes, "options");
}

void through_give_back(struct pinfold_plan *plan)
{
	for (size_t i = 0; plan->through && i < sizeof(plan->through_fds) / sizeof(plan->through_fds[0]); i++) {
		if (plan->through_fds[i] >= 0)
			close(plan->through_fds[i]);
		plan->through_fds[i] = -1;
	}
}

static int refuse_overlay(const struct pinfold_host *host, const struct pinfold_shown *shown,
			  struct pinfold_error *err)
{
	if (shown->kind != PINFOLD_SHOW_OVERLAY)
		return 0;
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "lay an overlay over the working tree",
			  "[arm:namespaces] wrapper is set, and bubblewrap lays none",
			  "use the view `copy`, raising [copy] max-files or max-bytes where the tree is past them");
}

int through_plan(const struct pinfold_host *host, const struct settings *settings,
		 const struct scene *scene, const struct filter *filter, struct pinfold_plan *plan,
		 struct pinfold_error *err)
{
	struct arguments list;
	struct state *state = plan->state;
	const char *path;
	const char **words = host->allocate(host, 7 * sizeof(*words));
	if (!words)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "prepare the arm", NULL, NULL);
	if (refuse_overlay(host, scene->shown, err) < 0 ||
	    through_check(host, settings->wrapper, &path, err) < 0 ||
	    through_options(host, scene, &state->layout, look_at_host, &list, err) < 0)
		return -1;
	plan->through = words;
	plan->namespaces = 0;
	plan->through_fds[0] = put_words(host, &list);
	plan->through_fds[1] = put_in_memory(filter->instructions, filter->count * sizeof(*filter->instructions),
					     "filter");
	words[0] = path;
	words[1] = "--args";
	words[2] = host->print(host, "%d", plan->through_fds[0]);
	words[3] = "--seccomp";
	words[4] = host->print(host, "%d", plan->through_fds[1]);
	words[5] = "--";
	if (plan->through_fds[0] < 0 || plan->through_fds[1] < 0 || !words[2] || !words[4])
		return host->fail(err, PINFOLD_E_SYSTEM, errno, "hand bubblewrap its options", NULL,
				  "raise the limit of open files (ulimit -n)");
	return 0;
}
