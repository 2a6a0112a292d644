/* plugins/namespaces/layout.c - decides which places of the view differ from the host's, and in which
 * order they are laid: each after the one that it lies in. Touches nothing. */
#include "config.h"

#include "gaps.h"
#include "layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

struct identity identity_of(uint64_t device, uint64_t inode)
{
	return (struct identity){ major(device), minor(device), inode };
}

bool path_lies_in(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	return strncmp(path, directory, length) == 0 && path[length] == '/';
}

static struct place *add_place(struct layout *layout, uint32_t kind, uint32_t rank,
			       const char *path)
{
	struct place *place = &layout->places[layout->count++];
	*place = (struct place){ .kind = kind, .rank = rank, .path = path, .tree = -1, .below = -1 };
	return place;
}

static int refuse(const struct pinfold_host *host, struct pinfold_error *err, uint32_t code,
		  const char *subject, const char *recovery)
{
	return host->fail(err, code, 0, "lay out what the command sees", subject, recovery);
}

/* The kernel's own directories are mounted anew, which would bury a tree in them. */
static int check_tree(const struct pinfold_host *host, const struct pinfold_shown *shown,
		      struct pinfold_error *err)
{
	static const char *const kernel[] = { "/proc", "/sys", "/dev" };
	const char *tree = shown->tree;
	if (shown->kind > PINFOLD_SHOW_OVERLAY ||
	    (shown->kind == PINFOLD_SHOW_OVERLAY && !PINFOLD_REACHES(shown, session)))
		return refuse(host, err, PINFOLD_E_SANDBOX_DENIED, "a view that this arm does not know",
			      "use the view `copy`");
	if (strcmp(tree, "/") == 0)
		return refuse(host, err, PINFOLD_E_SANDBOX_DENIED, "/",
			      "choose a working tree below the root, with -C DIR");
	for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++) {
		bool inside = strcmp(tree, kernel[i]) == 0 || path_lies_in(tree, kernel[i]);
		if (inside && !path_lies_in(tree, "/dev/shm"))
			return refuse(host, err, PINFOLD_E_SANDBOX_DENIED, tree,
				      "choose a working tree outside of /proc, /sys and /dev, with -C DIR");
	}
	return 0;
}

/* Without an upper part the layer lies in memory. */
static int add_parts(const struct pinfold_host *host, struct place *place, const struct pinfold_shown *shown)
{
	const struct pinfold_layer *beneath = PINFOLD_REACHES(shown, beneath) ? shown->beneath : NULL;
	const struct pinfold_layer layer = {
		.upper = shown->upper, .work = shown->work,
		.upper_device = shown->upper_device, .upper_inode = shown->upper_inode,
		.work_device = shown->work_device, .work_inode = shown->work_inode,
	};
	if (!shown->upper)
		return 0;
	bool trial = beneath || shown->kind == PINFOLD_SHOW_DIRECTORY;
	struct parts *parts = kept_parts(host, &layer, shown->session && !trial);
	place->kept = parts;
	if (!parts || !beneath)
		return parts ? 0 : -1;
	parts->beneath = kept_parts(host, beneath, true);
	return parts->beneath ? 0 : -1;
}

/* A trial leaves nothing in the command's copy where an overlay can lie over that. */
static bool is_overlaid(const struct pinfold_host *host, const struct pinfold_shown *shown)
{
	return shown->kind == PINFOLD_SHOW_OVERLAY ||
	       (PINFOLD_REACHES(shown, work_inode) && shown->upper && !host->setting(host, "wrapper") &&
		kept_can(host, shown));
}

static int add_tree(const struct pinfold_host *host, struct layout *layout, const struct pinfold_shown *shown)
{
	bool overlay = is_overlaid(host, shown);
	struct place *place = add_place(layout, overlay ? PLACE_OVER : PLACE_SHOW, RANK_TREE, shown->tree);
	place->from = shown->source;
	place->identity = identity_of(shown->source_device, shown->source_inode);
	place->directory = true;
	place->host = PINFOLD_HAS(shown, layers) || strcmp(shown->source, shown->tree) == 0;
	return overlay ? add_parts(host, place, shown) : 0;
}

static bool is_in_region(const struct scene *scene, const char *path)
{
	for (size_t i = 0; i < scene->region_count; i++) {
		const char *region = scene->regions[i].path;
		if (scene->regions[i].layer && (scene->whole || strcmp(path, region) == 0 ||
						path_lies_in(path, region)))
			return true;
	}
	return false;
}

/* A directory alone is held in place, and what is in it can be written. */
static void guard(struct place *place, const struct pinfold_path *path)
{
	place->held = true;
	place->guarded = path->match != PINFOLD_MATCH_LITERAL;
	place->firm = path->hard;
	if (path->inode == 0)
		place->kind = PLACE_ABSENT;
}

/* What every process needs is there in any case; and a directory that can be listed alone is one of the root's
 * that is made for what lies in it. */
static bool is_no_place(const struct pinfold_path *path)
{
	static const char *const kernel[] = { "/proc", "/dev" };
	if (path->kind == PINFOLD_PATH_READ && (path->match == PINFOLD_MATCH_LITERAL || S_ISSOCK(path->mode)))
		return true;
	for (size_t i = 0; path->kind > PINFOLD_PATH_LAYER && i < sizeof(kernel) / sizeof(kernel[0]); i++)
		if (strcmp(path->path, kernel[i]) == 0 || path_lies_in(path->path, kernel[i]))
			return true;
	return false;
}

static int add_named(const struct pinfold_host *host, struct layout *layout, const struct scene *scene,
		     const struct pinfold_path *path, struct pinfold_error *err)
{
	static const struct { uint32_t kind, rank; } rows[] = {
		[PINFOLD_PATH_HIDE] = { PLACE_HIDE, RANK_HIDE },
		[PINFOLD_PATH_WRITE] = { PLACE_SHOW, RANK_WRITE },
		[PINFOLD_PATH_LAYER] = { PLACE_LAYER, RANK_WRITE },
		[PINFOLD_PATH_READ] = { PLACE_SHOW, RANK_READ },
		[PINFOLD_PATH_EXECUTE] = { PLACE_PIN, RANK_LAST },
		[PINFOLD_PATH_PROTECT] = { PLACE_PIN, RANK_LAST },
		[PINFOLD_PATH_SOCKET] = { PLACE_SHOW, RANK_WRITE },
	};
	if (!gaps_takes(scene, path) || is_no_place(path))
		return 0;
	if (path->kind >= sizeof(rows) / sizeof(rows[0]))
		return refuse(host, err, PINFOLD_E_POLICY, path->path,
			      "update the plugin: it does not know this kind of path");
	if (path->path[0] != '/' || path->path[1] == '\0')
		return refuse(host, err, PINFOLD_E_POLICY, path->path,
			      "name directories below the root instead of the root itself");
	bool layer = path->kind == PINFOLD_PATH_LAYER && path->keep != 1;
	/* What lies below a layer as all the rest does needs none of its own. */
	if (layer && is_in_region(scene, path->path))
		return 0;
	bool kept = layer && scene->region_count > 0;
	struct place *place = add_place(layout, kept ? PLACE_WHOLE : rows[path->kind].kind,
					rows[path->kind].rank, path->path);
	place->from = path->path;
	place->identity = identity_of(path->device, path->inode);
	place->directory = S_ISDIR(path->mode);
	place->file = !place->directory;
	place->device = S_ISCHR(path->mode);
	place->host = path->kind == PINFOLD_PATH_WRITE;
	place->keep = path->keep == 1;
	place->read_only = path->kind == PINFOLD_PATH_SOCKET || path->kind == PINFOLD_PATH_READ;
	place->executable = path->kind == PINFOLD_PATH_EXECUTE;
	if (path->kind == PINFOLD_PATH_PROTECT)
		guard(place, path);
	return 0;
}

/* Every directory between a writable place and a hidden or protected one in it, so that the command cannot
 * move what is there to where the next run would see it, nor put something else in its place. */
static int add_pins(const struct pinfold_host *host, struct layout *layout,
		    const struct place *held)
{
	const char *path = held->path;
	size_t base = held->around && held->around->path[1] ? strlen(held->around->path) : 0;
	for (const char *slash = path + base + 1;
	     (slash = strchr(slash, '/')); slash++) {
		char *parent = host->allocate(host, (size_t)(slash - path) + 1);
		if (!parent)
			return -1;
		memcpy(parent, path, (size_t)(slash - path));
		add_place(layout, PLACE_PIN, RANK_MINOR, parent);
	}
	return 0;
}

bool scene_empties(const struct scene *scene, const char *path)
{
	for (size_t i = 0; i < 2; i++) {
		const char *blank = scene->blank[i], *temporary = scene->temporary[i];
		if ((blank && (strcmp(path, blank) == 0 || path_lies_in(path, blank))) ||
		    (temporary && (strcmp(path, temporary) == 0 || path_lies_in(path, temporary))))
			return true;
	}
	return false;
}

static void add_own(struct layout *layout, const struct scene *scene)
{
	if (scene->bare)
		add_place(layout, PLACE_BARE, RANK_TREE, "/");
	add_place(layout, PLACE_DEVICES, RANK_KERNEL, "/dev")->skeleton = "dev";
	add_place(layout, PLACE_BLANK, RANK_OWN, "/dev/shm")->skeleton = "shm";
	if (scene->fresh_proc)
		add_place(layout, PLACE_PROC, RANK_KERNEL, "/proc")->read_only = scene->root;
	else
		add_place(layout, PLACE_HIDE, RANK_KERNEL, "/proc");
	for (size_t i = 0; i < 2; i++)
		if (scene->blank[i])
			add_place(layout, PLACE_BLANK, RANK_OWN, scene->blank[i]);
	if (scene->policy->runtime_dir && !scene_empties(scene, scene->policy->runtime_dir))
		add_place(layout, PLACE_BLANK, RANK_OWN, scene->policy->runtime_dir);
	if (scene->policy->scratch)
		add_place(layout, PLACE_HIDE, RANK_HIDE, scene->policy->scratch);
	if (scene->resolver) {
		struct place *place = add_place(layout, PLACE_SHOW, RANK_MINOR, scene->resolver);
		place->from = scene->resolver;
		place->read_only = true;
	}
	for (size_t i = 0; i < scene->socket_count; i++)
		add_place(layout, PLACE_SOCKET, RANK_MINOR, scene->sockets[i]);
}

static void add_regions(struct layout *layout, const struct scene *scene)
{
	for (size_t i = 0; i < scene->region_count; i++) {
		const struct region *region = &scene->regions[i];
		struct place *place = add_place(layout, region->layer ? PLACE_WHOLE : PLACE_SHOW, RANK_MACHINE,
						region->path);
		place->from = region->path;
		place->identity = region->identity;
		place->directory = region->directory;
		place->read_only = !region->layer;
		place->below = region->below;
	}
}

static void add_private(struct layout *layout, const struct scene *scene, const char *path)
{
	struct place *place = add_place(layout, PLACE_SHOW, RANK_OWN, path);
	place->from = scene->private_source;
	place->identity = scene->private_identity;
	place->directory = place->temporary = true;
}

/* A slash sorts before every other byte, so that what lies in a directory follows it at once. */
static int compare_paths(const char *left, const char *right)
{
	while (*left && *left == *right)
		left++, right++;
	int a = *left == '/' ? 1 : (unsigned char)*left + 1;
	int b = *right == '/' ? 1 : (unsigned char)*right + 1;
	return (*left ? a : 0) - (*right ? b : 0);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = compare_paths(a->path, b->path);
	return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* A layer over the root is its own, and nothing lies in it that is not laid by itself. */
static bool lies_in_place(const char *path, const struct place *place)
{
	return place->kind == PLACE_BARE ? path[1] != '\0' : path_lies_in(path, place->path);
}

/* What is pinned anyway may also be what the policy protects. */
static void take_over(struct place *last, const struct place *other)
{
	last->held |= other->held;
	last->guarded |= other->guarded;
	last->executable |= other->executable;
	last->firm |= other->firm;
	if (last->kind == PLACE_PIN && other->kind == PLACE_PIN && last->identity.inode == 0) {
		last->identity = other->identity;
		last->file = other->file;
	}
}

void layout_order(struct layout *layout)
{
	size_t kept = 0;
	qsort(layout->places, layout->count, sizeof(layout->places[0]), compare_places);
	for (size_t i = 0; i < layout->count; i++) {
		struct place *last = kept ? &layout->places[kept - 1] : NULL;
		if (last && strcmp(last->path, layout->places[i].path) == 0)
			take_over(last, &layout->places[i]);
		else
			layout->places[kept++] = layout->places[i];
	}
	layout->count = kept;
	for (size_t i = 0; i < kept; i++) {
		const struct place *around = i ? &layout->places[i - 1] : NULL;
		while (around && !lies_in_place(layout->places[i].path, around))
			around = around->around;
		layout->places[i].around = around;
	}
}

bool place_is_empty(const struct place *place)
{
	return place->kind == PLACE_BLANK || place->kind == PLACE_BARE || place->kind == PLACE_HIDE ||
	       place->kind == PLACE_DEVICES || place->temporary;
}

static int say_places(const struct pinfold_host *host, struct layout *layout)
{
	static const char *const verbs[] = {
		[PLACE_SHOW] = "show", [PLACE_LAYER] = "lay a private layer over",
		[PLACE_WHOLE] = "lay a layer over",
		[PLACE_OVER] = "lay an overlay over",
		[PLACE_BLANK] = "empty", [PLACE_BARE] = "empty", [PLACE_HIDE] = "hide", [PLACE_SOCKET] = "close the socket",
		[PLACE_PIN] = "hold in place", [PLACE_ABSENT] = "keep away", [PLACE_PROC] = "mount", [PLACE_DEVICES] = "lay out",
	};
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		const char *verb = place->kind != PLACE_PIN ? verbs[place->kind] :
				   place->guarded ? "protect" :
				   place->executable ? "let execute" : verbs[PLACE_PIN];
		place->what = host->print(host, "%s %s", verb, place->path);
		if (!place->what)
			return -1;
	}
	return 0;
}

static int check_clashes(const struct pinfold_host *host, const struct layout *layout,
			 const struct pinfold_policy *policy, const char *tree,
			 struct pinfold_error *err)
{
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_HIDE &&
		    policy->paths[i].match == PINFOLD_MATCH_SUBTREE && strcmp(policy->paths[i].path, tree) == 0)
			return refuse(host, err, PINFOLD_E_POLICY, tree,
				      "take the working tree out of the list of hidden paths");
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		if (place->around && place->around->kind == PLACE_PROC && place->kind != PLACE_HIDE)
			return refuse(host, err, PINFOLD_E_POLICY, place->path,
				      "name no path below /proc: the command gets one of its own");
	}
	return 0;
}

static size_t count_slashes(const char *path)
{
	size_t count = 0;
	for (; path && *path; path++)
		count += *path == '/';
	return count;
}

/* The most places that there can be before the pins; and those: one for each slash of a hidden path. */
static size_t most_places(const struct scene *scene)
{
	const struct pinfold_policy *policy = scene->policy;
	size_t most = 16 + policy->path_count + scene->socket_count + scene->region_count + count_slashes(policy->scratch);
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_HIDE || policy->paths[i].kind == PINFOLD_PATH_PROTECT)
			most += count_slashes(policy->paths[i].path);
	return most;
}

static int add_all(const struct pinfold_host *host, const struct scene *scene,
		   struct layout *layout, struct pinfold_error *err)
{
	layout->places = host->allocate(host, most_places(scene) * sizeof(layout->places[0]));
	if (!layout->places || add_tree(host, layout, scene->shown) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "lay out what the command sees", NULL, NULL);
	for (size_t i = 0; i < scene->policy->path_count; i++)
		if (add_named(host, layout, scene, &scene->policy->paths[i], err) < 0)
			return -1;
	add_own(layout, scene);
	add_regions(layout, scene);
	for (size_t i = 0; i < 2; i++)
		if (scene->temporary[i])
			add_private(layout, scene, scene->temporary[i]);
	layout_order(layout);
	return 0;
}

/* The first private place, or where the directory really lies when the tree or the policy has taken
 * the usual ones. */
static void choose_temporary(struct layout *layout, const struct scene *scene)
{
	for (size_t i = 0; i < 2 && scene->temporary[i]; i++)
		for (size_t k = 0; k < layout->count; k++)
			if (layout->places[k].temporary &&
			    strcmp(layout->places[k].path, scene->temporary[i]) == 0) {
				layout->temporary = layout->places[k].path;
				return;
			}
	add_private(layout, scene, scene->private_source);
	layout->temporary = scene->private_source;
	layout_order(layout);
}

int layout_make(const struct pinfold_host *host, const struct scene *scene,
		struct layout *ret_layout, struct pinfold_error *err)
{
	struct layout layout = { 0 };
	if (check_tree(host, scene->shown, err) < 0 || add_all(host, scene, &layout, err) < 0)
		return -1;
	choose_temporary(&layout, scene);
	if (check_clashes(host, &layout, scene->policy, scene->shown->tree, err) < 0)
		return -1;
	int result = 0;
	if (scene->bare)
		guards_drop_sights(&layout);
	size_t count = layout.count;
	for (size_t i = 0; result == 0 && i < count; i++) {
		const struct place *place = &layout.places[i];
		if ((place->kind == PLACE_HIDE && place->around && place->around->host) ||
		    (place->held && guards_can_write(scene, place)))
			result = add_pins(host, &layout, place);
	}
	layout_order(&layout);
	guards_spread(scene, &layout);
	if (result == 0)
		result = guards_note_absent(host, scene, &layout);
	guards_drop_needless(scene, &layout);
	if (result < 0 || skeleton_lay_out(host, scene, &layout) < 0 || say_places(host, &layout) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "lay out what the command sees", NULL, NULL);
	*ret_layout = layout;
	return 0;
}
