/* plugins/seatbelt/marker.h - marks by which the processes of a run are found again, wherever they went.
 *
 * A profile lets its processes ask for one service by the run's own name, and for no other of this
 * process's names; no such service exists. The kernel answers for any process whether it might ask: so what
 * has left the run's group and session is found, and nobody can leave the mark behind. A name is used
 * again only after a search that found nobody who bears it.
 */
#ifndef SEATBELT_MARKER_H
#define SEATBELT_MARKER_H

#include "calls.h"
#include "profile.h"

enum { MARKER_SLOTS = 256, MARKER_ROUNDS = 64 };

struct marker {
	int slot;	/* -1: none */
	pid_t owner;	/* the process that the slot is one of */
	char name[80], expression[80], other[80];
};

/* The lowest slot that is free. -1 with an error when none is, or no random name can be made. */
int marker_take(const struct pinfold_host *host, struct marker *ret_marker, struct pinfold_error *err);
/* It may be taken again: never borne, or a search found nobody. */
void marker_free(struct marker *marker);
/* It is never taken again. */
void marker_retire(struct marker *marker);
/* Names that a profile needs: the mark, and a message for every kind of rule. */
void marker_parameters(const struct marker *marker, struct profile *profile);

/* Does the process bear the mark? */
bool marker_borne(const struct calls *calls, const struct marker *marker, pid_t process);
/* Ends everything that bears the mark, in at most MARKER_ROUNDS rounds. The number of those that were
 * ended, or -1 when there were still some after the last round, or the processes could not be listed. */
int marker_end_all(const struct calls *calls, const struct marker *marker);

#endif
