/* pinfold/wrapper.h - a preparer: makes a known compiler wrapper ready before it is measured. */
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
};

struct pinfold_wrapper {
	uint32_t size;
	uint32_t reserved;
	const char *name;
	const char *summary;
	const struct pinfold_key *keys;	/* of the section [wrapper:NAME], or NULL */

	/* Is the program with this file name the wrapper that the preparer knows? 1 or 0. */
	int (*matches)(const struct pinfold_host *, const char *file_name);
	/* Makes it ready; may be NULL, as may `settle`, which is called when the run has ended. */
	int (*prepare)(const struct pinfold_host *, const struct pinfold_wrapper_context *,
		       void **ret_state, struct pinfold_error *);
	int (*settle)(const struct pinfold_host *, void *state, struct pinfold_error *);
};

#if UINTPTR_MAX == UINT64_MAX && !defined(__cplusplus)
PINFOLD_FROZEN(pinfold_wrapper_context, wrapper, 8);
PINFOLD_FROZEN(pinfold_wrapper, name, 8);
PINFOLD_FROZEN(pinfold_wrapper, matches, 32);
PINFOLD_FROZEN(pinfold_wrapper, settle, 48);
#endif

#ifdef __cplusplus
}
#endif
#endif
