/* plugins/namespaces/skeleton.c - decides what the one tmpfs of a run holds: devices' mount points, and
 * all that is shown empty. One file system in many places costs less than many file systems. */
#include "config.h"

#include "layout.h"

#include <string.h>

static const struct make beginning[] = {
	{ MAKE_DIRECTORY, 0555, "none", NULL },
	{ MAKE_FILE, 0444, "nothing", NULL },
	{ MAKE_FILE, 0666, "closed", NULL },	/* to connect to it is refused, not forbidden */
	{ MAKE_DIRECTORY, 0755, "dev", NULL },
	{ MAKE_DIRECTORY, 0755, "dev/pts", NULL },
	{ MAKE_FILE, 0666, "dev/null", NULL },
	{ MAKE_FILE, 0666, "dev/zero", NULL },
	{ MAKE_FILE, 0666, "dev/full", NULL },
	{ MAKE_FILE, 0666, "dev/random", NULL },
	{ MAKE_FILE, 0666, "dev/urandom", NULL },
	{ MAKE_FILE, 0666, "dev/tty", NULL },
	{ MAKE_LINK, 0, "dev/ptmx", "pts/ptmx" },
	{ MAKE_LINK, 0, "dev/fd", "/proc/self/fd" },
	{ MAKE_LINK, 0, "dev/stdin", "/proc/self/fd/0" },
	{ MAKE_LINK, 0, "dev/stdout", "/proc/self/fd/1" },
	{ MAKE_LINK, 0, "dev/stderr", "/proc/self/fd/2" },
	{ MAKE_DIRECTORY, 01777, "shm", NULL },
};

const struct make *skeleton_beginning(size_t *ret_count)
{
	*ret_count = sizeof(beginning) / sizeof(beginning[0]);
	return beginning;
}

static bool has_row(const struct makes *makes, const char *path)
{
	for (size_t i = 0; i < makes->count; i++)
		if (strcmp(makes->rows[i].path, path) == 0)
			return true;
	return false;
}

static int add_row(const struct pinfold_host *host, struct makes *makes, struct make row)
{
	if (has_row(makes, row.path))
		return 0;
	if (makes->count == makes->room) {
		size_t room = makes->room ? makes->room * 2 : 32;
		struct make *rows = host->allocate(host, room * sizeof(*rows));
		if (!rows)
			return -1;
		if (makes->count)
			memcpy(rows, makes->rows, makes->count * sizeof(*rows));
		makes->rows = rows;
		makes->room = room;
	}
	makes->rows[makes->count++] = row;
	return 0;
}

/* A row for `path` and for every directory on the way to it. */
static int add_way(const struct pinfold_host *host, struct makes *makes, const char *base,
		   const char *rest, uint32_t kind, uint32_t mode)
{
	for (const char *slash = rest; (slash = strchr(slash, '/')); slash++) {
		const char *path = host->print(host, "%s%.*s", base, (int)(slash - rest), rest);
		if (!path || add_row(host, makes, (struct make){ MAKE_DIRECTORY, 0755, path, NULL }) < 0)
			return -1;
	}
	const char *path = host->print(host, "%s%s", base, rest);
	return path ? add_row(host, makes, (struct make){ kind, mode, path, NULL }) : -1;
}

static int name_skeleton(const struct pinfold_host *host, struct layout *layout,
			 struct place *place)
{
	if (place->skeleton)
		return 0;
	place->skeleton = host->print(host, "at%zu", (size_t)(place - layout->places));
	if (!place->skeleton)
		return -1;
	return add_row(host, &layout->skeleton,
		       (struct make){ MAKE_DIRECTORY, 0755, place->skeleton, NULL });
}

/* Makes `path` exist in the empty place that it lies in. */
static int add_point(const struct pinfold_host *host, struct layout *layout, struct place *in,
		     const char *path, uint32_t kind, uint32_t mode)
{
	const char *rest = path + strlen(in->path) + 1;
	if (in->temporary)
		return add_way(host, &layout->mount_points, "", rest, kind, mode);
	if (name_skeleton(host, layout, in) < 0)
		return -1;
	const char *base = host->print(host, "%s/", in->skeleton);
	return base ? add_way(host, &layout->skeleton, base, rest, kind, mode) : -1;
}

static int add_runtime_directory(const struct pinfold_host *host, const struct scene *scene,
				 struct layout *layout)
{
	const char *path = scene->policy->runtime_dir;
	struct place *in = NULL;
	for (size_t i = 0; path && i < layout->count; i++)
		if (path_lies_in(path, layout->places[i].path))
			in = &layout->places[i];
	if (!in || !place_is_empty(in))
		return 0;
	return add_point(host, layout, in, path, MAKE_DIRECTORY, 0700);
}

int skeleton_lay_out(const struct pinfold_host *host, const struct scene *scene,
		     struct layout *layout)
{
	for (size_t i = 0; i < sizeof(beginning) / sizeof(beginning[0]); i++)
		if (add_row(host, &layout->skeleton, beginning[i]) < 0)
			return -1;
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		struct place *in = (struct place *)place->around;
		if (place->kind == PLACE_BLANK && name_skeleton(host, layout, place) < 0)
			return -1;
		/* The terminals' file system and the host's directories have their mount points. */
		if (!in || !place_is_empty(in))
			continue;
		if (add_point(host, layout, in, place->path,
			      place->directory ? MAKE_DIRECTORY : MAKE_FILE, 0755) < 0)
			return -1;
	}
	return add_runtime_directory(host, scene, layout);
}
