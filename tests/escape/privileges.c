/* escape/privileges.c - set-user-ID programs, capabilities, and what only root may do. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* A set-user-ID program that waits for input has root's effective id, or has not. */
static long run_as_root(const char *program)
{
	int ends[2], effective = -1;
	char path[64], line[200];
	if (access(program, X_OK) < 0)
		return lack("there is no such set-user-ID program");
	if (pipe(ends) < 0)
		return -errno;
	pid_t child = fork();
	if (child < 0)	/* of which a signal would be one to everybody */
		return -errno;
	if (child == 0) {
		dup2(ends[0], 0);
		close(ends[1]);
		setsid();
		execl(program, program, "root", NULL);
		_exit(1);
	}
	snprintf(path, sizeof(path), "/proc/%d/status", child);
	for (int tries = 0; tries < 20 && effective != 0; tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
		FILE *status = fopen(path, "re");
		while (status && fgets(line, sizeof(line), status))
			sscanf(line, "Uid: %*d %d", &effective);
		if (status)
			fclose(status);
	}
	close(ends[1]);
	kill(child, 9);
	waitpid(child, NULL, 0);
	return effective == 0 ? 0 : -EPERM;
}

static long run_su(void)
{
	return geteuid() == 0 ? lack("the caller is root") : run_as_root("/bin/su");
}

static long run_mount(void)
{
	return geteuid() == 0 ? lack("the caller is root") : run_as_root("/usr/bin/passwd");
}

static long may_gain(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? -EPERM : 0;
}

static long has_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { 0 };
	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	return data[0].effective | data[1].effective | data[0].permitted | data[1].permitted ? 0 : -EPERM;
}

static long keeps_bounding(void)
{
	for (int capability = 0; capability < 41; capability++)
		if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
			return 0;
	return -EPERM;
}

static long capability_of_file(void)
{
	static const unsigned char all[20] = { 1, 0, 0, 2, 0xff, 0xff, 0xff, 0xff };
	long result = make("capable");
	return result < 0 ? result : done(setxattr("capable", "security.capability", all, sizeof(all), 0));
}

static long become_other(void) { return done(setresuid(12345, 12345, 12345)); }
static long other_groups(void)
{
	gid_t group = 42;
	return done(setgroups(1, &group));
}

static long give_away(void)
{
	long result = make("given");
	return result < 0 ? result : done(chown("given", 12345, 12345));
}

static long read_of_root(void) { return tell(fact("root_only")); }
static long read_of_other(void) { return tell(fact("other_only")); }

static long raise_priority(void) { return done(setpriority(PRIO_PROCESS, 0, -5)); }

static long real_time(void)
{
	struct sched_param priority = { .sched_priority = 1 };
	return done(sched_setscheduler(0, SCHED_RR, &priority));
}

static long raise_limit(void)
{
	struct rlimit limit = { 1 << 19, RLIM_INFINITY };
	getrlimit(RLIMIT_NPROC, &limit);
	limit.rlim_max = limit.rlim_max == RLIM_INFINITY ? RLIM_INFINITY : limit.rlim_max + 1;
	if (limit.rlim_max == RLIM_INFINITY)
		return lack("the caller has no limit that could be raised");
	return done(setrlimit(RLIMIT_NPROC, &limit));
}

static long name_host(void)
{
	struct utsname names;
	uname(&names);
	return done(sethostname(names.nodename, strlen(names.nodename)));
}

static long lock_memory(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_MEMLOCK, &limit);
	void *memory = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (limit.rlim_cur > 64 << 20)
		return lack("the caller's limit allows it");
	return done(mlock(memory, 64 << 20));
}

static long adjust_clock(void)
{
	struct timex clock = { .modes = ADJ_TICK, .tick = 1 };	/* out of range: permitted it says EINVAL */
	long result = done(adjtimex(&clock));
	return result == -EINVAL ? 0 : result;
}

static long set_clock(void)
{
	struct timespec never = { 0, 2000000000 };
	long result = done(syscall(SYS_clock_settime, CLOCK_REALTIME, &never));
	return result == -EINVAL ? 0 : result;
}

static long dump_others(void)
{
	return prctl(PR_SET_DUMPABLE, 1) < 0 ? -errno : has_capabilities();
}

#define USER(name, how, function, twin, mechanism, source) { name, "user", how, function, twin, mechanism, source }
static const struct row rows[] = {
	USER("set-user-id-su", BY_WORD, run_su, &runs_a_program, "su(1) runs as root", "bubblewrap's nosuid"),
	USER("set-user-id-passwd", BY_WORD, run_mount, &runs_a_program, "passwd(1) runs as root", "bubblewrap's nosuid"),
	USER("new-privileges", BY_WORD, may_gain, &runs_a_program, "executing a program can give privileges", "PR_SET_NO_NEW_PRIVS"),
	USER("bounding-set", BY_WORD, keeps_bounding, &runs_a_program, "capabilities can come back by executing a program", "capabilities(7)"),
	USER("capabilities", BY_WORD | ROOT_ONLY | NO_MACHINE, has_capabilities, &runs_a_program, "capabilities are left", "seen with bubblewrap as root"),
	USER("dumpable", BY_WORD | ROOT_ONLY | NO_MACHINE, dump_others, &runs_a_program, "the process can be traced by the user's others, with capabilities to take", "CVE-2020-5291"),
	USER("file-capability", BY_WORD | ROOT_ONLY | NO_MACHINE, capability_of_file, &writes_in_the_tree, "a file gets capabilities", "Nix and Lix releases of 2025"),
	USER("another-user", BY_WORD | ROOT_ONLY | NO_MACHINE, become_other, &runs_a_program, "setuid() to a user outside", "setresuid(2)"),
	USER("other-groups", BY_WORD | ROOT_ONLY | NO_MACHINE, other_groups, &runs_a_program, "setgroups() to groups outside", "setgroups(2)"),
	USER("given-away", BY_WORD | ROOT_ONLY | NO_MACHINE, give_away, &writes_in_the_tree, "a file is given to another user", "chown(2)"),
	USER("file-of-another", ROOT_ONLY | NO_MACHINE, read_of_other, &reads_outside, "a file that its owner alone may read, who is not root", "CAP_DAC_OVERRIDE"),
	USER("file-of-root", ROOT_ONLY, read_of_root, &reads_outside, "a file that root alone may read", "pinfold-namespaces(7)"),
	USER("priority-raised", BY_WORD | ROOT_ONLY, raise_priority, &starts_children, "a negative nice value", "setpriority(2)"),
	USER("real-time", BY_WORD | ROOT_ONLY, real_time, &starts_children, "real-time scheduling starves the machine", "sched_setscheduler(2)"),
	USER("limit-raised", BY_WORD, raise_limit, &starts_children, "a hard limit is raised", "setrlimit(2)"),
	USER("memory-locked", BY_WORD | ROOT_ONLY, lock_memory, &maps_memory, "memory is locked past the limit", "mlock(2)"),
	USER("host-name", BY_WORD | ROOT_ONLY, name_host, &starts_children, "sethostname()", "sethostname(2)"),
	USER("clock-adjusted", BY_WORD | ROOT_ONLY, adjust_clock, &starts_children, "adjtimex() changes the clock", "adjtimex(2)"),
	USER("clock-set", BY_WORD | ROOT_ONLY, set_clock, &starts_children, "clock_settime() sets the clock", "clock_settime(2)"),
};
const struct class privileges_class = CLASS("set-user-ID programs, capabilities", rows);
