/* tests/namespaces_filter.c - what the filter of system calls lets through and what it refuses, seen from
 * below it; and that it is remembered, not made again. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/raw.h"
#include "base/text.h"
#include "namespaces_host.h"
#include "plugins/common/filter/filter.h"
#include "plugins/common/filter/library.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct test_host host;
static struct filter plain, nested;
static const struct filter_wants no_wants, nested_wants = { .allowed = FILTER_CLASS(NAMESPACES) };

static int make_filters(void **state)
{
	struct pinfold_error err = { 0 };
	(void)state;
	test_host_open(&host);
	if (filter_make(&host.table, &no_wants, &plain, &err) < 0 ||
	    filter_make(&host.table, &nested_wants, &nested, &err) < 0)
		return -1;
	print_message("instructions: %zu, with nested sandboxes %zu\n", plain.count, nested.count);
	return 0;
}

static int drop_filters(void **state)
{
	(void)state;
	test_host_close(&host);
	return 0;
}

/* One call with what the filter must answer: `denied` is the errno, `otherwise` what the kernel itself
 * says to these arguments, which shows that the filter and nothing else refused. */
struct row {
	const char *name;
	long number;
	long arguments[3];
	int denied;
	bool nests;	/* let through for nested sandboxes */
};

#define OLD_CALL(name) { #name, SYS_##name, { -1, -1, -1 }, EPERM, false }
#define MOUNT_CALL(name) { #name, SYS_##name, { -1, -1, -1 }, EPERM, true }

static const struct row refused[] = {
	OLD_CALL(acct), OLD_CALL(add_key), OLD_CALL(adjtimex), OLD_CALL(bpf), OLD_CALL(clock_adjtime),
	OLD_CALL(clock_settime), OLD_CALL(delete_module), OLD_CALL(fanotify_init),
	OLD_CALL(finit_module), OLD_CALL(init_module), OLD_CALL(io_uring_enter),
	OLD_CALL(io_uring_register), OLD_CALL(io_uring_setup), OLD_CALL(kexec_load), OLD_CALL(keyctl),
	OLD_CALL(name_to_handle_at), OLD_CALL(open_by_handle_at), OLD_CALL(perf_event_open),
	OLD_CALL(quotactl), OLD_CALL(quotactl_fd), OLD_CALL(reboot), OLD_CALL(request_key),
	OLD_CALL(settimeofday), OLD_CALL(swapoff), OLD_CALL(swapon), OLD_CALL(syslog),
	OLD_CALL(userfaultfd), OLD_CALL(vhangup),
	MOUNT_CALL(chroot), MOUNT_CALL(fsconfig), MOUNT_CALL(fsmount), MOUNT_CALL(fsopen),
	MOUNT_CALL(fspick), MOUNT_CALL(mount), MOUNT_CALL(mount_setattr), MOUNT_CALL(move_mount),
	MOUNT_CALL(open_tree), MOUNT_CALL(pivot_root), MOUNT_CALL(setns), MOUNT_CALL(umount2),
	{ "open_tree_attr", 467, { -1, -1, -1 }, EPERM, true },
	{ "clone3", SYS_clone3, { 0, 0, 0 }, ENOSYS, true },
#ifdef __x86_64__
	OLD_CALL(ioperm), OLD_CALL(iopl), OLD_CALL(kexec_file_load), OLD_CALL(lookup_dcookie),
	OLD_CALL(uselib), OLD_CALL(_sysctl), OLD_CALL(nfsservctl), OLD_CALL(create_module),
	OLD_CALL(get_kernel_syms), OLD_CALL(query_module),
#endif
	{ "ioctl TIOCSTI", SYS_ioctl, { -1, TIOCSTI, 0 }, EPERM, false },
	{ "ioctl TIOCSTI, high bits", SYS_ioctl, { -1, TIOCSTI | 1L << 40, 0 }, EPERM, false },
	{ "ioctl TIOCLINUX", SYS_ioctl, { -1, TIOCLINUX, 0 }, EPERM, false },
	{ "ioctl TIOCLINUX, high bits", SYS_ioctl, { -1, TIOCLINUX | 1L << 63, 0 }, EPERM, false },
	{ "ioctl TIOCSETD", SYS_ioctl, { -1, TIOCSETD, 0 }, EPERM, false },
	{ "prlimit64 of the supervisor", SYS_prlimit64, { 1, -1, 0 }, EPERM, false },
	{ "prlimit64, high bits", SYS_prlimit64, { 1 | 1L << 40, -1, 0 }, EPERM, false },
	{ "unshare user", SYS_unshare, { CLONE_NEWUSER, 0, 0 }, EPERM, true },
	{ "unshare mount and files", SYS_unshare, { CLONE_NEWNS | CLONE_FILES, 0, 0 }, EPERM, true },
	{ "unshare time", SYS_unshare, { 0x80, 0, 0 }, EPERM, true },
	{ "unshare network, high bits", SYS_unshare, { CLONE_NEWNET | 1L << 40, 0, 0 }, EPERM, true },
	{ "clone user", SYS_clone, { CLONE_NEWUSER | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone mount", SYS_clone, { CLONE_NEWNS | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone pid", SYS_clone, { CLONE_NEWPID | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone network", SYS_clone, { CLONE_NEWNET | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone ipc", SYS_clone, { CLONE_NEWIPC | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone uts", SYS_clone, { CLONE_NEWUTS | SIGCHLD, 0, 0 }, EPERM, true },
	{ "clone cgroup", SYS_clone, { CLONE_NEWCGROUP | SIGCHLD, 0, 0 }, EPERM, true },
	{ "netlink audit", SYS_socket, { AF_NETLINK, SOCK_RAW, 9 }, EPROTONOSUPPORT, false },
};

/* Runs `body` in a process below the filter; its exit status. */
static int run_filtered(const struct filter *filter, int (*body)(const void *), const void *context)
{
	const struct sock_fprog program = { (unsigned short)filter->count,
					    (struct sock_filter *)filter->instructions };
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		    raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
			_exit(250);
		_exit(body(context));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A call that starts a process must not let it run on as the test. */
static int call_row(const void *context)
{
	const struct row *row = context;
	long result = raw(row->number, row->arguments[0], row->arguments[1], row->arguments[2]);
	if (result == 0 && (row->number == SYS_clone))
		_exit(0);
	return result < 0 ? (int)-result : 0;
}

static void every_call_that_builds_do_not_need_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
		int answer = run_filtered(&plain, call_row, &refused[i]);
		if (answer != refused[i].denied)
			print_message("%s: %d\n", refused[i].name, answer);
		assert_int_equal(answer, refused[i].denied);
	}
}

static void nested_sandboxes_get_their_calls_and_no_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
		bool kernel_refuses_as_well = refused[i].nests && geteuid() != 0;
		int answer = run_filtered(&nested, call_row, &refused[i]);
		if (!refused[i].nests)
			assert_int_equal(answer, refused[i].denied);
		else if (!kernel_refuses_as_well)
			assert_int_not_equal(answer, refused[i].denied);
	}
}

/* As the kernel has it, which looks at the lower halves. */
static bool is_about(const struct pinfold_told_call *told, const struct row *row)
{
	uint32_t first = told->argument < 3 ? (uint32_t)row->arguments[told->argument] : 0;
	uint32_t second = told->other_argument < 3 ? (uint32_t)row->arguments[told->other_argument] : 0;
	return told->number == row->number && (first & told->mask) == told->value &&
	       (!told->other_mask || (second & told->other_mask) == told->other_value);
}

static bool is_told(const struct pinfold_told_call *told, size_t count, const struct row *row)
{
	for (size_t i = 0; i < count; i++)
		if (is_about(&told[i], row))
			return true;
	return false;
}

static void make_telling(const struct filter_wants *wants, struct filter *ret_filter,
			 const struct pinfold_told_call **ret_told, size_t *ret_count)
{
	struct pinfold_error err = { 0 };
	assert_int_equal(filter_make(&host.table, wants, ret_filter, &err), 0);
	assert_int_equal(filter_tell(&host.table, wants, ret_told, ret_count, &err), 0);
}

/* With the values that a row of what is told is about. */
static int call_told(const void *context)
{
	const struct pinfold_told_call *told = context;
	long arguments[6] = { 0 };
	arguments[told->argument] = told->value;
	if (told->other_mask)
		arguments[told->other_argument] = told->other_value;
	long result = raw(told->number, arguments[0], arguments[1], arguments[2], arguments[3]);
	if (result == 0 && told->number == SYS_clone)
		_exit(0);
	return result < 0 ? (int)-result : 0;
}

/* What is left to a listener is refused as well where there is none; all else as it is without. */
static void calls_that_are_told_are_refused_also_where_nobody_listens(void **state)
{
	(void)state;
	static const uint32_t parts[] = { 0, FILTER_NO_INTERNET, FILTER_NO_UNIX, FILTER_TCP_ONLY,
					  FILTER_NO_INTERNET | FILTER_NO_UNIX | FILTER_SHARED_MACHINE };
	for (size_t p = 0; p < N_ELEMENTS(parts); p++) {
		const struct filter_wants wants = { .parts = FILTER_TELL | parts[p] };
		const struct pinfold_told_call *told = NULL;
		struct filter telling;
		size_t count = 0;
		make_telling(&wants, &telling, &told, &count);
		for (size_t i = 0; i < count; i++) {
			int answer = run_filtered(&telling, call_told, &told[i]);
			if (answer != ENOSYS)
				print_message("%s: %d\n", told[i].name, answer);
			assert_int_equal(answer, ENOSYS);
			assert_true(told[i].name[0] && told[i].lift[0]);
		}
	}
}

static void calls_that_are_not_told_are_refused_as_where_nothing_is(void **state)
{
	(void)state;
	static const struct filter_wants wants = { .parts = FILTER_TELL };
	const struct pinfold_told_call *told = NULL;
	struct filter telling;
	size_t count = 0, met = 0;
	make_telling(&wants, &telling, &told, &count);
	for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
		bool heard = is_told(told, count, &refused[i]);
		met += heard;
		assert_int_equal(run_filtered(&telling, call_row, &refused[i]), heard ? ENOSYS : refused[i].denied);
		/* Each kind but what has its flags in memory, and what a policy is not about. */
		if (!heard && strncmp(refused[i].name, "prlimit64", 9) != 0)
			assert_true(refused[i].number == SYS_clone3 || refused[i].number == SYS_socket);
	}
	assert_true(met >= 55);
}

static int open_family(const void *family)
{
	int fd = socket(*(const int *)family, SOCK_STREAM, 0);
	return fd >= 0 ? 0 : errno;
}

/* The same sockets are refused whether they are told or not, and no others. */
static void what_is_told_refuses_the_same_families_of_sockets(void **state)
{
	(void)state;
	static const uint32_t parts[] = { 0, FILTER_NO_INTERNET, FILTER_NO_UNIX, FILTER_TCP_ONLY };
	for (size_t p = 0; p < N_ELEMENTS(parts); p++) {
		const struct filter_wants untold_wants = { .parts = parts[p] };
		const struct filter_wants told_wants = { .parts = FILTER_TELL | parts[p] };
		const struct pinfold_told_call *told = NULL;
		struct filter untold, telling;
		struct pinfold_error err = { 0 };
		size_t count = 0;
		assert_int_equal(filter_make(&host.table, &untold_wants, &untold, &err), 0);
		make_telling(&told_wants, &telling, &told, &count);
		for (int family = 0; family < 80; family++) {
			const struct row row = { "socket", SYS_socket, { family, SOCK_STREAM, 0 }, 0, false };
			int answer = run_filtered(&telling, open_family, &family);
			int expected = is_told(told, count, &row) ? ENOSYS : run_filtered(&untold, open_family, &family);
			if (answer != expected)
				print_message("parts %x, family %d: %d\n", parts[p], family, answer);
			assert_int_equal(answer, expected);
		}
	}
}

static void only_four_families_of_sockets_are_let_through(void **state)
{
	(void)state;
	for (int family = 0; family < 64; family++) {
		bool allowed = family == AF_UNSPEC || family == AF_UNIX || family == AF_INET ||
			       family == AF_INET6 || family == AF_NETLINK;
		int answer = run_filtered(&plain, open_family, &family);
		if (!allowed && answer != EAFNOSUPPORT)
			print_message("family %d: %d\n", family, answer);
		if (!allowed)
			assert_int_equal(answer, EAFNOSUPPORT);
		else if (family == AF_UNIX || family == AF_INET)
			assert_int_equal(answer, 0);
	}
}

static int live(const void *unused)
{
	int pair[2];
	(void)unused;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return 1;
	if (unshare(CLONE_FS | CLONE_FILES) < 0)
		return 2;
	pid_t child = fork();
	if (child == 0)
		_exit(7);
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
		return 3;
	if (socket(AF_NETLINK, SOCK_RAW, 0) < 0)
		return 4;
	if (raw(SYS_ioctl, -1, TIOCGWINSZ, 0) != -EBADF)
		return 5;
	return 0;
}

static void what_builds_do_is_let_through(void **state)
{
	(void)state;
	assert_int_equal(run_filtered(&plain, live, NULL), 0);
	assert_int_equal(run_filtered(&nested, live, NULL), 0);
}

#ifdef __x86_64__
static int call_as_i386(const void *unused)
{
	long result;
	(void)unused;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");	/* getpid there */
	return result > 0 ? 0 : 1;
}

static int call_as_x32(const void *unused)
{
	(void)unused;
	return raw(0x40000000 | SYS_getpid) > 0 ? 0 : 1;
}

static void calls_of_another_instruction_set_end_the_command(void **state)
{
	(void)state;
	assert_int_equal(run_filtered(&plain, call_as_i386, NULL), 1000 + SIGSYS);
	assert_int_equal(run_filtered(&plain, call_as_x32, NULL), 1000 + SIGSYS);
	assert_int_equal(run_filtered(&nested, call_as_i386, NULL), 1000 + SIGSYS);
}
#endif

static void a_remembered_filter_is_used_and_one_of_another_kind_is_not(void **state)
{
	struct pinfold_error err = { 0 };
	struct filter first, second, other;
	(void)state;
	assert_int_equal(filter_recall(&host.table, &no_wants, &first, &err), 0);
	assert_int_equal(filter_recall(&host.table, &no_wants, &second, &err), 0);
	assert_ptr_equal(second.instructions, host.kept);
	assert_int_equal(second.count, first.count);
	assert_int_equal(filter_recall(&host.table, &nested_wants, &other, &err), 0);
	assert_int_not_equal(other.count, first.count);
}

static void a_damaged_record_is_made_anew(void **state)
{
	struct pinfold_error err = { 0 };
	struct filter filter;
	(void)state;
	static const size_t lengths[] = { 0, 7, sizeof(struct sock_filter) * (BPF_MAXINSNS + 1) };
	for (size_t i = 0; i < N_ELEMENTS(lengths); i++) {
		assert_int_equal(filter_recall(&host.table, &no_wants, &filter, &err), 0);
		host.kept_bytes = lengths[i];
		assert_int_equal(filter_recall(&host.table, &no_wants, &filter, &err), 0);
		assert_int_equal(filter.count, plain.count);
	}
}

/* Behind the instructions stands which file the library was. */
static void a_filter_that_another_library_made_is_made_anew(void **state)
{
	struct pinfold_error err = { 0 };
	struct filter filter;
	(void)state;
	assert_int_equal(filter_recall(&host.table, &no_wants, &filter, &err), 0);
	size_t made = filter.count * sizeof(*filter.instructions);
	assert_int_equal(host.kept_bytes, made + sizeof(struct library_file));
	struct library_file right;
	memcpy(&right, (const char *)host.kept + made, sizeof(right));
	assert_true(library_is_unchanged(&right));
	struct library_file wrong[] = { right, right, right, right, right, right };
	wrong[0].device++, wrong[1].inode++, wrong[2].bytes++, wrong[3].nanoseconds++;
	wrong[4].path[0] = '\0';
	memset(wrong[5].path, '/', sizeof(wrong[5].path));
	for (size_t i = 0; i < N_ELEMENTS(wrong); i++) {
		assert_false(library_is_unchanged(&wrong[i]));
		memcpy((char *)host.kept + made, &wrong[i], sizeof(wrong[i]));
		const void *passed = host.kept;
		assert_int_equal(filter_recall(&host.table, &no_wants, &filter, &err), 0);
		assert_ptr_not_equal(host.kept, passed);
		assert_ptr_not_equal(filter.instructions, passed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_that_builds_do_not_need_is_refused),
		cmocka_unit_test(nested_sandboxes_get_their_calls_and_no_others),
		cmocka_unit_test(calls_that_are_told_are_refused_also_where_nobody_listens),
		cmocka_unit_test(calls_that_are_not_told_are_refused_as_where_nothing_is),
		cmocka_unit_test(what_is_told_refuses_the_same_families_of_sockets),
		cmocka_unit_test(only_four_families_of_sockets_are_let_through),
		cmocka_unit_test(what_builds_do_is_let_through),
#ifdef __x86_64__
		cmocka_unit_test(calls_of_another_instruction_set_end_the_command),
#endif
		cmocka_unit_test(a_remembered_filter_is_used_and_one_of_another_kind_is_not),
		cmocka_unit_test(a_damaged_record_is_made_anew),
		cmocka_unit_test(a_filter_that_another_library_made_is_made_anew),
	};
	return cmocka_run_group_tests(tests, make_filters, drop_filters);
}
