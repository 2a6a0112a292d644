/* policy/git_files.c - small files of git directories, as text: where one of them leads. */
#include "policy/git_files.h"

#include "base/text.h"

#include <stdlib.h>
#include <strings.h>

char *git_files_path(char *content)
{
	size_t length = strlen(content);
	while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r'))
		content[--length] = '\0';
	return length > 0 ? content : NULL;
}

char *git_files_gitdir(char *content)
{
	static const char word[] = "gitdir: ";
	return starts_with(content, word) ? git_files_path(content + strlen(word)) : NULL;
}

char *git_files_alternate(char **content)
{
	while (**content) {
		char *line = *content, *end = line + strcspn(line, "\n");
		*content = end + (*end == '\n');
		*end = '\0';
		if (line[0] && line[0] != '#' && line[0] != '"')
			return line;
	}
	return NULL;
}

/* Reading a configuration of git's: what is left of it, and in which section it is. */
struct reader {
	const char *at;
	bool core;
};

static bool is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

static void skip_line(struct reader *reader)
{
	reader->at += strcspn(reader->at, "\n");
}

/* "[core]" and nothing else: `[core "x"]` is another section. */
static void read_section(struct reader *reader)
{
	const char *name = reader->at + 1;
	size_t length = strcspn(name, "]\n");
	reader->core = length == 4 && strncasecmp(name, "core", 4) == 0;
	reader->at = name + length + (name[length] == ']');
}

/* What a backslash stands for: one byte, or nothing where a line goes on. */
static void read_escape(struct reader *reader, struct text *value)
{
	static const char letters[] = "ntb", bytes[] = "\n\t\b";
	char letter = *++reader->at;
	const char *found = letter ? strchr(letters, letter) : NULL;
	if (letter != '\n' && letter)
		text_add_bytes(value, found ? &bytes[found - letters] : &letter, 1);
	reader->at += letter != '\0';
}

/* Blanks at the end do not count, unless they are quoted. */
static char *read_value(struct reader *reader)
{
	struct text value = { 0 };
	size_t kept = 0;
	bool quoted = false;
	for (; *reader->at && *reader->at != '\n';) {
		char byte = *reader->at;
		if (!quoted && (byte == '#' || byte == ';'))
			break;
		if (byte == '\\') {
			read_escape(reader, &value);
		} else {
			if (byte == '"')
				quoted = !quoted;
			else
				text_add_bytes(&value, &byte, 1);
			reader->at++;
		}
		if (quoted || !is_space(byte))
			kept = value.length;
	}
	skip_line(reader);
	char *text = text_take(&value);
	if (text)
		text[kept] = '\0';
	return text;
}

/* A key with its value; only that of core.worktree is taken. */
static void read_key(struct reader *reader, char **value)
{
	static const char wanted[] = "worktree";
	size_t length = strcspn(reader->at, " \t\r\n=#;");
	bool is_wanted = reader->core && length == strlen(wanted) &&
			 strncasecmp(reader->at, wanted, length) == 0;
	reader->at += length;
	while (is_space(*reader->at))
		reader->at++;
	if (*reader->at != '=') {
		skip_line(reader);
		return;
	}
	for (reader->at++; is_space(*reader->at); reader->at++)
		;
	char *read = read_value(reader);
	if (!is_wanted) {
		free(read);
		return;
	}
	free(*value);
	*value = read;
}

char *git_files_worktree(const char *config)
{
	struct reader reader = { .at = config };
	char *value = NULL;
	while (*reader.at) {
		char byte = *reader.at;
		if (byte == '\n' || is_space(byte))
			reader.at++;
		else if (byte == '[')
			read_section(&reader);
		else if (byte == '#' || byte == ';')
			skip_line(&reader);
		else
			read_key(&reader, &value);
	}
	if (value && !value[0]) {
		free(value);
		value = NULL;
	}
	return value;
}
