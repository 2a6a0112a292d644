/* plugins/namespaces/kept.c - layers whose changes outlive the run: where the host keeps them. */
#include "config.h"

#include "ground.h"
#include "layout.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

struct parts *kept_parts(const struct pinfold_host *host, const struct pinfold_layer *layer, bool lasting)
{
	struct parts *parts = host->allocate(host, sizeof(*parts));
	if (parts)
		*parts = (struct parts){
			.upper = layer->upper, .work = layer->work,
			.upper_identity = identity_of(layer->upper_device, layer->upper_inode),
			.work_identity = identity_of(layer->work_device, layer->work_inode),
			.lasting = lasting,
		};
	return parts;
}

bool kept_is_session(const struct pinfold_shown *shown)
{
	return PINFOLD_HAS(shown, session) && shown->session == 1;
}

/* In a session every layer's changes are kept; else those for which that was asked. */
static bool is_wanted(const struct place *place, const struct pinfold_shown *shown)
{
	return place->kind == PLACE_WHOLE ||
	       (place->kind == PLACE_LAYER && (place->keep || kept_is_session(shown)));
}

static size_t count_wanted(const struct state *state, const struct pinfold_shown *shown, bool by_wish)
{
	size_t count = 0;
	for (size_t i = 0; i < state->layout.count; i++)
		count += is_wanted(&state->layout.places[i], shown) &&
			 (!by_wish || state->layout.places[i].keep);
	return count;
}

static bool serves(const struct pinfold_host *host, const struct pinfold_shown *shown,
		   struct ground *ret_ground)
{
	const void *data;
	size_t bytes;
	const char *stamp = host->print(host, "%llu", (unsigned long long)shown->temporary_device);
	if (stamp && host->recall(host, "kept", stamp, &data, &bytes) == 1 && bytes == 1)
		return true;
	ground_try(host, NULL, shown->temporary, ret_ground);
	if (ret_ground->step != GROUND_DONE)
		return false;
	if (stamp)
		host->keep(host, "kept", stamp, "k", 1);
	return true;
}

static void say_not_kept(const struct pinfold_host *host, const char *missing, const char *lift)
{
	const char *text = host->print(host, "what the command changes in private layers ends with the run: the "
				       "scratch directory lacks %s; %s", missing, lift);
	if (text)
		host->log(host, PINFOLD_LOG_WARNING, text);
}

static bool has_whole(const struct state *state)
{
	for (size_t i = 0; i < state->layout.count; i++)
		if (state->layout.places[i].kind == PLACE_WHOLE)
			return true;
	return false;
}

/* Nobody counts on what a cache has between two commands of a session, but on the rest he does. */
static int do_without(const struct pinfold_host *host, const struct pinfold_shown *shown,
		      const struct ground *ground, const struct state *state, struct pinfold_error *err)
{
	const char *missing = ground_missing(host, ground, shown->temporary);
	if (has_whole(state) || (kept_is_session(shown) && count_wanted(state, shown, true)))
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "keep what the command changes in layers",
				  host->print(host, "the scratch directory lacks %s", missing),
				  ground_lift(ground));
	say_not_kept(host, missing, ground_lift(ground));
	return 0;
}

bool kept_can(const struct pinfold_host *host, const struct pinfold_shown *shown)
{
	struct ground ground;
	return serves(host, shown, &ground);
}

/* Of a trial: the command's own layer is below its. */
static int put_beneath(const struct pinfold_host *host, const struct pinfold_shown *shown, const char *path,
		       struct parts *parts, struct pinfold_error *err)
{
	struct pinfold_layer layer = { .size = sizeof(layer) };
	if (!PINFOLD_HAS(shown, beneath_layers))
		return 0;
	if (host->trees->layer(host, shown->beneath_layers, path, &layer, err) < 0)
		return -1;
	parts->beneath = kept_parts(host, &layer, true);
	parts->lasting = false;
	return parts->beneath ? 0 : host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm", NULL, NULL);
}

static int attach(const struct pinfold_host *host, const struct pinfold_shown *shown, const char *path,
		  const struct parts **ret_kept, struct pinfold_error *err)
{
	struct pinfold_layer layer = { .size = sizeof(layer) };
	if (host->trees->layer(host, shown->layers, path, &layer, err) < 0)
		return -1;
	struct parts *parts = kept_parts(host, &layer, kept_is_session(shown));
	if (!parts)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm", NULL, NULL);
	*ret_kept = parts;
	return put_beneath(host, shown, path, parts, err);
}

/* The directory that a layer lies over looks as its upper part does. */
static int dress(const struct pinfold_host *host, const struct place *place, struct pinfold_error *err)
{
	struct stat found;
	if (stat(place->path, &found) == 0 && lchown(place->kept->upper, found.st_uid, found.st_gid) == 0 &&
	    chmod(place->kept->upper, found.st_mode & 07777) == 0)
		return 0;
	return host->fail(err, PINFOLD_E_SYSTEM, errno, "make a private layer", place->path,
			  "check the scratch directory, or name another with [filesystem] scratch");
}

static int attach_place(const struct pinfold_host *host, const struct pinfold_shown *shown, bool whole,
			struct place *place, struct pinfold_error *err)
{
	if (!is_wanted(place, shown) || place->inside)
		return 0;
	if (attach(host, shown, place->path, &place->kept, err) < 0)
		return -1;
	return whole && place->kind == PLACE_WHOLE ? dress(host, place, err) : 0;
}

int kept_attach(const struct pinfold_host *host, const struct pinfold_shown *shown, struct state *state,
		struct pinfold_error *err)
{
	struct ground ground;
	bool can = PINFOLD_HAS(shown, layers) && PINFOLD_HAS(host, trees) && PINFOLD_HAS(host->trees, layer);
	if (!can && has_whole(state))
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "keep what the command changes in layers",
				  "the view gives them no place", "use the view `copy` or `overlay`");
	if (!can || count_wanted(state, shown, false) == 0)
		return 0;
	if (!serves(host, shown, &ground))
		return do_without(host, shown, &ground, state, err);
	for (size_t i = 0; i < state->layout.count; i++)
		if (attach_place(host, shown, state->whole, &state->layout.places[i], err) < 0)
			return -1;
	if (state->shared && kept_is_session(shown))
		return attach(host, shown, state->shared, &state->shared_kept, err);
	return 0;
}
