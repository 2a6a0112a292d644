/* tests/policy_configured.c - configurations for tests of what is made from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "policy_configured.h"

#include "base/text.h"

#include <stdlib.h>

static struct config *loaded(const char *vendor, const char *const *settings)
{
	struct config_sources sources = {
		.vendor = vendor, .site = "", .user = "", .settings = settings,
	};
	struct config *config = NULL;
	struct pinfold_error err = { 0 };
	if (config_load(&sources, &config, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	return config;
}

struct config *configured(const char *const *settings)
{
	const char *all[32] = { "pinfold.preset=" };
	size_t count = 1;
	for (; settings && *settings; settings++) {
		assert_true(count + 1 < N_ELEMENTS(all));
		all[count++] = *settings;
	}
	return loaded("", all);
}

struct config *configured_by_preset(const char *names)
{
	struct text text = { 0 };
	text_addf(&text, "pinfold.preset=%s", names);
	char *preset = text_take(&text);
	struct config *config = loaded(NULL, (const char *const[]){ preset, NULL });
	free(preset);
	return config;
}
