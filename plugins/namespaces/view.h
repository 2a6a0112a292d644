/* plugins/namespaces/view.h - what the child's init holds while it lays the view. */
#ifndef VIEW_H
#define VIEW_H

#include "calls.h"
#include "namespaces.h"

struct view {
	const struct pinfold_host *host;
	struct state *state;
	int skeleton;
	int layers;	/* where their upper parts lie */
	int shared;	/* the layer over the home, or -1 */
	int devices[DEVICE_COUNT];
	int processes;	/* a file system that is not laid yet, or negative */
	bool roomy;	/* one descriptor for each place may be open at once */
};

/* Takes, of the host, what all places of a kind are to show: detached trees that wait to be laid. */
long view_take(struct view *view, uint32_t kind);
/* The same of all that lies below layers which end with the run; makes room for these. */
long view_take_layers(struct view *view);

/* pins.c: takes what is to lie on itself, from the place of this number on to the end of what that lies in. */
void pin_take_all(const struct view *view, size_t first);
long pin_lay(const struct view *view, struct place *place);

/* There is nothing to cover where nothing is, or where the command cannot get either. */
static inline bool view_is_absent(long result)
{
	return result == -ENOENT || result == -ENOTDIR || result == -EACCES;
}

static inline long fail_at(struct state *state, const char *what, long result)
{
	if (result < 0)
		state->failed = what;
	return result;
}

#endif
