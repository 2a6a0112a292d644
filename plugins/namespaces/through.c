/* plugins/namespaces/through.c - the same view in the words of bubblewrap. It takes paths, not
 * descriptors, and makes what is missing, so each place is looked at first. */
#include "config.h"

#include "through.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int add_one(const struct pinfold_host *host, struct arguments *list, const char *item)
{
	if (list->count + 1 >= list->room) {
		size_t room = list->room ? list->room * 2 : 64;
		const char **items = host->allocate(host, room * sizeof(*items));
		if (!items)
			return -1;
		if (list->count)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = item;
	return 0;
}

/* Up to three words, NULL for fewer. */
static int add(const struct pinfold_host *host, struct arguments *list, const char *first,
	       const char *second, const char *third)
{
	int result = add_one(host, list, first);
	if (result == 0 && second)
		result = add_one(host, list, second);
	if (result == 0 && third)
		result = add_one(host, list, third);
	return result;
}

static int add_beginning(const struct pinfold_host *host, const struct scene *scene,
			 struct arguments *list)
{
	/* The second word for the user namespace insists on it; the first one only tries. */
	static const char *const beginning[] = { "--unshare-all", "--unshare-user", "--die-with-parent",
						 "--cap-drop", "ALL" };
	int result = 0;
	for (size_t i = 0; result == 0 && i < sizeof(beginning) / sizeof(beginning[0]); i++)
		result = add_one(host, list, beginning[i]);
	if (result == 0 && scene->policy->network == PINFOLD_NETWORK_HOST)
		result = add_one(host, list, "--share-net");
	return result < 0 ? -1 : add(host, list, "--ro-bind", "/", "/");
}

static int add_shown(const struct pinfold_host *host, struct arguments *list, const struct place *place)
{
	const char *verb = place->device ? "--dev-bind" : place->read_only ? "--ro-bind" : "--bind";
	return add(host, list, verb, place->from, place->path);
}

/* Over a file lies /dev/null, where devices do not work: it can be neither read nor written. */
static int add_cover(const struct pinfold_host *host, struct arguments *list, const struct place *place,
		     int mode)
{
	if (mode == 0 || (place->kind == PLACE_SOCKET && !S_ISSOCK(mode)))
		return 0;
	if (S_ISDIR(mode))
		return add(host, list, "--tmpfs", place->path, NULL);
	return add(host, list, "--ro-bind", "/dev/null", place->path);
}

/* Shared memory lies in the devices, which are to be read-only at last. */
static int add_blank(const struct pinfold_host *host, struct arguments *list, const struct place *place,
		     int mode)
{
	bool devices = place->around && place->around->kind == PLACE_DEVICES;
	if (!devices && mode == 0)
		return 0;
	if (devices && add(host, list, "--perms", "1777", NULL) < 0)
		return -1;
	return add(host, list, "--tmpfs", place->path, NULL);
}

static int refuse_layer(const struct pinfold_host *host, const struct place *place)
{
	say_not_layered(host, place->path, "[arm:namespaces] wrapper is set, and bubblewrap lays none");
	return 0;
}

static int add_place(const struct pinfold_host *host, const struct place *place, int mode,
		     struct arguments *list)
{
	switch (place->kind) {
	case PLACE_DEVICES:
		return add(host, list, "--dev", place->path, NULL);
	case PLACE_PROC:
		return add(host, list, "--proc", place->path, NULL);
	case PLACE_LAYER:
		return refuse_layer(host, place);
	case PLACE_PIN:
		if (place->read_only)
			return mode ? add(host, list, "--ro-bind", place->path, place->path) : 0;
		return S_ISDIR(mode) ? add(host, list, "--bind", place->path, place->path) : 0;
	case PLACE_BLANK:
		return add_blank(host, list, place, mode);
	case PLACE_SHOW:
		return add_shown(host, list, place);
	default:
		return add_cover(host, list, place, mode);
	}
}

/* What is to be read-only at last, when everything in it has been laid. */
static bool ends_read_only(const struct place *place, int mode)
{
	if (place->kind == PLACE_PROC)
		return place->read_only;
	return place->kind == PLACE_DEVICES || (place->kind == PLACE_HIDE && S_ISDIR(mode));
}

static int add_runtime_directory(const struct pinfold_host *host, const struct scene *scene,
				 struct arguments *list)
{
	const char *path = scene->policy->runtime_dir;
	if (!path || !scene_empties(scene, path))
		return 0;
	return add(host, list, "--perms", "0700", NULL) < 0 ? -1 : add(host, list, "--dir", path, NULL);
}

static int add_places(const struct pinfold_host *host, const struct layout *layout, look_for look,
		      struct arguments *list, struct pinfold_error *err)
{
	struct arguments last = { 0 };
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		int mode = look(place);
		if (mode < 0)
			return host->fail(err, PINFOLD_E_SANDBOX_DENIED, ELOOP, place->what, place->path,
					  "put back what the link has replaced");
		if (add_place(host, place, mode, list) < 0 ||
		    (ends_read_only(place, mode) && add(host, &last, "--remount-ro", place->path, NULL) < 0))
			return host->fail(err, PINFOLD_E_NO_MEMORY, 0, place->what, NULL, NULL);
	}
	for (size_t i = 0; i < last.count; i++)
		if (add_one(host, list, last.items[i]) < 0)
			return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "list mounts", NULL, NULL);
	return 0;
}

int through_options(const struct pinfold_host *host, const struct scene *scene,
		    const struct layout *layout, look_for look, struct arguments *ret_arguments,
		    struct pinfold_error *err)
{
	struct arguments list = { 0 };
	if (add_beginning(host, scene, &list) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "list mounts", NULL, NULL);
	if (add_places(host, layout, look, &list, err) < 0)
		return -1;
	if (add_runtime_directory(host, scene, &list) < 0 ||
	    add(host, &list, "--chdir", scene->shown->directory, NULL) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "list mounts", NULL, NULL);
	list.items[list.count] = NULL;
	*ret_arguments = list;
	return 0;
}
