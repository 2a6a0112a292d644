/* wrappers/look.c - what one toolchain's settings could name, and all that would change that answer. */
#include "wrappers/look.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "wrappers/fingerprint.h"
#include "wrappers/variables.h"

void look_release(struct look *look)
{
	list_release(&look->candidates);
	list_release(&look->shadows);
	text_release(&look->stamps);
	for (size_t i = 0; i < look->trial_count; i++) {
		list_release(&look->trials[i].with);
		list_release(&look->trials[i].without);
	}
	*look = (struct look){ 0 };
}

void look_add_candidate(struct look *look, const char *program)
{
	look->named = true;
	if (!list_has(&look->candidates, program) && list_add(&look->candidates, program) < 0)
		look->failed = true;
}

char *look_next_directory(const struct look *look, const char **at)
{
	if (!*at)
		return NULL;
	size_t length = strcspn(*at, ":");
	auto_free char *entry = strndup(*at, length);
	*at = (*at)[length] ? *at + length + 1 : NULL;
	if (!entry || entry[0] == '/')
		return take_pointer(&entry);
	return entry[0] ? path_join(look->sight->directory, entry) : strdup(look->sight->directory);
}

void look_stamp_program(struct look *look, const char *program)
{
	if (strchr(program, '/')) {
		auto_free char *path = program[0] == '/' ? strdup(program) :
							   path_join(look->sight->directory, program);
		look->failed |= !path;
		if (path)
			sight_identify(look->sight, path, &look->stamps);
		return;
	}
	const char *at = variables_value(look->environment, "PATH");
	look->unknown |= !at;
	for (;;) {
		auto_free char *directory = look_next_directory(look, &at);
		auto_free char *path = directory ? path_join(directory, program) : NULL;
		if (!directory)
			break;
		look->failed |= !path;
		if (path)
			sight_identify(look->sight, path, &look->stamps);
	}
}

void look_stamp_file(struct look *look, const char *path, const char *content)
{
	char digest[FINGERPRINT_ROOM];
	fingerprint_of(content, strlen(content), digest);
	sight_add_name(look->sight, path, &look->stamps);
	text_addf(&look->stamps, "%s\n", digest);
}
