/* cgroup/levels.c - in which of the caller's cgroups one of a run's own may lie. */
#include "cgroup/levels.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

static const struct row {
	uint32_t bit;
	const char *name, *words;
} rows[] = {
	{ LEVEL_MEMORY, "memory", "memory" },
	{ LEVEL_TASKS, "pids", "tasks" },
	{ LEVEL_PROCESSORS, "cpu", "processors" },
};

/* --- the decision ----------------------------------------------------------------------------------- */
/* A service manager gives away one unit at a time; what lies between units is its own. */
static bool is_unit(const struct level *level)
{
	return ends_with(level->name, ".scope") || ends_with(level->name, ".service");
}

/* How many levels, from the caller's upward, could have been given to it. */
static size_t count_given(const struct level *levels, size_t count, bool root)
{
	size_t managed = 0, unit = 0;
	while (managed < count && !levels[managed].managed)
		managed++;
	if (managed == count)
		return count;
	while (unit < managed && !is_unit(&levels[unit]))
		unit++;
	return unit == managed || (root && !levels[unit].marked) ? 0 : unit + 1;
}

struct level_choice levels_choose(const struct level *levels, size_t count, bool root, uint32_t wanted)
{
	struct level_choice choice = { .verdict = LEVEL_FOREIGN };
	size_t given = count_given(levels, count, root);
	for (size_t i = 0; i < given; i++) {
		const struct level *level = &levels[i];
		uint32_t lacking = wanted & ~level->controllers;
		if (!level->owned)
			continue;
		bool nearer = choice.verdict == LEVEL_WITHOUT &&
			      __builtin_popcount(lacking) < __builtin_popcount(choice.lacking);
		if (lacking && (choice.verdict == LEVEL_FOREIGN || nearer))
			choice = (struct level_choice){ LEVEL_WITHOUT, i, lacking };
		if (lacking)
			continue;
		if (!level->occupied || level->first || !(wanted & ~level->enabled))
			return (struct level_choice){ LEVEL_FOUND, i, 0 };
		if (choice.verdict != LEVEL_OCCUPIED)
			choice = (struct level_choice){ LEVEL_OCCUPIED, i, 0 };
	}
	return choice;
}

/* --- texts --------------------------------------------------------------------------------------------- */
uint32_t levels_controllers(const char *text)
{
	uint32_t bits = 0;
	for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
		size_t length = strcspn(text, " \n");
		for (size_t i = 0; i < N_ELEMENTS(rows); i++)
			if (strlen(rows[i].name) == length && memcmp(rows[i].name, text, length) == 0)
				bits |= rows[i].bit;
		text += length;
	}
	return bits;
}

struct levels_elsewhere levels_elsewhere(const char *text, uint32_t bits)
{
	struct levels_elsewhere elsewhere = { 0 };
	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char name[32];
		unsigned hierarchy, groups, enabled;
		if (sscanf(line, "%31s %u %u %u", name, &hierarchy, &groups, &enabled) != 4)
			continue;
		uint32_t bit = levels_controllers(name) & bits;
		elsewhere.off |= enabled ? 0 : bit;
		elsewhere.old |= enabled && hierarchy ? bit : 0;
	}
	return elsewhere;
}

const char *levels_order(uint32_t controllers, char sign, char *room)
{
	room[0] = '\0';
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (controllers & rows[i].bit)
			snprintf(room + strlen(room), 32 - strlen(room), "%s%c%s", room[0] ? " " : "",
				 sign, rows[i].name);
	return room;
}

const char *levels_words(uint32_t controllers, char *room)
{
	const char *items[N_ELEMENTS(rows)];
	struct text text = { 0 };
	size_t count = 0;
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (controllers & rows[i].bit)
			items[count++] = rows[i].words;
	text_add_enumeration(&text, items, count);
	snprintf(room, 64, "%s", text.data ? text.data : "some");
	text_release(&text);
	return room;
}

char *levels_own_path(char *text)
{
	for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (!starts_with(line, "0::/"))
			continue;
		line[strcspn(line, "\n")] = '\0';
		return line + strlen("0::");
	}
	return NULL;
}

/* The kernel writes blanks and the like as \040. */
static void unescape(char *text)
{
	char *to = text;
	for (; *text; text++) {
		bool escaped = text[0] == '\\' && strspn(text + 1, "01234567") >= 3;
		*to++ = escaped ? (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0')) : *text;
		text += escaped ? 3 : 0;
	}
	*to = '\0';
}

bool levels_mount(char *line, char **ret_root, char **ret_point)
{
	char *fields[5] = { NULL }, *rest = NULL, *type = strstr(line, " - ");
	if (!type || !starts_with(type, " - cgroup2 "))
		return false;
	*type = '\0';
	for (size_t i = 0; i < N_ELEMENTS(fields); i++)
		if (!(fields[i] = strtok_r(i == 0 ? line : NULL, " ", &rest)))
			return false;
	*ret_root = fields[3];
	*ret_point = fields[4];
	unescape(*ret_root);
	unescape(*ret_point);
	return true;
}

const char *levels_below(const char *path, const char *root)
{
	size_t length = streq(root, "/") ? 0 : strlen(root);
	bool upward = starts_with(path, "/..") || starts_with(root, "/..");
	if (upward || strncmp(path, root, length) != 0 || (path[length] && path[length] != '/'))
		return NULL;
	return path + length + strspn(path + length, "/");
}

uint64_t levels_count(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
		if (strncmp(text, word, length) == 0 && text[length] == ' ')
			return strtoull(text + length + 1, NULL, 10);
	return 0;
}
