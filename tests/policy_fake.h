/* tests/policy_fake.h - a configuration for tests: settings as the command line gives them. */
#ifndef TESTS_POLICY_FAKE_H
#define TESTS_POLICY_FAKE_H

#include "config/config.h"

/* "section.key=value", NULL-terminated. No file is read. */
struct config *configured(const char *const *settings);

#endif
