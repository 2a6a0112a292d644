/* face/helper.c - a wrapper's helper outside, in arms that confine nothing. */
#include "config.h"

#include "face/helper.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

static const char action[] = "start the helper of a compiler wrapper";
enum { WAIT_MILLISECONDS = 10000 };

/* --- an endpoint ---------------------------------------------------------------------------------- */
static bool connects(int family, const void *address, socklen_t bytes)
{
	auto_close int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd >= 0 && connect(fd, address, bytes) == 0;
}

bool helper_answers(const char *endpoint)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	char *end;
	if (!endpoint)
		return false;
	if (endpoint[0] == '/') {
		if (strlen(endpoint) >= sizeof(path.sun_path))
			return false;
		memcpy(path.sun_path, endpoint, strlen(endpoint));
		return connects(AF_UNIX, &path, sizeof(path));
	}
	const char *digits = endpoint + strlen(endpoint);
	while (digits > endpoint && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	unsigned long port = strtoul(digits, &end, 10);
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return digits[0] && *end == '\0' && port > 0 && port <= UINT16_MAX && connects(AF_INET, &local, sizeof(local));
}

/* --- a program ------------------------------------------------------------------------------------ */
/* Root's or the caller's, and nobody else's to write. */
static bool is_ours(const struct stat *about)
{
	return (about->st_uid == 0 || about->st_uid == geteuid()) && !(about->st_mode & 022);
}

static bool is_trusted(const char *path, const char *tree, const char *scratch)
{
	struct stat about;
	auto_free char *directory = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
	return directory && stat(path, &about) == 0 && S_ISREG(about.st_mode) && is_ours(&about) &&
	       stat(directory, &about) == 0 && is_ours(&about) && !path_is_within(path, tree) &&
	       !(scratch && path_is_within(path, scratch));
}

static int spawn(const char *program, const char *const *argv, const char *const *environment, pid_t *ret_pid)
{
	static const char *const nothing[] = { NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t all, none;
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	posix_spawn_file_actions_init(&actions);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	posix_spawn_file_actions_addchdir_np(&actions, "/");
	int failed = posix_spawn(ret_pid, program, &actions, &attributes, (char *const *)argv,
				 (char *const *)(environment ? environment : nothing));
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/* What does not end in time is ended: it was to put its helper into the background. */
static void await(pid_t pid)
{
	auto_close int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd on = { .fd = fd, .events = POLLIN };
	if (fd >= 0 && poll(&on, 1, WAIT_MILLISECONDS) == 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int helper_run(const char *const *argv, const char *const *environment, const char *tree,
	       const char *scratch, struct pinfold_error *err)
{
	pid_t pid;
	auto_free char *program = argv[0][0] == '/' ? realpath(argv[0], NULL) : NULL;
	if (!program)
		return fault(err, PINFOLD_E_SYSTEM, ENOENT, action, argv[0],
			     "name an absolute path of a program in the wrapper's section");
	if (!is_trusted(program, tree, scratch))
		return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, action, program,
			     "name a program that only you or root can write, outside of the tree");
	int failed = spawn(program, argv, environment, &pid);
	if (failed)
		return fault(err, PINFOLD_E_SYSTEM, failed, action, program, "check that it can be executed");
	await(pid);
	return 0;
}
