/* cli/command.c - what the options of run and explain say of a command. */
#include "config.h"

#include "verb.h"

#include <stdlib.h>
#include <string.h>

static int read_where(const char *where, uint32_t *ret_where, struct pinfold_error *err)
{
	if (where && strcmp(where, "sandbox") != 0 && strcmp(where, "host") != 0)
		return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --where", where,
				    "leave it out, or use one of: sandbox, host");
	*ret_where = where && where[0] == 'h' ? PINFOLD_WHERE_HOST : PINFOLD_WHERE_SANDBOX;
	return 0;
}

/* "3,4": numbers above the standard streams. */
static int read_descriptors(const char *list, int *descriptors, size_t room,
			    struct pinfold_error *err)
{
	const char *at = list;
	for (size_t count = 0; count + 1 < room; at++) {
		char *end;
		long number = strtol(at, &end, 10);
		if (end == at || number < 3 || number > 1 << 20 || (*end != ',' && *end != '\0'))
			break;
		at = end;
		descriptors[count++] = (int)number;
		descriptors[count] = -1;
		if (*end == '\0')
			return 0;
	}
	return pinfold_fail(err, PINFOLD_E_USAGE, 0, "read the option --keep-fds", list,
			    "name descriptors from 3 on, such as 3,4, or: auto");
}

int command_of(const struct request *request, struct pinfold_command *ret_command, int *descriptors,
	       size_t room, struct pinfold_error *err)
{
	struct pinfold_command command = {
		.size = sizeof(command),
		.argv = (const char *const *)request->operands,
		.set = (const char *const *)request->environment.items,
		.directory = request->directory,
		.session = request->session,
		.grants = (const char *const *)request->grants.items,
		.streams = { -1, -1, -1 },
	};
	if (read_where(request->where, &command.where, err) < 0)
		return -1;
	if (request->keep && strcmp(request->keep, "auto") == 0) {
		command.jobserver = 1;
	} else if (request->keep) {
		if (read_descriptors(request->keep, descriptors, room, err) < 0)
			return -1;
		command.descriptors = descriptors;
	}
	*ret_command = command;
	return 0;
}

const struct option_row options_command[] = {
	{ "-C", "DIR", OPTION_TEXT, OPTION_FIELD(directory), "the working tree, in place of the current directory" },
	{ "--arm", "NAME", OPTION_SETTING, 0, "pinfold.arm", "confine with this arm, or refuse" },
	{ "--view", "copy|overlay|direct", OPTION_SETTING, 0, "pinfold.view", "how the tree appears; direct: the tree itself" },
	{ "--scope", "tree|machine", OPTION_SETTING, 0, "filesystem.scope",
	  "machine: all of it can be written, below layers" },
	{ "--require", "AXES", OPTION_SETTING, 0, "pinfold.require", "refuse where a promise is not kept; `pinfold probe` shows all" },
	{ "--relax", "NAMES", OPTION_SETTING, 0, "pinfold.relax", "accept what a refusal names as not enforced" },
	{ "--preset", "NAMES", OPTION_SETTING, 0, "pinfold.preset=default, ",
	  "lay these presets above `default`" },
	{ "--where", "sandbox|host", OPTION_TEXT, OPTION_FIELD(where), "host: without confinement, in the tree itself" },
	{ "--timeout", "TIME", OPTION_SETTING, 0, "limits.timeout", "end everything after this time" },
	{ "--session", "NAME", OPTION_TEXT, OPTION_FIELD(session),
	  "see and add to the changes of this session's commands" },
	{ "--env", "NAME[=VALUE]", OPTION_WORDS, OPTION_FIELD(environment),
	  "set a variable, or pass yours on; may be repeated" },
	{ "--grant", "NAME=PATH", OPTION_WORDS, OPTION_FIELD(grants),
	  "bind a declared grant to this path; may be repeated" },
	{ "--denials", NULL, OPTION_SETTING, 0, "pinfold.denials=yes", "watch what is tried, and tell what is refused" },
	{ "--stdin", "inherit|null", OPTION_SETTING, 0, "pinfold.stdin", "null: the command reads nothing" },
	{ "--keep-fds", "LIST", OPTION_TEXT, OPTION_FIELD(keep),
	  "hand over these descriptors, such as 3,4; auto: make's jobserver" },
	OPTION_END,
};
