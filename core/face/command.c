/* face/command.c - a caller's structures, whatever version of the header it was built with. */
#include "config.h"

#include "base/fault.h"
#include "face/face.h"
#include "tree/slot.h"

#include <string.h>

int command_read(const struct pinfold_command *from, struct pinfold_command *ret_command,
		 struct pinfold_error *err)
{
	static const char action[] = "read what is to be run";
	struct pinfold_command command = { .streams = { -1, -1, -1 } };
	if (!from || from->size < offsetof(struct pinfold_command, environment))
		return fault(err, PINFOLD_E_USAGE, 0, action, "its structure has no size",
			     "set `size` to sizeof(struct pinfold_command)");
	memcpy(&command, from, from->size < sizeof(command) ? from->size : sizeof(command));
	command.size = sizeof(command);
	if (!command.argv || !command.argv[0])
		return fault(err, PINFOLD_E_USAGE, 0, action, "there is no command",
			     "give at least the program's name");
	if (command.where > PINFOLD_WHERE_HOST)
		return faultf(err, PINFOLD_E_USAGE, 0, action,
			      "use PINFOLD_WHERE_SANDBOX or PINFOLD_WHERE_HOST",
			      "the placement %u", command.where);
	if (command.session && !slot_session_is_name(command.session))
		return slot_refuse_name(command.session, err);
	if (command.session && command.where == PINFOLD_WHERE_HOST)
		return fault(err, PINFOLD_E_USAGE, 0, action, "a session and the placement host",
			     "leave out one of them: on the host nothing is kept apart");
	*ret_command = command;
	return 0;
}

int result_write(const struct pinfold_result *from, struct pinfold_result *ret_result,
		 struct pinfold_error *err)
{
	if (!ret_result || ret_result->size < offsetof(struct pinfold_result, ending) + sizeof(from->ending))
		return fault(err, PINFOLD_E_USAGE, 0, "give the result of a run",
			     "its structure has no size",
			     "set `size` to sizeof(struct pinfold_result)");
	uint32_t size = ret_result->size;
	memcpy(ret_result, from, size < sizeof(*from) ? size : sizeof(*from));
	ret_result->size = size;
	return 0;
}
