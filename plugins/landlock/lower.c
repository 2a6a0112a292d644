/* plugins/landlock/lower.c - makes rules of a policy, and gaps of what has no rule. */
#include "config.h"

#include "lowering.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RULES = 4096 };

/* The same place below `to` as the path is below `from`; NULL where it is not. */
static const char *moved(const struct lowering *low, const char *path, const char *from, const char *to)
{
	if (strcmp(from, to) == 0 || !around_is_within(path, from))
		return NULL;
	return low->host->print(low->host, "%s%s", to, path + strlen(from));
}

/* --- gaps and words ------------------------------------------------------------------------------- */

void lowering_gap(struct lowering *low, const struct pinfold_gap *gap)
{
	low->gaps[low->plan->gap_count] = *gap;
	low->gaps[low->plan->gap_count].size = sizeof(*gap);
	low->plan->gap_count++;
}

/* By the name that people know, which is of the tree. */
static void gap_of_path(struct lowering *low, const struct pinfold_path *path, const char *construct,
			const char *axis, const char *why)
{
	const char *in_tree = moved(low, path->path, low->shown->source, low->shown->tree);
	const char *name = in_tree ? in_tree : path->path;
	lowering_gap(low, &(struct pinfold_gap){
		.firm = PINFOLD_REACHES(path, hard) && path->hard,
		.construct = low->host->print(low->host, "%s %s", construct, name),
		.name = low->host->print(low->host, "%s:%s", axis, name),
		.why = why,
		.lift = low->state->becomes ? LOWERING_ONLY_READ : LOWERING_OTHER_ARM,
	});
}

/* Nothing of a promise is lost, so this is no gap: the command may only do less. */
static void say_less(const struct lowering *low, const char *path, const char *what)
{
	const char *text = low->host->print(low->host, "%s %s", path, what);
	if (text)
		low->host->log(low->host, PINFOLD_LOG_WARNING, text);
}

/* --- what is hidden --------------------------------------------------------------------------------- */

static bool is_alone(const struct pinfold_path *path)
{
	return PINFOLD_REACHES(path, match) && path->match == PINFOLD_MATCH_LITERAL && S_ISDIR(path->mode);
}

static void add_hole(struct lowering *low, const char *path, bool directory, bool alone)
{
	if (path)
		low->holes[low->hole_count++] = (struct around_hole){ path, directory, alone };
}

/* Where git's directories are copied that are not in the tree, or NULL. */
static const char *beside_of(const struct pinfold_shown *shown)
{
	return PINFOLD_HAS(shown, beside) && access(shown->beside, F_OK) == 0 ? shown->beside : NULL;
}

/* Does the policy protect the working tree as a whole? */
static bool is_tree_protected(const struct pinfold_policy *policy, const struct pinfold_shown *shown)
{
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *path = &policy->paths[i];
		bool literal = PINFOLD_REACHES(path, match) && path->match == PINFOLD_MATCH_LITERAL;
		if (path->kind == PINFOLD_PATH_PROTECT && !literal &&
		    (around_is_within(shown->tree, path->path) || around_is_within(shown->source, path->path)))
			return true;
	}
	return false;
}

static bool is_writable(const struct lowering *low, const char *path)
{
	const struct pinfold_policy *policy = low->policy;
	const char *beside = beside_of(low->shown);
	const char *temporary = low->shown->temporary;
	if ((!low->tree_protected && around_is_within(path, low->shown->source)) ||
	    (temporary && around_is_within(path, temporary)) ||
	    (beside && around_is_within(path, beside)))
		return true;
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_WRITE && around_is_within(path, policy->paths[i].path))
			return true;
	return false;
}

/* What is hidden in the tree is left out of the copy, unless it is there already, from before it was hidden. Where
 * the command makes files, rules for those that are there now would leave it without its own. */
static void hide(struct lowering *low, const struct pinfold_path *path)
{
	const struct pinfold_shown *shown = low->shown;
	const char *in_tree = moved(low, path->path, shown->source, shown->tree);
	const char *in_copy = moved(low, path->path, shown->tree, shown->source);
	bool directory = S_ISDIR(path->mode), writable = is_writable(low, path->path);
	if (shown->imagined && around_is_within(path->path, shown->tree) && !is_alone(path))
		return;
	if (writable || (in_copy && access(in_copy, F_OK) == 0))
		gap_of_path(low, path, "hidden", "secrets",
			    "Landlock cannot hide what lies in a directory that the command writes");
	if (!writable)
		add_hole(low, path->path, directory, is_alone(path));
	add_hole(low, in_tree, directory, is_alone(path));
}

/* The host's devices, terminals and shared memory are not the command's, nor is the place of other copies. */
static void find_holes(struct lowering *low)
{
	const struct pinfold_policy *policy = low->policy;
	add_hole(low, "/dev", true, false);
	add_hole(low, policy->scratch, true, false);
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_HIDE)
			hide(low, &policy->paths[i]);
}

/* --- rules ------------------------------------------------------------------------------------------- */

int lowering_fail(const struct lowering *low, const char *path, int sys, struct pinfold_error *err)
{
	return low->host->fail(err, PINFOLD_E_SYSTEM, sys, "make a rule of Landlock", path,
			       "check the path, and that descriptors are left (ulimit -n)");
}

static bool is_same(int fd, uint64_t device, uint64_t inode)
{
	struct stat status;
	return fstat(fd, &status) == 0 && (inode == 0 || (status.st_dev == device && status.st_ino == inode));
}

/* What took another's place since the policy was resolved gets no rule. */
static int allow_known(struct lowering *low, const char *path, uint64_t device, uint64_t inode, uint64_t rights,
		       struct pinfold_error *err)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return lowering_fail(low, path, errno, err);
	long result = is_same(fd, device, inode) ?
			      wall_allow(low->host, low->state->ruleset, &low->state->handled, fd, rights) : -ESTALE;
	close(fd);
	return result < 0 ? lowering_fail(low, path, (int)-result, err) : 0;
}

static int allow_around(struct lowering *low, const char *path, uint64_t rights, struct pinfold_error *err)
{
	struct around around = {
		.host = low->host, .ruleset = low->state->ruleset, .handled = &low->state->handled,
		.holes = low->holes, .hole_count = low->hole_count, .most = MOST_RULES,
	};
	int result = around_allow(&around, path, rights);
	low->state->reading_rules += around.rules;
	if (result > 0)
		return low->host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "hide paths by Landlock",
				       low->host->print(low->host, "more than %d files lie beside what is hidden below %s",
							MOST_RULES, path),
				       "hide the directory that holds them, or use the arm namespaces");
	return result < 0 ? lowering_fail(low, path, errno, err) : 0;
}

/* The copy lies in the scratch directory, which is out of sight: only what is hidden in the copy itself counts. */
static int allow_copy(struct lowering *low, uint64_t own, struct pinfold_error *err)
{
	const struct pinfold_shown *shown = low->shown;
	if (!low->tree_protected)
		return allow_known(low, shown->source, shown->source_device, shown->source_inode, own, err);
	struct lowering copy = *low;
	copy.holes = low->host->allocate(low->host, (low->hole_count + 1) * sizeof(*copy.holes));
	copy.hole_count = 0;
	if (!copy.holes)
		return lowering_fail(low, shown->source, ENOMEM, err);
	for (size_t i = 0; i < low->hole_count; i++)
		if (around_is_within(low->holes[i].path, shown->source))
			copy.holes[copy.hole_count++] = low->holes[i];
	return allow_around(&copy, shown->source, WALL_READ | WALL_RESOLVE_UNIX, err);
}

static void allow_device(struct lowering *low, const char *path)
{
	struct stat status;
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISCHR(status.st_mode))
		wall_allow(low->host, low->state->ruleset, &low->state->handled, fd, low->everything);
	if (fd >= 0)
		close(fd);
}

/* The command's terminal can be opened once more, as programs do that ask for a password. */
static void allow_terminal(struct lowering *low)
{
	const int *streams = PINFOLD_HAS(low->policy, streams) ? low->policy->streams : NULL;
	allow_device(low, "/dev/tty");
	for (int i = 0; streams && i < 3; i++)
		if (isatty(streams[i]))
			wall_allow(low->host, low->state->ruleset, &low->state->handled, streams[i], low->everything);
}

static void allow_devices(struct lowering *low)
{
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
					       "/dev/urandom" };
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		allow_device(low, devices[i]);
	if (low->policy->terminal)
		allow_terminal(low);
}

static bool is_beaten(const struct lowering *low, const char *path)
{
	for (size_t i = 0; i < low->policy->path_count; i++) {
		const struct pinfold_path *hidden = &low->policy->paths[i];
		if (hidden->kind == PINFOLD_PATH_HIDE && PINFOLD_REACHES(hidden, hard) && hidden->hard &&
		    around_is_within(path, hidden->path))
			return true;
	}
	return false;
}

static uint64_t rights_of(const struct lowering *low, const struct pinfold_path *path)
{
	switch (path->kind) {
	case PINFOLD_PATH_WRITE:
		return low->everything & ~(uint64_t)(low->state->handled.files & WALL_EXECUTE);
	case PINFOLD_PATH_EXECUTE:
		return WALL_EXECUTE;
	case PINFOLD_PATH_SOCKET:
		return WALL_RESOLVE_UNIX;
	default:
		return 0;
	}
}

static int lower_path(struct lowering *low, const struct pinfold_path *path, struct pinfold_error *err)
{
	if (path->kind == PINFOLD_PATH_LAYER && path->keep && !beside_of(low->shown))
		say_less(low, path->path, "stays read-only: only the arm namespaces has private layers");
	if (path->kind == PINFOLD_PATH_PROTECT &&
	    (is_writable(low, path->path) ||
	     (!low->tree_protected && moved(low, path->path, low->shown->tree, low->shown->source))))
		gap_of_path(low, path, "protected", "writes",
			    "Landlock cannot protect what lies in a directory that the command writes");
	if (path->kind == PINFOLD_PATH_SOCKET && !(low->state->handled.files & WALL_RESOLVE_UNIX))
		say_less(low, path->path, "cannot be connected to: Landlock has rules for unix sockets from Linux 7.1 on");
	if (path->kind != PINFOLD_PATH_READ && !rights_of(low, path))
		return 0;
	if (is_beaten(low, path->path))
		return 0;
	if (is_alone(path)) {
		say_less(low, path->path, "alone cannot be allowed, for a rule of Landlock covers what lies below as well");
		return 0;
	}
	if (path->kind == PINFOLD_PATH_READ)
		return allow_around(low, path->path, WALL_READ, err);
	return allow_known(low, path->path, path->device, path->inode, rights_of(low, path), err);
}

static bool has_kind(const struct pinfold_policy *policy, uint32_t kind)
{
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == kind)
			return true;
	return false;
}

/* Without paths that may be read all may be, but for what is hidden; else they, and what is the kernel's. */
static int lower_reading(struct lowering *low, struct pinfold_error *err)
{
	if (has_kind(low->policy, PINFOLD_PATH_READ))
		return allow_around(low, "/proc", WALL_READ, err);
	return allow_around(low, "/", WALL_READ, err);
}

static int lower_paths(struct lowering *low, struct pinfold_error *err)
{
	const struct pinfold_shown *shown = low->shown;
	const char *beside = beside_of(shown);
	uint64_t own = low->everything & ~(uint64_t)(low->state->handled.files & WALL_EXECUTE);
	find_holes(low);
	allow_devices(low);
	if (lower_reading(low, err) < 0 ||
	    allow_copy(low, own, err) < 0 ||
	    (shown->temporary &&
	     allow_known(low, shown->temporary, shown->temporary_device, shown->temporary_inode, own, err) < 0) ||
	    (beside && allow_known(low, beside, 0, 0, own, err) < 0))
		return -1;
	for (size_t i = 0; i < low->policy->path_count; i++)
		if (lower_path(low, &low->policy->paths[i], err) < 0)
			return -1;
	return 0;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

#define ATTRIBUTES "writes:attributes"

bool lower_leaves_attributes(const struct pinfold_policy *policy)
{
	for (const char *const *name = policy->relax; name && *name; name++)
		if (strcmp(*name, "writes") == 0 || strcmp(*name, ATTRIBUTES) == 0)
			return true;
	return false;
}

/* An offer may be older than what stands in the way now. */
static void note_unguarded(struct lowering *low)
{
	if (low->state->becomes && lower_leaves_attributes(low->policy))
		lowering_gap(low, &(struct pinfold_gap){
			.construct = "modes, times and attributes of files outside", .name = ATTRIBUTES, .lift = LOWERING_OTHER_ARM,
			.why = "nobody is there to be asked where each may be changed",
		});
	else if (!low->state->guarded && !low->state->becomes)
		lowering_gap(low, &(struct pinfold_gap){
			.construct = "modes, times and attributes of files outside", .name = "writes", .lift = LOWERING_OTHER_ARM,
			.why = "an enclosing sandbox listens to system calls already, or Yama lets nobody look into other processes",
		});
}

struct wall_rights lower_handled(int abi, const struct pinfold_policy *policy)
{
	struct wall_rights handled = wall_rights_of(abi);
	if (!has_kind(policy, PINFOLD_PATH_EXECUTE))
		handled.files &= ~(uint64_t)WALL_EXECUTE;
	if (policy->network == PINFOLD_NETWORK_HOST)
		handled.ports = 0;
	return handled;
}

int lower_roots(const struct pinfold_host *host, const struct pinfold_policy *policy,
		const struct pinfold_shown *shown, struct guard *guard, struct pinfold_error *err)
{
	const char **roots = host->allocate(host, (policy->path_count + 3) * sizeof(*roots));
	size_t count = 0;
	if (!roots)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm landlock", NULL,
				  "free memory on this machine and try again");
	if (!is_tree_protected(policy, shown))
		roots[count++] = shown->source;
	roots[count++] = shown->temporary;
	if (beside_of(shown))
		roots[count++] = shown->beside;
	for (size_t i = 0; i < policy->path_count; i++)
		if (policy->paths[i].kind == PINFOLD_PATH_WRITE)
			roots[count++] = policy->paths[i].path;
	guard->roots = roots;
	guard->root_count = count;
	return 0;
}

int lower_policy(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct state *state, struct filter_wants *wants,
		 struct pinfold_plan *plan, struct pinfold_error *err)
{
	struct lowering low = {
		.host = host, .policy = policy, .shown = shown, .state = state, .plan = plan,
		.holes = host->allocate(host, (2 * policy->path_count + 2) * sizeof(*low.holes)),
		.gaps = host->allocate(host, (policy->path_count + 3) * sizeof(*low.gaps)),
		.everything = WALL_READ | WALL_WRITE | WALL_EXECUTE | WALL_RESOLVE_UNIX,
		.tree_protected = is_tree_protected(policy, shown),
	};
	if (!low.holes || !low.gaps)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm landlock", NULL,
				  "free memory on this machine and try again");
	plan->gaps = low.gaps;
	state->shut = "/dev";
	state->outside = around_is_within(shown->tree, shown->source) || is_writable(&low, shown->tree) ?
				 NULL : shown->tree;
	if (!(state->handled.files & WALL_TRUNCATE))
		wants->parts |= FILTER_NO_TRUNCATION;
	note_unguarded(&low);
	return lower_paths(&low, err) < 0 || lowering_network(&low, wants, err) < 0 ? -1 : 0;
}
