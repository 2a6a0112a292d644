/* fakes/fake.h - a plugin that is right in everything. Each fake defines, before it includes this,
 * the one thing that it does otherwise. */
#ifndef FAKES_FAKE_H
#define FAKES_FAKE_H

#include <pinfold/arm.h>
#include <pinfold/view.h>
#include <pinfold/wrapper.h>

#define UNUSED __attribute__((unused))
#define EVERY_AXIS ((UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1)

UNUSED static int right_probe(const struct pinfold_host *host, struct pinfold_offer *offer,
			      struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = EVERY_AXIS;
	offer->kept = PINFOLD_BIT(FILESYSTEM);
	return 0;
}

UNUSED static int right_prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
				const struct pinfold_shown *shown, struct pinfold_plan *plan,
				struct pinfold_error *err)
{
	(void)host;
	(void)policy;
	(void)err;
	plan->directory = shown->source;
	plan->temporary = shown->temporary;
	return 0;
}

UNUSED static int right_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return 0;
}

#ifndef FAKE_MAJOR
#define FAKE_MAJOR PINFOLD_PLUGIN_MAJOR
#endif
#ifndef FAKE_MINOR
#define FAKE_MINOR PINFOLD_PLUGIN_MINOR
#endif
#ifndef FAKE_SIZE
#define FAKE_SIZE sizeof(struct pinfold_plugin)
#endif
#ifndef FAKE_CALLS_ITSELF
#define FAKE_CALLS_ITSELF FAKE_NAME
#endif
#ifndef FAKE_ARM_NAME
#define FAKE_ARM_NAME FAKE_NAME
#endif
#ifndef FAKE_ARM_SIZE
#define FAKE_ARM_SIZE sizeof(struct pinfold_arm)
#endif
#ifndef FAKE_PROBE
#define FAKE_PROBE right_probe
#endif
#ifndef FAKE_PREPARE
#define FAKE_PREPARE right_prepare
#endif
#ifndef FAKE_ENTER
#define FAKE_ENTER right_enter
#endif
#ifndef FAKE_SETTLE
#define FAKE_SETTLE NULL
#endif
#ifndef FAKE_FORESEE
#define FAKE_FORESEE NULL
#endif
#ifndef FAKE_REFUSED
#define FAKE_REFUSED NULL
#endif
#ifndef FAKE_BECOMES
#define FAKE_BECOMES 1
#endif
#ifndef FAKE_KEYS
#define FAKE_KEYS NULL
#endif
#ifndef FAKE_VIEWS
#define FAKE_VIEWS NULL
#endif
#ifndef FAKE_WRAPPERS
#define FAKE_WRAPPERS NULL
#endif

#ifndef FAKE_WITHOUT_SYMBOL
static const struct pinfold_arm arm = {
	.size = FAKE_ARM_SIZE,
	.placing = PINFOLD_PLACING_IDENTITY,
	.name = FAKE_ARM_NAME,
	.summary = "an arm for tests",
	.keys = FAKE_KEYS,
	.probe = FAKE_PROBE,
	.prepare = FAKE_PREPARE,
	.enter = FAKE_ENTER,
	.settle = FAKE_SETTLE,
	.foresee = FAKE_FORESEE,
	.becomes = FAKE_BECOMES,
	.refused = FAKE_REFUSED,
};

static const struct pinfold_arm *const arms[] = { &arm, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = FAKE_SIZE,
	.major = FAKE_MAJOR,
	.minor = FAKE_MINOR,
	.name = FAKE_CALLS_ITSELF,
	.version = "1",
	.summary = "a plugin for tests",
	.arms = arms,
	.views = FAKE_VIEWS,
	.wrappers = FAKE_WRAPPERS,
};
#endif

#endif
