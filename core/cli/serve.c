/* cli/serve.c - the verb serve: many runs in one process, asked for and answered in lines of JSON. */
#include "config.h"

#include "serve_server.h"
#include "signals.h"
#include "verb.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SIDE_BY_SIDE = 16,	/* where --jobs says nothing */
	JOBS_MOST = 512,
	BACKLOG_MOST = 4 << 20,	/* unread answers past which no request is taken */
	LAST_WORDS_MILLISECONDS = 1000
};

/* --- what requests may name ----------------------------------------------------------------------- */
/* Descriptors that whoever started us left open for us: our own are closed on exec. */
static int *find_inherited(void)
{
	DIR *open_files = opendir("/proc/self/fd");
	const struct dirent *entry;
	int *found = calloc(1, sizeof(*found));
	size_t count = 0;
	while (open_files && found && (entry = readdir(open_files))) {
		int fd = atoi(entry->d_name), flags = fcntl(fd, F_GETFD);
		if (fd < 3 || flags < 0 || flags & FD_CLOEXEC)
			continue;
		int *more = realloc(found, (count + 2) * sizeof(*more));
		if (!more)
			break;
		found = more;
		found[count++] = fd;
	}
	if (open_files)
		closedir(open_files);
	if (found)
		found[count] = -1;
	return found;
}

/* --- input ---------------------------------------------------------------------------------------- */
static void refuse_line(struct server *server, const char *subject, const char *recovery)
{
	struct pinfold_error err = { 0 };
	pinfold_fail(&err, PINFOLD_E_USAGE, 0, "read the request", subject, recovery);
	server_refuse(server, NULL, &err);
}

static void take_line(struct server *server, const char *line, size_t length)
{
	json_error_t why;
	char subject[JSON_ERROR_TEXT_LENGTH + 64];
	if (strspn(line, " \t\r") == length)
		return;
	json_t *message = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
	if (message) {
		server_take(server, message);
		return;
	}
	snprintf(subject, sizeof(subject), "%s, at byte %d", why.text, why.position);
	refuse_line(server, subject, "send one JSON object in each line");
}

static void take_lines(struct server *server)
{
	char *line;
	size_t length;
	while (!server->over && server->answers.length < BACKLOG_MOST) {
		switch (lines_next(&server->lines, &line, &length)) {
		case LINE_WHOLE:
			take_line(server, line, length);
			continue;
		case LINE_TOO_LONG:
			refuse_line(server, "it is longer than a mebibyte", "send less at once, or name a file");
			continue;
		case LINE_HALF:
			refuse_line(server, "the input ended within it", "end each request with a newline");
			continue;
		default:
			return;
		}
	}
}

static void read_input(struct server *server)
{
	if (lines_fill(&server->lines, STDIN_FILENO) < 0)
		server->lines.ended = true;
	take_lines(server);
}

/* --- waiting -------------------------------------------------------------------------------------- */
static int nearer(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int due(const struct server *server)
{
	int due = -1;
	for (size_t i = 0; i < server->count; i++)
		due = nearer(due, run_due(server->runs[i]));
	for (size_t i = 0; i < server->wait_count; i++) {
		uint64_t until = server->waits[i].until, now = run_now();
		if (until)
			due = nearer(due, until <= now ? 0 : (int)((until - now) / 1000000 + 1));
	}
	return due;
}

static bool listens(const struct server *server)
{
	return !server->over && !server->lines.ended && server->answers.length < BACKLOG_MOST;
}

enum { WATCH_INPUT, WATCH_OUTPUT, WATCH_POOL, WATCH_SIGNALS, WATCHED };

static void act_on(struct server *server, const struct pollfd *on)
{
	int signal_number;
	if (on[WATCH_SIGNALS].revents)
		while ((signal_number = signals_next()) != 0)
			if (signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGHUP ||
			    signal_number == SIGQUIT)
				server->signal_number = signal_number;
	if (on[WATCH_OUTPUT].revents & (POLLERR | POLLNVAL))
		server->answers.broken = true;
	if (on[WATCH_OUTPUT].revents & POLLOUT)
		answers_write(&server->answers, STDOUT_FILENO);
	if (on[WATCH_INPUT].revents && listens(server))
		read_input(server);
	else if (server->lines.length > 0)
		take_lines(server);
}

/* One round of the server. -1: it cannot go on. */
static int turn(struct server *server)
{
	struct pollfd *on = calloc(WATCHED + 3 * server->count, sizeof(*on));
	nfds_t count = WATCHED;
	if (!on)
		return -1;
	on[WATCH_INPUT] = (struct pollfd){ .fd = listens(server) ? STDIN_FILENO : -1, .events = POLLIN };
	on[WATCH_OUTPUT] = (struct pollfd){ .fd = STDOUT_FILENO,
					    .events = server->answers.length > 0 ? POLLOUT : 0 };
	on[WATCH_POOL] = (struct pollfd){ .fd = server->pool.bell[0], .events = POLLIN };
	on[WATCH_SIGNALS] = (struct pollfd){ .fd = signals_descriptor(), .events = POLLIN };
	for (size_t i = 0; i < server->count; i++)
		count += (nfds_t)run_watch(server->runs[i], &on[count]);
	int ready = poll(on, count, due(server));
	if (ready > 0)
		act_on(server, on);
	free(on);
	pool_finish(&server->pool);
	server_follow_runs(server);
	return ready < 0 && errno != EINTR ? -1 : 0;
}

/* The client has gone: its input ended, nobody reads, or we were told to end. */
static bool is_over(const struct server *server)
{
	if (server->answers.broken || server->signal_number)
		return true;
	if (!server->lines.ended || server->lines.length > 0)
		return false;
	if (!server->drains)
		return true;
	for (size_t i = 0; i < server->count; i++)
		if (!server->runs[i]->background)
			return false;
	return server->errands == 0 && server->wait_count == 0;
}

static void serve(struct server *server)
{
	while (!server->over || server_is_busy(server)) {
		server_start_runs(server);
		if (turn(server) < 0)
			server->signal_number = SIGABRT;
		if (!server->over && is_over(server)) {
			server->over = true;
			server_cancel_all(server);
		}
	}
}

/* Who still reads gets what is left; nobody is waited for who does not. */
static void say_the_rest(struct server *server)
{
	struct pollfd on = { .fd = STDOUT_FILENO, .events = POLLOUT };
	while (!server->answers.broken && server->answers.length > 0 &&
	       poll(&on, 1, LAST_WORDS_MILLISECONDS) > 0)
		answers_write(&server->answers, STDOUT_FILENO);
}

/* --- the verb ------------------------------------------------------------------------------------- */
static int read_jobs(const char *text, size_t *ret_jobs, struct pinfold_error *err)
{
	char *end = NULL;
	unsigned long jobs = text ? strtoul(text, &end, 10) : SIDE_BY_SIDE;
	if (text && (end == text || *end || text[0] == '-' || jobs < 1 || jobs > JOBS_MOST))
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --jobs", text,
				    "give a number from 1 (one after the other) to 512");
	*ret_jobs = jobs;
	return 0;
}

/* A reader that is gone is seen by the write: no signal ends us, and none is passed on as ignored. */
static int prepare(struct server *server, struct pinfold_error *err)
{
	sigset_t pipe_signal;
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL);
	server->inherited = find_inherited();
	if (!server->inherited || pool_open(&server->pool) < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "begin to serve", "this process",
				    "raise the number of open files (ulimit -n)");
	if (signals_prepare(err) < 0)
		return -1;
	signals_keep(NULL);
	return 0;
}

static void release(struct server *server)
{
	server_cancel_all(server);
	pool_close(&server->pool);
	answers_release(&server->answers);
	lines_release(&server->lines);
	for (size_t i = 0; i < server->wait_count; i++) {
		json_decref(server->waits[i].id);
		json_decref(server->waits[i].run);
	}
	free(server->waits);
	free(server->runs);
	free(server->inherited);
	pinfold_free(server->pinfold);
}

/* Two lines of different threads do not mix: each is one write. */
static void log_line(void *unused, uint32_t level, const char *text)
{
	(void)unused;
	if (level >= 2)
		say(text);
}

/* The handle that came with the verb knows the caller's terminal, which no request may have. */
static int open_handle(struct request *request, struct pinfold **ret_pinfold, struct pinfold_error *err)
{
	const char **settings = calloc(request->settings.count + 2, sizeof(*settings));
	if (!settings)
		return pinfold_fail(err, PINFOLD_E_NO_MEMORY, 0, "begin to serve", "memory is gone",
				    "free memory on this machine");
	for (size_t i = 0; i < request->settings.count; i++)
		settings[i] = request->settings.items[i];
	settings[request->settings.count] = "pinfold.terminal=none";
	const struct pinfold_options options = {
		.size = sizeof(options), .config_file = request->config, .settings = settings,
		.log = request->quiet ? NULL : log_line, .built_in = built_in_modules(),
	};
	int result = pinfold_new(&options, ret_pinfold, err);
	free(settings);
	return result;
}

static int serve_requests(struct pinfold *unused, struct request *request, struct pinfold_error *err)
{
	struct server server = { .drains = request->drain };
	(void)unused;
	if (read_jobs(request->jobs, &server.most, err) < 0 || prepare(&server, err) < 0 ||
	    open_handle(request, &server.pinfold, err) < 0)
		return -1;
	serve(&server);
	say_the_rest(&server);
	int signal_number = server.signal_number;
	release(&server);
	return signal_number ? PINFOLD_EXIT_SIGNAL + signal_number : 0;
}

static const struct option_row own_options[] = {
	{ "--jobs", "N", OPTION_TEXT, OPTION_FIELD(jobs),
	  "run so many commands side by side (16); 1: one after the other" },
	{ "--drain", NULL, OPTION_FLAG, OPTION_FIELD(drain),
	  "when the input ends, finish first what was asked for" },
	{ "-q", NULL, OPTION_FLAG, OPTION_FIELD(quiet), "say nothing but errors on standard error" },
	OPTION_END,
};
static const struct option_row *const options[] = { own_options, options_configuration, NULL };

const struct verb verb_serve = {
	.name = "serve",
	.summary = "run many commands, asked for in lines of JSON",
	.options = options,
	.act = serve_requests,
};
