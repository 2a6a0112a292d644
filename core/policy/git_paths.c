/* policy/git_paths.c - the git directories of a tree among the paths of a policy. */
#include "policy/git_paths.h"

#include "base/fault.h"
#include "base/path.h"

int git_paths_add(struct paths *paths, const struct git_found *found, struct pinfold_error *err)
{
	for (size_t i = 0; i < found->count; i++) {
		const struct git_place *place = &found->places[i];
		const char *path = arena_copy(paths->arena, place->path);
		if (!path)
			return fault_no_memory(err);
		if (paths_add_known(paths, PINFOLD_PATH_LAYER, path, &place->status, 1, err) < 0)
			return -1;
	}
	return 0;
}

static const char *hidden_at(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++)
		if (paths->items[i].path.kind == PINFOLD_PATH_HIDE &&
		    path_is_within(path, paths->items[i].path.path))
			return paths->items[i].path.path;
	return NULL;
}

static int remark_hidden(const struct paths *paths, const char *path, const char *what,
			 struct list *remarks)
{
	const char *hidden = hidden_at(paths, path);
	return !hidden ? 0 :
	       list_addf(remarks, "git does not work here: %s %s lies in %s, which is hidden", what, path,
			 hidden);
}

int git_paths_remark(const struct paths *paths, const struct git_found *found, struct list *remarks,
		     struct pinfold_error *err)
{
	int result = 0;
	for (size_t i = 0; result == 0 && i < found->remarks.count; i++)
		result = list_add(remarks, found->remarks.items[i]);
	for (size_t i = 0; result == 0 && i < found->count; i++)
		result = remark_hidden(paths, found->places[i].path, "the git directory", remarks);
	for (size_t i = 0; result == 0 && i < found->borrowed.count; i++)
		result = remark_hidden(paths, found->borrowed.items[i],
				       "it borrows objects, and their directory", remarks);
	return result < 0 ? fault_no_memory(err) : 0;
}
