/* wrappers/words.c - what all preparers do: look into an environment, and make lists of texts. */
#include "config.h"

#include "words.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void words_add(struct words *words, const char *text)
{
	if (!text || words->count == WORDS_MOST)
		words->failed = true;
	else
		words->items[words->count++] = text;
}

static bool is_named(const char *variable, const char *name)
{
	size_t length = strlen(name);
	return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

void words_pass(struct words *words, const char *const *environment, const char *const *names)
{
	for (; environment && *environment; environment++)
		for (size_t i = 0; names[i]; i++)
			if (is_named(*environment, names[i]))
				words_add(words, words->host->print(words->host, "%s", *environment));
}

void words_add_lines(struct words *words, const char *lines)
{
	while (lines && *lines) {
		size_t length = strcspn(lines, "\n");
		words_add(words, words->host->print(words->host, "%.*s", (int)length, lines));
		lines += length + (lines[length] == '\n');
	}
}

const char *const *words_give(struct words *words)
{
	size_t bytes = (words->count + 1) * sizeof(words->items[0]);
	const char **list = words->count ? words->host->allocate(words->host, bytes) : NULL;
	if (list)
		memcpy(list, words->items, bytes);
	else if (words->count)
		words->failed = true;
	return list;
}

#define KNOWS(preparation, member) \
	((preparation)->size >= offsetof(struct pinfold_preparation, member) + sizeof((preparation)->member))

void words_give_inside(struct words *words, struct pinfold_preparation *preparation)
{
	if (KNOWS(preparation, inside))
		preparation->inside = words_give(words);
}

void words_give_behind(struct words *inside, struct words *behind, struct words *environment,
		       struct pinfold_preparation *preparation)
{
	if (!KNOWS(preparation, inside_environment))
		return;
	preparation->inside = words_give(inside);
	preparation->behind = words_give(behind);
	preparation->inside_environment = words_give(environment);
}

const char *words_value(const char *const *environment, const char *name)
{
	for (; environment && *environment; environment++)
		if (is_named(*environment, name)) {
			const char *value = *environment + strlen(name) + 1;
			return value[0] ? value : NULL;
		}
	return NULL;
}

const char *words_set(const struct pinfold_host *host, const char *name, const char *value)
{
	return host->print(host, "%s=%s", name, value);
}

int words_no_memory(const struct pinfold_host *host, struct pinfold_error *err)
{
	return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the wrapper", NULL,
			  "free memory on this machine and try again");
}

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool is_trusted(const struct pinfold_host *host, uid_t owner)
{
	return PINFOLD_HAS(host, trusts) ? host->trusts(host, owner) : owner == 0 || owner == geteuid();
}

/* What keeps a program from being believed, or NULL. */
static const char *program_fault(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
				 const char *canonical, const struct stat *status)
{
	if (context->directory && is_below(canonical, context->directory))
		return "it lies in the working tree";
	if (!S_ISREG(status->st_mode))
		return "it is no file";
	if (!is_trusted(host, status->st_uid))
		return "it belongs to another user";
	return status->st_mode & (S_IWGRP | S_IWOTH) ? "others can write it" : NULL;
}

int words_check_program(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			const char *program, struct pinfold_error *err)
{
	static const char action[] = "start a wrapper's helper";
	struct stat status;
	if (program[0] != '/')
		return host->fail(err, PINFOLD_E_CONFIG, 0, action, program,
				  "name the program by an absolute path");
	char *canonical = realpath(program, NULL);
	if (!canonical || stat(canonical, &status) < 0) {
		int why = errno;
		free(canonical);
		return host->fail(err, PINFOLD_E_CONFIG, why, action, program,
				  "install it, or name another program in its section");
	}
	const char *fault = program_fault(host, context, canonical, &status);
	free(canonical);
	if (!fault)
		return 0;
	return host->fail(err, PINFOLD_E_CONFIG, 0, action,
			  host->print(host, "%s: %s", program, fault),
			  "name a program that only root or you can change, outside of the tree");
}

static bool is_same(const char *path, const struct stat *program)
{
	struct stat about;
	return path && stat(path, &about) == 0 && about.st_dev == program->st_dev &&
	       about.st_ino == program->st_ino;
}

/* The first in PATH that can be executed. */
static const char *search(const struct pinfold_host *host, const struct pinfold_wrapper_context *context)
{
	const char *at = words_value(context->environment, "PATH");
	while (at && *at) {
		int length = (int)strcspn(at, ":");
		const char *base = *at == '/' ? "" : context->directory;
		const char *path = host->print(host, "%s%s%.*s/%s", base, *at == '/' ? "" : "/", length, at,
					       context->wrapper);
		if (path && access(path, X_OK) == 0)
			return path;
		at += length + (at[length] == ':');
	}
	return NULL;
}

bool words_is_program(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
		      const char *program)
{
	struct stat about;
	const char *found = strchr(context->wrapper, '/') ? context->wrapper : search(host, context);
	return found && found[0] == '/' && stat(program, &about) == 0 && is_same(found, &about);
}
