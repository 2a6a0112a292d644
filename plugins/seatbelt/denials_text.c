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

/* "Sandbox: NAME(PID) deny(1) OPERATION ABOUT", then the message. */
bool denials_parse(const char *line, const char *mark, struct denial *ret_denial)
{
	struct denial denial = { { 0 }, { 0 }, { 0 }, { 0 } };
	const char *message = strstr(line, mark), *name = strstr(line, "Sandbox: ");
	if (!message || message[strlen(mark)] != ':' || !name || name > message)
		return false;
	const char *kind = message + strlen(mark) + 1, *refused = strstr(name, " deny(");
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
