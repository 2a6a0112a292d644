/* escape/links.c - links and renames in the tree, which lead out of the copy or back to the tree itself. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *file(void) { return beside(fact("outside"), "file"); }

static long by_relative_path(void) { return make("twin-file-in-tree"); }
static long change_in_place(void) { return put(open("one", O_WRONLY)); }
static long remove_in_place(void) { return done(unlink("one")); }
static long change_hard_link(void) { return put(open("hard", O_WRONLY)); }
static long mode_of_hard_link(void) { return done(chmod("hard", 0741)); }
static long by_link_of_tree(void) { return put(open("link", O_WRONLY)); }
static long in_linked_directory(void) { return make(beside("linked", token)); }
static long by_absolute_path(void) { return make(beside(fact("tree"), token)); }
static long from_above(void) { return make(beside("..", token)); }
static long mode_of_tree(void) { return done(chmod(".", 0711)); }
static long replace_tree(void)
{
	char moved[600];
	const char *tree = fact("tree");
	snprintf(moved, sizeof(moved), "%s-moved", tree);
	if (unconfined)
		return make(beside(fact("outside"), token));
	return done(rename(tree, moved));
}

static long by_new_link(void)
{
	unlink("new-link");
	if (symlink(file(), "new-link") < 0)
		return -errno;
	return put(open("new-link", O_WRONLY));
}

static long by_new_hard_link(void)
{
	unlink("new-hard");
	if (link(file(), "new-hard") < 0)
		return -errno;
	return put(open("new-hard", O_WRONLY));
}

static volatile int racing;

static void *swap_names(void *unused)
{
	while (racing)
		syscall(SYS_renameat2, AT_FDCWD, "turn", AT_FDCWD, "turn-link", 2 /* EXCHANGE */);
	return unused;
}

static long race(void)
{
	pthread_t thread;
	long result = -ENOENT;
	mkdir("turn", 0700);
	if (symlink(fact("outside"), "turn-link") < 0 && errno != EEXIST)
		return -errno;
	racing = 1;
	if (pthread_create(&thread, NULL, swap_names, NULL) != 0)
		return -errno;
	for (int i = 0; i < 4000; i++) {
		int fd = open(beside("turn", token), O_CREAT | O_WRONLY, 0600);
		if (fd >= 0) {
			close(fd);
			result = 0;
		}
	}
	racing = 0;
	pthread_join(thread, NULL);
	return result;
}

static long mount_point_renamed(void)
{
	const char *tree = fact("tree");
	if (unconfined)
		return make(beside(fact("outside"), token));
	if (syscall(SYS_renameat2, AT_FDCWD, tree, AT_FDCWD, fact("outside"), 2 /* EXCHANGE */) < 0)
		return -errno;
	return make(beside(fact("outside"), token));
}

#define TREE(name, function, mechanism, source) { name, "filesystem", 0, function, &writes_in_the_tree, mechanism, source }
#define LINK(name, function, mechanism, source) { name, "writes", 0, function, &writes_in_the_tree, mechanism, source }
static const struct row rows[] = {
	TREE("file-in-the-tree", by_relative_path, "a file is made in the working directory", "the main promise"),
	TREE("file-of-the-tree", change_in_place, "a file of the tree is written in place", "the main promise"),
	TREE("file-removed", remove_in_place, "a file of the tree is removed", "the main promise"),
	TREE("mode-of-the-tree", mode_of_tree, "the mode of the working directory is changed", "the main promise"),
	TREE("hard-link-of-the-tree", change_hard_link, "a file of the tree is also a file outside: it is written in place", "hard links in trees"),
	TREE("mode-of-a-hard-link", mode_of_hard_link, "a file of the tree is also a file outside: its mode is changed", "hard links in trees"),
	TREE("link-of-the-tree", by_link_of_tree, "a link of the tree leads out of it and is written through", "CVE-2026-39861"),
	TREE("linked-directory", in_linked_directory, "a link of the tree leads to a directory outside", "CVE-2026-39861"),
	{ "tree-by-absolute-path", "filesystem", 0, by_absolute_path, &writes_in_the_tree, "the tree is written by its absolute path",
	  "absolute paths in build trees", "absolute path" },
	LINK("new-link", by_new_link, "the command makes a link that leads out and writes through it", "CVE-2026-25724"),
	LINK("new-hard-link", by_new_hard_link, "the command makes a hard link to a file outside and writes it", "link(2)"),
	LINK("beside-the-tree", from_above, "`..` of the working directory", "path_resolution(7)"),
	LINK("rename-race", race, "a directory is exchanged with a link to one outside while files are made in it", "CVE-2025-55345"),
	LINK("tree-renamed", replace_tree, "the tree itself is renamed away", "rename(2)"),
	LINK("tree-exchanged", mount_point_renamed, "the tree is exchanged with a directory outside", "rename(2)"),
};
const struct class links_class = CLASS("links, renames and races in the tree", rows);
