/* cli/report.c - the verb report: a run or a session for a person to read, as text or as a page for a browser. */
#include "config.h"

#include "verb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECEIPT_MOST = 16 << 20, MARK_ROOM = 128 };

static int refuse_receipt(const char *path, int sys, const char *recovery, struct pinfold_error *err)
{
	return pinfold_fail(err, sys ? PINFOLD_E_SYSTEM : PINFOLD_E_USAGE, sys, "read the receipt", path, recovery);
}

/* The whole of a plain file. */
static int read_receipt(const char *path, char **ret_text, struct pinfold_error *err)
{
	static const char name_one[] = "name a file that `pinfold run --receipt FILE` wrote";
	struct stat found;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), sys = errno;
	if (fd < 0 || fstat(fd, &found) < 0 || !S_ISREG(found.st_mode) || found.st_size > RECEIPT_MOST) {
		if (fd >= 0)
			close(fd);
		return refuse_receipt(path, fd < 0 ? sys : 0, name_one, err);
	}
	char *text = calloc(1, (size_t)found.st_size + 1);
	ssize_t got = 1;
	for (size_t at = 0; text && got > 0 && at < (size_t)found.st_size; at += (size_t)got)
		if ((got = read(fd, text + at, (size_t)found.st_size - at)) <= 0)
			break;
	sys = text ? errno : ENOMEM;
	close(fd);
	if (text && got > 0) {
		*ret_text = text;
		return 0;
	}
	free(text);
	return refuse_receipt(path, got < 0 || !text ? sys : 0, name_one, err);
}

static int read_receipts(const struct words *paths, char **texts, struct pinfold_error *err)
{
	for (size_t i = 0; i < paths->count; i++)
		if (read_receipt(paths->items[i], &texts[i], err) < 0)
			return -1;
	return 0;
}

/* What stands at the path may be replaced where it is such a page, or was said to. */
static int check_place(const char *path, bool force, struct pinfold_error *err)
{
	char begin[MARK_ROOM] = "";
	struct stat found;
	if (force || lstat(path, &found) < 0)
		return 0;
	int fd = S_ISREG(found.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
	ssize_t got = fd < 0 ? -1 : read(fd, begin, sizeof(begin) - 1);
	if (fd >= 0)
		close(fd);
	if (got == 0 || (got > 0 && pinfold_is_report_page(begin)))
		return 0;
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "write the report", path,
			    "it is there and is no report: name another file, or say --force");
}

static int make(struct pinfold *pinfold, const struct request *request, const char *const *texts, bool page,
		char **ret_document, struct pinfold_error *err)
{
	const struct pinfold_review review = {
		.size = sizeof(review), .directory = request->directory, .session = request->session,
		.paths = (const char *const *)request->operands,
	};
	bool asked = !texts[0] || request->directory || request->session || request->operands[0];
	const struct pinfold_report_order order = {
		.size = sizeof(order), .flags = page ? PINFOLD_REPORT_PAGE : 0, .receipts = texts,
		.review = asked ? &review : NULL,
	};
	return pinfold_describe_report(pinfold, &order, document_form(request), ret_document, err);
}

static int write_page(struct pinfold *pinfold, const struct request *request, const char *const *texts,
		      struct pinfold_error *err)
{
	struct pinfold_file *file = NULL;
	char *document = NULL;
	if (check_place(request->html, request->force, err) < 0 || pinfold_file_open(request->html, &file, err) < 0)
		return -1;
	if (make(pinfold, request, texts, true, &document, err) < 0) {
		pinfold_file_abandon(file);
		return -1;
	}
	int result = pinfold_file_commit(file, document, err);
	free(document);
	return result;
}

static int report(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char **texts = calloc(request->receipts.count + 1, sizeof(*texts)), *document = NULL;
	if (!texts)
		return pinfold_fail(err, PINFOLD_E_NO_MEMORY, 0, "make a report", "memory is gone",
				    "free memory on this machine and try again");
	int result = read_receipts(&request->receipts, texts, err);
	if (result == 0 && request->html)
		result = write_page(pinfold, request, (const char *const *)texts, err);
	else if (result == 0)
		result = make(pinfold, request, (const char *const *)texts, false, &document, err);
	if (document)
		document_print(document);
	for (size_t i = 0; i < request->receipts.count; i++)
		free(texts[i]);
	free(texts);
	return result;
}

static const struct option_row own[] = {
	{ "--receipt", "FILE", OPTION_WORDS, OPTION_FIELD(receipts),
	  "of the run whose receipt this is; may be repeated, for runs of a session" },
	{ "--session", "NAME", OPTION_TEXT, OPTION_FIELD(session),
	  "of this session; without it: of the receipt's, or of the last run" },
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory),
	  "the working tree, in place of the receipt's or the current directory" },
	{ "--html", "FILE", OPTION_TEXT, OPTION_FIELD(html), "write one page for a browser there" },
	{ "--force", NULL, OPTION_FLAG, OPTION_FIELD(force), "replace a file that is no report" },
	OPTION_END,
};
static const struct option_row *const tables[] = { own, options_configuration, NULL };

const struct verb verb_report = {
	.name = "report", .operands = "[path ...]",
	.summary = "show what ran, was held and was changed, as text or as a page",
	.options = tables, .act = report,
};
