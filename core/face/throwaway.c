/* face/throwaway.c - a throwaway build, confined exactly as the command will be.
 *
 * It has the command's arm, view, policy and environment, and its working directory; its project lies
 * in a temporary directory of its own, which goes afterwards, whatever was left in it.
 */
#include "config.h"

#include "face/wrapping.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"
#include "tree/copies.h"
#include "tree/discard.h"
#include "tree/scratch.h"
#include "wrappers/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>

enum { SAID_MOST = 1 << 18 };	/* bytes of what a build says that are kept; it may say any number */
static const char place_name[] = "throwaway", project_name[] = "project";
static const char action[] = "make a throwaway project";

/* --- the project ---------------------------------------------------------------------------------- */
static int write_content(int fd, const char *content, const char *mark)
{
	struct text text = { 0 };
	for (; *content; content++)
		text_add(&text, *content == TOOLCHAIN_MARK ? mark : (char[]){ *content, '\0' });
	size_t bytes = text.length;
	auto_free char *whole = text_take(&text);
	return whole ? fd_write_all(fd, whole, bytes) : -1;
}

static int write_one(int dir, const struct toolchain_file *file, const char *mark)
{
	const char *slash = strchr(file->path, '/');
	auto_free char *parent = slash ? strndup(file->path, (size_t)(slash - file->path)) : NULL;
	if (slash && (!parent || (mkdirat(dir, parent, 0700) < 0 && errno != EEXIST)))
		return -1;
	auto_close int fd = fd_open_beneath(dir, file->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	return fd < 0 ? -1 : write_content(fd, file->content, mark);
}

static int write_project(int base, const struct toolchain *toolchain, const char *mark)
{
	if (mkdirat(base, project_name, 0700) < 0)
		return -1;
	auto_close int dir = fd_open_beneath(base, project_name, O_RDONLY | O_DIRECTORY, 0);
	for (const struct toolchain_file *file = toolchain->files; dir >= 0 && file->path; file++)
		if (write_one(dir, file, mark) < 0)
			return -1;
	return dir < 0 ? -1 : 0;
}

/* An arm may give its command the run's temporary directory, or `tmp` in it: the project is in both. */
static int make_place(int temporary, const struct toolchain *toolchain, const char *mark)
{
	if (mkdirat(temporary, place_name, 0700) < 0)
		return -1;
	auto_close int place = fd_open_beneath(temporary, place_name, O_RDONLY | O_DIRECTORY, 0);
	if (place < 0 || write_project(place, toolchain, mark) < 0 || mkdirat(place, "tmp", 0700) < 0)
		return -1;
	auto_close int inner = fd_open_beneath(place, "tmp", O_RDONLY | O_DIRECTORY, 0);
	return inner < 0 ? -1 : write_project(inner, toolchain, mark);
}

static void remove_place(const struct pinfold_run *run, int temporary)
{
	auto_free char *root = NULL;
	auto_close int fd = -1;
	if (temporary < 0 || scratch_open(run->pinfold->config, &root, &fd, NULL) < 0)
		return;
	struct trash trash = { .root = fd };
	discard_entry(&trash, temporary, place_name);
	discard_empty(&trash);
}

static int name_place(struct pinfold_run *build, char **ret_path, struct pinfold_error *err)
{
	struct stat about;
	auto_free char *path = path_join(build->shown.temporary, place_name);
	if (!path)
		return fault_no_memory(err);
	if (lstat(path, &about) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, action, path, "check the scratch directory");
	build->shown.temporary_device = about.st_dev;
	build->shown.temporary_inode = about.st_ino;
	build->shown.temporary = *ret_path = take_pointer(&path);
	return 0;
}

/* What a trial writes to by itself. */
struct aside {
	char *layers;
	struct pinfold_layer beneath;
};

static void name_parts(struct pinfold_shown *shown, const struct pinfold_layer *layer)
{
	shown->upper = layer->upper;
	shown->upper_device = layer->upper_device;
	shown->upper_inode = layer->upper_inode;
	shown->work = layer->work;
	shown->work_device = layer->work_device;
	shown->work_inode = layer->work_inode;
}

/* Upper parts of its own, with those of the command below them: what a wrapper writes while it is tried is no
 * change of the command's, and of no session. */
static int lay_aside(const struct pinfold_run *run, struct pinfold_run *build, struct aside *aside,
		     struct pinfold_error *err)
{
	struct pinfold_shown *shown = &build->shown;
	struct pinfold_layer layer = { .size = sizeof(layer) };
	bool overlay = shown->kind == PINFOLD_SHOW_OVERLAY;
	if (!shown->layers || !run->view.host)
		return 0;
	if (!(aside->layers = path_join(shown->temporary, "kept")))
		return fault_no_memory(err);
	shown->beneath_layers = shown->layers;
	shown->layers = aside->layers;
	if (overlay && !shown->upper)
		return 0;	/* it lies in memory, anew for each */
	if (copies_trees.layer(run->view.host, shown->layers, shown->source, &layer, err) < 0)
		return -1;
	aside->beneath = (struct pinfold_layer){
		.size = sizeof(aside->beneath), .upper = shown->upper, .work = shown->work,
		.upper_device = shown->upper_device, .upper_inode = shown->upper_inode,
		.work_device = shown->work_device, .work_inode = shown->work_inode,
	};
	shown->beneath = overlay ? &aside->beneath : NULL;
	name_parts(shown, &layer);
	return 0;
}

/* --- the run -------------------------------------------------------------------------------------- */
/* What belongs to the command's run is borrowed. */
static void borrow(struct pinfold_run *build, const struct pinfold_run *run, int null, int said)
{
	*build = (struct pinfold_run){
		.pinfold = run->pinfold,
		.command = { .size = sizeof(build->command), .set = run->command.set },
		.caller = run->caller,
		.throwaway = true,
		.terminal = OWN_TERMINAL_NONE,
		.directory = run->directory,
		.policy = run->policy,
		.choice = run->choice,
		.ceilings = run->ceilings,
		.view_name = run->view_name,
		.shown = run->shown,
		.streams = { .given = { null, null, said }, .null = -1, .held = { -1, -1, -1 } },
	};
	memcpy(build->nonce, run->nonce, sizeof(build->nonce));
}

/* Where the run's temporary directory is shown at its own place, this build's lies in it, and nothing beside that can
 * be written: what the preparer put into the run's belongs into this one's. */
static int move_temporary(struct pinfold_run *build, const struct pinfold_run *run, const char *const *entries)
{
	const char *from = run->shown.temporary, *to = build->shown.temporary;
	if (run->choice.offer->arm->placing != PINFOLD_PLACING_IDENTITY)
		return 0;
	for (; entries && *entries; entries++) {
		const char *equals = strchr(*entries, '=');
		if (!equals || !path_is_within(equals + 1, from))
			continue;
		auto_free char *name = strndup(*entries, (size_t)(equals - *entries));
		const char *rest = path_below(equals + 1, from);
		auto_free char *moved = *rest ? path_join(to, rest) : strdup(to);
		if (!name || !moved || variables_set(&build->environment.variables, name, moved) < 0)
			return -1;
	}
	return 0;
}

static int surround(struct pinfold_run *build, const struct throwaway *throwaway, bool with,
		    const char *project, struct pinfold_error *err)
{
	const struct wrapping *wrapping = throwaway->wrapping;
	const struct toolchain *toolchain = wrapping->toolchain;
	struct list *variables = &build->environment.variables;
	if (surroundings_build(build, err) < 0)
		return -1;
	const struct pinfold_preparation *needs = &wrapping->preparer.preparation;
	if (with && (preparer_surround(&wrapping->preparer, variables) < 0 ||
		     move_temporary(build, throwaway->run, needs->environment) < 0 ||
		     move_temporary(build, throwaway->run, needs->imposed) < 0))
		return fault_no_memory(err);
	if (with && helpers_add(build, &wrapping->preparer) < 0)
		return fault_no_memory(err);
	build->helpers.deadline = throwaway->deadline;
	if ((!with && toolchain->switch_off(&wrapping->look, variables) < 0) ||
	    (toolchain->surround && toolchain->surround(project, variables) < 0))
		return fault_no_memory(err);
	return 0;
}

static int start(struct pinfold_run *build, const struct list *argv, struct pinfold_error *err)
{
	uint32_t step;
	const char *path = surroundings_value((const char *const *)build->environment.variables.items, "PATH");
	build->command.argv = (const char *const *)argv->items;
	if (surroundings_search(build, path, err) < 0)
		return -1;
	build->seen_program = confine_path(build, build->program);
	if (!build->seen_program)
		return fault_no_memory(err);
	return attempt_launch(build, build->seen_program, build->command.argv, &step, err);
}

/* Reads what there is without waiting; what is past SAID_MOST is read and forgotten. */
static void listen_to(int from, struct text *said)
{
	char room[4096];
	for (ssize_t got; (got = read(from, room, sizeof(room))) > 0;)
		if (said->length + (size_t)got <= SAID_MOST)
			text_add_bytes(said, room, (size_t)got);
}

enum { LOOK_MILLISECONDS = 100 };	/* between two questions whether to go on */

static int until(uint64_t at)
{
	uint64_t now = clock_nanoseconds();
	uint64_t left = at <= now ? 0 : (at - now) / 1000000 + 1;
	return at <= now ? 0 : left < LOOK_MILLISECONDS ? (int)left : LOOK_MILLISECONDS;
}

bool throwaway_is_given_up(const struct pinfold_run *run, const char *wrapper, bool waits)
{
	return run->command.trying && run->command.trying(run->command.context, wrapper, waits) != 0;
}

static bool is_to_end(struct throwaway *throwaway)
{
	throwaway->given_up = throwaway_is_given_up(throwaway->run, throwaway->name, false);
	return throwaway->given_up || clock_nanoseconds() >= throwaway->deadline;
}

static void follow(struct child *child, int from, struct throwaway *throwaway, struct text *said,
		   struct child_event *ret_event, bool *ret_late)
{
	for (;;) {
		listen_to(from, said);
		if (child_event(child, ret_event, NULL) < 0 || ret_event->kind == CHILD_OVER)
			break;
		if (!*ret_late && is_to_end(throwaway)) {
			*ret_late = true;
			child_end(child);
		}
		struct pollfd on[] = { { .fd = child_descriptor(child), .events = POLLIN },
				       { .fd = from, .events = POLLIN } };
		poll(on, N_ELEMENTS(on), *ret_late ? 20 : until(throwaway->deadline));
		if (on[1].revents & POLLHUP)	/* nobody writes any more */
			poll(on, 1, *ret_late ? 20 : until(throwaway->deadline));
	}
	listen_to(from, said);
}

static void note(const struct child_event *event, bool late, struct text *said, struct outcome *outcome)
{
	outcome->started = true;
	outcome->late = late;
	outcome->success = event->kind == CHILD_OVER && event->ending == PINFOLD_ENDED && event->value == 0;
	outcome->survivors = event->survivors;
	outcome->left = event->left;
	if (event->ending == PINFOLD_SIGNALLED && said->length == 0)
		text_addf(said, "it was ended by signal %d", event->value);
	text_add_bytes(said, "", 1);
	outcome->output = text_take(said);
}

static int build_in(struct pinfold_run *build, struct throwaway *throwaway, size_t trial, bool with,
		    int from, struct outcome *outcome, struct pinfold_error *err)
{
	const struct wrapping *wrapping = throwaway->wrapping;
	auto_list struct list argv = { 0 };
	struct child_event event = { 0 };
	struct text said = { 0 };
	bool late = false;
	if (confine_prepare(build, err) < 0)
		return -1;
	auto_free char *project = path_join(build->arm.plan.temporary, project_name);
	if (!project || wrapping->toolchain->arguments(&wrapping->look, trial, with, project, &argv) < 0)
		return fault_no_memory(err);
	if (surround(build, throwaway, with, project, err) < 0 || start(build, &argv, err) < 0)
		return -1;
	cleanup_fd(&build->streams.given[2]);
	build->streams.given[2] = -1;
	follow(build->child, from, throwaway, &said, &event, &late);
	child_free(take_pointer(&build->child));
	note(&event, late, &said, outcome);
	return 0;
}

static void release(struct pinfold_run *build)
{
	child_free(take_pointer(&build->child));
	settle_attempt_arm(build);
	free(build->program);
	cleanup_fd(&build->streams.given[2]);
}

static int build_at(struct throwaway *throwaway, size_t trial, bool with, struct outcome *outcome,
		    struct pinfold_error *err)
{
	struct pinfold_run build;
	int ends[2];
	auto_free char *place = NULL;
	struct aside aside = { 0 };
	auto_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, action, "its streams",
			     "check the number of descriptors (ulimit -n)");
	auto_close int from = ends[0];
	fcntl(from, F_SETFL, O_NONBLOCK);
	borrow(&build, throwaway->run, null, ends[1]);
	int result = name_place(&build, &place, err);
	if (result == 0)
		result = lay_aside(throwaway->run, &build, &aside, err);
	if (result == 0)
		result = build_in(&build, throwaway, trial, with, from, outcome, err);
	release(&build);
	free(aside.layers);
	return result;
}

/* A program that is not there, or is none, is the toolchain's; all else that keeps a build from being started, such
 * as a gap of the policy or a full disk, is this run's. */
static bool is_toolchains(const struct pinfold_error *why)
{
	return why->code == PINFOLD_E_NOT_FOUND || why->code == PINFOLD_E_NOT_EXECUTABLE;
}

void throwaway_build(void *context, size_t trial, bool with, struct outcome *ret_outcome)
{
	struct throwaway *throwaway = context;
	const struct pinfold_run *run = throwaway->run;
	struct pinfold_error why = { 0 };
	struct outcome outcome = { 0 };
	int result = -1;
	auto_close int temporary = run->shown.temporary ?
		open(run->shown.temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (throwaway->given_up)
		fault(&why, PINFOLD_E_SYSTEM, ECANCELED, action, "the caller gave up", "run the command again");
	else if (temporary < 0 || make_place(temporary, throwaway->wrapping->toolchain, run->nonce) < 0)
		fault(&why, PINFOLD_E_SYSTEM, errno, action, "in the run's temporary directory",
		      "check that the scratch directory can be written and has room");
	else
		result = build_at(throwaway, trial, with, &outcome, &why);
	remove_place(run, temporary);
	if (result < 0) {
		struct text text = { 0 };
		throwaway->unfit |= !is_toolchains(&why);
		throwaway->refused |= why.code == PINFOLD_E_SANDBOX_DENIED;
		text_addf(&text, "cannot %s: %s", why.action, why.subject);
		if (why.sys)
			text_addf(&text, " (%s)", strerrordesc_np(why.sys));
		outcome_release(&outcome);
		outcome.output = text_take(&text);
	}
	*ret_outcome = outcome;
}
