/* plugins/namespaces/probe.c - tries the arm for real on a small stand-in of a tree, and looks from
 * inside whether each thing holds that an outsider can see does not hold outside. */
#include "config.h"

#include "bait/bait.h"
#include "probe.h"
#include "through.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is tried, and whether the second wall stands. */
struct looking {
	const struct bait *bait;
	bool walled;
};

static bool writes_pipe(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* From inside: 0, or -EPERM where something outside was reached or something inside is missing. */
static long look(void *context)
{
	const struct looking *looking = context;
	const struct bait *bait = looking->bait;
	if (looking->walled && writes_pipe(bait->pipe))
		return -EPERM;
	for (int i = 0; i < 3; i++)
		if (bait->reached >> i & 1 && bait_reaches(bait, i))
			return -EPERM;
	if (bait_reads(bait->secret) || bait_creates("/pinfold-probe") || !bait_creates(bait->marker) ||
	    !bait_creates("/tmp/inside") || !bait_reads("/dev/zero"))
		return -EPERM;
	return 0;
}

static long read_switch(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	return got > 0 ? strtol(text, NULL, 10) : -1;
}

static struct switches read_switches(void)
{
	return (struct switches){
		.apparmor_restricts = read_switch("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
		.clone_allowed = read_switch("/proc/sys/kernel/unprivileged_userns_clone"),
		.namespaces_allowed = read_switch("/proc/sys/user/max_user_namespaces"),
		.root = geteuid() == 0,
		.has_wrapper = access("/usr/bin/bwrap", X_OK) == 0,
	};
}

static void promise(const struct pinfold_host *host, bool walled, struct pinfold_offer *offer)
{
	struct settings settings = settings_read(host);
	offer->available = 1;
	offer->missing = offer->lift = NULL;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = offer->answered & ~(PINFOLD_BIT(RESOURCES));
	offer->note[PINFOLD_AXIS_SOCKETS] =
		"outside of /run and /tmp a socket is not covered that a service makes during a run, names by a relative path or another than its own, or has in another network namespace";
	offer->note[PINFOLD_AXIS_WRITES] = walled ?
		"with the scope `machine`, or with namespaces of its own, a named pipe that is shown as it is still takes what its permissions let the command write" :
		"a named pipe outside of /run and /tmp still takes what its permissions let the command write";
	offer->note[PINFOLD_AXIS_SECRETS] =
		"a hidden file that is replaced or made outside during a run is in sight, and one that a hard link or "
		"another mount shows as well can be read there";
	offer->note[PINFOLD_AXIS_RESOURCES] =
		settings.nested ? "[arm:namespaces] nested = yes leaves the call by which a process can begin in another cgroup" :
				  "no ceiling on all processes together is configured or required, so none was looked for";
	if (geteuid() == 0) {
		offer->kept &= ~PINFOLD_BIT(USER);
		offer->note[PINFOLD_AXIS_USER] =
			"the caller is root: without any capability, but as the owner of root's files it reads what root alone may read; "
			"with the scope `machine` it has the power over files and ids that installing packages takes";
	}
	if (settings.wrapper && geteuid() == 0) {
		offer->kept &= ~PINFOLD_BIT(WRITES);
		offer->note[PINFOLD_AXIS_WRITES] =
			"bubblewrap shows the host's devices so that a command of root's can change their modes";
	}
	if (settings.nested)
		offer->note[PINFOLD_AXIS_KERNEL] =
			geteuid() == 0 ?
			"[arm:namespaces] nested = yes leaves the calls that make namespaces and mounts, and yet a command of "
			"root's makes no sandbox: its /proc is read-only" :
			"[arm:namespaces] nested = yes leaves the calls that make namespaces and mounts";
	if (settings.wrapper)
		offer->note[PINFOLD_AXIS_PROCESSES] =
			"bubblewrap leaves an init of its own in sight, which the command can change: it has the same filter";
	/* The file system of cgroups is read-only, and the filter refuses the call that could begin in another one. */
	if (PINFOLD_REACHES(offer, holds_group))
		offer->holds_group = offer->kept & PINFOLD_BIT(WRITES) && !settings.nested;
	if (!settings.fresh_proc)
		offer->note[PINFOLD_AXIS_PROCESSES] = "[arm:namespaces] proc = none: there is no /proc inside";
}

static struct pinfold_shown show_bait(const struct bait *bait)
{
	struct stat tree = { 0 }, copy = { 0 }, temporary = { 0 };
	lstat(bait->tree, &tree);
	lstat(bait->copy, &copy);
	lstat(bait->temporary, &temporary);
	return (struct pinfold_shown){
		.size = sizeof(struct pinfold_shown),
		.tree = bait->tree, .tree_device = tree.st_dev, .tree_inode = tree.st_ino,
		.source = bait->copy, .source_device = copy.st_dev, .source_inode = copy.st_ino,
		.temporary = bait->temporary, .temporary_device = temporary.st_dev,
		.temporary_inode = temporary.st_ino,
		.directory = bait->tree,
	};
}

static void refuse(const struct pinfold_host *host, struct pinfold_offer *offer,
		   const struct trial *trial)
{
	struct switches switches = read_switches();
	struct refusal refusal = refusal_explain(trial, &switches);
	offer->missing = trial->what ? host->print(host, "%s (%s: %s)", refusal.missing, trial->what,
						   strerror(trial->error)) : refusal.missing;
	offer->lift = refusal.lift;
}

static bool holds(const char *path, const char *expected)
{
	char text[64] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	return got > 0 && strcmp(text, expected) == 0;
}

/* Looks by a shell's own words, for there is no program of ours at a known place. What it wrote into the
 * tree must be in the copy: an exit status of 0 proves nothing. */
static bool try_through(const struct pinfold_host *host, struct bait *bait,
			const struct pinfold_plan *plan, struct pinfold_offer *offer)
{
	static const char look_around[] =
		"state=\n"
		"while read -r key value; do\n"
		"  case $key in CapEff: | NoNewPrivs: | Seccomp:) state=\"$state $value\" ;; esac\n"
		"done 2>/dev/null </proc/self/status\n"
		"case $state in '' | ' 0000000000000000 1 2') ;; *) echo 'privileges remain' >&2; exit 1 ;; esac\n"
		"[ ! -s \"$1\" ] || { echo 'a hidden file can be read' >&2; exit 1; }\n"
		"( : >/pinfold-probe ) 2>/dev/null && { echo 'the root can be written' >&2; exit 1; }\n"
		": >/tmp/inside && printf %s \"$3\" >\"$2\"\n";
	char said[256] = "";
	const char *const words[] = { "/bin/sh", "-c", look_around, "sh", bait->secret, bait->marker,
				      bait->base, NULL };
	const char *marker = host->print(host, "%s/marker", bait->copy);
	if (through_try(host, plan, words, said, sizeof(said)) && marker && holds(marker, bait->base)) {
		promise(host, false, offer);
		return true;
	}
	offer->missing = host->print(host, "confinement through %s: %s", plan->through[0],
				     said[0] ? said : "nothing was seen of it from inside");
	offer->lift = "look at what bubblewrap says, or leave [arm:namespaces] wrapper unset";
	return false;
}

static int prepare_bait(const struct pinfold_host *host, const struct bait *bait,
			struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct pinfold_shown shown = show_bait(bait);
	const struct pinfold_path hidden = { .size = sizeof(hidden), .kind = PINFOLD_PATH_HIDE,
					     .path = bait->secret, .mode = S_IFREG };
	const struct pinfold_policy policy = { .size = sizeof(policy), .paths = &hidden, .path_count = 1 };
	*plan = (struct pinfold_plan){ .size = sizeof(*plan) };
	return prepare_plan(host, &policy, &shown, plan, err);
}

/* Bubblewrap gives up where a socket that is to be covered has gone meanwhile: not at the first try. */
static int try_wrapper(const struct pinfold_host *host, struct bait *bait, struct pinfold_offer *offer,
		       struct pinfold_error *err)
{
	bool done = false;
	for (int attempt = 0; !done && attempt < 5; attempt++) {
		struct pinfold_plan plan;
		int result = prepare_bait(host, bait, &plan, err);
		if (result == 0)
			done = try_through(host, bait, &plan, offer);
		prepare_release(host, &plan);
		if (result < 0)
			return -1;
	}
	return 0;
}

static int try_bait(const struct pinfold_host *host, struct bait *bait,
		    struct pinfold_offer *offer, struct pinfold_error *err)
{
	struct trial trial;
	struct pinfold_plan plan;
	struct settings settings = settings_read(host);
	if (settings.wrapper)
		return try_wrapper(host, bait, offer, err);
	if (prepare_bait(host, bait, &plan, err) < 0)
		return -1;
	const struct state *state = plan.state;
	struct looking looking = { bait, state->walled };
	trial_run(host, &plan, look, &looking, &trial);
	if (trial.step == TRIAL_DONE)
		promise(host, state->walled, offer);
	else
		refuse(host, offer, &trial);
	return 0;
}

/* A program that cannot be used is a refusal of this machine's, not a fault of the probe's. */
static bool refuse_wrapper(const struct pinfold_host *host, struct pinfold_offer *offer)
{
	const char *path;
	struct pinfold_error why = { 0 };
	struct settings settings = settings_read(host);
	if (!settings.wrapper || through_check(host, settings.wrapper, &path, &why) == 0)
		return false;
	offer->missing = host->print(host, "a bubblewrap that can be trusted: %s%s%s", why.subject,
				     why.sys ? ": " : "", why.sys ? strerror(why.sys) : "");
	offer->lift = host->print(host, "%s", why.recovery);
	return true;
}

int probe_offer(const struct pinfold_host *host, struct pinfold_offer *offer,
		struct pinfold_error *err)
{
	struct bait bait = BAIT_NONE;
	int result = 0;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	if (refuse_wrapper(host, offer))
		return 0;
	if (bait_lay(host, &bait)) {
		result = try_bait(host, &bait, offer, err);
	} else {
		offer->missing = "a directory for a trial: none of /var/tmp, /tmp and /dev/shm can be written";
		offer->lift = "make one of them writable";
	}
	bait_take_away(&bait);
	return result;
}
