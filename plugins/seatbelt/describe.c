/* plugins/seatbelt/describe.c - a profile as a person reads it. */
#include "seatbelt.h"

#include <string.h>

static const char *value_of(const struct profile *profile, const char *name, size_t length)
{
	for (size_t i = 0; i < profile->parameter_count; i++)
		if (strlen(profile->parameters[i].name) == length &&
		    memcmp(profile->parameters[i].name, name, length) == 0)
			return profile->parameters[i].value;
	return NULL;
}

/* One rule on one line: blanks folded, and each parameter that is known quoted in its place. What is shown is
 * for reading: no compiler gets it. */
static const char *one_line(const struct profile *profile, const char *from, const char *end)
{
	static const char before[] = "(param \"", after[] = "\")";
	const struct pinfold_host *host = profile->host;
	const char *text = "";
	while (text && from < end) {
		const char *parameter = strstr(from, before);
		size_t plain = (size_t)((parameter && parameter < end ? parameter : end) - from);
		text = host->print(host, "%s%.*s", text, (int)plain, from);
		from += plain;
		if (!text || from == end)
			break;
		const char *name = from + sizeof(before) - 1;
		size_t length = strcspn(name, "\"");
		const char *value = value_of(profile, name, length);
		text = value ? host->print(host, "%s\"%s\"", text, value) :
			       host->print(host, "%s%.*s", text, (int)length, name);
		from = name + length + sizeof(after) - 1;
	}
	for (char *at = (char *)text; at && *at; at++)
		if (*at == '\n') {
			*at = ' ';
			if (at[1] == ' ')
				memmove(at + 1, at + 3, strlen(at + 3) + 1);
		}
	return text;
}

/* A rule ends where a line ends that is not followed by a blank. */
static const char *end_of(const char *rule)
{
	const char *end = rule;
	do
		end = strchr(end + 1, '\n');
	while (end && end[1] == ' ');
	return end;
}

int describe_profile(const struct pinfold_host *host, const struct profile *profile,
		     const struct pinfold_detail **ret_details, size_t *ret_count, struct pinfold_error *err)
{
	size_t count = 0;
	for (const char *at = profile->text; at && *at; at = end_of(at) ? end_of(at) + 1 : NULL)
		count++;
	struct pinfold_detail *rows = host->allocate(host, (count + 1) * sizeof(*rows));
	bool complete = rows != NULL;
	const char *at = profile->text;
	for (size_t i = 0; complete && i < count; i++) {
		const char *end = end_of(at);
		rows[i] = (struct pinfold_detail){ .size = sizeof(*rows), .kind = PINFOLD_DETAIL_RULE,
						   .what = one_line(profile, at, end) };
		complete = rows[i].what != NULL;
		at = end + 1;
	}
	if (!complete)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "describe the profile", NULL, NULL);
	*ret_details = rows;
	*ret_count = count;
	return 0;
}
