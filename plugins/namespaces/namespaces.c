/* plugins/namespaces/namespaces.c - what this plugin is: the arm `namespaces`. */
#include "describe.h"
#include "config.h"

#include "namespaces.h"
#include "overlay.h"
#include "probe.h"

PINFOLD_ARM_ANSWERS(11);

static const struct pinfold_key keys[] = {
	{ sizeof(keys[0]), PINFOLD_KEY_FLAG, "nested", "no", NULL,
	  "let the command make sandboxes of its own: leaves more of the kernel within its reach" },
	{ sizeof(keys[0]), PINFOLD_KEY_WORD, "proc", "fresh", "fresh none",
	  "mount a /proc of its own, or show none where a container forbids that" },
	{ sizeof(keys[0]), PINFOLD_KEY_WORD, "layers", "memory", "memory disk",
	  "where writes to layered paths land until the run ends" },
	{ sizeof(keys[0]), PINFOLD_KEY_WORD, "landlock", "auto", "auto no",
	  "lay Landlock's rules as a second wall where the kernel has them" },
	{ sizeof(keys[0]), PINFOLD_KEY_PATH, "wrapper", NULL, NULL,
	  "confine through this bubblewrap, where the machine's policy admits no other program" },
	{ .size = sizeof(keys[0]) },
};

static const struct pinfold_arm namespaces = {
	.size = sizeof(namespaces),
	.placing = PINFOLD_PLACING_REBOUND,
	.name = "namespaces",
	.summary = "Linux namespaces, a read-only root and a filter of system calls",
	.keys = keys,
	.probe = probe_offer,
	.prepare = prepare_plan,
	.enter = stage_enter,
	.settle = prepare_settle,
	.release = prepare_release,
	.foresee = prepare_foresee,
	.describe = describe_plan,
	.attended = "a first process of its namespaces that reaps and ends what is left",
};

static const struct pinfold_arm *const arms[] = { &namespaces, NULL };
static const struct pinfold_view *const views[] = { &overlay_view, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "namespaces",
	.version = PACKAGE_VERSION,
	.summary = "confinement by the Linux kernel's namespaces",
	.arms = arms,
	.views = views,
	.manual = "pinfold-namespaces(7)",
};
