/* plugins/landlock/probe.c - applies the rules in a process of their own, on a small stand-in of a tree, and
 * looks from inside: what must be refused and is not makes the arm unavailable or takes a promise. */
#include "config.h"

#include "landlock.h"
#include "bait/bait.h"
#include "bare/strays.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum trial_step { TRIAL_START = 0, TRIAL_APPLY, TRIAL_VERIFY, TRIAL_LOOK, TRIAL_DONE };

/* Shared with the process that tries. */
struct trial {
	uint32_t step;
	int32_t error;
	uint32_t sights;
	const char *what;
};

struct trying {
	const struct pinfold_host *host;
	const struct bait *bait;
	struct pinfold_plan plan;
	const char *inside, *directory, *moved;	/* in the copy: a file, a directory, and the file in it */
	char environment[40];	/* of the process that watches */
	struct trial *trial;
};

static bool can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What must hold, or there is no arm. */
static const char *find_way_out(const struct trying *trying)
{
	const struct bait *bait = trying->bait;
	if (bait_reads(bait->secret) || can_open(bait->secret, O_RDONLY))
		return "a hidden file can be read";
	if (bait_creates(bait->marker))
		return "a file can be made outside";
	if (can_open(bait->secret, O_WRONLY) || unlink(bait->secret) == 0)
		return "a file outside can be changed";
	if (link(bait->secret, trying->moved) == 0)
		return "a file outside can be linked into the copy";
	if (!bait_creates(trying->inside) || !bait_reads(bait->copied_secret) || !can_open("/proc/self/status", O_RDONLY))
		return "the copy cannot be used";
	return NULL;
}

static uint32_t look(const struct trying *trying)
{
	static const uint32_t listeners[] = { SIGHT_ABSTRACT, SIGHT_NETWORK, SIGHT_SOCKET };
	const struct bait *bait = trying->bait;
	uint32_t sights = 0;
	for (int i = 0; i < 3; i++)
		if (bait->reached >> i & 1 && bait_reaches(bait, i))
			sights |= listeners[i];
	if (mkdir(trying->directory, 0700) == 0 && rename(trying->inside, trying->moved) == 0)
		sights |= SIGHT_RENAMES;
	if (chmod(bait->secret, 0600) == 0)
		sights |= SIGHT_ATTRIBUTES;
	if (kill(getppid(), 0) == 0)
		sights |= SIGHT_SIGNALS;
	if (can_open(trying->environment, O_RDONLY))
		sights |= SIGHT_MEMORY;
	if (truncate(bait->secret, 0) == 0)
		sights |= SIGHT_TRUNCATES;
	return sights;
}

static bool note(struct trial *trial, uint32_t step, int result)
{
	trial->step = step;
	trial->error = result < 0 ? -result : 0;
	return result >= 0;
}

/* Nobody listens here: what would be asked about is then unknown, and not waited for. */
static int apply(const struct pinfold_plan *plan)
{
	int result = stage_enter(plan, PINFOLD_STAGE_APPLY);
	if (result >= 0 && plan->listener && *plan->listener >= 0)
		close(*plan->listener);
	return result;
}

static void try_inside(const struct trying *trying)
{
	struct trial *trial = trying->trial;
	if (note(trial, TRIAL_APPLY, apply(&trying->plan)) &&
	    note(trial, TRIAL_VERIFY, stage_enter(&trying->plan, PINFOLD_STAGE_VERIFY))) {
		trial->step = TRIAL_LOOK;
		trial->what = find_way_out(trying);
		trial->sights = look(trying);
		if (!trial->what)
			trial->step = TRIAL_DONE;
	} else {
		trial->what = *trying->plan.failed;
	}
	_exit(0);
}

static struct trial *share(void)
{
	void *shared = mmap(NULL, sizeof(struct trial), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED ? NULL : shared;
}

static struct pinfold_shown show_bait(const struct bait *bait)
{
	struct stat copy = { 0 }, temporary = { 0 };
	lstat(bait->copy, &copy);
	lstat(bait->temporary, &temporary);
	return (struct pinfold_shown){
		.size = sizeof(struct pinfold_shown), .tree = bait->tree, .directory = bait->tree,
		.source = bait->copy, .source_device = copy.st_dev, .source_inode = copy.st_ino,
		.temporary = bait->temporary, .temporary_device = temporary.st_dev,
		.temporary_inode = temporary.st_ino,
	};
}

static bool name_all(struct trying *trying)
{
	const struct pinfold_host *host = trying->host;
	snprintf(trying->environment, sizeof(trying->environment), "/proc/%ld/environ", (long)getpid());
	return (trying->inside = host->print(host, "%s/inside", trying->bait->copy)) &&
	       (trying->directory = host->print(host, "%s/directory", trying->bait->copy)) &&
	       (trying->moved = host->print(host, "%s/moved", trying->directory));
}

static int prepare(struct trying *trying, struct pinfold_error *err)
{
	const struct bait *bait = trying->bait;
	const struct pinfold_path hidden = { .size = sizeof(hidden), .kind = PINFOLD_PATH_HIDE,
					     .path = bait->secret, .mode = S_IFREG };
	const struct pinfold_policy policy = { .size = sizeof(policy), .paths = &hidden, .path_count = 1 };
	struct pinfold_shown shown = show_bait(bait);
	trying->plan = (struct pinfold_plan){ .size = sizeof(trying->plan) };
	trying->trial = share();
	if (!trying->trial || !name_all(trying))
		return trying->host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "try the arm", NULL, NULL);
	return prepare_plan(trying->host, &policy, &shown, &trying->plan, err);
}

static void refuse(const struct trying *trying, struct pinfold_offer *offer)
{
	const struct trial *trial = trying->trial;
	const char *what = trial->what ? trial->what : "no process for a trial";
	offer->missing = trial->step < TRIAL_LOOK && trial->error ?
		trying->host->print(trying->host, "confinement that holds: cannot %s: %s", what, strerror(trial->error)) :
		trying->host->print(trying->host, "confinement that holds: %s", what);
	offer->lift = trial->step == TRIAL_APPLY ? "run outside of the enclosing sandbox, or use a kernel with CONFIG_SECCOMP_FILTER" :
						   "report this with the version of the kernel";
}

static int try_arm(struct trying *trying, struct pinfold_offer *offer, struct pinfold_error *err)
{
	struct settings settings = settings_read(trying->host);
	int result = prepare(trying, err);
	const struct state *state = trying->plan.state;
	if (result == 0) {
		pid_t child = fork();
		if (child == 0)
			try_inside(trying);
		while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
		if (trying->trial->step == TRIAL_DONE)
			promise_fill(&settings, state->abi, trying->trial->sights, geteuid() == 0,
				     strays_trouble(), offer);
		else
			refuse(trying, offer);
	}
	prepare_release(trying->host, &trying->plan);
	if (trying->trial)
		munmap(trying->trial, sizeof(*trying->trial));
	return result;
}

int probe_offer(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err)
{
	struct bait bait = BAIT_NONE;
	struct trying trying = { .host = host, .bait = &bait };
	int result = 0, abi = wall_abi(host);
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	if (abi < 0) {
		promise_refuse(-abi, offer);
		return 0;
	}
	if (bait_lay(host, &bait)) {
		result = try_arm(&trying, offer, err);
	} else {
		offer->missing = "a directory for a trial: none of /var/tmp, /tmp and /dev/shm can be written";
		offer->lift = "make one of them writable";
	}
	bait_take_away(&bait);
	return result;
}
