/* plugins/seatbelt/trial.c - children that are confined and must, or must not, come to run something. */
#include "trial.h"

#include "base.h"
#include "compile.h"
#include "marker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char harmless[] = "/usr/bin/true";

/* How far the child came: a step with an errno, on a pipe that its program closes. */
enum step { STEP_RAN = 0, STEP_APPLY, STEP_VERIFY, STEP_EXEC, STEP_NONE };
struct word {
	int step, sys;
};

_Noreturn static void say(int pipe_end, int step, int result)
{
	struct word word = { step, -result };
	ssize_t written = write(pipe_end, &word, sizeof(word));
	_exit(written == sizeof(word) ? 126 : 125);
}

_Noreturn static void become(const struct calls *calls, const struct policy_arguments *profile, int pipe_end)
{
	char *argv[] = { (char *)harmless, NULL }, *envp[] = { NULL };
	int result = calls_apply(calls, profile);
	if (result < 0)
		say(pipe_end, STEP_APPLY, result);
	if ((result = calls_verify(calls)) < 0)
		say(pipe_end, STEP_VERIFY, result);
	calls->execute(harmless, argv, envp);
	say(pipe_end, STEP_EXEC, -errno);
}

/* Reads what the child says until it is gone or has become its program; that one's status. */
static int watch(pid_t child, int pipe_end, struct word *ret_word)
{
	int status = 0;
	struct word word = { STEP_RAN, 0 };
	ssize_t got;
	do
		got = read(pipe_end, &word, sizeof(word));
	while (got < 0 && errno == EINTR);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	*ret_word = got == sizeof(word) ? word : (struct word){ got == 0 ? STEP_RAN : STEP_NONE, errno };
	return status;
}

static int run(const struct calls *calls, const struct bytecode *bytecode, struct word *ret_word)
{
	int ends[2];
	struct policy_arguments profile;
	*ret_word = (struct word){ STEP_NONE, 0 };
	if (pipe(ends) < 0)
		return -1;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	calls_profile_arguments(&profile, bytecode->data, bytecode->size);
	pid_t child = calls->fork_process();
	if (child == 0)
		become(calls, &profile, ends[1]);
	close(ends[1]);
	int status = child < 0 ? -1 : watch(child, ends[0], ret_word);
	close(ends[0]);
	return status;
}

static const char *tell(const struct pinfold_host *host, const struct word *word)
{
	static const char *const steps[] = {
		[STEP_RAN] = "", [STEP_APPLY] = "applying the profile failed", [STEP_VERIFY] = "it was not confined",
		[STEP_EXEC] = "a program that was allowed did not run", [STEP_NONE] = "no child could be made",
	};
	const char *text = host->print(host, "%s: %s", steps[word->step], strerror(word->sys));
	return text ? text : steps[word->step];
}

static const char *compiled(const struct pinfold_host *host, const struct calls *calls, const struct profile *profile,
			    struct bytecode *ret_bytecode)
{
	struct pinfold_error err = { 0 };
	if (profile->failed)
		return "memory is gone";
	if (compile(host, calls, profile, ret_bytecode, &err) == 0)
		return NULL;
	const char *text = host->print(host, "its profile does not compile: %s", err.subject);
	return text ? text : "its profile does not compile";
}

static const char *try_refusal(const struct pinfold_host *host, const struct calls *calls)
{
	struct profile profile = { .host = host };
	struct bytecode bytecode = { 0 };
	struct word word;
	profile_add(&profile, "(version 1)\n(deny default)\n");
	const char *trouble = compiled(host, calls, &profile, &bytecode);
	if (trouble)
		return trouble;
	run(calls, &bytecode, &word);
	compile_release(&bytecode);
	if (word.step == STEP_RAN)
		return "a program ran although its profile refuses everything";
	if (word.step != STEP_EXEC)
		return tell(host, &word);
	return word.sys == EPERM ? NULL : tell(host, &(struct word){ STEP_EXEC, word.sys });
}

static const char *try_base(const struct pinfold_host *host, const struct calls *calls)
{
	struct profile profile = { .host = host };
	struct bytecode bytecode = { 0 };
	struct word word;
	base_begin(&profile);
	profile_allow(&profile, "file-read* process-exec*");
	profile_end(&profile);
	const char *trouble = compiled(host, calls, &profile, &bytecode);
	if (trouble)
		return trouble;
	int status = run(calls, &bytecode, &word);
	compile_release(&bytecode);
	if (word.step != STEP_RAN)
		return tell(host, &word);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ?
		       NULL :
		       "a program that does nothing failed under the rules that every command gets";
}

const char *trial_apply(const struct pinfold_host *host, const struct calls *calls)
{
	const char *trouble = try_refusal(host, calls);
	return trouble ? trouble : try_base(host, calls);
}

static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;
static bool tried;
static char *tried_trouble;

const char *trial_apply_once(const struct pinfold_host *host, const struct calls *calls)
{
	pthread_mutex_lock(&once_lock);
	if (!tried) {
		const char *trouble = trial_apply(host, calls);
		tried_trouble = trouble ? strdup(trouble) : NULL;
		tried = !trouble || tried_trouble;
	}
	const char *result = tried ? tried_trouble : "memory is gone";
	pthread_mutex_unlock(&once_lock);
	return result;
}

/* Bears the mark until nobody holds the other end of the pipe. */
_Noreturn static void bear(const struct calls *calls, const struct policy_arguments *profile, int said, int heard)
{
	char byte = 0;
	int result = calls_apply(calls, profile);
	if (result < 0 || write(said, &byte, 1) != 1)
		_exit(125);
	while (read(heard, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

static const char *look_at(const struct calls *calls, const struct marker *marker, pid_t child, int heard)
{
	char byte;
	if (read(heard, &byte, 1) != 1)
		return "a child could not be marked";
	if (!marker_borne(calls, marker, child))
		return "the kernel does not tell a run's processes from others";
	return marker_borne(calls, marker, getpid()) ? "the kernel takes other processes for a run's" : NULL;
}

static const char *try_marked(const struct calls *calls, const struct marker *marker, const struct bytecode *bytecode)
{
	int up[2], down[2];
	struct policy_arguments profile;
	if (pipe(up) < 0)
		return "no pipe could be made";
	if (pipe(down) < 0) {
		close(up[0]);
		close(up[1]);
		return "no pipe could be made";
	}
	calls_profile_arguments(&profile, bytecode->data, bytecode->size);
	pid_t child = calls->fork_process();
	if (child == 0) {
		close(up[0]);
		close(down[1]);
		bear(calls, &profile, up[1], down[0]);
	}
	close(up[1]);
	close(down[0]);
	const char *trouble = child < 0 ? "no child could be made" : look_at(calls, marker, child, up[0]);
	close(down[1]);
	close(up[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return trouble;
}

const char *trial_marker(const struct pinfold_host *host, const struct calls *calls)
{
	struct profile profile = { .host = host };
	struct bytecode bytecode = { 0 };
	struct marker marker;
	struct pinfold_error err = { 0 };
	if (marker_take(host, &marker, &err) < 0)
		return "no mark could be made";
	base_begin(&profile);
	base_mark(&profile);
	marker_parameters(&marker, &profile);
	const char *trouble = compiled(host, calls, &profile, &bytecode);
	if (!trouble)
		trouble = try_marked(calls, &marker, &bytecode);
	compile_release(&bytecode);
	marker_free(&marker);
	return trouble;
}
