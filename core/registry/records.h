/* registry/records.h - small private records kept between runs, in the caller's cache directory.
 *
 * A record comes back whole and under the very stamp it was kept with, or not at all. To the stamp
 * belong pinfold's version, the kernel, this boot, the user, the module and the record's name. What is
 * kept is a help only: nothing here fails, it is then not found.
 */
#ifndef REGISTRY_RECORDS_H
#define REGISTRY_RECORDS_H

#include "config/scope.h"

/* 1 with the data in the scope's arena, or 0. */
int records_recall(const struct pinfold_scope *scope, const char *name, const char *stamp,
		   const void **ret_data, size_t *ret_bytes);
void records_keep(const struct pinfold_scope *scope, const char *name, const char *stamp,
		  const void *data, size_t bytes);
void records_forget(const char *name);

#endif
