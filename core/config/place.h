/* config/place.h - where a value comes from, and errors that name it. */
#ifndef CONFIG_PLACE_H
#define CONFIG_PLACE_H

#include <pinfold/error.h>
#include <stddef.h>

struct place {
	const char *file;	/* NULL: built in; "--set" for the command line */
	unsigned line;	/* 0: the file as a whole; of "--set": which one, from 1 */
};

/* Fills an error with the subject "FILE:LINE: …": -1. */
int place_fault(struct place place, struct pinfold_error *err, const char *recovery,
		const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same where `wanted` is a name that nobody knows: the recovery is the nearest of `names`, or
 * `otherwise` where none is near. */
int place_fault_unknown(struct place place, struct pinfold_error *err, const char *wanted,
			const char *const *names, size_t count, const char *otherwise,
			const char *format, ...) __attribute__((format(printf, 7, 8)));

/* "FILE:LINE" or "built in" into `room`; returns `room`. */
const char *place_name(struct place place, char *room, size_t bytes);

#endif
