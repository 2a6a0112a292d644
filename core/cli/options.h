/* cli/options.h - what a command line asks for: options are rows of a table, one parser for all verbs. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <pinfold/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A NULL-terminated list of strings that it owns; NULL while empty. */
struct words {
	char **items;
	size_t count;
};

/* Everything that options of any verb can set. */
struct request {
	bool help, json, quiet;
	bool dry_run, unapplied;	/* of gc */
	bool measure, forget;	/* of wrappers */
	bool summary, stat, names, zero, packed, all, raw, exit_code;	/* of diff */
	const char *around, *colour;
	bool drain;	/* of serve */
	const char *jobs;
	bool partial, risky, interactive;	/* of apply, which has dry_run too */
	const char *directory, *session, *where, *receipt, *events, *keep, *status, *config, *require;
	struct words settings;	/* "section.key=value" */
	struct words origins;	/* of each setting the option that it came with */
	const char *html;	/* of report, which has force and receipts as well */
	bool force;
	struct words receipts;
	struct words grants;	/* "NAME=PATH" */
	struct words environment;	/* "NAME=value" or "NAME" */
	char **operands;	/* what follows the options, NULL-terminated */
};
void request_release(struct request *request);

enum option_kind {
	OPTION_FLAG = 0,	/* sets a bool */
	OPTION_TEXT,		/* sets a string; given twice, the later wins */
	OPTION_WORDS,		/* adds to a list */
	OPTION_SETTING		/* adds "SETTING=value" to the settings, or "value" */
};

struct option_row {
	const char *name;	/* with its dashes: "--arm", "-C" */
	const char *argument;	/* what the help calls its argument; NULL: none */
	uint32_t kind;		/* enum option_kind */
	size_t field;		/* of struct request; unused for OPTION_SETTING */
	/* For OPTION_SETTING: the key that it sets, perhaps with "=" and how its value begins; NULL: the value
	 * names it. */
	const char *setting;
	const char *help;
};
#define OPTION_END { NULL, NULL, 0, 0, NULL, NULL }
#define OPTION_FIELD(member) offsetof(struct request, member), NULL

/* A verb's options: tables that verbs share and its own; each ends with a row without a name, the
 * list of them with NULL. */
/* Reads argv[1] and what follows until the first word that is no option, or past "--". */
int options_read(const struct option_row *const *tables, char **argv, struct request *request,
		 struct pinfold_error *err);
/* The same where options may follow words that are none: all of those, in their order, are the
 * operands. The list `argv` is changed. */
int options_read_mixed(const struct option_row *const *tables, char **argv, struct request *request,
		       struct pinfold_error *err);
/* An error about a setting names the option that it came with, as it was typed. */
void options_name(const struct request *request, struct pinfold_error *err);
/* The options as help shows them, on standard output. */
void options_show(const struct option_row *const *tables);

extern const struct option_row options_command[];	/* of what is to be run: run, explain */
extern const struct option_row options_configuration[];	/* of every verb */

#endif
