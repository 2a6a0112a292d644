/* built_in/built_in.h - the modules whose code is in the command too, and the build ids of their files. */
#ifndef BUILT_IN_H
#define BUILT_IN_H

#include <pinfold/plugin.h>

/* The script `ids` makes them from the modules; empty where a module has none. */
extern const char built_in_id_namespaces[], built_in_id_copytree[], built_in_id_landlock[];
extern const char built_in_id_ccache[], built_in_id_distcc[], built_in_id_generic[], built_in_id_sccache[];

/* Their symbol under names of their own, as they are compiled for the command. */
extern const struct pinfold_plugin pinfold_plugin_namespaces, pinfold_plugin_copytree, pinfold_plugin_landlock;
extern const struct pinfold_plugin pinfold_plugin_ccache, pinfold_plugin_distcc, pinfold_plugin_generic,
	pinfold_plugin_sccache;

const struct pinfold_built_in *built_in_modules(void);

#endif
