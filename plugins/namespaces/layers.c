/* plugins/namespaces/layers.c - private layers over caches: an overlay in the user namespace, whose
 * upper part lies in the run's temporary directory and ends with it. */
#include "config.h"

#include "calls.h"
#include "namespaces.h"

#define SHARED_UPPER UPPER_DIRECTORY "/home"
#define SHARED_WORK UPPER_DIRECTORY "/home.work"
#define SHARED_PLACE UPPER_DIRECTORY "/home.shown"

/* "/proc/self/fd/N": an option's text in which no byte of a path can mean something else. */
static const char *name_descriptor(char room[32], int fd)
{
	static const char prefix[] = "/proc/self/fd/";
	char *end = room + 31;
	*end = '\0';
	do
		*--end = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	for (size_t i = sizeof(prefix) - 1; i > 0; i--)
		*--end = prefix[i - 1];
	return end;
}

static long set_directory(const struct pinfold_host *host, long context, const char *key, int fd)
{
	char room[32];
	return call(host, SYS_fsconfig, context, FSCONFIG_SET_STRING, key, name_descriptor(room, fd), 0);
}

static long configure(const struct pinfold_host *host, long context, int lower, int upper, int work)
{
	long result = set_directory(host, context, "lowerdir", lower);
	if (result == 0)
		result = set_directory(host, context, "upperdir", upper);
	if (result == 0)
		result = set_directory(host, context, "workdir", work);
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_SET_FLAG, "userxattr", 0, 0);
	/* Nothing of it is to outlive the run, let alone a crash. */
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_SET_FLAG, "volatile", 0, 0);
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
	return result;
}

static long open_overlay(const struct pinfold_host *host, int lower, int upper, int work)
{
	long context = call(host, SYS_fsopen, "overlay", FSOPEN_CLOEXEC);
	if (context < 0)
		return context;
	long result = configure(host, context, lower, upper, work);
	if (result == 0)
		result = call(host, SYS_fsmount, context, FSMOUNT_CLOEXEC,
			      MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	call_close(host, context);
	return result;
}

static long open_run_temporary(const struct pinfold_host *host, const struct state *state)
{
	struct statx status;
	long fd = call_open(host, AT_FDCWD, state->run_temporary, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return fd;
	if (call_status(host, (int)fd, &status) == 0 && status.stx_ino == state->run_identity.inode &&
	    status.stx_dev_major == state->run_identity.major &&
	    status.stx_dev_minor == state->run_identity.minor)
		return fd;
	call_close(host, fd);
	return -ESTALE;
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
		return open_run_temporary(host, state);
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
		result = open_overlay(host, lower, (int)upper, (int)work);
	call_close(host, work);
	call_close(host, upper);
	return result;
}

long layer_make(const struct pinfold_host *host, const struct place *place, int base, int lower)
{
	return make_layer(host, base, place->upper, place->work, lower);
}

long layer_share(const struct pinfold_host *host, int base, int lower)
{
	long tree = make_layer(host, base, SHARED_UPPER, SHARED_WORK, lower);
	if (tree < 0)
		return tree;
	long result = call_lay(host, (int)tree, base, SHARED_PLACE);
	if (result == 0)
		return tree;
	call_close(host, tree);
	return result;
}
