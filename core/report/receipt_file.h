/* report/receipt_file.h - a file that is written whole or not at all, and known to be writable before. */
#ifndef REPORT_RECEIPT_FILE_H
#define REPORT_RECEIPT_FILE_H

#include <pinfold/error.h>

struct receipt_file;

/* Makes sure that a file can be written at `path`, before the command runs: nothing of that name is
 * touched. Refused are a directory, a link, a FIFO, a socket and a device. Where the file system
 * allows it, nothing has a name until it is committed, so that a copy of the tree will not hold it. */
int receipt_file_open(const char *path, struct receipt_file **ret_file, struct pinfold_error *err);
/* Writes the text, for its owner alone, in the place of what was there. The file is released. */
int receipt_file_commit(struct receipt_file *file, const char *text, struct pinfold_error *err);
/* Leaves everything as it was, and releases the file. NULL does nothing. */
void receipt_file_abandon(struct receipt_file *file);

#endif
