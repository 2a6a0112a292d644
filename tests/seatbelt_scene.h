/* tests/seatbelt_scene.h - policies by hand, lowered for Seatbelt, and what their profiles decide. */
#ifndef SEATBELT_SCENE_H
#define SEATBELT_SCENE_H

#include "namespaces_host.h"
#include "sbpl.h"

#include "plugins/seatbelt/lower.h"

enum { SCENE_PATHS = 24, SCENE_PATTERNS = 8 };

struct test_scene {
	struct test_host host;
	struct pinfold_policy policy;
	struct pinfold_shown shown;
	struct scene scene;
	struct pinfold_path paths[SCENE_PATHS];
	struct pinfold_pattern patterns[SCENE_PATTERNS];
	struct profile profile;
	struct gaps gaps;
	struct sbpl *sbpl;
};

#define SCENE_TREE "/Users/u/tree"
#define SCENE_SCRATCH "/Users/u/Library/Caches/pinfold"
#define SCENE_SOURCE SCENE_SCRATCH "/t/1/tree"
#define SCENE_TEMPORARY SCENE_SCRATCH "/t/1/tmp"

/* A policy of nothing, with the command in a copy. */
void scene_open(struct test_scene *scene);
struct pinfold_path *scene_path(struct test_scene *scene, uint32_t kind, const char *path);
struct pinfold_pattern *scene_pattern(struct test_scene *scene, uint32_t kind, const char *pattern);
/* Lowers it and reads the profile; fails the test where either cannot be. */
void scene_lower(struct test_scene *scene);
bool scene_allows(const struct test_scene *scene, const char *operation, const char *path);
/* Forgets what was lowered, so that more may be named. */
void scene_forget(struct test_scene *scene);
void scene_close(struct test_scene *scene);

/* The parameters that each run gives. */
#define SCENE_MARK "pinfold.run.abc.0.7"
#define SCENE_OTHER_MARK "pinfold.run.abc.1.1"

#endif
