/* tests/seatbelt_scene.c - policies by hand, lowered for Seatbelt. */
#include "config.h"

#include "seatbelt_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void scene_open(struct test_scene *scene)
{
	*scene = (struct test_scene){
		.shown = { .size = sizeof(scene->shown), .tree = SCENE_TREE, .source = SCENE_SOURCE,
			   .temporary = SCENE_TEMPORARY, .directory = SCENE_TREE },
		.policy = { .size = sizeof(scene->policy), .scratch = SCENE_SCRATCH, .home = "/Users/u" },
	};
	test_host_open(&scene->host);
	scene->policy.paths = scene->paths;
	scene->policy.patterns = scene->patterns;
	scene->scene = (struct scene){ .policy = &scene->policy, .shown = &scene->shown };
}

struct pinfold_path *scene_path(struct test_scene *scene, uint32_t kind, const char *path)
{
	struct pinfold_path *row = &scene->paths[scene->policy.path_count++];
	assert_true(scene->policy.path_count <= SCENE_PATHS);
	*row = (struct pinfold_path){ .size = sizeof(*row), .kind = kind, .path = path, .inode = 7,
				      .mode = S_IFDIR | 0755 };
	return row;
}

struct pinfold_pattern *scene_pattern(struct test_scene *scene, uint32_t kind, const char *pattern)
{
	struct pinfold_pattern *row = &scene->patterns[scene->policy.pattern_count++];
	assert_true(scene->policy.pattern_count <= SCENE_PATTERNS);
	*row = (struct pinfold_pattern){ .size = sizeof(*row), .kind = kind, .pattern = pattern };
	return row;
}

void scene_lower(struct test_scene *scene)
{
	static const char *const of_run[] = {
		PARAMETER_MARK, SCENE_MARK, PARAMETER_MARKS, "^pinfold[.]run[.]abc[.]",
		"MESSAGE_default", "m:default", "MESSAGE_hidden", "m:hidden", "MESSAGE_protected", "m:protected",
		"MESSAGE_hard", "m:hard", "MESSAGE_tree", "m:tree", "MESSAGE_scratch", "m:scratch", NULL,
	};
	struct pinfold_error err = { 0 };
	char *reason = NULL;
	if (lower(&scene->host.table, &scene->scene, &scene->profile, &scene->gaps, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	size_t own = scene->profile.parameter_count, count = sizeof(of_run) / sizeof(of_run[0]);
	const char **all = calloc(2 * own + count, sizeof(*all));
	assert_non_null(all);
	for (size_t i = 0; i < own; i++) {
		all[2 * i] = scene->profile.parameters[i].name;
		all[2 * i + 1] = scene->profile.parameters[i].value;
	}
	memcpy(all + 2 * own, of_run, sizeof(of_run));
	scene->sbpl = sbpl_read(scene->profile.text, all, &reason);
	free(all);
	if (!scene->sbpl)
		fail_msg("%s in:\n%s", reason, scene->profile.text);
}

bool scene_allows(const struct test_scene *scene, const char *operation, const char *path)
{
	return sbpl_allows(scene->sbpl, operation, path);
}

void scene_forget(struct test_scene *scene)
{
	sbpl_free(scene->sbpl);
	scene->sbpl = NULL;
}

void scene_close(struct test_scene *scene)
{
	scene_forget(scene);
	test_host_close(&scene->host);
}
