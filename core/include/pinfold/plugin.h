/* pinfold/plugin.h - all that a plugin knows of its host.
 *
 * A plugin is a shared object that exports one symbol, `pinfold_plugin`. It links against nothing of
 * pinfold's: what it needs from the host it gets as a table of functions. Every structure here begins
 * with its size and only ever grows at its end, so that an older plugin runs on a newer host and the
 * reverse: use PINFOLD_HAS before touching a member that came with a later minor version.
 *
 * Threads: the functions of a plugin that says minor version 2 or later may be called from several
 * threads at once, each call with a host table (and a plan, a state) that no other call has meanwhile;
 * those of older ones are called from one thread at a time. Memory and strings belong to whoever made them; what a plugin allocates through the
 * host lives until the object it was allocated for is released.
 */
#ifndef PINFOLD_PLUGIN_H
#define PINFOLD_PLUGIN_H

#include <pinfold/error.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PINFOLD_PLUGIN_MAJOR 1u	/* raised only when older plugins must be refused */
#define PINFOLD_PLUGIN_MINOR 7u	/* raised with every appended member */

/* Does the structure at `object` (which begins with its size) reach as far as `member`, and is it set? */
#define PINFOLD_HAS(object, member)                                            \
	((object)->size >= offsetof(__typeof__(*(object)), member) +           \
				   sizeof(object)->member &&                    \
	 (object)->member)

/* The same for a member that the plugin is to fill. */
#define PINFOLD_REACHES(object, member)                                        \
	((object)->size >= offsetof(__typeof__(*(object)), member) + sizeof(object)->member)

/* The least size of each structure that a plugin hands over: through the last member that the host
 * cannot do without. What lies beyond may be absent. */
#define PINFOLD_PLUGIN_LEAST offsetof(struct pinfold_plugin, arms)
#define PINFOLD_KEY_LEAST offsetof(struct pinfold_key, words)
#define PINFOLD_ARM_LEAST offsetof(struct pinfold_arm, settle)
#define PINFOLD_VIEW_LEAST (offsetof(struct pinfold_view, close) + sizeof(void (*)(void)))
#define PINFOLD_WRAPPER_LEAST offsetof(struct pinfold_wrapper, prepare)

struct pinfold_arm;
struct pinfold_view;
struct pinfold_wrapper;
struct pinfold_trees;
struct pinfold_asked;
struct pinfold_scope;	/* the host's own: what allocations and configuration belong to */

enum pinfold_log_level { PINFOLD_LOG_DEBUG = 0, PINFOLD_LOG_INFO, PINFOLD_LOG_WARNING };

/* The host's services. Every call takes the table itself, so that the host knows for whom it works. */
struct pinfold_host {
	uint32_t size;
	uint16_t major, minor;		/* of the interface that the host was built with */
	struct pinfold_scope *scope;

	/* A line for the person who runs pinfold, without a newline at its end. */
	void (*log)(const struct pinfold_host *, uint32_t level, const char *text);

	/* The value of `key` in the plugin's own section, or NULL where it is not set and has no
	 * default. A list is joined by newlines. The string lives as long as the host table. */
	const char *(*setting)(const struct pinfold_host *, const char *key);

	/* Zeroed memory that lives until the probed offer, the cage or the tree that this call is for
	 * is released. NULL only when there is none; the caller then returns `fail(…)`. */
	void *(*allocate)(const struct pinfold_host *, size_t bytes);

	/* A formatted string in the same memory. */
	const char *(*print)(const struct pinfold_host *, const char *format, ...)
		__attribute__((format(printf, 2, 3)));

	/* Fills the error and returns -1: `return host->fail(err, PINFOLD_E_SYSTEM, errno, "open …",
	 * path, "check …")`. Any text may be NULL. */
	int (*fail)(struct pinfold_error *, uint32_t code, int32_t sys, const char *action,
		    const char *subject, const char *recovery);

	/* One system call, without touching errno: the result, or a negative errno. Async-signal-safe,
	 * and safe in a child that shares memory with its parent: the only way for `enter` to call. */
	long (*call)(long number, long a, long b, long c, long d, long e, long f);

	/* Small private records kept between runs, below the state directory: what is stored under a
	 * name comes back whole or not at all. `stamp` is everything that must be unchanged for the
	 * record to count (the host adds kernel, boot, user and the plugin's own identity). `recall`
	 * returns 1 when found (ret_data lives like `allocate`), 0 when not; `keep` is best effort. */
	int (*recall)(const struct pinfold_host *, const char *name, const char *stamp,
		      const void **ret_data, size_t *ret_bytes);
	void (*keep)(const struct pinfold_host *, const char *name, const char *stamp, const void *data,
		     size_t bytes);

	/* For views: the engine that mirrors trees (pinfold/view.h). */
	const struct pinfold_trees *trees;

	/* Since 1.4: is a file of this user to be believed? 1 for root, for the caller, and inside a user
	 * namespace that has no name for root for the nobody as whom root, and everybody else without a name
	 * there, is shown; 0 for others. */
	int (*trusts)(const struct pinfold_host *, uint32_t user);

	/* Since 1.5: for arms whose filter asks a listener (pinfold_plan.answer). Whether one is possible here: 1 or 0. */
	int (*can_answer)(const struct pinfold_host *);
	/* What a call that waits points to in its process's memory; a text with its end. 0, or a negative errno, also where
	 * the call no longer waits when it has been read. */
	int (*asked_read)(const struct pinfold_asked *, uint64_t at, void *room, size_t bytes);
	int (*asked_text)(const struct pinfold_asked *, uint64_t at, char *room, size_t bytes);
	/* What the process has open by a number, or its working directory (AT_FDCWD), by O_PATH and to be closed; or a
	 * negative errno. */
	int (*asked_open)(const struct pinfold_asked *, int number);
	/* Does it still wait? To be asked after anything else was found of its process, and before it is acted on: 1 or 0. */
	int (*asked_waits)(const struct pinfold_asked *);
};

/* One configuration key of a plugin's own section, so that the host can refuse unknown ones, check
 * values and show help. The list ends with an entry whose name is NULL. */
enum pinfold_key_type {
	PINFOLD_KEY_TEXT = 0,
	PINFOLD_KEY_FLAG,	/* yes or no */
	PINFOLD_KEY_NUMBER,	/* not negative */
	PINFOLD_KEY_PATH,	/* absolute; `~` is the caller's home */
	PINFOLD_KEY_LIST,
	PINFOLD_KEY_WORD	/* one of `words`, separated by spaces */
};

struct pinfold_key {
	uint32_t size;
	uint32_t type;		/* enum pinfold_key_type */
	const char *name;
	const char *initial;	/* the value when none is set, or NULL */
	const char *words;	/* for PINFOLD_KEY_WORD */
	const char *help;	/* one line */
};

struct pinfold_plugin {
	uint32_t size;			/* sizeof(struct pinfold_plugin): the host reads no further */
	uint16_t major, minor;		/* PINFOLD_PLUGIN_MAJOR, PINFOLD_PLUGIN_MINOR */
	const char *name;		/* [a-z][a-z0-9-]*, the module's file name without its ending */
	const char *version;		/* the plugin's own */
	const char *summary;		/* one line */
	const struct pinfold_arm *const *arms;		/* NULL-terminated, or NULL */
	const struct pinfold_view *const *views;	/* NULL-terminated, or NULL */
	const struct pinfold_wrapper *const *wrappers;	/* NULL-terminated, or NULL */

	/* Since 1.3: the manual page that says the rest, as "pinfold-outside(7)", or NULL. */
	const char *manual;
};

extern PINFOLD_API const struct pinfold_plugin pinfold_plugin;

/* A module that is a part of a program as well. It is used in place of the file of this name, which must be
 * there and be trusted none the less, where the two are of one build: where the file has this build id. */
struct pinfold_built_in {
	const char *name;
	const struct pinfold_plugin *plugin;
	const char *id;	/* in small hexadecimal digits; "": no file is the same */
};

#define PINFOLD_FROZEN(type, member, offset)                                   \
	_Static_assert(offsetof(struct type, member) == (offset),              \
		       "the plugin interface may only grow at its end")
#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_host, scope, 8);
PINFOLD_FROZEN(pinfold_host, log, 16);
PINFOLD_FROZEN(pinfold_host, setting, 24);
PINFOLD_FROZEN(pinfold_host, allocate, 32);
PINFOLD_FROZEN(pinfold_host, print, 40);
PINFOLD_FROZEN(pinfold_host, fail, 48);
PINFOLD_FROZEN(pinfold_host, call, 56);
PINFOLD_FROZEN(pinfold_host, recall, 64);
PINFOLD_FROZEN(pinfold_host, keep, 72);
PINFOLD_FROZEN(pinfold_host, trees, 80);
PINFOLD_FROZEN(pinfold_host, trusts, 88);
PINFOLD_FROZEN(pinfold_host, can_answer, 96);
PINFOLD_FROZEN(pinfold_host, asked_waits, 128);
PINFOLD_FROZEN(pinfold_key, name, 8);
PINFOLD_FROZEN(pinfold_key, help, 32);
PINFOLD_FROZEN(pinfold_plugin, name, 8);
PINFOLD_FROZEN(pinfold_plugin, version, 16);
PINFOLD_FROZEN(pinfold_plugin, summary, 24);
PINFOLD_FROZEN(pinfold_plugin, arms, 32);
PINFOLD_FROZEN(pinfold_plugin, views, 40);
PINFOLD_FROZEN(pinfold_plugin, wrappers, 48);
PINFOLD_FROZEN(pinfold_plugin, manual, 56);
#endif

#ifdef __cplusplus
}
#endif
#endif
