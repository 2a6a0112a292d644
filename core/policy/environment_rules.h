/* policy/environment_rules.h - which variables of the caller a command does not get, and why. */
#ifndef POLICY_ENVIRONMENT_RULES_H
#define POLICY_ENVIRONMENT_RULES_H

#include <stdbool.h>

enum environment_class {
	ENVIRONMENT_PLAIN = 0,	/* nothing speaks against it */
	ENVIRONMENT_SECRET,	/* its name or its value looks like a credential */
	ENVIRONMENT_LOADER,	/* acts on a program before its own first line */
	ENVIRONMENT_SESSION,	/* names an agent, a bus or a display that is closed inside */
	ENVIRONMENT_PLACE	/* the run says itself where these are */
};

enum environment_class environment_classify(const char *name, const char *value);
/* Names that an allow list need not mention. */
bool environment_is_floor(const char *name);

#endif
