/* plugins/namespaces/upper.c - the upper parts of private layers: where the command's writes to caches
 * land. Whether this machine's file systems can hold them is tried once and remembered. */
#include "config.h"

#include "layout.h"
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static size_t count_layers(const struct layout *layout)
{
	size_t count = 0;
	for (size_t i = 0; i < layout->count; i++)
		count += layout->places[i].kind == PLACE_LAYER;
	return count;
}

static void part_from_home(struct state *state)
{
	state->shared = NULL;
	for (size_t i = 0; i < state->layout.count; i++)
		state->layout.places[i].inside = NULL;
}

/* Layers in the home become parts of one over it, where there are at least so many: of one file system,
 * since an overlay does not show what is mounted below. */
static void share_home(const struct pinfold_host *host, const char *home, size_t least, struct state *state)
{
	struct stat status;
	size_t parts = 0;
	if (!home || stat(home, &status) < 0)
		return;
	struct identity identity = identity_of(status.st_dev, status.st_ino);
	for (size_t i = 0; i < state->layout.count; i++) {
		struct place *place = &state->layout.places[i];
		if (place->kind != PLACE_LAYER || place->keep || !path_lies_in(place->path, home) ||
		    place->identity.major != identity.major || place->identity.minor != identity.minor)
			continue;
		place->inside = place->path + strlen(home) + 1;
		parts++;
	}
	state->shared = home;
	state->shared_identity = identity;
	state->shared_what = host->print(host, "lay a private layer over %s", home);
	if (parts < least || !state->shared_what)
		part_from_home(state);
}

/* An upper part that was used once does not serve again: `use` tells the trial's from the run's. */
static int name_parts(const struct pinfold_host *host, struct layout *layout, const char *use)
{
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		if (place->kind != PLACE_LAYER)
			continue;
		place->upper = host->print(host, UPPER_DIRECTORY "/%s%zu", use, i);
		place->work = host->print(host, UPPER_DIRECTORY "/%s%zu.work", use, i);
		if (!place->upper || !place->work) {
			errno = ENOMEM;
			return -1;
		}
	}
	return 0;
}

static int make_parts(const struct pinfold_host *host, int run, struct state *state, const char *use)
{
	if (name_parts(host, &state->layout, use) < 0)
		return -1;
	if (state->memory)
		return 0;
	if (mkdirat(run, UPPER_DIRECTORY, 0700) < 0 && errno != EEXIST)
		return -1;
	for (size_t i = 0; i < state->layout.count; i++) {
		const struct place *place = &state->layout.places[i];
		if (place->kind == PLACE_LAYER &&
		    (mkdirat(run, place->upper, 0755) < 0 || mkdirat(run, place->work, 0700) < 0))
			return -1;
	}
	return 0;
}

static bool lies_on_overlay(int run)
{
	struct statfs status;
	return fstatfs(run, &status) == 0 && status.f_type == OVERLAYFS_SUPER_MAGIC;
}

static bool is_layer(const struct pinfold_path *path)
{
	return path->kind == PINFOLD_PATH_LAYER;
}

/* A line for each layer, or NULL where there is none; all at once, for there may be thousands. */
static char *list_layers(const struct pinfold_host *host, const struct pinfold_policy *policy)
{
	enum { NUMBERS = sizeof("18446744073709551615:18446744073709551615 \n") };
	size_t bytes = 0;
	for (size_t i = 0; i < policy->path_count; i++)
		bytes += is_layer(&policy->paths[i]) ? NUMBERS + strlen(policy->paths[i].path) : 0;
	char *list = bytes ? host->allocate(host, bytes) : NULL, *at = list;
	for (size_t i = 0; list && i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		if (is_layer(path))
			at += sprintf(at, "%llu:%llu %s\n", (unsigned long long)path->device,
				      (unsigned long long)path->inode, path->path);
	}
	return list;
}

/* Everything that the answer depends on, but for the kernel, which the host adds. */
struct uppers upper_recall(const struct pinfold_host *host, const struct pinfold_policy *policy,
			   const struct pinfold_shown *shown)
{
	struct uppers uppers = { 0 };
	const char *setting = host->setting(host, "layers"), *layers = list_layers(host, policy);
	const void *data;
	size_t bytes;
	if (!layers)
		return uppers;
	uppers.stamp = host->print(host, "%s%llu %s %d", layers, (unsigned long long)shown->temporary_device,
				   setting ? setting : "", kept_is_session(shown));
	if (uppers.stamp && host->recall(host, "layers", uppers.stamp, &data, &bytes) == 1 && bytes == 1)
		uppers.known = *(const char *)data;
	uppers.apart = uppers.known != UPPER_MEMORY && uppers.known != UPPER_SHARED;
	return uppers;
}

/* Removing a directory and making it again needs extended attributes, which the memory of older kernels
 * has none of. */
static long look_for_attributes(void *context)
{
	const struct state *state = context;
	for (size_t i = 0; i < state->layout.count; i++) {
		const struct place *place = &state->layout.places[i];
		int fd = place->kind == PLACE_LAYER ?
				 open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
		if (fd < 0)
			continue;
		if (fsetxattr(fd, "user.pinfold", "", 0, 0) < 0 && errno == EOPNOTSUPP)
			return -EOPNOTSUPP;
		close(fd);
	}
	return 0;
}

/* What cannot be layered stays as it is shown everywhere: read-only. */
static bool give_up_layer(const struct pinfold_host *host, struct layout *layout, const char *what,
			  int error)
{
	for (size_t i = 0; i < layout->count; i++) {
		struct place *place = &layout->places[i];
		if (place->kind != PLACE_LAYER || strcmp(place->what, what) != 0)
			continue;
		place->kind = PLACE_PIN;
		say_not_layered(host, place->path,
				host->print(host, "an overlay on it is refused (%s)", strerror(error)));
		return true;
	}
	return false;
}

/* Tries until every layer that is left works. Any other failure is left for the run to tell. */
static int try_layers(const struct pinfold_host *host, int run, struct pinfold_plan *plan)
{
	struct state *state = plan->state;
	struct trial trial;
	for (size_t round = count_layers(&state->layout); round > 0; round--) {
		const char *use = host->print(host, "try%s%zu-", state->memory ? "m" : "", round);
		if (!use || make_parts(host, run, state, use) < 0)
			return -1;
		state->rehearsal = true;
		trial_run(host, plan, look_for_attributes, state, &trial);
		state->rehearsal = false;
		if (!state->memory)
			upper_open_up(run, state);
		if (state->shared && trial.step != TRIAL_DONE) {
			part_from_home(state);
			round++;
			continue;
		}
		if (trial.step != TRIAL_VIEW || !trial.what ||
		    !give_up_layer(host, &state->layout, trial.what, trial.error))
			return trial.step == TRIAL_DONE;
	}
	return 0;
}

/* In memory unless that is not wanted or does not serve; on an overlay nothing else would. */
static int choose_upper(const struct pinfold_host *host, int run, struct pinfold_plan *plan)
{
	struct state *state = plan->state;
	const char *setting = host->setting(host, "layers");
	bool only_memory = lies_on_overlay(run);
	state->memory = only_memory || !setting || strcmp(setting, "disk") != 0;
	if (!state->memory)
		part_from_home(state);
	int works = try_layers(host, run, plan);
	if (works == 0 && state->memory && !only_memory) {
		state->memory = false;
		part_from_home(state);
		works = try_layers(host, run, plan);
	}
	return works;
}

static char kind_of(const struct state *state)
{
	if (!state->memory)
		return UPPER_DISK;
	return state->shared ? UPPER_SHARED : UPPER_MEMORY;
}

int upper_make(const struct pinfold_host *host, int run, const struct uppers *uppers,
	       const char *home, bool session, struct pinfold_plan *plan)
{
	struct state *state = plan->state;
	size_t wanted = count_layers(&state->layout);
	if (!wanted)
		return 0;
	state->layers = true;
	state->layers_stamp = uppers->stamp;
	state->memory = uppers->known == UPPER_MEMORY || uppers->known == UPPER_SHARED;
	if (!uppers->known || uppers->known == UPPER_SHARED)
		share_home(host, home, session ? 1 : 2, state);
	if (!uppers->known) {
		int works = choose_upper(host, run, plan);
		if (works < 0)
			return -1;
		if (works && uppers->stamp && count_layers(&state->layout) == wanted)
			host->keep(host, "layers", uppers->stamp, &(char){ kind_of(state) }, 1);
	}
	state->layers = count_layers(&state->layout) > 0;
	return make_parts(host, run, state, "");
}

/* A record of nothing is as good as none. */
void upper_forget(const struct pinfold_host *host, const struct state *state)
{
	if (state->failed && state->layers_stamp)
		host->keep(host, "layers", state->layers_stamp, "", 0);
}

void upper_open_work(int base, const char *work)
{
	static const char *const left[] = { "work", "work/incompat", "work/incompat/volatile" };
	int fd = openat(base, work, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	/* What is not there was never made: the kernel makes them one in the other. */
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]) && fchmodat(fd, left[i], 0700, 0) == 0; i++)
		;
	close(fd);
}

void upper_open_up(int run, const struct state *state)
{
	for (size_t i = 0; i < state->layout.count; i++)
		if (state->layout.places[i].kind == PLACE_LAYER)
			upper_open_work(run, state->layout.places[i].work);
}
