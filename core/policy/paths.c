/* policy/paths.c - named paths are resolved once, to what the kernel will match. */
#include "config.h"

#include "policy/paths.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"
#include "config/value.h"
#include "policy/glob.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char resolve_action[] = "resolve a path of the policy";

static int note_missing(struct paths *paths, const char *path, const char *why,
			struct pinfold_error *err)
{
	if (paths->caller->unread)
		return 0;
	size_t length = strlen(path), more = strlen(why);
	char *note = arena_allocate(paths->arena, length + more + sizeof(" ()"));
	if (!note)
		return fault_no_memory(err);
	char *end = mempcpy(mempcpy(note, path, length), " (", 2);
	memcpy(mempcpy(end, why, more), ")", 2);
	return value_append(paths->arena, &paths->missing, note, err);
}

/* Are there no empty parts, no "." parts, and no slash at the end? */
static bool is_tidy(const char *path)
{
	for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
		const char *part = slash + 1;
		if (part[0] == '.')
			part++;
		if (part[0] == '/' || part[0] == '\0')
			return false;
	}
	return true;
}

/* Without empty parts, "." parts and a slash at the end; ".." is left for the kernel. */
static const char *tidied(struct arena *arena, const char *path)
{
	if (is_tidy(path))
		return path;
	char *tidy = arena_copy(arena, path), *to = tidy;
	if (!tidy)
		return NULL;
	for (const char *at = path; *at;) {
		size_t length = strcspn(at, "/");
		if (length > 0 && !(length == 1 && at[0] == '.')) {
			*to++ = '/';
			memmove(to, at, length);
			to += length;
		}
		at += length + (at[length] == '/');
	}
	if (to == tidy)
		*to++ = '/';
	*to = '\0';
	return tidy;
}

static bool climbs(const char *path)
{
	return strstr(path, "/../") || ends_with(path, "/..");
}

/* A path without a link on its way is canonical as it is written: one call then tells all. */
static int open_canonical(struct arena *arena, const char *path, int *ret_fd, const char **ret_path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	auto_close int fd = climbs(path) ? -1
					 : (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	if (fd >= 0) {
		*ret_path = path;
		*ret_fd = take_fd(&fd);
		return 0;
	}
	if (!climbs(path) && errno != ELOOP && errno != ENOSYS)
		return -1;
	fd = open(path, O_PATH | O_CLOEXEC);
	auto_free char *canonical = NULL;
	if (fd < 0 || path_of_fd(fd, &canonical) < 0)
		return -1;
	char *kept = arena_copy(arena, canonical);
	if (!kept) {
		errno = ENOMEM;
		return -1;
	}
	*ret_path = kept;
	*ret_fd = take_fd(&fd);
	return 0;
}

/* Finds what a tidy path means: its canonical path and its status; -1 with errno. */
static int find(struct paths *paths, const char *path, const char **ret_canonical,
		struct stat *ret_status)
{
	int seen = parents_look(&paths->parents, path, ret_status);
	if (seen != 0) {
		*ret_canonical = path;
		return seen < 0 ? -1 : 0;
	}
	auto_close int fd = -1;
	if (open_canonical(paths->arena, path, &fd, ret_canonical) < 0)
		return -1;
	return fstat(fd, ret_status);
}

/* Is it dropped where it cannot be, if it was allowed to be missing? */
static bool yields_if_optional(uint32_t kind)
{
	return kind == PINFOLD_PATH_LAYER || kind == PINFOLD_PATH_READ || kind == PINFOLD_PATH_EXECUTE ||
	       kind == PINFOLD_PATH_SOCKET;
}

/* What is protected cannot be made where it is missing, so it is never left out for that. */
static bool may_be_missing(const struct paths_request *request)
{
	return request->kind == PINFOLD_PATH_HIDE ||
	       (request->optional && request->kind != PINFOLD_PATH_PROTECT);
}

static int append(struct paths *paths, const struct paths_request *request, const char *canonical,
		  const struct stat *status, struct pinfold_error *err)
{
	if (paths->count == paths->room) {
		size_t room = paths->room ? paths->room * 2 : 32;
		struct paths_found *items = realloc(paths->items, room * sizeof(*items));
		if (!items)
			return fault_no_memory(err);
		paths->items = items;
		paths->room = room;
	}
	paths->items[paths->count++] = (struct paths_found){
		.path = { .size = sizeof(struct pinfold_path), .kind = request->kind,
			  .path = canonical, .device = status->st_dev, .inode = status->st_ino,
			  .mode = status->st_mode, .hard = request->hard,
			  .match = request->literal && S_ISDIR(status->st_mode) ? PINFOLD_MATCH_LITERAL
										: PINFOLD_MATCH_SUBTREE },
		.asked = request->asked,
		.missing = status->st_ino == 0,
		.yields = request->implied || (request->optional && yields_if_optional(request->kind)),
	};
	return 0;
}

int paths_add_known(struct paths *paths, uint32_t kind, const char *path, const struct stat *status,
		    uint32_t keep, struct pinfold_error *err)
{
	struct paths_request request = { .kind = kind, .text = path, .asked = path, .implied = true };
	if (append(paths, &request, path, status, err) < 0)
		return -1;
	paths->items[paths->count - 1].path.keep = keep;
	return 0;
}

static bool is_refused(const char *path, int access)
{
	return faccessat(AT_FDCWD, path, access, AT_EACCESS) < 0 && errno == EACCES;
}

/* What the caller cannot read, and cannot make readable, the command cannot either. */
static bool is_out_of_reach(const struct paths *paths, const char *canonical,
			    const struct stat *status)
{
	if (paths->caller->user == 0 || status->st_uid == paths->caller->user)
		return false;
	if (!is_refused(canonical, R_OK))
		return false;
	return !S_ISDIR(status->st_mode) || is_refused(canonical, X_OK);
}

static int add_found(struct paths *paths, const struct paths_request *request,
		     const char *canonical, const struct stat *status, struct pinfold_error *err)
{
	bool ordinary = S_ISDIR(status->st_mode) || S_ISREG(status->st_mode);
	if (request->implied && !ordinary)
		return note_missing(paths, canonical, "neither a file nor a directory", err);
	if (request->kind == PINFOLD_PATH_HIDE && is_out_of_reach(paths, canonical, status))
		return note_missing(paths, canonical, "the caller cannot read it", err);
	if (!streq(canonical, request->text) &&
	    (list_addf(&paths->rewritten, "%s -> %s", request->text, canonical) < 0 ||
	     (paths->links_count && paths_add_links(paths, request->text) < 0)))
		return fault_no_memory(err);
	return append(paths, request, canonical, status, err);
}

/* A directory that the caller closed to itself could be opened again by the command: what is hidden
 * below it is hidden with it. Nobody loses by that: nothing in it could be reached. */
static int add_closed_parent(struct paths *paths, const struct paths_request *request, char *path,
			     struct pinfold_error *err)
{
	auto_close int fd = -1;
	const char *canonical = NULL;
	for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
		*slash = '\0';
		if (open_canonical(paths->arena, path, &fd, &canonical) == 0)
			break;
		if (errno != EACCES)
			break;
	}
	struct stat status;
	if (fd < 0 || fstat(fd, &status) < 0 || status.st_uid != paths->caller->user)
		return note_missing(paths, request->text, "the caller cannot reach it", err);
	return add_found(paths, request, canonical, &status, err);
}

const char *paths_canonical(struct paths *paths, const char *path)
{
	auto_close int fd = -1;
	const char *canonical;
	return open_canonical(paths->arena, path, &fd, &canonical) < 0 ? NULL : canonical;
}

/* What is to stay away: the directory that there is, and what would lie in it. */
static int add_missing(struct paths *paths, const struct paths_request *request, const char *path,
		       struct pinfold_error *err)
{
	static const struct stat nothing = { 0 };
	char *parent = arena_copy(paths->arena, path);
	const char *canonical = NULL;
	char *slash = NULL;
	while (parent && !canonical && (slash = strrchr(parent, '/'))) {
		*slash = '\0';
		canonical = paths_canonical(paths, *parent ? parent : "/");
	}
	if (!canonical || climbs(path))
		return parent ? note_missing(paths, path, "does not exist", err) : fault_no_memory(err);
	canonical = arena_join(paths->arena, streq(canonical, "/") ? "" : canonical, path + strlen(parent));
	return canonical ? append(paths, request, canonical, &nothing, err) : fault_no_memory(err);
}

int paths_not_found(struct paths *paths, const struct paths_request *request, const char *path, int sys,
		    struct pinfold_error *err)
{
	bool hidden = request->kind == PINFOLD_PATH_HIDE;
	bool absent = sys == ENOENT || sys == ENOTDIR || sys == ELOOP;
	if (hidden && sys == EACCES) {
		char *copy = arena_copy(paths->arena, path);
		return copy ? add_closed_parent(paths, request, copy, err) : fault_no_memory(err);
	}
	if (absent && request->kind == PINFOLD_PATH_PROTECT)
		return add_missing(paths, request, path, err);
	if (absent && (hidden || request->optional))
		return note_missing(paths, request->text, "does not exist", err);
	if (sys == EACCES && request->optional)
		return note_missing(paths, request->text, "the caller cannot reach it", err);
	if (sys == ENOMEM)
		return fault_no_memory(err);
	return fault(err, absent || sys == EACCES ? PINFOLD_E_POLICY : PINFOLD_E_SYSTEM, sys,
		     resolve_action, request->asked,
		     absent ? "make it, take it out, or write \"-\" before it if it may be missing"
			    : "check the path and the directories above it");
}

void paths_list_home(struct paths *paths, const char *home, struct home_names *ret_names)
{
	*ret_names = (struct home_names){ 0 };
	presence_read(home, &ret_names->home);
	const char *settings = home ? arena_join(paths->arena, home, "/.config") : NULL;
	if (settings && !presence_denies(&ret_names->home, settings))
		presence_read(settings, &ret_names->settings);
}

void paths_release_home(struct home_names *names)
{
	presence_release(&names->home);
	presence_release(&names->settings);
}

/* What lies in .config is not asked for at home: it was listed, so it is there. */
static bool is_denied_by(const struct home_names *names, const char *path)
{
	const struct presence *nearest =
		presence_covers(&names->settings, path) ? &names->settings : &names->home;
	return presence_denies(nearest, path);
}

static bool is_denied(const struct paths *paths, const char *path)
{
	return is_denied_by(&paths->own_home, path) || is_denied_by(&paths->other_home, path);
}

int paths_add_one(struct paths *paths, const struct paths_request *request, struct pinfold_error *err)
{
	const char *path = tidied(paths->arena, request->text), *canonical;
	if (!path)
		return fault_no_memory(err);
	struct paths_request tidy = *request;
	tidy.text = path;
	if (may_be_missing(request) && is_denied(paths, path))
		return note_missing(paths, path, "does not exist", err);
	struct stat status;
	if (find(paths, path, &canonical, &status) < 0)
		return paths_not_found(paths, &tidy, path, errno, err);
	return add_found(paths, &tidy, canonical, &status, err);
}

/* Where a wildcard may stand: not in the name of a home. */
static size_t plain_length(const struct paths *paths, const struct paths_request *request)
{
	const char *home = paths->caller->home;
	bool below = home && path_is_within(request->text, home);
	size_t plain = below ? strlen(home) : 0;
	return plain > request->plain ? plain : request->plain;
}

static bool is_there(const char *path)
{
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Most of what a preset names: it may be missing, is, and nobody is going to be told. */
static bool is_unheard_of(const struct paths *paths, const struct paths_request *request)
{
	return paths->caller->unread && may_be_missing(request) && is_denied(paths, request->text) &&
	       !strpbrk(request->text, "*?[");
}

int paths_add(struct paths *paths, const struct paths_request *request, struct pinfold_error *err)
{
	if (request->text[0] != '/')
		return fault(err, PINFOLD_E_POLICY, 0, resolve_action, request->asked,
			     "write an absolute path, or one that begins with \"~/\"");
	if (is_unheard_of(paths, request))
		return 0;
	struct paths_request one = *request;
	one.plain = plain_length(paths, request);
	if (glob_is_pattern(one.text + one.plain))
		return paths_add_pattern(paths, &one, err);
	if (strchr(one.text + one.plain, '[') && !request->implied && !is_there(request->text))
		return fault(err, PINFOLD_E_POLICY, 0, resolve_action, request->asked,
			     "use no pattern but \"?\", \"*\", and \"**\" for any number of parts");
	return paths_add_one(paths, &one, err);
}

void paths_release(struct paths *paths)
{
	free(paths->items);
	paths_release_home(&paths->own_home);
	parents_release(&paths->parents);
	glob_names_release(&paths->names);
	list_release(&paths->rewritten);
	list_release(&paths->own);
}
