/* plugins/seatbelt/lowering.h - what the parts of lowering share. */
#ifndef SEATBELT_LOWERING_H
#define SEATBELT_LOWERING_H

#include "lower.h"

/* Everything that a hidden path is kept from: to write one is a way to move it into sight. */
#define HIDDEN_OPERATIONS "file-read* file-write* process-exec* network-outbound network-bind"

struct lowering {
	const struct pinfold_host *host;
	const struct scene *scene;
	const struct pinfold_policy *policy;
	struct profile *profile;
	bool copied;	/* the command works in a copy of the tree, elsewhere */
	bool limits_reading, limits_executing;
};

bool path_is_in(const char *path, const char *root);
bool path_is_literal(const struct pinfold_path *path);
void filter_of(struct lowering *lowering, const struct pinfold_path *path, const char *at);
/* The same place in the copy as the path is in the tree, or in the tree as it is in the copy: all of the one
 * where the other lies in the path. NULL where there is none, or memory is gone. */
const char *place_in_copy(struct lowering *lowering, const struct pinfold_path *path);
const char *place_in_tree(struct lowering *lowering, const struct pinfold_path *path);
/* The row of that number, or NULL past the end. */
const struct pinfold_pattern *pattern_at(const struct pinfold_policy *policy, size_t at);
/* Is it of a kind that refuses? */
bool kind_refuses(uint32_t kind);

/* allow.c: what the policy allows; then the command's own places, which lie among what is refused. */
void allow_all(struct lowering *lowering);
void allow_own_places(struct lowering *lowering);

/* deny.c: what nothing of the policy allows; the hard tier last. */
void deny_own_surroundings(struct lowering *lowering);
void deny_all(struct lowering *lowering);

#endif
