/* tests/config_place.h - a directory of configuration files for one test, and loading from it. */
#ifndef TESTS_CONFIG_PLACE_H
#define TESTS_CONFIG_PLACE_H

#include "config/config.h"

/* Makes an empty place with vendor/, vendor/presets/default.conf (empty), site/ and home/, which HOME
 * then names; XDG_CONFIG_HOME is unset. For setup and teardown of every test. */
int place_set_up(void **state);
int place_tear_down(void **state);

/* The path of `name` in the place; valid until the next calls. */
const char *place_path(const char *name);
/* Writes a file of the place, and the directories on the way, with modes 0644 and 0755. */
void place_write(const char *name, const char *text);
void place_write_bytes(const char *name, const void *data, size_t bytes);

/* Loads from vendor/, site/ and user.conf of the place, with `settings` (NULL-terminated, or NULL).
 * place_load_file also reads `file` of the place as --config. */
int place_load(const char *const *settings, struct config **ret_config, struct pinfold_error *err);
int place_load_file(const char *file, const char *const *settings, struct config **ret_config,
		    struct pinfold_error *err);

/* Loads and expects success; the caller frees. */
struct config *place_expect(const char *const *settings);
/* Loads and expects an error of the configuration, and nothing returned, whose subject begins with
 * the place's `file` and, unless 0, `line`, and holds `what`, and whose recovery holds `recovery`. */
void place_refuses(const char *file, unsigned line, const char *what, const char *recovery);
void place_refuses_settings(const char *const *settings, const char *file, unsigned line,
			    const char *what, const char *recovery);

/* The list as one text, joined by "|"; valid until the next call. */
const char *place_list(const struct config *config, const char *section, const char *key);

#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#endif
