/* escape/twins.c - what a cage must allow: the twins of what it must refuse. */
#include "config.h"

#include "case.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static long write_in_the_tree(void)
{
	long result = make("twin");
	return result == 0 ? done(unlink("twin")) : result;
}
const struct twin writes_in_the_tree = { "a file is made and removed in the tree", write_in_the_tree };

static long read_outside(void)
{
	return opened(open("/etc/passwd", O_RDONLY));
}
const struct twin reads_outside = { "what is not hidden is read", read_outside };

static long signal_a_child(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		for (;;)
			pause();
	if (child < 0)	/* of which a signal would be one to everybody */
		return -errno;
	long result = done(kill(child, SIGTERM));
	if (result == 0 && (waitpid(child, &status, 0) < 0 || !WIFSIGNALED(status)))
		result = -ECHILD;
	return result;
}
const struct twin signals_its_child = { "a child of its own is signalled", signal_a_child };

static long has_a_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "twin-socket");
	unlink(address.sun_path);
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (server < 0 || client < 0)
		return -errno;
	long result = done(bind(server, (void *)&address, sizeof(address)));
	if (result == 0)
		result = done(listen(server, 1));
	if (result == 0)
		result = done(connect(client, (void *)&address, sizeof(address)));
	unlink(address.sun_path);
	close(server);
	close(client);
	return result;
}
const struct twin has_its_socket = { "a unix socket of its own is made and connected to", has_a_socket, "sockets",
				     "no unix socket but connected pairs" };

static long has_a_loopback(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	if (server < 0 || client < 0)
		return -errno;
	long result = done(bind(server, (void *)&address, length));
	if (result == 0)
		result = done(listen(server, 1));
	if (result == 0)
		result = done(getsockname(server, (void *)&address, &length));
	if (result == 0)
		result = done(connect(client, (void *)&address, length));
	close(server);
	close(client);
	return result;
}
const struct twin has_its_loopback = { "a server of its own on loopback is connected to", has_a_loopback, "network",
				       "no loopback" };

static long read_own_proc(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/status", getpid());
	long result = opened(open(path, O_RDONLY));
	return result == 0 ? opened(open("/proc/self/environ", O_RDONLY)) : result;
}
const struct twin has_its_proc = { "its own entries in /proc are read", read_own_proc };

static void *stand(void *argument)
{
	return argument;
}

static long start_threads(void)
{
	pthread_t threads[4];
	for (size_t i = 0; i < 4; i++) {
		int error = pthread_create(&threads[i], NULL, stand, NULL);
		if (error)
			return -error;
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
const struct twin starts_threads = { "threads are started", start_threads };

static long write_to_the_terminal(void)
{
	return isatty(0) && write(0, "", 0) == 0 ? 0 : -errno;
}
const struct twin writes_to_its_terminal = { "the terminal is written to", write_to_the_terminal };

static long use_the_temporary(void)
{
	const char *place = getenv("TMPDIR");
	const char *path = beside(place && *place ? place : "/tmp", "twin");
	long result = make(path);
	return result == 0 ? done(unlink(path)) : result;
}
const struct twin has_its_temporary = { "a file is made and removed in the temporary directory", use_the_temporary };

static long read_the_input(void)
{
	char byte;
	return done(read(0, &byte, 1));
}
const struct twin reads_its_input = { "standard input is read", read_the_input };

static long map_memory(void)
{
	void *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	memset(memory, 1, 1 << 20);
	return done(munmap(memory, 1 << 20));
}
const struct twin maps_memory = { "memory is mapped and used", map_memory };

static long run_a_program(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : -ENOEXEC;
}
const struct twin runs_a_program = { "a program is executed", run_a_program };

static long see_the_tree(void)
{
	struct stat status;
	return done(stat("one", &status));
}
const struct twin sees_its_tree = { "the tree is looked at", see_the_tree };

static long has_a_pipe(void)
{
	char byte = 0;
	int ends[2];
	if (pipe(ends) < 0 || write(ends[1], "x", 1) != 1 || read(ends[0], &byte, 1) != 1 || mkfifo("twin-pipe", 0600) < 0)
		return -errno;
	return done(unlink("twin-pipe"));
}
const struct twin has_its_pipe = { "pipes of its own, with a name and without, are made", has_a_pipe };

static long start_children(void)
{
	for (int i = 0; i < 8; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			return -errno;
	}
	return 0;
}
const struct twin starts_children = { "children are started and waited for", start_children };
