/* plugins/namespaces/overlay.h - the view `overlay`: the tree below, a private layer above. */
#ifndef OVERLAY_H
#define OVERLAY_H

#include <pinfold/view.h>

extern const struct pinfold_view overlay_view;

#endif
