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
	uint64_t skipped;	/* FIFOs, sockets and devices, which are never copied, and what is hidden */
	const char *const *skipped_names;	/* the first of them, relative; NULL-terminated; NULL for none */
	uint64_t nanoseconds;
	/* How bytes came into the copy: shared with the tree's files (reflinks), carried by the kernel
	 * (copy_file_range), read and written. */
	uint64_t cloned, ranged, plain;
};

enum pinfold_keep {
	PINFOLD_COPY_KEEP = 0,
	PINFOLD_COPY_RETIRE,
	PINFOLD_COPY_UNTOUCHED	/* kept, and nothing could be changed in it since it was brought up to date */
};

/* Budgets of a copy; 0 means the host's configured one. */
struct pinfold_budget {
	uint32_t size;
	uint32_t max_depth;
	uint64_t max_files;	/* entries of every kind */
	uint64_t max_bytes;
};

/* Of a copy: which links lead elsewhere in it than in the tree. */
enum pinfold_follow {
	PINFOLD_FOLLOW_NOTHING = 0,	/* none: the copy is shown at the tree's place */
	/* Those that leave the tree are replaced by what they lead to, and those into it, and git's pointers to its
	 * directories elsewhere, lead to copies. For arms that do not keep `writes`. */
	PINFOLD_FOLLOW_ALL,
	PINFOLD_FOLLOW_INSIDE	/* the same but for links that leave the tree: these stay */
};

/* What kind of place a view wants for what its command will change. */
struct pinfold_place_order {
	uint32_t size;
	uint32_t layer;		/* 1: an empty directory to lay over the tree, and one to work in; 0: a copy */
	uint32_t follow_out;	/* of a copy: enum pinfold_follow */
	uint32_t reserved;
	const char *session;	/* NULL: none */
	const struct pinfold_budget *budget;	/* of a copy; NULL: the configured one */
};

/* A private layer. The texts live like what the host allocates. */
struct pinfold_layer {
	uint32_t size;
	uint32_t reserved;
	const char *upper, *work;	/* canonical */
	uint64_t upper_device, upper_inode, work_device, work_inode;
};

/* The host's engine of what commands change: kept copies and layers. */
struct pinfold_trees {
	uint32_t size;
	uint32_t reserved;

	/* A copy of the tree at `path` for this caller alone: the kept one that no run holds, or a new
	 * and empty one. `follow_out` is of enum pinfold_follow. */
	int (*open)(const struct pinfold_host *, const char *tree, uint32_t follow_out,
		    const struct pinfold_budget *, struct pinfold_copy **ret_copy,
		    struct pinfold_error *);
	/* Brings the copy up to date. On failure the copy is removed before the call returns. */
	int (*sync)(struct pinfold_copy *, struct pinfold_work *ret_work, struct pinfold_error *);
	/* The copy's directory and its private temporary directory, canonical; live with the copy. */
	const char *(*directory)(const struct pinfold_copy *);
	const char *(*temporary)(const struct pinfold_copy *);
	/* Keeps the copy for the next command, or removes it. NULL does nothing. What belongs to a session is
	 * kept whatever `keep` says. */
	void (*close)(struct pinfold_copy *, uint32_t keep);

	/* As `open`, for a copy or a layer, of a session or not; the other functions work on both kinds. A
	 * layer outside of a session is empty. `sync` of a layer settles what a killed run left in it. Refused
	 * with PINFOLD_E_BUSY while another command works in the session, and with PINFOLD_E_SESSION where the
	 * session is of another kind. */
	int (*open_place)(const struct pinfold_host *, const char *tree,
			  const struct pinfold_place_order *, struct pinfold_copy **ret_copy,
			  struct pinfold_error *);
	/* Of a layer: canonical, and live with it. NULL for a copy. */
	const char *(*upper)(const struct pinfold_copy *);
	const char *(*work)(const struct pinfold_copy *);
	/* Of both: where layers over other places lie (`layers` of pinfold_shown). */
	const char *(*layers)(const struct pinfold_copy *);
	/* Finds or makes the layer over the canonical directory `path`, below `layers`. */
	int (*layer)(const struct pinfold_host *, const char *layers, const char *path,
		     struct pinfold_layer *ret_layer, struct pinfold_error *);
	/* Of a copy: where the copies of git's directories lie that are not in the tree; may not exist. */
	const char *(*beside)(const struct pinfold_copy *);
};

/* What probing found on this machine. `available` 0 is a refusal: then `missing` and `lift` say what is
 * missing and what would lift it. Texts come from the host's `print` or are static. */
struct pinfold_view_offer {
	uint32_t size;
	uint32_t available;
	const char *missing;
	const char *lift;
	const char *limits[8];	/* in what it falls short of a copy; NULL-terminated unless full */
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

	/* What this machine lets the view do, found by doing, in a directory of its own below `scratch` (NULL:
	 * there is none). Returns 0 with the offer filled, available or not; -1 only for a fault of its
	 * own. NULL: the view is available wherever its arm is. */
	int (*probe)(const struct pinfold_host *, const char *scratch, struct pinfold_view_offer *,
		     struct pinfold_error *);

	/* Fills of `shown` what `sync` will fill, after `open` and before it; then the arm can lay what is shown
	 * beside its being brought up to date. `sync` must find the same again. -1 where that is not known
	 * yet, which is no fault. NULL: it never is. */
	int (*show)(const struct pinfold_host *, void *state, struct pinfold_shown *);
};

#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_work, bytes, 40);
PINFOLD_FROZEN(pinfold_work, nanoseconds, 64);
PINFOLD_FROZEN(pinfold_work, cloned, 72);
PINFOLD_FROZEN(pinfold_work, plain, 88);
PINFOLD_FROZEN(pinfold_trees, open, 8);
PINFOLD_FROZEN(pinfold_trees, close, 40);
PINFOLD_FROZEN(pinfold_trees, open_place, 48);
PINFOLD_FROZEN(pinfold_trees, layer, 80);
PINFOLD_FROZEN(pinfold_trees, beside, 88);
PINFOLD_FROZEN(pinfold_place_order, session, 16);
PINFOLD_FROZEN(pinfold_layer, upper_device, 24);
PINFOLD_FROZEN(pinfold_view, name, 8);
PINFOLD_FROZEN(pinfold_view, open, 32);
PINFOLD_FROZEN(pinfold_view, close, 48);
#endif

#ifdef __cplusplus
}
#endif
#endif
