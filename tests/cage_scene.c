/* tests/cage_scene.c - a command to launch, under an arm that makes every namespace and confines nothing. */
#include "config.h"

#include "cage_scene.h"

#include <linux/mount.h>

static const char *const plain_environment[] = { "PATH=/usr/bin:/bin", "PINFOLD_RUN=test-mark", NULL };

static int fake_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	struct fake_state *state = plan->state;
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	const struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY };
	if (stage == PINFOLD_STAGE_AHEAD)
		state->ahead = true;
	state->views += stage == PINFOLD_STAGE_VIEW;
	if (stage == PINFOLD_STAGE_VIEW && state->read_only)
		return (int)raw(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attributes,
				sizeof(attributes));
	if (stage == PINFOLD_STAGE_VIEW && state->open &&
	    (raw(SYS_fcntl, state->open, F_GETFD) < 0 || raw(SYS_fcntl, state->closed, F_GETFD) != -EBADF))
		return -EBADF;
	if (stage == PINFOLD_STAGE_APPLY && state->drop) {
		raw(SYS_prctl, PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
		raw(SYS_capset, &header, none);
	}
	return state->fail_stage == (int)stage ? (int)-state->fail_with : 0;
}

static const struct pinfold_arm fake_arm = {
	.size = sizeof(fake_arm),
	.name = "fake",
	.enter = fake_enter,
};

void scene_open(struct scene *scene, uint64_t namespaces, const char *script)
{
	*scene = (struct scene){ .state = { .fail_stage = -1 } };
	assert_int_equal(pipe2(scene->out, O_CLOEXEC), 0);
	scene->argv[0] = "sh";
	scene->argv[1] = "-c";
	scene->argv[2] = script;
	scene->plan = (struct pinfold_plan){
		.size = sizeof(scene->plan),
		.namespaces = namespaces,
		.state = &scene->state,
		.failed = &scene->state.failed,
	};
	scene->launch = (struct launch){
		.arm = &fake_arm,
		.plan = &scene->plan,
		.program = "/bin/sh",
		.argv = scene->argv,
		.envp = plain_environment,
		.directory = "/",
		.streams = { open("/dev/null", O_RDWR | O_CLOEXEC), scene->out[1], 2 },
		.own_session = true,
		.terminal = -1,
	};
}

void scene_close(struct scene *scene)
{
	close(scene->launch.streams[0]);
	close(scene->out[0]);
	if (scene->out[1] >= 0)
		close(scene->out[1]);
}

struct child_event await(struct child *child)
{
	struct child_event event = { 0 };
	while (event.kind == CHILD_NOTHING) {
		struct pollfd on = { .fd = child_descriptor(child), .events = POLLIN };
		assert_true(poll(&on, 1, 20000) > 0);
		assert_int_equal(child_event(child, &event, NULL), 0);
	}
	return event;
}

/* Runs the scene to its end; what it wrote goes to `ret_output`. */
struct child_event play(struct scene *scene, char **ret_output)
{
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	if (child_start(&scene->launch, NULL, &child, NULL, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, strerror(err.sys));
	close(scene->out[1]);
	scene->out[1] = -1;
	struct child_event event = await(child);
	size_t bytes;
	if (ret_output)
		assert_int_equal(fd_read_all(scene->out[0], 1 << 20, ret_output, &bytes), 0);
	child_free(child);
	return event;
}

const uint64_t both[2] = { 0, ALL_NAMESPACES };
