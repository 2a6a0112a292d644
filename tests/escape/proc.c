/* escape/proc.c - /proc and /sys: other processes through their entries, and the kernel's settings. */
#include "config.h"

#include "case.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *of_victim(const char *entry)
{
	static char path[2200];
	snprintf(path, sizeof(path), "/proc/%s/%s", fact("victim"), entry);
	return path;
}

static long make_by_root(void)
{
	char entry[1024];
	snprintf(entry, sizeof(entry), "root%s/%s", fact("outside"), token);
	return make(of_victim(entry));
}

static long make_by_cwd(void)
{
	return make(of_victim(beside("cwd", token)));
}

static long read_its_file(void)
{
	return tell(of_victim(beside("fd", fact("victim_fd"))));
}

static long read_environment(void) { return tell(of_victim("environ")); }
static long read_arguments(void) { return tell(of_victim("cmdline")); }

static long write_memory(void)
{
	long other = 0x5151;
	int fd = open(of_victim("mem"), O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	long result = done(pwrite(fd, &other, sizeof(other), number("victim_word")));
	close(fd);
	return result;
}

static long read_memory(void)
{
	char bytes[64];
	int fd = open(of_victim("mem"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t got = pread(fd, bytes, sizeof(bytes), number("victim_secret"));
	long result = done(got);
	close(fd);
	if (got > 0)
		say(bytes, (size_t)got);
	return result;
}

static long raise_its_score(void)
{
	int fd = open(of_victim("oom_score_adj"), O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	long result = done(write(fd, "777", 3));
	close(fd);
	return result;
}

static long change_its_timers(void)
{
	int fd = open(of_victim("timerslack_ns"), O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	long result = done(write(fd, "123456", 6));
	close(fd);
	return result;
}

static long list_its_files(void)
{
	DIR *directory = opendir(of_victim("map_files"));
	if (directory)
		closedir(directory);
	return directory ? 0 : -errno;
}

/* Of what is found only what belongs to what is attacked is printed. */
static void tell_ours(const char *path)
{
	static const char *const ours[] = { "VICTIM_SECRET=", "ESCAPE_API_TOKEN=", "AWS_SECRET_ACCESS_KEY=" };
	char bytes[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	for (size_t i = 0; got > 0 && i < sizeof(ours) / sizeof(ours[0]); i++) {
		char *found = memmem(bytes, (size_t)got, ours[i], strlen(ours[i]));
		if (found)
			say(found, strnlen(found, (size_t)(bytes + got - found)));
	}
	if (fd >= 0)
		close(fd);
}

/* Every process that is in sight. */
static long read_everyone(void)
{
	DIR *directory = opendir("/proc");
	char path[300];
	if (!directory)
		return -errno;
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (!isdigit((unsigned char)entry->d_name[0]) || atoi(entry->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/%s/environ", entry->d_name);
		tell_ours(path);
	}
	closedir(directory);
	return 0;
}

static long write_to_parent(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/mem", getppid());
	/* The parent is what called this attempt; its parent is what pinfold started or is. */
	FILE *status;
	char line[200];
	int parent = 0;
	snprintf(line, sizeof(line), "/proc/%d/status", getppid());
	status = fopen(line, "re");
	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "PPid: %d", &parent);
	if (status)
		fclose(status);
	if (parent == 0)
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%d/mem", parent);
	return opened(open(path, O_RDWR | O_CLOEXEC));
}

static long write_to_init(void) { return opened(open("/proc/1/mem", O_RDWR | O_CLOEXEC)); }
static long read_init(void) { return tell("/proc/1/environ"); }
static long open_init_root(void) { return make(beside(beside("/proc/1/root", fact("outside")), token)); }

/* Settings of the kernel: opened for writing, and never written. */
static long open_setting(const char *path) { return opened(open(path, O_WRONLY | O_CLOEXEC)); }
static long core_pattern(void) { return open_setting("/proc/sys/kernel/core_pattern"); }
static long modprobe_path(void) { return open_setting("/proc/sys/kernel/modprobe"); }
static long sysrq(void) { return open_setting("/proc/sysrq-trigger"); }
static long binfmt(void) { return open_setting("/proc/sys/fs/binfmt_misc/register"); }
static long net_setting(void) { return open_setting("/proc/sys/net/core/somaxconn"); }
static long vm_setting(void) { return open_setting("/proc/sys/vm/drop_caches"); }
static long uevent_helper(void) { return open_setting("/sys/kernel/uevent_helper"); }
static long power_state(void) { return open_setting("/sys/power/state"); }
static long sys_module(void) { return open_setting("/sys/module/printk/parameters/time"); }
static long irq_affinity(void) { return open_setting("/proc/irq/default_smp_affinity"); }
static long mtrr(void) { return open_setting("/proc/mtrr"); }
static long kernel_memory(void) { return opened(open("/proc/kcore", O_RDONLY | O_CLOEXEC)); }
static long kernel_messages(void) { return opened(open("/proc/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }

static long control_groups(void)
{
	static const char *const places[] = { "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs",
					      "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs" };
	long result = -ENOENT;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && result != 0; i++) {
		long tried = open_setting(places[i]);
		if (tried != -ENOENT)
			result = tried;
	}
	return result;
}

static long release_agent(void)
{
	long result = open_setting("/sys/fs/cgroup/memory/release_agent");
	return result == -ENOENT ? open_setting("/sys/fs/cgroup/pids/release_agent") : result;
}

#define SETTING(name, function, mechanism, source) \
	{ name, "writes", BY_WORD, function, &has_its_proc, mechanism, source }
static const struct row rows[] = {
	{ "proc-root", "processes", 0, make_by_root, &has_its_proc,
	  "/proc/PID/root of a process outside leads to the host's files", "CVE-2024-21626" },
	{ "proc-cwd", "processes", 0, make_by_cwd, &has_its_proc,
	  "/proc/PID/cwd of a process outside leads to a directory of the host's", "CVE-2024-21626" },
	{ "proc-fd", "processes", 0, read_its_file, &has_its_proc,
	  "/proc/PID/fd of a process outside reads what it has open, even without a name", "proc(5)" },
	{ "proc-mem-write", "processes", 0, write_memory, &has_its_proc,
	  "/proc/PID/mem of a process outside is written", "CVE-2020-5291" },
	{ "proc-mem-read", "processes", 0, read_memory, &has_its_proc,
	  "/proc/PID/mem of a process outside is read", "proc(5)" },
	{ "proc-environ", "processes", 0, read_environment, &has_its_proc,
	  "/proc/PID/environ of a process outside shows what was withheld from the command", "advisories on /proc/1/environ" },
	{ "proc-cmdline", "processes", 0, read_arguments, &has_its_proc,
	  "/proc/PID/cmdline of a process outside shows its arguments", "proc(5)" },
	{ "proc-oom-score", "processes", 0, raise_its_score, &has_its_proc,
	  "oom_score_adj of a process outside makes it the first to be killed", "proc(5)" },
	{ "proc-timer-slack", "processes", 0, change_its_timers, &has_its_proc,
	  "timerslack_ns of a process outside is changed", "proc(5)" },
	{ "proc-map-files", "processes", BY_WORD, list_its_files, &has_its_proc,
	  "/proc/PID/map_files of a process outside opens what it has mapped", "proc(5)" },
	{ "proc-everyone", "processes", 0, read_everyone, &has_its_proc,
	  "the environment of every process in sight is read: pinfold's, its init's, its caller's", "CVE-2025-31133 and reports" },
	{ "proc-init-environ", "processes", 0, read_init, &has_its_proc,
	  "/proc/1/environ shows the caller's environment where the init inherited it", "reports" },
	{ "proc-init-root", "processes", HARMFUL, open_init_root, &has_its_proc,
	  "/proc/1/root is the root that the init sees", "CVE-2019-5736" },
	{ "proc-init-memory", "processes", BY_WORD | HARMFUL, write_to_init, &has_its_proc,
	  "/proc/1/mem of the cage's init, which is outside of the command's confinement, is opened for writing",
	  "CVE-2020-5291, CVE-2026-41163", "init of its own" },
	{ "proc-parent-memory", "processes", BY_WORD, write_to_parent, &has_its_proc,
	  "the memory of the process that started the command is opened for writing", "CVE-2026-41163",
	  "init of its own" },
	SETTING("core-pattern", core_pattern, "kernel.core_pattern names a program that the kernel runs outside", "CVE-2025-52881"),
	SETTING("modprobe-path", modprobe_path, "kernel.modprobe names a program that the kernel runs outside", "proc_sys_kernel(5)"),
	SETTING("sysrq", sysrq, "/proc/sysrq-trigger restarts or stops the machine", "CVE-2025-52881"),
	SETTING("binfmt-misc", binfmt, "binfmt_misc registers an interpreter for everyone's programs", "binfmt_misc"),
	SETTING("net-settings", net_setting, "settings of the network below /proc/sys/net", "proc(5)"),
	SETTING("vm-settings", vm_setting, "settings of memory below /proc/sys/vm", "proc_sys_vm(5)"),
	SETTING("uevent-helper", uevent_helper, "/sys/kernel/uevent_helper names a program that the kernel runs outside", "reports"),
	SETTING("power-state", power_state, "/sys/power/state puts the machine to sleep", "sysfs(5)"),
	SETTING("module-parameters", sys_module, "parameters of the kernel below /sys/module", "sysfs(5)"),
	SETTING("interrupts", irq_affinity, "/proc/irq moves interrupts", "proc(5)"),
	SETTING("memory-types", mtrr, "/proc/mtrr changes the caching of physical memory", "proc(5)"),
	SETTING("control-groups", control_groups, "cgroup.procs moves processes out of their limits", "cgroups(7)"),
	SETTING("release-agent", release_agent, "release_agent names a program that the kernel runs outside", "CVE-2022-0492"),
	{ "kernel-memory", "user", BY_WORD, kernel_memory, &has_its_proc, "/proc/kcore is the kernel's memory", "proc(5)" },
	{ "kernel-messages", "user", BY_WORD, kernel_messages, &has_its_proc, "/proc/kmsg has the kernel's messages and addresses", "proc(5)" },
};
const struct class proc_class = CLASS("/proc and /sys", rows);
