/* tests/namespaces_cage.c - a small world outside, and a way to look at it from inside the arm. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "namespaces_cage.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *world_home(void)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *home = getenv("HOME");
	return user ? user->pw_dir : home ? home : "/";
}

const char *world_path(struct world *world, const char *directory, const char *name)
{
	return arena_print(world->host.arena, "%s/%s", directory, name);
}

void world_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

bool world_exists(const char *path)
{
	struct stat status;
	return lstat(path, &status) == 0;
}

bool world_reads(const char *path, const char *expected)
{
	char text[64] = "";
	int fd = open(path, O_RDONLY);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	return got >= 0 && streq(text, expected);
}

long world_create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static const char *make_directory(struct world *world, const char *name)
{
	const char *path = world_path(world, world->base, name);
	assert_int_equal(mkdir(path, 0700), 0);
	return path;
}

static int serve(int family, void *address, socklen_t room, socklen_t *length)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, address, *length), 0);
	assert_int_equal(listen(fd, 64), 0);
	*length = room;
	assert_int_equal(getsockname(fd, address, length), 0);
	return fd;
}

static void serve_all(struct world *world)
{
	socklen_t length = sizeof(world->by_path);
	world->by_path.sun_family = world->by_name.sun_family = AF_UNIX;
	snprintf(world->by_path.sun_path, sizeof(world->by_path.sun_path), "%s/socket", world->outside);
	world->by_name_length = sizeof(sa_family_t);
	world->loopback.sin_family = AF_INET;
	world->loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	world->servers[0] = serve(AF_UNIX, &world->by_path, sizeof(world->by_path), &length);
	world->servers[1] = serve(AF_UNIX, &world->by_name, sizeof(world->by_name), &world->by_name_length);
	length = sizeof(world->loopback);
	world->servers[2] = serve(AF_INET, &world->loopback, sizeof(world->loopback), &length);
}

static void start_victim(struct world *world)
{
	world->victim_word = 4711;
	world->victim = fork();
	if (world->victim == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
}

void world_name(struct world *world, uint32_t kind, const char *path)
{
	struct stat status;
	assert_int_equal(lstat(path, &status), 0);
	assert_true(world->policy.path_count < WORLD_PATHS);
	world->paths[world->policy.path_count++] = (struct pinfold_path){
		.size = sizeof(world->paths[0]), .kind = kind, .path = path,
		.device = status.st_dev, .inode = status.st_ino, .mode = status.st_mode,
	};
}

static void show(struct world *world)
{
	struct stat tree, copy, temporary;
	lstat(world->tree, &tree);
	lstat(world->copy, &copy);
	lstat(world->temporary, &temporary);
	world->shown = (struct pinfold_shown){
		.size = sizeof(world->shown), .tree = world->tree, .tree_device = tree.st_dev,
		.tree_inode = tree.st_ino, .source = world->copy, .source_device = copy.st_dev,
		.source_inode = copy.st_ino, .temporary = world->temporary,
		.temporary_device = temporary.st_dev, .temporary_inode = temporary.st_ino,
		.directory = world->tree,
	};
}

void world_open(struct world *world, const char *root)
{
	*world = (struct world){ .servers = { -1, -1, -1 } };
	test_host_open(&world->host);
	snprintf(world->base, sizeof(world->base), "%s/pinfold-world.XXXXXX", root);
	assert_non_null(mkdtemp(world->base));
	world->outside = make_directory(world, "outside");
	world->file = world_path(world, world->outside, "file");
	world_write(world->file, "outside");
	world->tree = make_directory(world, "tree");
	world->scratch = make_directory(world, "scratch");
	world->copy = make_directory(world, "scratch/copy");
	world->temporary = make_directory(world, "scratch/tmp");
	world->secrets = make_directory(world, "secrets");
	world_write(world_path(world, world->secrets, "inner"), "secret");
	world->secret = world_path(world, world->base, "secret");
	world_write(world->secret, "secret");
	world->policy = (struct pinfold_policy){ .size = sizeof(world->policy), .paths = world->paths,
						 .scratch = world->scratch };
	world_name(world, PINFOLD_PATH_HIDE, world->secret);
	world_name(world, PINFOLD_PATH_HIDE, world->secrets);
	show(world);
	serve_all(world);
	start_victim(world);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

void world_close(struct world *world)
{
	kill(world->victim, SIGKILL);
	waitpid(world->victim, NULL, 0);
	for (size_t i = 0; i < N_ELEMENTS(world->servers); i++)
		close(world->servers[i]);
	assert_int_equal(nftw(world->base, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	test_host_close(&world->host);
}

struct trial world_try(struct world *world, long (*look)(void *))
{
	world->plan = (struct pinfold_plan){ .size = sizeof(world->plan) };
	int result = prepare_plan(&world->host.table, &world->policy, &world->shown, &world->plan, &world->err);
	if (result < 0)
		print_message("%s: %s\n", world->err.action, world->err.subject);
	assert_int_equal(result, 0);
	trial_run(&world->host.table, &world->plan, look, world, &world->trial);
	assert_int_equal(prepare_settle(&world->host.table, &world->plan, &world->err), 0);
	return world->trial;
}

int world_inside(struct world *world, long (*look)(void *))
{
	struct trial trial = world_try(world, look);
	if (trial.step < TRIAL_INSIDE)
		print_message("step %u: %s: %s\n", trial.step, trial.what ? trial.what : "", strerror(trial.error));
	assert_true(trial.step >= TRIAL_INSIDE);
	return trial.error;
}

int world_without(struct world *world, long (*look)(void *))
{
	long *answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(answer != MAP_FAILED);
	*answer = -ECHILD;
	pid_t child = fork();
	if (child == 0) {
		*answer = look(world);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	int error = (int)-*answer;
	munmap(answer, sizeof(*answer));
	return error;
}
