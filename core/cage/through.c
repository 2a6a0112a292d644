/* cage/through.c - launching through a program that makes the confinement itself (bubblewrap). */
#include "config.h"

#include "cage/through.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/places.h"
#include "base/text.h"
#include "cage/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sys/mman.h>

static size_t count_of(const char *const *items)
{
	size_t count = 0;
	while (items[count])
		count++;
	return count;
}

static size_t kept_count(const int *kept)
{
	size_t count = 0;
	while (kept && kept[count] >= 0)
		count++;
	return count;
}

static void add_strings(struct text *text, const char *const *items)
{
	for (size_t i = 0; items[i]; i++)
		text_add_bytes(text, items[i], strlen(items[i]) + 1);
}

/* The runner's order as bytes: protocol.h has the form. */
static int write_order(struct through *through, const struct launch *launch,
		       struct pinfold_error *err)
{
	struct runner_order head = {
		.argument_count = (uint32_t)count_of(launch->argv),
		.variable_count = (uint32_t)count_of(launch->envp),
		.kept_count = (uint32_t)kept_count(launch->kept),
		.filter_count = launch->watch && launch->watch_filter ? launch->watch_filter->len : 0,
		.watch = launch->watch,
	};
	struct text text = { 0 };
	text_add_bytes(&text, &head, sizeof(head));
	text_add_bytes(&text, launch->program, strlen(launch->program) + 1);
	add_strings(&text, launch->argv);
	add_strings(&text, launch->envp);
	while (text.length % sizeof(int) != 0)
		text_add_bytes(&text, "", 1);
	head.string_bytes = (uint32_t)(text.length - sizeof(head));
	if (launch->kept)
		text_add_bytes(&text, launch->kept, head.kept_count * sizeof(int));
	if (head.filter_count)
		text_add_bytes(&text, launch->watch_filter->filter, head.filter_count * sizeof(struct sock_filter));
	if (!text.failed)
		memcpy(text.data, &head, sizeof(head));
	through->order = memfd_create("pinfold-order", MFD_CLOEXEC);
	bool written = !text.failed && through->order >= 0 &&
		       fd_write_all(through->order, text.data, text.length) == 0;
	int sys = errno;
	text_release(&text);
	if (!written)
		return fault(err, PINFOLD_E_SYSTEM, sys, "hand the command to the confining program",
			     launch->program, "free memory on this machine and try again");
	return 0;
}

static int make_descriptors(struct through *through, struct pinfold_error *err)
{
	through->program = open(places_init(), O_PATH | O_CLOEXEC);
	if (through->program < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "open the supervisor's program",
			     places_init(), "install pinfold completely");
	if (pipe2(through->status, O_CLOEXEC) < 0)
		return fault(err, PINFOLD_E_SYSTEM, errno, "make the runner's status pipe", "this process",
			     "raise the number of open files (ulimit -n)");
	return 0;
}

/* The program must inherit what it reads itself, what the runner needs, and what the command keeps. */
static int list_kept(struct through *through, const struct launch *launch)
{
	size_t count = kept_count(launch->kept), at = 0;
	const int *own = launch->plan->through_fds;
	through->kept = calloc(count + 9, sizeof(int));
	if (!through->kept)
		return -1;
	for (size_t i = 0; i < count; i++)
		through->kept[at++] = launch->kept[i];
	for (size_t i = 0; i < N_ELEMENTS(launch->plan->through_fds); i++)
		if (own[i] >= 0)
			through->kept[at++] = own[i];
	through->kept[at++] = through->order;
	through->kept[at++] = through->status[1];
	through->kept[at++] = through->program;
	if (launch->watch)
		through->kept[at++] = launch->watch;
	through->kept[at] = -1;
	return 0;
}

static int list_arguments(struct through *through, const struct launch *launch)
{
	int result = 0;
	for (size_t i = 0; launch->plan->through[i]; i++)
		result |= list_add(&through->argv, launch->plan->through[i]);
	result |= list_addf(&through->argv, "/proc/self/fd/%d", through->program);
	result |= list_add(&through->argv, INIT_AS_RUNNER);
	result |= list_addf(&through->argv, "%d", through->order);
	result |= list_addf(&through->argv, "%d", through->status[1]);
	return result;
}

int through_prepare(struct through *through, const struct launch *launch, struct pinfold_error *err)
{
	static const char *const no_environment[] = { NULL };
	*through = (struct through){ .order = -1, .status = { -1, -1 }, .program = -1 };
	if (write_order(through, launch, err) < 0 || make_descriptors(through, err) < 0)
		return -1;
	if (list_arguments(through, launch) < 0 || list_kept(through, launch) < 0)
		return fault_no_memory(err);
	through->launch = *launch;
	through->launch.program = launch->plan->through[0];
	through->launch.argv = (const char *const *)through->argv.items;
	through->launch.envp = no_environment;
	through->launch.kept = through->kept;
	through->launch.directory = "/";
	through->launch.watch = 0;	/* the runner lays the filter, inside */
	through->launch.helper_count = 0;	/* nothing confines them yet where this program begins */
	return 0;
}

int through_wait(struct through *through, uint32_t *ret_step, int *ret_sys)
{
	struct runner_status said;
	bool reached = false;
	close(through->status[1]);
	through->status[1] = -1;
	for (;;) {
		ssize_t got = read(through->status[0], &said, sizeof(said));
		if (got < 0 && errno == EINTR)
			continue;
		if (got != sizeof(said))
			break;
		if (said.sys == 0) {
			reached = true;
			continue;
		}
		*ret_step = said.step;
		*ret_sys = said.sys;
		return -1;
	}
	if (reached)
		return 0;
	*ret_step = CHILD_STEP_APPLY;
	*ret_sys = 0;
	return -1;
}

void through_release(struct through *through)
{
	cleanup_fd(&through->order);
	cleanup_fd(&through->status[0]);
	cleanup_fd(&through->status[1]);
	cleanup_fd(&through->program);
	list_release(&through->argv);
	free(through->kept);
}
