/* plugins/seatbelt/calls.c - finding the functions of a Mac by name, and the blocks that its kernel takes. */
#include "calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static const char *library_path = "/usr/lib/libsandbox.1.dylib";
static struct calls table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void calls_from(const char *library)
{
	library_path = library;
}

/* The library depends on the system's own, whose functions its handle finds as well. */
static void find(void *library, const char *symbol, void *to, size_t bytes)
{
	void *found = dlsym(library, symbol);
	memcpy(to, &found, bytes);
	if (!found && !table.missing)
		table.missing = symbol;
}

static void fill(void)
{
	void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
	size_t bytes = sizeof(table.build);
	if (!library)
		return;
	table.library = true;
#define SEATBELT_FIND_CALL(member, symbol, type, parameters)                                       \
	find(library, symbol, &table.member, sizeof(table.member));
	SEATBELT_CALLS(SEATBELT_FIND_CALL)
#undef SEATBELT_FIND_CALL
	if (table.system_value && table.system_value("kern.osversion", table.build, &bytes, NULL, 0) < 0)
		table.build[0] = '\0';
	table.build[sizeof(table.build) - 1] = '\0';
}

const struct calls *calls_get(void)
{
	pthread_once(&once, fill);
	return &table;
}

bool calls_confined(const struct calls *calls)
{
	return calls->check(getpid(), NULL, CHECK_NO_REPORT) != 0;
}

void calls_profile_arguments(struct policy_arguments *ret_arguments, const void *bytecode, size_t bytes)
{
	*ret_arguments = (struct policy_arguments){ { (uintptr_t)bytecode, bytes } };
}

static int call(const struct calls *calls, int number, struct policy_arguments *arguments)
{
	return calls->policy_call("Sandbox", number, arguments) == 0 ? 0 : errno ? -errno : -EPERM;
}

int calls_apply(const struct calls *calls, const struct policy_arguments *profile)
{
	struct policy_arguments arguments = *profile;
	return call(calls, SANDBOX_SET_PROFILE, &arguments);
}

/* Of no operation, the question is whether the process is confined at all. */
int calls_verify(const struct calls *calls)
{
	uint64_t confined = 0;
	struct policy_arguments arguments = { { (uintptr_t)&confined, (uint64_t)getpid() } };
	int result = call(calls, SANDBOX_CHECK, &arguments);
	return result < 0 ? result : confined ? 0 : -EPERM;
}

int calls_consume(const struct calls *calls, const char *token, size_t bytes)
{
	int64_t handle = -1;
	struct policy_arguments arguments = { { (uintptr_t)token, bytes, (uintptr_t)&handle } };
	int result = call(calls, SANDBOX_CONSUME, &arguments);
	return result < 0 ? result : handle < 0 ? -EPERM : 0;
}
