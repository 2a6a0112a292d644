/* pinfold/pinfold.h - the embedding interface: run commands confined on a copy of the working tree.
 *
 * Nothing here prints, exits, reads the working tree's own files as configuration, or changes the
 * calling process (its signals, its directory, its descriptors). Handles are opaque. A `struct
 * pinfold` may be shared by threads; a `struct pinfold_run` belongs to one thread at a time.
 * Functions return 0, or -1 with the error filled. Strings returned as `char *` are the caller's to
 * free(); `const char *` live as long as the handle they came from.
 */
#ifndef PINFOLD_PINFOLD_H
#define PINFOLD_PINFOLD_H

#include <pinfold/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PINFOLD_EXIT_TIMED_OUT 124	/* of the command, or of waiting for its session */
#define PINFOLD_EXIT_REFUSED 125	/* pinfold refused or failed: the command never ran */
#define PINFOLD_EXIT_NOT_EXECUTABLE 126
#define PINFOLD_EXIT_NOT_FOUND 127
#define PINFOLD_EXIT_SIGNAL 128		/* and the signal's number */

struct pinfold;		/* configuration and modules */
struct pinfold_run;	/* one run */

/* "E_TREE" … for a code. */
PINFOLD_API const char *pinfold_code_name(uint32_t code);
PINFOLD_API const char *pinfold_version(void);
/* The exit code of `pinfold` for this error: 124, 125, 126 or 127. */
PINFOLD_API int pinfold_exit_code(const struct pinfold_error *err);
/* The error as a block for a person: code and action, subject, what to try. Whatever a terminal would
 * obey is quoted. NULL when memory is gone. */
PINFOLD_API char *pinfold_error_text(const struct pinfold_error *err);
/* Fills an error of the caller's own and returns -1. Any text may be NULL; too long ones are cut. */
PINFOLD_API int pinfold_fail(struct pinfold_error *err, uint32_t code, int32_t sys,
			     const char *action, const char *subject, const char *recovery);
/* `bytes` for a person's eyes: what is not printable UTF-8 becomes \xNN. NULL when memory is gone. */
PINFOLD_API char *pinfold_quote(const char *bytes);
/* The name nearest to `wanted` in a NULL-terminated list, or NULL when none is near. */
PINFOLD_API const char *pinfold_nearest(const char *wanted, const char *const *names);

struct pinfold_command;
struct pinfold_built_in;

/* How the configuration is found. Zero (with its size) is what the command uses. */
struct pinfold_options {
	uint32_t size;
	uint32_t reserved;
	const char *config_file;	/* a further file, above the user's; NULL for none */
	const char *const *settings;	/* "section.key=value", NULL-terminated; NULL for none */
	/* What plugins and the core have to say to a person; may be called from any thread that calls
	 * in here. NULL: nothing is said. */
	void (*log)(void *context, uint32_t level, const char *text);
	void *log_context;
	uint64_t started;	/* CLOCK_MONOTONIC in nanoseconds when the program began; 0: now */
	/* What is going to be run at once, where that is known: what it needs of the kernel is begun before
	 * the configuration is read. The descriptors must stay what they are until the first run has
	 * started, which gives up what does not suit it. NULL: nothing is begun. */
	const struct pinfold_command *expected;
	/* Modules that are parts of the program (<pinfold/plugin.h>); the last has no name. NULL for none. They
	 * must stay. */
	const struct pinfold_built_in *built_in;
};

PINFOLD_API int pinfold_new(const struct pinfold_options *options, struct pinfold **ret_pinfold,
			    struct pinfold_error *err);
PINFOLD_API void pinfold_free(struct pinfold *pinfold);

/* Documents: the same facts as JSON (indented, one object) or as text for a person. `form` is one of
 * these; text is coloured on request only. */
enum pinfold_form { PINFOLD_FORM_TEXT = 0, PINFOLD_FORM_JSON, PINFOLD_FORM_COLOUR };

/* Effective values with file and line. */
PINFOLD_API int pinfold_describe_config(struct pinfold *, uint32_t form, char **ret_document,
					struct pinfold_error *err);
/* Modules with version, parts and true reasons of refusal. */
PINFOLD_API int pinfold_describe_plugins(struct pinfold *, uint32_t form, char **ret_document,
					 struct pinfold_error *err);
/* One module, by its name or that of an arm, a view or a wrapper in it, with the keys of its sections. */
PINFOLD_API int pinfold_describe_plugin(struct pinfold *, const char *name, uint32_t form, char **ret_document,
					struct pinfold_error *err);
/* Arms with promises and refusals, freshly probed. `require` is a list of axes ("network, writes"),
 * or NULL; `ret_held` (may be NULL) becomes 1 where some arm keeps them all. */
PINFOLD_API int pinfold_describe_arms(struct pinfold *, uint32_t form, const char *require,
				      char **ret_document, int *ret_held, struct pinfold_error *err);

enum pinfold_where { PINFOLD_WHERE_SANDBOX = 0, PINFOLD_WHERE_HOST };

/* How far the configuration opens the placement `host`. */
enum pinfold_gate { PINFOLD_GATE_NEVER = 0, PINFOLD_GATE_ASK, PINFOLD_GATE_ALWAYS };
PINFOLD_API uint32_t pinfold_host_gate(const struct pinfold *);

/* In place of a descriptor: the terminal of the command's own ([pinfold] terminal = new), which every stream
 * becomes that is a terminal. */
#define PINFOLD_STREAM_TERMINAL (-2)

/* What to run. Zero members mean the configured or the caller's own. All of it may be freed after
 * pinfold_run_start. */
struct pinfold_command {
	uint32_t size;
	uint32_t where;		/* enum pinfold_where */
	const char *const *argv;	/* NULL-terminated, at least one */
	const char *const *environment;	/* the caller's envp to start from; NULL: the process's own */
	const char *const *set;	/* "NAME=value" or "NAME", as --env; NULL for none */
	const char *directory;	/* working tree and directory; NULL: the process's own */
	const int *descriptors;	/* handed over beyond 0, 1, 2; -1-terminated; NULL for none */
	int32_t streams[3];	/* for 0, 1, 2; -1: the process's own; or PINFOLD_STREAM_TERMINAL */
	uint32_t approved;	/* 1: a person approved the placement `host` where policy asks */
	uint32_t jobserver;	/* 1: hand over the descriptors of make's jobserver that MAKEFLAGS names */
	uint32_t reserved;
	/* Called when all is prepared and the command is about to start: from here on a caller with
	 * signals to forward keeps them. May be called again where a first start failed. NULL: not. */
	void (*launching)(void *context);
	void *context;
	/* The session whose changes the command sees and adds to: letters, digits, dots, dashes and
	 * underscores, at most 64, no dot first. NULL: none. */
	const char *session;
	/* Called several times a second while another command works in the session, which is waited for as
	 * long as the time limit allows: nonzero gives up. NULL: not. */
	int (*waiting)(void *context);
	/* Called by the calling thread about ten times a second while the tree is copied, and at the
	 * beginning of a first copy: how much was copied so far. Nonzero gives up: pinfold_run_start fails
	 * with the system's error ECANCELED, and nothing of the copy stays, but a session's. It must not
	 * call pinfold. NULL: not. */
	int (*copying)(void *context, uint64_t files, uint64_t bytes);
	/* Called by the calling thread several times a second while a compiler wrapper, by the name that was
	 * found, is tried with a throwaway build; `waits` is 1 while another run does that. Nonzero gives up:
	 * pinfold_run_start fails with ECANCELED, and nothing is decided. It must not call pinfold. NULL: not. */
	int (*trying)(void *context, const char *wrapper, uint32_t waits);
	/* Called when something happened, with an event: a JSON object on one line, as pinfold-run(1) lists
	 * them. Those after the start come from the functions that are called for the run; one that is freed
	 * before it is over has none. It must not call pinfold. NULL: not, and nothing is made. */
	void (*event)(void *context, const char *line);
	/* The command and everything it started is ended after this time at the latest, whatever longer time is
	 * configured; 0: as configured. */
	uint64_t most_milliseconds;
	/* "NAME=PATH": what declared grants ([grant:NAME] of the configuration) are bound to, for this command
	 * alone; absolute paths of what exists. NULL-terminated; NULL for none. The command finds each in
	 * PINFOLD_GRANT_NAME, as it sees it. */
	const char *const *grants;
	/* Called just before `launching` with the run, which is of use to pinfold_run_statement,
	 * pinfold_run_statement_is_new and pinfold_run_passed_over alone as long as it has not started: what they
	 * say can be shown before the command's first output. NULL: not. */
	void (*introducing)(void *context, struct pinfold_run *run);
};

/* Prepares and starts the command. After -1 the command never ran and nothing is left behind. */
PINFOLD_API int pinfold_run_start(struct pinfold *, const struct pinfold_command *,
				  struct pinfold_run **ret_run, struct pinfold_error *err);
/* Becoming the command, in place of starting it: this process (its number, streams, group, session and whoever
 * waits for it) goes on as the command, confined. What would need somebody alive beside the command is refused
 * by name: views other than `direct`, sessions, temporary grants, time limits, events, a terminal of its own,
 * arms that need a supervisor, and the promise `process_tree`, for which whoever started this process answers.
 *
 * The first checks all that can be checked, tries the confinement in a process of its own, and leaves this one
 * as it was; `ret_run` can be asked for its statement and what was passed over, and be freed. The command's
 * structure must stay until then. */
PINFOLD_API int pinfold_exec_prepare(struct pinfold *, const struct pinfold_command *,
				     struct pinfold_run **ret_run, struct pinfold_error *err);
/* Returns only on failure, -1. Where `ret_changed` (may be NULL) is then 1 the calling thread is confined, in
 * part or in whole, and its process must end: as pinfold_exit_code has it. Other threads end with success. */
PINFOLD_API int pinfold_exec(struct pinfold_run *, uint32_t *ret_changed, struct pinfold_error *err);
/* What a run would do, without doing it: arm, view, rules, rewrites, gaps. */
PINFOLD_API int pinfold_describe_run(struct pinfold *, const struct pinfold_command *, uint32_t form,
				     char **ret_document, struct pinfold_error *err);

/* A cage: a configuration with settings of its own, its modules, and the arm that it was found to get here,
 * made once; commands are started in it from any thread, any number of them at once. What can change on the
 * machine is looked at by each start: the paths of the policy, the working tree, the program. The handle keeps
 * the eight cages that were asked for last, and gives the same one to whoever asks for the same. */
struct pinfold_cage;

struct pinfold_cage_order {
	uint32_t size;
	uint32_t where;		/* enum pinfold_where: of every command in it */
	const char *const *settings;	/* "section.key=value", above the handle's own; NULL for none */
	const char *directory;	/* of commands that name none; NULL: the process's own */
};

/* Reads the configuration anew unless such a cage is kept. To be closed; the handle may not be freed before. */
PINFOLD_API int pinfold_cage_open(struct pinfold *, const struct pinfold_cage_order *,
				  struct pinfold_cage **ret_cage, struct pinfold_error *err);
/* As pinfold_run_start; `where` of the command counts for nothing. */
PINFOLD_API int pinfold_cage_start(struct pinfold_cage *, const struct pinfold_command *,
				   struct pinfold_run **ret_run, struct pinfold_error *err);
/* As pinfold_describe_run. */
PINFOLD_API int pinfold_cage_describe(struct pinfold_cage *, const struct pinfold_command *, uint32_t form,
				      char **ret_document, struct pinfold_error *err);
/* Its runs go on. NULL does nothing. */
PINFOLD_API void pinfold_cage_close(struct pinfold_cage *);

/* Readable when pinfold_run_poll has something to say. */
PINFOLD_API int pinfold_run_descriptor(const struct pinfold_run *);
/* Milliseconds until pinfold_run_poll must be called for the time limit; -1 for no limit. */
PINFOLD_API int pinfold_run_deadline(const struct pinfold_run *);

enum pinfold_state { PINFOLD_RUNNING = 0, PINFOLD_STOPPED, PINFOLD_OVER };

/* Which ceiling ended a command, or (MEMORY, TASKS) was met: of the memory of all its processes together, where some
 * were ended, and of their number, where one could not be made. Of what one process has a command is told, and ends
 * as it likes. */
enum pinfold_limit {
	PINFOLD_LIMIT_NONE = 0,	/* none, or it cannot be told */
	PINFOLD_LIMIT_TIMEOUT, PINFOLD_LIMIT_CPU_TIME, PINFOLD_LIMIT_FILE_SIZE,
	PINFOLD_LIMIT_MEMORY, PINFOLD_LIMIT_TASKS
};

/* How a run ended (pinfold/arm.h has the same kinds for plugins). */
struct pinfold_result {
	uint32_t size;
	uint32_t ending;	/* 0 ended, 1 signalled, 2 timed out, 3 unknown */
	int32_t value;		/* exit code or signal; with ending 2: 0 */
	uint32_t survivors;	/* ended with the command */
	uint32_t left;		/* could not be ended */
	uint32_t exit_code;	/* what a shell would see: value, 124, 128 + signal, 125 */
	uint32_t limit;		/* enum pinfold_limit */
	uint32_t reserved;
};

/* Does what is due, without waiting, and says where the run is. `ret_signal` (may be NULL) gets the
 * stopping signal. */
PINFOLD_API int pinfold_run_poll(struct pinfold_run *, uint32_t *ret_state, int *ret_signal,
				 struct pinfold_error *err);
/* Waits until the run is over or `milliseconds` have passed (-1: for ever); *ret_state says which. */
PINFOLD_API int pinfold_run_wait(struct pinfold_run *, int milliseconds, uint32_t *ret_state,
				 struct pinfold_error *err);
PINFOLD_API int pinfold_run_signal(struct pinfold_run *, int signal_number);
/* Ends the command and everything it started; the run is then over as signalled. */
PINFOLD_API int pinfold_run_end(struct pinfold_run *);
/* The other end of the terminal of the command's own, until the run is settled; -1 where it has none. It does
 * not block, and what is not read from it holds the command up. Its size is set there (TIOCSWINSZ). */
PINFOLD_API int pinfold_run_terminal(const struct pinfold_run *);
/* Job control for a caller with a terminal: hands it to the command's group and continues it, or
 * takes it back. Nothing where the command has a session of its own. */
PINFOLD_API int pinfold_run_foreground(struct pinfold_run *);
PINFOLD_API int pinfold_run_background(struct pinfold_run *);

/* The processes of a run, as the caller sees them, up to `room` of them; `ret_count` gets how many there are.
 * None when it is over. */
PINFOLD_API int pinfold_run_members(struct pinfold_run *, int32_t *pids, size_t room, size_t *ret_count,
				    struct pinfold_error *err);
/* What still runs on this machine, of whatever program, as far as the caller may look. */
PINFOLD_API int pinfold_describe_jobs(struct pinfold *, uint32_t form, char **ret_document,
				      struct pinfold_error *err);

/* When over. Settles the run: the view is closed, the receipt is complete. */
PINFOLD_API int pinfold_run_result(struct pinfold_run *, struct pinfold_result *ret_result,
				   struct pinfold_error *err);
/* The receipt as JSON, complete after pinfold_run_result. */
PINFOLD_API int pinfold_run_receipt(struct pinfold_run *, char **ret_json,
				    struct pinfold_error *err);
/* The receipt of a run that never was: the error as JSON. NULL when memory is gone. */
PINFOLD_API char *pinfold_refusal_receipt(const struct pinfold_error *err);
/* The event of such a run, which no callback gets: the caller has the error. NULL when memory is gone. */
PINFOLD_API char *pinfold_refusal_event(const struct pinfold_error *err);

/* A file that is written whole or not at all: known to be writable before a run, and without a name
 * in its directory until it is committed. Both of the latter release it; NULL is nothing to them. */
struct pinfold_file;
PINFOLD_API int pinfold_file_open(const char *path, struct pinfold_file **ret_file,
				  struct pinfold_error *err);
PINFOLD_API int pinfold_file_commit(struct pinfold_file *, const char *text,
				    struct pinfold_error *err);
PINFOLD_API void pinfold_file_abandon(struct pinfold_file *);

/* "namespaces: it guarantees that …" */
PINFOLD_API const char *pinfold_run_statement(const struct pinfold_run *);
/* 1 unless it is the statement that this was last asked about, by any program of this user since the
 * machine was started; it is then remembered. What guarantees nothing is always new. */
PINFOLD_API int pinfold_run_statement_is_new(struct pinfold_run *);
/* One line for each arm or view that the configuration preferred and that was passed over; NULL past
 * the last. */
PINFOLD_API const char *pinfold_run_passed_over(const struct pinfold_run *, size_t index);
/* Gives the run up: it goes on, with its time limit, and is settled by a thread of the library when it has ended,
 * or ended when the handle it came from is freed or this process ends. There are no more events of it, and the
 * other end of a terminal of its own is closed with it. After success `run` must not be used again. */
PINFOLD_API int pinfold_run_detach(struct pinfold_run *run, struct pinfold_error *err);
/* Ends what still runs, settles, and releases everything. NULL does nothing. */
PINFOLD_API void pinfold_run_free(struct pinfold_run *);

/* What commands changed, to be looked at, applied or discarded: of the last run in a tree, or of a
 * session. No command may work in it meanwhile, and none can begin to. */
struct pinfold_review {
	uint32_t size;
	uint32_t reserved;
	const char *directory;	/* the working tree, or a directory in it; NULL: the process's own */
	const char *session;	/* NULL: the last run without one */
	/* Only these and what is below them: absolute, or relative to the directory; NULL-terminated. NULL or
	 * none: all. */
	const char *const *paths;
};

enum pinfold_changes_form {
	PINFOLD_CHANGES_PATCH = 0,	/* git's unified format, for `git apply` and `patch -p1` */
	PINFOLD_CHANGES_LIST,	/* a line for each change */
	PINFOLD_CHANGES_STAT,	/* how many lines changed in each file */
	PINFOLD_CHANGES_NAMES,	/* the names alone */
	PINFOLD_CHANGES_JSON	/* one object, with one for each change */
};

enum pinfold_changes_flag {
	PINFOLD_CHANGES_COLOUR = 1,
	PINFOLD_CHANGES_ESCAPED = 2,	/* for a terminal: whatever it would obey in files is shown as \xNN */
	PINFOLD_CHANGES_PACKED = 4,	/* binary content is spelled out, as by `git diff --binary` */
	/* What lies in git directories is spelled out and not summed up, and the patch has what lies outside
	 * of the tree as well. */
	PINFOLD_CHANGES_ALL = 8,
	PINFOLD_CHANGES_ZERO = 16	/* LIST and NAMES: names as they are, a NUL after each */
};

struct pinfold_changes_style {
	uint32_t size;
	uint32_t form;		/* enum pinfold_changes_form */
	uint32_t flags;		/* enum pinfold_changes_flag */
	uint32_t around;	/* unchanged lines beside a change; 3 where the structure ends before */
	uint32_t columns;	/* of the terminal; 0: 80 */
	uint32_t reserved;
};

/* Writes what was changed to `fd` as it goes, and how many changes there are to `ret_count` (may be
 * NULL). The style NULL: a patch. Where the reader went away the error's `sys` is EPIPE, and no signal is
 * raised. */
PINFOLD_API int pinfold_write_changes(struct pinfold *, const struct pinfold_review *,
				      const struct pinfold_changes_style *, int fd,
				      uint64_t *ret_count, struct pinfold_error *err);

/* A report for a person: of runs, by their receipts, and of what they changed. */
enum pinfold_report_flag { PINFOLD_REPORT_PAGE = 1 /* one page for a browser, in place of what `form` says */ };

struct pinfold_report_order {
	uint32_t size;
	uint32_t flags;		/* enum pinfold_report_flag */
	const char *const *receipts;	/* JSON, each as --receipt writes it; NULL-terminated; NULL for none */
	/* What is kept of the changes. NULL: that of the tree and the session of the last receipt, where there is
	 * something. */
	const struct pinfold_review *review;
};

PINFOLD_API int pinfold_describe_report(struct pinfold *, const struct pinfold_report_order *, uint32_t form,
					char **ret_document, struct pinfold_error *err);
/* Does the text of a file begin as such a page does? 1 or 0. */
PINFOLD_API int pinfold_is_report_page(const char *text);

/* Drops what was changed: a session goes, and after a run without one its copy is made equal to the tree.
 * With paths, what was changed at them and below them is put back, and all else stays. */
PINFOLD_API int pinfold_discard(struct pinfold *, const struct pinfold_review *,
				struct pinfold_error *err);

enum pinfold_sessions_flag { PINFOLD_SESSIONS_ALL = 1 /* of every tree */ };

/* The sessions of the tree that the directory (NULL: the process's own) is or lies in. */
PINFOLD_API int pinfold_describe_sessions(struct pinfold *, const char *directory, uint32_t flags,
					  uint32_t form, char **ret_document,
					  struct pinfold_error *err);

enum pinfold_collect_flag {
	PINFOLD_COLLECT_DRY_RUN = 1,	/* only say what would be removed */
	PINFOLD_COLLECT_UNAPPLIED = 2	/* sessions with changes that are not applied as well */
};

/* Removes what is kept past the configured age, number and size, for trees that are gone, and by killed
 * runs; the document says what, and what could not be removed. */
PINFOLD_API int pinfold_collect(struct pinfold *, uint32_t flags, uint32_t form, char **ret_document,
				struct pinfold_error *err);

/* Applying: the changes are brought into the tree, all of them or none. What the tree changed meanwhile is
 * a conflict, and refuses all, unless a part will do. Places in which a change acts without having been
 * asked for (hooks, start-up files, workflows …) are risky, and refuse all until they are allowed or named
 * among the paths of the review. */
enum pinfold_apply_flag {
	PINFOLD_APPLY_PARTIAL = 1,	/* what is in no conflict, and not held back, is applied */
	PINFOLD_APPLY_RISKY = 2,	/* risky places are allowed */
	PINFOLD_APPLY_DRY_RUN = 4	/* nothing is written */
};

/* One change, and what is to become of it. It and its texts live until the function that it is given to
 * returns. */
struct pinfold_apply_item {
	uint32_t size;
	uint32_t reserved;
	const char *path;	/* in the tree, or absolute outside of it */
	const char *from;	/* its name in the tree where that is another; NULL */
	const char *kind;	/* "added", "removed", "modified", "retyped", "renamed" */
	const char *risk;	/* why it is risky; NULL: it is not */
	const void *origin;	/* for pinfold_apply_show */
	uint64_t further;	/* so many more objects of the same git directory, which the answer is for as well */
};

enum pinfold_answer {
	PINFOLD_ANSWER_NO = 0,
	PINFOLD_ANSWER_YES,
	PINFOLD_ANSWER_ALL,	/* yes to this and the following ones that are not risky */
	PINFOLD_ANSWER_NONE,	/* no to this and all that follow */
	PINFOLD_ANSWER_QUIT	/* nothing at all is applied */
};

struct pinfold_apply_order {
	uint32_t size;
	uint32_t flags;		/* enum pinfold_apply_flag */
	/* Called in the caller's thread for each change that can be applied, the risky ones first, which are
	 * then not held back: enum pinfold_answer, or -1 with the error filled (pinfold_fail). Nothing of this
	 * tree may be asked of the library meanwhile but pinfold_apply_show. NULL: nobody is asked. */
	int (*ask)(void *context, const struct pinfold_apply_item *item, struct pinfold_error *err);
	void *context;
};

struct pinfold_applied {
	uint32_t size;
	uint32_t done;		/* 0: nothing was written: it was refused, abandoned, or only tried */
	uint64_t applied;	/* changes that are in the tree now; else: that could be */
	uint64_t conflicts, risky;	/* left: in conflict with the tree; held back as risky */
	uint64_t declined;	/* left: somebody said no */
	uint64_t never;		/* left: devices, FIFOs, sockets, locks of git's … */
};

/* 0 also where it was refused: the result and the document say what for. -1 where a call failed: the tree is
 * then as it was, or will be when anything of it is next asked of the library, unless the error says
 * otherwise. `ret_result` has its size set; the document (may be NULL) is in `form`, enum pinfold_form. */
PINFOLD_API int pinfold_apply(struct pinfold *, const struct pinfold_review *,
			      const struct pinfold_apply_order *, uint32_t form,
			      struct pinfold_applied *ret_result, char **ret_document,
			      struct pinfold_error *err);
/* The change as a patch to `fd`; within pinfold_apply_order.ask only. `flags`: enum pinfold_changes_flag. */
PINFOLD_API int pinfold_apply_show(const struct pinfold_apply_item *, uint32_t flags, int fd,
				   struct pinfold_error *err);

/* Compiler wrappers (sccache, ccache …): whether a throwaway build proved that one runs confined. */
enum pinfold_wrappers_flag { PINFOLD_WRAPPERS_ALL = 1 /* of every tree */ };

/* What is kept about the tree that the directory (NULL: the process's own) is or lies in. */
PINFOLD_API int pinfold_describe_wrappers(struct pinfold *, const char *directory, uint32_t flags,
					  uint32_t form, char **ret_document,
					  struct pinfold_error *err);
/* Measures anew what a command with these options would find; its `argv` counts for nothing. */
PINFOLD_API int pinfold_measure_wrappers(struct pinfold *, const struct pinfold_command *, uint32_t form,
					 char **ret_document, struct pinfold_error *err);
/* Forgets what is kept about this very tree; how many decisions (may be NULL). */
PINFOLD_API int pinfold_forget_wrappers(struct pinfold *, const char *directory, uint32_t flags,
					uint64_t *ret_count, struct pinfold_error *err);
/* The records about wrappers in a receipt or in lines of events; those that cannot be read back are shown as such, with why.
 * `ret_unreadable` (may be NULL): how many. */
PINFOLD_API int pinfold_describe_applications(const char *receipt, uint32_t form, char **ret_document,
					      uint64_t *ret_unreadable, struct pinfold_error *err);

#ifdef __cplusplus
}
#endif
#endif
