/* cli/options.c - one parser for the options of all verbs. */
#include "config.h"

#include "options.h"

#include <pinfold/pinfold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

static void *field_of(struct request *request, const struct option_row *row)
{
	return (char *)request + row->field;
}

static int words_add(struct words *words, char *word)
{
	char **items = word ? realloc(words->items, (words->count + 2) * sizeof(*items)) : NULL;
	if (!items) {
		free(word);
		return -1;
	}
	words->items = items;
	items[words->count++] = word;
	items[words->count] = NULL;
	return 0;
}

static void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
}

void request_release(struct request *request)
{
	words_release(&request->settings);
	words_release(&request->origins);
	words_release(&request->receipts);
	words_release(&request->grants);
	words_release(&request->environment);
	*request = (struct request){ 0 };
}

static int add_setting(struct request *request, const struct option_row *row, const char *value)
{
	char *setting = NULL;
	if (!row->setting)
		setting = strdup(value);
	else if (asprintf(&setting, "%s%s%s", row->setting, strchr(row->setting, '=') ? "" : "=", value ? value : "") < 0)
		setting = NULL;
	if (words_add(&request->settings, setting) < 0)
		return -1;
	return words_add(&request->origins, strdup(row->name));
}

static int apply(struct request *request, const struct option_row *row, const char *value)
{
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field_of(request, row) = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)field_of(request, row) = value;
		return 0;
	case OPTION_WORDS:
		return words_add(field_of(request, row), strdup(value));
	default:
		return add_setting(request, row, value);
	}
}

/* A row by the name that `word` begins with: all of it, or up to a "=". */
static const struct option_row *find(const struct option_row *const *tables, const char *word)
{
	size_t length = strcspn(word, "=");
	for (; *tables; tables++)
		for (const struct option_row *row = *tables; row->name; row++)
			if (strlen(row->name) == length && memcmp(row->name, word, length) == 0)
				return row;
	return NULL;
}

static int refuse_unknown(const struct option_row *const *tables, const char *word,
			  struct pinfold_error *err)
{
	const char *names[MOST_OPTIONS + 1];
	size_t count = 0;
	for (; *tables; tables++)
		for (const struct option_row *row = *tables; row->name && count < MOST_OPTIONS; row++)
			names[count++] = row->name;
	names[count] = NULL;
	char name[64], recovery[128] = "see the verb's --help";
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	const char *nearest = pinfold_nearest(name, names);
	if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s? see the verb's --help", nearest);
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "find the option", word, recovery);
}

static int refuse_memory(struct pinfold_error *err)
{
	return pinfold_fail(err, PINFOLD_E_NO_MEMORY, 0, "read the command line",
			    "memory is gone",
			    "free memory on this machine and try again");
}

static int refuse_value(const char *word, const char *recovery, struct pinfold_error *err)
{
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option", word, recovery);
}

/* The option at `*at`, which is moved to its value where that is a word of its own. */
static int read_option(const struct option_row *const *tables, char ***at, struct request *request,
		       struct pinfold_error *err)
{
	const char *word = **at;
	const struct option_row *row = find(tables, word);
	if (!row)
		return refuse_unknown(tables, word, err);
	const char *value = strchr(word, '=');
	if (value && !row->argument)
		return refuse_value(word, "give this option without a value", err);
	if (row->argument && !value && !(*at)[1])
		return refuse_value(word, "give this option a value", err);
	if (row->argument)
		value = value ? value + 1 : *++*at;
	return apply(request, row, value) < 0 ? refuse_memory(err) : 0;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

int options_read(const struct option_row *const *tables, char **argv, struct request *request,
		 struct pinfold_error *err)
{
	char **at = argv[0] ? argv + 1 : argv;
	for (; *at && is_option(*at); at++) {
		if (strcmp(*at, "--") == 0) {
			at++;
			break;
		}
		if (read_option(tables, &at, request, err) < 0)
			return -1;
	}
	request->operands = at;
	return 0;
}

int options_read_mixed(const struct option_row *const *tables, char **argv, struct request *request,
		       struct pinfold_error *err)
{
	char **at = argv[0] ? argv + 1 : argv, **operand = at;
	request->operands = at;
	for (; *at && strcmp(*at, "--") != 0; at++) {
		if (!is_option(*at))
			*operand++ = *at;
		else if (read_option(tables, &at, request, err) < 0)
			return -1;
	}
	for (at += *at != NULL; *at; at++)
		*operand++ = *at;
	*operand = NULL;
	return 0;
}

void options_name(const struct request *request, struct pinfold_error *err)
{
	static const char counted[] = "--set:";
	char rest[sizeof(err->subject)], *end;
	if (strncmp(err->subject, counted, sizeof(counted) - 1) != 0)
		return;
	unsigned long number = strtoul(err->subject + sizeof(counted) - 1, &end, 10);
	if (*end != ':' || number < 1 || number > request->origins.count)
		return;
	snprintf(rest, sizeof(rest), "%s", end);
	snprintf(err->subject, sizeof(err->subject), "%s%.600s", request->origins.items[number - 1],
		 rest);
}

void options_show(const struct option_row *const *tables)
{
	puts("options:");
	for (; *tables; tables++)
		for (const struct option_row *row = *tables; row->name; row++) {
			char left[48];
			snprintf(left, sizeof(left), "%s%s%s", row->name, row->argument ? " " : "",
				 row->argument ? row->argument : "");
			printf("  %-24s %s\n", left, row->help);
		}
}

const struct option_row options_configuration[] = {
	{ "--config", "FILE", OPTION_TEXT, OPTION_FIELD(config),
	  "read one more configuration file, above the user's" },
	{ "--set", "SECTION.KEY=VALUE", OPTION_SETTING, 0, NULL,
	  "set a configuration key; may be repeated" },
	{ "--json", NULL, OPTION_FLAG, OPTION_FIELD(json), "print JSON, errors too (run: its receipt)" },
	{ "--help", NULL, OPTION_FLAG, OPTION_FIELD(help), "show this help" },
	OPTION_END,
};
