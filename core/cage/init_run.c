/* cage/init_run.c - the runner: becomes the command inside a confinement that another program made.
 *
 * That program (bubblewrap) was given an empty environment and reports its own failures as an exit
 * code of 1, which a command may have as well. The runner brings the command's environment in a file
 * of its own and says on a pipe which step failed.
 */
#include "base/raw.h"
#include "cage/child.h"
#include "cage/init_calls.h"
#include "cage/protocol.h"
#include "cage/shed.h"
#include "cage/watch_install.h"

static void report(int status, uint32_t step, long result)
{
	struct runner_status said = { .step = step, .sys = (int32_t)-result };
	raw(SYS_write, status, &said, sizeof(said));
}

/* Points at `count` strings that lie one after the other; their end, or 0 when they do not fit. */
static char *point_at(char *at, const char *end, char **to, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		to[i] = at;
		while (at < end && *at)
			at++;
		if (at >= end)
			return 0;
		at++;
	}
	to[count] = 0;
	return at;
}

static long is_confined(void)
{
	if (raw(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return -EPERM;
	return raw(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == 2 ? 0 : -EPERM;
}

/* Whoever confines has laid his own filter before. */
static long watch(const struct runner_order *head, struct sock_filter *instructions)
{
	const struct sock_fprog filter = { (unsigned short)head->filter_count, instructions };
	return head->filter_count ? watch_install(head->watch, &filter, -EBADF) : 0;
}

static long close_others(int status, const int *kept, uint32_t count)
{
	long result = shed_on_exec();
	for (uint32_t i = 0; result >= 0 && i < count; i++)
		if (kept[i] != status)
			result = raw(SYS_fcntl, kept[i], F_SETFD, 0);
	return result < 0 ? result : 0;
}

static long map_order(int order, char **ret_base, long *ret_size)
{
	struct stat about;
	long result = raw(SYS_fstat, order, &about);
	if (result < 0)
		return result;
	if (about.st_size < (long)sizeof(struct runner_order))
		return -EINVAL;
	long base = raw(SYS_mmap, 0, about.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, order, 0);
	if (base < 0 && base > -4096)
		return base;
	*ret_base = (char *)base;
	*ret_size = about.st_size;
	return 0;
}

void init_run(int order, int status)
{
	char *base = 0;
	long size = 0, result = map_order(order, &base, &size);
	if (result < 0)
		return report(status, CHILD_STEP_CONSUME, result);
	const struct runner_order *head = (const struct runner_order *)base;
	uint64_t pointers = (uint64_t)head->argument_count + head->variable_count + 3;
	char *strings = base + sizeof(*head), *end = strings + head->string_bytes;
	const int *kept = (const int *)(const void *)end;
	struct sock_filter *filter = (struct sock_filter *)(void *)(end + head->kept_count * sizeof(int));
	if (pointers > 1u << 24 || head->string_bytes % sizeof(int) != 0 || head->filter_count > BPF_MAXINSNS ||
	    sizeof(*head) + head->string_bytes + (uint64_t)head->kept_count * sizeof(int) +
	    head->filter_count * sizeof(struct sock_filter) != (uint64_t)size)
		return report(status, CHILD_STEP_CONSUME, -EINVAL);
	long room = raw(SYS_mmap, 0, pointers * sizeof(char *), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room < 0 && room > -4096)
		return report(status, CHILD_STEP_CONSUME, room);
	char **argv = (char **)room, **envp = argv + head->argument_count + 1;
	char *program = strings, *ignored[2];
	char *at = point_at(strings, end, ignored, 1);
	at = at ? point_at(at, end, argv, head->argument_count) : 0;
	at = at ? point_at(at, end, envp, head->variable_count) : 0;
	if (!at)
		return report(status, CHILD_STEP_CONSUME, -EINVAL);
	if ((result = is_confined()) < 0)
		return report(status, CHILD_STEP_VERIFY, result);
	if ((result = watch(head, filter)) < 0)
		return report(status, CHILD_STEP_WATCH, result);
	if ((result = close_others(status, kept, head->kept_count)) < 0)
		return report(status, CHILD_STEP_FDS, result);
	report(status, CHILD_STEP_EXEC, 0);
	result = raw(SYS_execve, program, argv, envp);
	report(status, CHILD_STEP_EXEC, result);
}
