/* cli/records.h - what is written beside a run, for programs: its receipt, its events, its start and its end. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "options.h"

#include <pinfold/pinfold.h>

struct records {
	struct pinfold_file *receipt;	/* NULL: not to a file */
	int receipt_fd, status_fd, events_fd;	/* -1: not to a descriptor */
	bool shown;	/* the receipt on standard error */
};

/* Whether all of it can be written is known before the command runs. To be closed also after -1. */
int records_open(struct records *records, const struct request *request, struct pinfold_error *err);
/* Adds a line to the events; at any time. */
void records_event(const struct records *records, const char *line);
void records_begin(const struct records *records);
void records_end(const struct records *records, const struct pinfold_result *result);
int records_receipt(struct records *records, struct pinfold_run *run, struct pinfold_error *err);
/* In place of all three, where the command never ran. */
void records_refuse(struct records *records, const struct pinfold_error *err);
void records_close(struct records *records);

#endif
