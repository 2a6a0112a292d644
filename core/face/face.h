/* face/face.h - what the embedding interface keeps behind its opaque handles. */
#ifndef FACE_FACE_H
#define FACE_FACE_H

#include "arms/arms.h"
#include "cage/child.h"
#include "config/config.h"
#include "face/cage.h"
#include "face/ceilings.h"
#include "face/denials.h"
#include "face/detached.h"
#include "face/directory.h"
#include "face/helpers.h"
#include "face/own_terminal.h"
#include "face/streams.h"
#include "face/wrapping.h"
#include "policy/environment.h"
#include "policy/policy.h"
#include "registry/registry.h"
#include "report/receipt.h"

#include <pinfold/pinfold.h>

/* A child that was begun for a run before anything else was done. */
struct ahead {
	struct embryo *embryo;	/* NULL once a run has taken it, or it was given up */
	bool wrong;		/* an earlier run had no use for one */
};

struct pinfold {
	struct config *config;
	struct registry *registry;
	void (*log)(void *context, uint32_t level, const char *text);
	void *log_context;
	struct leaving leaving;
	struct ahead ahead;
	char *config_file;	/* as it was opened, for cages */
	struct list settings;
	const struct pinfold_built_in *built_in;
	struct cages cages;
	struct detached detached;
	uint64_t started;	/* 0 once a run has counted its time from it */
};

/* A view that is open for one run; zero where the tree itself is shown. */
struct opened_view {
	const struct pinfold_view *view;
	struct pinfold_host *host;
	void *state;
	struct pinfold_copy *place;	/* for temporary files, where no view gives any */
};

/* An arm that was asked to prepare one run; zero without confinement. */
struct prepared_arm {
	const struct pinfold_arm *arm;
	struct pinfold_host *host;
	struct pinfold_plan plan;
	struct pinfold_policy policy;	/* as the arm got it */
	const struct pinfold_gap *gaps;	/* beside the plan's: what the arm's module is too old to know */
	size_t gap_count;
	struct watch *watch;	/* answers the calls that the arm does, where refusals are not told; NULL: none */
	bool prepared;
	bool started;	/* it was asked to prepare, so it is to be settled */
	bool early, refused;	/* it was asked before the view was up to date, and refused for this: */
	struct pinfold_error refusal;
};

/* What is known of a launch before the view is up to date. */
struct early_launch {
	struct launch launch;
	struct launch_limit limits[RLIM_NLIMITS];
};

enum { NONCE_LETTERS = 32 };

struct pinfold_run {
	struct pinfold *pinfold;
	struct pinfold_command command;	/* only while the run starts */
	const char *const *caller;	/* the environment to start from; only while the run starts */
	struct streams streams;
	struct own_terminal terminal;
	struct denials *denials;	/* NULL: nobody asked */
	struct ceilings ceilings;
	struct directory directory;
	struct policy *policy;
	bool explained;	/* and not started: somebody reads which paths were not there */
	bool complete;	/* the tree, the policy's paths and the program are known */
	struct arms_choice choice;	/* its offer is NULL without confinement */
	struct pinfold_cage *cage;	/* NULL: it has none */
	struct cage_choice *shared_choice;	/* what `choice` is then a copy of */
	struct list passed_over;
	struct list not_held;	/* names of gaps that the statement covers or that were relaxed */
	const struct receipt_relaxation *relaxed;	/* in the policy's memory */
	size_t relaxed_count;
	char *statement;
	const char *view_name;
	struct opened_view view;
	struct prepared_arm arm;
	struct pinfold_shown shown;
	void (*event)(void *context, const char *line);	/* NULL: nobody asked */
	void *event_context;
	bool throwaway;	/* it only tries a compiler wrapper for another run */
	bool measures;	/* whatever is kept of earlier measurements */
	bool explains;	/* nothing is measured */
	bool becomes;	/* no child is made: the caller becomes the command */
	struct wrappings wrappings;
	struct pinfold_work work;	/* its names are in `skipped` once the run is settled */
	struct list skipped, argv;	/* for the receipt, as are the next three */
	char *source, *seen_directory;
	char *session;	/* for the receipt; NULL for none */
	bool kept;
	struct environment environment;
	char *program;	/* in the host's sight */
	char *seen_program;	/* as the command sees it */
	bool found_outside;	/* it could be executed outside, too */
	char nonce[NONCE_LETTERS + 1];
	struct embryo *embryo;	/* only while the run starts */
	struct early_launch early;	/* the same */
	struct helpers helpers;
	struct child *child;
	struct timespec started;	/* CLOCK_REALTIME */
	struct {
		uint64_t began, born, launched, ended, settled;
		uint64_t waited;	/* for the session */
		bool early;	/* born before the view was made: that time is then part of the start */
	} times;	/* CLOCK_MONOTONIC, nanoseconds */
	bool over, timed_out, settled;
	bool lost;	/* the supervisor went without a last word */
	struct child_event end;
};

/* Around every call of a function of an arm, view or wrapper, which `table` is: those that take turns wait
 * for it here. */
void turn_take(struct registry *registry, const void *table);
void turn_end(struct registry *registry, const void *table);

/* face/resolve.c: what was asked for, checked and made definite. */
int resolve_run(struct pinfold_run *run, struct pinfold_error *err);
int resolve_arm(struct pinfold_run *run, struct pinfold_error *err);
/* What need not be known before the arm is, and takes its time: the tree, the policy's paths, and the
 * program. */
int resolve_rest(struct pinfold_run *run, struct pinfold_error *err);

/* face/view.c: the first view of the preference that can be had here. */
int view_open(struct pinfold_run *run, struct pinfold_error *err);
/* In place of opening one: the tree itself stands for what the view would show. To be closed. */
int view_imagine(struct pinfold_run *run, struct pinfold_error *err);
/* Is the tree itself shown, or to be? */
bool view_is_direct(const struct pinfold_run *run);
/* For a caller that becomes the command: the tree itself, and nothing that somebody would have to remove. */
int view_stay(struct pinfold_run *run, struct pinfold_error *err);
void view_close(struct pinfold_run *run, enum pinfold_keep keep);

/* face/session.c: waits until it may be tried again to open the session. `began` is when waiting did. */
int session_wait(struct pinfold_run *run, uint64_t began, struct pinfold_error *err);

/* face/ahead.c: the child of the run that the caller expects, begun before the configuration is read. */
void ahead_begin(struct pinfold *pinfold, const struct pinfold_command *expected);
/* 0: the child is the run's, and its arm, which foresees, is at work; -1: there is none that suits. */
int ahead_take(struct pinfold_run *run, const struct launch *launch);
/* The arm had no use for it; it was in vain for another reason. */
void ahead_pass(struct pinfold *pinfold);
void ahead_drop(struct pinfold *pinfold);
/* The name of the record that there was no use for one. */
extern const char ahead_record[];

/* face/confine.c: the arm prepares; gaps are refused, or noted. */
/* Begins the child, where the arm can tell what namespaces it is going to be in: for the arm that is
 * asked for first, before it is known whether it will do; then for the one that was chosen, unless that
 * is the same. */
void confine_foresee(struct pinfold_run *run, struct launch *launch);
/* Was it begun for the arm that was chosen? One that was begun for another is given up. */
bool confine_is_begun(struct pinfold_run *run);
int confine_begin(struct pinfold_run *run, struct launch *launch, struct pinfold_error *err);
int confine_prepare(struct pinfold_run *run, struct pinfold_error *err);
/* As soon as it is known what the view shows, which need not be up to date: prepares, and where the arm can
 * go on from there lets it. A refusal is told by confine_prepare. */
void confine_prepare_early(struct pinfold_run *run);
/* What was begun is given up: it is begun anew for what comes instead. */
void confine_give_up(struct pinfold_run *run);
void confine_release(struct pinfold_run *run);
/* face/lowering.c: the policy as the arm can take it; then gaps are refused, noted, or relaxed. */
int lowering_make(struct pinfold_run *run, struct pinfold_error *err);
int lowering_weigh(struct pinfold_run *run, struct pinfold_error *err);
/* The working directory as the command sees it. */
const char *confine_directory(const struct pinfold_run *run);
/* A path of the host as the command sees it; the caller frees it. NULL when memory is gone. */
char *confine_path(const struct pinfold_run *run, const char *path);

/* face/surroundings.c: program and environment. */
int surroundings_find_program(struct pinfold_run *run, struct pinfold_error *err);
int surroundings_build(struct pinfold_run *run, struct pinfold_error *err);
/* Searches `path` (NULL: a usual one) for the command's program; a name with a slash is looked at. */
int surroundings_search(struct pinfold_run *run, const char *path, struct pinfold_error *err);
/* The value of a variable in an envp, or NULL. */
const char *surroundings_value(const char *const *variables, const char *name);

/* face/jobserver.c: make's job server, two descriptors that MAKEFLAGS names. */
int jobserver_keep(struct pinfold_run *run, struct pinfold_error *err);
bool jobserver_is_kept(const struct pinfold_run *run);

/* face/command.c: a caller's structure, whatever version of this header it was built with. */
int command_read(const struct pinfold_command *from, struct pinfold_command *ret_command,
		 struct pinfold_error *err);
int result_write(const struct pinfold_result *from, struct pinfold_result *ret_result,
		 struct pinfold_error *err);

/* Everything that a start needs, with what is known of the run. Its terminal is to be closed. */
/* The caller is told that the command is about to start. */
void attempt_introduce(struct pinfold_run *run);
struct launch attempt_launch_of(struct pinfold_run *run, const char *program, const char *const *argv);
/* argv of the shell for the command's program, in case that no system executes it; free it. NULL when memory
 * is gone. */
const char **attempt_script(const struct pinfold_run *run);

/* face/receipt.c: what the receipt needs of things that go when a run is settled. */
int receipt_remember(struct pinfold_run *run, struct pinfold_error *err);

/* face/attempt.c: everything that belongs to one arm, from the view to the started command. */
/* What can begin before the arm is chosen; it goes with the run. */
void attempt_foresee(struct pinfold_run *run);
int attempt_start(struct pinfold_run *run, struct pinfold_error *err);
/* The view can be laid. */
void attempt_lay(struct pinfold_run *run);
/* Starts a program of which all is prepared. */
int attempt_launch(struct pinfold_run *run, const char *program, const char *const *argv,
		   uint32_t *ret_step, struct pinfold_error *err);

/* face/settle.c: what happens when the command has ended, or never ran. */
void settle_attempt(struct pinfold_run *run, enum pinfold_keep keep);
/* Only what the arm and the environment took; the view stays. */
void settle_attempt_arm(struct pinfold_run *run);
void settle_run(struct pinfold_run *run);
/* Which ceiling ended the command, as far as its signal tells, or was met by all of it together: enum pinfold_limit. */
uint32_t settle_limit(const struct pinfold_run *run);
/* What a shell would see. */
uint32_t settle_exit_code(const struct child_event *end);

/* face/log.c: a line for the embedder's log, where he has one. */
void run_log(const struct pinfold_run *run, uint32_t level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* face/run.c: starts a run, in a cage or (NULL) in none. Takes the cage, success or not. */
int run_begin(struct pinfold *pinfold, struct pinfold_cage *cage, const struct pinfold_command *command,
	      struct pinfold_run **ret_run, struct pinfold_error *err);
/* Free it with pinfold_run_free. */
struct pinfold_run *run_new(struct pinfold *pinfold, const struct pinfold_command *command);

#endif
