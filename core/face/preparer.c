/* face/preparer.c - what a plugin knows of a wrapper that it makes ready. */
#include "config.h"

#include "face/preparer.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "face/helper.h"
#include "policy/own.h"
#include "wrappers/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* --- finding one ---------------------------------------------------------------------------------- */
/* True where the wrapper called `name` knows the program. */
static bool try_name(struct registry *registry, const char *name, const char *file, struct preparer *found)
{
	char section[80];
	if (registry_wrapper(registry, name, &found->wrapper, NULL) < 0)
		return false;
	snprintf(section, sizeof(section), "wrapper:%s", name);
	found->host = registry_host(registry, section);
	if (found->host && found->wrapper->matches(found->host, file) == 1)
		return true;
	registry_host_free(found->host);
	*found = (struct preparer){ .registry = registry };
	return false;
}

/* The one of the same name is asked first: then no other module need be loaded. */
static bool find(struct registry *registry, const char *file, struct preparer *found)
{
	auto_list struct list names = { 0 };
	if (try_name(registry, file, file, found))
		return true;
	if (registry_wrapper_names(registry, &names) < 0)
		return false;
	for (size_t i = 0; i < names.count; i++)
		if (!streq(names.items[i], file) && try_name(registry, names.items[i], file, found))
			return true;
	return false;
}

/* --- what it names -------------------------------------------------------------------------------- */
static bool covers(const struct pinfold_policy *policy, uint32_t kind, const char *path)
{
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind && path_is_within(path, policy->paths[i].path))
			return true;
	return false;
}

/* A cache lies beside everything that matters, and neither in it nor around it. */
static bool is_apart(const struct pinfold_run *run, const char *path)
{
	auto_list struct list places = { 0 };
	const struct pinfold_policy *policy = &run->policy->lowered;
	const char *const more[] = { run->directory.path, policy->scratch, policy->home };
	if (own_list(run->pinfold->config, &places) < 0)
		return false;
	for (size_t i = 0; i < N_ELEMENTS(more); i++)
		if (more[i] && path_is_within(more[i], path))
			return false;
	if (path_is_within(path, run->directory.path) || (policy->scratch && path_is_within(path, policy->scratch)))
		return false;
	for (size_t i = 0; i < places.count; i++)
		if (path_is_within(places.items[i], path) || path_is_within(path, places.items[i]))
			return false;
	return true;
}

/* Shorter paths come before longer ones. */
static int insert(struct policy *policy, const struct pinfold_path *path)
{
	struct pinfold_policy *lowered = &policy->lowered;
	size_t count = lowered->path_count, at = 0;
	struct pinfold_path *paths = arena_allocate(policy->arena, (count + 1) * sizeof(*paths));
	if (!paths)
		return -1;
	while (at < count && strlen(lowered->paths[at].path) <= strlen(path->path))
		at++;
	for (size_t i = 0; i < count; i++)
		paths[i + (i >= at)] = lowered->paths[i];
	paths[at] = *path;
	lowered->paths = paths;
	lowered->path_count = count + 1;
	return 0;
}

/* Hidden, or under nothing that may be read where the policy says what may. */
static bool is_out_of_sight(const struct pinfold_policy *policy, const char *path)
{
	bool limited = false;
	for (size_t i = 0; i < policy->path_count; i++)
		limited = limited || policy->paths[i].kind == PINFOLD_PATH_READ;
	return covers(policy, PINFOLD_PATH_HIDE, path) ||
	       (limited && !covers(policy, PINFOLD_PATH_READ, path));
}

/* What is not there, hidden, protected, or ours, is left out: the trial then tells what comes of that. */
static int add_path(struct pinfold_run *run, uint32_t kind, const char *named)
{
	struct stat about;
	struct policy *policy = run->policy;
	auto_free char *path = named[0] == '/' ? realpath(named, NULL) : NULL;
	if (!path || stat(path, &about) < 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
	    is_out_of_sight(&policy->lowered, path) || covers(&policy->lowered, PINFOLD_PATH_PROTECT, path) ||
	    covers(&policy->lowered, PINFOLD_PATH_WRITE, path) || !is_apart(run, path) ||
	    (kind == PINFOLD_PATH_LAYER && covers(&policy->lowered, kind, path)))
		return 0;
	struct pinfold_path one = {
		.size = sizeof(one), .kind = kind, .path = arena_copy(policy->arena, path),
		.device = about.st_dev, .inode = about.st_ino, .mode = about.st_mode,
	};
	return one.path ? insert(policy, &one) : -1;
}

const char *const *preparer_shared(const struct pinfold_run *run, const struct preparer *preparer)
{
	bool confined = run->choice.offer->offer.kept & PINFOLD_BIT(WRITES);
	bool shared = streq(config_text(run->pinfold->config, "wrappers", "cache"), "shared");
	return confined && shared ? preparer->preparation.writable : NULL;
}

static int add_paths(struct pinfold_run *run, const struct preparer *preparer)
{
	const struct pinfold_preparation *needs = &preparer->preparation;
	for (const char *const *path = needs->layers; path && *path; path++)
		if (add_path(run, PINFOLD_PATH_LAYER, *path) < 0)
			return -1;
	for (const char *const *path = preparer_shared(run, preparer); path && *path; path++)
		if (add_path(run, PINFOLD_PATH_WRITE, *path) < 0)
			return -1;
	return 0;
}

/* --- asking --------------------------------------------------------------------------------------- */
/* Where the command's temporary files will lie as far as that can be told before the arm prepares. */
static const char *temporary_of(const struct pinfold_run *run)
{
	if (run->choice.offer->arm->placing == PINFOLD_PLACING_IDENTITY)
		return run->shown.temporary;
	return path_is_within(run->directory.path, "/tmp") ? "/var/tmp" : "/tmp";
}

static int call(struct pinfold_run *run, const char *program, const char *const *environment,
		struct preparer *preparer, struct pinfold_error *err)
{
	uint32_t placing = run->choice.offer->arm->placing;
	bool confined = run->choice.offer->offer.kept & PINFOLD_BIT(WRITES);
	struct pinfold_wrapper_context context = {
		.size = sizeof(context),
		.placing = placing,
		.wrapper = program,
		.directory = run->shown.directory,
		.environment = environment,
		.confined = confined,
		.bare = confined && placing == PINFOLD_PLACING_IDENTITY,	/* nothing is mounted there */
		.home = run->policy->lowered.home,
		.cache = config_text(run->pinfold->config, "wrappers", "cache"),
		.temporary = temporary_of(run),
	};
	const struct pinfold_wrapper *wrapper = preparer->wrapper;
	int result = 0;
	preparer->preparation = (struct pinfold_preparation){ .size = sizeof(preparer->preparation) };
	preparer->asked = true;
	if (PINFOLD_HAS(wrapper, ready))
		result = wrapper->ready(preparer->host, &context, &preparer->preparation, &preparer->state,
					err);
	else if (PINFOLD_HAS(wrapper, prepare))
		result = wrapper->prepare(preparer->host, &context, &preparer->state, err);
	return result < 0 ? registry_blame(err, wrapper->name, "ready") : 0;
}

int preparer_ask(struct pinfold_run *run, const char *program, const char *const *environment,
		 struct preparer *ret_preparer, struct pinfold_error *err)
{
	const char *slash = strrchr(program, '/'), *file = slash ? slash + 1 : program;
	struct preparer preparer = { 0 };
	int result = 0;
	struct registry *registry = preparer.registry = run->pinfold->registry;
	if (find(registry, file, &preparer)) {
		turn_take(registry, preparer.wrapper);
		result = call(run, program, environment, &preparer, err);
		turn_end(registry, preparer.wrapper);
	}
	if (result == 0 && add_paths(run, &preparer) < 0)
		result = fault_no_memory(err);
	*ret_preparer = preparer;
	return result;
}

static int surround(struct list *variables, const char *const *entries, bool always)
{
	for (; entries && *entries; entries++) {
		size_t length = strcspn(*entries, "=");
		auto_free char *name = strndup(*entries, length);
		if (!name)
			return -1;
		bool there = variables_value((const char *const *)variables->items, name);
		if (name[0] && (*entries)[length] == '=' && (always || !there) &&
		    variables_set(variables, name, *entries + length + 1) < 0)
			return -1;
	}
	return 0;
}

int preparer_surround(const struct preparer *preparer, struct list *variables)
{
	const struct pinfold_preparation *needs = &preparer->preparation;
	return surround(variables, needs->environment, false) < 0 ||
	       surround(variables, needs->imposed, true) < 0 ? -1 : 0;
}

static int refuse_foreign(struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_SANDBOX_DENIED, 0,
		     "use the helper that listens where the compiler wrapper looks for it",
		     "it belongs to another user", "have the wrapper look at another port or socket");
}

/* A start can be lost, where the machine is busy or somebody else just had the port: it is made twice. */
static int start_twice(const struct pinfold_run *run, struct preparer *preparer, struct pinfold_error *err)
{
	const struct pinfold_preparation *needs = &preparer->preparation;
	preparer->started = true;
	for (int i = 0, late = 0; i < 2 && !late; i++) {
		late = helper_run(needs->start, needs->start_environment, run->directory.path,
				  run->policy->lowered.scratch, err);
		if (late < 0)
			return -1;
		enum helper_found found = needs->endpoint ? helper_await(needs->endpoint) : HELPER_OURS;
		if (found != HELPER_ABSENT)
			return found == HELPER_FOREIGN ? refuse_foreign(err) : 0;
	}
	preparer->silent = true;
	return 0;
}

int preparer_start(const struct pinfold_run *run, struct preparer *preparer, struct pinfold_error *err)
{
	const struct pinfold_preparation *needs = &preparer->preparation;
	bool confined = run->choice.offer->offer.kept & PINFOLD_BIT(WRITES);
	enum helper_found found = confined ? HELPER_ABSENT : helper_find(needs->endpoint);
	if (found == HELPER_FOREIGN)
		return refuse_foreign(err);
	if (confined || !needs->start || found == HELPER_OURS)
		return 0;
	return start_twice(run, preparer, err);
}

void preparer_stop(const struct pinfold_run *run, const struct preparer *preparer)
{
	const struct pinfold_preparation *needs = &preparer->preparation;
	if (preparer->started && needs->stop)
		helper_run(needs->stop, needs->start_environment, run->directory.path,
			   run->policy->lowered.scratch, NULL);
}

void preparer_release(struct preparer *preparer)
{
	if (preparer->host) {
		struct registry *registry = preparer->registry;
		turn_take(registry, preparer->wrapper);
		if (preparer->asked && PINFOLD_HAS(preparer->wrapper, settle))
			preparer->wrapper->settle(preparer->host, preparer->state, NULL);
		turn_end(registry, preparer->wrapper);
		registry_host_free(preparer->host);
	}
	*preparer = (struct preparer){ 0 };
}
