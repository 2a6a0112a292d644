/* policy/git_find.c - git directories that a working tree uses and that lie outside of it. */
#include "config.h"

#include "policy/git_find.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/git_files.h"
#include "policy/git_index.h"

#include <errno.h>
#include <fcntl.h>

enum {
	MOST_CHILDREN = 256,	/* directories in a tree that is no repository */
	MOST_BORROWED = 5,	/* as git has it: one lends to another that lends on */
	MOST_LINES = 64		/* of those that lend to one */
};

struct search {
	const char *tree;
	uid_t user;
	struct git_found *found;
	bool above;	/* looking at directories that hold the tree */
	bool failed;	/* memory is gone */
};

/* A working tree with a `.git`, and what that leads to. */
struct lead {
	const char *path;	/* of the working tree */
	int work;
	struct stat named;	/* of its `.git` */
	char *pointer;	/* what a file `.git` says, or NULL */
	int git, common;
	char *git_path, *common_path;
	struct stat common_status;
};

/* The whole of a small regular file below a directory, without links; NULL where it is not that. */
static char *read_small(int dir, const char *name, size_t most)
{
	auto_close int fd = fd_open_beneath(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	auto_free char *data = NULL;
	struct stat status;
	size_t bytes;
	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
	    fd_read_all(fd, most, &data, &bytes) < 0 || strlen(data) != bytes)
		return NULL;
	return take_pointer(&data);
}

/* Opens what a path leads to, from a directory on; links are followed, as git does. */
static int open_led_to(int dir, const char *path, int flags)
{
	return openat(dir, path, O_PATH | O_CLOEXEC | flags);
}

static bool belongs(const struct search *search, int fd, struct stat *ret_status)
{
	return fstat(fd, ret_status) == 0 && ret_status->st_uid == search->user;
}

static bool has(int dir, const char *name, mode_t kind)
{
	struct stat status;
	return fstatat(dir, name, &status, 0) == 0 && (status.st_mode & S_IFMT) == kind;
}

bool git_find_is_directory(int dir)
{
	return has(dir, "HEAD", S_IFREG) && has(dir, "objects", S_IFDIR) && has(dir, "refs", S_IFDIR);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Follows the file, link or directory `.git` to the git directory and on to the common one. */
static bool follow(const struct search *search, struct lead *lead)
{
	struct stat status;
	auto_free char *content = NULL;
	if (S_ISREG(lead->named.st_mode)) {
		content = read_small(lead->work, ".git", GIT_FILES_POINTER_MOST);
		char *pointer = content ? git_files_gitdir(content) : NULL;
		lead->pointer = pointer ? strdup(pointer) : NULL;
		if (!lead->pointer)
			return false;
	}
	lead->git = open_led_to(lead->work, lead->pointer ? lead->pointer : ".git", O_DIRECTORY);
	if (lead->git < 0 || !belongs(search, lead->git, &status) || !has(lead->git, "HEAD", S_IFREG) ||
	    path_of_fd(lead->git, &lead->git_path) < 0)
		return false;
	auto_free char *common = read_small(lead->git, "commondir", GIT_FILES_POINTER_MOST);
	char *path = common ? git_files_path(common) : NULL;
	lead->common = open_led_to(lead->git, path ? path : ".", O_DIRECTORY);
	return lead->common >= 0 && belongs(search, lead->common, &lead->common_status) &&
	       git_find_is_directory(lead->common) && path_of_fd(lead->common, &lead->common_path) == 0;
}

/* Does the file `gitdir` of a linked worktree's directory lead back to its `.git`? */
static bool leads_back(const struct lead *lead)
{
	auto_free char *content = read_small(lead->git, "gitdir", GIT_FILES_POINTER_MOST);
	char *path = content ? git_files_path(content) : NULL;
	auto_close int fd = path ? open_led_to(lead->git, path, O_NOFOLLOW) : -1;
	struct stat status;
	return fd >= 0 && fstat(fd, &status) == 0 && is_same(&status, &lead->named);
}

static bool config_names(const struct lead *lead, const char *name)
{
	auto_free char *content = read_small(lead->git, name, GIT_FILES_CONFIG_MOST);
	auto_free char *path = content ? git_files_worktree(content) : NULL;
	auto_close int fd = path ? open_led_to(lead->git, path, O_DIRECTORY) : -1;
	struct stat led_to, work;
	return fd >= 0 && fstat(fd, &led_to) == 0 && fstat(lead->work, &work) == 0 &&
	       is_same(&led_to, &work);
}

static bool is_linked_worktree(const struct lead *lead)
{
	auto_free char *worktrees = path_join(lead->common_path, "worktrees");
	return worktrees && !streq(lead->git_path, lead->common_path) &&
	       path_is_within(lead->git_path, worktrees);
}

static bool says_it_is_ours(const struct lead *lead)
{
	if (S_ISDIR(lead->named.st_mode) && streq(lead->git_path, lead->common_path))
		return true;
	if (!streq(lead->git_path, lead->common_path))
		return is_linked_worktree(lead) && leads_back(lead);
	return config_names(lead, "config") || config_names(lead, "config.worktree") ||
	       git_index_knows(lead->git, lead->work);
}

static void remark(struct search *search, const struct lead *lead, const char *why, const char *recovery)
{
	auto_free char *path = path_join(lead->path, ".git");
	if (!path || list_addf(&search->found->remarks, "git cannot write here: %s leads to %s, %s; %s", path,
			       lead->git_path ? lead->git_path : lead->pointer, why, recovery) < 0)
		search->failed = true;
}

static void keep_place(struct search *search, struct lead *lead)
{
	struct git_found *found = search->found;
	for (size_t i = 0; i < found->count; i++)
		if (streq(found->places[i].path, lead->common_path))
			return;
	if (found->count == GIT_FIND_MOST) {
		remark(search, lead, "which is one too many outside of the working tree",
		       "run it in a part of the tree");
		return;
	}
	found->places[found->count++] = (struct git_place){ .path = take_pointer(&lead->common_path),
							    .status = lead->common_status,
							    .above = search->above };
}

/* Repositories that lend their objects, and those that lend to them. */
static void note_borrowed(struct search *search, int objects, unsigned depth)
{
	auto_free char *content = read_small(objects, "info/alternates", GIT_FILES_CONFIG_MOST);
	struct list *borrowed = &search->found->borrowed;
	char *rest = content, *line;
	for (int i = 0; content && depth < MOST_BORROWED && i < MOST_LINES &&
			(line = git_files_alternate(&rest)); i++) {
		auto_close int fd = open_led_to(objects, line, O_DIRECTORY);
		auto_free char *path = NULL;
		if (fd < 0 || path_of_fd(fd, &path) < 0 || list_has(borrowed, path) ||
		    borrowed->count == GIT_FIND_MOST)
			continue;
		if (list_add(borrowed, path) < 0)
			search->failed = true;
		note_borrowed(search, fd, depth + 1);
	}
}

static void judge(struct search *search, struct lead *lead)
{
	auto_close int objects = open_led_to(lead->common, "objects", O_DIRECTORY);
	if (objects >= 0)
		note_borrowed(search, objects, 0);
	if (path_is_within(lead->common_path, search->tree))
		return;
	if (says_it_is_ours(lead))
		keep_place(search, lead);
	else
		remark(search, lead, "which does not say that it is this tree's",
		       is_linked_worktree(lead) ? "repair that with `git worktree repair`" :
						  "say so with `git config core.worktree`, if it is");
}

static void lead_release(struct lead *lead)
{
	cleanup_fd(&lead->work);
	cleanup_fd(&lead->git);
	cleanup_fd(&lead->common);
	free(lead->pointer);
	free(lead->git_path);
	free(lead->common_path);
}

/* A repository that lies in its working tree and borrows nothing, as nearly all do. */
static bool is_plain(const struct lead *lead)
{
	return S_ISDIR(lead->named.st_mode) &&
	       faccessat(lead->work, ".git/commondir", F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       faccessat(lead->work, ".git/objects/info/alternates", F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

/* Looks at one directory that may be a working tree. Is there a `.git` in it? */
static bool look(struct search *search, const char *path)
{
	struct lead lead = { .path = path, .work = -1, .git = -1, .common = -1 };
	auto_free char *name = path_join(path, ".git");
	if (!name)
		search->failed = true;
	if (!name || lstat(name, &lead.named) < 0)
		return false;
	lead.work = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool there = lead.work >= 0 &&
		     fstatat(lead.work, ".git", &lead.named, AT_SYMLINK_NOFOLLOW) == 0;
	bool needless = there && !search->above && is_plain(&lead);
	bool ours = there && !needless && lead.named.st_uid == search->user;
	if (ours && follow(search, &lead))
		judge(search, &lead);
	else if (there && lead.pointer && lead.git >= 0)
		remark(search, &lead, "which is no git directory of yours", "check who owns it");
	lead_release(&lead);
	return there;
}

/* As git looks for the working tree that a directory lies in. */
static bool look_above(struct search *search)
{
	auto_free char *path = strdup(search->tree);
	search->above = true;
	for (char *slash; path && (slash = strrchr(path, '/')) && slash != path;) {
		*slash = '\0';
		if (look(search, path))
			return true;
	}
	search->above = false;
	return false;
}

/* A directory of repositories, of which some may be linked worktrees of others elsewhere. */
static void look_below(struct search *search)
{
	auto_closedir DIR *dir = opendir(search->tree);
	unsigned looked_at = 0;
	for (struct dirent *entry; dir && looked_at < MOST_CHILDREN && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		looked_at++;
		auto_free char *path = path_join(search->tree, entry->d_name);
		if (path)
			look(search, path);
	}
}

int git_find(const char *tree, uid_t user, struct git_found *ret_found, struct pinfold_error *err)
{
	struct git_found found = { 0 };
	struct search search = { .tree = tree, .user = user, .found = &found };
	if (!look(&search, tree) && !look_above(&search))
		look_below(&search);
	if (search.failed) {
		git_found_release(&found);
		return fault_no_memory(err);
	}
	*ret_found = found;
	return 0;
}

void git_found_release(struct git_found *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->places[i].path);
	list_release(&found->borrowed);
	list_release(&found->remarks);
	*found = (struct git_found){ 0 };
}
