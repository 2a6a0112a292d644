/* cli/serve_run.c - one run of a server. */
#include "config.h"

#include "serve_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MEMBERS_MOST = 1024 };	/* shown of one run */

uint64_t run_now(void)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

struct served *run_make(struct server *server, struct pinfold *pinfold, struct order *order)
{
	struct served *served = calloc(1, sizeof(*served));
	if (!served) {
		order_release(order);
		return NULL;
	}
	served->server = server;
	served->pinfold = pinfold;
	served->order = *order;
	served->captures[0].fd = served->captures[1].fd = -1;
	served->asked = run_now();
	*order = (struct order){ 0 };
	return served;
}

static void close_pipe(struct capture *capture)
{
	if (capture->fd >= 0)
		close(capture->fd);
	capture->fd = -1;
}

void run_free(struct served *served)
{
	if (!served)
		return;
	pinfold_run_free(served->run);
	for (int i = 0; i < 2; i++) {
		close_pipe(&served->captures[i]);
		free(served->captures[i].data);
	}
	free(served->receipt);
	order_release(&served->order);
	free(served);
}

/* --- starting ------------------------------------------------------------------------------------- */
static const char action[] = "open a stream of the command";

static int open_capture(struct capture *capture, int *ret_fd, struct pinfold_error *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, action, "a pipe",
				    "raise the number of open files (ulimit -n)");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);	/* this end's only */
	capture->fd = ends[0];
	*ret_fd = ends[1];
	return 0;
}

/* What is to be read is a file without a name. */
static int open_text(const struct stream_order *stream, int *ret_fd, struct pinfold_error *err)
{
	int fd = memfd_create("standard input", MFD_CLOEXEC);
	for (size_t done = 0; fd >= 0 && done < stream->length;) {
		ssize_t written = write(fd, stream->text + done, stream->length - done);
		if (written < 0) {
			close(fd);
			fd = -1;
		}
		done += written > 0 ? (size_t)written : 0;
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, action, "what is to be read",
				    "free memory on this machine, or name a file");
	*ret_fd = fd;
	return 0;
}

static int open_path(const char *path, int flags, int *ret_fd, struct pinfold_error *err)
{
	*ret_fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
	if (*ret_fd < 0)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, action, path,
				    "check the path, and that you may open it");
	return 0;
}

/* `ret_fd` gets a descriptor of its own, to be closed when the command has started. */
static int open_stream(struct served *served, int number, int *ret_fd, struct pinfold_error *err)
{
	const struct stream_order *stream = &served->order.streams[number];
	int named = stream->source == SOURCE_INHERIT ? number : stream->descriptor;
	switch (stream->source) {
	case SOURCE_NULL:
		return open_path("/dev/null", O_RDWR, ret_fd, err);
	case SOURCE_CAPTURE:
		return open_capture(&served->captures[number - 1], ret_fd, err);
	case SOURCE_TEXT:
		return open_text(stream, ret_fd, err);
	case SOURCE_FILE:
		return open_path(stream->text, number == 0 ? O_RDONLY : O_WRONLY | O_CREAT |
				 (stream->append ? O_APPEND : O_TRUNC), ret_fd, err);
	default:
		*ret_fd = fcntl(named, F_DUPFD_CLOEXEC, 3);
		return *ret_fd >= 0 ? 0 : pinfold_fail(err, PINFOLD_E_SYSTEM, errno, action, "a descriptor",
						       "check that it is open, and raise ulimit -n");
	}
}

static int is_cancelled(struct served *served)
{
	return __atomic_load_n(&served->cancelled, __ATOMIC_RELAXED);
}

static int on_waiting(void *context)
{
	return is_cancelled(context);
}

static int on_copying(void *context, uint64_t files, uint64_t bytes)
{
	(void)files;
	(void)bytes;
	return is_cancelled(context);
}

static int on_trying(void *context, const char *wrapper, uint32_t waits)
{
	(void)wrapper;
	(void)waits;
	return is_cancelled(context);
}

static int start(struct served *served, const int streams[3], struct pinfold_error *err)
{
	const struct order *order = &served->order;
	const struct pinfold_command command = {
		.size = sizeof(command),
		.where = order->where,
		.argv = order->argv,
		.environment = order->environment,
		.set = order->set,
		.directory = order->directory,
		.descriptors = order->descriptors,
		.streams = { streams[0], streams[1], streams[2] },
		.approved = order->approved,
		.session = order->session,
		.grants = order->grants,
		.waiting = on_waiting,
		.copying = on_copying,
		.trying = on_trying,
		.context = served,
		.most_milliseconds = order->most,
	};
	const struct pinfold_cage_order wanted = {
		.size = sizeof(wanted), .where = order->where, .settings = order->settings,
	};
	struct pinfold_cage *cage;
	if (pinfold_cage_open(served->pinfold, &wanted, &cage, err) < 0)
		return -1;
	int result = pinfold_cage_start(cage, &command, &served->run, err);
	pinfold_cage_close(cage);
	return result;
}

void run_start(struct served *served)
{
	int streams[3] = { -1, -1, -1 };
	int result = 0;
	for (int i = 0; result == 0 && i < 3; i++)
		result = open_stream(served, i, &streams[i], &served->err);
	if (result == 0)
		result = start(served, streams, &served->err);
	for (int i = 0; i < 3; i++)
		if (streams[i] >= 0)
			close(streams[i]);
	served->started = run_now();
	served->refused = result < 0;
}

/* --- following ------------------------------------------------------------------------------------ */
static void keep(struct capture *capture, const char *bytes, size_t count, uint64_t most)
{
	size_t room = most > capture->length ? (size_t)most - capture->length : 0;
	size_t taken = count < room ? count : room;
	if (taken > capture->room - capture->length) {
		size_t wanted = capture->length + taken + capture->room;
		char *data = realloc(capture->data, wanted);
		if (data)
			capture->room = wanted;
		else
			taken = 0;
		capture->data = data ? data : capture->data;
	}
	if (taken > 0)
		memcpy(capture->data + capture->length, bytes, taken);
	capture->length += taken;
	capture->dropped += count - taken;
}

/* A bounded number of reads: a command that never stops writing must not stop the server. */
static void drain(struct served *served, struct capture *capture)
{
	char bytes[65536];
	for (int round = 0; capture->fd >= 0 && round < 4; round++) {
		ssize_t got = read(capture->fd, bytes, sizeof(bytes));
		if (got > 0)
			keep(capture, bytes, (size_t)got, served->order.capture);
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			close_pipe(capture);
		if (got < (ssize_t)sizeof(bytes))
			return;
	}
}

void run_drain(struct served *served)
{
	for (int i = 0; i < 2; i++)
		drain(served, &served->captures[i]);
}

int run_watch(const struct served *served, struct pollfd *on)
{
	int count = 0;
	if (served->state != RUN_RUNNING)
		return 0;
	on[count++] = (struct pollfd){ .fd = pinfold_run_descriptor(served->run), .events = POLLIN };
	for (int i = 0; i < 2; i++)
		if (served->captures[i].fd >= 0)
			on[count++] = (struct pollfd){ .fd = served->captures[i].fd, .events = POLLIN };
	return count;
}

static int until(uint64_t when)
{
	uint64_t now = run_now();
	return when <= now ? 0 : (int)((when - now) / 1000000 + 1);
}

int run_due(const struct served *served)
{
	int due = served->state == RUN_RUNNING ? pinfold_run_deadline(served->run) : -1;
	bool hands = served->hand_by && !served->background && served->state == RUN_RUNNING;
	int hand = hands ? until(served->hand_by) : -1;
	return due < 0 || (hand >= 0 && hand < due) ? hand : due;
}

bool run_follow(struct served *served)
{
	uint32_t state = PINFOLD_RUNNING;
	run_drain(served);
	if (pinfold_run_poll(served->run, &state, NULL, &served->err) < 0)
		pinfold_run_end(served->run);
	return state == PINFOLD_OVER;
}

void run_cancel(struct served *served)
{
	__atomic_store_n(&served->cancelled, true, __ATOMIC_RELAXED);
	if (served->state == RUN_RUNNING)
		pinfold_run_end(served->run);
}

void run_settle(struct served *served)
{
	served->result.size = sizeof(served->result);
	served->refused = pinfold_run_result(served->run, &served->result, &served->err) < 0;
	if (served->order.receipt && !served->refused)
		pinfold_run_receipt(served->run, &served->receipt, &served->err);
	pinfold_run_free(served->run);
	served->run = NULL;
}

/* --- telling -------------------------------------------------------------------------------------- */
static json_t *milliseconds(uint64_t from, uint64_t to)
{
	uint64_t microseconds = (to - from) / 1000;
	return json_real((double)microseconds / 1000.0);
}

json_t *run_started_event(const struct served *served)
{
	json_t *event = answer_new(served->order.id, "started"), *passed = json_array();
	const char *line;
	for (size_t i = 0; (line = pinfold_run_passed_over(served->run, i)); i++)
		json_array_append_new(passed, answer_bytes(line, strlen(line)));
	line = pinfold_run_statement(served->run);
	answer_put(event, "statement", line ? answer_bytes(line, strlen(line)) : NULL);
	answer_put(event, "passed_over", passed);
	answer_put(event, "milliseconds", milliseconds(served->asked, served->started));
	return event;
}

static void put_capture(json_t *event, const struct served *served, int number)
{
	static const char *const names[][2] = { { "stdout", "stdout_dropped" }, { "stderr", "stderr_dropped" } };
	const struct capture *capture = &served->captures[number];
	if (served->order.streams[number + 1].source != SOURCE_CAPTURE)
		return;
	answer_put(event, names[number][0], answer_bytes(capture->data ? capture->data : "", capture->length));
	answer_put(event, names[number][1], json_integer((json_int_t)capture->dropped));
}

json_t *run_ended_event(const struct served *served, json_t *id)
{
	static const char *const endings[] = { "ended", "signalled", "timed_out", "unknown" };
	static const char *const limits[] = {
		"unknown", [PINFOLD_LIMIT_TIMEOUT] = "timeout", [PINFOLD_LIMIT_CPU_TIME] = "cpu-time",
		[PINFOLD_LIMIT_FILE_SIZE] = "file-size", [PINFOLD_LIMIT_MEMORY] = "memory",
		[PINFOLD_LIMIT_TASKS] = "tasks",
	};
	const struct pinfold_result *result = &served->result;
	json_t *event = answer_new(id, served->refused ? "refused" : "ended");
	answer_put(event, "run", json_incref(served->order.id));
	if (served->refused) {
		answer_put(event, "error", answer_error(&served->err));
		return event;
	}
	answer_put(event, "ending", json_string(endings[result->ending < 4 ? result->ending : 3]));
	answer_put(event, "value", json_integer(result->value));
	answer_put(event, "exit_code", json_integer(result->exit_code));
	if (result->limit)
		answer_put(event, "limit", json_string(limits[result->limit < sizeof(limits) / sizeof(limits[0]) ? result->limit : 0]));
	answer_put(event, "survivors", json_integer(result->survivors));
	answer_put(event, "left", json_integer(result->left));
	answer_put(event, "cancelled", json_boolean(served->cancelled));
	for (int i = 0; i < 2; i++)
		put_capture(event, served, i);
	if (served->order.receipt)
		answer_put(event, "receipt", answer_document(served->receipt));
	return event;
}

static json_t *members_of(const struct served *served)
{
	int32_t pids[MEMBERS_MOST];
	size_t count = 0;
	json_t *members = json_array();
	if (served->state == RUN_RUNNING)
		pinfold_run_members(served->run, pids, MEMBERS_MOST, &count, NULL);
	for (size_t i = 0; i < count && i < MEMBERS_MOST; i++)
		json_array_append_new(members, json_integer(pids[i]));
	return members;
}

json_t *run_listed(const struct served *served)
{
	static const char *const states[] = { "queued", "starting", "running", "ending", "ended" };
	json_t *listed = json_object(), *argv = json_array();
	for (const char **word = served->order.argv; *word; word++)
		json_array_append_new(argv, json_string(*word));
	answer_put(listed, "run", json_incref(served->order.id));
	answer_put(listed, "state", json_string(states[served->state]));
	answer_put(listed, "background", json_boolean(served->background));
	answer_put(listed, "argv", argv);
	answer_put(listed, "members", members_of(served));
	answer_put(listed, "milliseconds", milliseconds(served->asked, run_now()));
	return listed;
}
