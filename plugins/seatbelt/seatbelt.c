/* plugins/seatbelt/seatbelt.c - the plugin's one symbol. */
#include "seatbelt.h"

static const struct pinfold_arm *const arms[] = { &seatbelt_arm, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "seatbelt",
	.version = "0.1.0",
	.summary = "the arm seatbelt: macOS's own sandbox",
	.arms = arms,
	.manual = "pinfold-seatbelt(7)",
};
