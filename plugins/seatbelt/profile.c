/* plugins/seatbelt/profile.c - writing a profile: rules as text, and all that a caller named beside it. */
#include "profile.h"

#include <string.h>

static const char *const kind_names[RULE_KINDS] = {
	[RULE_DEFAULT] = "default", [RULE_HIDDEN] = "hidden", [RULE_PROTECTED] = "protected",
	[RULE_HARD] = "hard", [RULE_TREE] = "tree", [RULE_SCRATCH] = "scratch",
};

const char *rule_kind_name(unsigned kind)
{
	return kind < RULE_KINDS ? kind_names[kind] : NULL;
}

/* Memory of the host's is never given back: room doubles. */
static void *grown(struct profile *profile, const void *old, size_t used, size_t room)
{
	void *larger = profile->host->allocate(profile->host, room);
	if (!larger) {
		profile->failed = true;
		return NULL;
	}
	if (used > 0)
		memcpy(larger, old, used);
	return larger;
}

void profile_add(struct profile *profile, const char *text)
{
	size_t bytes = strlen(text);
	if (!profile->failed && profile->length + bytes + 1 > profile->room) {
		size_t room = (profile->length + bytes + 1) * 2;
		profile->text = grown(profile, profile->text, profile->length, room);
		profile->room = room;
	}
	if (profile->failed)
		return;
	memcpy(profile->text + profile->length, text, bytes + 1);
	profile->length += bytes;
}

void profile_parameter(struct profile *profile, const char *name, const char *value)
{
	size_t used = profile->parameter_count, size = sizeof(*profile->parameters);
	if (!profile->failed && used == profile->parameter_room) {
		size_t room = used ? used * 2 : 32;
		profile->parameters = grown(profile, profile->parameters, used * size, room * size);
		profile->parameter_room = room;
	}
	if (!profile->failed)
		profile->parameters[profile->parameter_count++] = (struct parameter){ name, value };
}

void profile_allow(struct profile *profile, const char *operations)
{
	profile_add(profile, "(allow ");
	profile_add(profile, operations);
	profile->rules++;
}

void profile_deny(struct profile *profile, const char *operations, unsigned kind)
{
	profile_add(profile, "(deny ");
	profile_add(profile, operations);
	profile->rules++;
	if (!profile->reports)
		return;
	profile_add(profile, " (with message (param \"" PARAMETER_MESSAGE);
	profile_add(profile, kind_names[kind]);
	profile_add(profile, "\"))");
}

/* One value has one parameter, however often it is named. */
static const char *name_of(struct profile *profile, const char *value)
{
	for (size_t i = 0; i < profile->parameter_count; i++)
		if (strcmp(profile->parameters[i].value, value) == 0)
			return profile->parameters[i].name;
	const char *name = profile->host->print(profile->host, "P%zu", profile->parameter_count);
	if (!name)
		profile->failed = true;
	else
		profile_parameter(profile, name, value);
	return name ? name : "";
}

void profile_filter(struct profile *profile, uint32_t kind, const char *value)
{
	static const struct {
		const char *before, *after;
	} forms[] = {
		[FILTER_LITERAL] = { "(literal ", ")" },
		[FILTER_SUBTREE] = { "(subpath ", ")" },
		[FILTER_REGEX] = { "(regex ", ")" },
		[FILTER_NAME_REGEX] = { "(global-name-regex ", ")" },
		[FILTER_NAME] = { "(global-name ", ")" },
		[FILTER_REMOTE_TCP] = { "(remote tcp ", ")" },
		[FILTER_LOCAL_TCP] = { "(local tcp ", ")" },
		[FILTER_EXTENSION] = { "(extension ", ")" },
	};
	profile_add(profile, "\n  ");
	profile_add(profile, forms[kind].before);
	profile_add(profile, "(param \"");
	profile_add(profile, name_of(profile, value));
	profile_add(profile, "\")");
	profile_add(profile, forms[kind].after);
	profile->rules++;
}

void profile_end(struct profile *profile)
{
	profile_add(profile, ")\n");
}
