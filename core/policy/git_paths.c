/* policy/git_paths.c - the git directories of a tree among the paths of a policy. */
#include "policy/git_paths.h"

#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"

#include <sys/stat.h>

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

/* In a repository's directory; hooks may be missing, and then are not to be made. */
static int protect_in(struct paths *paths, const char *git, struct pinfold_error *err)
{
	static const char *const names[] = { "/hooks", "/config" };
	struct stat status;
	const char *head = arena_join(paths->arena, git, "/HEAD");
	if (!head)
		return fault_no_memory(err);
	if (lstat(head, &status) < 0)
		return 0;
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		struct paths_request request = { .kind = PINFOLD_PATH_PROTECT, .hard = true, .implied = true };
		request.text = request.asked = arena_join(paths->arena, git, names[i]);
		request.plain = request.text ? strlen(request.text) : 0;
		if (!request.text)
			return fault_no_memory(err);
		if (paths_add(paths, &request, err) < 0)
			return -1;
	}
	return 0;
}

/* The directory may be a repository's work tree, or the repository itself. */
static int protect_at(struct paths *paths, const char *directory, struct pinfold_error *err)
{
	const char *git = arena_join(paths->arena, directory, "/.git");
	if (!git)
		return fault_no_memory(err);
	return protect_in(paths, git, err) < 0 ? -1 : protect_in(paths, directory, err);
}

int git_paths_protect(struct paths *paths, bool direct, struct pinfold_error *err)
{
	if (direct && protect_at(paths, paths->caller->tree, err) < 0)
		return -1;
	for (size_t i = 0, count = paths->count; i < count; i++) {
		const struct pinfold_path *path = &paths->items[i].path;
		if (path->kind == PINFOLD_PATH_WRITE && S_ISDIR(path->mode) &&
		    protect_at(paths, path->path, err) < 0)
			return -1;
	}
	return 0;
}
