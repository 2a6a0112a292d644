/* config/lines.h - an INI file line by line, by inih, without what inih would silently misread. */
#ifndef CONFIG_LINES_H
#define CONFIG_LINES_H

#include "config/place.h"

#include <stdbool.h>

enum { LINES_LENGTH_MOST = 199 };	/* bytes of a line */

/* Where sections and entries go. Each returns 0, or -1 with the error filled. */
struct lines_sink {
	int (*section)(void *context, const char *section, struct pinfold_error *err);
	/* `continued`: the line belongs to the entry above it. */
	int (*entry)(void *context, const char *section, const char *name, const char *value,
		     bool continued, struct pinfold_error *err);
};

/* `place` says at every call which line is meant. After -1 nothing that the sink got may be used. */
int lines_parse(const char *data, size_t bytes, struct place *place, const struct lines_sink *sink,
		void *context, struct pinfold_error *err);

/* May this byte stand in a value? Control characters may not, but for the tab. */
bool lines_allow(unsigned char byte);

#endif
