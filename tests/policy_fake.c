/* tests/policy_fake.c - a configuration for tests: settings as the command line gives them. */
#include "config.h"

#include "policy_fake.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

struct config {
	struct list lists[8];
	char *texts[64];
	const char *const *settings;
};

struct config *configured(const char *const *settings)
{
	struct config *config = calloc(1, sizeof(*config));
	config->settings = settings;
	return config;
}

void config_free(struct config *config)
{
	for (size_t i = 0; i < 8; i++)
		list_release(&config->lists[i]);
	free(config);
}

const char *config_text(const struct config *config, const char *section, const char *key)
{
	char name[100];
	snprintf(name, sizeof(name), "%s.%s=", section, key);
	const char *found = NULL;
	for (size_t i = 0; config->settings && config->settings[i]; i++)
		if (starts_with(config->settings[i], name))
			found = config->settings[i] + strlen(name);
	return found ? found : streq(name, "environment.mode=") ? "passthrough" : "";
}

uint64_t config_number(const struct config *config, const char *section, const char *key)
{
	return strtoull(config_text(config, section, key), NULL, 10);
}

unsigned config_word(const struct config *config, const char *section, const char *key)
{
	static const char *const words[][4] = { { "inherit", "none", "null" }, { "none", "loopback", "host" }, { "never", "ask", "always" } };
	const char *text = config_text(config, section, key);
	size_t row = streq(section, "network") ? 1 : streq(section, "placement") ? 2 : 0;
	for (unsigned i = 0; i < 3; i++)
		if (streq(words[row][i], text))
			return i > 1 && row == 0 ? 1 : i;
	return 0;
}

const struct list *config_list(const struct config *config, const char *section, const char *key)
{
	static const char *const keys[] = { "require", "relax", "hidden", "writable", "layered", "allow", "drop", "set" };
	size_t at = 0;
	while (!streq(keys[at], key))
		at++;
	struct list *list = (struct list *)&config->lists[at];
	list_release(list);
	char name[100];
	snprintf(name, sizeof(name), "%s.%s=", section, key);
	for (size_t i = 0; config->settings && config->settings[i]; i++) {
		if (!starts_with(config->settings[i], name))
			continue;
		char *copy = strdup(config->settings[i] + strlen(name));
		for (char *item = strtok(copy, ","); item; item = strtok(NULL, ","))
			list_add(list, item + (item[0] == ' '));
		free(copy);
	}
	return list;
}
