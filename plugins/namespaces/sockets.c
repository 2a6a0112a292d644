/* plugins/namespaces/sockets.c - which unix sockets of the host have a path that the command could
 * reach. Masking a file is never more than was asked for, so a line that lies does no harm: the child
 * covers only what is a socket when it looks. */
#include "config.h"

#include "below.h"
#include "layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path in one line of /proc/net/unix, its eighth column, or NULL. */
static const char *path_in_line(const char *line)
{
	for (int column = 0; column < 7; column++) {
		line += strspn(line, " ");
		line += strcspn(line, " ");
		if (!*line)
			return NULL;
	}
	return line[1] == '/' ? line + 1 : NULL;
}

static int compare_paths(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static size_t count_lines(const char *text)
{
	size_t count = 1;
	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

int sockets_parse(const struct pinfold_host *host, char *text, const char *const **ret_paths,
		  size_t *ret_count)
{
	const char **paths = host->allocate(host, count_lines(text) * sizeof(*paths));
	size_t found = 0, kept = 0;
	char *rest = text;
	if (!paths)
		return -1;
	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *path = path_in_line(line);
		if (path)
			paths[found++] = path;
	}
	qsort(paths, found, sizeof(*paths), compare_paths);
	for (size_t i = 0; i < found; i++)
		if (!kept || strcmp(paths[kept - 1], paths[i]) != 0)
			paths[kept++] = paths[i];
	*ret_paths = paths;
	*ret_count = kept;
	return 0;
}

/* May the command connect to it? */
static bool is_allowed(const struct pinfold_policy *policy, const char *path)
{
	for (size_t i = 0; i < policy->path_count; i++) {
		const char *allowed = policy->paths[i].path;
		if (policy->paths[i].kind == PINFOLD_PATH_SOCKET &&
		    (strcmp(path, allowed) == 0 || path_lies_in(path, allowed)))
			return true;
	}
	return false;
}

/* Does a directory of somebody else keep root out, who has no power over files inside? */
static bool is_closed(const char *path)
{
	char directory[PATH_MAX];
	struct stat status;
	if (geteuid() != 0 || strlen(path) >= sizeof(directory))
		return false;
	strcpy(directory, path);
	for (char *slash = strrchr(directory, '/'); slash && slash != directory; slash = strrchr(directory, '/')) {
		*slash = '\0';
		mode_t needed = S_IXOTH;
		if (stat(directory, &status) < 0)
			return false;
		if (status.st_uid == 0)
			needed = S_IXUSR;
		else if (status.st_gid == getegid())
			needed = S_IXGRP;
		if (!(status.st_mode & needed))
			return true;
	}
	return false;
}

/* The canonical path where a socket is now and the view does not empty it anyway, or NULL. */
static const char *reachable_path(const struct pinfold_host *host, const struct scene *scene,
				  const char *path)
{
	char *canonical = realpath(path, NULL);
	const char *result = NULL;
	struct stat status;
	if (canonical && lstat(canonical, &status) == 0 && S_ISSOCK(status.st_mode) &&
	    !scene_empties(scene, canonical) && !path_lies_in(canonical, "/dev") &&
	    !is_allowed(scene->policy, canonical) && !is_closed(canonical))
		result = host->print(host, "%s", canonical);
	free(canonical);
	return result;
}

int sockets_read(const struct pinfold_host *host, struct scene *scene)
{
	const char *const *paths;
	size_t count, kept = 0;
	char *text = below_read_table(host, "/proc/net/unix");
	if (!text || sockets_parse(host, text, &paths, &count) < 0)
		return -1;
	const char **outside = host->allocate(host, (count + 1) * sizeof(*outside));
	if (!outside)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const char *path = scene_empties(scene, paths[i]) ?
					   NULL : reachable_path(host, scene, paths[i]);
		if (path)
			outside[kept++] = path;
	}
	scene->sockets = outside;
	scene->socket_count = kept;
	return 0;
}
