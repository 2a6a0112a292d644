/* plugins/namespaces/ground.c - tries whether an overlay can be laid somewhere, and what it can do there. The
 * trial runs in a copy of this process, so what goes wrong in it stays there. */
#include "config.h"

#include "calls.h"
#include "ground.h"
#include "namespaces.h"
#include "trial.h"

#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define STAND_IN "below"

struct attempt {
	const struct pinfold_host *host;
	const char *tree;
	const char *base;	/* holds the upper parts, or NULL: memory does */
	uid_t user;
	gid_t group;
	struct ground *ground;	/* shared by both processes */
};

/* Notes a step's result; true where it went well. */
static bool note(const struct attempt *attempt, uint32_t step, long result)
{
	attempt->ground->step = step;
	attempt->ground->error = result < 0 ? (int32_t)-result : 0;
	return result >= 0;
}

static long told(int result)
{
	return result < 0 ? -errno : result;
}

/* A directory with a file and a directory in it, as if of the tree. */
static int make_stand_in(int base)
{
	if (mkdirat(base, STAND_IN, 0700) < 0 || mkdirat(base, STAND_IN "/old", 0700) < 0 ||
	    mkdirat(base, STAND_IN "/inner", 0700) < 0)
		return -1;
	int file = openat(base, STAND_IN "/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	close(file);
	if (linkat(base, STAND_IN "/file", base, STAND_IN "/linked", 0) < 0)
		return -1;
	file = openat(base, STAND_IN "/old/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	close(file);
	return 0;
}

static int make_places(int base)
{
	static const char *const parts[] = { "upper", "work", "upper2", "work2" };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (mkdirat(base, parts[i], 0700) < 0)
			return -1;
	return make_stand_in(base);
}

/* Where the upper parts come to lie, a descriptor or a negative errno. */
static long open_base(const struct attempt *attempt)
{
	if (attempt->base)
		return told(open(attempt->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	long base = system_make(attempt->host, "tmpfs", "mode", "0700", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	long result = base < 0 ? base : call_lay(attempt->host, (int)base, AT_FDCWD, "/dev");
	/* What lies on the descriptor's directory is seen only from a new look at it. */
	return result < 0 ? result : told(open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static long lay(const struct attempt *attempt, int base, const char *lower, const char *upper,
		const char *work)
{
	int fds[] = { openat(lower[0] == '/' ? AT_FDCWD : base, lower, O_PATH | O_DIRECTORY | O_CLOEXEC),
		      openat(base, upper, O_PATH | O_DIRECTORY | O_CLOEXEC),
		      openat(base, work, O_PATH | O_DIRECTORY | O_CLOEXEC) };
	for (int i = 0; i < 3; i++)
		if (fds[i] < 0)
			return -errno;
	return layer_open(attempt->host, fds[0], fds[1], fds[2], false);
}

static bool write_in(const struct attempt *attempt, int tree)
{
	int file = openat(tree, "new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file >= 0)
		close(file);
	return note(attempt, GROUND_WRITE, told(file));
}

static bool keeps_links(int tree)
{
	struct stat status = { 0 };
	int file = openat(tree, "linked", O_WRONLY | O_CLOEXEC);
	bool written = file >= 0 && write(file, "x", 1) == 1;
	if (file >= 0)
		close(file);
	return written && fstatat(tree, "file", &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_size == 1;
}

/* A removed file leaves a mark in the upper part; a new directory where one was, another, and that is an
 * extended attribute. */
static bool replace_in(const struct attempt *attempt, int tree)
{
	if (!note(attempt, GROUND_REMOVE, told(unlinkat(tree, "file", 0))) ||
	    !note(attempt, GROUND_REMOVE, told(unlinkat(tree, "old/file", 0))) ||
	    !note(attempt, GROUND_REMOVE, told(unlinkat(tree, "old", AT_REMOVEDIR))) ||
	    !note(attempt, GROUND_REPLACE, told(mkdirat(tree, "old", 0700))))
		return false;
	struct stat status;
	bool empty = fstatat(tree, "old/file", &status, 0) < 0 && errno == ENOENT;
	return note(attempt, GROUND_REPLACE, empty ? 0 : -EOPNOTSUPP);
}

static void run_attempt(const struct attempt *attempt)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!note(attempt, GROUND_MAP, trial_map_ids(attempt->user, attempt->group)))
		_exit(0);
	long base = open_base(attempt);
	if (!note(attempt, GROUND_PLACE, base) || !note(attempt, GROUND_PLACE, told(make_places((int)base))) ||
	    !note(attempt, GROUND_PLACE, told(fsetxattr((int)base, "user.pinfold", "", 0, 0))))
		_exit(0);
	long whole = lay(attempt, (int)base, attempt->tree ? attempt->tree : STAND_IN, "upper", "work");
	if (!note(attempt, GROUND_LAY, whole))
		_exit(0);
	long tree = lay(attempt, (int)base, STAND_IN, "upper2", "work2");
	if (!note(attempt, GROUND_LAY, tree) || !write_in(attempt, (int)tree))
		_exit(0);
	attempt->ground->links = keeps_links((int)tree);
	if (!replace_in(attempt, (int)tree))
		_exit(0);
	attempt->ground->renames = renameat((int)tree, "inner", (int)tree, "moved") == 0;
	note(attempt, GROUND_DONE, 0);
	_exit(0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static void remove_all(const char *base)
{
	int fd = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		upper_open_work(fd, "work");
		upper_open_work(fd, "work2");
		close(fd);
	}
	nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void run(struct attempt *attempt)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);	/* the caller's handlers are not for copies */
	long child = call(attempt->host, SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		run_attempt(attempt);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		attempt->ground->error = (int32_t)-child;
	while (child > 0 && waitpid((pid_t)child, NULL, 0) < 0 && errno == EINTR)
		;
}

void ground_try(const struct pinfold_host *host, const char *tree, const char *base,
		struct ground *ret_ground)
{
	*ret_ground = (struct ground){ .error = ENOMEM };
	struct ground *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return;
	char *place = base ? strdup(host->print(host, "%s/ground.XXXXXX", base)) : NULL;
	struct attempt attempt = { host, tree, place, geteuid(), getegid(), shared };
	if (base && (!place || !mkdtemp(place)))
		*shared = (struct ground){ .step = GROUND_PLACE, .error = errno };
	else
		run(&attempt);
	if (place)
		remove_all(place);
	free(place);
	*ret_ground = *shared;
	munmap(shared, sizeof(*shared));
}

/* Until Linux 5.11; later ones say EPERM for an enclosing sandbox. A file system that is unfit is EINVAL. */
static bool is_forbidden(const struct ground *ground)
{
	struct utsname system;
	unsigned major = 0, minor = 0;
	return ground->step == GROUND_LAY && ground->error == EPERM && uname(&system) == 0 &&
	       sscanf(system.release, "%u.%u", &major, &minor) == 2 && (major < 5 || (major == 5 && minor < 11));
}

const char *ground_missing(const struct pinfold_host *host, const struct ground *ground, const char *base)
{
	static const char *const steps[] = {
		[GROUND_NAMESPACES] = "user and mount namespaces",
		[GROUND_MAP] = "capabilities in a user namespace",
		[GROUND_PLACE] = "user extended attributes (user_xattr) and room for a private layer",
		[GROUND_LAY] = "an overlay: the file system of the tree or of the private layer cannot be a part of one",
		[GROUND_WRITE] = "an overlay that can be written",
		[GROUND_REMOVE] = "an overlay in which files can be removed",
		[GROUND_REPLACE] = "an overlay in which directories can be replaced",
		[GROUND_DONE] = "nothing",
	};
	const char *step = is_forbidden(ground) ? "an overlay in a user namespace: this kernel lets nobody lay one" :
						  steps[ground->step];
	const char *text = host->print(host, "%s (%s%s%s)", step, base ? base : "in memory",
				       ground->error ? ": " : "", ground->error ? strerror(ground->error) : "");
	return text ? text : step;
}

const char *ground_lift(const struct ground *ground)
{
	if (ground->step == GROUND_NAMESPACES || ground->step == GROUND_MAP)
		return "what the arm namespaces needs: `pinfold probe` says what lifts it";
	if (is_forbidden(ground))
		return "use Linux 5.11 or later, or the view `copy`";
	return "name a directory on ext4, xfs, btrfs, or tmpfs of Linux 6.6 with [filesystem] scratch: not on an "
	       "overlay, as in most containers (mount a volume there), and not on NFS; or use the view `copy`";
}
