/* plugins/seatbelt/base.h - what every command needs of a Mac, whatever its policy says.
 *
 * Curated for macOS 13 and later. It starts from nothing: what is not named here or by the policy is
 * refused. The keychain, the pasteboard, launch services and the service manager are not named.
 */
#ifndef SEATBELT_BASE_H
#define SEATBELT_BASE_H

#include "profile.h"

/* The first lines, which refuse everything, and what any program needs to run. */
void base_begin(struct profile *profile);
/* What must be read by a program of a policy that limits reading. */
void base_readable(struct profile *profile);
/* The caller's terminal, and pseudo-terminals of the command's own. Changing how the caller's behaves, and
 * typing into it, takes `control`. */
void base_terminals(struct profile *profile, bool inherited, bool control);
/* The names and certificates of the host's network. */
void base_network(struct profile *profile);
/* Processes of a run are those that may ask for the run's own name and for no other of its kind. Comes last. */
void base_mark(struct profile *profile);

#endif
