/* tests/places.c - where an uninstalled build lies, for tests. */
#include "base/places.h"

const char *places_vendor(void)
{
	return PLACES_VENDOR;
}

const char *places_site(void)
{
	return PLACES_SITE;
}

const char *places_plugins(void)
{
	return PLACES_PLUGINS;
}

const char *places_init(void)
{
	return PLACES_INIT;
}
