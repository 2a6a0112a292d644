/* tree/remedy.c - what lifts a failure of a call on files, whatever was being done. */
#include "config.h"

#include "tree/remedy.h"

#include <errno.h>
#include <stdio.h>

const char *remedy_of(int failure, const char *otherwise)
{
	switch (failure) {
	case EPERM:
		return "it, or the directory it is in, may be marked as not to be changed (lsattr -d shows it, "
		       "chattr -i or -a takes it away), or be another user's: lift that";
	case ENOSPC:
	case EDQUOT:
		return "make room on its disk";
	case EFBIG:
		return "raise the limit on file sizes (ulimit -f)";
	case EMFILE:
	case ENFILE:
		return "raise the limit on open files (ulimit -n)";
	}
	return otherwise;
}

const char *remedy_write(struct remedy *remedy, const char *before, int failure, const char *otherwise,
			 const char *after)
{
	snprintf(remedy->text, sizeof(remedy->text), "%s%s%s", before, remedy_of(failure, otherwise), after);
	return remedy->text;
}
