/* tests/namespaces_world.h - the world of the test that runs. */
#ifndef NAMESPACES_WORLD_H
#define NAMESPACES_WORLD_H

#include "namespaces_cage.h"

extern struct world world;

/* For cmocka: a world below world_home(), and its end. */
int world_set_up(void **state);
int world_tear_down(void **state);

/* What is looked at inside where getting there is all that matters. */
long world_does_nothing(void *unused);

#endif
