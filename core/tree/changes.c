/* tree/changes.c - what a command changed: how a copy or a layer differs from its base. */
#include "config.h"

#include "tree/changes.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/pairs.h"
#include "tree/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

const char *change_kind_name(uint8_t kind)
{
	static const char *const names[CHANGE_KINDS] = {
		[CHANGE_ADDED] = "added",	[CHANGE_REMOVED] = "removed",
		[CHANGE_MODIFIED] = "modified", [CHANGE_RETYPED] = "retyped",
		[CHANGE_RENAMED] = "renamed",
	};
	return kind < CHANGE_KINDS ? names[kind] : "unknown";
}

bool change_is_base(const struct change_side *before, const struct stamp *now)
{
	return before->kind != CHANGE_NOTHING && !before->unsure &&
	       before->identity == stamp_identity(now) && before->stamp.mode == now->mode &&
	       before->stamp.mtime == now->mtime && before->stamp.ctime == now->ctime &&
	       (S_ISDIR(now->mode) || before->stamp.size == now->size);
}

/* Is what is open the content before? Times say so where they can, else the digest. */
static bool is_content_before(int fd, const struct change_side *before)
{
	struct stamp now;
	uint64_t digest;
	if (stamp_read(fd, "", &now) < 0 || !S_ISREG(now.mode) || before->unsure ||
	    before->stamp.size != now.size)
		return false;
	if (change_is_base(before, &now) && !before->young)
		return true;
	return before->digest != 0 && digest_file(fd, now.size, &digest) == 0 &&
	       digest == before->digest;
}

int change_open_before(int place_fd, const struct change *change)
{
	const char *path = change_old_path(change);
	const char *slash = strrchr(path, '/');
	auto_free char *parent = strndup(path, slash ? (size_t)(slash - path) : 0);
	if (!parent)
		return -1;
	if (change->before.kind != INDEX_FILE || change->before.flags & INDEX_FOLLOWED) {
		errno = ESTALE;
		return -1;
	}
	auto_close int dir = inside_open(place_fd, parent, O_PATH, INSIDE_ANY_MOUNT);
	auto_close int fd = dir < 0 ? -1 :
			    openat(dir, slash ? slash + 1 : path,
				   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && is_content_before(fd, &change->before))
		return take_fd(&fd);
	if (fd >= 0 || errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
		errno = ESTALE;
	return -1;
}

int change_open_after(int held_fd, const struct change *change)
{
	struct stamp now;
	auto_close int fd = pry_path(held_fd, change->path);
	if (fd < 0)
		return -1;
	if (change->after.kind == INDEX_FILE && stamp_read(fd, "", &now) == 0 && S_ISREG(now.mode))
		return take_fd(&fd);
	errno = ESTALE;
	return -1;
}

static int start(struct survey *survey, const struct changes_order *order, struct pinfold_error *err)
{
	*survey = (struct survey){ .order = order,
				   .err = err,
				   .user = geteuid(),
				   .lock = PTHREAD_MUTEX_INITIALIZER };
	if (stamp_read(order->held_fd, "", &survey->top) < 0)
		return fault(err, PINFOLD_E_TREE, errno, "look for what the command changed",
			     order->place, "check the scratch directory");
	survey->sites = arena_new();
	survey->texts = arena_new();
	if (survey->sites && survey->texts)
		return 0;
	return fault_no_memory(err);
}

static void stop(struct survey *survey)
{
	arena_free(survey->sites);
	arena_free(survey->texts);
	free(survey->items);
	pthread_mutex_destroy(&survey->lock);
}

static void *hire(struct crew *crew)
{
	struct surveyor *surveyor = calloc(1, sizeof(*surveyor));
	if (surveyor)
		surveyor->survey = crew->context;
	return surveyor;
}

static void dismiss(void *context)
{
	struct surveyor *surveyor = context;
	pthread_mutex_lock(&surveyor->survey->lock);
	surveyor->survey->walked += surveyor->walked;
	pthread_mutex_unlock(&surveyor->survey->lock);
	text_release(&surveyor->path);
	listing_release(&surveyor->listing);
	free(surveyor->carry);
	free(surveyor);
}

static int work(void *context, struct crew_task *task)
{
	return survey_site(context, (struct site *)task);
}

static unsigned wanted(const void *context, uint64_t waits)
{
	const struct surveyor *surveyor = context;
	const struct changes_order *order = surveyor->survey->order;
	bool worth = surveyor->walked > CREW_WORTH_LOOKS ||
		     (order->base->memory && order->base->header->count > 2 * CREW_WORTH_LOOKS);
	return worth ? crew_lookers(surveyor->walked, waits, order->processors) : 0;
}

static const struct crew_craft craft = {
	.hire = hire,
	.work = work,
	.dismiss = dismiss,
	.wanted = wanted,
};

static int pair(struct survey *survey)
{
	struct surveyor *surveyor = hire(&survey->crew);
	if (!surveyor)
		return -1;
	int result = pairs_find(surveyor);
	dismiss(surveyor);
	return result;
}

static int survey_all(struct survey *survey)
{
	struct site top = { .chain.name = "",
			    .old = survey->order->base->memory ? 0 : SITE_NEW,
			    .whole = !survey->order->layer,
			    .mode = survey->top.mode };
	crew_start(&survey->crew, &craft, survey);
	crew_add(&survey->crew, &top.task);
	int result = crew_run(&survey->crew);
	if (result == 0)
		result = pair(survey);
	pry_close_again(&survey->pried, survey->order->held_fd);
	crew_stop(&survey->crew);
	return result == 0 || survey->failed ? result : fault_no_memory(survey->err);
}

static int compare_paths(const void *a, const void *b)
{
	const struct change *left = a, *right = b;
	return strcmp(left->path, right->path);
}

int changes_find(const struct changes_order *order, struct changes *ret_changes,
		 struct pinfold_error *err)
{
	struct survey survey;
	int result = start(&survey, order, err);
	if (result == 0)
		result = survey_all(&survey);
	struct changes found = { survey.items, survey.count, survey.texts, survey.walked };
	if (result == 0) {
		if (found.count > 1)
			qsort(found.items, found.count, sizeof(*found.items), compare_paths);
		*ret_changes = found;
		survey.items = NULL;
		survey.texts = NULL;
	}
	stop(&survey);
	return result;
}

void changes_release(struct changes *changes)
{
	free(changes->items);
	arena_free(changes->texts);
	*changes = (struct changes){ 0 };
}
