/* plugins/namespaces/ports.h - the host's network for TCP from and to named ports, and nothing else: Landlock
 * watches the ports, and the filter of system calls leaves nothing but TCP. */
#ifndef PORTS_H
#define PORTS_H

#include "namespaces.h"

/* Versions of Landlock that know TCP's ports, and the scope of abstract unix sockets. */
enum { PORTS_TCP = 4, PORTS_ABSTRACT = 6 };

/* The version that this kernel has, or a negative errno. */
int ports_version(const struct pinfold_host *host);
/* Is the policy one of ports, and can it be had here? */
bool ports_can(const struct pinfold_host *host, const struct pinfold_policy *policy);
/* In the command's task, once new privileges are forbidden. */
long ports_apply(const struct pinfold_host *host, const struct pinfold_policy *policy);

#endif
