/* base/fault.c - filling an error object. */
#include "base/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void copy_text(char *to, size_t room, const char *from)
{
	if (!from)
		from = "";
	size_t length = strnlen(from, room - 1);
	memcpy(to, from, length);
	to[length] = '\0';
}

int fault(struct pinfold_error *err, enum pinfold_code code, int sys, const char *action,
	  const char *subject, const char *recovery)
{
	if (!err)
		return -1;
	struct pinfold_error filled = { .code = code, .sys = sys };
	copy_text(filled.action, sizeof(filled.action), action);
	copy_text(filled.subject, sizeof(filled.subject), subject);
	copy_text(filled.recovery, sizeof(filled.recovery), recovery);
	*err = filled;
	return -1;
}

int faultf(struct pinfold_error *err, enum pinfold_code code, int sys, const char *action,
	   const char *recovery, const char *subject, ...)
{
	char text[sizeof(err->subject)];
	va_list list;
	va_start(list, subject);
	vsnprintf(text, sizeof(text), subject, list);
	va_end(list);
	return fault(err, code, sys, action, text, recovery);
}

int fault_no_memory(struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_NO_MEMORY, ENOMEM, "allocate memory", "there is none left",
		     "free memory on this machine and try again");
}

const char *fault_code_name(uint32_t code)
{
	static const char *const names[] = {
		[PINFOLD_E_NONE] = "E_NONE",
#define CODE_NAME(name, text) [PINFOLD_E_##name] = text,
		PINFOLD_CODES(CODE_NAME)
#undef CODE_NAME
	};
	return code < sizeof(names) / sizeof(names[0]) ? names[code] : "E_INTERNAL";
}
