/* face/looking.c - what of a run could name a compiler wrapper, in the command's own sight. */
#include "config.h"

#include "face/wrapping.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "tree/elsewhere.h"

#include <fcntl.h>
#include <stdio.h>

static bool is_named(const char *entry, const char *const *names)
{
	for (; *names; names++)
		if (entry[0] == (*names)[0] && starts_with(entry, *names) && entry[strlen(*names)] == '=')
			return true;
	return false;
}

/* What any toolchain's look asks of the environment: most runs need no more of it. */
static bool is_of_interest(const char *entry)
{
	for (size_t i = 0; toolchains[i]; i++)
		if (is_named(entry, toolchains[i]->variables))
			return true;
	return false;
}

/* The command's environment, of the caller's variables that are `wanted`, without its places. */
static int build_surroundings(struct pinfold_run *run, bool (*wanted)(const char *entry),
			      struct pinfold_error *err)
{
	struct wrappings *wrappings = &run->wrappings;
	struct environment_places nowhere = { 0 };
	struct environment environment = { 0 };
	auto_list struct list caller = { 0 };
	for (const char *const *entry = run->caller; wanted && *entry; entry++)
		if (wanted(*entry) && list_add(&caller, *entry) < 0)
			return fault_no_memory(err);
	const char *const none = NULL;
	const char *const *from = !wanted ? run->caller : caller.items ?
				  (const char *const *)caller.items : &none;
	if (environment_build(run->pinfold->config, from, run->command.set, &nowhere, &environment, err) < 0)
		return -1;
	list_release(&wrappings->surroundings);
	wrappings->surroundings = environment.variables;
	environment.variables = (struct list){ 0 };
	environment_release(&environment);
	return 0;
}

/* What earlier commands of the session wrote outside of the tree. */
static int see_layers(struct pinfold_run *run, struct pinfold_error *err)
{
	struct wrappings *wrappings = &run->wrappings;
	auto_close int dir = open(run->shown.layers, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	for (unsigned number = 0; dir >= 0; number++) {
		char upper[32];
		auto_free char *path = elsewhere_path(dir, number);
		if (!path)
			break;
		snprintf(upper, sizeof(upper), "%u/upper", number);
		struct sight_layer *layers = realloc(wrappings->layers, (number + 1) * sizeof(*layers));
		if (!layers)
			return fault_no_memory(err);
		wrappings->layers = layers;
		layers[number] = (struct sight_layer){ take_pointer(&path), path_join(run->shown.layers, upper) };
		wrappings->layer_count = number + 1;
		if (!layers[number].upper)
			return fault_no_memory(err);
	}
	return 0;
}

static int see(struct pinfold_run *run, struct pinfold_error *err)
{
	struct wrappings *wrappings = &run->wrappings;
	char *directory = wrappings->directory = confine_path(run, run->shown.directory);
	if (!directory)
		return fault_no_memory(err);
	if (ends_with(directory, "/."))
		directory[strlen(directory) - 2] = '\0';
	return run->shown.session && run->shown.layers ? see_layers(run, err) : 0;
}

static struct sight sight_of(const struct pinfold_run *run)
{
	const struct pinfold_shown *shown = &run->shown;
	bool moved = run->choice.offer->arm->placing == PINFOLD_PLACING_IDENTITY;
	return (struct sight){
		.directory = run->wrappings.directory,
		.tree = moved ? shown->source : shown->tree,
		.source = shown->source,
		.upper = shown->kind == PINFOLD_SHOW_OVERLAY ? shown->upper : NULL,
		.layers = run->wrappings.layers,
		.layer_count = run->wrappings.layer_count,
	};
}

void wrapping_look_again(struct pinfold_run *run, struct wrapping *wrapping)
{
	look_release(&wrapping->look);
	wrapping->look.sight = &wrapping->sight;
	wrapping->look.environment = (const char *const *)run->wrappings.surroundings.items;
	wrapping->toolchain->look(&wrapping->look);
}

/* True where something could name a wrapper. */
static bool look_at_all(struct pinfold_run *run)
{
	struct wrappings *wrappings = &run->wrappings;
	bool named = false;
	for (size_t i = 0; toolchains[i]; i++) {
		struct wrapping *wrapping = &wrappings->items[i];
		*wrapping = (struct wrapping){ .toolchain = toolchains[i], .sight = sight_of(run) };
		wrappings->count = i + 1;
		wrapping_look_again(run, wrapping);
		named = named || wrapping->look.named;
	}
	return named;
}

int wrapping_look(struct pinfold_run *run, struct pinfold_error *err)
{
	if (build_surroundings(run, is_of_interest, err) < 0 || see(run, err) < 0)
		return -1;
	return look_at_all(run) ? build_surroundings(run, NULL, err) : 0;
}
