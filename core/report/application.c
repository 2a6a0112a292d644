/* report/application.c - what was done about a compiler wrapper while a command was prepared. */
#include "config.h"

#include "report/application.h"

#include "base/fault.h"
#include "base/text.h"
#include "wrappers/decision.h"

#include <strings.h>

struct document application_write(const struct application *application)
{
	struct document record = document_object(), decision = document_object();
	document_put(&record, "program", document_text(application->program));
	document_put(&record, "arm", document_text(application->arm));
	document_put(&decision, "toolchain", document_text(application->toolchain));
	document_put(&decision, "decision", document_text(application->decision));
	document_put(&decision, "wrapper", document_text(application->wrapper));
	document_put(&decision, "reason", document_text(application->reason));
	document_put(&decision, "directory", document_text(application->directory));
	document_put_document(&record, "decision", &decision);
	return record;
}

static int refuse(const char *name, const char *what, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_USAGE, 0, "read what was done about a compiler wrapper",
		      "take it as a record that nobody can read: neither as no wrapper nor as one that worked",
		      "%s: %s", name, what);
}

/* "[REDACTED]", "<redacted>", "***" and the like, anywhere in a text. */
static bool is_redacted(const char *text)
{
	return strcasestr(text, "redacted") || strstr(text, "***");
}

/* Bytes that are no text were written as an object that shows them. */
static const char *text_of(const json_t *value)
{
	return json_string_value(json_is_object(value) ? json_object_get(value, "text") : value);
}

static int read_text(const json_t *object, const char *name, const char **ret_text,
		     struct pinfold_error *err)
{
	const char *text = text_of(json_object_get(object, name));
	if (!text)
		return refuse(name, "it is missing or invalid", err);
	if (!text[0] || is_redacted(text))
		return refuse(name, "it is not to be had after redaction", err);
	*ret_text = text;
	return 0;
}

static int read_wrapper(const json_t *decision, bool wanted, const char **ret_wrapper,
			struct pinfold_error *err)
{
	const json_t *value = json_object_get(decision, "wrapper");
	if (!value)
		return refuse("wrapper", "it is missing or invalid", err);
	if (!json_is_null(value))
		return read_text(decision, "wrapper", ret_wrapper, err);
	return wanted ? refuse("wrapper", "something was kept, and nothing is named", err) : 0;
}

int application_read(const json_t *record, struct application *ret_application,
		     struct pinfold_error *err)
{
	struct application found = { 0 };
	const json_t *decision = json_object_get(record, "decision");
	if (!json_is_object(decision))
		return refuse("decision", "it is missing or invalid", err);
	const struct {
		const json_t *object;
		const char *name;
		const char **text;
	} rows[] = {
		{ record, "program", &found.program }, { record, "arm", &found.arm },
		{ decision, "toolchain", &found.toolchain }, { decision, "decision", &found.decision },
		{ decision, "reason", &found.reason }, { decision, "directory", &found.directory },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++)
		if (read_text(rows[i].object, rows[i].name, rows[i].text, err) < 0)
			return -1;
	int kind = decision_of_word(found.decision);
	if (kind < 0)
		return refuse("decision", "it is missing or invalid", err);
	if (read_wrapper(decision, kind == DECISION_KEPT, &found.wrapper, err) < 0)
		return -1;
	*ret_application = found;
	return 0;
}
