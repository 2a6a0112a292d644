/* tree/beside.h - git directories outside of the tree, copied beside its copy.
 *
 * For arms in which git would write to the original. In a slot's `beside/`, numbered directories hold `of`,
 * a link whose target is the directory's canonical path, with `tree/` and `index` as a slot has them; a
 * copy without an index was never finished. Which directories are believed, the policy says.
 */
#ifndef TREE_BESIDE_H
#define TREE_BESIDE_H

#include "policy/git_find.h"
#include "tree/mirror.h"

#define BESIDE_DIRECTORY "beside"

struct beside {
	struct mirror_beside places[GIT_FIND_MOST + 1];	/* the last is the tree */
	size_t count;	/* without the tree */
	struct beside_part {
		int place, dir, copy;	/* the directory, where its copy is kept, its copy */
		char *path, *copy_path;
		bool shown;	/* it is writable: git is to find the directory itself */
	} parts[GIT_FIND_MOST];
};

/* Finds what the tree of `main` needs, and makes room for it below `slot` (a path). `beside_release` follows,
 * success or not. */
int beside_open(struct beside *beside, const struct mirror_order *main, const char *slot,
		struct pinfold_error *err);
/* Brings the copies up to date, each with an order that is `main` but for its places; adds to `work`. */
int beside_sync(const struct beside *beside, const struct mirror_order *main, struct mirror_work *work,
		struct pinfold_error *err);
void beside_release(struct beside *beside);

#endif
