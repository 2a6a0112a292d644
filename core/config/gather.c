/* config/gather.c - every file and setting that has a say, read and checked, in order of layers. */
#include "config.h"

#include "config/gather.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/places.h"
#include "base/text.h"
#include "config/presets.h"
#include "config/source.h"

#include <fcntl.h>

static int add_draft(struct arena *arena, struct draft ***drafts, size_t *count, size_t *room,
		     struct draft *draft, struct pinfold_error *err)
{
	if (*count == *room) {
		size_t more = *room ? *room * 2 : 8;
		struct draft **bigger = arena_allocate(arena, more * sizeof(struct draft *));
		if (!bigger)
			return fault_no_memory(err);
		if (*count > 0)
			memcpy(bigger, *drafts, *count * sizeof(struct draft *));
		*drafts = bigger;
		*room = more;
	}
	(*drafts)[(*count)++] = draft;
	return 0;
}

static struct draft *draft_new(struct arena *arena, enum layer layer, const char *file)
{
	struct draft *draft = arena_allocate(arena, sizeof(*draft));
	if (draft)
		*draft = (struct draft){ .layer = layer, .file = file };
	return draft;
}

/* Parses the bytes of a file into a draft of its own. */
static int read_draft(struct gathered *gathered, enum layer layer, const char *path,
		      const char *data, size_t bytes, struct draft **ret_draft,
		      struct pinfold_error *err)
{
	struct draft *draft = draft_new(gathered->maker.arena, layer, path);
	if (!draft)
		return fault_no_memory(err);
	if (draft_read(draft, &gathered->maker, data, bytes, err) < 0)
		return -1;
	*ret_draft = draft;
	return 0;
}

static int add_layer(struct gathered *gathered, enum layer layer, const char *path,
		     const char *data, size_t bytes, struct pinfold_error *err)
{
	struct draft *draft;
	if (read_draft(gathered, layer, path, data, bytes, &draft, err) < 0)
		return -1;
	return add_draft(gathered->maker.arena, &gathered->drafts, &gathered->count,
			 &gathered->room, draft, err);
}

/* 1: read, 0: there is no such file. */
static int gather_file(struct gathered *gathered, enum layer layer, int at, const char *name,
		       const char *path, struct pinfold_error *err)
{
	auto_free char *data = NULL;
	size_t bytes = 0;
	int found = source_read(at, name, path, &data, &bytes, err);
	if (found <= 0)
		return found;
	return add_layer(gathered, layer, path, data, bytes, err) < 0 ? -1 : 1;
}

static int gather_directory(struct gathered *gathered, enum layer layer, int fd, const char *path,
			    struct pinfold_error *err)
{
	auto_list struct list names = { 0 };
	if (source_list(fd, path, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		const char *file =
			arena_print(gathered->maker.arena, "%s/%s", path, names.items[i]);
		if (!file)
			return fault_no_memory(err);
		if (gather_file(gathered, layer, fd, names.items[i], file, err) < 0)
			return -1;
	}
	return 0;
}

static int gather_vendor(struct gathered *gathered, struct pinfold_error *err)
{
	const char *path = gathered->vendor;
	if (*path && source_open_directory(AT_FDCWD, path, path, &gathered->vendor_fd, err) < 0)
		return -1;
	if (gathered->vendor_fd < 0)
		return 0;
	return gather_directory(gathered, LAYER_VENDOR, gathered->vendor_fd, path, err);
}

static int gather_site(struct gathered *gathered, struct pinfold_error *err)
{
	const char *path = gathered->site;
	if (*path && source_open_directory(AT_FDCWD, path, path, &gathered->site_fd, err) < 0)
		return -1;
	if (gathered->site_fd < 0)
		return 0;
	const char *file = arena_print(gathered->maker.arena, "%s/pinfold.conf", path);
	const char *further = arena_print(gathered->maker.arena, "%s/conf.d", path);
	if (!file || !further)
		return fault_no_memory(err);
	if (gather_file(gathered, LAYER_SITE, gathered->site_fd, "pinfold.conf", file, err) < 0)
		return -1;
	auto_close int fd = -1;
	int found = source_open_directory(gathered->site_fd, "conf.d", further, &fd, err);
	return found > 0 ? gather_directory(gathered, LAYER_SITE, fd, further, err) : found;
}

static int gather_user(struct gathered *gathered, const char *path, struct pinfold_error *err)
{
	const char *directory = getenv("XDG_CONFIG_HOME");
	if (!path && directory && directory[0] == '/') {
		path = arena_print(gathered->maker.arena, "%s/pinfold/pinfold.conf", directory);
	} else if (!path) {
		directory = value_home(&gathered->maker);
		if (!directory)
			return 0;
		path = arena_print(gathered->maker.arena, "%s/.config/pinfold/pinfold.conf",
				   directory);
	} else if (!*path) {
		return 0;
	} else {
		path = arena_copy(gathered->maker.arena, path);
	}
	if (!path)
		return fault_no_memory(err);
	return gather_file(gathered, LAYER_USER, AT_FDCWD, path, path, err);
}

static int gather_named(struct gathered *gathered, const char *path, struct pinfold_error *err)
{
	auto_free char *data = NULL;
	size_t bytes;
	if (!path)
		return 0;
	const char *kept = arena_copy(gathered->maker.arena, path);
	if (!kept)
		return fault_no_memory(err);
	if (source_read_named(path, &data, &bytes, err) < 0)
		return -1;
	return add_layer(gathered, LAYER_FILE, kept, data, bytes, err);
}

/* Each setting is a draft of its own: the last of two for one key wins, and lists add up. */
static int gather_settings(struct gathered *gathered, const char *const *settings,
			   struct pinfold_error *err)
{
	struct arena *arena = gathered->maker.arena;
	for (unsigned i = 0; settings && settings[i]; i++) {
		struct draft *draft = draft_new(arena, LAYER_SETTINGS, "--set");
		if (!draft)
			return fault_no_memory(err);
		if (draft_set(draft, &gathered->maker, settings[i], i + 1, err) < 0 ||
		    add_draft(arena, &gathered->drafts, &gathered->count, &gathered->room, draft,
			      err) < 0)
			return -1;
	}
	return 0;
}

int gather_layers(struct gathered *gathered, struct arena *arena,
		  const struct config_sources *sources, struct pinfold_error *err)
{
	const char *vendor = sources->vendor ? sources->vendor : places_vendor();
	const char *site = sources->site ? sources->site : places_site();
	*gathered = (struct gathered){
		.maker = { .arena = arena },
		.vendor = arena_copy(arena, vendor),
		.site = arena_copy(arena, site),
		.vendor_fd = -1,
		.site_fd = -1,
	};
	if (!gathered->vendor || !gathered->site)
		return fault_no_memory(err);
	if (gather_vendor(gathered, err) < 0 || gather_site(gathered, err) < 0 ||
	    gather_user(gathered, sources->user, err) < 0 ||
	    gather_named(gathered, sources->file, err) < 0)
		return -1;
	return gather_settings(gathered, sources->settings, err);
}

/* Looks for a preset in one directory: 1, 0 for none, or -1. */
static int read_preset(struct gathered *gathered, int at, const char *directory, const char *name,
		       struct draft **ret_draft, struct pinfold_error *err)
{
	auto_close int fd = -1;
	auto_free char *data = NULL;
	size_t bytes = 0;
	const char *path = arena_print(gathered->maker.arena, "%s/presets", directory);
	const char *file = arena_print(gathered->maker.arena, "%s/presets/%s.conf", directory, name);
	if (!path || !file)
		return fault_no_memory(err);
	int found = at < 0 ? 0 : source_open_directory(at, "presets", path, &fd, err);
	if (found > 0)
		found = source_read(fd, strrchr(file, '/') + 1, file, &data, &bytes, err);
	if (found <= 0)
		return found;
	return read_draft(gathered, LAYER_PRESET, file, data, bytes, ret_draft, err) < 0 ? -1 : 1;
}

enum { VERSION_MOST = 16 };

/* Of a name alone the latest version that there is. */
static int find_version(struct gathered *gathered, int at, const char *directory, const char *name,
			struct draft **ret_draft, struct pinfold_error *err)
{
	int found = 0;
	for (int version = VERSION_MOST; found == 0 && !strchr(name, '@') && version > 0; version--) {
		const char *versioned = arena_print(gathered->maker.arena, "%s@%d", name, version);
		if (!versioned)
			return fault_no_memory(err);
		found = read_preset(gathered, at, directory, versioned, ret_draft, err);
	}
	return found;
}

int gather_preset(struct gathered *gathered, const char *name, struct place asked,
		  const struct draft **ret_preset, struct pinfold_error *err)
{
	size_t count = gathered->preset_names.count;
	for (size_t i = 0; i < count; i++)
		if (streq(gathered->preset_names.items[i], name)) {
			*ret_preset = gathered->presets[i];
			return 0;
		}
	struct draft *draft = NULL;
	int found = read_preset(gathered, gathered->site_fd, gathered->site, name, &draft, err);
	if (found == 0)
		found = read_preset(gathered, gathered->vendor_fd, gathered->vendor, name, &draft, err);
	if (found == 0)
		found = find_version(gathered, gathered->site_fd, gathered->site, name, &draft, err);
	if (found == 0)
		found = find_version(gathered, gathered->vendor_fd, gathered->vendor, name, &draft, err);
	if (found < 0)
		return -1;
	if (found == 0)
		return presets_refuse(gathered, name, asked, err);
	if (add_draft(gathered->maker.arena, &gathered->presets, &count, &gathered->preset_room,
		      draft, err) < 0 ||
	    value_append(gathered->maker.arena, &gathered->preset_names, name, err) < 0)
		return -1;
	*ret_preset = draft;
	return 0;
}

void gather_release(struct gathered *gathered)
{
	cleanup_fd(&gathered->vendor_fd);
	cleanup_fd(&gathered->site_fd);
}
