/* policy/homes.c - what is hidden below a home, wherever homes lie. */
#include "config.h"

#include "policy/homes.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/item.h"
#include "policy/glob.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Does the command need to see into it? Then it cannot be hidden whole. */
static bool is_needed(const struct paths *paths, const char *home)
{
	const struct policy_caller *caller = paths->caller;
	if (path_is_within(caller->tree, home) ||
	    (caller->home && path_is_within(caller->home, home)) ||
	    (caller->scratch && path_is_within(caller->scratch, home)))
		return true;
	for (size_t i = 0; i < paths->count; i++)
		if (paths->items[i].path.kind != PINFOLD_PATH_HIDE &&
		    path_is_within(paths->items[i].path.path, home))
			return true;
	return false;
}

static int hide(struct paths *paths, const char *path, struct pinfold_error *err)
{
	struct paths_request request = {
		.kind = PINFOLD_PATH_HIDE, .text = path, .asked = path, .implied = true,
	};
	return path ? paths_add(paths, &request, err) : fault_no_memory(err);
}

static int hide_item(struct paths *paths, const char *home, const char *item, bool hard,
		     struct pinfold_error *err)
{
	const char *own = paths->caller->home;
	struct paths_request request = { .kind = PINFOLD_PATH_HIDE, .implied = true, .hard = hard,
					 .plain = strlen(home) };
	const char *path = item + item_marks(item, &request.optional, &request.literal);
	if (!path_is_within(path, own) || streq(path, own))
		return 0;
	const char *rest = path + strlen(own);
	if (!glob_is_pattern(rest) && presence_lacks(&paths->other_home.home, rest + 1))
		return 0;
	request.text = request.asked = arena_join(paths->arena, home, rest);
	return request.text ? paths_add(paths, &request, err) : fault_no_memory(err);
}

/* The first list is the policy's, the second one the hard tier's. */
static int hide_named(struct paths *paths, const char *home, const struct list *const *hidden,
		      struct pinfold_error *err)
{
	for (size_t list = 0; paths->caller->home && hidden[list]; list++)
		for (size_t i = 0; i < hidden[list]->count; i++)
			if (hide_item(paths, home, hidden[list]->items[i], list > 0, err) < 0)
				return -1;
	return 0;
}

static int hide_below(struct paths *paths, const char *home, const struct list *const *hidden,
		      struct pinfold_error *err)
{
	paths_list_home(paths, home, &paths->other_home);
	int result = hide_named(paths, home, hidden, err);
	paths_release_home(&paths->other_home);
	return result;
}

static int hide_home(struct paths *paths, const char *parent, const char *name,
		     const struct list *const *hidden, struct pinfold_error *err)
{
	auto_free char *joined = name[0] ? path_join(parent, name) : strdup(parent);
	if (!joined)
		return fault_no_memory(err);
	auto_free char *home = path_canonical(joined);
	struct stat status;
	if (!home || stat(home, &status) < 0 || !S_ISDIR(status.st_mode) || streq(home, "/"))
		return 0;
	if (paths->caller->home && streq(home, paths->caller->home))
		return 0;
	if (status.st_uid == paths->caller->user || is_needed(paths, home))
		return hide_below(paths, home, hidden, err);
	return hide(paths, arena_copy(paths->arena, home), err);
}

int homes_hide(const struct homes *homes, struct paths *paths, const struct list *const *hidden,
	       struct pinfold_error *err)
{
	if (hide_home(paths, homes->superuser, "", hidden, err) < 0)
		return -1;
	auto_closedir DIR *dir = opendir(homes->parent);
	if (!dir)
		return 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.' && entry->d_type != DT_REG &&
		    hide_home(paths, homes->parent, entry->d_name, hidden, err) < 0)
			return -1;
	return 0;
}
