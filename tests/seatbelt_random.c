/* tests/seatbelt_random.c - for policies and questions at random, no profile decides weaker than a model of
 * what policies mean, nor refuses what the model allows. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "seatbelt_scene.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLICIES = 1200, QUESTIONS = 40, PATH_MOST = 200 };

/* Always the same sequence: a failure can be seen again. */
static uint64_t random_state = 7;

static unsigned below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % limit;
}

static const char *const roots[] = { "", "/Users", "/Users/u", SCENE_TREE, SCENE_TREE, SCENE_SOURCE, SCENE_SOURCE,
				     SCENE_TEMPORARY, "/srv", "/srv/w", SCENE_SCRATCH "/t/2" };
static const char *const parts[] = { "a", "b", "ab", ".env", "keys", "hooks", "a.b", "(x)" };
static const char *const wild[] = { "*", "a*", "?", "**", "**", ".e?v", "*.b" };

static const char *random_path(char *room)
{
	strcpy(room, roots[below(N_ELEMENTS(roots))]);
	for (unsigned count = below(4); count > 0 || !room[0]; count -= count > 0) {
		strcat(room, "/");
		strcat(room, parts[below(N_ELEMENTS(parts))]);
	}
	return room;
}

/* The last part of a pattern of paths is none that stands for any number of them: it would name nothing. */
static const char *random_pattern(char *room)
{
	random_path(room);
	for (unsigned count = 1 + below(2); count > 0; count--) {
		strcat(room, "/");
		strcat(room, below(2) ? wild[below(N_ELEMENTS(wild))] : parts[below(N_ELEMENTS(parts))]);
	}
	strcat(room, "/");
	strcat(room, parts[below(N_ELEMENTS(parts))]);
	return room;
}

/* The model. It knows of no rules and no order, only of what each construct says. */

static bool model_within(const char *path, const char *root)
{
	size_t length = strlen(root);
	return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

static bool model_part(const char *pattern, const char *part)
{
	if (*pattern == '*')
		return model_part(pattern + 1, part) || (*part && *part != '/' && model_part(pattern, part + 1));
	if (*pattern == '\0' || *pattern == '/')
		return *part == '\0' || *part == '/';
	return *part && *part != '/' && (*pattern == '?' || *pattern == *part) && model_part(pattern + 1, part + 1);
}

/* The pattern or something above the path matches. */
static bool model_pattern(const char *pattern, const char *path)
{
	if (*pattern == '\0')
		return true;
	if (strncmp(pattern, "/**/", 4) == 0) {
		if (model_pattern(pattern + 3, path))
			return true;
		return *path && model_pattern(pattern, path + 1 + strcspn(path + 1, "/"));
	}
	if (*path != '/' || !model_part(pattern + 1, path + 1))
		return false;
	return model_pattern(pattern + 1 + strcspn(pattern + 1, "/"), path + 1 + strcspn(path + 1, "/"));
}

static bool model_names_one(const struct pinfold_policy *policy, uint32_t kind, const char *path)
{
	for (size_t i = 0; i < policy->path_count; i++) {
		const struct pinfold_path *row = &policy->paths[i];
		if (row->kind != kind)
			continue;
		if (row->match == PINFOLD_MATCH_LITERAL ? streq(row->path, path) : model_within(path, row->path))
			return true;
	}
	for (size_t i = 0; i < policy->pattern_count; i++)
		if (policy->patterns[i].kind == kind && model_pattern(policy->patterns[i].pattern, path))
			return true;
	return false;
}

/* The same place on the other side of the copy, or NULL. */
static const char *model_other_side(const char *path, char *room)
{
	const char *from = model_within(path, SCENE_TREE) ? SCENE_TREE : SCENE_SOURCE;
	if (!model_within(path, from))
		return NULL;
	snprintf(room, PATH_MOST, "%s%s", streq(from, SCENE_TREE) ? SCENE_SOURCE : SCENE_TREE, path + strlen(from));
	return room;
}

/* What is named in the tree is named in its copy, and the reverse. A pattern is one of the tree. */
static bool model_names(const struct pinfold_policy *policy, uint32_t kind, const char *path)
{
	char room[PATH_MOST];
	const char *other = model_other_side(path, room);
	return model_names_one(policy, kind, path) || (other && model_names_one(policy, kind, other));
}

static bool model_is_used(const struct pinfold_policy *policy, uint32_t kind)
{
	bool used = false;
	for (size_t i = 0; i < policy->path_count; i++)
		used |= policy->paths[i].kind == kind;
	for (size_t i = 0; i < policy->pattern_count; i++)
		used |= policy->patterns[i].kind == kind;
	return used;
}

static bool model_is_own(const char *path)
{
	return model_within(path, SCENE_SOURCE) || model_within(path, SCENE_TEMPORARY);
}

static bool model_reads(const struct pinfold_policy *policy, const char *path)
{
	if (model_names(policy, PINFOLD_PATH_HIDE, path))
		return false;
	if (model_is_own(path) || model_within(path, SCENE_SCRATCH))
		return model_is_own(path);
	if (!model_is_used(policy, PINFOLD_PATH_READ))
		return true;
	return model_names_one(policy, PINFOLD_PATH_READ, path) || model_names_one(policy, PINFOLD_PATH_WRITE, path) ||
	       model_names_one(policy, PINFOLD_PATH_LAYER, path);
}

static bool model_writes(const struct pinfold_policy *policy, const char *path)
{
	if (model_names(policy, PINFOLD_PATH_HIDE, path) || model_names(policy, PINFOLD_PATH_PROTECT, path))
		return false;
	if (model_is_own(path))
		return true;
	return !model_within(path, SCENE_SCRATCH) && !model_within(path, SCENE_TREE) &&
	       model_names_one(policy, PINFOLD_PATH_WRITE, path);
}

static bool model_executes(const struct pinfold_policy *policy, const char *path)
{
	if (model_names(policy, PINFOLD_PATH_HIDE, path))
		return false;
	if (!model_is_own(path) && model_within(path, SCENE_SCRATCH))
		return false;
	if (!model_reads(policy, path))	/* what cannot be read is not executed either */
		return false;
	if (!model_is_used(policy, PINFOLD_PATH_EXECUTE))
		return true;
	if (model_within(path, SCENE_SOURCE))
		return model_names(policy, PINFOLD_PATH_EXECUTE, path);
	return model_names_one(policy, PINFOLD_PATH_EXECUTE, path);
}

static bool model_connects(const struct pinfold_policy *policy, const char *path)
{
	if (model_names(policy, PINFOLD_PATH_HIDE, path))
		return false;
	return model_is_own(path) || (!model_within(path, SCENE_SCRATCH) &&
				      model_names_one(policy, PINFOLD_PATH_SOCKET, path));
}

static const struct {
	const char *operation;
	bool (*decides)(const struct pinfold_policy *, const char *);
} askable[] = {
	{ "file-read-data", model_reads }, { "file-write-data", model_writes },
	{ "file-write-create", model_writes }, { "process-exec", model_executes },
	{ "network-outbound", model_connects },
};

static char rooms[SCENE_PATHS + SCENE_PATTERNS][PATH_MOST];

static void random_policy(struct test_scene *scene)
{
	unsigned kinds[4], used = 0;
	for (unsigned i = 0; i < 4; i++)
		kinds[i] = below(PINFOLD_PATH_SOCKET + 1);
	for (unsigned count = below(8); count > 0; count--) {
		struct pinfold_path *path = scene_path(scene, kinds[below(4)], random_path(rooms[used++]));
		path->match = below(4) == 0 ? PINFOLD_MATCH_LITERAL : PINFOLD_MATCH_SUBTREE;
		path->hard = path->kind == PINFOLD_PATH_HIDE && below(3) == 0;
		path->inode = path->kind == PINFOLD_PATH_PROTECT && below(2) ? 0 : 7;
	}
	for (unsigned count = below(3); count > 0; count--) {
		uint32_t kind = below(2) ? PINFOLD_PATH_HIDE : PINFOLD_PATH_PROTECT;
		scene_pattern(scene, kind, random_pattern(rooms[used++]))->hard = below(2);
	}
	scene->policy.network = below(4);
	scene->scene.reports = below(2);
}

/* Near what the policy names, more often than not. */
static const char *random_question(const struct test_scene *scene, char *room)
{
	if (scene->policy.path_count == 0 || below(3) == 0)
		return random_path(room);
	strcpy(room, scene->paths[below((unsigned)scene->policy.path_count)].path);
	char *last = strrchr(room, '/');
	char other[PATH_MOST];
	if (below(4) == 0 && last > room)
		*last = '\0';
	if (below(2)) {
		strcat(room, "/");
		strcat(room, parts[below(N_ELEMENTS(parts))]);
	}
	if (below(3) == 0 && model_other_side(room, other))
		strcpy(room, other);
	return room;
}

static unsigned asked, refused;

static void ask(const struct test_scene *scene)
{
	char room[PATH_MOST];
	const char *path = random_question(scene, room);
	unsigned which = below(N_ELEMENTS(askable));
	bool is = scene_allows(scene, askable[which].operation, path);
	bool should = askable[which].decides(&scene->policy, path);
	asked++;
	refused += !should;
	if (is == should)
		return;
	for (size_t i = 0; i < scene->policy.path_count; i++)
		print_message("kind %u%s%s %s\n", scene->paths[i].kind, scene->paths[i].hard ? " hard" : "",
			      scene->paths[i].match ? " literal" : "", scene->paths[i].path);
	for (size_t i = 0; i < scene->policy.pattern_count; i++)
		print_message("pattern kind %u %s\n", scene->patterns[i].kind, scene->patterns[i].pattern);
	fail_msg("%s of %s: the model %s it, the profile does not", askable[which].operation, path,
		 should ? "allows" : "refuses");
}

static void a_profile_decides_as_the_model_does(void **state)
{
	(void)state;
	for (unsigned round = 0; round < POLICIES; round++) {
		struct test_scene scene;
		scene_open(&scene);
		random_policy(&scene);
		scene_lower(&scene);
		for (unsigned i = 0; i < QUESTIONS; i++)
			ask(&scene);
		scene_close(&scene);
	}
	print_message("%u decisions, %u of them refusals\n", asked, refused);
	assert_true(asked >= 20000 && refused >= asked / 5 && refused <= asked - asked / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_profile_decides_as_the_model_does) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
