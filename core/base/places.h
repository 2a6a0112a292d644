/* base/places.h - where this build of pinfold lies. Tests link places of their own. */
#ifndef BASE_PLACES_H
#define BASE_PLACES_H

const char *places_vendor(void);	/* directory of vendor configuration */
const char *places_site(void);	/* directory of site configuration */
const char *places_plugins(void);	/* built-in plugin directory */
const char *places_init(void);	/* the supervisor in a child, a file */

#endif
