/* fakes/wrong-hooks.c - a view whose open and sync fail, silently or not, and such a wrapper. */
#define FAKE_NAME "wrong-hooks"
#define FAKE_VIEWS views
#define FAKE_WRAPPERS wrappers
#include <pinfold/view.h>
#include <pinfold/wrapper.h>

static int fail_in_open(const struct pinfold_host *host, const char *tree, const char *session,
			uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	(void)session;
	(void)placing;
	(void)kept;
	(void)ret_state;
	return host->fail(err, PINFOLD_E_TREE, 5, "open the fake", tree, "take another view");
}

static int fail_in_sync(const struct pinfold_host *host, void *state, struct pinfold_shown *shown,
			struct pinfold_work *work, struct pinfold_error *err)
{
	(void)host;
	(void)state;
	(void)shown;
	(void)work;
	(void)err;
	return -1;
}

static void close_nothing(const struct pinfold_host *host, void *state, uint32_t keep)
{
	(void)host;
	(void)state;
	(void)keep;
}

static const struct pinfold_view view = {
	.size = sizeof(view),
	.name = "wrong-hooks",
	.summary = "a view for tests",
	.open = fail_in_open,
	.sync = fail_in_sync,
	.close = close_nothing,
};
static const struct pinfold_view *const views[] = { &view, NULL };

static int match_nothing(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	(void)file_name;
	return 0;
}

static int fail_in_prepare(const struct pinfold_host *host,
			   const struct pinfold_wrapper_context *context, void **ret_state,
			   struct pinfold_error *err)
{
	(void)host;
	(void)context;
	(void)ret_state;
	(void)err;
	return -1;
}

static int fail_in_settle(const struct pinfold_host *host, void *state, struct pinfold_error *err)
{
	(void)state;
	return host->fail(err, PINFOLD_E_SYSTEM, 0, "settle the fake", "it never works", "wait");
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "wrong-hooks",
	.summary = "a wrapper for tests",
	.matches = match_nothing,
	.prepare = fail_in_prepare,
	.settle = fail_in_settle,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

#include "fake.h"
