/* plugins/seatbelt/denials_text.c - one line of the system's log as one refusal. */
#include "denials.h"

#include <string.h>

/* The line is JSON: takes back what it escapes, as far as paths have it. */
static void copy_text(char *to, size_t room, const char *from, const char *end)
{
	size_t at = 0;
	for (; from < end && at + 1 < room; from++) {
		if (*from == '\\' && from + 1 < end && (from[1] == '/' || from[1] == '"' || from[1] == '\\'))
			from++;
		to[at++] = *from;
	}
	to[at] = '\0';
}

static const char *until(const char *from, const char *end, char byte)
{
	const char *found = memchr(from, byte, (size_t)(end - from));
	return found ? found : end;
}

/* Where the line has the mark for the last time: the message is what the kernel adds, after all that the command chose. */
static const char *last_of(const char *text, const char *mark)
{
	const char *found = NULL;
	for (const char *at = text; (at = strstr(at, mark)); at++)
		found = at;
	return found;
}

/* "Sandbox: NAME(PID) deny(1) OPERATION ABOUT", then the message. */
bool denials_parse(const char *line, const char *mark, struct denial *ret_denial)
{
	static const char any[] = "pinfold.run.";
	struct denial denial = { .count = 1 };
	const char *message = last_of(line, any), *name = strstr(line, "Sandbox: ");
	size_t length = strlen(mark);
	if (!message || strncmp(message, mark, length) != 0 || message[length] != ':' || !name || name > message)
		return false;
	const char *kind = message + length + 1, *refused = strstr(name, " deny(");
	if (!refused || refused > message)
		return false;
	const char *operation = until(refused + 1, message, ' ');
	if (operation == message)
		return false;
	const char *about = until(++operation, message, ' '), *end = message;
	while (end > about && (end[-1] == ' ' || (end[-1] == 'n' && end - 1 > about && end[-2] == '\\')))
		end -= end[-1] == 'n' ? 2 : 1;
	copy_text(denial.process, sizeof(denial.process), name + 9, refused);
	copy_text(denial.operation, sizeof(denial.operation), operation, about < end ? about : end);
	copy_text(denial.about, sizeof(denial.about), about < end ? about + 1 : end, end);
	copy_text(denial.kind, sizeof(denial.kind), kind, kind + strspn(kind, "abcdefghijklmnopqrstuvwxyz"));
	*ret_denial = denial;
	return denial.kind[0] != '\0';
}
