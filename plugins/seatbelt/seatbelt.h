/* plugins/seatbelt/seatbelt.h - the parts of this arm.
 *
 * It decides without the system: lower.c and what it calls write a profile. It acts through one table:
 * calls.h is all that it asks of a Mac. trial.c looks whether that confines, arm.c puts it together.
 */
#ifndef SEATBELT_SEATBELT_H
#define SEATBELT_SEATBELT_H

#include "profile.h"

extern const struct pinfold_arm seatbelt_arm;

/* describe.c: each rule of the profile with its parameters in place, as a row. */
int describe_profile(const struct pinfold_host *host, const struct profile *profile,
		     const struct pinfold_detail **ret_details, size_t *ret_count, struct pinfold_error *err);

#endif
