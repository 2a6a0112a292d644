/* cage/become.h - this very process becomes the command, and nobody is left beside it.
 *
 * Of a launch the arm, plan, program, argv, envp, directory, streams, kept, limits and priority count. The plan
 * has neither namespaces nor a program that confines.
 */
#ifndef CAGE_BECOME_H
#define CAGE_BECOME_H

#include "cage/child.h"

/* Takes the steps up to the last, which it only looks at, in a process of its own: what fails there would fail
 * here, and this process is as it was. */
int become_rehearse(const struct launch *launch, struct pinfold_error *err);

/* Takes them. Returns only where one failed, -1. *ret_changed is then whether the calling thread is confined,
 * in part or in whole, for good. A file that no system executes is the shell's, by `script`. */
int become_command(const struct launch *launch, const char *const *script, bool *ret_changed,
		   struct pinfold_error *err);

#endif
