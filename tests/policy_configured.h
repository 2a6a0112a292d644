/* tests/policy_configured.h - configurations for tests of what is made from them. */
#ifndef TESTS_POLICY_CONFIGURED_H
#define TESTS_POLICY_CONFIGURED_H

#include "config/config.h"

/* From "section.key=value" alone (NULL-terminated, or NULL): no file, no preset. */
struct config *configured(const char *const *settings);
/* From a shipped preset, or several. */
struct config *configured_by_preset(const char *names);

#endif
