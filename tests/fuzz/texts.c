/* tests/fuzz/texts.c - what people and programs write: configuration, git's small files, a build's output. */
#include "config.h"

#include "fuzz.h"

#include "base/pattern.h"
#include "config/draft.h"
#include "config/lines.h"
#include "policy/git_files.h"
#include "wrappers/cargo_output.h"

#include <stdlib.h>
#include <string.h>

static void check_text(const char *text)
{
	for (; *text; text++)
		FUZZ_HOLDS(lines_allow((unsigned char)*text));
}

void fuzz_configuration(const uint8_t *data, size_t bytes)
{
	struct pinfold_error err = { 0 };
	struct value_maker maker = { .arena = arena_new(), .home_known = true, .home = "/home/somebody" };
	struct draft draft = { .layer = LAYER_USER, .file = "some.conf" };
	FUZZ_HOLDS(maker.arena);
	if (draft_read(&draft, &maker, (const char *)data, bytes, &err) < 0) {
		FUZZ_HOLDS(err.code != 0 && err.action[0] && err.recovery[0]);
	} else {
		for (size_t i = 0; i < draft.count; i++) {
			const struct assignment *one = &draft.assignments[i];
			FUZZ_HOLDS(one->section && one->name);
			if (one->value.text)
				check_text(one->value.text);
			for (size_t k = 0; k < one->value.list.count; k++)
				check_text(one->value.list.items[k]);
		}
	}
	arena_free(maker.arena);
}

void fuzz_git_files(const uint8_t *data, size_t bytes)
{
	char *pointer = fuzz_text(data, bytes), *whole = fuzz_text(data, bytes), *config = fuzz_text(data, bytes),
	     *lines = fuzz_text(data, bytes), *rest = lines;
	const char *found = git_files_gitdir(pointer);
	FUZZ_HOLDS(!found || (found >= pointer && found <= pointer + bytes));
	found = git_files_path(whole);
	FUZZ_HOLDS(!found || (found >= whole && found <= whole + bytes));
	free(git_files_worktree(config));
	while ((found = git_files_alternate(&rest)))
		FUZZ_HOLDS(found >= lines && found <= lines + bytes && *found);
	free(lines);
	free(config);
	free(whole);
	free(pointer);
}

void fuzz_cargo(const uint8_t *data, size_t bytes)
{
	char *output = fuzz_text(data, bytes);
	char *texts[] = { cargo_used(output), cargo_tried(output), output_error(output) };
	if (texts[2])
		for (const char *at = texts[2]; *at; at++)
			FUZZ_HOLDS((unsigned char)*at >= 0x20);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	free(output);
}

/* The pattern, a NUL, and the text. Stars must not make it take longer than both are long. */
void fuzz_pattern(const uint8_t *data, size_t bytes)
{
	char *pattern = fuzz_text(data, bytes);
	size_t length = strlen(pattern);
	const char *text = length < bytes ? pattern + length + 1 : "";
	if (pattern_matches(pattern, text))
		FUZZ_HOLDS(pattern_matches_folded(pattern, text));
	if (!strchr(pattern, '*'))
		FUZZ_HOLDS(pattern_matches(pattern, text) == (strcmp(pattern, text) == 0));
	free(pattern);
}
