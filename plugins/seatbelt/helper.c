/* plugins/seatbelt/helper.c - vetting, starting and ending the helper.
 *
 * A keeper stands between: it waits for the lifeline to be closed, which the end of this process does however
 * it comes, and ends the helper then. It is no program of its own.
 */
#include "helper.h"

#include "denials.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

static const char system_helper[] = "/usr/bin/log";
static const char *other_helper;

void helper_from(const char *program)
{
	other_helper = program;
}

static const char *vet_one(const struct pinfold_host *host, const char *path, bool directory)
{
	struct stat found;
	const char *wrong = NULL;
	if (lstat(path, &found) < 0)
		wrong = strerror(errno);
	else if (directory ? !S_ISDIR(found.st_mode) : !S_ISREG(found.st_mode))
		wrong = "it is something else than it should be";
	else if (found.st_uid != 0)
		wrong = "it does not belong to root";
	else if (found.st_mode & (S_IWGRP | S_IWOTH))
		wrong = "others may write it";
	const char *text = wrong ? host->print(host, "%s: %s", path, wrong) : NULL;
	return wrong && !text ? wrong : text;
}

const char *denials_vet(const struct pinfold_host *host, const char *path)
{
	struct statvfs volume;
	const char *trouble = vet_one(host, path, false);
	for (const char *at = strrchr(path, '/'); !trouble && at; at = at == path ? NULL : at) {
		const char *above = host->print(host, "%.*s", at == path ? 1 : (int)(at - path), path);
		trouble = above ? vet_one(host, above, true) : "memory is gone";
		if (at == path)
			break;
		while (at > path && *--at != '/')
			;
	}
	if (trouble)
		return trouble;
	if (statvfs(path, &volume) < 0 || !(volume.f_flag & ST_RDONLY))
		return "the volume that it lies on can be written";
	return NULL;
}

_Noreturn static void run_helper(const struct calls *calls, const char *program, int output)
{
	/* By the kernel alone: anybody may write to the log. */
	static char predicate[] = "processID == 0 AND senderImagePath CONTAINS \"/Sandbox\" AND "
				  "(eventMessage CONTAINS \"pinfold.run.\" OR eventMessage CONTAINS \"pinfold.fence.\")";
	char *argv[] = { (char *)program, "stream", "--style", "ndjson", "--predicate", predicate, NULL };
	char *envp[] = { NULL };
	int nothing = open("/dev/null", O_RDWR);
	if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(nothing, 2) >= 0 && dup2(output, 1) >= 0)
		calls->execute(program, argv, envp);
	_exit(127);
}

_Noreturn static void keep(const struct calls *calls, const char *program, int output, int lifeline)
{
	struct pollfd watched = { lifeline, POLLIN, 0 };
	int status;
	pid_t child = calls->fork_process();
	if (child == 0)
		run_helper(calls, program, output);
	close(output);
	while (child > 0 && poll(&watched, 1, 200) <= 0 && waitpid(child, &status, WNOHANG) == 0)
		;
	if (child > 0)
		calls->signal_process(child, SIGKILL);
	_exit(0);
}

static int make_pipe(int ends[2])
{
	if (pipe(ends) < 0)
		return -1;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static const char *begin(const struct calls *calls, const char *program, struct helper *helper)
{
	int output[2], lifeline[2];
	if (make_pipe(output) < 0)
		return "no pipe could be made";
	if (make_pipe(lifeline) < 0) {
		close(output[0]);
		close(output[1]);
		return "no pipe could be made";
	}
	pid_t keeper = calls->fork_process();
	if (keeper == 0) {
		close(output[0]);
		close(lifeline[1]);
		setsid();
		keep(calls, program, output[1], lifeline[0]);
	}
	close(output[1]);
	close(lifeline[0]);
	*helper = (struct helper){ output[0], lifeline[1], keeper, getpid() };
	if (keeper > 0)
		return NULL;
	helper_stop(helper);
	return "no process could be made";
}

const char *helper_start(const struct pinfold_host *host, const struct calls *calls, struct helper *helper)
{
	if (helper->output >= 0 && helper->owner == getpid())
		return NULL;
	const char *program = other_helper ? other_helper : system_helper;
	const char *trouble = other_helper ? NULL : denials_vet(host, program);
	return trouble ? trouble : begin(calls, program, helper);
}

void helper_stop(struct helper *helper)
{
	if (helper->lifeline >= 0)
		close(helper->lifeline);
	if (helper->output >= 0)
		close(helper->output);
	while (helper->keeper > 0 && helper->owner == getpid() && waitpid(helper->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	*helper = (struct helper)HELPER_NONE;
}
