/* cli/records.c - what is written beside a run, for programs. */
#include "config.h"

#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

int records_open(struct records *records, const struct request *request, struct pinfold_error *err)
{
	const char *receipt = request->receipt;
	*records = (struct records){ .receipt_fd = -1, .status_fd = -1, .shown = request->json };
	if (request->status && open_descriptor("use the descriptor of --status-fd", request->status,
					       &records->status_fd, err) < 0)
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
	if (records->receipt_fd >= 0)
		close(records->receipt_fd);
	if (records->status_fd >= 0)
		close(records->status_fd);
}

/* A reader that is gone, or a full disk, must not end a run: the command's end counts more. The
 * command has started, or never will: it does not inherit what is ignored here. */
static void put(int fd, const char *text)
{
	signal(SIGPIPE, SIG_IGN);
	size_t left = text && fd >= 0 ? strlen(text) : 0;
	while (left > 0) {
		ssize_t written = write(fd, text, left);
		if (written < 0 && errno != EINTR)
			return;
		if (written > 0) {
			text += written;
			left -= (size_t)written;
		}
	}
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
