/* plugins/namespaces/filter.c - the filter of system calls: what builds do not need is refused. It is
 * made by libseccomp and remembered, for making it takes longer than a command does to start. */
#include "config.h"

#include "library.h"
#include "namespaces.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define FILTER_EDITION "2"	/* part of what a remembered filter must agree with */

/* Calls that postdate the library that knows them by name; their numbers are every processor's. */
#ifndef __SNR_open_tree_attr
#define __SNR_open_tree_attr 467
#endif

static const int refused[] = {
	SCMP_SYS(_sysctl), SCMP_SYS(acct), SCMP_SYS(add_key), SCMP_SYS(adjtimex), SCMP_SYS(bpf),
	SCMP_SYS(clock_adjtime), SCMP_SYS(clock_settime), SCMP_SYS(create_module),
	SCMP_SYS(delete_module), SCMP_SYS(fanotify_init), SCMP_SYS(finit_module),
	SCMP_SYS(get_kernel_syms), SCMP_SYS(init_module), SCMP_SYS(io_uring_enter),
	SCMP_SYS(io_uring_register), SCMP_SYS(io_uring_setup), SCMP_SYS(ioperm), SCMP_SYS(iopl),
	SCMP_SYS(kexec_file_load), SCMP_SYS(kexec_load), SCMP_SYS(keyctl),
	SCMP_SYS(lookup_dcookie), SCMP_SYS(name_to_handle_at), SCMP_SYS(nfsservctl),
	SCMP_SYS(open_by_handle_at), SCMP_SYS(perf_event_open), SCMP_SYS(query_module),
	SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(reboot), SCMP_SYS(request_key),
	SCMP_SYS(settimeofday), SCMP_SYS(swapoff), SCMP_SYS(swapon), SCMP_SYS(syslog),
	SCMP_SYS(uselib), SCMP_SYS(userfaultfd), SCMP_SYS(vhangup),
};

/* What a sandbox inside would need to be made. */
static const int refused_unless_nested[] = {
	SCMP_SYS(chroot), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fsopen),
	SCMP_SYS(fspick), SCMP_SYS(mount), SCMP_SYS(mount_setattr), SCMP_SYS(move_mount),
	SCMP_SYS(open_tree), __SNR_open_tree_attr, SCMP_SYS(pivot_root), SCMP_SYS(setns),
	SCMP_SYS(umount), SCMP_SYS(umount2),
};

/* One condition on one argument, of which the kernel looks at the low half only. */
struct condition {
	int call;
	int error;
	unsigned argument;
	uint64_t mask, value;
};

static const struct condition conditions[] = {
	{ SCMP_SYS(ioctl), EPERM, 1, 0xffffffff, TIOCSTI },
	{ SCMP_SYS(ioctl), EPERM, 1, 0xffffffff, TIOCLINUX },
	{ SCMP_SYS(ioctl), EPERM, 1, 0xffffffff, TIOCSETD },
	/* Nothing else keeps the command from the limits of its supervisor, which is of the same user. */
	{ SCMP_SYS(prlimit64), EPERM, 0, 0xffffffff, 1 },
	/* Of families up to 16 there remain AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. */
	{ SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xffffffff, 3 },
	{ SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xfffffffc, 4 },
	{ SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xfffffffe, 8 },
	{ SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xffffffff, 11 },
	{ SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xfffffffc, 12 },
};

#if defined(__s390__) || defined(__s390x__)
#define CLONE_FLAGS_ARGUMENT 1
#else
#define CLONE_FLAGS_ARGUMENT 0
#endif

/* CLONE_NEW… : time (of unshare alone: in clone it is part of the signal), mount, cgroup, UTS, IPC,
 * user, pid, network. */
static const uint64_t new_namespaces[] = { 0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000,
					   0x10000000, 0x20000000, 0x40000000 };

_Static_assert(sizeof(struct library_file) % sizeof(struct sock_filter) == 0,
	       "what stands behind the instructions is as long as some of them");

/* A filter in the making. */
struct making {
	struct library seccomp;
	scmp_filter_ctx context;
};

static int refuse(const struct making *making, int error, int call, unsigned count,
		  const struct scmp_arg_cmp *when)
{
	return making->seccomp.rule_add_array(making->context, SCMP_ACT_ERRNO((uint32_t)error), call,
					      count, when);
}

static int add_conditions(const struct making *making)
{
	const struct scmp_arg_cmp past_netlink = SCMP_A0_64(SCMP_CMP_GT, AF_NETLINK, 0);
	const struct scmp_arg_cmp past_routes[] = {
		SCMP_A0_64(SCMP_CMP_EQ, AF_NETLINK, 0), SCMP_A2_64(SCMP_CMP_NE, 0, 0),
	};
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		const struct condition *row = &conditions[i];
		const struct scmp_arg_cmp when =
			SCMP_CMP64(row->argument, SCMP_CMP_MASKED_EQ, row->mask, row->value);
		int result = refuse(making, row->error, row->call, 1, &when);
		if (result < 0)
			return result;
	}
	int result = refuse(making, EAFNOSUPPORT, SCMP_SYS(socket), 1, &past_netlink);
	if (result == 0)
		result = refuse(making, EAFNOSUPPORT, SCMP_SYS(socketpair), 1, &past_netlink);
	if (result == 0)	/* of netlink, routes and addresses only */
		result = refuse(making, EPROTONOSUPPORT, SCMP_SYS(socket), 2, past_routes);
	return result;
}

static int add_namespaces(const struct making *making)
{
	int result = 0;
	for (size_t i = 0; i < sizeof(new_namespaces) / sizeof(new_namespaces[0]); i++) {
		uint64_t flag = new_namespaces[i];
		const struct scmp_arg_cmp unshared = SCMP_A0_64(SCMP_CMP_MASKED_EQ, flag, flag);
		const struct scmp_arg_cmp cloned =
			SCMP_CMP64(CLONE_FLAGS_ARGUMENT, SCMP_CMP_MASKED_EQ, flag, flag);
		if (result == 0)
			result = refuse(making, EPERM, SCMP_SYS(unshare), 1, &unshared);
		if (result == 0 && flag > 0xff)
			result = refuse(making, EPERM, SCMP_SYS(clone), 1, &cloned);
	}
	/* The flags of clone3 lie in memory, out of a filter's sight; a C library then uses clone. */
	return result == 0 ? refuse(making, ENOSYS, SCMP_SYS(clone3), 0, NULL) : result;
}

static int add_refused(const struct making *making, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int result = refuse(making, EPERM, calls[i], 0, NULL);
		if (result < 0)
			return result;
	}
	return 0;
}

static int add_rules(const struct making *making, bool nested)
{
	/* Another instruction set has other numbers for its calls: none is let through. */
	int result = making->seccomp.attr_set(making->context, SCMP_FLTATR_ACT_BADARCH,
					      SCMP_ACT_KILL_PROCESS);
	if (result == 0)
		result = making->seccomp.attr_set(making->context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (result == 0)
		result = add_refused(making, refused, sizeof(refused) / sizeof(refused[0]));
	if (result == 0)
		result = add_conditions(making);
	if (result == 0 && !nested)
		result = add_refused(making, refused_unless_nested,
				     sizeof(refused_unless_nested) / sizeof(refused_unless_nested[0]));
	if (result == 0 && !nested)
		result = add_namespaces(making);
	return result;
}

/* The library writes to a descriptor only. */
static int export_rules(const struct pinfold_host *host, const struct making *making,
			struct filter *ret_filter)
{
	int fd = memfd_create("filter", MFD_CLOEXEC), result = -errno;
	if (fd < 0)
		return result;
	result = making->seccomp.export_bpf(making->context, fd);
	off_t bytes = lseek(fd, 0, SEEK_END);
	size_t room = bytes > 0 ? (size_t)bytes + sizeof(struct library_file) : 0;
	char *instructions = result == 0 && room ? host->allocate(host, room) : NULL;
	if (result == 0)
		result = instructions && pread(fd, instructions, (size_t)bytes, 0) == bytes ? 0 : -ENOMEM;
	close(fd);
	if (result < 0)
		return result;
	memcpy(instructions + bytes, &making->seccomp.file, sizeof(struct library_file));
	*ret_filter = (struct filter){ (void *)instructions, (size_t)bytes / sizeof(struct sock_filter) };
	return 0;
}

/* Behind the instructions stands the file of the library that made them. */
int filter_make(const struct pinfold_host *host, bool nested, struct filter *ret_filter,
		struct pinfold_error *err)
{
	static const char action[] = "make the filter of system calls";
	struct making making;
	const char *fault = library_open(&making.seccomp);
	if (fault)
		return host->fail(err, PINFOLD_E_SYSTEM, 0, action,
				  host->print(host, "libseccomp: %s", fault),
				  "install libseccomp, 2.5 or later");
	making.context = making.seccomp.init(SCMP_ACT_ALLOW);
	int result = making.context ? add_rules(&making, nested) : -ENOMEM;
	if (result == 0)
		result = export_rules(host, &making, ret_filter);
	making.seccomp.release(making.context);
	library_close(&making.seccomp);
	if (result < 0)
		return host->fail(err, PINFOLD_E_SYSTEM, -result, action, NULL,
				  "report this with the version of libseccomp");
	return 0;
}

/* Whole instructions, made by the library that is there now? */
static bool is_sound(const char *data, size_t bytes)
{
	struct library_file file;
	if (bytes <= sizeof(file) || bytes % sizeof(struct sock_filter) != 0 ||
	    bytes / sizeof(struct sock_filter) > BPF_MAXINSNS)
		return false;
	memcpy(&file, data + bytes - sizeof(file), sizeof(file));
	return library_is_unchanged(&file);
}

int filter_recall(const struct pinfold_host *host, bool nested, struct filter *ret_filter,
		  struct pinfold_error *err)
{
	const char *name = nested ? "filter-nested" : "filter";
	const void *data;
	size_t bytes;
	if (host->recall(host, name, FILTER_EDITION, &data, &bytes) == 1 && is_sound(data, bytes)) {
		bytes -= sizeof(struct library_file);
		*ret_filter = (struct filter){ data, bytes / sizeof(struct sock_filter) };
		return 0;
	}
	if (filter_make(host, nested, ret_filter, err) < 0)
		return -1;
	host->keep(host, name, FILTER_EDITION, ret_filter->instructions,
		   ret_filter->count * sizeof(struct sock_filter) + sizeof(struct library_file));
	return 0;
}
