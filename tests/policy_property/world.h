/* tests/policy_property/world.h - the things that policies by chance are about. */
#ifndef PROPERTY_WORLD_H
#define PROPERTY_WORLD_H

#include "property.h"

void world_make(struct property_world *world, const char *root);
int world_remove(struct property_world *world);

#endif
