/* cli/apply.c - pinfold apply: what a command changed comes into the tree. */
#include "config.h"

#include "terminal.h"
#include "verb.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_LEFT = 1, ANSWER_ROOM = 64 };

struct asking {
	struct terminal terminal;
	bool colour;
};

static void put(const struct asking *asking, const char *text)
{
	ssize_t ignored = write(asking->terminal.fd, text, strlen(text));
	(void)ignored;
}

/* One line of the person's, its first letter; 'q' where there is no more. */
static char read_letter(const struct asking *asking)
{
	char line[ANSWER_ROOM];
	ssize_t length;
	do
		length = read(asking->terminal.fd, line, sizeof(line));
	while (length < 0 && errno == EINTR);
	if (length <= 0) {
		put(asking, "\n");
		return 'q';
	}
	if (line[length - 1] != '\n') {	/* the rest of a long line is no answer to the next question */
		char rest[ANSWER_ROOM];
		while ((length = read(asking->terminal.fd, rest, sizeof(rest))) > 0 && rest[length - 1] != '\n')
			continue;
		return '?';
	}
	return length == 2 ? line[0] : '?';
}

static void put_question(const struct asking *asking, const struct pinfold_apply_item *item)
{
	char *path = pinfold_quote(item->path), *from = item->from ? pinfold_quote(item->from) : NULL;
	char *line = NULL, further[64] = "";
	if (item->further > 0)
		snprintf(further, sizeof(further), " and %" PRIu64 " more of git's objects", item->further);
	if (path && asprintf(&line, "%s%s%sapply %s %s%s%s%s? [y,n,a,d,q,p,?] ", item->risk ? "risky: " : "",
			     item->risk ? item->risk : "", item->risk ? "\n" : "", item->kind, path,
			     from ? " from " : "", from ? from : "", further) >= 0)
		put(asking, line);
	free(line);
	free(path);
	free(from);
}

static int show(const struct asking *asking, const struct pinfold_apply_item *item)
{
	struct pinfold_error err = { 0 };
	uint32_t flags = PINFOLD_CHANGES_ESCAPED | (asking->colour ? PINFOLD_CHANGES_COLOUR : 0);
	if (pinfold_apply_show(item, flags, asking->terminal.fd, &err) < 0)
		complain(&err, false);
	return 0;
}

static int ask(void *context, const struct pinfold_apply_item *item, struct pinfold_error *err)
{
	static const struct {
		char letter;
		int answer;
	} answers[] = {
		{ 'y', PINFOLD_ANSWER_YES }, { 'n', PINFOLD_ANSWER_NO },   { 'a', PINFOLD_ANSWER_ALL },
		{ 'd', PINFOLD_ANSWER_NONE }, { 'q', PINFOLD_ANSWER_QUIT },
	};
	const struct asking *asking = context;
	(void)err;
	for (;;) {
		put_question(asking, item);
		char letter = read_letter(asking);
		for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
			if (answers[i].letter == letter)
				return answers[i].answer;
		if (letter == 'p')
			show(asking, item);
		else
			put(asking, "y  apply it\nn  leave it\na  apply it and all that follow but risky ones\n"
				    "d  leave it and all that follow\nq  apply nothing at all\np  show it\n");
	}
}

static int open_terminal(struct asking *asking, const struct request *request, struct pinfold_error *err)
{
	terminal_remember(&asking->terminal);
	asking->colour = document_form(request) == PINFOLD_FORM_COLOUR;
	if (asking->terminal.fd >= 0)
		return 0;
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "ask for each change", "there is no terminal",
			    "leave --interactive out, or name the paths that are to be applied");
}

static int apply(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct pinfold_review review = {
		.size = sizeof(review), .directory = request->directory, .session = request->session,
		.paths = (const char *const *)request->operands,
	};
	struct asking asking = { .terminal = { .fd = -1 } };
	struct pinfold_apply_order order = {
		.size = sizeof(order),
		.flags = (request->partial ? PINFOLD_APPLY_PARTIAL : 0) |
			 (request->risky ? PINFOLD_APPLY_RISKY : 0) |
			 (request->dry_run ? PINFOLD_APPLY_DRY_RUN : 0),
		.ask = request->interactive ? ask : NULL, .context = &asking,
	};
	struct pinfold_applied applied = { .size = sizeof(applied) };
	char *document = NULL;
	if (request->interactive && open_terminal(&asking, request, err) < 0)
		return -1;
	int result = pinfold_apply(pinfold, &review, &order, document_form(request), &applied, &document, err);
	if (asking.terminal.fd >= 0)
		close(asking.terminal.fd);
	if (result < 0)
		return -1;
	if (request->quiet && !request->json)
		free(document);
	else
		document_print(document);
	return applied.conflicts + applied.risky > 0 ? EXIT_LEFT : 0;
}

static const struct option_row own[] = {
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory),
	  "the working tree, or a directory in it, in place of the current directory" },
	{ "--session", "NAME", OPTION_TEXT, OPTION_FIELD(session),
	  "of this session; without it: of the last run" },
	{ "--partial", NULL, OPTION_FLAG, OPTION_FIELD(partial),
	  "leave what is in conflict or held back, and apply the rest" },
	{ "--allow-risky", NULL, OPTION_FLAG, OPTION_FIELD(risky),
	  "apply hooks, start-up files, workflows and their like as well" },
	{ "--interactive", NULL, OPTION_FLAG, OPTION_FIELD(interactive), "ask for each change" },
	{ "--dry-run", NULL, OPTION_FLAG, OPTION_FIELD(dry_run), "say what would be done, and do nothing" },
	{ "-q", NULL, OPTION_FLAG, OPTION_FIELD(quiet), "say nothing but errors" },
	OPTION_END,
};
static const struct option_row *const tables[] = { own, options_configuration, NULL };

const struct verb verb_apply = {
	.name = "apply", .operands = "[path ...]",
	.summary = "bring what a command changed into the tree", .options = tables, .acts = true, .act = apply,
};
