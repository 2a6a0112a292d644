/* tests/seatbelt_mac.h - one run of the arm on the fake of a Mac, step by step. */
#ifndef SEATBELT_MAC_H
#define SEATBELT_MAC_H

#include "namespaces_host.h"

#include "fakes/seatbelt.h"
#include "plugins/seatbelt/calls.h"
#include "plugins/seatbelt/denials.h"
#include "plugins/seatbelt/seatbelt.h"

struct mac {
	struct fake *fake;
	struct test_host host;
	struct pinfold_policy policy;
	struct pinfold_shown shown;
	struct pinfold_plan plan;
	struct pinfold_path paths[4];
	struct pinfold_grant grants[2];
	char place[256], source[300], temporary[300], granted[300], script[300];
	bool beside;	/* another has the fake and the place */
	bool confined;	/* the last child was, when its steps were done */
};

int mac_setup(void **state);
int mac_teardown(void **state);
void mac_reset(struct mac *mac);
/* Every call of this name fails; none for "". */
void mac_fail(struct mac *mac, const char *name);
/* A second run at the same time. */
void mac_open_beside(struct mac *mac, const struct mac *other);
void mac_close(struct mac *mac);

struct pinfold_offer mac_probe(struct mac *mac);
struct pinfold_path *mac_path(struct mac *mac, uint32_t kind, const char *path);
void mac_grant(struct mac *mac, const char *name, const char *path);
int mac_prepare(struct mac *mac, struct pinfold_error *err);
/* A child that goes the steps; 0, or the errno of the step that failed, which `ret_stage` gets. */
int mac_child(struct mac *mac, uint32_t *ret_stage);
/* The same, and whether the child may then do this. */
bool mac_child_allows(struct mac *mac, const char *operation, const char *path, const char *below);
/* A child that signals its parent, which its profile refuses. */
void mac_refused_in_child(struct mac *mac);
/* A grandchild in a session of its own that sleeps. */
pid_t mac_escape(struct mac *mac);
/* It was killed: waits until it is gone, or nobody has waited for it. */
void mac_must_end(pid_t process);
/* Refusals go to a file, and a script in the helper's place is told its name. */
void mac_journal(struct mac *mac, const char *script);
/* Settles and releases. */
void mac_end(struct mac *mac);

#endif
