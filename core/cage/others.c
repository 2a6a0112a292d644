/* cage/others.c - every descriptor past the streams ends at exec, whatever its number. */
#include "config.h"

#include "cage/others.h"

#include "cage/shed.h"

int others_most(void)
{
	return 0;	/* the kernel knows */
}

int others_end_at_exec(int most)
{
	(void)most;
	long result = shed_on_exec();
	errno = result < 0 ? (int)-result : 0;
	return result < 0 ? -1 : 0;
}
