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

static uint32_t hash_of(const char *path)
{
	uint32_t hash = 2166136261u;
	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 16777619u;
	return hash;
}

/* The slot of a path, which is 0 where no row has it. */
static uint32_t *find_slot(const struct makes *makes, const char *path)
{
	for (size_t at = hash_of(path);; at++) {
		uint32_t *slot = &makes->slots[at & (makes->slot_count - 1)];
		if (*slot == 0 || strcmp(makes->rows[*slot - 1].path, path) == 0)
			return slot;
	}
}

static int grow(const struct pinfold_host *host, struct makes *makes)
{
	size_t room = makes->room ? makes->room * 2 : 32;
	struct make *rows = host->allocate(host, room * sizeof(*rows));
	uint32_t *slots = host->allocate(host, 2 * room * sizeof(*slots));
	if (!rows || !slots)
		return -1;
	if (makes->count)
		memcpy(rows, makes->rows, makes->count * sizeof(*rows));
	makes->rows = rows;
	makes->room = room;
	makes->slots = slots;
	makes->slot_count = 2 * room;
	for (size_t i = 0; i < makes->count; i++)
		*find_slot(makes, rows[i].path) = (uint32_t)i + 1;
	return 0;
}

static int add_row(const struct pinfold_host *host, struct makes *makes, struct make row)
{
	if (makes->count == makes->room && grow(host, makes) < 0)
		return -1;
	uint32_t *slot = find_slot(makes, row.path);
	if (*slot)
		return 0;
	makes->rows[makes->count++] = row;
	*slot = (uint32_t)makes->count;
	return 0;
}

/* A row for `path` and for every directory on the way to it. */
static int add_way(const struct pinfold_host *host, struct makes *makes, const char *base,
		   const char *rest, struct make last)
{
	for (const char *slash = rest; (slash = strchr(slash, '/')); slash++) {
		const char *path = host->print(host, "%s%.*s", base, (int)(slash - rest), rest);
		if (!path || add_row(host, makes, (struct make){ MAKE_DIRECTORY, 0755, path, NULL }) < 0)
			return -1;
	}
	last.path = host->print(host, "%s%s", base, rest);
	return last.path ? add_row(host, makes, last) : -1;
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
		     const char *path, struct make last)
{
	const char *rest = path + (in->path[1] ? strlen(in->path) : 0) + 1;
	if (in->temporary)
		return add_way(host, &layout->mount_points, "", rest, last);
	if (name_skeleton(host, layout, in) < 0)
		return -1;
	const char *base = host->print(host, "%s/", in->skeleton);
	return base ? add_way(host, &layout->skeleton, base, rest, last) : -1;
}

/* The innermost place that a path lies in. */
static struct place *find_around(struct layout *layout, const char *path)
{
	struct place *in = NULL;
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		if (place->kind == PLACE_BARE || path_lies_in(path, place->path))
			in = place;
	}
	return in;
}

static int add_runtime_directory(const struct pinfold_host *host, const struct scene *scene,
				 struct layout *layout)
{
	const char *path = scene->policy->runtime_dir;
	struct place *in = path ? find_around(layout, path) : NULL;
	if (!in || !place_is_empty(in))
		return 0;
	return add_point(host, layout, in, path, (struct make){ MAKE_DIRECTORY, 0700, NULL, NULL });
}

static int add_in_bare(const struct pinfold_host *host, struct layout *layout, const char *path,
		       struct make last)
{
	struct place *in = path && path[1] ? find_around(layout, path) : NULL;
	return in && in->kind == PLACE_BARE ? add_point(host, layout, in, path, last) : 0;
}

static int add_links(const struct pinfold_host *host, struct layout *layout, const struct pinfold_link *links,
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct make link = { MAKE_LINK, 0, NULL, links[i].to };
		if (add_in_bare(host, layout, links[i].from, link) < 0)
			return -1;
	}
	return 0;
}

/* A bare root has the caller's home, if only its name, the directories that can be listed alone, and the links
 * that lead to what is there. */
static int fill_bare(const struct pinfold_host *host, const struct scene *scene, struct layout *layout)
{
	static const struct make directory = { MAKE_DIRECTORY, 0755, NULL, NULL };
	const struct pinfold_policy *policy = scene->policy;
	if (add_in_bare(host, layout, policy->home, directory) < 0)
		return -1;
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		bool alone = path->kind == PINFOLD_PATH_READ && path->match == PINFOLD_MATCH_LITERAL;
		if (alone && add_in_bare(host, layout, path->path, directory) < 0)
			return -1;
	}
	if (add_links(host, layout, scene->links, scene->link_count) < 0)
		return -1;
	return add_links(host, layout, policy->links, policy->link_count);
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
		if ((place->kind == PLACE_BLANK || place->kind == PLACE_BARE) && name_skeleton(host, layout, place) < 0)
			return -1;
		/* The terminals' file system and the host's directories have their mount points. */
		if (!in || !place_is_empty(in))
			continue;
		uint32_t kind = place->directory ? MAKE_DIRECTORY : MAKE_FILE;
		if (add_point(host, layout, in, place->path, (struct make){ kind, 0755, NULL, NULL }) < 0)
			return -1;
	}
	if (scene->bare && fill_bare(host, scene, layout) < 0)
		return -1;
	return add_runtime_directory(host, scene, layout);
}
