/* base/fault.h - filling an error object: the only way in which one is filled. */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <pinfold/error.h>

/* Fills `err` (which may be NULL) and returns -1. Texts may be NULL; too long ones are cut. */
int fault(struct pinfold_error *err, enum pinfold_code code, int sys, const char *action,
	  const char *subject, const char *recovery);

/* The same with a formatted subject. */
int faultf(struct pinfold_error *err, enum pinfold_code code, int sys, const char *action,
	   const char *recovery, const char *subject, ...) __attribute__((format(printf, 6, 7)));

/* When memory is gone: -1. */
int fault_no_memory(struct pinfold_error *err);

/* "E_TREE" …; "E_NONE" for 0, "E_INTERNAL" for a number nobody knows. */
const char *fault_code_name(uint32_t code);

#endif
