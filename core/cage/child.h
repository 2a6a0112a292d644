/* cage/child.h - one running command and everything it started. */
#ifndef CAGE_CHILD_H
#define CAGE_CHILD_H

#include "base/endpoint.h"

#include <pinfold/arm.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The steps in the child, in order; the names are in every error. */
enum child_step {
	CHILD_STEP_NONE = 0,
	CHILD_STEP_NAMESPACES,	/* in the supervisor: mapping of ids, the network's loopback */
	CHILD_STEP_VIEW,	/* in the supervisor: the arm shows the view */
	CHILD_STEP_SESSION,
	CHILD_STEP_RLIMIT,
	CHILD_STEP_APPLY,
	CHILD_STEP_VERIFY,
	CHILD_STEP_CONSUME,
	CHILD_STEP_FDS,
	CHILD_STEP_DIRECTORY,
	CHILD_STEP_EXEC,
	CHILD_STEP_SUPERVISE,	/* in the supervisor: it could not go on as such */
	CHILD_STEP_FOLLOW,	/* the same, when the command had begun */
	CHILD_STEP_WATCH,	/* in the command's task, after CONSUME: what it tries is told */
	CHILD_STEP_GROUP	/* in the command's task, after SESSION: it enters the run's cgroup */
};
const char *child_step_name(uint32_t step);

struct child;
struct sock_fprog;

enum { DOORS_MOST = 8, DOOR_ENTRANCES_MOST = 4 };

/* Listens inside in place of a helper, and starts it when somebody comes. */
struct launch_door {
	const void *image;	/* of the supervisor's program, which it runs as well */
	size_t image_bytes;
	struct endpoint entrances[DOOR_ENTRANCES_MOST];
	size_t entrance_count;
	const char *const *argv;	/* INIT_AS_DOOR has the form */
};

/* Everything a launch needs. All of it must stay until child_start returns. */
struct launch {
	const struct pinfold_arm *arm;	/* NULL: no confinement (placement host) */
	const struct pinfold_plan *plan;	/* NULL with it */
	const char *program;	/* absolute or with a slash, as the command will see it */
	const char *const *argv;
	const char *const *envp;
	const char *directory;	/* as the command will see it */
	int streams[3];		/* descriptors that become 0, 1, 2 */
	const int *kept;	/* further descriptors, which keep their numbers; -1-terminated, or NULL */
	bool own_session;	/* a session of its own, without a terminal; else a process group */
	/* `terminal` is the command's own: its supervisor has a session with it, and the command a process group
	 * in that, so that it can be stopped from there. */
	bool own_terminal;
	int terminal;		/* the caller's terminal when the session is inherited, the command's own, or -1 */
	int watch;		/* what the command tries is told there (cage/watch.h), 10 or more; 0: nowhere */
	const struct sock_fprog *watch_filter;	/* that asks for it; NULL: the arm's own does */
	int group;		/* whoever writes "0" there enters the run's cgroup, 10 or more; 0: it has none */
	const struct launch_limit {
		int resource;
		struct rlimit value;
	} *limits;
	size_t limit_count;
	int priority;		/* added to the niceness; 0 for none */
	/* Started in the child, confined as the command is, with what it gets of the environment: before the command, or
	 * by the first who connects. */
	const struct launch_helper {
		const char *const *programs;	/* where it may lie, one after the other */
		const char *const *argv;
		const struct launch_door *door;	/* NULL: before the command */
	} *helpers;
	size_t helper_count;
	uint64_t helper_deadline;	/* CLOCK_MONOTONIC, nanoseconds: no helper is waited for past it; 0: none */
};

/* A child that has begun: its namespaces are made beside what the caller still has to find out. */
struct embryo;

/* Begins a child with these namespaces. Of the launch only streams, kept, own_session, own_terminal, terminal, watch,
 * group, arm and plan count, and these must be the same when it is started; the plan must stay where it is. With an
 * arm that foresees, its stage AHEAD is entered. */
int child_begin(const struct launch *launch, uint64_t namespaces, struct embryo **ret_embryo,
		struct pinfold_error *err);
/* For a child that was begun without an arm: that of the launch, which foresees, enters its stage AHEAD
 * now. -1 where the child was not begun with what the launch wants: it can only be abandoned then. */
int child_adopt(struct embryo *embryo, const struct launch *launch);
/* The plan is complete: the view is laid, and the command confined, beside what the caller still has to do. The
 * launch counts without its program, argv, envp and directory, and must stay until child_start or
 * child_abandon. A failure is told by child_start. */
void child_lay(struct embryo *embryo, const struct launch *launch);
/* Ends what was begun; NULL does nothing. */
void child_abandon(struct embryo *embryo);

/* Starts the command. Takes the embryo, success or not; it may be NULL, and one whose namespaces are
 * not the plan's is abandoned. On -1 the target never ran; PINFOLD_E_STEP names the step
 * (err->action) and carries its errno; `ret_step` (may be NULL) gets it as well. */
int child_start(const struct launch *launch, struct embryo *embryo, struct child **ret_child,
		uint32_t *ret_step, struct pinfold_error *err);

/* Readable when child_event has something to say. */
int child_descriptor(const struct child *child);
pid_t child_supervisor(const struct child *child);

enum child_event_kind { CHILD_NOTHING = 0, CHILD_STOPPED, CHILD_OVER };

struct child_event {
	uint32_t kind;		/* enum child_event_kind */
	uint32_t ending;	/* enum pinfold_ending_kind, when over */
	int32_t value;		/* exit code or signal; the stopping signal */
	uint32_t survivors;	/* processes that were alive when the command had ended, and were ended */
	uint32_t left;		/* processes of the run that could not be ended */
	uint64_t user_nanoseconds, system_nanoseconds;
	uint64_t peak_bytes;	/* the largest resident size of one process */
};

/* What happened, without waiting. */
int child_event(struct child *child, struct child_event *ret_event, struct pinfold_error *err);
/* To the command's process group. */
int child_signal(struct child *child, int signal_number);
/* Ends the command and everything it started; the event CHILD_OVER follows, at child_deadline
 * at the latest: a command that is not confined may have stopped its supervisor. */
int child_end(struct child *child);
/* When child_event has something to say although the descriptor is not readable; 0 for never. */
uint64_t child_deadline(const struct child *child);
/* Gives the terminal to the command's group and continues it / takes it back for the caller's. */
int child_to_foreground(struct child *child);
int child_to_background(struct child *child);
/* Ends what still runs, reaps the supervisor. NULL does nothing. */
void child_free(struct child *child);

/* Supervisors of children that are over, whose namespaces are still being torn down: nothing of the
 * command is left in them, so nobody needs to wait. Zero is empty; safe for any thread. */
struct leaving {
	pthread_mutex_t lock;
	int *handles;
	size_t count, room;
};
#define LEAVING_NONE { .lock = PTHREAD_MUTEX_INITIALIZER }

/* As child_free, but a supervisor that has said its last word is left to `leaving`, and those that
 * have gone since are reaped. */
void child_leave(struct child *child, struct leaving *leaving);
/* Waits for them all. */
void leaving_await(struct leaving *leaving);

#endif
