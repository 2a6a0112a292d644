/* plugins/namespaces/through_trial.c - runs bubblewrap as a run would, to look from inside. */
#include "config.h"

#include "through.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a copy of this process: becomes bubblewrap, with an empty environment. */
static void become(const struct pinfold_plan *plan, const char *const *argv, int report)
{
	static char *const no_environment[] = { NULL };
	for (size_t i = 0; i < sizeof(plan->through_fds) / sizeof(plan->through_fds[0]); i++)
		if (plan->through_fds[i] >= 0)
			fcntl(plan->through_fds[i], F_SETFD, 0);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, 0);
	dup2(null, 1);
	dup2(report, 2);
	execve(argv[0], (char *const *)argv, no_environment);
	_exit(127);
}

/* The first line, printable. */
static void read_report(int fd, char *said, size_t room)
{
	size_t length = 0;
	ssize_t got;
	while (length < room - 1 && ((got = read(fd, said + length, room - 1 - length)) > 0 ||
				     (got < 0 && errno == EINTR)))
		length += got > 0 ? (size_t)got : 0;
	said[length] = '\0';
	said[strcspn(said, "\n")] = '\0';
	for (char *byte = said; *byte; byte++)
		if (*byte < ' ' || *byte > '~')
			*byte = '?';
}

static const char **join(const struct pinfold_host *host, const char *const *first,
			 const char *const *second)
{
	size_t count = 0, more = 0;
	while (first[count])
		count++;
	while (second[more])
		more++;
	const char **joined = host->allocate(host, (count + more + 1) * sizeof(*joined));
	if (joined) {
		memcpy(joined, first, count * sizeof(*joined));
		memcpy(joined + count, second, more * sizeof(*joined));
	}
	return joined;
}

bool through_try(const struct pinfold_host *host, const struct pinfold_plan *plan,
		 const char *const *words, char *said, size_t room)
{
	int report[2], status = -1;
	const char **argv = join(host, plan->through, words);
	if (!argv || pipe2(report, O_CLOEXEC) < 0)
		return false;
	pid_t child = fork();
	if (child == 0)
		become(plan, argv, report[1]);
	close(report[1]);
	if (child > 0) {
		read_report(report[0], said, room);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	close(report[0]);
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
