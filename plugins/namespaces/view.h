/* plugins/namespaces/view.h - what the child's init holds while it lays the view. */
#ifndef VIEW_H
#define VIEW_H

#include "namespaces.h"

struct view {
	const struct pinfold_host *host;
	struct state *state;
	int skeleton;
	int layers;	/* where their upper parts lie */
	int shared;	/* the layer over the home, or -1 */
	int devices[DEVICE_COUNT];
	int processes;	/* a file system that is not laid yet, or negative */
};

/* Takes, of the host, what all places of a kind are to show: detached trees that wait to be laid. */
long view_take(struct view *view, uint32_t kind);
/* The same of all that lies below layers which end with the run; makes room for these. */
long view_take_layers(struct view *view);

static inline long fail_at(struct state *state, const char *what, long result)
{
	if (result < 0)
		state->failed = what;
	return result;
}

#endif
