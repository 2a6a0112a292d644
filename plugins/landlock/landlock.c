/* plugins/landlock/landlock.c - what this plugin is: the arm `landlock`. */
#include "config.h"

#include "landlock.h"

PINFOLD_ARM_ANSWERS(11);

static const struct pinfold_key keys[] = {
	{ sizeof(keys[0]), PINFOLD_KEY_WORD, "sockets", "refused", "refused open",
	  "before Linux 7.1: no unix sockets but connected pairs, or all of the host's (`open`)" },
	{ .size = sizeof(keys[0]) },
};

static const struct pinfold_arm landlock = {
	.size = sizeof(landlock),
	.placing = PINFOLD_PLACING_IDENTITY,
	.name = "landlock",
	.summary = "Landlock's rules for files and ports and a filter of system calls, without namespaces",
	.keys = keys,
	.probe = probe_offer,
	.prepare = prepare_plan,
	.enter = stage_enter,
	.release = prepare_release,
	.describe = describe_plan,
	.becomes = 1,
};

static const struct pinfold_arm *const arms[] = { &landlock, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "landlock",
	.version = PACKAGE_VERSION,
	.summary = "confinement by the Linux kernel's Landlock, for machines without user namespaces",
	.arms = arms,
	.manual = "pinfold-landlock(7)",
};
