/* tests/sbpl.h - what a sandbox profile decides: a reader and judge of its language, as far as we write it.
 *
 * Written from what is known of the language, not from the code that writes profiles: of two rules that
 * match the later counts, and what it does not know it refuses to read.
 */
#ifndef TESTS_SBPL_H
#define TESTS_SBPL_H

#include <stdbool.h>
#include <stddef.h>

struct sbpl;

/* `parameters` are name, value, …, NULL. NULL with a reason (to be freed) when the profile cannot be read. */
struct sbpl *sbpl_read(const char *text, const char *const *parameters, char **ret_reason);
void sbpl_free(struct sbpl *sbpl);

/* One thing that a process asks for. Members that have nothing to do with it stay NULL. */
struct sbpl_question {
	const char *operation;	/* "file-read-data" */
	const char *path;	/* of a file or a unix socket */
	const char *name;	/* of a service, a setting of the kernel, or shared memory */
	const char *protocol;	/* "tcp" or "udp" */
	const char *remote, *local;	/* "localhost:80", "example.org:443" */
	bool outside;	/* the process asked about is of no or another sandbox */
	const char *const *extensions;	/* class, path, …, NULL: tokens that were consumed */
};

struct sbpl_answer {
	bool allowed;
	const char *message;	/* of the rule that counted, or NULL */
};

struct sbpl_answer sbpl_ask(const struct sbpl *sbpl, const struct sbpl_question *question);
bool sbpl_allows(const struct sbpl *sbpl, const char *operation, const char *path);
/* Rules and filters, counted as a compiler would. */
unsigned sbpl_rules(const struct sbpl *sbpl);

#endif
