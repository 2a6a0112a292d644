/* escape/running.h - one program run with the streams, descriptors and terminal that a case wants. */
#ifndef ESCAPE_RUNNING_H
#define ESCAPE_RUNNING_H

#include "watch.h"
#include "world.h"

#define OUTPUT_ROOM (96 * 1024)

struct running {
	const char *const *arguments;	/* NULL-terminated */
	unsigned how;			/* of case.h */
	bool bare;			/* no pinfold: what it leaves is ended by the caller of this */
	bool terminal_output;		/* standard output is a terminal, but nobody's controlling one */
	double limit;			/* seconds; what takes longer is killed */
	const char *token;

	int status;			/* of wait() */
	bool late;			/* past its limit */
	double took;
	bool listened;			/* somebody inside was connected to */
	char output[OUTPUT_ROOM + 1], errors[8192 + 1];
	size_t output_count, errors_count;
	struct effects terminal;	/* what became of it */
};

int running_do(struct world *world, struct running *running);

#endif
