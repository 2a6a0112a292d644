/* escape/running.c - see running.h. */
#include "config.h"

#include "how.h"
#include "running.h"
#include "terminals.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct ends {
	int output[2], errors[2];
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int open_outside(const struct world *world, const char *name, int flags)
{
	char path[PATH_ROOM + 64];
	snprintf(path, sizeof(path), "%s%s", world->outside, name);
	return open(path, flags);
}

/* In the new process: streams, and what the caller has open beside them. */
static void take_streams(const struct world *world, const struct running *running, const struct ends *ends)
{
	int input = running->how & STDIN_FILE ? open_outside(world, "/file", O_RDONLY) : open("/dev/zero", O_RDONLY);
	if (!(running->how & PTY))
		dup2(input, 0);
	dup2(ends->output[1], 1);
	dup2(ends->errors[1], 2);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	if (running->how & DESCRIPTORS) {
		int directory = open_outside(world, "", O_RDONLY | O_DIRECTORY), file = open_outside(world, "/file", O_RDWR);
		dup2(directory, 9);
		dup2(file, 8);
		close(directory);
		close(file);
		if (running->how & STDIN_DIRECTORY)
			dup2(9, 0);
	}
}

__attribute__((noreturn)) static void execute(struct world *world, const struct running *running, const struct ends *ends)
{
	for (int number = 1; number < 32; number++)
		signal(number, SIG_DFL);
	take_streams(world, running, ends);
	if (chdir(world->tree) == 0)
		execve(running->arguments[0], (char *const *)running->arguments, world->environment);
	fprintf(stderr, "%s: %s\n", running->arguments[0], strerror(errno));
	_exit(127);
}

static void try_to_connect(struct world *world, struct running *running)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(world->service_state->listen),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char bytes[64] = "";
	struct timeval limit = { .tv_usec = 200000 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (connect(fd, (void *)&address, sizeof(address)) == 0 && read(fd, bytes, sizeof(bytes) - 1) > 0 &&
	    strstr(bytes, running->token))
		running->listened = true;
	close(fd);
}

/* What is more than is kept is thrown away, unless nobody is to read it. */
static bool read_some(int fd, char *bytes, size_t room, size_t *count, bool deaf)
{
	char more[4096];
	if (*count >= room)
		return !deaf && read(fd, more, sizeof(more)) > 0;
	ssize_t got = read(fd, bytes + *count, room - *count);
	if (got > 0)
		*count += (size_t)got;
	bytes[*count] = 0;
	return got > 0;
}

static void read_streams(struct running *running, const struct ends *ends, int timeout)
{
	bool deaf = running->how & STARVES;
	struct pollfd wait[2] = {
		{ running->output_count < OUTPUT_ROOM || !deaf ? ends->output[0] : -1, POLLIN, 0 },
		{ ends->errors[0], POLLIN, 0 },
	};
	poll(wait, 2, timeout);
	while (read_some(ends->output[0], running->output, OUTPUT_ROOM, &running->output_count, deaf))
		;
	while (read_some(ends->errors[0], running->errors, sizeof(running->errors) - 1, &running->errors_count, deaf))
		;
}

/* What the host does while the command runs: `step` counts what was done. */
static void meddle(struct world *world, struct running *running, pid_t child, int *step)
{
	if (running->how & LISTENS && !running->listened)
		try_to_connect(world, running);
	if (running->how & LATE && *step == 0 && strstr(running->output, "twin ")) {
		services_make_late(world, false);
		*step = 1;
	}
	if (running->how & KILLED && *step == 0 && strstr(running->output, "begun")) {
		kill(child, SIGKILL);
		*step = 1;
	}
}

static void follow(struct world *world, struct running *running, pid_t child, const struct ends *ends)
{
	double began = now();
	int step = 0;
	running->late = false;
	for (;;) {
		pid_t ended = waitpid(child, &running->status, WNOHANG);
		read_streams(running, ends, ended == child ? 0 : 4);
		if (ended == child)
			break;
		meddle(world, running, child, &step);
		if (!running->late && now() - began > running->limit) {
			running->late = true;
			kill(running->bare ? child : -child, SIGKILL);
			kill(child, SIGKILL);
		}
	}
	running->took = now() - began;
	if (step && running->how & LATE)
		services_make_late(world, true);
}

static int open_ends(const struct running *running, struct ends *ends)
{
	int result = running->terminal_output ? openpty(&ends->output[0], &ends->output[1], NULL, NULL, NULL) :
						pipe(ends->output);
	if (result < 0 || pipe(ends->errors) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		fcntl(ends->output[i], F_SETFD, FD_CLOEXEC);
		fcntl(ends->errors[i], F_SETFD, FD_CLOEXEC);
	}
	fcntl(ends->output[0], F_SETFL, O_NONBLOCK);
	fcntl(ends->errors[0], F_SETFL, O_NONBLOCK);
	return 0;
}

/* Another run of these cases, by another user, may have filled the machine with processes for a moment. */
static pid_t fork_in_time(void)
{
	pid_t child = fork();
	for (int tries = 0; child < 0 && (errno == EAGAIN || errno == ENOMEM) && tries < 200; tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
		child = fork();
	}
	return child;
}

int running_do(struct world *world, struct running *running)
{
	struct ends ends;
	struct terminal terminal;
	running->output_count = running->errors_count = 0;
	running->output[0] = running->errors[0] = running->terminal.text[0] = 0;
	running->listened = false;
	if (open_ends(running, &ends) < 0 || (running->how & PTY && terminal_open(&terminal) < 0))
		return -1;
	fflush(NULL);
	pid_t child = fork_in_time();
	if (child == 0 && running->how & PTY)
		terminal_lead(&terminal);	/* returns in the process that is to execute */
	else if (child == 0)
		setsid();
	if (child == 0)
		execute(world, running, &ends);
	int failure = errno;
	close(ends.output[1]);
	close(ends.errors[1]);
	if (child > 0)
		follow(world, running, child, &ends);
	close(ends.output[0]);
	close(ends.errors[0]);
	if (running->how & PTY)
		terminal_close(&terminal, &running->terminal);
	errno = failure;
	return child > 0 ? 0 : -1;
}
