/* cage/launch.c - starting a child: its launch, and what is said when a step of it fails. */
#include "config.h"

#include "cage/embryo.h"
#include "cage/foreground.h"
#include "cage/handle.h"
#include "cage/steps.h"
#include "cage/through.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"

#include <errno.h>
#include <sys/stat.h>

static void find_nonce(struct child *child, const char *const *envp)
{
	for (size_t i = 0; envp[i]; i++)
		if (starts_with(envp[i], "PINFOLD_RUN=") && strlen(envp[i]) < sizeof(child->nonce))
			memcpy(child->nonce, envp[i], strlen(envp[i]) + 1);
}

static struct child *child_new(struct embryo *embryo, const struct launch *launch)
{
	struct child *child = calloc(1, sizeof(*child));
	if (!child)
		return NULL;
	child->control = take_fd(&embryo->host_end);
	child->supervisor = embryo->supervisor;
	child->supervisor_fd = take_fd(&embryo->supervisor_fd);
	child->own_terminal = launch->own_terminal;
	child->terminal = launch->own_session || launch->own_terminal ? -1 : take_fd(&embryo->birth.terminal);
	child->in_front = child->terminal >= 0 && embryo->birth.foreground;
	find_nonce(child, launch->envp);
	return child;
}

/* Takes the embryo. `ret_step` gets the step that failed. */
static int grow(struct embryo *embryo, const struct launch *launch, struct child **ret_child,
		uint32_t *ret_step, struct pinfold_error *err)
{
	embryo->birth.foreground = foreground_wanted(launch);
	embryo_grow(embryo, launch);
	*ret_step = embryo->birth.failed_step;
	int sys = embryo->birth.failed_sys;
	struct child *child = *ret_step == CHILD_STEP_NONE ? child_new(embryo, launch) : NULL;
	if (!child) {
		if (embryo->birth.foreground && !launch->own_terminal)
			foreground_take(launch->terminal);
		/* The supervisor has ended, or does as soon as our end of its socket is closed. */
		cleanup_fd(&embryo->host_end);
		embryo->host_end = -1;
		int result = !embryo->birth.not_handed ? 0 : handed_fault(embryo->birth.not_handed, sys, err);
		child_abandon(embryo);
		if (result < 0)
			return result;
		return *ret_step == CHILD_STEP_NONE ? fault_no_memory(err) :
						      steps_fault(launch, *ret_step, sys, err);
	}
	embryo_free(embryo);
	*ret_child = child;
	return 0;
}

static bool suits(const struct embryo *embryo, const struct launch *launch)
{
	return embryo && embryo->namespaces == (launch->plan ? launch->plan->namespaces : 0) &&
	       (!embryo->birth.plan || embryo->birth.plan == launch->plan);
}

static int start_once(const struct launch *launch, struct embryo *embryo, struct child **ret_child,
		      uint32_t *ret_step, struct pinfold_error *err)
{
	if (!suits(embryo, launch)) {
		child_abandon(embryo);
		*ret_step = CHILD_STEP_NAMESPACES;
		if (child_begin(launch, launch->plan ? launch->plan->namespaces : 0, &embryo, err) < 0)
			return -1;
	}
	return grow(embryo, launch, ret_child, ret_step, err);
}

/* The other program gets what the host opened, on the host's mounts. */
static int refuse_handed(const struct launch *launch, struct pinfold_error *err)
{
	struct handed *files;
	size_t count;
	if (handed_list(launch->streams, launch->kept, &files, &count, err) < 0)
		return -1;
	int result = count ? handed_fault(files[0].path, 0, err) : 0;
	handed_free(files, count);
	return result;
}

static int start_through(const struct launch *launch, struct child **ret_child, uint32_t *ret_step,
			 struct pinfold_error *err)
{
	struct through through;
	struct child *child = NULL;
	int sys = 0, result = through_prepare(&through, launch, err);
	if (result == 0)
		result = refuse_handed(launch, err);
	if (result == 0)
		result = start_once(&through.launch, NULL, &child, ret_step, err);
	if (result == 0 && through_wait(&through, ret_step, &sys) < 0) {
		child_end(child);
		child_free(child);
		result = steps_fault(launch, *ret_step, sys, err);
	} else if (result == 0) {
		*ret_child = child;
	}
	through_release(&through);
	return result;
}

int child_start(const struct launch *launch, struct embryo *embryo, struct child **ret_child,
		uint32_t *ret_step, struct pinfold_error *err)
{
	uint32_t step = CHILD_STEP_NONE;
	int result;
	if (launch->plan && launch->plan->through) {
		child_abandon(embryo);
		result = start_through(launch, ret_child, &step, err);
	} else {
		result = start_once(launch, embryo, ret_child, &step, err);
	}
	if (ret_step)
		*ret_step = step;
	return result;
}
