/* plugins/common/filter/refused.c - what the filter refuses. */
#include "config.h"

#include "refused.h"
#include "library.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define CALL(name) { SCMP_SYS(name), #name }

const struct named_call refused_calls[] = {
	CALL(_sysctl), CALL(acct), CALL(adjtimex), CALL(clock_adjtime),
	CALL(clock_settime), CALL(create_module), CALL(delete_module),
	CALL(fanotify_init), CALL(finit_module), CALL(get_kernel_syms),
	CALL(init_module), CALL(ioperm), CALL(iopl), CALL(kexec_file_load),
	CALL(kexec_load), CALL(lookup_dcookie), CALL(name_to_handle_at),
	CALL(nfsservctl), CALL(open_by_handle_at), CALL(query_module), CALL(quotactl),
	CALL(quotactl_fd), CALL(reboot), CALL(settimeofday), CALL(swapoff),
	CALL(swapon), CALL(syslog), CALL(uselib), CALL(userfaultfd), CALL(vhangup),
};
const size_t refused_call_count = sizeof(refused_calls) / sizeof(refused_calls[0]);

const struct class_call class_calls[] = {
	{ PINFOLD_CALL_DEBUG, CALL(kcmp) },
	{ PINFOLD_CALL_DEBUG, CALL(pidfd_getfd) },
	{ PINFOLD_CALL_DEBUG, CALL(process_madvise) },
	{ PINFOLD_CALL_DEBUG, CALL(process_vm_readv) },
	{ PINFOLD_CALL_DEBUG, CALL(process_vm_writev) },
	{ PINFOLD_CALL_DEBUG, CALL(ptrace) },
	{ PINFOLD_CALL_NAMESPACES, CALL(chroot) },
	{ PINFOLD_CALL_NAMESPACES, CALL(fsconfig) },
	{ PINFOLD_CALL_NAMESPACES, CALL(fsmount) },
	{ PINFOLD_CALL_NAMESPACES, CALL(fsopen) },
	{ PINFOLD_CALL_NAMESPACES, CALL(fspick) },
	{ PINFOLD_CALL_NAMESPACES, CALL(mount) },
	{ PINFOLD_CALL_NAMESPACES, CALL(mount_setattr) },
	{ PINFOLD_CALL_NAMESPACES, CALL(move_mount) },
	{ PINFOLD_CALL_NAMESPACES, CALL(open_tree) },
	{ PINFOLD_CALL_NAMESPACES, { OPEN_TREE_ATTR, "open_tree_attr" } },
	{ PINFOLD_CALL_NAMESPACES, CALL(pivot_root) },
	{ PINFOLD_CALL_NAMESPACES, CALL(setns) },
	{ PINFOLD_CALL_NAMESPACES, CALL(umount) },
	{ PINFOLD_CALL_NAMESPACES, CALL(umount2) },
	{ PINFOLD_CALL_IO_URING, CALL(io_uring_enter) },
	{ PINFOLD_CALL_IO_URING, CALL(io_uring_register) },
	{ PINFOLD_CALL_IO_URING, CALL(io_uring_setup) },
	{ PINFOLD_CALL_KEYRING, CALL(add_key) },
	{ PINFOLD_CALL_KEYRING, CALL(keyctl) },
	{ PINFOLD_CALL_KEYRING, CALL(request_key) },
	{ PINFOLD_CALL_PERFORMANCE, CALL(bpf) },
	{ PINFOLD_CALL_PERFORMANCE, CALL(perf_event_open) },
	{ PINFOLD_CALL_IPC, CALL(mq_open) },
	{ PINFOLD_CALL_IPC, CALL(mq_unlink) },
	{ PINFOLD_CALL_IPC, CALL(msgctl) },
	{ PINFOLD_CALL_IPC, CALL(msgget) },
	{ PINFOLD_CALL_IPC, CALL(msgrcv) },
	{ PINFOLD_CALL_IPC, CALL(msgsnd) },
	{ PINFOLD_CALL_IPC, CALL(semctl) },
	{ PINFOLD_CALL_IPC, CALL(semget) },
	{ PINFOLD_CALL_IPC, CALL(semop) },
	{ PINFOLD_CALL_IPC, CALL(semtimedop) },
	{ PINFOLD_CALL_IPC, CALL(shmat) },
	{ PINFOLD_CALL_IPC, CALL(shmctl) },
	{ PINFOLD_CALL_IPC, CALL(shmdt) },
	{ PINFOLD_CALL_IPC, CALL(shmget) },
};
const size_t class_call_count = sizeof(class_calls) / sizeof(class_calls[0]);

#define OPEN_NETWORK "set [network] mode = host, or mode = ports and connect = PORT"
#define FAMILY(part, family, mask, what) \
	{ part, { SCMP_SYS(socket), EAFNOSUPPORT, 0, mask, family }, "socket(" what ")", NO_LIFT }
#define CONTROL(request) { 0, { SCMP_SYS(ioctl), EPERM, 1, 0xffffffff, request }, "ioctl(" #request ")", NO_LIFT }
/* A first packet with data is sent past what watches connections. */
#define FIRST_DATA(call, argument)                                                                                  \
	{ FILTER_TCP_ONLY, { SCMP_SYS(call), EOPNOTSUPP, argument, MSG_FASTOPEN, MSG_FASTOPEN }, #call "(MSG_FASTOPEN)", \
	  "set [network] mode = host, or send after the connection is made" }
/* A pair of sockets without a connection could send anywhere. */
#define LOOSE_PAIR(kind) { FILTER_NO_UNIX, { SCMP_SYS(socketpair), EPERM, 1, 0xf, kind }, "socketpair(" #kind ")", \
			   "make a pair of streams, or use an arm that tells sockets apart by their paths" }

const struct told_condition told_conditions[] = {
	CONTROL(TIOCSTI), CONTROL(TIOCLINUX), CONTROL(TIOCSETD),
	FAMILY(0, 3, 0xffffffff, "AF_AX25"),
	FAMILY(0, 4, 0xfffffffc, "of a family that builds do not need"),
	FAMILY(0, 8, 0xfffffffe, "of a family that builds do not need"),
	FAMILY(0, 11, 0xffffffff, "of a family that builds do not need"),
	FAMILY(0, 12, 0xfffffffc, "of a family that builds do not need"),
	FAMILY(FILTER_TELL, 17, 0xffffffff, "AF_PACKET"),
	FAMILY(FILTER_TELL, 18, 0xfffffffe, "of a family that builds do not need"),
	FAMILY(FILTER_TELL, 20, 0xfffffffc, "of a family that builds do not need"),
	FAMILY(FILTER_TELL, 24, 0xfffffff8, "of a family that builds do not need"),
	FAMILY(FILTER_TELL, 32, 0xffffffe0, "of a family that builds do not need"),
	FAMILY(FILTER_TELL, AF_CAN, 0xffffffff, "AF_CAN"),
	FAMILY(FILTER_TELL, AF_BLUETOOTH, 0xffffffff, "AF_BLUETOOTH"),
	FAMILY(FILTER_TELL, AF_ALG, 0xffffffff, "AF_ALG"),
	FAMILY(FILTER_TELL, AF_VSOCK, 0xffffffff, "AF_VSOCK"),
	/* A socket that is not made is all that is seen of an address. */
	{ FILTER_NO_INTERNET, { SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xffffffff, AF_INET }, "socket(AF_INET)", OPEN_NETWORK },
	{ FILTER_NO_INTERNET, { SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xffffffff, AF_INET6 }, "socket(AF_INET6)", OPEN_NETWORK },
	{ FILTER_NO_INTERNET, { SCMP_SYS(socket), EAFNOSUPPORT, 0, 0xffffffff, AF_NETLINK }, "socket(AF_NETLINK)",
	  OPEN_NETWORK },
	{ FILTER_NO_UNIX, { SCMP_SYS(socket), EPERM, 0, 0xffffffff, AF_UNIX }, "socket(AF_UNIX)",
	  "use an arm that tells sockets apart by their paths, or let this one leave them open ([arm:NAME] sockets)" },
	LOOSE_PAIR(SOCK_DGRAM), LOOSE_PAIR(SOCK_RAW),
	{ FILTER_NO_LISTENING, { SCMP_SYS(listen), EACCES, 0, 0, 0 }, "listen", "set [network] listen = PORT" },
	FIRST_DATA(sendto, 3), FIRST_DATA(sendmsg, 2), FIRST_DATA(sendmmsg, 3),
};
const size_t told_condition_count = sizeof(told_conditions) / sizeof(told_conditions[0]);

const struct new_namespace new_namespaces[] = {
#define NEW_NAMESPACE(flag, name) { flag, "unshare(" name ")", "clone(" name ")" }
	NEW_NAMESPACE(0x80, "CLONE_NEWTIME"), NEW_NAMESPACE(0x20000, "CLONE_NEWNS"),
	NEW_NAMESPACE(0x02000000, "CLONE_NEWCGROUP"), NEW_NAMESPACE(0x04000000, "CLONE_NEWUTS"),
	NEW_NAMESPACE(0x08000000, "CLONE_NEWIPC"), NEW_NAMESPACE(0x20000000, "CLONE_NEWPID"),
	NEW_NAMESPACE(0x40000000, "CLONE_NEWNET"), NEW_NAMESPACE(0x10000000, "CLONE_NEWUSER"),
};
const size_t new_namespace_count = sizeof(new_namespaces) / sizeof(new_namespaces[0]);

const struct not_stream not_streams[] = {
#define NOT_STREAM(kind) { kind, "socket(AF_INET, " #kind ")", "socket(AF_INET6, " #kind ")" }
	NOT_STREAM(SOCK_DGRAM), NOT_STREAM(SOCK_RAW), NOT_STREAM(SOCK_RDM), NOT_STREAM(SOCK_SEQPACKET),
	NOT_STREAM(SOCK_DCCP), NOT_STREAM(SOCK_PACKET),
};
const size_t not_stream_count = sizeof(not_streams) / sizeof(not_streams[0]);
