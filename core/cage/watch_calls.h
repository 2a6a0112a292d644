/* cage/watch_calls.h - the calls that are watched, and what each names. */
#ifndef CAGE_WATCH_CALLS_H
#define CAGE_WATCH_CALLS_H

#include "cage/watch.h"

#include <stddef.h>

enum { NO_ARGUMENT = -1 };

struct watched_call {
	int number;
	const char *name;
	enum watch_kind kind;	/* of an open: as its flags have it */
	/* Which argument is what, or NO_ARGUMENT. Without a path, or where it is nowhere (`bare`), what is open itself.
	 * Of an address: where it is (`path`) and its length (`flags`), or (`structured`) the message that has both. */
	signed char directory, path, flags;
	bool structured;	/* the flags lie in memory */
	bool follows;	/* a link that is the last part */
	bool bare;
};

extern const struct watched_call watched_calls[];
extern const size_t watched_count;

bool watch_is_watched(int number);
/* Looks at what a call names, and tells of it. A call with two names has two rows. */
void watch_look(const struct pinfold_asked *asked, watch_tell *tell, void *context);

#endif
