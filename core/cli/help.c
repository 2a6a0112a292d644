/* cli/help.c - the verb help: the manual as plain text, where no program shows manual pages. */
#include "config.h"

#include "usage.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the pages lie: one file for each topic, made from the manual pages by text.awk. */
#ifndef HELP_PLACE
#error "HELP_PLACE: the directory of the help"
#endif

enum { TOPICS_MOST = 128 };

struct topics {
	char *names[TOPICS_MOST + 1];	/* sorted; the last is NULL */
	size_t count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* None where the pages are not installed. */
static void find_topics(struct topics *topics)
{
	DIR *place = opendir(HELP_PLACE);
	*topics = (struct topics){ 0 };
	if (!place)
		return;
	for (struct dirent *entry; topics->count < TOPICS_MOST && (entry = readdir(place));)
		if (entry->d_name[0] != '.' && (topics->names[topics->count] = strdup(entry->d_name)))
			topics->count++;
	closedir(place);
	qsort(topics->names, topics->count, sizeof(topics->names[0]), compare);
}

static void release_topics(struct topics *topics)
{
	for (size_t i = 0; i < topics->count; i++)
		free(topics->names[i]);
}

/* What follows the heading NAME of a page: "    pinfold-diff - show what …", perhaps on further lines. */
static void print_summary(const char *topic)
{
	char path[sizeof(HELP_PLACE) + 260], line[160];
	bool begun = false;
	snprintf(path, sizeof(path), HELP_PLACE "/%s", topic);
	FILE *page = fopen(path, "re");
	printf("  %-14s", topic);
	if (page && fgets(line, sizeof(line), page))
		while (fgets(line, sizeof(line), page) && line[0] == ' ') {
			const char *text = begun ? line : strstr(line, " - ");
			text = text ? text + strspn(text, " -") - 1 : " ";
			printf("%.*s", (int)strcspn(text, "\n"), text);
			begun = true;
		}
	putchar('\n');
	if (page)
		fclose(page);
}

static void show_topics(const struct topics *topics)
{
	if (topics->count == 0) {
		usage_show_verbs();
		return;
	}
	puts("usage: pinfold help TOPIC\n\nverbs:");
	for (size_t i = 0; i < topics->count; i++)
		if (usage_verb(topics->names[i]))
			print_summary(topics->names[i]);
	puts("\nother topics:");
	for (size_t i = 0; i < topics->count; i++)
		if (!usage_verb(topics->names[i]))
			print_summary(topics->names[i]);
}

/* A page's lines; its headings, which begin at the margin, stand out on a terminal. */
static int show_page(const char *topic, bool colour, struct pinfold_error *err)
{
	char path[sizeof(HELP_PLACE) + 260], *line = NULL;
	size_t room = 0;
	snprintf(path, sizeof(path), HELP_PLACE "/%s", topic);
	FILE *page = fopen(path, "re");
	if (!page)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "read the page", path,
				    "install pinfold anew, or read its manual pages");
	for (ssize_t length; (length = getline(&line, &room, page)) > 0;) {
		bool heading = colour && line[0] != ' ' && line[0] != '\n';
		printf("%s%.*s%s\n", heading ? "\033[1m" : "", (int)length - (line[length - 1] == '\n'), line,
		       heading ? "\033[0m" : "");
	}
	free(line);
	fclose(page);
	return 0;
}

static const char *find(const struct topics *topics, const char *wanted)
{
	for (size_t i = 0; i < topics->count; i++)
		if (strcmp(topics->names[i], wanted) == 0)
			return topics->names[i];
	return NULL;
}

static int refuse(const struct topics *topics, const char *wanted, struct pinfold_error *err)
{
	char recovery[160] = "`pinfold help` lists the topics";
	const char *nearest = pinfold_nearest(wanted, (const char *const *)topics->names);
	if (nearest)
		snprintf(recovery, sizeof(recovery), "did you mean %s? `pinfold help` lists the topics", nearest);
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "find the help topic", wanted, recovery);
}

static int show(const struct topics *topics, const struct request *request, struct pinfold_error *err)
{
	const char *wanted = request->operands[0];
	if (!wanted) {
		show_topics(topics);
		return 0;
	}
	if (request->operands[1])
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the command line", request->operands[1],
				    "give one topic");
	if (strncmp(wanted, "pinfold-", 8) == 0)	/* as a manual page has it */
		wanted += 8;
	if (find(topics, wanted))
		return show_page(wanted, document_form(request) == PINFOLD_FORM_COLOUR, err);
	if (!usage_verb(wanted))
		return refuse(topics, wanted, err);
	usage_show_verb(usage_verb(wanted));
	return 0;
}

static int help(struct pinfold *pinfold, struct request *request, struct pinfold_error *err)
{
	struct topics topics;
	(void)pinfold;
	find_topics(&topics);
	int result = show(&topics, request, err);
	release_topics(&topics);
	return result;
}

static const struct option_row *const options[] = { options_configuration, NULL };

const struct verb verb_help = {
	.name = "help",
	.operands = "[topic]",
	.summary = "show the manual page of a verb or another topic, or list them",
	.options = options,
	.alone = true,
	.act = help,
};
