/* fakes/older-and-smaller.c - built before some members existed: it works, and what lies beyond its
 * sizes is no business of the host's. */
#define FAKE_NAME "older-and-smaller"
#define FAKE_SIZE offsetof(struct pinfold_plugin, views)
#define FAKE_ARM_SIZE offsetof(struct pinfold_arm, settle)
#define FAKE_SETTLE ((int (*)(const struct pinfold_host *, struct pinfold_plan *, \
			      struct pinfold_error *))8)
#define FAKE_VIEWS ((const struct pinfold_view *const *)8)
#define FAKE_WRAPPERS ((const struct pinfold_wrapper *const *)8)
#include "fake.h"
