/* policy/paths_pattern.c - paths that are named by a pattern, and the links that others were written through. */
#include "policy/paths.h"

#include "base/fault.h"
#include "base/text.h"
#include "policy/glob.h"

#include <errno.h>
#include <sys/stat.h>

enum { LINKS_MOST = 40 };	/* on the way of one path; the kernel follows no more */

static const char action[] = "resolve a pattern of the policy";

/* One pattern in work. */
struct matching {
	struct paths *paths;
	struct paths_request one;
	size_t count;
	struct pinfold_error *err;
};

static int take(void *context, const char *path, int sys)
{
	struct matching *matching = context;
	if (sys == ENOENT || sys == ENOTDIR)
		return 0;
	matching->one.text = arena_copy(matching->paths->arena, path);
	if (!matching->one.text)
		return fault_no_memory(matching->err);
	matching->count++;
	if (sys)
		return paths_not_found(matching->paths, &matching->one, matching->one.text, sys, matching->err);
	return paths_add_one(matching->paths, &matching->one, matching->err);
}

static int refuse(const struct paths_request *request, enum glob_ending ending, struct pinfold_error *err)
{
	static const char *const whys[] = {
		[GLOB_TOO_MANY] = "it matches too many paths: more than 10,000",
		[GLOB_TOO_LONG] = "looking for what it matches takes too long: past 300,000 names",
		[GLOB_TOO_DEEP] = "looking for what it matches leads too deep: past 64 directories",
	};
	return faultf(err, PINFOLD_E_POLICY, 0, action, "name the directory that they are in, or a narrower pattern",
		      "%s: %s", request->asked, whys[ending]);
}

/* Room for one more of `count` rows; NULL when memory is gone. */
static void *grow(struct arena *arena, void *rows, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return rows;
	*room = *room ? *room * 2 : 8;
	void *more = arena_allocate(arena, *room * size);
	if (more && count > 0)
		memcpy(more, rows, count * size);
	return more;
}

/* Where the directory before its first wildcard is not there, there is nothing in which it could match later. */
static int note_pattern(struct paths *paths, const struct paths_request *request, struct pinfold_error *err)
{
	size_t fixed = glob_fixed(request->text, request->plain);
	const char *before = arena_print(paths->arena, "%.*s", (int)fixed, request->text);
	if (!before)
		return fault_no_memory(err);
	if (!paths->before || !streq(paths->before, before))
		paths->before_canonical = paths_canonical(paths, fixed ? before : "/");
	paths->before = before;
	const char *canonical = paths->before_canonical;
	if (!canonical || glob_is_pattern(canonical))
		return 0;
	paths->patterns = grow(paths->arena, paths->patterns, paths->pattern_count, &paths->pattern_room,
			       sizeof(*paths->patterns));
	const char *pattern = arena_join(paths->arena, streq(canonical, "/") ? "" : canonical,
					 request->text + fixed);
	if (!paths->patterns || !pattern)
		return fault_no_memory(err);
	paths->patterns[paths->pattern_count++] = (struct pinfold_pattern){
		.size = sizeof(struct pinfold_pattern), .kind = request->kind, .pattern = pattern,
		.hard = request->hard,
	};
	return 0;
}

int paths_add_pattern(struct paths *paths, const struct paths_request *request, struct pinfold_error *err)
{
	struct matching matching = { paths, *request, 0, err };
	enum glob_ending ending = glob_expand(request->text, request->plain, &paths->names, take, &matching);
	if (ending == GLOB_STOPPED)
		return -1;
	if (ending != GLOB_DONE)
		return refuse(request, ending, err);
	if (note_pattern(paths, request, err) < 0)
		return -1;
	if (matching.count > 0 || request->kind == PINFOLD_PATH_PROTECT)
		return 0;
	return paths_not_found(paths, request, request->text, ENOENT, err);
}

static bool has_link(const struct paths *paths, const char *from)
{
	for (size_t i = 0; i < paths->link_count; i++)
		if (streq(paths->links[i].from, from))
			return true;
	return false;
}

static int add_link(struct paths *paths, const char *from, const char *to)
{
	if (has_link(paths, from))
		return 0;
	paths->links = grow(paths->arena, paths->links, paths->link_count, &paths->link_room,
			    sizeof(*paths->links));
	if (!paths->links)
		return -1;
	paths->links[paths->link_count++] = (struct pinfold_link){
		.size = sizeof(struct pinfold_link), .from = from, .to = to,
	};
	return 0;
}

/* Where the next part of a path ends. */
static size_t part_end(const char *path, size_t from)
{
	return path[from] ? from + 1 + strcspn(path + from + 1, "/") : 0;
}

/* Of a path of which `known` bytes are canonical: the end of the first part that is a link, or 0. */
static size_t find_link(const char *path, size_t known, char **ret_link, struct arena *arena)
{
	struct stat status;
	for (size_t end = part_end(path, known); end; end = part_end(path, end)) {
		char *prefix = arena_print(arena, "%.*s", (int)end, path);
		if (!prefix || lstat(prefix, &status) < 0)
			return 0;
		*ret_link = prefix;
		if (S_ISLNK(status.st_mode))
			return end;
	}
	return 0;
}

int paths_add_links(struct paths *paths, const char *written)
{
	size_t end, known = 0;
	char *link = NULL;
	for (int links = 0; links < LINKS_MOST; links++) {
		if (!(end = find_link(written, known, &link, paths->arena)))
			return 0;
		const char *to = paths_canonical(paths, link);
		if (!to)
			return 0;
		if (add_link(paths, link, to) < 0)
			return -1;
		const char *rest = written + end;
		known = streq(to, "/") ? 0 : strlen(to);
		written = arena_join(paths->arena, known ? to : "", rest);
		if (!written)
			return -1;
	}
	return 0;
}
