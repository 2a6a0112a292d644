/* face/findings.c - what is kept of a tree, opened, and the changes that were found in it. */
#include "config.h"

#include "face/findings.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "tree/refresh.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static const char find_action[] = "find what was changed";

int findings_review(const struct pinfold_review *from, struct pinfold_review *ret_review,
		    struct pinfold_error *err)
{
	struct pinfold_review review = { 0 };
	if (!from || from->size < offsetof(struct pinfold_review, directory))
		return fault(err, PINFOLD_E_USAGE, 0, find_action, "its structure has no size",
			     "set `size` to sizeof(struct pinfold_review)");
	memcpy(&review, from, from->size < sizeof(review) ? from->size : sizeof(review));
	*ret_review = review;
	return 0;
}

/* --- paths ---------------------------------------------------------------------------------------- */
/* What is asked for need not exist any more, or not yet: then the nearest directory above it says where
 * it would be. A link at its end is the thing that is asked for. */
static char *find_place(const char *path)
{
	auto_free char *parent = strdup(path);
	char *slash = parent ? strrchr(parent, '/') : NULL;
	while (slash && slash > parent && slash[1] == '\0') {
		*slash = '\0';
		slash = strrchr(parent, '/');
	}
	if (!slash || !slash[1])
		return parent ? strdup("/") : NULL;
	if (streq(slash + 1, ".") || streq(slash + 1, ".."))
		return realpath(parent, NULL);
	auto_free char *name = strdup(slash + 1);
	slash[slash == parent] = '\0';
	auto_free char *place = realpath(parent, NULL);
	if (!place && (errno == ENOENT || errno == ENOTDIR))
		place = find_place(parent);
	return place && name ? path_join(place, name) : NULL;
}

static int add_path(struct list *paths, const char *directory, const char *path,
		    struct pinfold_error *err)
{
	auto_free char *whole = path[0] == '/' ? strdup(path) : path_join(directory, path);
	auto_free char *place = NULL;
	if (!path[0] || (whole && strlen(whole) >= PATH_MAX))
		return fault(err, PINFOLD_E_USAGE, 0, "find the path", path,
			     path[0] ? "name a path of at most 4,095 bytes" : "leave out the empty path");
	if (whole)
		place = find_place(whole);
	if (!place)
		return errno == ENOMEM ? fault_no_memory(err)
				       : fault(err, PINFOLD_E_USAGE, errno, "find the path", path,
					       "name a path in the tree, or one that a layer lies over");
	return list_add(paths, place) < 0 ? fault_no_memory(err) : 0;
}

/* The innermost part that a path lies in: the tree lies in the home directory. */
static const struct kept_part *part_of(const struct kept *kept, const char *path)
{
	const struct kept_part *found = NULL;
	for (size_t i = 0; i < kept->count; i++)
		if (path_is_within(path, kept->parts[i].path) &&
		    (!found || strlen(kept->parts[i].path) > strlen(found->path)))
			found = &kept->parts[i];
	return found;
}

static bool is_around(const struct kept *kept, const char *path)
{
	for (size_t i = 0; i < kept->count; i++)
		if (path_is_within(kept->parts[i].path, path))
			return true;
	return false;
}

static int check_paths(const struct findings *findings, struct pinfold_error *err)
{
	for (size_t i = 0; i < findings->paths.count; i++) {
		const char *path = findings->paths.items[i];
		if (!part_of(findings->kept, path) && !is_around(findings->kept, path))
			return faultf(err, PINFOLD_E_USAGE, 0, find_action,
				      "name a path in the tree, or one that a layer lies over",
				      "%s is not in %s", path, findings->kept->tree);
	}
	return 0;
}

/* The paths in one part, relative to it. `ret_all`: the whole of it is asked for. */
static int paths_in(const struct findings *findings, const struct kept_part *part,
		    struct list *ret_paths, bool *ret_all, struct pinfold_error *err)
{
	*ret_all = findings->paths.count == 0;
	for (size_t i = 0; i < findings->paths.count; i++) {
		const char *path = findings->paths.items[i];
		if (path_is_within(part->path, path))
			*ret_all = true;
		else if (part_of(findings->kept, path) == part &&
			 list_add(ret_paths, path_below(path, part->path)) < 0)
			return fault_no_memory(err);
	}
	return 0;
}

/* --- what is kept --------------------------------------------------------------------------------- */
static int look(struct findings *findings, struct kept_part *part, struct pinfold_error *err)
{
	struct finding *finding = &findings->items[findings->count];
	struct list paths = { 0 };
	bool all = true;
	int result = paths_in(findings, part, &paths, &all, err);
	struct changes_order order = {
		.place = part->path, .place_fd = part->place_fd, .held_fd = part->held_fd,
		.layer = part->layer, .base = &part->base, .processors = refresh_processors(),
		.paths = all ? NULL : (const char *const *)paths.items,
	};
	bool wanted = all || paths.count > 0;
	if (result == 0 && wanted && part->place_fd < 0)
		result = fault(err, PINFOLD_E_TREE, ENOTDIR, find_action, part->path,
			       "bring that directory back, or ask for other paths");
	if (result == 0 && wanted) {
		result = changes_find(&order, &finding->changes, err);
		if (result == 0) {
			finding->part = part;
			finding->named = findings->paths.count > 0;
			findings->changes += finding->changes.count;
			findings->count++;
		}
	}
	list_release(&paths);
	return result;
}

/* A mistyped path must not look like one that nothing happened to. */
static bool is_known(const struct finding *finding, const char *path)
{
	for (size_t i = 0; i < finding->changes.count; i++) {
		const struct change *change = &finding->changes.items[i];
		if (path_is_within(change->path, path) || (change->from && path_is_within(change->from, path)))
			return true;
	}
	return faccessat(finding->part->place_fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	       (errno != ENOENT && errno != ENOTDIR);
}

static int check_known(const struct findings *findings, struct pinfold_error *err)
{
	/* Who asks again for what was being discarded is right. */
	for (size_t i = 0; i < findings->paths.count && !findings->kept->finished; i++) {
		const char *path = findings->paths.items[i];
		const struct kept_part *part = part_of(findings->kept, path);
		for (size_t j = 0; part && j < findings->count; j++)
			if (findings->items[j].part == part && !streq(path, part->path) &&
			    !is_known(&findings->items[j], path_below(path, part->path)))
				return fault(err, PINFOLD_E_USAGE, 0, find_action, path,
					     "check the name: there is nothing of that name, and no change "
					     "(pinfold diff --name-only lists them)");
	}
	return 0;
}

static struct apply_part apply_part_of(const struct findings *findings, const struct finding *finding)
{
	const struct kept_part *part = finding->part;
	return (struct apply_part){ .path = part->path, .place_fd = part->place_fd,
				    .held_fd = part->held_fd, .layer = part->layer,
				    .slot_fd = part->slot_fd, .elsewhere = part != findings->kept->parts, .belongs = part->belongs,
				    .changes = &finding->changes };
}

static int look_at_all(struct findings *findings, struct pinfold_error *err)
{
	size_t count = findings->kept->count;
	findings->items = calloc(count + 1, sizeof(*findings->items));
	findings->parts = calloc(count + 1, sizeof(*findings->parts));
	if (!findings->items || !findings->parts)
		return fault_no_memory(err);
	if (check_paths(findings, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (look(findings, &findings->kept->parts[i], err) < 0)
			return -1;
	if (check_known(findings, err) < 0)
		return -1;
	for (size_t i = 0; i < findings->count; i++)
		findings->parts[i] = apply_part_of(findings, &findings->items[i]);
	return 0;
}

/* A person may stand below the directory that the command was run in. */
static int open_nearest(const struct config *config, const char *directory, const char *session,
			struct kept **ret_kept, struct pinfold_error *err)
{
	struct pinfold_error further;
	auto_free char *path = strdup(directory);
	if (!path)
		return fault_no_memory(err);
	int result = kept_open(config, path, session, ret_kept, err);
	if (result == 0 || !err || err->code != PINFOLD_E_SESSION)
		return result;
	for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
		*slash = '\0';
		further = (struct pinfold_error){ 0 };
		if (kept_open(config, path, session, ret_kept, &further) == 0)
			return 0;
		if (further.code != PINFOLD_E_SESSION) {
			*err = further;
			return -1;
		}
	}
	return -1;
}

int findings_open(struct pinfold *pinfold, const struct pinfold_review *given,
		  struct findings *ret_findings, struct pinfold_error *err)
{
	struct pinfold_review review = { 0 };
	struct pinfold_error local = { 0 };
	struct findings findings = { 0 };
	struct directory directory = { .fd = -1 };
	int result = findings_review(given, &review, &local);
	if (result == 0)
		result = directory_open(review.directory, &directory, &local);
	for (size_t i = 0; result == 0 && review.paths && review.paths[i]; i++)
		result = add_path(&findings.paths, directory.path, review.paths[i], &local);
	if (result == 0)
		result = open_nearest(pinfold->config, directory.path, review.session, &findings.kept,
				      &local);
	if (result == 0)
		result = look_at_all(&findings, &local);
	directory_release(&directory);
	if (result < 0) {
		findings_close(&findings);
		if (err)
			*err = local;
		return -1;
	}
	*ret_findings = findings;
	return 0;
}

void findings_close(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		changes_release(&findings->items[i].changes);
	free(findings->items);
	free(findings->parts);
	list_release(&findings->paths);
	kept_close(findings->kept);
	*findings = (struct findings){ 0 };
}
