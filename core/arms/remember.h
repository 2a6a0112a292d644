/* arms/remember.h - offers of earlier probes on this boot, by the same caller. */
#ifndef ARMS_REMEMBER_H
#define ARMS_REMEMBER_H

#include <pinfold/arm.h>
#include <stdbool.h>

/* An available offer that still counts: true, with texts in the host table's memory. */
bool remember_recall(const struct pinfold_host *host, const char *name,
		     struct pinfold_offer *ret_offer);
/* Keeps an available offer; a refusal is never kept. */
void remember_keep(const struct pinfold_host *host, const char *name,
		   const struct pinfold_offer *offer);
void remember_forget(const char *name);

#endif
