/* plugins/namespaces/layers.c - in the child: private layers, each an overlay in the user namespace. Their
 * upper parts lie in memory, in the run's temporary directory, or where the host keeps them. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"

#include <sys/mount.h>
#include <sys/stat.h>

#define SHARED_UPPER UPPER_DIRECTORY "/home"
#define SHARED_WORK UPPER_DIRECTORY "/home.work"
#define SHARED_PLACE UPPER_DIRECTORY "/home.shown"

/* "/proc/self/fd/N": an option's text in which no byte of a path can mean something else. It ends at `end`. */
static char *name_before(char *end, int fd)
{
	static const char prefix[] = "/proc/self/fd/";
	do
		*--end = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	for (size_t i = sizeof(prefix) - 1; i > 0; i--)
		*--end = prefix[i - 1];
	return end;
}

/* Two of them lie one over the other; `under` is -1 for none. */
static long set_directory(const struct pinfold_host *host, long context, const char *key, int fd, int under)
{
	char room[64], *at = room + sizeof(room) - 1;
	*at = '\0';
	if (under >= 0) {
		at = name_before(at, under);
		*--at = ':';
	}
	return call(host, SYS_fsconfig, context, FSCONFIG_SET_STRING, key, name_before(at, fd), 0);
}

static long set_word(const struct pinfold_host *host, long context, const char *key, const char *word)
{
	return call(host, SYS_fsconfig, context, FSCONFIG_SET_STRING, key, word, 0);
}

/* What one overlay is made of. */
struct stack {
	int lower, under;	/* the former over the latter, which may be -1 */
	int upper, work;
};

/* The attributes that users may set, for those of root's cannot be had here: with them go redirections of
 * directories. What an index or a file of metadata alone would leave in the upper part nobody could read
 * who is not the kernel. */
static long configure(const struct pinfold_host *host, long context, const struct stack *stack, bool lasting)
{
	long result = set_directory(host, context, "lowerdir", stack->lower, stack->under);
	if (result == 0)
		result = set_directory(host, context, "upperdir", stack->upper, -1);
	if (result == 0)
		result = set_directory(host, context, "workdir", stack->work, -1);
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_SET_FLAG, "userxattr", 0, 0);
	if (result == 0)
		result = set_word(host, context, "index", "off");
	if (result == 0)
		result = set_word(host, context, "metacopy", "off");
	if (result == 0)
		result = set_word(host, context, "xino", "off");
	if (result == 0 && !lasting)
		result = call(host, SYS_fsconfig, context, FSCONFIG_SET_FLAG, "volatile", 0, 0);
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
	return result;
}

static long open_stack(const struct pinfold_host *host, const struct stack *stack, bool lasting)
{
	long context = call(host, SYS_fsopen, "overlay", FSOPEN_CLOEXEC);
	if (context < 0)
		return context;
	long result = configure(host, context, stack, lasting);
	if (result == 0)
		result = call(host, SYS_fsmount, context, FSMOUNT_CLOEXEC,
			      MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	call_close(host, context);
	return result;
}

long layer_open(const struct pinfold_host *host, int lower, int upper, int work, bool lasting)
{
	const struct stack stack = { .lower = lower, .under = -1, .upper = upper, .work = work };
	return open_stack(host, &stack, lasting);
}

static long make_directories(const struct pinfold_host *host, const struct state *state, int base)
{
	static const char *const shared[] = { SHARED_UPPER, SHARED_WORK, SHARED_PLACE };
	long result = call(host, SYS_mkdirat, base, UPPER_DIRECTORY, 0700);
	for (size_t i = 0; result == 0 && state->shared && i < sizeof(shared) / sizeof(shared[0]); i++)
		result = call(host, SYS_mkdirat, base, shared[i], 0755);
	for (size_t i = 0; result == 0 && i < state->layout.count; i++) {
		const struct place *place = &state->layout.places[i];
		if (place->kind != PLACE_LAYER || place->inside)
			continue;
		result = call(host, SYS_mkdirat, base, place->upper, 0755);
		if (result == 0)
			result = call(host, SYS_mkdirat, base, place->work, 0700);
	}
	return result;
}

long layer_base(const struct pinfold_host *host, const struct state *state, int skeleton)
{
	if (!state->memory)
		return known_open(host, state, state->run_temporary, &state->run_identity);
	long result = make_directories(host, state, skeleton);
	return result < 0 ? result : skeleton;
}

static long make_layer(const struct pinfold_host *host, int base, const char *upper_path,
		       const char *work_path, int lower)
{
	long upper = call_open(host, base, upper_path, O_PATH | O_DIRECTORY);
	long work = call_open(host, base, work_path, O_PATH | O_DIRECTORY);
	long result = upper < 0 ? upper : work;
	if (result >= 0)
		result = layer_open(host, lower, (int)upper, (int)work, false);
	call_close(host, work);
	call_close(host, upper);
	return result;
}

long layer_make(const struct pinfold_host *host, const struct place *place, int base, int lower)
{
	return make_layer(host, base, place->upper, place->work, lower);
}

/* What the tree's own directory looks like is the upper one's to say. */
static long imitate(const struct pinfold_host *host, int lower, int skeleton, const char *upper)
{
	struct statx found;
	long result = call(host, SYS_statx, lower, "", AT_EMPTY_PATH, STATX_MODE | STATX_MTIME, &found);
	const struct timespec times[2] = {
		{ .tv_nsec = UTIME_OMIT },
		{ .tv_sec = (time_t)found.stx_mtime.tv_sec, .tv_nsec = found.stx_mtime.tv_nsec },
	};
	if (result == 0)
		result = call(host, SYS_fchmodat, skeleton, upper, found.stx_mode & 07777);
	return result < 0 ? result : call(host, SYS_utimensat, skeleton, upper, times, 0);
}

/* Two directories in memory. */
static long make_parts(const struct pinfold_host *host, int lower, int skeleton, long *ret_upper,
		       long *ret_work)
{
	long result = call(host, SYS_mkdirat, skeleton, "kept", 0755);
	if (result == 0)
		result = call(host, SYS_mkdirat, skeleton, "kept.work", 0700);
	if (result == 0)
		result = imitate(host, lower, skeleton, "kept");
	if (result == 0)
		result = *ret_upper = call_open(host, skeleton, "kept", O_PATH | O_DIRECTORY);
	if (result >= 0)
		result = *ret_work = call_open(host, skeleton, "kept.work", O_PATH | O_DIRECTORY);
	return result < 0 ? result : 0;
}

static long open_parts(const struct pinfold_host *host, const struct state *state, const struct parts *kept,
		       long *ret_upper, long *ret_work)
{
	*ret_upper = known_open(host, state, kept->upper, &kept->upper_identity);
	if (*ret_upper < 0)
		return *ret_upper;
	*ret_work = known_open(host, state, kept->work, &kept->work_identity);
	return *ret_work < 0 ? *ret_work : 0;
}

/* Gives up both descriptors. */
static long lay_parts(const struct pinfold_host *host, int lower, long upper, long work, bool lasting,
		      long result)
{
	if (result == 0)
		result = layer_open(host, lower, (int)upper, (int)work, lasting);
	call_close(host, work);
	call_close(host, upper);
	return result;
}

static long keep_one(const struct pinfold_host *host, const struct state *state, const struct parts *kept,
		     int lower)
{
	long upper = -1, work = -1;
	long result = open_parts(host, state, kept, &upper, &work);
	return lay_parts(host, lower, upper, work, kept->lasting, result);
}

/* An overlay that need not outlive a crash marks its directory to work in before it is refused, and the mark has
 * the next one refused. */
static void unmark(const struct pinfold_host *host, const struct state *state, const struct parts *kept)
{
	static const char *const marks[] = { "work/incompat/volatile", "work/incompat" };
	long work = known_open(host, state, kept->work, &kept->work_identity);
	call(host, SYS_unlinkat, work, "work/incompat/volatile/dirty", 0);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		call(host, SYS_unlinkat, work, marks[i], AT_REMOVEDIR);
	call_close(host, work);
}

/* Laid where it does not matter: whatever covers the host's devices covers it. What serves nobody goes again, for
 * its upper part is to be laid otherwise. */
static long keep_over_overlay(const struct pinfold_host *host, const struct state *state, const struct parts *kept,
			      int lower)
{
	long first = keep_one(host, state, kept->beneath, lower);
	if (first < 0)
		return first;
	long result = call_lay(host, (int)first, AT_FDCWD, "/dev");
	long second = result < 0 ? result : keep_one(host, state, kept, (int)first);
	if (result == 0 && second < 0)
		call(host, SYS_umount2, "/dev", MNT_DETACH);
	call_close(host, first);
	return second;
}

static long keep_over_both(const struct pinfold_host *host, const struct state *state, const struct parts *kept,
			   int lower)
{
	long upper = -1, work = -1;
	long between = known_open(host, state, kept->beneath->upper, &kept->beneath->upper_identity);
	long result = between < 0 ? between : open_parts(host, state, kept, &upper, &work);
	if (result == 0) {
		const struct stack stack = { (int)between, lower, (int)upper, (int)work };
		result = open_stack(host, &stack, kept->lasting);
	}
	call_close(host, work);
	call_close(host, upper);
	call_close(host, between);
	return result;
}

/* An overlay over an overlay is refused where what is layered is itself one over another. One over two lower
 * directories is not, but where one of them lies in the other, as the scratch directory does in a home. What has
 * both is refused: in the command's own upper part it would be a change of the command's. */
long layer_keep(const struct pinfold_host *host, const struct state *state, const struct parts *kept, int lower)
{
	if (!kept->beneath)
		return keep_one(host, state, kept, lower);
	long result = keep_over_overlay(host, state, kept, lower);
	if (result >= 0)
		return result;
	unmark(host, state, kept);
	return keep_over_both(host, state, kept, lower);
}

long layer_remember(const struct pinfold_host *host, int lower, int skeleton)
{
	long upper = -1, work = -1;
	long result = make_parts(host, lower, skeleton, &upper, &work);
	return lay_parts(host, lower, upper, work, false, result);
}

long layer_share(const struct pinfold_host *host, const struct state *state, const struct parts *kept, int base, int lower)
{
	long tree = kept ? layer_keep(host, state, kept, lower) :
			   make_layer(host, base, SHARED_UPPER, SHARED_WORK, lower);
	if (tree < 0)
		return tree;
	long result = call_lay(host, (int)tree, base, SHARED_PLACE);
	if (result == 0)
		return tree;
	call_close(host, tree);
	return result;
}
