/* tests/namespaces_world.c - the world of the test that runs. */
#include "config.h"

#include "namespaces_world.h"

struct world world;

int world_set_up(void **state)
{
	(void)state;
	world_open(&world, world_home());
	return 0;
}

int world_tear_down(void **state)
{
	(void)state;
	world_close(&world);
	return 0;
}

long world_does_nothing(void *unused)
{
	(void)unused;
	return 0;
}
