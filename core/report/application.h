/* report/application.h - what was done about a compiler wrapper while a command was prepared.
 *
 * The record says what was applied, not that the command started, compiled, or hit a cache. One that
 * cannot be read back stays a record that cannot be read: it is neither "no wrapper" nor "worked".
 */
#ifndef REPORT_APPLICATION_H
#define REPORT_APPLICATION_H

#include "report/document.h"

/* All texts are somebody else's; wrapper may be NULL. */
struct application {
	const char *program, *arm, *toolchain;
	const char *decision;	/* "kept" … */
	const char *wrapper, *reason, *directory;
};

struct document application_write(const struct application *application);
/* 0 with texts that live as long as the record. -1: an error whose subject is one of two things, each
 * with the member's name: that a member is missing or invalid, or that redaction took what the record
 * is about. */
int application_read(const json_t *record, struct application *ret_application,
		     struct pinfold_error *err);

#endif
