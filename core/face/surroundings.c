/* face/surroundings.c - what surrounds the command: its program, its environment. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "tree/glimpse.h"
#include "wrappers/variables.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char action[] = "run the program";

/* The first "NAME=value" with this name, or NULL. */
static const char *find_entry(const char *const *variables, const char *name)
{
	size_t length = strlen(name);
	for (; variables && *variables; variables++)
		if (strncmp(*variables, name, length) == 0 && (*variables)[length] == '=')
			return *variables;
	return NULL;
}

const char *surroundings_value(const char *const *variables, const char *name)
{
	const char *entry = find_entry(variables, name);
	return entry ? entry + strlen(name) + 1 : NULL;
}

/* 0, or the errno with which executing `path` would fail as far as can be seen from here; *ret_seen:
 * something of this name can be reached. */
static int look_at(const struct pinfold_run *run, const char *path, bool *ret_seen)
{
	struct stat about;
	*ret_seen = fstatat(run->directory.fd, path, &about, 0) == 0;
	if (!*ret_seen)
		return errno;
	if (S_ISDIR(about.st_mode))
		return EISDIR;
	if (!S_ISREG(about.st_mode) ||
	    faccessat(run->directory.fd, path, X_OK, AT_EACCESS) < 0)
		return EACCES;
	return 0;
}

static int refuse(int reason, const char *name, struct pinfold_error *err)
{
	if (reason == ENOENT || reason == ENOTDIR)
		return fault(err, PINFOLD_E_NOT_FOUND, ENOENT, action, name,
			     "check its spelling, and PATH as the command gets it");
	return fault(err, PINFOLD_E_NOT_EXECUTABLE, reason, action, name,
		     "name a file that you may execute");
}

/* The next entry of PATH joined with the name; an empty entry is the working directory. */
static char *candidate(const char **path, const char *name)
{
	size_t length = strcspn(*path, ":");
	struct text text = { 0 };
	text_add_bytes(&text, length ? *path : ".", length ? length : 1);
	text_addf(&text, "/%s", name);
	*path += length;
	return text_take(&text);
}

/* As look_at, and as the command's session has it: earlier commands may have made it there, or removed it. */
static int look_in_session(const struct pinfold_run *run, const char *path, bool *ret_outside, bool *ret_seen)
{
	int refusal = look_at(run, path, ret_seen);
	auto_free char *whole = path[0] == '/' ? strdup(path) : path_join(run->directory.path, path);
	*ret_outside = refusal == 0;
	if (!run->command.session || !whole)
		return refusal;
	switch (glimpse_program(run->pinfold->config, run->directory.path, run->command.session, whole)) {
	case GLIMPSE_PROGRAM:
		return 0;
	case GLIMPSE_NOTHING:
		*ret_seen = false;
		return ENOENT;
	default:
		return refusal;
	}
}

static int search(struct pinfold_run *run, const char *path, const char *name,
		  struct pinfold_error *err)
{
	int reason = ENOENT;
	if (!path)
		path = "/usr/local/bin:/bin:/usr/bin";
	for (bool more = true; more; path++) {
		auto_free char *at = candidate(&path, name);
		if (!at)
			return fault_no_memory(err);
		more = *path == ':';
		bool seen;
		int refusal = look_in_session(run, at, &run->found_outside, &seen);
		if (refusal == 0) {
			run->program = take_pointer(&at);
			return 0;
		}
		/* A directory that may not be searched has nothing that could be named. */
		if (seen)
			reason = refusal;
	}
	return refuse(reason, name, err);
}

/* Searches the PATH that the command gets: no other variable of the caller has a say in that. */
static int search_path(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	const char *path = find_entry(run->caller, "PATH");
	const char *const caller[] = { path, NULL };
	struct environment_places nowhere = { 0 };
	struct environment environment = { 0 };
	if (environment_build(run->pinfold->config, caller, run->command.set, &nowhere,
			      &environment, err) < 0)
		return -1;
	path = surroundings_value((const char *const *)environment.variables.items, "PATH");
	int result = search(run, path, name, err);
	environment_release(&environment);
	return result;
}

/* A session may have made, or made executable, what the tree does not have: the start will tell. */
static int take_path(struct pinfold_run *run, const char *name, struct pinfold_error *err)
{
	bool seen;
	int reason = look_at(run, name, &seen);
	run->found_outside = reason == 0;
	if (reason != 0 && !run->command.session)
		return refuse(reason, name, err);
	run->program = strdup(name);
	return run->program ? 0 : fault_no_memory(err);
}

/* Where the command will find its program; the copy, which is not there yet, has what the tree has. */
int surroundings_find_program(struct pinfold_run *run, struct pinfold_error *err)
{
	const char *name = run->command.argv[0];
	if (!name[0])
		return fault(err, PINFOLD_E_NOT_FOUND, ENOENT, action, "its name is empty",
			     "name a program");
	return strchr(name, '/') ? take_path(run, name, err) : search_path(run, name, err);
}

int surroundings_search(struct pinfold_run *run, const char *path, struct pinfold_error *err)
{
	const char *name = run->command.argv[0];
	return strchr(name, '/') ? take_path(run, name, err) : search(run, path, name, err);
}

/* A copy at another path lies below directories that the tree does not: a repository of the home is not
 * the copy's. */
static char *git_ceiling(const struct pinfold_run *run)
{
	bool moved = run->arm.arm && run->arm.arm->placing == PINFOLD_PLACING_IDENTITY &&
		     !streq(run->shown.source, run->shown.tree);
	const char *slash = moved ? strrchr(run->shown.source, '/') : NULL;
	return slash ? strndup(run->shown.source, (size_t)(slash - run->shown.source)) : NULL;
}

/* PINFOLD_GRANT_NAME, in capital letters. */
static void name_grant(const char *name, char *room, size_t bytes)
{
	size_t length = (size_t)snprintf(room, bytes, "PINFOLD_GRANT_%s", name);
	for (size_t i = 0; i < length && i < bytes; i++)
		room[i] = room[i] == '-' ? '_' : (char)toupper((unsigned char)room[i]);
}

/* Where the command finds what it was granted; what it was told otherwise by its caller stays. */
static int add_grants(struct pinfold_run *run, struct list *variables)
{
	const struct pinfold_policy *policy = &run->policy->lowered;
	for (size_t i = 0; run->arm.arm && i < policy->grant_count; i++) {
		const struct pinfold_grant *grant = &policy->grants[i];
		bool temporary = grant->kind == PINFOLD_GRANT_TEMPORARY;
		char name[128];
		name_grant(grant->name, name, sizeof(name));
		auto_free char *seen = temporary ? strdup(run->arm.plan.temporary) :
				       grant->path ? confine_path(run, grant->path) : NULL;
		if (!seen && (temporary || grant->path))
			return -1;
		if (seen && !variables_value((const char *const *)run->command.set, name) &&
		    variables_set(variables, name, seen) < 0)
			return -1;
	}
	return 0;
}

/* The caller's own where there is none of this run's. */
static const char *temporary_of(const struct pinfold_run *run)
{
	if (run->arm.arm && !run->becomes)
		return run->arm.plan.temporary;
	return surroundings_value(run->caller, "TMPDIR");
}

int surroundings_build(struct pinfold_run *run, struct pinfold_error *err)
{
	auto_free char *ceiling = git_ceiling(run);
	struct environment_places places = {
		.directory = confine_directory(run),
		.temporary = temporary_of(run),
		.runtime_dir = run->arm.arm ? run->policy->lowered.runtime_dir :
					      surroundings_value(run->caller, "XDG_RUNTIME_DIR"),
		.run = run->becomes ? NULL : run->nonce,	/* by which nobody looks for it */
		.git_ceiling = ceiling,
		.keep_jobserver = jobserver_is_kept(run),
	};
	if (environment_build(run->pinfold->config, run->caller, run->command.set, &places,
			      &run->environment, err) < 0)
		return -1;
	if (run->throwaway)
		return 0;
	run->seen_program = confine_path(run, run->program);
	if (!run->seen_program || wrapping_apply(run, &run->environment.variables) < 0 ||
	    add_grants(run, &run->environment.variables) < 0 || wrapping_help(run) < 0)
		return fault_no_memory(err);
	return 0;
}
