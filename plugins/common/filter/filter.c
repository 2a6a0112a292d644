/* plugins/common/filter/filter.c - the filter of system calls: what builds do not need is refused. It is
 * made by libseccomp and remembered, for making it takes longer than a command does to start. */
#include "config.h"

#include "filter.h"
#include "library.h"
#include "refused.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define FILTER_EDITION "5"	/* part of what a remembered filter must agree with */

/* Refused unless the policy allows them. Rings do files' and sockets' work out of a filter's sight. */
static const uint64_t refused_classes = FILTER_CLASS(NAMESPACES) | FILTER_CLASS(IO_URING) |
					FILTER_CLASS(KEYRING) | FILTER_CLASS(PERFORMANCE) |
					FILTER_CLASS(FOREIGN);

uint64_t filter_refuses(const struct filter_wants *wants)
{
	uint64_t own = refused_classes;
	if (wants->parts & FILTER_SHARED_MACHINE)
		own |= FILTER_CLASS(IPC);
	return (own & ~wants->allowed) | wants->refused | FILTER_CLASS(FOREIGN);
}

static const struct condition always[] = {
	/* Nothing else keeps the command from the limits of its supervisor, which is of the same user. */
	{ SCMP_SYS(prlimit64), EPERM, 0, 0xffffffff, 1 },
};

_Static_assert(sizeof(struct library_file) % sizeof(struct sock_filter) == 0,
	       "what stands behind the instructions is as long as some of them");

/* A filter in the making. */
struct making {
	struct library seccomp;
	scmp_filter_ctx context;
};

/* By the kernel, or, where it is to be told, by whoever is asked. Where nobody listens the kernel refuses it, too. */
static int refuse_telling(const struct making *making, uint32_t parts, int error, int call, unsigned count,
			  const struct scmp_arg_cmp *when)
{
	uint32_t action = parts & FILTER_TELL ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO((uint32_t)error);
	return making->seccomp.rule_add_array(making->context, action, call, count, when);
}

static int refuse(const struct making *making, int error, int call, unsigned count,
		  const struct scmp_arg_cmp *when)
{
	return making->seccomp.rule_add_array(making->context, SCMP_ACT_ERRNO((uint32_t)error), call,
					      count, when);
}

static int add_rows(const struct making *making, const struct condition *rows, size_t count)
{
	int result = 0;
	for (size_t i = 0; result == 0 && i < count; i++) {
		const struct scmp_arg_cmp when = SCMP_CMP64(rows[i].argument, SCMP_CMP_MASKED_EQ,
							    rows[i].mask, rows[i].value);
		result = refuse(making, rows[i].error, rows[i].call, 1, &when);
	}
	return result;
}
#define ROWS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

static int add_families(const struct making *making, uint32_t parts)
{
	const struct scmp_arg_cmp past_netlink = SCMP_A0_64(SCMP_CMP_GT, AF_NETLINK, 0);
	const struct scmp_arg_cmp past_told = SCMP_A0_64(SCMP_CMP_GT, LAST_FAMILY, 0);
	const struct scmp_arg_cmp past_routes[] = {
		SCMP_A0_64(SCMP_CMP_EQ, AF_NETLINK, 0), SCMP_A2_64(SCMP_CMP_NE, 0, 0),
	};
	int result = refuse(making, EAFNOSUPPORT, SCMP_SYS(socket), 1, parts & FILTER_TELL ? &past_told : &past_netlink);
	if (result == 0)
		result = refuse(making, EAFNOSUPPORT, SCMP_SYS(socketpair), 1, &past_netlink);
	if (result == 0 && !(parts & FILTER_NO_INTERNET))	/* of netlink, routes and addresses only */
		result = refuse(making, EPROTONOSUPPORT, SCMP_SYS(socket), 2, past_routes);
	return result;
}

/* TCP itself, by its number or as what a stream is by default. The kernel looks at the lower halves. */
static int add_tcp_only(const struct making *making, uint32_t parts)
{
	static const int families[] = { AF_INET, AF_INET6 };
	int result = 0;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		const struct scmp_arg_cmp family = SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, 0xffffffff,
							      (uint64_t)families[i]);
		for (size_t k = 0; result == 0 && k < not_stream_count; k++) {
			const struct scmp_arg_cmp other[] = {
				family, SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, 0xf, not_streams[k].kind),
			};
			result = refuse_telling(making, parts, EPROTONOSUPPORT, SCMP_SYS(socket), 2, other);
		}
		/* Every other number that makes a stream has a bit that TCP's own lacks. What is told is told by its
		 * kind, so only streams are asked for theirs: a filter says the first that it meets. */
		for (unsigned bit = 0; result == 0 && bit < 32; bit++) {
			const struct scmp_arg_cmp other[] = {
				family, SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, 1u << bit, 1u << bit),
				SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM),
			};
			if (!(IPPROTO_TCP >> bit & 1))
				result = refuse(making, EPROTONOSUPPORT, SCMP_SYS(socket), parts & FILTER_TELL ? 3 : 2, other);
		}
	}
	return result;
}

/* What the kernel's rules for files did not yet say: a file is cut by its path, or as it is opened for
 * reading. The flags of openat2 lie in memory, out of a filter's sight. */
static int add_no_truncation(const struct making *making)
{
	static const struct { int call; unsigned flags; } opens[] = {
		{ SCMP_SYS(open), 1 }, { SCMP_SYS(openat), 2 },
	};
	int result = refuse(making, EPERM, SCMP_SYS(truncate), 0, NULL);
	if (result == 0)
		result = refuse(making, EPERM, SCMP_SYS(truncate64), 0, NULL);
	if (result == 0)
		result = refuse(making, ENOSYS, SCMP_SYS(openat2), 0, NULL);
	for (size_t i = 0; result == 0 && i < sizeof(opens) / sizeof(opens[0]); i++) {
		const struct scmp_arg_cmp when = SCMP_CMP64(opens[i].flags, SCMP_CMP_MASKED_EQ,
							    O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC);
		result = refuse(making, EPERM, opens[i].call, 1, &when);
	}
	return result;
}

/* A file's mode, owner, times and extended attributes. */
static const int attributes[] = {
	SCMP_SYS(chmod), SCMP_SYS(chown), SCMP_SYS(chown32), SCMP_SYS(fchmod), SCMP_SYS(fchmodat),
	FCHMODAT2, SCMP_SYS(fchown), SCMP_SYS(fchown32), SCMP_SYS(fchownat), SCMP_SYS(fremovexattr),
	SCMP_SYS(fsetxattr), SCMP_SYS(futimesat), SCMP_SYS(lchown), SCMP_SYS(lchown32),
	SCMP_SYS(lremovexattr), SCMP_SYS(lsetxattr), SCMP_SYS(removexattr), SCMP_SYS(setxattr),
	SCMP_SYS(utime), SCMP_SYS(utimensat), SCMP_SYS(utimes),
};

/* Newer than what is asked for, so that a library falls back. */
static const int newer_attributes[] = { SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR };

/* Control calls on a file that is open for reading only: flags, a policy of encryption, a seal of contents, and
 * what btrfs makes and removes. */
static const uint32_t attribute_controls[] = {
	0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40087604, 0x40047211, 0x800c6613, 0x40806685,
	0x50009401, 0x5000940e, 0x5000940f, 0x50009417, 0x50009418, 0x4008941a, 0x5000943f,
};

static int add_attributes(const struct making *making, uint32_t action)
{
	int result = 0;
	for (size_t i = 0; result == 0 && i < sizeof(attributes) / sizeof(attributes[0]); i++)
		result = making->seccomp.rule_add_array(making->context, action, attributes[i], 0, NULL);
	for (size_t i = 0; result == 0 && i < sizeof(newer_attributes) / sizeof(newer_attributes[0]); i++)
		result = refuse(making, ENOSYS, newer_attributes[i], 0, NULL);
	for (size_t i = 0; result == 0 && i < sizeof(attribute_controls) / sizeof(attribute_controls[0]); i++) {
		const struct scmp_arg_cmp when =
			SCMP_CMP64(1, SCMP_CMP_MASKED_EQ, 0xffffffff, attribute_controls[i]);
		result = refuse(making, EPERM, SCMP_SYS(ioctl), 1, &when);
	}
	return result;
}

static int add_shared_machine(const struct making *making)
{
	const struct scmp_arg_cmp other = SCMP_A0_64(SCMP_CMP_NE, 0, 0);
	return refuse(making, EPERM, SCMP_SYS(prlimit64), 1, &other);
}

static int add_told_conditions(const struct making *making, uint32_t parts)
{
	int result = 0;
	for (size_t i = 0; result == 0 && i < told_condition_count; i++) {
		const struct condition *row = &told_conditions[i].condition;
		const struct scmp_arg_cmp when =
			SCMP_CMP64(row->argument, SCMP_CMP_MASKED_EQ, row->mask, row->value);
		if (told_condition_applies(&told_conditions[i], parts))
			result = refuse_telling(making, parts, row->error, row->call, row->mask ? 1 : 0, &when);
	}
	return result;
}

static int add_parts(const struct making *making, uint32_t parts)
{
	int result = add_told_conditions(making, parts);
	if (result == 0 && parts & FILTER_SHARED_MACHINE)
		result = add_shared_machine(making);
	if (result == 0 && parts & FILTER_TCP_ONLY)
		result = add_tcp_only(making, parts);
	if (result == 0 && parts & FILTER_NO_TRUNCATION)
		result = add_no_truncation(making);
	if (result == 0 && parts & FILTER_ASK_ATTRIBUTES)
		result = add_attributes(making, SCMP_ACT_NOTIFY);
	if (result == 0 && parts & FILTER_NO_ATTRIBUTES)
		result = add_attributes(making, SCMP_ACT_ERRNO(EPERM));
	return result;
}

static int add_namespaces(const struct making *making, uint32_t parts)
{
	int result = 0;
	for (size_t i = 0; i < new_namespace_count; i++) {
		uint64_t flag = new_namespaces[i].flag;
		const struct scmp_arg_cmp unshared = SCMP_A0_64(SCMP_CMP_MASKED_EQ, flag, flag);
		const struct scmp_arg_cmp cloned =
			SCMP_CMP64(CLONE_FLAGS_ARGUMENT, SCMP_CMP_MASKED_EQ, flag, flag);
		if (result == 0)
			result = refuse_telling(making, parts, EPERM, SCMP_SYS(unshare), 1, &unshared);
		if (result == 0 && flag > 0xff)
			result = refuse_telling(making, parts, EPERM, SCMP_SYS(clone), 1, &cloned);
	}
	/* The flags of clone3 lie in memory, out of a filter's sight; a C library then uses clone. */
	return result == 0 ? refuse(making, ENOSYS, SCMP_SYS(clone3), 0, NULL) : result;
}

static int add_refused(const struct making *making, uint64_t classes, uint32_t parts)
{
	int result = 0;
	for (size_t i = 0; result == 0 && i < refused_call_count; i++)
		result = refuse_telling(making, parts, EPERM, refused_calls[i].call, 0, NULL);
	for (size_t i = 0; result == 0 && i < class_call_count; i++)
		if (classes >> class_calls[i].class & 1)
			result = refuse_telling(making, parts, EPERM, class_calls[i].named.call, 0, NULL);
	if (result == 0 && classes & FILTER_CLASS(NAMESPACES))
		result = add_namespaces(making, parts);
	return result;
}

static int add_rules(const struct making *making, const struct filter_wants *wants)
{
	/* Another instruction set has other numbers for its calls: none is let through. */
	int result = making->seccomp.attr_set(making->context, SCMP_FLTATR_ACT_BADARCH,
					      SCMP_ACT_KILL_PROCESS);
	if (result == 0)
		result = making->seccomp.attr_set(making->context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (result == 0)
		result = add_refused(making, filter_refuses(wants), wants->parts);
	if (result == 0)
		result = add_rows(making, ROWS(always));
	if (result == 0)
		result = add_families(making, wants->parts);
	return result == 0 ? add_parts(making, wants->parts) : result;
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
int filter_make(const struct pinfold_host *host, const struct filter_wants *wants,
		struct filter *ret_filter, struct pinfold_error *err)
{
	static const char action[] = "make the filter of system calls";
	struct making making;
	const char *fault = library_open(&making.seccomp);
	if (fault)
		return host->fail(err, PINFOLD_E_SYSTEM, 0, action,
				  host->print(host, "libseccomp: %s", fault),
				  "install libseccomp, 2.5 or later");
	making.context = making.seccomp.init(SCMP_ACT_ALLOW);
	int result = making.context ? add_rules(&making, wants) : -ENOMEM;
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

int filter_recall(const struct pinfold_host *host, const struct filter_wants *wants,
		  struct filter *ret_filter, struct pinfold_error *err)
{
	const char *name = host->print(host, "filter-%x-%llx", wants->parts,
				       (unsigned long long)filter_refuses(wants));
	const void *data;
	size_t bytes;
	if (!name)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "remember the filter of system calls", NULL, NULL);
	if (host->recall(host, name, FILTER_EDITION, &data, &bytes) == 1 && is_sound(data, bytes)) {
		bytes -= sizeof(struct library_file);
		*ret_filter = (struct filter){ data, bytes / sizeof(struct sock_filter) };
		return 0;
	}
	if (filter_make(host, wants, ret_filter, err) < 0)
		return -1;
	host->keep(host, name, FILTER_EDITION, ret_filter->instructions,
		   ret_filter->count * sizeof(struct sock_filter) + sizeof(struct library_file));
	return 0;
}
