/* wrappers/decision.c - what was measured of a wrapper. */
#include "wrappers/decision.h"

#include "base/cleanup.h"
#include "base/text.h"

static const char *const words[DECISION_KINDS] = {
	[DECISION_NOT_CONFIGURED] = "not_configured",
	[DECISION_KEPT] = "kept",
	[DECISION_DISABLED] = "disabled",
	[DECISION_UNMEASURED] = "unmeasured",
};

const char *decision_word(uint32_t kind)
{
	return words[kind < DECISION_KINDS ? kind : DECISION_UNMEASURED];
}

int decision_of_word(const char *word)
{
	for (int i = 0; word && i < DECISION_KINDS; i++)
		if (streq(words[i], word))
			return i;
	return -1;
}

bool decision_drops(const struct decision *decision)
{
	return decision->kind == DECISION_DISABLED || decision->kind == DECISION_UNMEASURED;
}

void decision_release(struct decision *decision)
{
	free(decision->wrapper);
	free(decision->reason);
	free(decision->directory);
	*decision = (struct decision){ 0 };
}

int decision_fill(struct decision *decision, uint32_t kind, const char *toolchain, const char *wrapper,
		  const char *reason, const char *directory)
{
	struct decision made = {
		.kind = kind,
		.toolchain = toolchain,
		.wrapper = wrapper ? strdup(wrapper) : NULL,
		.reason = strdup(reason ? reason : ""),
		.directory = strdup(directory ? directory : ""),
	};
	if ((wrapper && !made.wrapper) || !made.reason || !made.directory) {
		decision_release(&made);
		return -1;
	}
	*decision = made;
	return 0;
}
