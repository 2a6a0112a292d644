/* copytree/copytree.h - what this plugin brings: an arm and a view. */
#ifndef COPYTREE_COPYTREE_H
#define COPYTREE_COPYTREE_H

#include <pinfold/view.h>

extern const struct pinfold_arm copytree_arm;
extern const struct pinfold_view copytree_view;

#endif
