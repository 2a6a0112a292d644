/* face/errors.c - errors for callers: names, exit codes, and the block that a person reads. */
#include "config.h"

#include "base/fault.h"
#include "base/text.h"

#include <pinfold/pinfold.h>
#include <string.h>

const char *pinfold_code_name(uint32_t code)
{
	return fault_code_name(code);
}

int pinfold_exit_code(const struct pinfold_error *err)
{
	if (err && err->code == PINFOLD_E_NOT_FOUND)
		return PINFOLD_EXIT_NOT_FOUND;
	if (err && err->code == PINFOLD_E_NOT_EXECUTABLE)
		return PINFOLD_EXIT_NOT_EXECUTABLE;
	if (err && err->code == PINFOLD_E_TIMED_OUT)
		return PINFOLD_EXIT_TIMED_OUT;
	return PINFOLD_EXIT_REFUSED;
}

int pinfold_fail(struct pinfold_error *err, uint32_t code, int32_t sys, const char *action,
		 const char *subject, const char *recovery)
{
	return fault(err, (enum pinfold_code)code, sys, action, subject, recovery);
}

static void add_line(struct text *text, const char *label, const char *line)
{
	if (!line[0])
		return;
	text_add(text, label);
	text_add_quoted(text, line);
	text_add(text, "\n");
}

char *pinfold_error_text(const struct pinfold_error *err)
{
	if (!err)
		return NULL;
	struct text text = { 0 };
	text_addf(&text, "pinfold: %s: cannot ", fault_code_name(err->code));
	text_add_quoted(&text, err->action[0] ? err->action : "go on");
	const char *reason = err->sys != 0 ? strerrordesc_np(err->sys) : NULL;
	if (reason)
		text_addf(&text, ": %s", reason);
	text_add(&text, "\n");
	add_line(&text, "  subject: ", err->subject);
	add_line(&text, "  try:     ", err->recovery);
	return text_take(&text);
}

char *pinfold_quote(const char *bytes)
{
	struct text text = { 0 };
	text_add_quoted(&text, bytes ? bytes : "");
	return text_take(&text);
}

const char *pinfold_nearest(const char *wanted, const char *const *names)
{
	size_t count = 0;
	while (names && names[count])
		count++;
	return wanted ? text_nearest(wanted, names, count) : NULL;
}
