/* tree/survey.c - one directory of a search for changes. */
#include "config.h"

#include "tree/survey.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "tree/inside.h"
#include "tree/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* The first trouble is the one that is told. */
int survey_fail(struct surveyor *surveyor, const char *name, int sys)
{
	struct survey *survey = surveyor->survey;
	struct text path = { 0 };
	text_addf(&path, "%s%s%s%s%s", survey->order->place, surveyor->path.length ? "/" : "",
		  surveyor->path.length ? surveyor->path.data : "", *name ? "/" : "", name);
	auto_free char *subject = text_take(&path);
	pthread_mutex_lock(&survey->lock);
	if (!survey->failed && sys == ENOMEM)
		fault_no_memory(survey->err);
	else if (!survey->failed)
		fault(survey->err, PINFOLD_E_TREE, sys, "look for what the command changed", subject,
		      "check the scratch directory; `pinfold discard` drops what the command left");
	survey->failed = 1;
	pthread_mutex_unlock(&survey->lock);
	return -1;
}

static bool is_within_one(const char *path, size_t bytes, const char *base)
{
	size_t length = strlen(base);
	return length <= bytes && memcmp(path, base, length) == 0 &&
	       (length == 0 || length == bytes || path[length] == '/');
}

/* Is the path asked for; or, when `leads`, may something below it be? */
static bool is_wanted(const struct survey *survey, const char *path, bool leads)
{
	const char *const *paths = survey->order->paths;
	if (!paths || !paths[0])
		return true;
	for (; *paths; paths++) {
		if (is_within_one(path, strlen(path), *paths))
			return true;
		if (leads && is_within_one(*paths, strlen(*paths), path))
			return true;
	}
	return false;
}

/* The path of a name in the site; `room` is the caller's to release. */
static const char *path_of(const struct surveyor *surveyor, const char *name, struct text *room)
{
	if (!*name)
		return surveyor->path.data;
	text_addf(room, "%s%s%s", surveyor->path.data, surveyor->path.length ? "/" : "", name);
	return room->failed ? NULL : room->data;
}

static const struct index_entry *entry_at(const struct surveyor *surveyor, uint32_t place)
{
	return place == SITE_NEW ? NULL : &surveyor->survey->order->base->entries[place];
}

static void fill_before(const struct surveyor *surveyor, const struct sighting *seen,
			struct change_side *side)
{
	const struct index_entry *old = seen->old;
	*side = (struct change_side){ .kind = CHANGE_NOTHING };
	side->flags = (uint8_t)((old ? old->flags : 0) | (surveyor->site->followed ? INDEX_FOLLOWED : 0));
	if (!old || old->flags & INDEX_ABSENT)
		return;
	side->kind = old->kind;
	side->young = stamp_is_young(old->ctime, surveyor->survey->order->base->header->began);
	/* A change in the tree within the same tick would not show. */
	side->unsure = old->flags & INDEX_UNSURE ||
		       (side->young && old->kind == INDEX_FILE && old->digest == 0);
	side->identity = old->identity;
	side->digest = old->digest;
	side->stamp = (struct stamp){ .mtime = old->mtime, .ctime = old->ctime, .mode = old->mode };
	if (old->kind != INDEX_FOLDER)
		side->stamp.size = old->size;
}

static void fill_after(const struct sighting *seen, struct change_side *side)
{
	*side = (struct change_side){ .kind = seen->kind };
	if (seen->kind == CHANGE_NOTHING)
		return;
	side->stamp = seen->held;
	side->identity = stamp_identity(&seen->held);
}

/* With the lock held. NULL when memory is gone. */
static struct change *one_more(struct survey *survey)
{
	if (survey->count == survey->room) {
		size_t room = survey->room ? survey->room * 2 : 16;
		struct change *items = reallocarray(survey->items, room, sizeof(*items));
		if (!items)
			return NULL;
		survey->items = items;
		survey->room = room;
	}
	return &survey->items[survey->count];
}

int survey_tell(struct surveyor *surveyor, const struct sighting *seen, uint8_t kind, uint8_t what)
{
	struct survey *survey = surveyor->survey;
	struct text room = { 0 };
	const char *path = path_of(surveyor, seen->name, &room);
	bool fine = path != NULL;
	if (path && is_wanted(survey, path, false)) {
		pthread_mutex_lock(&survey->lock);
		struct change *change = one_more(survey);
		const char *copy = change ? arena_copy(survey->texts, path) : NULL;
		if (copy) {
			*change = (struct change){ .path = copy, .kind = kind, .what = what };
			fill_before(surveyor, seen, &change->before);
			fill_after(seen, &change->after);
			survey->count++;
		}
		pthread_mutex_unlock(&survey->lock);
		fine = copy != NULL;
	}
	text_release(&room);
	return fine ? 0 : survey_fail(surveyor, "", ENOMEM);
}

int survey_call(struct surveyor *surveyor, const struct site *site)
{
	struct survey *survey = surveyor->survey;
	struct text room = { 0 };
	const char *path = path_of(surveyor, site->chain.name, &room);
	bool fine = path != NULL;
	if (path && is_wanted(survey, path, true)) {
		pthread_mutex_lock(&survey->lock);
		struct site *copy = arena_allocate(survey->sites, sizeof(*copy));
		const char *name = site->chain.name;
		if (copy && site->old == SITE_NEW)	/* else it is in the base's names */
			name = arena_copy(survey->sites, name);
		fine = copy && name;
		if (fine) {
			*copy = *site;
			copy->chain = (struct chain){ &surveyor->site->chain, name };
			copy->task.next = surveyor->called;
			surveyor->called = &copy->task;
		}
		pthread_mutex_unlock(&survey->lock);
	}
	text_release(&room);
	return fine ? 0 : survey_fail(surveyor, "", ENOMEM);
}

bool survey_is_as_recorded(const struct survey *survey, const struct sighting *seen)
{
	const struct index_entry *old = seen->old;
	return !survey->order->layer && old && old->copy_inode == seen->held.inode &&
	       old->copy_ctime == seen->held.ctime && old->kind == seen->kind &&
	       !stamp_is_young(old->copy_ctime, survey->order->base->header->ended);
}

static int call_for_folder(struct surveyor *surveyor, const struct sighting *seen, bool recorded)
{
	const struct survey *survey = surveyor->survey;
	const struct index *base = survey->order->base;
	const struct index_entry *old = seen->old;
	bool is_old = old && old->kind == INDEX_FOLDER && !(old->flags & INDEX_ABSENT);
	struct site site = { .chain.name = seen->name, .old = SITE_NEW, .mode = seen->held.mode,
			     .followed = surveyor->site->followed };
	if (is_old) {
		site.old = (uint32_t)(old - base->entries);
		site.chain.name = index_name(base, old);
		site.followed |= (old->flags & INDEX_FOLLOWED) != 0;
	}
	site.gone = seen->kind != INDEX_FOLDER;
	site.listed = recorded && !(old->flags & INDEX_FURTHER);
	site.whole = !survey->order->layer || site.gone || !is_old ||
		     layer_is_opaque(surveyor->held_fd, seen->name);
	if (site.gone && old->children.count == 0)
		return 0;
	return survey_call(surveyor, &site);
}

/* It was there, and is there. */
static int survey_both(struct surveyor *surveyor, const struct sighting *seen)
{
	const struct index_entry *old = seen->old;
	bool recorded = survey_is_as_recorded(surveyor->survey, seen);
	bool alike = old->kind == seen->kind && (old->kind != INDEX_SKIPPED ||
		     (old->mode & S_IFMT) == (seen->held.mode & S_IFMT));
	int what = recorded || !alike ? 0 : compare_kinds_alike(surveyor, seen);
	if (what < 0 || (what > 0 && survey_tell(surveyor, seen, CHANGE_MODIFIED, (uint8_t)what) < 0))
		return -1;
	int same = alike ? 1 : compare_with_tree(surveyor, seen);
	if (same < 0 || (!same && survey_tell(surveyor, seen, CHANGE_RETYPED, 0) < 0))
		return -1;
	if (seen->kind != INDEX_FOLDER && old->kind != INDEX_FOLDER)
		return 0;
	return call_for_folder(surveyor, seen, recorded);
}

/* Only one side has it. */
static int survey_one(struct surveyor *surveyor, const struct sighting *seen)
{
	bool added = seen->kind != CHANGE_NOTHING;
	int same = compare_with_tree(surveyor, seen);
	if (same < 0 || (!same && survey_tell(surveyor, seen, added ? CHANGE_ADDED : CHANGE_REMOVED, 0) < 0))
		return -1;
	if (added ? seen->kind != INDEX_FOLDER : seen->old->kind != INDEX_FOLDER)
		return 0;
	return call_for_folder(surveyor, seen, false);
}

/* What is there, when `present`: a layer's marks are nothing. 1, or 0 where it only lies over what is
 * below and says nothing of this name, or -1 when the search has failed. */
static int look(struct surveyor *surveyor, struct sighting *seen, bool present)
{
	bool layer = surveyor->survey->order->layer;
	seen->kind = CHANGE_NOTHING;
	if (!present)
		return surveyor->site->whole;
	if (stamp_read(surveyor->held_fd, seen->name, &seen->held) < 0)
		return errno == ENOENT ? surveyor->site->whole :
					 survey_fail(surveyor, seen->name, errno);
	surveyor->walked++;
	if (!layer || !layer_is_whiteout(surveyor->held_fd, seen->name, &seen->held))
		seen->kind = index_kind_of(seen->held.mode);
	return 1;
}

static int survey_name(struct surveyor *surveyor, const char *name, const struct index_entry *old,
		       bool present)
{
	struct sighting seen = { .name = name, .old = old };
	int result = look(surveyor, &seen, present);
	if (result <= 0)
		return result;
	bool was = old && !(old->flags & INDEX_ABSENT) &&
		   (old->kind != INDEX_SKIPPED || surveyor->survey->order->layer ||
		    seen.kind != CHANGE_NOTHING);
	if (was && seen.kind != CHANGE_NOTHING)
		return survey_both(surveyor, &seen);
	return was || seen.kind != CHANGE_NOTHING ? survey_one(surveyor, &seen) : 0;
}

/* Goes through the sorted names of the base and of what is there at once. */
static int merge(struct surveyor *surveyor)
{
	const struct index *base = surveyor->survey->order->base;
	const struct index_entry *folder = entry_at(surveyor, surveyor->site->old);
	const struct listing *listing = &surveyor->listing;
	uint32_t at = 0, count = folder ? folder->children.count : 0;
	size_t there = 0;
	while (at < count || there < listing->count) {
		const struct index_entry *old =
			at < count ? &base->entries[folder->children.first + at] : NULL;
		const struct listed *item = there < listing->count ? &listing->items[there] : NULL;
		int order = !old ? 1 : !item ? -1 :
			    listing_compare(index_name(base, old), old->name_bytes, item->name,
					    item->bytes);
		const char *name = order > 0 ? item->name : index_name(base, old);
		if (survey_name(surveyor, name, order <= 0 ? old : NULL, order >= 0) < 0)
			return -1;
		at += order <= 0;
		there += order >= 0;
	}
	return 0;
}

/* All names of the base are taken to be there: each is looked at anyway. */
static int list_as_recorded(struct surveyor *surveyor)
{
	const struct index *base = surveyor->survey->order->base;
	const struct index_entry *folder = entry_at(surveyor, surveyor->site->old);
	for (uint32_t i = 0; i < folder->children.count; i++) {
		const struct index_entry *old = &base->entries[folder->children.first + i];
		if (old->kind != INDEX_SKIPPED &&
		    listing_add(&surveyor->listing, index_name(base, old), old->name_bytes) < 0)
			return -1;
	}
	return 0;
}

/* Its owner may have no right to look into it. It keeps what it is given here until all is found: what
 * lies below is reached through it. */
static int open_up(struct surveyor *surveyor)
{
	struct survey *survey = surveyor->survey;
	pthread_mutex_lock(&survey->lock);
	int result = pry_keep_open(&survey->pried, survey->sites, surveyor->held_fd,
				   surveyor->path.data, surveyor->site->mode);
	int failure = errno;
	pthread_mutex_unlock(&survey->lock);
	return result < 0 ? survey_fail(surveyor, "", failure) : 0;
}

static int open_site(struct surveyor *surveyor)
{
	struct site *site = surveyor->site;
	int held = surveyor->survey->order->held_fd;
	surveyor->held_fd = inside_open(held, surveyor->path.data, O_PATH, INSIDE_ONE_MOUNT);
	if (surveyor->held_fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)) {
		site->gone = true;	/* just now */
		return 0;
	}
	if (surveyor->held_fd < 0)
		return survey_fail(surveyor, "", errno);
	return open_up(surveyor);
}

static int list_site(struct surveyor *surveyor)
{
	struct site *site = surveyor->site;
	listing_clear(&surveyor->listing);
	if (site->gone)
		return 0;
	if (site->listed)
		return list_as_recorded(surveyor) < 0 ? survey_fail(surveyor, "", ENOMEM) : 0;
	auto_close int fd = openat(surveyor->held_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || listing_read(&surveyor->listing, fd) < 0)
		return survey_fail(surveyor, "", errno);
	return 0;
}

/* The top directory is an entry of no directory. */
static int survey_top(struct surveyor *surveyor)
{
	const struct survey *survey = surveyor->survey;
	struct sighting seen = { .name = "", .old = entry_at(surveyor, surveyor->site->old) };
	seen.held = survey->top;
	seen.kind = INDEX_FOLDER;
	bool recorded = survey_is_as_recorded(survey, &seen);
	surveyor->site->listed = recorded && !(seen.old->flags & INDEX_FURTHER);
	int what = !seen.old || recorded ? 0 : compare_kinds_alike(surveyor, &seen);
	if (what <= 0)
		return what;
	return survey_tell(surveyor, &seen, CHANGE_MODIFIED, (uint8_t)what);
}

static int survey_open_site(struct surveyor *surveyor)
{
	struct site *site = surveyor->site;
	if (!site->gone && open_site(surveyor) < 0)
		return -1;
	if (!site->chain.above && !site->gone && survey_top(surveyor) < 0)
		return -1;
	if (list_site(surveyor) < 0)
		return -1;
	return merge(surveyor);
}

int survey_site(struct surveyor *surveyor, struct site *site)
{
	surveyor->site = site;
	surveyor->held_fd = -1;
	surveyor->tree_fd = SURVEY_UNTRIED;
	chain_path(&site->chain, &surveyor->path);
	int result = surveyor->path.failed ? survey_fail(surveyor, "", ENOMEM) :
					     survey_open_site(surveyor);
	cleanup_fd(&surveyor->held_fd);
	cleanup_fd(&surveyor->tree_fd);
	crew_add(&surveyor->survey->crew, surveyor->called);
	surveyor->called = NULL;
	return result;
}
