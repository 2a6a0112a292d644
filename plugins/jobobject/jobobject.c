/* jobobject/jobobject.c - the arm `jobobject`: always refused, never another arm under its name.
 *
 * A caller that asks for a job object counts on its limits. Answering with anything else would tell
 * it that they hold.
 */
#include <pinfold/arm.h>

#include <errno.h>

PINFOLD_ARM_ANSWERS(11);

static int jobobject_probe(const struct pinfold_host *host, struct pinfold_offer *offer,
			   struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 0;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->missing = "this build makes no job object";
	offer->lift = "use the arm copytree, which leaves the network open, or namespaces";
	return 0;
}

static int jobobject_prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
			     const struct pinfold_shown *shown, struct pinfold_plan *plan,
			     struct pinfold_error *err)
{
	(void)policy;
	(void)shown;
	(void)plan;
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "confine the command with a job object",
			  "this build makes no job object",
			  "use the arm copytree, which leaves the network open, or namespaces");
}

static int jobobject_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	(void)plan;
	(void)stage;
	return -ENOSYS;
}

static const struct pinfold_arm jobobject = {
	.size = sizeof(jobobject),
	.placing = PINFOLD_PLACING_IDENTITY,
	.name = "jobobject",
	.summary = "a job object of Windows; refused on every other system",
	.probe = jobobject_probe,
	.prepare = jobobject_prepare,
	.enter = jobobject_enter,
};

static const struct pinfold_arm *const arms[] = { &jobobject, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "jobobject",
	.version = "0.1.0",
	.summary = "the arm jobobject, always refused with its reason",
	.arms = arms,
};
