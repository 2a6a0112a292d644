/* tree/glimpse.c - a look at what a session has, before it is opened and while another works in it. */
#include "config.h"

#include "tree/glimpse.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/text.h"
#include "tree/elsewhere.h"
#include "tree/inside.h"
#include "tree/layer.h"
#include "tree/scratch.h"
#include "tree/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static bool may_be_program(const struct stamp *stamp)
{
	return S_ISLNK(stamp->mode) || (S_ISREG(stamp->mode) && stamp->mode & 0111);
}

/* At `rest` below a copy's directory, which has all that there is, or a layer's, which has only what was
 * changed. */
static enum glimpse look(int held, const char *rest, bool layer)
{
	const char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;
	struct stamp stamp;
	auto_free char *directory = strndup(rest, slash ? (size_t)(slash - rest) : 0);
	auto_close int dir = directory ? inside_open(held, directory, O_PATH, INSIDE_ONE_MOUNT) : -1;
	if (dir < 0 || stamp_read(dir, name, &stamp) < 0)
		return layer || (errno != ENOENT && errno != ENOTDIR) ? GLIMPSE_UNKNOWN : GLIMPSE_NOTHING;
	if (layer && layer_is_whiteout(dir, name, &stamp))
		return GLIMPSE_NOTHING;
	return may_be_program(&stamp) ? GLIMPSE_PROGRAM : GLIMPSE_NOTHING;
}

static enum glimpse look_in_tree(int slot, const char *rest)
{
	auto_close int copy = inside_open(slot, "tree", O_PATH, INSIDE_ONE_MOUNT);
	auto_close int upper = copy < 0 ? inside_open(slot, "upper", O_PATH, INSIDE_ONE_MOUNT) : -1;
	return copy < 0 && upper < 0 ? GLIMPSE_UNKNOWN : look(copy < 0 ? upper : copy, rest, copy < 0);
}

static enum glimpse look_elsewhere(int slot, const char *path)
{
	auto_close int layers = inside_open(slot, "layers", O_PATH, INSIDE_ONE_MOUNT);
	for (unsigned number = 0; layers >= 0; number++) {
		char name[ELSEWHERE_NAME + sizeof("/upper")];
		auto_free char *place = elsewhere_path(layers, number);
		if (!place)
			break;
		snprintf(name, sizeof(name), "%u/upper", number);
		const char *rest = path_below(path, place);
		auto_close int upper = rest && *rest ? inside_open(layers, name, O_PATH, INSIDE_ONE_MOUNT) : -1;
		if (upper >= 0)
			return look(upper, rest, true);
	}
	return GLIMPSE_UNKNOWN;
}

/* Without the links that are in its directory's path outside; its directory need not be there. */
static char *resolve(const char *path)
{
	const char *slash = strrchr(path, '/');
	auto_free char *directory = strndup(path, (size_t)(slash - path));
	auto_free char *real = directory ? path_canonical(*directory ? directory : "/") : NULL;
	return real ? path_join(real, slash + 1) : strdup(path);
}

enum glimpse glimpse_program(const struct config *config, const char *tree, const char *session,
			     const char *path)
{
	char home[HOME_ROOM], place[SLOT_ROOM];
	auto_free char *root_path = NULL, *real = resolve(path);
	auto_close int root = -1;
	if (!real || scratch_open(config, &root_path, &root, NULL) < 0)
		return GLIMPSE_UNKNOWN;
	home_name(tree, HOME_COPIES, home);
	snprintf(place, sizeof(place), "%s/=%s", home, session);
	auto_close int slot = inside_open(root, place, O_PATH, INSIDE_ONE_MOUNT);
	if (slot < 0)
		return GLIMPSE_UNKNOWN;
	const char *rest = path_below(real, tree);
	return rest && *rest ? look_in_tree(slot, rest) : look_elsewhere(slot, real);
}
