/* arms/statement.c - the sentence made from an arm's promises. */
#include "arms/arms.h"

#include "base/text.h"

static const struct wording {
	const char *kept, *noun;
} wordings[] = {
#define WORDING_OF_AXIS(NAME, name, kept, noun) { kept, noun },
	PINFOLD_AXES(WORDING_OF_AXIS)
#undef WORDING_OF_AXIS
};

char *arms_statement(const char *name, const struct pinfold_offer *offer)
{
	const char *kept[PINFOLD_AXIS_COUNT], *open[PINFOLD_AXIS_COUNT];
	size_t kept_count = 0, open_count = 0;
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++) {
		if (offer->available && offer->kept >> axis & 1)
			kept[kept_count++] = wordings[axis].kept;
		else
			open[open_count++] = wordings[axis].noun;
	}
	struct text text = { 0 };
	text_addf(&text, "%s: it guarantees %s", name, kept_count ? "that " : "");
	text_add_enumeration(&text, kept, kept_count);
	text_add(&text, "; it does not guarantee: ");
	text_add_enumeration(&text, open, open_count);
	text_add(&text, ".");
	return text_take(&text);
}
