/* cli/records.c - what is written beside a run, for programs. */
#include "config.h"

#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The number in "N", or -1. */
static int numbered(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);
	return end == text || *end || number < 0 || number > 1 << 20 ? -1 : (int)number;
}

static int open_descriptor(const char *option, const char *number, int *ret_fd,
			   struct pinfold_error *err)
{
	int fd = numbered(number);
	fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return pinfold_fail(err, PINFOLD_E_USAGE, EBADF, option, number,
				    "give the number of a descriptor that is open");
	*ret_fd = fd;
	return 0;
}

/* Lines are added to what is there: several runs may share a file. */
static int open_events(const char *path, int *ret_fd, struct pinfold_error *err)
{
	static const char action[] = "open the file of --events";
	struct stat about;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	if (fd < 0)
		return pinfold_fail(err, PINFOLD_E_USAGE, errno, action, path,
				    "name a file that you can write, or fd:N");
	if (fstat(fd, &about) < 0 || !S_ISREG(about.st_mode)) {
		close(fd);
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, action, path,
				    "name a plain file; for anything else open it and give fd:N");
	}
	*ret_fd = fd;
	return 0;
}

int records_open(struct records *records, const struct request *request, struct pinfold_error *err)
{
	const char *receipt = request->receipt, *events = request->events;
	*records = (struct records){ .receipt_fd = -1, .status_fd = -1, .events_fd = -1,
				     .shown = request->json };
	if (request->status && open_descriptor("use the descriptor of --status-fd", request->status,
					       &records->status_fd, err) < 0)
		return -1;
	if (events && (strncmp(events, "fd:", 3) == 0 ?
		       open_descriptor("use the descriptor of --events", events + 3, &records->events_fd, err) :
		       open_events(events, &records->events_fd, err)) < 0)
		return -1;
	if (!receipt)
		return 0;
	if (strncmp(receipt, "fd:", 3) == 0)
		return open_descriptor("use the descriptor of --receipt", receipt + 3,
				       &records->receipt_fd, err);
	return pinfold_file_open(receipt, &records->receipt, err);
}

void records_close(struct records *records)
{
	pinfold_file_abandon(records->receipt);
	const int descriptors[] = { records->receipt_fd, records->status_fd, records->events_fd };
	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
		if (descriptors[i] >= 0)
			close(descriptors[i]);
}

static bool write_all(int fd, const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		ssize_t written = write(fd, text, left);
		if (written < 0 && errno != EINTR)
			return errno != EPIPE;
		if (written > 0) {
			text += written;
			left -= (size_t)written;
		}
	}
	return true;
}

/* A reader that is gone, or a full disk, must not end a run: the command's end counts more. The command may
 * not have started yet, and would inherit a signal that is ignored: so it is held back, and taken. */
static void put(int fd, const char *text)
{
	int taken;
	sigset_t broken, pending, before;
	if (!text || fd < 0)
		return;
	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	sigprocmask(SIG_BLOCK, &broken, &before);
	if (!write_all(fd, text) && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
		sigwait(&broken, &taken);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void records_event(const struct records *records, const char *line)
{
	char *whole;
	if (records->events_fd < 0 || !line || asprintf(&whole, "%s\n", line) < 0)
		return;
	put(records->events_fd, whole);
	free(whole);
}

static int put_receipt(struct records *records, const char *text, struct pinfold_error *err)
{
	struct pinfold_file *file = records->receipt;
	records->receipt = NULL;
	put(records->receipt_fd, text);
	return file ? pinfold_file_commit(file, text, err) : 0;
}

void records_refuse(struct records *records, const struct pinfold_error *err)
{
	char *receipt = pinfold_refusal_receipt(err), line[128];
	if (receipt)
		put_receipt(records, receipt, NULL);
	free(receipt);
	snprintf(line, sizeof(line), "{\"event\":\"refused\",\"code\":\"%s\",\"exit_code\":%d}\n",
		 pinfold_code_name(err->code), pinfold_exit_code(err));
	put(records->status_fd, line);
	char *event = pinfold_refusal_event(err);
	records_event(records, event);
	free(event);
}

void records_begin(const struct records *records)
{
	put(records->status_fd, "{\"event\":\"started\"}\n");
}

void records_end(const struct records *records, const struct pinfold_result *result)
{
	static const char *const endings[] = { "ended", "signalled", "timed_out", "unknown" };
	char line[256];
	snprintf(line, sizeof(line),
		 "{\"event\":\"ended\",\"ending\":\"%s\",\"value\":%d,\"exit_code\":%u,"
		 "\"survivors\":%u,\"left\":%u}\n",
		 endings[result->ending < 3 ? result->ending : 3], result->value,
		 result->exit_code, result->survivors, result->left);
	put(records->status_fd, line);
}

int records_receipt(struct records *records, struct pinfold_run *run, struct pinfold_error *err)
{
	char *receipt;
	if (!records->receipt && records->receipt_fd < 0 && !records->shown)
		return 0;
	if (pinfold_run_receipt(run, &receipt, err) < 0)
		return -1;
	if (records->shown)
		put(STDERR_FILENO, receipt);
	int result = put_receipt(records, receipt, err);
	free(receipt);
	return result;
}
