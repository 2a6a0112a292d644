/* cli/kept.c - the verbs about what is kept, and what still runs: sessions, jobs, discard and gc. */
#include "config.h"

#include "verb.h"

static int show_sessions(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	if (pinfold_describe_sessions(pinfold, request->directory, request->all ? PINFOLD_SESSIONS_ALL : 0,
				      document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row sessions_options[] = {
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory),
	  "the working tree, or a directory in it, in place of the current directory" },
	{ "--all", NULL, OPTION_FLAG, OPTION_FIELD(all), "of all trees" },
	OPTION_END,
};
static const struct option_row *const sessions_tables[] = {
	sessions_options, options_configuration, NULL,
};

const struct verb verb_sessions = {
	.name = "sessions",
	.summary = "list the sessions of this tree, or of all",
	.options = sessions_tables,
	.act = show_sessions,
};

static int show_jobs(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	if (pinfold_describe_jobs(pinfold, document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row *const jobs_tables[] = { options_configuration, NULL };

const struct verb verb_jobs = {
	.name = "jobs",
	.summary = "list the commands that still run",
	.options = jobs_tables,
	.act = show_jobs,
};

static int discard(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct pinfold_review review = {
		.size = sizeof(review), .directory = request->directory, .session = request->session,
		.paths = (const char *const *)request->operands,
	};
	return pinfold_discard(pinfold, &review, err);
}

static const struct option_row discard_options[] = {
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory),
	  "the working tree, or a directory in it, in place of the current directory" },
	{ "--session", "NAME", OPTION_TEXT, OPTION_FIELD(session),
	  "of this session; without it: of the last run" },
	OPTION_END,
};
static const struct option_row *const discard_tables[] = { discard_options, options_configuration, NULL };

const struct verb verb_discard = {
	.name = "discard",
	.operands = "[path ...]",
	.summary = "drop what a command changed, all of it or at these paths",
	.options = discard_tables,
	.acts = true,
	.act = discard,
};

static int collect(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	char *document;
	uint32_t flags = (request->dry_run ? PINFOLD_COLLECT_DRY_RUN : 0) |
			 (request->unapplied ? PINFOLD_COLLECT_UNAPPLIED : 0);
	if (pinfold_collect(pinfold, flags, document_form(request), &document, err) < 0)
		return -1;
	document_print(document);
	return 0;
}

static const struct option_row collect_options[] = {
	{ "--dry-run", NULL, OPTION_FLAG, OPTION_FIELD(dry_run), "say what would be removed" },
	{ "--unapplied", NULL, OPTION_FLAG, OPTION_FIELD(unapplied),
	  "remove sessions with changes that are not applied as well" },
	OPTION_END,
};
static const struct option_row *const collect_tables[] = { collect_options, options_configuration, NULL };

const struct verb verb_gc = {
	.name = "gc",
	.summary = "remove what is kept for too long, of too many or of too much",
	.options = collect_tables,
	.acts = true,
	.act = collect,
};
