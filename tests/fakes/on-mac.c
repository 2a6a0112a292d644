/* fakes/on-mac.c - what makes of the arm's own module one that finds a Mac: the fake of its sandbox, and of its log where
 * the environment names a program. */
#include "config.h"

#include "plugins/seatbelt/calls.h"
#include "plugins/seatbelt/denials.h"

#include <stdlib.h>

__attribute__((constructor)) static void arrive(void)
{
	const char *log = getenv("FAKE_MAC_LOG");
	calls_from(TEST_BUILD "/tests/fakes/.libs/mac.so");
	if (log)
		denials_from(log, 60000);	/* as long as a busy machine takes */
}
