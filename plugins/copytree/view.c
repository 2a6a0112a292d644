/* copytree/view.c - the view `copy`: a mirror of the tree, kept and brought up to date by the host. */
#include "copytree.h"

#include <errno.h>
#include <sys/stat.h>

struct state {
	struct pinfold_copy *copy;
};

static const char action[] = "open the view copy";

static int open_place(const struct pinfold_host *host, const char *tree, const char *session,
		      uint32_t follow_out, struct state *state, struct pinfold_error *err)
{
	struct pinfold_place_order order = {
		.size = sizeof(order), .follow_out = follow_out, .session = session,
	};
	if (!session)
		return host->trees->open(host, tree, follow_out, NULL, &state->copy, err);
	if (!PINFOLD_HAS(host->trees, open_place))
		return host->fail(err, PINFOLD_E_PLUGIN, 0, action, "this host has no sessions",
				  "use a newer pinfold");
	return host->trees->open_place(host, tree, &order, &state->copy, err);
}

static int copy_open(const struct pinfold_host *host, const char *tree, const char *session,
		     uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	/* Where the arm does not keep writes to the view, a link out of the tree would let one through. */
	uint32_t follow_out = !(kept & PINFOLD_BIT(WRITES)) ? PINFOLD_FOLLOW_ALL :
			      placing == PINFOLD_PLACING_IDENTITY ? PINFOLD_FOLLOW_INSIDE : PINFOLD_FOLLOW_NOTHING;
	struct state *state = host->allocate(host, sizeof(*state));
	if (!state)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, action, tree,
				  "free memory on this machine and try again");
	if (!PINFOLD_HAS(host, trees))
		return host->fail(err, PINFOLD_E_PLUGIN, 0, action,
				  "this host has no engine of copies", "use a newer pinfold");
	if (open_place(host, tree, session, follow_out, state, err) < 0)
		return -1;
	*ret_state = state;
	return 0;
}

static int look_at(const struct pinfold_host *host, const char *path, uint64_t *ret_device,
		   uint64_t *ret_inode, struct pinfold_error *err)
{
	struct stat found;
	if (lstat(path, &found) < 0)
		return host->fail(err, PINFOLD_E_TREE, errno, "look at the copy", path,
				  "check the scratch directory");
	*ret_device = found.st_dev;
	*ret_inode = found.st_ino;
	return 0;
}

static int fill(const struct pinfold_host *host, const struct state *state, struct pinfold_shown *shown,
		struct pinfold_error *err)
{
	shown->kind = PINFOLD_SHOW_DIRECTORY;
	shown->source = host->trees->directory(state->copy);
	shown->temporary = host->trees->temporary(state->copy);
	if (PINFOLD_REACHES(shown, layers) && PINFOLD_HAS(host->trees, layers))
		shown->layers = host->trees->layers(state->copy);
	if (PINFOLD_REACHES(shown, beside) && PINFOLD_HAS(host->trees, beside))
		shown->beside = host->trees->beside(state->copy);
	if (look_at(host, shown->source, &shown->source_device, &shown->source_inode, err) < 0)
		return -1;
	return look_at(host, shown->temporary, &shown->temporary_device, &shown->temporary_inode, err);
}

static int copy_sync(const struct pinfold_host *host, void *opened, struct pinfold_shown *shown,
		     struct pinfold_work *work, struct pinfold_error *err)
{
	struct state *state = opened;
	return host->trees->sync(state->copy, work, err) < 0 ? -1 : fill(host, state, shown, err);
}

/* A copy is brought up to date in place. */
static int copy_show(const struct pinfold_host *host, void *opened, struct pinfold_shown *shown)
{
	struct pinfold_error none;
	return fill(host, opened, shown, &none);
}

static void copy_close(const struct pinfold_host *host, void *opened, uint32_t keep)
{
	struct state *state = opened;
	if (!state)
		return;
	host->trees->close(state->copy, keep);
	state->copy = NULL;
}

const struct pinfold_view copytree_view = {
	.size = sizeof(copytree_view),
	.name = "copy",
	.summary = "a copy of the tree, kept for the next command and brought up to date before it",
	.open = copy_open,
	.sync = copy_sync,
	.close = copy_close,
	.show = copy_show,
};
