/* plugins/namespaces/prepare.c - gathers what the layout is decided from, makes ready what the child
 * will need, and fills the plan. */
#include "config.h"

#include "gaps.h"
#include "layout.h"
#include "through.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settings settings_read(const struct pinfold_host *host)
{
	const char *nested = host->setting(host, "nested"), *proc = host->setting(host, "proc");
	return (struct settings){
		.nested = nested && strcmp(nested, "yes") == 0,
		.fresh_proc = !proc || strcmp(proc, "none") != 0,
		.wrapper = host->setting(host, "wrapper"),
	};
}

/* The canonical path of a directory, or NULL where there is none. */
static const char *canonical_directory(const struct pinfold_host *host, const char *path)
{
	struct stat status;
	char *canonical = realpath(path, NULL);
	const char *result = NULL;
	if (canonical && stat(canonical, &status) == 0 && S_ISDIR(status.st_mode) &&
	    strcmp(canonical, "/") != 0)
		result = host->print(host, "%s", canonical);
	free(canonical);
	return result;
}

/* Two names may lead to one directory. */
static void find_directories(const struct pinfold_host *host, const char *first,
			     const char *second, const char *ret_found[2])
{
	ret_found[0] = canonical_directory(host, first);
	ret_found[1] = canonical_directory(host, second);
	if (ret_found[0] && ret_found[1] && strcmp(ret_found[0], ret_found[1]) == 0)
		ret_found[1] = NULL;
	if (!ret_found[0]) {
		ret_found[0] = ret_found[1];
		ret_found[1] = NULL;
	}
}

/* With the host's network a command needs the file that says how names are resolved, which many
 * machines keep in /run. */
static const char *find_resolver(const struct pinfold_host *host, const struct scene *scene)
{
	bool outside = scene->policy->network == PINFOLD_NETWORK_HOST ||
		       scene->policy->network == PINFOLD_NETWORK_PORTS;
	char *canonical = outside ? realpath("/etc/resolv.conf", NULL) : NULL;
	const char *result = canonical && scene_empties(scene, canonical) ?
				     host->print(host, "%s", canonical) : NULL;
	free(canonical);
	return result;
}

static int fail_temporary(const struct pinfold_host *host, int sys, const char *path,
			  struct pinfold_error *err)
{
	return host->fail(err, PINFOLD_E_SYSTEM, sys, "make the private temporary directory", path,
			  "check that the scratch directory can be written and has room");
}

static int name_private(const struct pinfold_host *host, const struct pinfold_shown *shown, int directory,
			struct scene *scene, struct pinfold_error *err)
{
	struct stat status;
	if (directory < 0 || fchmod(directory, 01777) < 0 || fstat(directory, &status) < 0)
		return fail_temporary(host, errno, shown->temporary, err);
	scene->private_identity = identity_of(status.st_dev, status.st_ino);
	return 0;
}

/* The private temporary directory is the run's, or one in it where layers on disk lie beside. */
static int make_private(const struct pinfold_host *host, const struct pinfold_shown *shown, bool apart,
			struct scene *scene, int *ret_run, struct pinfold_error *err)
{
	struct stat status;
	int run = open(shown->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (run < 0)
		return fail_temporary(host, errno, shown->temporary, err);
	*ret_run = run;
	if (fstat(run, &status) < 0 || status.st_dev != shown->temporary_device ||
	    status.st_ino != shown->temporary_inode)
		return fail_temporary(host, ESTALE, shown->temporary, err);
	scene->private_source = shown->temporary;
	if (!apart)
		return name_private(host, shown, run, scene, err);
	if (mkdirat(run, "tmp", 0700) < 0 && errno != EEXIST)
		return fail_temporary(host, errno, shown->temporary, err);
	int directory = openat(run, "tmp", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int result = name_private(host, shown, directory, scene, err);
	if (directory >= 0)
		close(directory);
	scene->private_source = host->print(host, "%s/tmp", shown->temporary);
	return scene->private_source ? result : fail_temporary(host, ENOMEM, shown->temporary, err);
}

static int make_points(const struct pinfold_host *host, const char *directory, const struct makes *makes,
		       struct pinfold_error *err)
{
	int base = makes->count ? open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	for (size_t i = 0; i < makes->count; i++) {
		const struct make *row = &makes->rows[i];
		int result = row->kind == MAKE_DIRECTORY ?
				     mkdirat(base, row->path, row->mode) :
				     mknodat(base, row->path, S_IFREG | row->mode, 0);
		if (result < 0 && errno != EEXIST) {
			int sys = errno;
			if (base >= 0)
				close(base);
			return fail_temporary(host, sys, row->path, err);
		}
	}
	if (base >= 0)
		close(base);
	return 0;
}

/* Nothing of a promise is lost, so this is no gap: the command may only do less. */
void say_not_layered(const struct pinfold_host *host, const char *path, const char *why)
{
	const char *text = host->print(host, "%s stays read-only, without a private layer: %s", path, why);
	if (text)
		host->log(host, PINFOLD_LOG_WARNING, text);
}

static const struct pinfold_gap unseen_sockets = {
	.construct = "unix sockets outside of /run and /tmp", .name = "sockets",
	.why = "the list of the host's sockets cannot be read", .lift = "mount /proc",
};

static bool has_kind(const struct pinfold_policy *policy, uint32_t kind)
{
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind)
			return true;
	return false;
}

/* Neither where all that there is lies below layers, nor where another program makes the view. */
static void note_bounds(const struct settings *settings, struct scene *scene)
{
	const struct pinfold_policy *policy = scene->policy;
	if (settings->wrapper || (PINFOLD_HAS(policy, machine) && policy->machine))
		return;
	scene->bare = has_kind(policy, PINFOLD_PATH_READ);
	scene->bounded = has_kind(policy, PINFOLD_PATH_EXECUTE);
}

enum { MOST_LINKS = 64 };

/* Programs have /bin and /lib64 written in them, wherever those lead. */
static int find_links(const struct pinfold_host *host, struct scene *scene)
{
	struct pinfold_link *links = host->allocate(host, MOST_LINKS * sizeof(*links));
	DIR *root = opendir("/");
	for (struct dirent *entry; links && root && scene->link_count < MOST_LINKS && (entry = readdir(root));) {
		char to[256];
		ssize_t length = entry->d_type == DT_LNK ?
					 readlinkat(dirfd(root), entry->d_name, to, sizeof(to)) : -1;
		if (length <= 0 || length >= (ssize_t)sizeof(to))
			continue;
		struct pinfold_link *link = &links[scene->link_count];
		link->from = host->print(host, "/%s", entry->d_name);
		link->to = host->print(host, "%.*s", (int)length, to);
		scene->link_count += link->from && link->to;
	}
	if (root)
		closedir(root);
	scene->links = links;
	return links ? 0 : -1;
}

static int gather(const struct pinfold_host *host, const struct settings *settings,
		  struct scene *scene, struct pinfold_plan *plan, struct pinfold_error *err)
{
	find_directories(host, "/tmp", "/var/tmp", scene->temporary);
	find_directories(host, "/run", "/var/run", scene->blank);
	scene->root = geteuid() == 0;
	scene->fresh_proc = settings->fresh_proc;
	scene->resolver = find_resolver(host, scene);
	note_bounds(settings, scene);
	if (scene->bare && find_links(host, scene) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "prepare the arm", NULL, NULL);
	if ((sockets_read(host, scene) < 0 && gaps_add(host, plan, &unseen_sockets) < 0) ||
	    gaps_find(host, scene, plan) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "prepare the arm", NULL, NULL);
	return 0;
}

static uint64_t namespaces_of(const struct pinfold_host *host, const struct pinfold_policy *policy)
{
	uint64_t all = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
		       CLONE_NEWCGROUP;
	bool outside = policy->network == PINFOLD_NETWORK_HOST || ports_can(host, policy);
	return outside ? all : all | CLONE_NEWNET;
}

static struct state *state_make(const struct pinfold_host *host, const struct settings *settings,
				struct pinfold_error *err)
{
	struct state *state = host->allocate(host, sizeof(*state));
	if (!state) {
		host->fail(err, PINFOLD_E_NO_MEMORY, 0, "prepare the arm", NULL, NULL);
		return NULL;
	}
	state->fresh_proc = settings->fresh_proc;
	state->root = geteuid() == 0;
	return state;
}

int prepare_foresee(const struct pinfold_host *host, const struct pinfold_policy *policy,
		    struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct settings settings = settings_read(host);
	/* What is handed down for the scope of the machine is not there yet. */
	if (settings.wrapper || (PINFOLD_HAS(policy, machine) && policy->machine))
		return 0;
	struct state *state = state_make(host, &settings, err);
	if (!state)
		return -1;
	plan->host = host;
	plan->state = state;
	plan->namespaces = namespaces_of(host, policy);
	return 0;
}

/* By the names that every machine has them by; /run holds sockets that the policy names. */
static const char *const own[] = { "/proc", "/dev", "/tmp", "/var/tmp", "/run", NULL };

static void fill_plan(const struct pinfold_host *host, const struct scene *scene,
		      struct state *state, struct pinfold_plan *plan)
{
	plan->namespaces = namespaces_of(host, scene->policy);
	plan->host = host;
	plan->state = state;
	plan->directory = scene->shown->directory;
	plan->temporary = state->layout.temporary;
	plan->failed = &state->failed;
	plan->own = own;
	for (size_t i = 0; i < sizeof(plan->through_fds) / sizeof(plan->through_fds[0]); i++)
		plan->through_fds[i] = -1;
}

static struct filter_wants filter_wanted(const struct settings *settings, const struct pinfold_policy *policy,
					 bool ports)
{
	struct filter_wants wants = { 0 };
	if (PINFOLD_REACHES(policy, calls_refused)) {
		wants.allowed = policy->calls_allowed;
		wants.refused = policy->calls_refused;
	}
	if (settings->nested)
		wants.allowed |= FILTER_CLASS(NAMESPACES);
	if (ports)
		wants.parts |= FILTER_TCP_ONLY | (policy->listen_count ? 0 : FILTER_NO_LISTENING);
	if (PINFOLD_HAS(policy, tells))
		wants.parts |= FILTER_TELL;
	return wants;
}

/* Of the tree itself only that it is the same directory is looked at, unless something lies in it. */
static bool lays_early(const struct scene *scene, const struct state *state)
{
	const struct layout *layout = &state->layout;
	if (state->machine || scene->bare || scene->bounded || scene->shown->kind != PINFOLD_SHOW_DIRECTORY)
		return false;
	for (size_t i = 0; i < layout->count; i++) {
		const struct place *place = &layout->places[i];
		if (place->kept || path_lies_in(place->path, scene->shown->tree) ||
		    path_lies_in(place->path, scene->shown->source))
			return false;
	}
	return true;
}

/* Another part of the tree may be the host's own and be written: the copy's is not shown anywhere else. */
static bool keeps_tree(const struct layout *layout)
{
	for (size_t i = 0; i < layout->count; i++)
		if (layout->places[i].rank == RANK_TREE && layout->places[i].kind != PLACE_BARE)
			return layout->places[i].kind == PLACE_SHOW && layout->places[i].read_only;
	return false;
}

static int prepare_in(const struct pinfold_host *host, const struct settings *settings,
		      struct scene *scene, struct pinfold_plan *plan, int *run,
		      struct pinfold_error *err)
{
	struct filter filter;
	bool ports = ports_can(host, scene->policy);
	const struct filter_wants wants = filter_wanted(settings, scene->policy, ports);
	const struct pinfold_shown *shown = scene->shown;
	struct state *state = plan->state ? plan->state : state_make(host, settings, err);
	if (!state)
		return -1;
	struct uppers uppers = upper_recall(host, scene->policy, shown);
	if (gather(host, settings, scene, plan, err) < 0 || machine_find(host, scene, err) < 0 ||
	    machine_plan(host, scene, state, plan) < 0 ||
	    make_private(host, shown, uppers.apart, scene, run, err) < 0 ||
	    layout_make(host, scene, &state->layout, err) < 0)
		return -1;
	if (gaps_find_absent(host, &state->layout, plan) < 0)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "prepare the arm", NULL, NULL);
	state->bare = scene->bare;
	state->bounded = scene->bounded;
	state->ports = ports ? scene->policy : NULL;
	state->refused_calls = filter_refuses(&wants);
	state->keys = !(filter_refuses(&wants) & FILTER_CLASS(KEYRING));
	state->run_temporary = shown->temporary;
	state->run_identity = identity_of(shown->temporary_device, shown->temporary_inode);
	state->tree = shown->tree;
	state->tree_identity = identity_of(shown->source_device, shown->source_inode);
	if (make_points(host, scene->private_source, &state->layout.mount_points, err) < 0 ||
	    filter_recall(host, &wants, &filter, err) < 0 ||
	    (wants.parts & FILTER_TELL && filter_tell(host, &wants, &plan->told, &plan->told_count, err) < 0))
		return -1;
	state->tells = wants.parts & FILTER_TELL;
	state->filter = (struct sock_fprog){ (unsigned short)filter.count,
					     (struct sock_filter *)filter.instructions };
	state->walled = !settings->wrapper && wall_is_wanted(host, scene->policy, &wants);
	if (state->walled || ports)
		state->wall = wall_rights_of(wall_abi(host));
	fill_plan(host, scene, state, plan);
	if (settings->wrapper)
		return through_plan(host, settings, scene, &filter, plan, err);
	if (!state->machine && upper_make(host, *run, &uppers, scene->policy->home, kept_is_session(shown), plan) < 0)
		return fail_temporary(host, errno, shown->temporary, err);
	if (kept_attach(host, shown, state, err) < 0)
		return -1;
	if (PINFOLD_REACHES(plan, lays_early))
		plan->lays_early = state->lays_early = lays_early(scene, state);
	if (PINFOLD_REACHES(plan, keeps_tree))
		plan->keeps_tree = keeps_tree(&state->layout);
	return 0;
}

int prepare_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct pinfold_plan *plan,
		 struct pinfold_error *err)
{
	struct settings settings = settings_read(host);
	struct scene scene = { .policy = policy, .shown = shown };
	int run = -1;
	int result = prepare_in(host, &settings, &scene, plan, &run, err);
	if (run >= 0)
		close(run);
	return result;
}

int prepare_settle(const struct pinfold_host *host, struct pinfold_plan *plan,
		   struct pinfold_error *err)
{
	const struct state *state = plan->state;
	(void)err;
	if (state)
		upper_forget(host, state);
	int run = state && state->layers && !state->memory ?
			  open(state->run_temporary, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (run >= 0) {
		upper_open_up(run, state);
		close(run);
	}
	return 0;
}

void prepare_release(const struct pinfold_host *host, struct pinfold_plan *plan)
{
	(void)host;
	machine_release(plan->state);
	through_give_back(plan);
}
