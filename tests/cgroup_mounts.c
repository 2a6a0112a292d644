/* tests/cgroup_mounts.c - the mount of cgroups that is taken where there are several, and how a place is given back. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cgroup/find.h"
#include "cgroup/mounts.h"
#include "cgroup/place.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { WRONG = 1, NOT_HERE = 77 };

static char work[] = "/tmp/cgroup-mounts-XXXXXX";

static const char *at(const char *name)
{
	static char room[4][256];
	static unsigned next;
	char *path = room[next++ % 4];
	snprintf(path, sizeof(room[0]), "%s/%s", work, name);
	return path;
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(work) && mkdir(at("a"), 0700) == 0 && mkdir(at("b"), 0700) == 0 && mkdir(at("c"), 0700) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return rmdir(at("a")) | rmdir(at("b")) | rmdir(at("c")) | rmdir(work);
}

/* In a process with mounts and a view of cgroups of its own, where nothing else of the kind is mounted in sight of `own`. */
static void in_a_world_of_mounts(int (*body)(void))
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int own = geteuid() == 0 ? 0 : CLONE_NEWUSER;
		if (unshare(own | CLONE_NEWNS | CLONE_NEWCGROUP) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("none", at("a"), "cgroup2", 0, NULL) < 0 || umount2(at("a"), 0) < 0)
			_exit(NOT_HERE);
		_exit(body());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NOT_HERE) {
		print_message("needs %scgroups of version 2 that can be mounted\n", geteuid() == 0 ? "" : "root, or ");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* What is mounted already is read-only from here on, so that what a body mounts is all that can be written. */
static int seal_others(void)
{
	struct list points = { 0 };
	int result = mounts_list(&points);
	for (size_t i = 0; i < points.count; i++)
		if (mount(NULL, points.items[i], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
			umount2(points.items[i], MNT_DETACH);
	list_release(&points);
	return result;
}

static int expect_mount(const char *point, bool read_only)
{
	struct mounts_best best = { .read_only = false };
	auto_close int directory = mounts_open("/", &best);
	if (directory >= 0 && streq(best.point, point) && best.read_only == read_only)
		return 0;
	print_error("%s, %s\n", directory < 0 ? "none" : best.point, best.read_only ? "read-only" : "writable");
	return WRONG;
}

static int take_the_writable(void)
{
	if (seal_others() < 0 || mount("none", at("a"), "cgroup2", MS_RDONLY, NULL) < 0 ||
	    mount(NULL, at("a"), NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0 ||
	    mount("none", at("b"), "cgroup2", 0, NULL) < 0 || mount(NULL, at("b"), NULL, MS_REMOUNT | MS_BIND, NULL) < 0)
		return NOT_HERE;
	return expect_mount(at("b"), false);
}

static void of_several_mounts_the_one_that_can_be_written_is_taken(void **state)
{
	(void)state;
	in_a_world_of_mounts(take_the_writable);
}

static int take_none_that_is_covered(void)
{
	if (seal_others() < 0 || mount("none", at("a"), "cgroup2", 0, NULL) < 0 ||
	    mount("none", at("a"), "tmpfs", 0, NULL) < 0 || mount("none", at("c"), "cgroup2", 0, NULL) < 0)
		return NOT_HERE;
	return expect_mount(at("c"), false);
}

static void a_mount_that_another_covers_is_none(void **state)
{
	(void)state;
	in_a_world_of_mounts(take_none_that_is_covered);
}

/* The real one lies below a mount of the same kind that shows another part. */
static int take_none_that_a_part_covers(void)
{
	if (geteuid() != 0 || seal_others() < 0 || mount("none", at("a"), "cgroup2", 0, NULL) < 0)
		return NOT_HERE;
	char part[300];
	snprintf(part, sizeof(part), "%s/pinfold-test-%d", at("a"), (int)getpid());
	if (mkdir(part, 0700) < 0 || mount(part, at("b"), NULL, MS_BIND, NULL) < 0 ||
	    mount(part, at("a"), NULL, MS_BIND, NULL) < 0 || mount("none", at("c"), "cgroup2", 0, NULL) < 0)
		return NOT_HERE;
	int result = expect_mount(at("c"), false);
	umount2(at("a"), MNT_DETACH);
	umount2(at("b"), MNT_DETACH);
	return rmdir(part) == 0 ? result : WRONG;
}

static void a_mount_that_shows_another_part_is_not_taken_for_the_callers(void **state)
{
	(void)state;
	in_a_world_of_mounts(take_none_that_a_part_covers);
}

static int list_all(void)
{
	struct list points = { 0 };
	if (mount("none", at("a"), "cgroup2", 0, NULL) < 0 || mount("none", at("b"), "cgroup2", 0, NULL) < 0)
		return NOT_HERE;
	bool all = mounts_list(&points) == 0 && list_has(&points, at("a")) && list_has(&points, at("b"));
	list_release(&points);
	return all ? 0 : WRONG;
}

static void every_mount_is_known_as_a_way_out(void **state)
{
	(void)state;
	in_a_world_of_mounts(list_all);
}

/* --- giving a place back --------------------------------------------------------------------------------- */
struct scene {
	char path[300];
	int directory, below;
	pid_t moved, before;
};

static pid_t start_in(int cgroup)
{
	pid_t pid = fork();
	if (pid == 0)
		for (;;)
			pause();
	auto_close int procs = openat(cgroup, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	if (procs < 0 || dprintf(procs, "%d", pid) < 0)
		print_error("a process cannot be moved: %d\n", errno);
	return pid;
}

static bool is_in(int cgroup, pid_t pid)
{
	struct list list = { 0 };
	char text[4096], number[16], *rest = NULL;
	auto_close int procs = openat(cgroup, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	ssize_t got = read(procs, text, sizeof(text) - 1);
	text[got > 0 ? got : 0] = '\0';
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		list_add(&list, line);
	snprintf(number, sizeof(number), "%d", pid);
	bool found = list_has(&list, number);
	list_release(&list);
	return found;
}

static bool build(struct scene *scene)
{
	if (geteuid() != 0 || mount("none", at("a"), "cgroup2", 0, NULL) < 0)
		return false;
	snprintf(scene->path, sizeof(scene->path), "%s/pinfold-test-%d", at("a"), (int)getpid());
	char below[340];
	snprintf(below, sizeof(below), "%s/pinfold-callers", scene->path);
	if (mkdir(scene->path, 0700) < 0 || mkdir(below, 0700) < 0)
		return false;
	scene->directory = open(scene->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scene->below = open(below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scene->before = start_in(scene->below);
	scene->moved = start_in(scene->below);
	return true;
}

static void end(struct scene *scene)
{
	char below[340];
	kill(scene->moved, SIGKILL);
	kill(scene->before, SIGKILL);
	waitpid(scene->moved, NULL, 0);
	waitpid(scene->before, NULL, 0);
	snprintf(below, sizeof(below), "%s/pinfold-callers", scene->path);
	rmdir(below);
	rmdir(scene->path);
	close(scene->directory);
	close(scene->below);
}

static void give_back(struct scene *scene)
{
	struct place place = { .directory = fcntl(scene->directory, F_DUPFD_CLOEXEC, 0), .moved = true };
	char number[16];
	snprintf(number, sizeof(number), "%d", scene->before);
	list_add(&place.before, number);
	place_give_back(&place);
}

static int give_back_alone(void)
{
	struct scene scene;
	if (!build(&scene))
		return NOT_HERE;
	give_back(&scene);
	bool right = is_in(scene.directory, scene.moved) && is_in(scene.below, scene.before);
	kill(scene.before, SIGKILL);
	waitpid(scene.before, NULL, 0);
	give_back(&scene);
	right = right && faccessat(scene.directory, "pinfold-callers", F_OK, 0) < 0;
	end(&scene);
	return right ? 0 : WRONG;
}

static void who_was_moved_goes_back_and_who_was_there_before_stays(void **state)
{
	(void)state;
	in_a_world_of_mounts(give_back_alone);
}

static int give_back_beside_another(void)
{
	struct scene scene;
	if (!build(&scene))
		return NOT_HERE;
	auto_close int other = open(scene.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool right = flock(other, LOCK_SH) == 0;
	give_back(&scene);
	right = right && is_in(scene.below, scene.moved);
	end(&scene);
	return right ? 0 : WRONG;
}

static void a_place_that_another_run_needs_stays_as_it_is(void **state)
{
	(void)state;
	in_a_world_of_mounts(give_back_beside_another);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_several_mounts_the_one_that_can_be_written_is_taken),
		cmocka_unit_test(a_mount_that_another_covers_is_none),
		cmocka_unit_test(a_mount_that_shows_another_part_is_not_taken_for_the_callers),
		cmocka_unit_test(every_mount_is_known_as_a_way_out),
		cmocka_unit_test(who_was_moved_goes_back_and_who_was_there_before_stays),
		cmocka_unit_test(a_place_that_another_run_needs_stays_as_it_is),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
