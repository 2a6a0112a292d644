/* tests/namespaces_host.c - a host table for tests of the arm alone: settings by hand, records in memory. */
#include "namespaces_host.h"

#include "base/arena.h"
#include "base/asked.h"
#include "base/fault.h"
#include "base/raw.h"
#include "base/text.h"

static const struct test_host *own(const struct pinfold_host *table)
{
	return (const struct test_host *)(const void *)table;
}

static void say(const struct pinfold_host *table, uint32_t level, const char *text)
{
	struct test_host *host = (struct test_host *)own(table);
	host->said = arena_print(host->arena, "%s%s", level == PINFOLD_LOG_WARNING ? "" : "quietly: ", text);
}

static const char *setting(const struct pinfold_host *table, const char *key)
{
	const char *const *settings = own(table)->settings;
	for (size_t i = 0; settings[i]; i += 2)
		if (streq(settings[i], key))
			return settings[i + 1];
	return NULL;
}

static void *allocate(const struct pinfold_host *table, size_t bytes)
{
	return arena_allocate(own(table)->arena, bytes);
}

__attribute__((format(printf, 2, 3))) static const char *
print(const struct pinfold_host *table, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	char *text = arena_printv(own(table)->arena, format, list);
	va_end(list);
	return text;
}

static int refuse(struct pinfold_error *err, uint32_t code, int32_t sys, const char *action,
		  const char *subject, const char *recovery)
{
	return fault(err, code, sys, action, subject, recovery);
}

static long swallowed = -1, swallowed_argument;

void test_host_swallow(long number, long argument)
{
	swallowed = number;
	swallowed_argument = argument;
}

static long call_kernel(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == swallowed && (swallowed_argument < 0 || swallowed_argument == a))
		return 0;
	return raw_call(number, a, b, c, d, e, f);
}

static int recall(const struct pinfold_host *table, const char *name, const char *stamp,
		  const void **ret_data, size_t *ret_bytes)
{
	const struct test_host *host = own(table);
	if (!host->kept || !streq(host->kept_stamp, arena_print(host->arena, "%s %s", name, stamp)))
		return 0;
	*ret_data = host->kept;
	*ret_bytes = host->kept_bytes;
	return 1;
}

static void keep(const struct pinfold_host *table, const char *name, const char *stamp, const void *data,
		 size_t bytes)
{
	struct test_host *host = (struct test_host *)own(table);
	void *copy = arena_allocate(host->arena, bytes);
	memcpy(copy, data, bytes);
	host->kept = copy;
	host->kept_bytes = bytes;
	host->kept_stamp = arena_print(host->arena, "%s %s", name, stamp);
}

void test_host_open(struct test_host *host)
{
	*host = (struct test_host){
		.table = {
			.size = sizeof(host->table), .major = PINFOLD_PLUGIN_MAJOR,
			.log = say, .setting = setting, .allocate = allocate, .print = print,
			.fail = refuse, .call = call_kernel, .recall = recall, .keep = keep,
			.can_answer = asked_is_possible, .asked_read = asked_read, .asked_text = asked_text,
			.asked_open = asked_open, .asked_waits = asked_waits,
		},
		.arena = arena_new(),
	};
}

void test_host_close(struct test_host *host)
{
	arena_free(host->arena);
	host->arena = NULL;
}
