/* pinfold/wrapper.h - a preparer: what a known compiler wrapper needs to work where the command runs.
 *
 * The rule: a helper may serve a command only if it is confined at least as tightly and sees the same
 * tree. So in an arm that confines a preparer starts nothing; it names what the wrapper needs to start
 * its helper inside. Only where nothing is confined may it name one to be started outside.
 */
#ifndef PINFOLD_WRAPPER_H
#define PINFOLD_WRAPPER_H

#include <pinfold/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a preparer is told of the run it prepares for. */
struct pinfold_wrapper_context {
	uint32_t size;
	uint32_t placing;	/* enum pinfold_placing of the arm in use */
	const char *wrapper;	/* the wrapper as it was named */
	const char *directory;	/* the command's working directory in the host's sight */
	const char *const *environment;	/* of the command, NULL-terminated */

	/* Since 1.1. */
	uint32_t confined;	/* 1: the arm keeps `writes`, so no helper may be started outside */
	uint32_t bare;		/* 1: it confines, and has no private layers: what `layers` names is read only */
	const char *home;	/* canonical, or NULL */
	const char *cache;	/* "layered", "shared" or "off" */
	const char *temporary;	/* the run's private temporary directory, as the command sees it */
};

/* What the wrapper needs. Every list ends with NULL, and may be NULL: nothing. The host checks every path
 * and program before it uses them; what it cannot give makes the wrapper's trial fail, not the run. */
struct pinfold_preparation {
	uint32_t size;		/* the host's; what lies beyond is not to be filled */
	uint32_t reserved;
	/* NAME=value: added to the command's environment where it does not set the name. What may not be
	 * left to it is in `imposed`. */
	const char *const *environment;
	/* Absolute paths of directories of the host's that get a private layer: they can be read, and
	 * what is written to them ends with the run. Those that are not there are left out. Where the
	 * context says `bare`, they can only be read. */
	const char *const *layers;
	/* Absolute paths to be written as they are. Named only where `cache` is "shared". */
	const char *const *writable;
	/* A helper to be started outside before the wrapper is tried, only in an arm that does not
	 * confine: program (absolute) and arguments, and its whole environment. Its status counts for
	 * nothing: it may run already. */
	const char *const *start;
	const char *const *start_environment;
	const char *const *stop;	/* ends it, in the same environment; NULL: it ends by itself */
	/* Where it listens: a socket's path, or a text that ends with a port of the loopback device. The host
	 * looks whether it answers before it starts it. NULL: it has no helper. */
	const char *endpoint;
	const char *note;	/* what a person should know, or NULL */
	/* NAME=value: whatever the command's environment has of that name goes. */
	const char *const *imposed;

	/* Since 1.6. A helper to be started inside, in an arm that confines: a program, which is looked for as
	 * the command would, and arguments. It has the command's confinement, view and environment.
	 *
	 * Without `behind` it is started before the command and each trial, and waited for until it has put
	 * itself into the background. Its status counts only for a second try. */
	const char *const *inside;

	/* Since 1.7. With these the helper inside is started when its first client connects. Each entry is a NAME=value whose value
	 * says where a helper listens, as `endpoint` does. The host listens inside at the value that the command
	 * has of that name; the helper gets the value that is here, and is to listen there; what comes is carried
	 * from the one to the other. Where there are several the helper may listen at any of them. It may stay
	 * in the foreground. */
	const char *const *behind;
	/* NAME=value, for the helper inside alone, which is started by its first client. */
	const char *const *inside_environment;
};

struct pinfold_wrapper {
	uint32_t size;
	/* 1, since 1.1: it serves every section [wrapper:NAME] of the configuration that no other wrapper
	 * has, under that section's name and with its settings. */
	uint32_t many;
	const char *name;
	const char *summary;
	const struct pinfold_key *keys;	/* of the section [wrapper:NAME], or NULL */

	/* Is the program with this file name the wrapper that the preparer knows? 1 or 0. */
	int (*matches)(const struct pinfold_host *, const char *file_name);
	/* Makes it ready; may be NULL, as may `settle`, which is called when the run has ended. The host
	 * does not call this where there is `ready`. */
	int (*prepare)(const struct pinfold_host *, const struct pinfold_wrapper_context *,
		       void **ret_state, struct pinfold_error *);
	int (*settle)(const struct pinfold_host *, void *state, struct pinfold_error *);

	/* Since 1.1. Says what the wrapper needs; starts, makes and writes nothing itself. Texts and
	 * lists are static or live like what the host allocates. May be NULL: it needs nothing. */
	int (*ready)(const struct pinfold_host *, const struct pinfold_wrapper_context *,
		     struct pinfold_preparation *ret_preparation, void **ret_state,
		     struct pinfold_error *);
};

#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_wrapper_context, wrapper, 8);
PINFOLD_FROZEN(pinfold_wrapper_context, confined, 32);
PINFOLD_FROZEN(pinfold_wrapper_context, temporary, 56);
PINFOLD_FROZEN(pinfold_preparation, environment, 8);
PINFOLD_FROZEN(pinfold_preparation, layers, 16);
PINFOLD_FROZEN(pinfold_preparation, writable, 24);
PINFOLD_FROZEN(pinfold_preparation, start, 32);
PINFOLD_FROZEN(pinfold_preparation, start_environment, 40);
PINFOLD_FROZEN(pinfold_preparation, stop, 48);
PINFOLD_FROZEN(pinfold_preparation, endpoint, 56);
PINFOLD_FROZEN(pinfold_preparation, note, 64);
PINFOLD_FROZEN(pinfold_preparation, imposed, 72);
PINFOLD_FROZEN(pinfold_preparation, inside, 80);
PINFOLD_FROZEN(pinfold_preparation, behind, 88);
PINFOLD_FROZEN(pinfold_preparation, inside_environment, 96);
PINFOLD_FROZEN(pinfold_wrapper, name, 8);
PINFOLD_FROZEN(pinfold_wrapper, matches, 32);
PINFOLD_FROZEN(pinfold_wrapper, settle, 48);
PINFOLD_FROZEN(pinfold_wrapper, ready, 56);
#endif

#ifdef __cplusplus
}
#endif
#endif
