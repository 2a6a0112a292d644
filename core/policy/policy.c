/* policy/policy.c - what the caller asked for, typed and resolved. */
#include "policy/policy.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/item.h"
#include "config/value.h"
#include "policy/axes.h"
#include "policy/constructs.h"
#include "policy/git_paths.h"
#include "policy/homes.h"
#include "policy/limits.h"
#include "policy/own.h"
#include "policy/paths.h"
#include "policy/relocations.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct row {
	const char *section, *key;
	uint32_t kind;
	bool hard;
	bool bounds;	/* what it does not name is closed */
} path_keys[] = {
	{ "filesystem", "writable", PINFOLD_PATH_WRITE, false, false },
	{ "filesystem", "layered", PINFOLD_PATH_LAYER, false, false },
	{ "filesystem", "hidden", PINFOLD_PATH_HIDE, false, false },
	{ "filesystem", "readable", PINFOLD_PATH_READ, false, true },
	{ "filesystem", "executable", PINFOLD_PATH_EXECUTE, false, true },
	{ "filesystem", "protected", PINFOLD_PATH_PROTECT, false, false },
	{ "network", "sockets", PINFOLD_PATH_SOCKET, false, false },
};

static const struct row hard_hidden = { "hard", "hidden", PINFOLD_PATH_HIDE, true, false };

static const struct homes machine_homes = { .parent = "/home", .superuser = "/root" };

/* What the environment puts elsewhere is treated as if it lay below home. */
static int add_relocated(struct paths *paths, const struct relocations *relocations,
			 const struct paths_request *request, struct pinfold_error *err)
{
	const char *home = paths->caller->home;
	if (!home || !path_is_within(request->text, home) || streq(request->text, home))
		return 0;
	const char *below = request->text + strlen(home) + (home[1] != '\0');
	for (size_t i = 0; i < relocations->count; i++) {
		const struct relocation *row = &relocations->rows[i];
		const char *rest = relocations_rest(row, below);
		if (!rest)
			continue;
		struct paths_request moved = { .kind = request->kind, .optional = true, .implied = true,
					       .literal = request->literal, .hard = request->hard,
					       .plain = row->length };
		moved.text = arena_print(paths->arena, "%.*s%s", (int)row->length, row->value, rest);
		moved.asked = moved.text;
		if (!moved.text)
			return fault_no_memory(err);
		if (paths_add(paths, &moved, err) < 0)
			return -1;
	}
	return 0;
}

/* Does anything open what lies in a directory? */
static bool is_opened(const struct paths *paths, const char *directory)
{
	for (size_t i = 0; i < paths->count; i++) {
		const struct pinfold_path *path = &paths->items[i].path;
		bool opens = path->kind != PINFOLD_PATH_HIDE && path->kind != PINFOLD_PATH_PROTECT;
		if (opens && (path_is_within(path->path, directory) || path_is_within(directory, path->path)))
			return true;
	}
	return false;
}

static int add_key(struct paths *paths, const struct relocations *relocations,
		   const struct row *row, const struct list *named, struct pinfold_error *err)
{
	/* The hard tier's sockets of services, which few policies come near, take a walk each. */
	const char *closed = row->hard && !is_opened(paths, "/run") ? "/run/" : NULL;
	for (size_t i = 0; i < named->count; i++) {
		struct paths_request request = { .kind = row->kind, .hard = row->hard };
		request.text = named->items[i];
		request.text += item_marks(request.text, &request.optional, &request.literal);
		request.asked = request.text;
		if (closed && starts_with(request.text, closed))
			continue;
		if (paths_add(paths, &request, err) < 0)
			return -1;
		if (row->kind != PINFOLD_PATH_WRITE &&
		    add_relocated(paths, relocations, &request, err) < 0)
			return -1;
	}
	return 0;
}

static bool any_of(const struct paths *paths, uint32_t kind)
{
	for (size_t i = 0; i < paths->count; i++)
		if (paths->items[i].path.kind == kind)
			return true;
	return false;
}

/* A list that bounds, and from which nothing is left, would bound no longer. */
static int check_bound(const struct config *config, const struct paths *paths, const struct row *row,
		       struct pinfold_error *err)
{
	if (!row->bounds || !config_is_set(config, row->section, row->key) || any_of(paths, row->kind))
		return 0;
	return faultf(err, PINFOLD_E_POLICY, 0, "resolve the paths of a policy",
		      "name one that exists, or `/` for everything", "[%s] %s names nothing that exists",
		      row->section, row->key);
}

enum { TREE_READABLE = 1 };	/* the word of the key */

static int protect_tree(struct paths *paths, struct pinfold_error *err)
{
	const char *tree = paths->caller->tree;
	struct paths_request request = { .kind = PINFOLD_PATH_PROTECT, .text = tree, .asked = tree,
					 .plain = strlen(tree) };
	return paths_add(paths, &request, err);
}

/* Of the hard tier: what nobody may write where writes reach the machine itself. */
static int add_protected(const struct config *config, struct paths *paths,
			 const struct relocations *relocations, struct pinfold_error *err)
{
	static const struct row row = { "hard", "protected", PINFOLD_PATH_PROTECT, true, false };
	bool direct = list_has(config_list(config, "pinfold", "view"), "direct");
	if (!direct && !any_of(paths, PINFOLD_PATH_WRITE))
		return 0;
	if (add_key(paths, relocations, &row, config_list(config, row.section, row.key), err) < 0)
		return -1;
	return git_paths_protect(paths, direct, err);
}

static int gather_paths(const struct config *config, struct policy *policy, struct paths *paths,
			const struct git_found *git, struct pinfold_error *err)
{
	struct relocations relocations;
	paths->links_count = config_is_set(config, "filesystem", "readable");
	relocations_find(paths->caller->environment, &relocations);
	for (size_t i = 0; i < N_ELEMENTS(path_keys); i++) {
		const struct row *row = &path_keys[i];
		const struct list *named = config_list(config, row->section, row->key);
		if (add_key(paths, &relocations, row, named, err) < 0 ||
		    check_bound(config, paths, row, err) < 0)
			return -1;
	}
	if (config_word(config, "filesystem", "tree") == TREE_READABLE && protect_tree(paths, err) < 0)
		return -1;
	/* Grants last: what is hidden is issued to nobody. */
	if (add_key(paths, &relocations, &hard_hidden, config_list(config, "hard", "hidden"), err) < 0 ||
	    constructs_read_grants(config, policy, paths, err) < 0 ||
	    add_protected(config, paths, &relocations, err) < 0)
		return -1;
	const struct list *const hidden[] = { config_list(config, "filesystem", "hidden"),
					      config_list(config, "hard", "hidden"), NULL };
	/* Git directories last: a home of others that holds one is hidden none the less. */
	if (homes_hide(&machine_homes, paths, hidden, err) < 0 || git_paths_add(paths, git, err) < 0)
		return -1;
	if (any_of(paths, PINFOLD_PATH_WRITE) && own_list(config, &paths->own) < 0)
		return fault_no_memory(err);
	return paths_settle(paths, err);
}

static int take_paths(struct policy *policy, struct paths *paths, struct pinfold_error *err)
{
	struct pinfold_path *copies =
		arena_allocate(policy->arena, (paths->count + 1) * sizeof(*copies));
	if (!copies)
		return fault_no_memory(err);
	for (size_t i = 0; i < paths->count; i++) {
		copies[i] = paths->items[i].path;
		copies[i].path = arena_copy(policy->arena, paths->items[i].path.path);
		if (!copies[i].path)
			return fault_no_memory(err);
	}
	policy->lowered.paths = copies;
	policy->lowered.path_count = paths->count;
	policy->lowered.patterns = paths->patterns;
	policy->lowered.pattern_count = paths->pattern_count;
	policy->lowered.links = paths->links;
	policy->lowered.link_count = paths->link_count;
	policy->missing = paths->missing;
	policy->rewritten = paths->rewritten;
	paths->missing = paths->rewritten = (struct list){ 0 };
	return 0;
}

static int note_homeless(struct policy *policy, const struct list *homeless,
			 struct pinfold_error *err)
{
	for (size_t i = 0; i < homeless->count; i++) {
		const char *note =
			arena_print(policy->arena, "%s (there is no home)", homeless->items[i]);
		if (!note)
			return fault_no_memory(err);
		if (value_append(policy->arena, &policy->missing, note, err) < 0)
			return -1;
	}
	return 0;
}

static const char *variable(const char *const *environment, const char *name)
{
	size_t length = strlen(name);
	for (; environment && *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* A runtime directory that would take the home or the tree with it is none. */
static int read_runtime_dir(const struct policy_caller *caller, struct policy *policy,
			    struct pinfold_error *err)
{
	const char *named = variable(caller->environment, "XDG_RUNTIME_DIR");
	auto_free char *path = named && named[0] == '/' ? path_canonical(named) : NULL;
	struct stat status;
	if (!path || stat(path, &status) < 0 || !S_ISDIR(status.st_mode) ||
	    path_is_within(caller->tree, path) ||
	    (caller->home && path_is_within(caller->home, path)))
		return 0;
	policy->lowered.runtime_dir = arena_copy(policy->arena, path);
	return policy->lowered.runtime_dir ? 0 : fault_no_memory(err);
}

static int copy_caller(const struct policy_caller *caller, struct policy *policy,
		       struct pinfold_error *err)
{
	policy->lowered.home = caller->home ? arena_copy(policy->arena, caller->home) : NULL;
	policy->lowered.scratch = caller->scratch ? arena_copy(policy->arena, caller->scratch) : NULL;
	if ((caller->home && !policy->lowered.home) || (caller->scratch && !policy->lowered.scratch))
		return fault_no_memory(err);
	return read_runtime_dir(caller, policy, err);
}

int policy_complete(const struct config *config, const struct policy_caller *caller,
		    struct policy *policy, struct pinfold_error *err)
{
	if (copy_caller(caller, policy, err) < 0)
		return -1;
	struct paths paths = { .arena = policy->arena, .caller = caller };
	struct git_found git = { 0 };
	paths_list_home(&paths, caller->home, &paths.own_home);
	int result = git_find(caller->tree, caller->user, &git, err);
	if (result == 0)
		result = gather_paths(config, policy, &paths, &git, err);
	if (result == 0)
		result = git_paths_remark(&paths, &git, &policy->remarks, err);
	git_found_release(&git);
	if (result == 0)
		result = take_paths(policy, &paths, err);
	if (result == 0)
		result = note_homeless(policy, config_homeless(config), err);
	paths_release(&paths);
	return result;
}

static int read_promises(const struct config *config, struct policy *policy,
			 struct pinfold_error *err)
{
	if (axes_read(config_list(config, "pinfold", "require"), &policy->require, err) < 0)
		return -1;
	return axes_read_relaxed(config_list(config, "pinfold", "relax"), policy->require,
				 policy->arena, &policy->lowered.relax, err);
}

static void read_words(const struct config *config, struct policy *policy)
{
	policy->host_gate = config_word(config, "placement", "host");
	policy->terminal = config_word(config, "pinfold", "terminal");
	policy->standard_input = config_word(config, "pinfold", "stdin");
	policy->denials = config_word(config, "pinfold", "denials") == 1;
	policy->timeout = config_number(config, "limits", "timeout");
	policy->priority = (int)config_number(config, "limits", "nice");
	policy->lowered.size = sizeof(policy->lowered);
	policy->lowered.machine = config_word(config, "filesystem", "scope");
	policy->lowered.terminal = policy->terminal != POLICY_TERMINAL_NONE;
}

static int fill(const struct config *config, struct policy *policy, struct pinfold_error *err)
{
	read_words(config, policy);
	if (read_promises(config, policy, err) < 0 || constructs_read(config, policy, err) < 0)
		return -1;
	/* Without these two it would be the machine itself that is written. */
	if (policy->lowered.machine)
		policy->require |= PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES);
	return limits_read(config, policy, err);
}

int policy_begin(const struct config *config, struct policy **ret_policy, struct pinfold_error *err)
{
	struct policy *policy = calloc(1, sizeof(*policy));
	if (policy)
		policy->arena = arena_new();
	if (!policy || !policy->arena) {
		free(policy);
		return fault_no_memory(err);
	}
	if (fill(config, policy, err) < 0) {
		policy_free(policy);
		return -1;
	}
	*ret_policy = policy;
	return 0;
}

int policy_build(const struct config *config, const struct policy_caller *caller,
		 struct policy **ret_policy, struct pinfold_error *err)
{
	struct policy *policy;
	if (policy_begin(config, &policy, err) < 0)
		return -1;
	if (policy_complete(config, caller, policy, err) < 0) {
		policy_free(policy);
		return -1;
	}
	*ret_policy = policy;
	return 0;
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	list_release(&policy->rewritten);
	list_release(&policy->remarks);
	arena_free(policy->arena);
	free(policy);
}
