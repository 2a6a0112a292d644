/* tree/bond.h - whether a directory is still the one that something was kept of.
 *
 * What is kept is found by the tree's path. A tree may have been moved, and another lie there since: its person
 * asked for none of what was changed in the first.
 */
#ifndef TREE_BOND_H
#define TREE_BOND_H

#include <pinfold/error.h>
#include <stdbool.h>
#include <stdint.h>

/* A mark of the directory, the same after a mount or a start of the machine (the device may be another then):
 * of its inode, and of its birth where that is known. 0: none can be had. */
uint32_t bond_of(int directory);
/* Is that mark of another directory? No where either is not known. */
bool bond_is_broken(uint32_t known, int directory);
/* The same of what the index `name` of a slot says. */
bool bond_is_broken_by(int slot_dir, const char *name, int directory);
/* PINFOLD_E_SESSION, about what was to be done with the changes that were made to the tree before. */
int bond_refuse(const char *action, const char *tree, const char *session, struct pinfold_error *err);

#endif
