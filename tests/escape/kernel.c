/* escape/kernel.c - parts of the kernel that no build needs. Arguments are such that nothing happens where the call
 * is let through: that the kernel looked at them is the escape. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Refused are those that a filter or a missing right answers; any other error comes from a look at arguments. */
static long looked(long result)
{
	if (result >= 0)
		return 0;
	return errno == EPERM || errno == ENOSYS || errno == EACCES ? -errno : 0;
}

static long ring(void)
{
	unsigned char parameters[120] = "";
	return opened((int)syscall(SYS_io_uring_setup, 4, parameters));
}

static long ring_register(void) { return looked(syscall(SYS_io_uring_register, -1, 0, NULL, 0)); }
static long ring_enter(void) { return looked(syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0)); }
static long page_faults(void) { return opened((int)syscall(SYS_userfaultfd, O_CLOEXEC | 1)); }
static long page_faults_all(void) { return opened((int)syscall(SYS_userfaultfd, O_CLOEXEC)); }

static long map_of_bpf(void)
{
	union bpf_attr attributes;
	memset(&attributes, 0, sizeof(attributes));
	attributes.map_type = BPF_MAP_TYPE_ARRAY;
	attributes.key_size = attributes.value_size = 4;
	attributes.max_entries = 1;
	return opened((int)syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

static long any_bpf(void) { return looked(syscall(SYS_bpf, 9999, NULL, 0)); }

static long counters(void)
{
	struct perf_event_attr attributes = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes),
					      .exclude_kernel = 1, .exclude_hv = 1 };
	return opened((int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

static long counters_of_machine(void)
{
	struct perf_event_attr attributes = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes) };
	return opened((int)syscall(SYS_perf_event_open, &attributes, -1, 0, -1, 0));
}

static long new_kernel(void) { return looked(syscall(SYS_kexec_load, 0UL, 0x7fffffffUL, NULL, 0UL)); }
static long new_kernel_file(void) { return looked(syscall(SYS_kexec_file_load, -1, -1, 0UL, NULL, 0UL)); }
static long module(void) { return looked(syscall(SYS_init_module, NULL, 0UL, "")); }
static long module_file(void) { return looked(syscall(SYS_finit_module, -1, "", 0)); }
static long module_removed(void) { return looked(syscall(SYS_delete_module, "pinfold_escape_none", O_NONBLOCK)); }
static long swap_on(void) { return looked(syscall(SYS_swapon, "/pinfold-escape-none", 0)); }
static long swap_off(void) { return looked(syscall(SYS_swapoff, "/pinfold-escape-none")); }
static long restart(void) { return looked(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static long accounting(void) { return looked(syscall(SYS_acct, "/pinfold-escape-none")); }
static long messages(void) { return looked(syscall(SYS_syslog, 10, NULL, 0)); }
static long watch_files(void) { return opened((int)syscall(SYS_fanotify_init, 0x200, O_RDONLY)); }
static long quota(void) { return looked(syscall(SYS_quotactl, (int)0x80000100U, NULL, 0, NULL)); }

#ifdef SYS_ioperm
static long ports(void) { return looked(syscall(SYS_ioperm, 0x80UL, 1UL, 1)); }
static long all_ports(void) { return looked(syscall(SYS_iopl, 3)); }
#else
static long ports(void) { return lack("this processor has no ports"); }
static long all_ports(void) { return ports(); }
#endif

#define KERNEL(name, function, mechanism, source) { name, "kernel", BY_WORD, function, &starts_children, mechanism, source }
static const struct row rows[] = {
	KERNEL("io-uring", ring, "io_uring works on files and sockets out of a filter's sight", "seen around a filter; CVE-2023-2598, CVE-2024-0582"),
	KERNEL("io-uring-register", ring_register, "io_uring_register() on a ring from elsewhere", "io_uring_register(2)"),
	KERNEL("io-uring-enter", ring_enter, "io_uring_enter() on a ring from elsewhere", "io_uring_enter(2)"),
	KERNEL("userfaultfd", page_faults, "userfaultfd holds the kernel where an exploit wants it", "userfaultfd(2); CVE-2021-22555"),
	KERNEL("userfaultfd-kernel", page_faults_all, "the same for faults of the kernel", "userfaultfd(2)"),
	KERNEL("bpf-map", map_of_bpf, "bpf() makes a map", "CVE-2021-3490, CVE-2022-23222"),
	KERNEL("bpf", any_bpf, "bpf() looks at its arguments", "bpf(2)"),
	KERNEL("perf", counters, "perf_event_open() counts its own process", "CVE-2023-2235, CVE-2023-5717"),
	KERNEL("perf-machine", counters_of_machine, "perf_event_open() watches the whole machine", "perf_event_open(2)"),
	KERNEL("kexec", new_kernel, "kexec_load() loads another kernel", "kexec_load(2)"),
	KERNEL("kexec-file", new_kernel_file, "kexec_file_load() loads another kernel", "kexec_load(2)"),
	KERNEL("module", module, "init_module() loads code into the kernel", "init_module(2)"),
	KERNEL("module-file", module_file, "finit_module() loads code into the kernel", "init_module(2)"),
	KERNEL("module-removed", module_removed, "delete_module() removes code of the kernel", "delete_module(2)"),
	KERNEL("swap-on", swap_on, "swapon()", "swapon(2)"),
	KERNEL("swap-off", swap_off, "swapoff()", "swapon(2)"),
	KERNEL("reboot", restart, "reboot() with numbers that mean nothing", "reboot(2)"),
	KERNEL("accounting", accounting, "acct() writes to a file for every process that ends", "acct(2)"),
	KERNEL("kernel-log", messages, "syslog() reads the kernel's messages", "syslog(2)"),
	KERNEL("fanotify", watch_files, "fanotify watches what others open", "fanotify_init(2)"),
	KERNEL("quota", quota, "quotactl() reaches the disk's quotas", "quotactl(2)"),
	KERNEL("ports", ports, "ioperm() opens the machine's ports", "ioperm(2)"),
	KERNEL("all-ports", all_ports, "iopl() opens all of the machine's ports", "iopl(2)"),
};
const struct class kernel_class = CLASS("io_uring, userfaultfd, bpf, perf, kexec, modules", rows);

static long family(int number, int type, int protocol) { return opened(socket(number, type, protocol)); }
static long packets(void) { return family(AF_PACKET, SOCK_RAW, 0); }
static long machine_sockets(void) { return family(AF_VSOCK, SOCK_STREAM, 0); }
static long kernel_crypto(void) { return family(AF_ALG, SOCK_SEQPACKET, 0); }
static long kernel_events(void) { return family(AF_NETLINK, SOCK_RAW, 15); }
static long firewall(void) { return family(AF_NETLINK, SOCK_RAW, 12); }
static long audit(void) { return family(AF_NETLINK, SOCK_RAW, 9); }
static long connector(void) { return family(AF_NETLINK, SOCK_DGRAM, 11); }
static long transforms(void) { return family(AF_NETLINK, SOCK_RAW, 6); }
static long socket_lists(void) { return family(AF_NETLINK, SOCK_RAW, 4); }
static long generic(void) { return family(AF_NETLINK, SOCK_RAW, 16); }
static long raw(void) { return family(AF_INET, SOCK_RAW, 1); }
static long express(void) { return family(44, SOCK_RAW, 0); }

/* Families whose modules the kernel would load for the asking. */
static long rare(void)
{
	static const int families[] = { 4, 5, 9, 21, 23, 26, 29, 30, 31, 33, 35, 36, 37, 38, 39, 41, 42, 43 };
	long result = -EAFNOSUPPORT;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]) && result != 0; i++)
		for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET && result != 0; type++)
			result = family(families[i], type, 0);
	return result;
}

static long pair_of_rare(void)
{
	int ends[2];
	long result = done(socketpair(30 /* AF_TIPC */, SOCK_STREAM, 0, ends));
	return result == -EOPNOTSUPP ? 0 : result;
}

#define FAMILY(name, function, mechanism, source) { name, "kernel", BY_WORD, function, &has_its_socket, mechanism, source }
static const struct row families[] = {
	FAMILY("packet-socket", packets, "AF_PACKET sees and makes every frame", "CVE-2020-14386, CVE-2017-7308"),
	FAMILY("vsock", machine_sockets, "AF_VSOCK reaches the machine below, past every network namespace", "vsock(7); CVE-2025-21756"),
	FAMILY("kernel-crypto", kernel_crypto, "AF_ALG opens the kernel's ciphers", "CVE-2016-8646 and later"),
	FAMILY("kernel-events", kernel_events, "netlink's events of the kernel", "netlink(7)"),
	FAMILY("netfilter", firewall, "netlink's way to the packet filter", "CVE-2022-25636, CVE-2023-32233, CVE-2024-1086"),
	FAMILY("audit", audit, "netlink's way to the audit system", "netlink(7)"),
	FAMILY("connector", connector, "netlink's connector tells of every process", "netlink(7)"),
	FAMILY("transforms", transforms, "netlink's way to IPsec", "CVE-2017-16939"),
	FAMILY("socket-lists", socket_lists, "netlink lists the machine's sockets", "sock_diag(7)"),
	FAMILY("generic-netlink", generic, "generic netlink reaches any of the kernel's families", "netlink(7)"),
	FAMILY("raw-socket", raw, "a raw socket makes any IP packet", "raw(7)"),
	FAMILY("express-data-path", express, "AF_XDP", "CVE-2023-39197 and the like"),
	FAMILY("rare-families", rare, "families of sockets whose modules are loaded for the asking", "CVE-2010-3904, CVE-2023-0461, CVE-2017-6074"),
	FAMILY("rare-pair", pair_of_rare, "the same by socketpair()", "socketpair(2)"),
};
const struct class families_class = CLASS("netlink, packet, vsock and other families", families);
