/* cli/show.c - what the command prints: documents, lines for a person, errors. */
#include "config.h"

#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FEWEST_COLUMNS = 40, USUAL_COLUMNS = 80, MOST_COLUMNS = 100 };

uint32_t document_form(const struct request *request)
{
	if (request->json)
		return PINFOLD_FORM_JSON;
	const char *terminal = getenv("TERM"), *plain = getenv("NO_COLOR");
	int colour = isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 &&
		     !(plain && plain[0]);
	return colour ? PINFOLD_FORM_COLOUR : PINFOLD_FORM_TEXT;
}

void document_print(char *document)
{
	fputs(document, stdout);
	free(document);
}

static int passing;	/* columns of the line that the next one is written over */

/* One write, so that lines of many runs do not mix. */
static void put(const char *text)
{
	if (passing)
		say_passing("");
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
	(void)ignored;
}

void say_passing(const char *text)
{
	enum { MOST = 120 };
	char line[2 * MOST + 4];
	int columns = (int)strnlen(text, MOST), more = passing - columns;
	int bytes = snprintf(line, sizeof(line), "\r%.*s%*s%s", columns, text, more > 0 ? more : 0, "",
			     columns ? "" : "\r");
	ssize_t ignored = columns || passing ? write(STDERR_FILENO, line, (size_t)bytes) : 0;
	(void)ignored;
	passing = columns;
}

void say(const char *text)
{
	char *quoted = pinfold_quote(text), *line = NULL;
	if (quoted && asprintf(&line, "pinfold: %s\n", quoted) >= 0)
		put(line);
	free(quoted);
	free(line);
}

static size_t terminal_columns(void)
{
	struct winsize size;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < FEWEST_COLUMNS)
		return USUAL_COLUMNS;
	return size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
}

/* Blanks become ends of lines, so that no word is parted. */
void say_folded(const char *text)
{
	size_t columns = terminal_columns() - 1, start = 0, blank = 0;
	char *line = NULL, *quoted = pinfold_quote(text);
	if (quoted && asprintf(&line, "pinfold: %s\n", quoted) >= 0) {
		for (size_t i = 0; line[i]; i++) {
			if (line[i] == ' ')
				blank = i;
			if (i - start < columns || blank <= start)
				continue;
			line[blank] = '\n';
			start = blank + 1;
		}
		put(line);
	}
	free(quoted);
	free(line);
}

void introduce(struct pinfold_run *run, bool quiet)
{
	const char *passed;
	for (size_t i = 0; !quiet && (passed = pinfold_run_passed_over(run, i)); i++)
		say(passed);
	if (!quiet && isatty(STDERR_FILENO) && pinfold_run_statement_is_new(run))
		say_folded(pinfold_run_statement(run));
}

void complain(const struct pinfold_error *err, bool json)
{
	char *text = json ? pinfold_refusal_receipt(err) : pinfold_error_text(err);
	put(text ? text : "pinfold: E_NO_MEMORY: cannot say what went wrong\n");
	free(text);
}
