/* fakes/newer-and-larger.c - built for a later minor version, with members that this host does not
 * know: it works. */
#define FAKE_NAME "newer-and-larger"
#define FAKE_WITHOUT_SYMBOL
#include "fake.h"

struct key_to_come {
	struct pinfold_key now;
	const char *unknown;
};
#define KEY(name_, initial_)                                                             \
	{ { sizeof(struct key_to_come), PINFOLD_KEY_TEXT, name_, initial_, NULL, "" }, "" }
static const struct key_to_come keys_to_come[] = { KEY("first", "1"), KEY("second", "2"),
						 { { .size = sizeof(struct key_to_come) }, NULL } };

static const struct arm_to_come {
	struct pinfold_arm now;
	void *unknown[8];
} arm_to_come = {
	.now = { .size = sizeof(struct arm_to_come), .name = FAKE_NAME, .summary = "of tomorrow",
		 .keys = &keys_to_come[0].now, .probe = right_probe, .prepare = right_prepare,
		 .enter = right_enter },
	.unknown = { (void *)8 },
};
static const struct pinfold_arm *const arms_to_come[] = { &arm_to_come.now, NULL };

struct plugin_to_come {
	struct pinfold_plugin now;
	void *unknown[8];
};
/* The symbol has the name that is declared for today's type. */
PINFOLD_API extern const struct plugin_to_come plugin_to_come __asm__("pinfold_plugin");
const struct plugin_to_come plugin_to_come = {
	.now = { .size = sizeof(struct plugin_to_come), .major = PINFOLD_PLUGIN_MAJOR,
		 .minor = PINFOLD_PLUGIN_MINOR + 1, .name = FAKE_NAME, .version = "2",
		 .summary = "of tomorrow", .arms = arms_to_come },
	.unknown = { (void *)8 },
};
