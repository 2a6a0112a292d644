/* config/place.c - where a value comes from, and errors that name it. */
#include "config/place.h"

#include "base/fault.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

static const char ACTION[] = "read the configuration";

const char *place_name(struct place place, char *room, size_t bytes)
{
	if (!place.file)
		snprintf(room, bytes, "built in");
	else if (place.line == 0)
		snprintf(room, bytes, "%s", place.file);
	else
		snprintf(room, bytes, "%s:%u", place.file, place.line);
	return room;
}

static int fault_at(struct place place, struct pinfold_error *err, const char *recovery,
		    const char *format, va_list list) __attribute__((format(printf, 4, 0)));

static int fault_at(struct place place, struct pinfold_error *err, const char *recovery,
		    const char *format, va_list list)
{
	char name[sizeof(err->subject)], what[sizeof(err->subject)];
	vsnprintf(what, sizeof(what), format, list);
	place_name(place, name, sizeof(name));
	return faultf(err, PINFOLD_E_CONFIG, 0, ACTION, recovery, "%s: %s", name, what);
}

int place_fault(struct place place, struct pinfold_error *err, const char *recovery,
		const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fault_at(place, err, recovery, format, list);
	va_end(list);
	return -1;
}

int place_fault_unknown(struct place place, struct pinfold_error *err, const char *wanted,
			const char *const *names, size_t count, const char *otherwise,
			const char *format, ...)
{
	char recovery[sizeof(err->recovery)];
	const char *nearest = text_nearest(wanted, names, count);
	snprintf(recovery, sizeof(recovery), "write `%s`, if that is meant; %s",
		 nearest ? nearest : "", otherwise);
	va_list list;
	va_start(list, format);
	fault_at(place, err, nearest ? recovery : otherwise, format, list);
	va_end(list);
	return -1;
}
