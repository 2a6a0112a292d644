/* cli/verb.h - the verbs of the command, and what they share. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "options.h"

#include <pinfold/pinfold.h>

struct verb {
	const char *name;
	const char *operands;	/* what follows the options, for the help; `[` before it: may be missing, and
				 * options may follow; NULL: nothing may */
	const char *summary;
	const struct option_row *const *options;
	bool acts;	/* what it did stays done when its report cannot be written */
	bool helps;	/* with an operand, --help is about that */
	bool alone;	/* it needs neither the configuration nor modules: its `act` gets none */
	bool runs;	/* a run is to be expected as soon as the options are read */
	/* The exit code; on an error that it filled, -1. */
	int (*act)(struct pinfold *pinfold, struct request *request, struct pinfold_error *err);
};

extern const struct verb verb_run, verb_exec, verb_serve, verb_jobs, verb_probe, verb_explain, verb_diff, verb_apply, verb_discard,
	verb_sessions, verb_gc, verb_config, verb_plugins, verb_wrappers, verb_help, verb_report;

/* The modules that are parts of this program: plugins/built_in. */
const struct pinfold_built_in *built_in_modules(void);

/* What options say of a command (run and explain). The request and its operands must stay. */
int command_of(const struct request *request, struct pinfold_command *ret_command, int *descriptors,
	       size_t room, struct pinfold_error *err);
enum { COMMAND_DESCRIPTORS = 64 };

/* The document's text form where a person looks (coloured on a terminal), or JSON. */
uint32_t document_form(const struct request *request);
/* Prints the document and frees it. Whether all of it was written is looked at once, at the end. */
void document_print(char *document);

/* A line "pinfold: TEXT" on standard error, quoted. */
void say(const char *text);
/* A line that the next one takes the place of, for a terminal; "" takes it away. */
void say_passing(const char *text);
/* The same in lines that fit the terminal. */
void say_folded(const char *text);
/* What is no longer held is always said; what is held, at a terminal, when it is news. */
void introduce(struct pinfold_run *run, bool quiet);
/* The error on standard error: a block for a person, or JSON. */
void complain(const struct pinfold_error *err, bool json);

#endif
