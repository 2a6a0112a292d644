/* pinfold/view.h - how the working tree appears to the command.
 *
 * A view opens a tree, brings what it shows up to date before a command and closes it after. The
 * engine that mirrors trees is the host's and is handed over as a table, so that a view needs no code
 * of pinfold's own.
 */
#ifndef PINFOLD_VIEW_H
#define PINFOLD_VIEW_H

#include <pinfold/arm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pinfold_copy;	/* the host's own: one kept copy, locked while open */

/* What bringing a view up to date cost, and what it left out. */
struct pinfold_work {
	uint32_t size;
	uint32_t fresh;		/* 1: a first copy, not an update */
	uint64_t walked, created, rewritten, removed;	/* entries; `walked` on both sides */
	uint64_t bytes;		/* written */
	uint64_t skipped;	/* FIFOs, sockets and devices, which are never copied */
	const char *const *skipped_names;	/* the first of them, relative; NULL-terminated; NULL for none */
	uint64_t nanoseconds;
};

enum pinfold_keep { PINFOLD_COPY_KEEP = 0, PINFOLD_COPY_RETIRE };

/* Budgets of a copy; 0 means the host's configured one. */
struct pinfold_budget {
	uint32_t size;
	uint32_t max_depth;
	uint64_t max_files;	/* entries of every kind */
	uint64_t max_bytes;
};

/* The host's engine of kept copies. */
struct pinfold_trees {
	uint32_t size;
	uint32_t reserved;

	/* A copy of the tree at `path` for this caller alone: the kept one that no run holds, or a new
	 * and empty one. `follow_out` 1: links that leave the tree are replaced by what they lead to
	 * (for arms that do not keep `writes`). */
	int (*open)(const struct pinfold_host *, const char *tree, uint32_t follow_out,
		    const struct pinfold_budget *, struct pinfold_copy **ret_copy,
		    struct pinfold_error *);
	/* Brings the copy up to date. On failure the copy is removed before the call returns. */
	int (*sync)(struct pinfold_copy *, struct pinfold_work *ret_work, struct pinfold_error *);
	/* The copy's directory and its private temporary directory, canonical; live with the copy. */
	const char *(*directory)(const struct pinfold_copy *);
	const char *(*temporary)(const struct pinfold_copy *);
	/* Keeps the copy for the next command, or removes it. NULL does nothing. */
	void (*close)(struct pinfold_copy *, uint32_t keep);
};

struct pinfold_view {
	uint32_t size;
	uint32_t reserved;
	const char *name;	/* copy, overlay … */
	const char *summary;
	const struct pinfold_key *keys;	/* of the section [view:NAME], or NULL */

	/* Opens the tree (an absolute canonical path) for one run. `placing` and `kept` are the chosen
	 * arm's: where it will show the view, and its promises. `session` is NULL: none. */
	int (*open)(const struct pinfold_host *, const char *tree, const char *session,
		    uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *);
	/* Makes what is shown equal to the tree. Fills kind, source and temporary of `shown`. On
	 * failure nothing half-made remains; `close` is still called. */
	int (*sync)(const struct pinfold_host *, void *state, struct pinfold_shown *,
		    struct pinfold_work *, struct pinfold_error *);
	/* `keep` says whether the next command may use what this one left (enum pinfold_keep). */
	void (*close)(const struct pinfold_host *, void *state, uint32_t keep);
};

#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_work, bytes, 40);
PINFOLD_FROZEN(pinfold_work, nanoseconds, 64);
PINFOLD_FROZEN(pinfold_trees, open, 8);
PINFOLD_FROZEN(pinfold_trees, close, 40);
PINFOLD_FROZEN(pinfold_view, name, 8);
PINFOLD_FROZEN(pinfold_view, open, 32);
PINFOLD_FROZEN(pinfold_view, close, 48);
#endif

#ifdef __cplusplus
}
#endif
#endif
