/* face/jobserver.c - make's job server, two descriptors that MAKEFLAGS names. */
#include "config.h"

#include "face/face.h"

#include <stdio.h>
#include <string.h>

/* A job server that is a FIFO has a path in place of descriptors: nothing to hand over. */
static bool find_ends(const struct pinfold_run *run, int ends[2])
{
	const char *flags = surroundings_value(run->caller, "MAKEFLAGS");
	const char *found = flags ? strstr(flags, "--jobserver-") : NULL;
	return found && (sscanf(found, "--jobserver-auth=%d,%d", &ends[0], &ends[1]) == 2 ||
			 sscanf(found, "--jobserver-fds=%d,%d", &ends[0], &ends[1]) == 2);
}

int jobserver_keep(struct pinfold_run *run, struct pinfold_error *err)
{
	bool confined = run->command.where == PINFOLD_WHERE_SANDBOX;
	int ends[2];
	if (!find_ends(run, ends))
		return 0;
	if (streams_keep(&run->streams, ends[0], confined, err) < 0)
		return -1;
	return streams_keep(&run->streams, ends[1], confined, err);
}

bool jobserver_is_kept(const struct pinfold_run *run)
{
	int ends[2];
	return find_ends(run, ends) && streams_keeps(&run->streams, ends[0]) &&
	       streams_keeps(&run->streams, ends[1]);
}
