/* pinfold/error.h - what went wrong: a code, what was being done, what about, and what to do next.
 *
 * An error object lives on the caller's stack and is never freed. A function that fails returns -1
 * and fills the object it was given; one that succeeds leaves it alone. A null object is allowed
 * where the caller does not care. Texts are UTF-8 as far as the subject is: a subject may hold bytes
 * of a file name, and whoever shows it to a person must quote it (the command does).
 */
#ifndef PINFOLD_ERROR_H
#define PINFOLD_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PINFOLD_API __attribute__((visibility("default")))

/* X(name, spelling in messages and JSON). Append only: the numbers travel between plugin and host. */
#define PINFOLD_CODES(X)                                                       \
	X(INTERNAL, "E_INTERNAL")                /* a fault of pinfold's own */      \
	X(USAGE, "E_USAGE")                      /* the command line or a call */   \
	X(CONFIG, "E_CONFIG")                    /* a configuration file or key */  \
	X(POLICY, "E_POLICY")                    /* a policy that cannot be */       \
	X(PLUGIN, "E_PLUGIN")                    /* a module that cannot be used */ \
	X(SANDBOX_DENIED, "E_SANDBOX_DENIED")    /* less than was asked for */      \
	X(PLACEMENT_DENIED, "E_PLACEMENT_DENIED") /* the host is not open */        \
	X(TREE, "E_TREE")                        /* the working tree or its copy */ \
	X(SYSTEM, "E_SYSTEM")                    /* a system call failed */         \
	X(STEP, "E_STEP")                        /* a step in the child failed */   \
	X(NOT_FOUND, "E_NOT_FOUND")              /* no such program */              \
	X(NOT_EXECUTABLE, "E_NOT_EXECUTABLE")    /* the program cannot be run */    \
	X(NESTED, "E_NESTED")                    /* the caller is confined already */ \
	X(NO_MEMORY, "E_NO_MEMORY")                                            \
	X(BUSY, "E_BUSY")                        /* somebody works with it now */   \
	X(SESSION, "E_SESSION")                  /* no such session, or another kind */ \
	X(TIMED_OUT, "E_TIMED_OUT")              /* it was waited for too long */ \
	X(BUDGET, "E_BUDGET")                    /* more than a budget allows */

enum pinfold_code {
	PINFOLD_E_NONE = 0,
#define PINFOLD_CODE_MEMBER(name, text) PINFOLD_E_##name,
	PINFOLD_CODES(PINFOLD_CODE_MEMBER)
#undef PINFOLD_CODE_MEMBER
};

struct pinfold_error {
	uint32_t code;		/* enum pinfold_code; 0 while nothing went wrong */
	int32_t sys;		/* errno of the failing system call, or 0 */
	char action[160];	/* what was being done: "copy the working tree" */
	char subject[640];	/* what about: a path, a figure, a name */
	char recovery[640];	/* what to do next: "set [copy] max-files, or …" */
};

#ifdef __cplusplus
}
#endif
#endif
