/* wrappers/decision.h - what was measured of a wrapper. */
#ifndef WRAPPERS_DECISION_H
#define WRAPPERS_DECISION_H

#include <stdbool.h>
#include <stdint.h>

enum decision_kind {
	DECISION_NOT_CONFIGURED = 0,	/* nothing names a wrapper */
	DECISION_KEPT,		/* a build proved it: the only one that leaves it on */
	DECISION_DISABLED,	/* it cannot run here, or would leave something behind */
	DECISION_UNMEASURED,	/* it could not be told */
	DECISION_KINDS
};

struct decision {
	uint32_t kind;
	const char *toolchain;	/* its name in the table */
	char *wrapper;		/* as it was run, or tried; NULL where none was named */
	char *reason;
	char *directory;	/* the command's, from which settings were found */
};

/* "not_configured" …; and back: -1 for no such word. */
const char *decision_word(uint32_t kind);
int decision_of_word(const char *word);
/* Was a wrapper that somebody named taken away? That deserves a word to a person. */
bool decision_drops(const struct decision *decision);
void decision_release(struct decision *decision);
/* Fills it: -1 when memory is gone. Any text may be NULL. */
int decision_fill(struct decision *decision, uint32_t kind, const char *toolchain, const char *wrapper,
		  const char *reason, const char *directory);

#endif
