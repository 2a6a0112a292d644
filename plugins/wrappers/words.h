/* wrappers/words.h - what all preparers do: look into an environment, and make lists of texts. */
#ifndef WRAPPERS_WORDS_H
#define WRAPPERS_WORDS_H

#include <pinfold/wrapper.h>
#include <stdbool.h>

enum { WORDS_MOST = 64 };

/* A list in the making; what it holds lives like what the host allocates. */
struct words {
	const struct pinfold_host *host;
	const char *items[WORDS_MOST + 1];	/* NULL-terminated at all times */
	size_t count;
	bool failed;	/* memory is gone, or there were too many */
};

/* The text must live as long as the list; NULL says that it could not be made. */
void words_add(struct words *words, const char *text);
/* Every variable of the environment whose name the NULL-terminated list has. */
void words_pass(struct words *words, const char *const *environment, const char *const *names);
/* Every line of a setting that is a list; NULL adds nothing. */
void words_add_lines(struct words *words, const char *lines);
/* The list as the host gets it: NULL where it is empty. */
const char *const *words_give(struct words *words);
/* The helper inside, to a host that knows of such. */
void words_give_inside(struct words *words, struct pinfold_preparation *preparation);
/* One that its first client starts, behind these endpoints and with these variables, to a host that knows of such. */
void words_give_behind(struct words *inside, struct words *behind, struct words *environment,
		       struct pinfold_preparation *preparation);

/* The value of a variable, or NULL; an empty one counts as not set. */
const char *words_value(const char *const *environment, const char *name);
/* "NAME=value". */
const char *words_set(const struct pinfold_host *host, const char *name, const char *value);

/* Fails for want of memory. */
int words_no_memory(const struct pinfold_host *host, struct pinfold_error *err);
/* May this program be run outside? It is absolute, not in the command's directory, and nobody but root
 * and the caller can have written it. */
int words_check_program(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			const char *program, struct pinfold_error *err);

/* Is the wrapper, as the command will find it, this very program? */
bool words_is_program(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
		      const char *program);

#endif
