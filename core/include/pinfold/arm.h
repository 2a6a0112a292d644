/* pinfold/arm.h - a confinement backend: what it promises, and how it confines.
 *
 * An arm decides in `probe` and `prepare`, which run in the host and may allocate and fail with an
 * error, and acts in `enter`, which runs in the new child and may make system calls only, on memory
 * prepared before. The core clones, waits, ends and reports; no arm does.
 */
#ifndef PINFOLD_ARM_H
#define PINFOLD_ARM_H

#include <pinfold/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, what it guarantees when kept, the noun for when it is not kept), in the order of
 * every report. Append only. */
#define PINFOLD_AXES(X)                                                                            \
	X(FILESYSTEM, "filesystem", "writes through the working directory land on a copy or a layer", \
	  "a copy of the working tree")                                                            \
	X(WRITES, "writes",                                                                        \
	  "nothing outside the view, private temporary space and named paths can be written",       \
	  "protection of files elsewhere from writing")                                            \
	X(SECRETS, "secrets", "paths named as hidden cannot be read", "hiding of credentials")      \
	X(NETWORK, "network", "no network can be reached beyond what the policy names",             \
	  "a closed network")                                                                      \
	X(SOCKETS, "sockets",                                                                      \
	  "no service of the host can be reached through a unix socket beyond what the policy names", \
	  "closed unix sockets")                                                                   \
	X(PROCESSES, "processes", "it can neither see nor signal processes outside",                \
	  "separation from other processes")                                                       \
	X(PROCESS_TREE, "process_tree", "everything it started ends with it",                       \
	  "the end of everything it started")                                                      \
	X(USER, "user", "it runs in a user of its own without privileges to raise",                 \
	  "a user of its own")                                                                     \
	X(RESOURCES, "resources", "ceilings on CPU, memory and processes are enforced",             \
	  "ceilings on CPU, memory and processes")                                                 \
	X(TERMINAL, "terminal", "it cannot type into or take over the caller's terminal",           \
	  "protection of the caller's terminal")                                                   \
	X(KERNEL, "kernel", "system calls that builds do not need are refused",                     \
	  "a smaller kernel surface")

enum pinfold_axis {
#define PINFOLD_AXIS_MEMBER(NAME, name, kept, noun) PINFOLD_AXIS_##NAME,
	PINFOLD_AXES(PINFOLD_AXIS_MEMBER)
#undef PINFOLD_AXIS_MEMBER
	PINFOLD_AXIS_COUNT
};
#define PINFOLD_AXIS_LIMIT 32	/* room in an offer for axes to come */
#define PINFOLD_BIT(axis) (UINT64_C(1) << PINFOLD_AXIS_##axis)

/* Put this in every arm, with the number of axes that it answers: a new axis then breaks its build
 * until it has an answer. */
#define PINFOLD_ARM_ANSWERS(count)                                             \
	_Static_assert((count) == PINFOLD_AXIS_COUNT, "an axis has no answer in this arm")

/* What probing found on this machine. `available` 0 is a refusal: then `missing` and `lift` say what
 * is missing and what would lift it. Texts come from the host's `print` or are static. */
struct pinfold_offer {
	uint32_t size;
	uint32_t available;
	uint64_t answered;	/* bits by axis: every arm answers every axis it knows */
	uint64_t kept;		/* bits by axis: what is promised */
	const char *note[PINFOLD_AXIS_LIMIT];	/* why not, or a limit of what is kept; may be NULL */
	const char *missing;
	const char *lift;
	/* 1: a command cannot leave a cgroup that it was put into, nor change it. RESOURCES is then kept wherever the
	 * host can make such a cgroup; the host answers that itself, for each run that wants one. */
	uint32_t holds_group;
	uint32_t reserved;
};

enum pinfold_network {
	PINFOLD_NETWORK_NONE = 0,
	PINFOLD_NETWORK_LOOPBACK,	/* a loopback that nobody outside shares */
	PINFOLD_NETWORK_HOST,
	PINFOLD_NETWORK_PORTS	/* the host's, for TCP to and from the ports that the policy names, and no other */
};

enum pinfold_path_kind {
	PINFOLD_PATH_HIDE = 0,	/* cannot be read, nor what is below it */
	PINFOLD_PATH_WRITE,	/* may be written, with what is below it */
	PINFOLD_PATH_LAYER,	/* shown as it is; writes land in a private layer, which ends with the run unless
				 * it is kept */
	/* Where a policy has one READ, what is under none of them cannot be read, but for the view, the private
	 * temporary directory, what may be written, and what every process needs (/dev/null, its own /proc …). */
	PINFOLD_PATH_READ,
	/* Where a policy has one EXECUTE, what is under none of them cannot be executed, the view included. */
	PINFOLD_PATH_EXECUTE,
	PINFOLD_PATH_PROTECT,	/* cannot be written, nor replaced, whatever else of the policy would allow it */
	PINFOLD_PATH_SOCKET	/* a unix socket, or a directory of them, that may be connected to */
};

enum pinfold_match {
	PINFOLD_MATCH_SUBTREE = 0,	/* the path and what is below it */
	PINFOLD_MATCH_LITERAL	/* this very file or directory, and nothing below it */
};

/* Paths are absolute and canonical (no link on the way) in the host's sight; `device` and `inode` are
 * what they were when the policy was resolved: an arm that opens the path in the child compares. For an arm
 * that shows the copy at the copy's path (PINFOLD_PLACING_IDENTITY) those in the tree are the copy's. PROTECT
 * may name what does not exist: then `inode` and `mode` are 0, and the directory that it is in is canonical. */
struct pinfold_path {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_path_kind */
	const char *path;
	uint64_t device, inode;
	uint32_t mode;		/* st_mode */
	uint32_t keep;		/* LAYER: 1: its changes are kept also where the run has no session */
	uint32_t match;		/* enum pinfold_match */
	/* 1: of the tier that no allowance beats. An arm in which an allowance would beat it must make it a
	 * gap that cannot be relaxed (`pinfold_gap.firm`). */
	uint32_t hard;
};

/* A pattern among the paths: `?` is one character and `*` any number of them within a part, `**` any number
 * of parts. What matched when the policy was resolved is among the paths too; an arm that can also hold what
 * is made later (as a rule of its kernel) takes it from here, and others say in a note that they cannot. */
struct pinfold_pattern {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_path_kind */
	const char *pattern;	/* absolute, its part before the first wildcard canonical */
	uint32_t hard;
	uint32_t reserved;
};

/* A link that a path of the policy led through, as it was written. An arm that hides the link with what lies
 * around it makes the same one, so that the path as it was written still leads there. */
struct pinfold_link {
	uint32_t size;
	uint32_t reserved;
	const char *from;	/* absolute, the directory that it is in canonical */
	const char *to;		/* canonical */
};

enum pinfold_grant_kind {
	PINFOLD_GRANT_READ = 0,
	PINFOLD_GRANT_WRITE,
	PINFOLD_GRANT_EXECUTE,
	PINFOLD_GRANT_TEMPORARY	/* a private directory, removed when the command has ended */
};

/* A named slot of the policy. Bound, `path` is canonical and also among the policy's paths; an arm that has
 * tokens for this uses them instead. */
struct pinfold_grant {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_grant_kind */
	const char *name;
	const char *path;	/* NULL: not bound by this spawn */
	uint64_t device, inode;
};

/* X(NAME, name, what is in it): classes of system calls that an arm with a filter refuses unless the policy
 * allows the class. Append only. */
#define PINFOLD_CALLS(X)                                                                           \
	X(DEBUG, "debug", "tracing of other processes")                                            \
	X(NAMESPACES, "namespaces", "namespaces and mounts of its own")                            \
	X(IO_URING, "io_uring", "asynchronous input and output by rings")                          \
	X(KEYRING, "keyring", "the kernel's keyrings")                                             \
	X(PERFORMANCE, "performance", "performance counters and BPF")                              \
	X(IPC, "ipc", "System V shared memory, semaphores and queues, and POSIX queues")           \
	X(FOREIGN, "foreign", "the calls of other kinds of the processor: 32 bits, x32")

enum pinfold_call_class {
#define PINFOLD_CALL_MEMBER(NAME, name, what) PINFOLD_CALL_##NAME,
	PINFOLD_CALLS(PINFOLD_CALL_MEMBER)
#undef PINFOLD_CALL_MEMBER
	PINFOLD_CALL_COUNT
};

/* What the caller asked for, resolved. */
struct pinfold_policy {
	uint32_t size;
	uint32_t network;	/* enum pinfold_network */
	const struct pinfold_path *paths;	/* shorter paths before longer ones below them */
	size_t path_count;
	const char *home;	/* canonical, or NULL */
	const char *runtime_dir;	/* what XDG_RUNTIME_DIR will name inside, or NULL */
	const char *scratch;	/* root of pinfold's copies: to be out of the command's sight */
	uint32_t terminal;	/* 1: the command inherits the caller's terminal */
	/* 1: not only the tree, but every file system of the machine can be written, below layers whose changes
	 * are kept. An arm that cannot lay them fails. */
	uint32_t machine;
	const char *const *relax;	/* constructs whose gaps the caller accepts; NULL-terminated */
	const struct pinfold_pattern *patterns;
	size_t pattern_count;
	const struct pinfold_grant *grants;
	size_t grant_count;
	const uint16_t *connect_ports, *listen_ports;	/* NETWORK_PORTS: TCP */
	size_t connect_count, listen_count;
	/* Bits by enum pinfold_call_class: what the policy names, to be allowed where the arm refuses it by
	 * itself, and to be refused where it does not. */
	uint64_t calls_allowed, calls_refused;
	const struct pinfold_link *links;
	size_t link_count;
	/* 1: the calling process itself becomes the command. Nobody lives beside it: nothing is answered for it,
	 * found, or tidied up afterwards, and there is no private temporary directory. Of the stages it enters
	 * APPLY, VERIFY and CONSUME, and a process of its own tries the former two before. Only for an arm that
	 * says `becomes`. */
	uint32_t becomes;
	uint32_t reserved;
	/* The caller's descriptors that are the command's 0, 1 and 2; one may be -1. NULL: nobody says. */
	const int *streams;
	/* 1: what is refused is told. An arm with a filter may leave calls to a listener of the core's, which
	 * refuses and tells of them (pinfold_plan.told). */
	uint32_t tells;
	uint32_t reserved_too;
};

/* A system call that an arm refuses: whatever its arguments are, or where the lower half of one has a value, or those
 * of two. */
struct pinfold_told_call {
	uint32_t size;
	int32_t number;
	const char *name;	/* "mount", "socket(AF_INET)" … */
	const char *lift;	/* what would let it through */
	uint32_t error;		/* what the call is told; 0: EPERM */
	uint32_t argument;	/* counted from 0 */
	uint32_t mask, value;	/* a mask of 0: whatever its arguments are */
	uint32_t other_argument;	/* the second */
	uint32_t other_mask, other_value;	/* a mask of 0: there is none */
};

/* A call of a command's that waits for its answer. What it points to is looked at by the host's services alone. */
struct pinfold_asked {
	uint32_t size;
	int32_t number;
	uint32_t process;	/* as the host sees it; another's once the call no longer waits */
	uint32_t reserved;
	uint64_t arguments[6];
};

/* How the working tree appears. */
enum pinfold_show { PINFOLD_SHOW_DIRECTORY = 0, PINFOLD_SHOW_OVERLAY };

struct pinfold_layer;	/* pinfold/view.h */

struct pinfold_shown {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_show */
	const char *tree;	/* canonical path of the working tree: what the command should see */
	uint64_t tree_device, tree_inode;
	const char *source;	/* canonical path of the directory to show (copy or tree itself) */
	uint64_t source_device, source_inode;
	const char *temporary;	/* private temporary directory of this run, on disk, empty */
	uint64_t temporary_device, temporary_inode;
	const char *directory;	/* the command's working directory: the tree, or below it */
	/* SHOW_OVERLAY: the private layer, both on one file system; `source` is what lies below it, the tree
	 * itself. NULL: it lies in memory and ends with the run. */
	const char *upper, *work;
	uint64_t upper_device, upper_inode, work_device, work_inode;
	/* Where layers over other places may lie whose changes are kept (`layer` of pinfold_trees); NULL: all
	 * layers end with the run. */
	const char *layers;
	uint32_t session;	/* 1: the run belongs to a session, so that every layer's changes are kept */
	uint32_t imagined;	/* 1: `source` is the tree in place of a copy that is not made, for `describe` */
	/* Of a trial before the command, whose changes nobody is to find. What the command itself will write to lies
	 * below the trial's own upper parts: `beneath` below `upper`, and the layers in `beneath_layers` below those
	 * in `layers`. Then SHOW_DIRECTORY may have `upper` and `work` as well: an arm that can lays them over
	 * `source`. NULL: there is nothing below. */
	const struct pinfold_layer *beneath;
	const char *beneath_layers;
	/* Where the copies of git's directories lie that the copy's pointers lead to; to be writable for an arm that
	 * shows the copy at its own place. NULL, or may not exist. */
	const char *beside;
};

/* Something a policy asks for that this arm cannot enforce here. */
struct pinfold_gap {
	uint32_t size;
	uint32_t firm;		/* 1: of the tier that no allowance beats: `relax` is of no avail */
	const char *construct;	/* "hidden /home/u/.ssh", "network none" … */
	/* What `relax` would name: the axis, or one thing on it after a colon: "network",
	 * "secrets:/home/u/.ssh". To relax the axis relaxes all of it. */
	const char *name;
	const char *why;
	const char *lift;
};

/* Where the command sees things: rebound, the tree lies at its own path; identity, the copy at the
 * copy's path. */
enum pinfold_placing { PINFOLD_PLACING_REBOUND = 0, PINFOLD_PLACING_IDENTITY };

enum pinfold_stage {
	PINFOLD_STAGE_VIEW = 0,	/* in the init, in the new namespaces, with every capability in them */
	PINFOLD_STAGE_APPLY,	/* in the command's task: give up what the command must not have */
	PINFOLD_STAGE_VERIFY,	/* in the command's task: look whether it is confined */
	/* In the init, between `foresee` and VIEW, only where the arm has the former: what does not depend
	 * on the view. Nothing may be laid yet. What fails is for VIEW to do again, and to tell. */
	PINFOLD_STAGE_AHEAD,
	PINFOLD_STAGE_CONSUME	/* in the command's task, after VERIFY, of a plan that says so: take what grants give */
};

/* How the child is made. `prepare` fills it; the core acts on it and passes it to `enter`. */
struct pinfold_plan {
	uint32_t size;
	uint32_t gap_count;
	uint64_t namespaces;	/* CLONE_NEW… flags, 0 for none; a network namespace gets its loopback up */
	const struct pinfold_host *host;
	void *state;		/* the arm's own */
	const char *directory;	/* the working directory as the command sees it */
	const char *temporary;	/* TMPDIR as the command sees it */
	const struct pinfold_gap *gaps;
	/* A program that makes the confinement instead of `enter` (bubblewrap): its arguments up to and
	 * with "--", NULL-terminated, or NULL. It is run with an empty environment. */
	const char *const *through;
	int through_fds[4];	/* descriptors that it must inherit, -1 for none */
	/* Where `enter` leaves what it was doing when it failed ("hide /home/u/.ssh"), or NULL. It is
	 * in memory that the child shares until it executes. */
	const char *const *failed;
	/* Descriptors of the host's that the init needs until it has entered VIEW, each 10 or more and
	 * -1-terminated, or NULL; not of a plan that was foreseen. */
	const int *inherit;
	/* 1: all ids that the caller knows are mapped, each to itself, and not only his own; that takes his
	 * CAP_SETUID, CAP_SETGID and CAP_SETFCAP. The same holds for `inherit` and foreseeing. */
	uint32_t all_ids;
	uint32_t consumes;	/* 1: the stage CONSUME is entered as well */
	/* 1: VIEW may be entered before what `source` shows is up to date: nothing in it is covered, and only
	 * that it is the same directory counts. VIEW is then entered again before the command goes on, for what
	 * may have changed where much time has passed. */
	uint32_t lays_early;
	uint32_t keeps_tree;	/* 1: the command can change nothing at all in what `source` shows */
	/* Directories that hold nothing of the host's at first, as the command sees them; NULL-terminated, or NULL:
	 * what is told of refusals leaves them out. */
	const char *const *own;
	/* Of a policy that `tells`: the calls for which the arm's filter asks a listener, in place of refusing them. */
	const struct pinfold_told_call *told;
	size_t told_count;
	/* Calls that the arm does or refuses in the command's stead: its filter asks a listener for them. 0, or a negative
	 * errno for the command. Called, for one call at a time, by a thread of the core's that has no capability, from the
	 * launch until `release`; a call that nobody answers is refused by the kernel as unknown. NULL: none. */
	int (*answer)(const struct pinfold_plan *, const struct pinfold_asked *);
	const int32_t *answered;	/* their numbers */
	size_t answered_count;
	/* Where APPLY leaves the listener's descriptor, which the core takes; in memory that the child shares. Where the
	 * policy `tells` APPLY makes no listener: the core's own filter then asks for these calls, too. */
	const int *listener;
	/* Since 1.7. "FROM -> TO": what of the policy `prepare` found that its kernel matches in another spelling than the
	 * policy has; NULL-terminated, in the host's memory. NULL: nothing. */
	const char *const *rewritten;
	/* Since 1.7, of a policy that `tells`: what the arm refuses on this machine, by this policy, and nobody can be told of,
	 * beside what is heard in no arm: kinds in a few words, each followed by why; NULL-terminated, or NULL. */
	const char *const *unheard;
};

/* One part of a plan, for a person who wants to see it. */
enum pinfold_detail_kind {
	PINFOLD_DETAIL_MOUNT = 0,	/* what is laid where, in its order */
	PINFOLD_DETAIL_RULE,		/* a rule of the kernel's, by Landlock or a profile */
	PINFOLD_DETAIL_FILTER,		/* what a filter of system calls does */
	PINFOLD_DETAIL_CONSTRUCT	/* a construct of the policy, and in `by` what enforces it */
};

struct pinfold_detail {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_detail_kind */
	const char *what;	/* "hide /home/u/.ssh", "hidden /home/u/.ssh" … */
	const char *by;		/* "an empty directory laid over it" …; NULL but for constructs */
};

/* Since 1.6: what an arm heard that the command was refused (pinfold_arm.refused). */
enum pinfold_refused_kind {
	PINFOLD_REFUSED_READ = 0,
	PINFOLD_REFUSED_WRITE,
	PINFOLD_REFUSED_MAKE,
	PINFOLD_REFUSED_REPLACE,	/* remove it, rename it, or put something in its place */
	PINFOLD_REFUSED_CHANGE,	/* its mode, owner, times, attributes */
	PINFOLD_REFUSED_EXECUTE,
	PINFOLD_REFUSED_CONNECT,	/* to a unix socket's path, or an address */
	PINFOLD_REFUSED_CALL	/* anything else */
};

struct pinfold_refused {
	uint32_t size;
	uint32_t kind;		/* enum pinfold_refused_kind */
	const char *call;	/* as the system names it: "file-read-data" … */
	const char *target;	/* a path without links as the command sees it, an address, a service … */
	const char *why;	/* by which rule */
	const char *lift;	/* what would let it through; NULL: the host says so, by what its policy says of the path */
	uint64_t count;		/* how often it was tried; 0 is once */
};

typedef void pinfold_tell_refused(void *context, const struct pinfold_refused *refused);

/* How a run ended. */
enum pinfold_ending_kind {
	PINFOLD_ENDED = 0,	/* `value` is the exit code */
	PINFOLD_SIGNALLED,	/* `value` is the signal */
	PINFOLD_TIMED_OUT,	/* ended by the time limit */
	PINFOLD_UNKNOWN		/* the supervisor itself was ended */
};

struct pinfold_arm {
	uint32_t size;
	uint32_t placing;	/* enum pinfold_placing */
	const char *name;	/* the word of design: namespaces, landlock … */
	const char *summary;
	const struct pinfold_key *keys;	/* of the section [arm:NAME], or NULL */

	/* What this machine lets the arm promise, found by doing. The host calls it in a process of its
	 * own with a time limit, so it may crash or hang without harm. Returns 0 with the offer filled,
	 * available or not; -1 only for a fault of its own. */
	int (*probe)(const struct pinfold_host *, struct pinfold_offer *, struct pinfold_error *);

	/* Lowers the policy: everything the child will need is resolved, allocated and put into the
	 * plan. What cannot be enforced becomes a gap; -1 only for a fault. */
	int (*prepare)(const struct pinfold_host *, const struct pinfold_policy *,
		       const struct pinfold_shown *, struct pinfold_plan *, struct pinfold_error *);

	/* In the child: 0, or a negative errno; then the command never runs. May be called with memory
	 * shared with the host: system calls by `host->call` only, no allocation, no errno, no stdio. */
	int (*enter)(const struct pinfold_plan *, uint32_t stage);

	/* After the command and everything it started has ended. Always called after `prepare` was
	 * started, success or not; may be NULL, as may `release`, which is called last. */
	int (*settle)(const struct pinfold_host *, struct pinfold_plan *, struct pinfold_error *);
	void (*release)(const struct pinfold_host *, struct pinfold_plan *);

	/* Begins the plan: fills `namespaces`, and what `enter` needs at the stage AHEAD, so that both go on
	 * beside what is still to be found out, the policy's paths and the view among it; `prepare` then
	 * completes the same plan. Where nothing can be told the plan stays as it is. May be NULL. */
	int (*foresee)(const struct pinfold_host *, const struct pinfold_policy *,
		       struct pinfold_plan *, struct pinfold_error *);

	/* Tells what a plan consists of that `prepare` has filled; memory is the host's `allocate`. Only for
	 * a run that is explained and never started. May be NULL. */
	int (*describe)(const struct pinfold_host *, const struct pinfold_policy *,
			const struct pinfold_plan *, const struct pinfold_detail **ret_details,
			size_t *ret_count, struct pinfold_error *);

	/* 1: it confines also a process that becomes the command (pinfold_policy.becomes). */
	uint32_t becomes;
	uint32_t reserved;
	/* Where it does not: what of it needs somebody who lives beside the command ("a supervisor that …"). */
	const char *attended;

	/* Since 1.6, for an arm whose kernel tells of refusals by itself; the host then listens to none. Of a policy
	 * that `tells`: hands over each that was heard, once, in texts that need live no longer than the call of
	 * `tell`. After the command has ended, with all that the host can find, and before `settle`. NULL when that
	 * was all, or why not all is told, by the host's `print` or static: no reason to fail. It must come back within
	 * seconds, whatever became of whom it hears it from. May be NULL. */
	const char *(*refused)(const struct pinfold_host *, struct pinfold_plan *, pinfold_tell_refused *tell,
			       void *context);
};

#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_offer, kept, 16);
PINFOLD_FROZEN(pinfold_offer, note, 24);
PINFOLD_FROZEN(pinfold_offer, missing, 280);
PINFOLD_FROZEN(pinfold_offer, lift, 288);
PINFOLD_FROZEN(pinfold_offer, holds_group, 296);
PINFOLD_FROZEN(pinfold_path, inode, 24);
PINFOLD_FROZEN(pinfold_policy, paths, 8);
PINFOLD_FROZEN(pinfold_policy, scratch, 40);
PINFOLD_FROZEN(pinfold_policy, relax, 56);
PINFOLD_FROZEN(pinfold_policy, patterns, 64);
PINFOLD_FROZEN(pinfold_policy, calls_refused, 136);
PINFOLD_FROZEN(pinfold_policy, link_count, 152);
PINFOLD_FROZEN(pinfold_policy, becomes, 160);
PINFOLD_FROZEN(pinfold_policy, streams, 168);
PINFOLD_FROZEN(pinfold_link, to, 16);
PINFOLD_FROZEN(pinfold_pattern, pattern, 8);
PINFOLD_FROZEN(pinfold_grant, inode, 32);
PINFOLD_FROZEN(pinfold_shown, source, 32);
PINFOLD_FROZEN(pinfold_shown, temporary, 56);
PINFOLD_FROZEN(pinfold_shown, directory, 80);
PINFOLD_FROZEN(pinfold_shown, upper, 88);
PINFOLD_FROZEN(pinfold_shown, layers, 136);
PINFOLD_FROZEN(pinfold_shown, beneath_layers, 160);
PINFOLD_FROZEN(pinfold_shown, beside, 168);
PINFOLD_FROZEN(pinfold_plan, host, 16);
PINFOLD_FROZEN(pinfold_plan, state, 24);
PINFOLD_FROZEN(pinfold_plan, through, 56);
PINFOLD_FROZEN(pinfold_plan, failed, 80);
PINFOLD_FROZEN(pinfold_plan, inherit, 88);
PINFOLD_FROZEN(pinfold_plan, own, 112);
PINFOLD_FROZEN(pinfold_plan, told_count, 128);
PINFOLD_FROZEN(pinfold_plan, answer, 136);
PINFOLD_FROZEN(pinfold_plan, listener, 160);
PINFOLD_FROZEN(pinfold_plan, rewritten, 168);
PINFOLD_FROZEN(pinfold_plan, unheard, 176);
PINFOLD_FROZEN(pinfold_asked, arguments, 16);
PINFOLD_FROZEN(pinfold_told_call, lift, 16);
PINFOLD_FROZEN(pinfold_told_call, value, 36);
PINFOLD_FROZEN(pinfold_told_call, other_value, 48);
PINFOLD_FROZEN(pinfold_policy, tells, 176);
PINFOLD_FROZEN(pinfold_arm, name, 8);
PINFOLD_FROZEN(pinfold_arm, probe, 32);
PINFOLD_FROZEN(pinfold_arm, prepare, 40);
PINFOLD_FROZEN(pinfold_arm, enter, 48);
PINFOLD_FROZEN(pinfold_arm, settle, 56);
PINFOLD_FROZEN(pinfold_arm, release, 64);
PINFOLD_FROZEN(pinfold_arm, foresee, 72);
PINFOLD_FROZEN(pinfold_arm, describe, 80);
PINFOLD_FROZEN(pinfold_arm, becomes, 88);
PINFOLD_FROZEN(pinfold_arm, attended, 96);
PINFOLD_FROZEN(pinfold_arm, refused, 104);
PINFOLD_FROZEN(pinfold_refused, lift, 32);
PINFOLD_FROZEN(pinfold_refused, count, 40);
PINFOLD_FROZEN(pinfold_detail, by, 16);
#endif

#ifdef __cplusplus
}
#endif
#endif
