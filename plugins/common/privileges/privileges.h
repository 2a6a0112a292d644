/* plugins/common/privileges/privileges.h - giving up privileges in the command's task, by the host's table alone. */
#ifndef PRIVILEGES_H
#define PRIVILEGES_H

#include <pinfold/plugin.h>
#include <linux/securebits.h>
#include <stdbool.h>
#include <stdint.h>

/* Secure bits with which being root gives nothing, for good. */
#define PRIVILEGES_NO_ROOT                                                     \
	(SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |       \
	 SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |             \
	 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

/* Keeps these capabilities (bits by number), able to be used and none to be inherited. 0, or a negative errno. */
long privileges_keep(const struct pinfold_host *host, uint64_t capabilities);
/* Has the task none but these, in any set? */
bool privileges_are_within(const struct pinfold_host *host, uint64_t capabilities);

#endif
