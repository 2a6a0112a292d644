/* tree/remedy.c - what lifts a failure of a call on files, whatever was being done. */
#include "config.h"

#include "tree/remedy.h"

#include "base/fd.h"

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

/* A kernel's name for it that is longer than this says where it lies, if not all of it. */
enum { PLACE_ROOM = 260 };

const char *remedy_in(struct remedy *remedy, int place, const char *before, int failure, const char *otherwise,
		      const char *after)
{
	char path[PLACE_ROOM];
	ssize_t bytes = place < 0 ? -1 : fd_name(place, path, sizeof(path) - 1);
	if (bytes <= 0)
		return remedy_write(remedy, before, failure, otherwise, after);
	path[bytes] = '\0';
	if (failure == EPERM)
		snprintf(remedy->text, sizeof(remedy->text),
			 "%s%s, something in it or what it is in may be marked as not to be changed (lsattr -d shows it, "
			 "chattr -i or -a takes it away), or be another user's: lift that%s", before, path, after);
	else
		snprintf(remedy->text, sizeof(remedy->text), "%sin %s: %s%s", before, path,
			 remedy_of(failure, otherwise), after);
	return remedy->text;
}
