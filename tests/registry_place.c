/* tests/registry_place.c - a registry over the fakes, for one test. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "registry_place.h"

#include "base/text.h"

#include <stdlib.h>

static struct config *config;
static struct registry *registry;
static struct text logged;

int modules_set_up(void **state)
{
	if (place_set_up(state) < 0)
		return -1;
	return setenv("XDG_CACHE_HOME", place_path("cache"), 1);
}

static void close_registry(void)
{
	registry_free(registry);
	registry = NULL;
	config_free(config);
	config = NULL;
}

int modules_tear_down(void **state)
{
	close_registry();
	text_release(&logged);
	return place_tear_down(state);
}

static void log_line(void *context, uint32_t level, const char *line)
{
	(void)context;
	(void)level;
	text_addf(&logged, "%s\n", line);
}

struct registry *modules_reopen(void)
{
	struct registry_services services = { .log = log_line };
	struct pinfold_error err = { 0 };
	close_registry();
	config = place_expect(NULL);
	if (registry_new(config, &services, &registry, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	return registry;
}

struct registry *modules_open(const char *names, const char *more)
{
	struct text file = { 0 };
	text_add(&file, "[pinfold]\nplugins =\n\t");
	for (; *names; names++)	/* an item a line: lines have a longest length */
		text_addf(&file, "%c%s", *names, *names == ',' ? "\n\t" : "");
	text_addf(&file, "\nplugin-directories = " FAKES "\n%s\n", more ? more : "");
	char *text = text_take(&file);
	place_write("site/pinfold.conf", text);
	free(text);
	return modules_reopen();
}

struct config *modules_config(void)
{
	return config;
}

const struct module *modules_find(const struct registry *among, const char *name)
{
	for (size_t i = 0; i < registry_count(among); i++)
		if (streq(registry_module(among, i)->name, name))
			return registry_module(among, i);
	fail_msg("no module %s", name);
	return NULL;
}

void modules_expect_refusal(struct registry *among, const char *name, const char *reason)
{
	registry_load_all(among);
	const struct module *module = modules_find(among, name);
	if (module->state != MODULE_REFUSED)
		fail_msg("%s was not refused", name);
	assert_null(module->plugin);
	assert_int_equal(module->refusal.code, PINFOLD_E_PLUGIN);
	if (!strstr(module->refusal.subject, reason))
		fail_msg("%s: \"%s\" does not say \"%s\"", name, module->refusal.subject, reason);
	assert_string_not_equal(module->refusal.action, "");
	assert_string_not_equal(module->refusal.recovery, "");
}

const char *modules_logged(void)
{
	return logged.data ? logged.data : "";
}

void modules_forget_log(void)
{
	text_release(&logged);
}
