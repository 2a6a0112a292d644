/* face/helper.c - a wrapper's helper outside, in arms that confine nothing. */
#include "config.h"

#include "face/helper.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/endpoint.h"
#include "base/fault.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static const char action[] = "start the helper of a compiler wrapper";
/* A client of sccache waits for its server for ten seconds, and then tidies up. */
enum { WAIT_MILLISECONDS = 15000, LISTEN_MILLISECONDS = 1000, LOOK_MILLISECONDS = 10 };

/* --- an endpoint ---------------------------------------------------------------------------------- */
static int try_connect(const struct endpoint *endpoint)
{
	auto_close int fd = socket(endpoint->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd >= 0 && connect(fd, &endpoint->address.any, endpoint->bytes) == 0 ? take_fd(&fd) : -1;
}

static enum helper_found find_by_path(int connection)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);
	bool ours = getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
	return ours ? HELPER_OURS : HELPER_FOREIGN;
}

/* "0: 0100007F:1082 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 …": is the line a listener
 * at the port, and not the caller's? */
static bool is_foreign(const char *line, unsigned port)
{
	enum { LISTENS = 0x0A };
	unsigned local, state, user;
	return sscanf(line, " %*u: %*[0-9A-F]:%x %*s %x %*s %*s %*s %u", &local, &state, &user) == 3 &&
	       local == port && state == LISTENS && user != geteuid();
}

/* Of all addresses of the machine: whoever else has the port on one of them may be who answers. */
static bool has_foreign(const char *table, unsigned port)
{
	char line[512];
	bool foreign = false;
	FILE *file = fopen(table, "re");
	while (file && fgets(line, sizeof(line), file))
		foreign = foreign || is_foreign(line, port);
	if (file)
		fclose(file);
	return foreign || (!file && errno != ENOENT);
}

static enum helper_found find_by_port(unsigned port)
{
	return has_foreign("/proc/net/tcp", port) || has_foreign("/proc/net/tcp6", port) ? HELPER_FOREIGN :
											   HELPER_OURS;
}

enum helper_found helper_find(const char *text)
{
	struct endpoint endpoint;
	if (!text || endpoint_of(text, &endpoint) < 0)
		return HELPER_ABSENT;
	auto_close int fd = try_connect(&endpoint);
	if (fd < 0)
		return HELPER_ABSENT;
	return endpoint.address.any.sa_family == AF_UNIX ? find_by_path(fd) :
							   find_by_port(ntohs(endpoint.address.port.sin_port));
}

/* It may put itself into the background before it listens. */
enum helper_found helper_await(const char *endpoint)
{
	enum helper_found found = helper_find(endpoint);
	for (int i = 0; found == HELPER_ABSENT && i < LISTEN_MILLISECONDS / LOOK_MILLISECONDS; i++) {
		poll(NULL, 0, LOOK_MILLISECONDS);
		found = helper_find(endpoint);
	}
	return found;
}

/* --- a program ------------------------------------------------------------------------------------ */
/* Root's or the caller's, and nobody else's to write. */
static bool is_ours(const struct stat *about)
{
	return owner_is_trusted(about->st_uid) && !(about->st_mode & 022);
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
static bool await(pid_t pid)
{
	auto_close int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd on = { .fd = fd, .events = POLLIN };
	bool late = fd >= 0 && poll(&on, 1, WAIT_MILLISECONDS) == 0;
	if (late)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return late;
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
	return await(pid);
}
