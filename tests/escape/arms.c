/* escape/arms.c - see arms.h. */
#include "config.h"

#include "arms.h"
#include "running.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *words(const char *field)
{
	return strcmp(field, "-") == 0 ? NULL : strdup(field);
}

static int read_line(char *line, struct entry *entry)
{
	char *fields[10];
	line[strcspn(line, "\n")] = 0;
	for (size_t i = 0; i < 10; i++) {
		fields[i] = strsep(&line, "\t");
		if (!fields[i])
			return -1;
	}
	*entry = (struct entry){ strdup(fields[0]), strdup(fields[1]), strdup(fields[2]), strdup(fields[4]), strdup(fields[5]),
				 strdup(fields[6]), words(fields[7]), words(fields[8]), words(fields[9]),
				 (unsigned)atoi(fields[3]) };
	return 0;
}

int table_read(struct world *world, struct table *table)
{
	char command[PATH_ROOM + 16], line[4096];
	snprintf(command, sizeof(command), "'%s' list", world->cases);
	FILE *list = popen(command, "re");
	if (!list)
		return -1;
	while (fgets(line, sizeof(line), list))
		if (table->count == MOST_CASES || read_line(line, &table->entries[table->count++]) < 0) {
			fprintf(stderr, "a case cannot be read: %s\n", line);
			pclose(list);
			return -1;
		}
	return pclose(list) == 0 && table->count ? 0 : -1;
}

static void declare(struct declared *declared, const char *name, bool kept, const char *note)
{
	size_t i = declared->count++;
	snprintf(declared->names[i], sizeof(declared->names[0]), "%s", name);
	snprintf(declared->notes[i], sizeof(declared->notes[0]), "%s", note ? note : "");
	declared->kept[i] = kept;
}

static void take(json_t *arm, struct declared *declared)
{
	const char *name, *missing = json_string_value(json_object_get(arm, "missing"));
	json_t *promise;
	declared->available = json_is_true(json_object_get(arm, "available"));
	snprintf(declared->missing, sizeof(declared->missing), "%s", missing ? missing : "no reason is given");
	json_object_foreach(json_object_get(arm, "promises"), name, promise)
		if (declared->count + 1 < MOST_PROMISES)
			declare(declared, name, json_is_true(json_object_get(promise, "kept")),
				json_string_value(json_object_get(promise, "note")));
	declare(declared, "own", true, NULL);
}

int arms_ask(struct world *world, const struct way *way, struct declared *declared)
{
	static struct running running;
	const char *arguments[16] = { world->program, "probe", "--json" };
	size_t at = 3;
	for (size_t i = 0; way->settings[i]; i++)
		arguments[at++] = way->settings[i];
	running = (struct running){ .arguments = arguments, .limit = 20, .token = "none" };
	*declared = (struct declared){ 0 };
	if (running_do(world, &running) < 0)
		return -1;
	json_error_t error;
	json_t *answer = json_loadb(running.output, running.output_count, 0, &error), *arm;
	size_t i;
	json_array_foreach(json_object_get(answer, "arms"), i, arm)
		if (strcmp(json_string_value(json_object_get(arm, "name")), way->arm) == 0)
			take(arm, declared);
	json_decref(answer);
	if (!declared->count) {
		snprintf(declared->missing, sizeof(declared->missing), "pinfold probe does not name it: %.900s", running.errors);
		declared->missing[strcspn(declared->missing, "\n")] = 0;
	}
	return 0;
}

int arms_index(const struct declared *declared, const char *promise)
{
	for (size_t i = 0; i < declared->count; i++)
		if (strcmp(declared->names[i], promise) == 0)
			return (int)i;
	return -1;
}
