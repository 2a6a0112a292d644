/* registry/services.c - the host's services, handed to plugins as a table. */
#include "config.h"

#include "registry/modules.h"
#include "registry/records.h"

#include "base/asked.h"
#include "base/fault.h"
#include "base/owner.h"
#include "base/path.h"
#include "base/raw.h"
#include "base/text.h"
#include "config/scope.h"

#include <stdio.h>
#include <stdlib.h>

/* A host table with all that belongs to it; the table is first. */
struct service {
	struct pinfold_host host;
	struct pinfold_scope scope;
};

static void service_log(const struct pinfold_host *host, uint32_t level, const char *text)
{
	if (host->scope->log && text)
		host->scope->log(host->scope->log_context, level, text);
}

static const struct pinfold_key *find_key(const struct pinfold_scope *scope, const char *name)
{
	for (const struct pinfold_key *key = scope->keys; key && key->name; key++)
		if (streq(key->name, name))
			return key;
	return NULL;
}

/* "a, b" as a configured list comes: an item a line. */
static const char *initial_list(struct arena *arena, const char *initial)
{
	char *list = arena_copy(arena, initial), *to = list;
	for (const char *from = initial; list && *from;) {
		from += strspn(from, ", \t");
		size_t length = strcspn(from, ","), rest = length;
		while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
			length--;
		if (length > 0 && to != list)
			*to++ = '\n';
		memcpy(to, from, length);
		to += length;
		from += rest;
	}
	if (list)
		*to = '\0';
	return list;
}

/* An initial value is written as in a file: a path may begin with `~`, a list has commas. */
static const char *initial_value(const struct pinfold_scope *scope, const struct pinfold_key *key)
{
	if (key->initial && key->type == PINFOLD_KEY_LIST)
		return initial_list(scope->arena, key->initial);
	if (!key->initial || key->type != PINFOLD_KEY_PATH || !starts_with(key->initial, "~/"))
		return key->initial;
	char *home = path_home();
	const char *path =
		home ? arena_print(scope->arena, "%s%s", home, key->initial + 1) : NULL;
	free(home);
	return path;
}

static const char *service_setting(const struct pinfold_host *host, const char *name)
{
	const struct pinfold_scope *scope = host->scope;
	const struct pinfold_key *key = find_key(scope, name);
	if (!key)
		return NULL;
	const char *value = config_section_value(scope->config, scope->section, name);
	return value ? value : initial_value(scope, key);
}

static void *service_allocate(const struct pinfold_host *host, size_t bytes)
{
	return arena_allocate(host->scope->arena, bytes);
}

__attribute__((format(printf, 2, 3))) static const char *
service_print(const struct pinfold_host *host, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	char *text = arena_printv(host->scope->arena, format, list);
	va_end(list);
	return text;
}

static int service_fail(struct pinfold_error *err, uint32_t code, int32_t sys, const char *action,
			const char *subject, const char *recovery)
{
	return fault(err, code, sys, action, subject, recovery);
}

static long service_call(long number, long a, long b, long c, long d, long e, long f)
{
	return raw_call(number, a, b, c, d, e, f);
}

/* Two parts may use the same name for their records. */
static int service_recall(const struct pinfold_host *host, const char *name, const char *stamp,
			  const void **ret_data, size_t *ret_bytes)
{
	char full[256];
	const char *section = host->scope->section;
	snprintf(full, sizeof(full), "%s/%s", section ? section : "", name);
	return records_recall(host->scope, full, stamp, ret_data, ret_bytes);
}

static void service_keep(const struct pinfold_host *host, const char *name, const char *stamp,
			 const void *data, size_t bytes)
{
	char full[256];
	const char *section = host->scope->section;
	snprintf(full, sizeof(full), "%s/%s", section ? section : "", name);
	records_keep(host->scope, full, stamp, data, bytes);
}

static int service_trusts(const struct pinfold_host *host, uint32_t user)
{
	(void)host;
	return owner_is_trusted(user);
}

static const struct pinfold_host services = {
	.size = sizeof(struct pinfold_host),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.log = service_log,
	.setting = service_setting,
	.allocate = service_allocate,
	.print = service_print,
	.fail = service_fail,
	.call = service_call,
	.recall = service_recall,
	.keep = service_keep,
	.trusts = service_trusts,
	.can_answer = asked_is_possible,
	.asked_read = asked_read,
	.asked_text = asked_text,
	.asked_open = asked_open,
	.asked_waits = asked_waits,
};

struct pinfold_host *registry_host(struct registry *registry, const char *section)
{
	const struct part *part = section ? registry_part(registry, section) : NULL;
	struct arena *arena = arena_new();
	struct service *service = arena ? arena_allocate(arena, sizeof(*service)) : NULL;
	if (!service) {
		arena_free(arena);
		return NULL;
	}
	service->scope = (struct pinfold_scope){
		.config = registry->config,
		.section = section ? arena_copy(arena, section) : NULL,
		.keys = part && !part->misuse.code ? part->keys : NULL,
		.arena = arena,
		.identity = part ? part->entry->identity : NULL,
		.log = registry->services.log,
		.log_context = registry->services.log_context,
	};
	service->host = services;
	service->host.scope = &service->scope;
	service->host.trees = registry->services.trees;
	if (section && !service->scope.section) {
		arena_free(arena);
		return NULL;
	}
	return &service->host;
}

void registry_host_free(struct pinfold_host *host)
{
	if (host)
		arena_free(host->scope->arena);
}
