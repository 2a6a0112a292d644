/* cli/diff.c - pinfold diff: what a command changed. */
#include "config.h"

#include "verb.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { AROUND_MOST = 1000000000 };

static int read_form(const struct request *request, uint32_t *ret_form, struct pinfold_error *err)
{
	const struct {
		bool asked;
		uint32_t form;
	} forms[] = {
		{ request->summary, PINFOLD_CHANGES_LIST }, { request->stat, PINFOLD_CHANGES_STAT },
		{ request->names, PINFOLD_CHANGES_NAMES }, { request->json, PINFOLD_CHANGES_JSON },
	};
	uint32_t form = PINFOLD_CHANGES_PATCH, count = 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].asked) {
			form = forms[i].form;
			count++;
		}
	if (count > 1)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line",
				    "there is more than one form",
				    "use one of --summary, --stat, --name-only and --json");
	if (request->zero && form != PINFOLD_CHANGES_LIST && form != PINFOLD_CHANGES_NAMES)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option", "-z",
				    "use it with --summary or --name-only");
	*ret_form = form;
	return 0;
}

static int read_around(const struct request *request, uint32_t *ret_around, struct pinfold_error *err)
{
	char *end = NULL;
	unsigned long number = 3;
	if (request->around)
		number = strtoul(request->around, &end, 10);
	if (end && (end == request->around || *end != '\0' || request->around[0] < '0' ||
		    request->around[0] > '9' || number > AROUND_MOST))
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --unified",
				    request->around, "give it a number of lines, such as 3");
	*ret_around = (uint32_t)number;
	return 0;
}

static int read_colour(const struct request *request, bool *ret_colour, struct pinfold_error *err)
{
	const char *when = request->colour ? request->colour : "auto";
	if (strcmp(when, "auto") != 0 && strcmp(when, "always") != 0 && strcmp(when, "never") != 0)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --color", when,
				    "use one of: auto, always, never");
	*ret_colour = when[1] == 'u' ? document_form(request) == PINFOLD_FORM_COLOUR : when[0] == 'a';
	return 0;
}

static uint32_t columns(void)
{
	struct winsize size;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

/* What has colours is for eyes as well, whatever it goes through before. */
static int read_style(const struct request *request, struct pinfold_changes_style *ret_style,
		      struct pinfold_error *err)
{
	struct pinfold_changes_style style = { .size = sizeof(style), .columns = columns() };
	bool colour = false;
	if (read_form(request, &style.form, err) < 0 || read_around(request, &style.around, err) < 0 ||
	    read_colour(request, &colour, err) < 0)
		return -1;
	colour = colour && !request->zero;
	style.flags = (colour ? PINFOLD_CHANGES_COLOUR : 0) |
		      (request->packed ? PINFOLD_CHANGES_PACKED : 0) |
		      (request->all ? PINFOLD_CHANGES_ALL : 0) |
		      (request->zero ? PINFOLD_CHANGES_ZERO : 0);
	if (!request->raw && (colour || isatty(STDOUT_FILENO)))
		style.flags |= PINFOLD_CHANGES_ESCAPED;
	*ret_style = style;
	return 0;
}

/* Who reads the first lines only gets what they would get of any other command. */
static int end_by_pipe(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	return PINFOLD_EXIT_SIGNAL + SIGPIPE;
}

static int act(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct pinfold_review review = {
		.size = sizeof(review), .directory = request->directory, .session = request->session,
		.paths = (const char *const *)request->operands,
	};
	struct pinfold_changes_style style;
	uint64_t count = 0;
	if (read_style(request, &style, err) < 0)
		return -1;
	if (pinfold_write_changes(pinfold, &review, &style, STDOUT_FILENO, &count, err) < 0)
		return err->sys == EPIPE ? end_by_pipe() : -1;
	if (count == 0 && !request->json && isatty(STDERR_FILENO))
		say("nothing was changed");
	return request->exit_code && count > 0;
}

static const struct option_row own[] = {
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory),
	  "the working tree, or a directory in it, in place of the current directory" },
	{ "--session", "NAME", OPTION_TEXT, OPTION_FIELD(session),
	  "of this session; without it: of the last run" },
	{ "--summary", NULL, OPTION_FLAG, OPTION_FIELD(summary), "a line for each change, no content" },
	{ "--stat", NULL, OPTION_FLAG, OPTION_FIELD(stat), "how many lines changed in each file" },
	{ "--name-only", NULL, OPTION_FLAG, OPTION_FIELD(names), "the names of what changed" },
	{ "-z", NULL, OPTION_FLAG, OPTION_FIELD(zero),
	  "with --summary or --name-only: names as they are, a NUL after each" },
	{ "--unified", "LINES", OPTION_TEXT, OPTION_FIELD(around),
	  "unchanged lines beside a change; 3 without it" },
	{ "--binary", NULL, OPTION_FLAG, OPTION_FIELD(packed), "spell out binary content, for `git apply`" },
	{ "--all", NULL, OPTION_FLAG, OPTION_FIELD(all),
	  "spell out what is in git directories and outside of the tree" },
	{ "--color", "auto|always|never", OPTION_TEXT, OPTION_FIELD(colour), "auto, without it: on a terminal" },
	{ "--raw", NULL, OPTION_FLAG, OPTION_FIELD(raw),
	  "show a terminal what is in files as it is, whatever it does" },
	{ "--exit-code", NULL, OPTION_FLAG, OPTION_FIELD(exit_code), "exit with 1 where there are changes" },
	OPTION_END,
};
static const struct option_row *const tables[] = { own, options_configuration, NULL };

const struct verb verb_diff = {
	.name = "diff", .operands = "[path ...]",
	.summary = "show what a command changed", .options = tables, .act = act,
};
