/* arms/offer.c - an offer as bytes, for a pipe or a record, and whether it makes sense. */
#include "arms/offer.h"

#include "policy/policy.h"

#include <stdlib.h>

struct fixed {
	uint32_t available, holds_group;
	uint64_t answered, kept;
};

static const uint32_t no_text = UINT32_MAX;

static void write_text(struct text *to, const char *from)
{
	uint32_t length = from ? (uint32_t)strnlen(from, OFFER_TEXT_MOST) : no_text;
	text_add_bytes(to, &length, sizeof(length));
	if (from)
		text_add_bytes(to, from, length);
}

void offer_write(struct text *text, const struct pinfold_offer *offer)
{
	struct fixed fixed = { offer->available, offer->holds_group, offer->answered, offer->kept };
	text_add_bytes(text, &fixed, sizeof(fixed));
	for (size_t i = 0; i < PINFOLD_AXIS_LIMIT; i++)
		write_text(text, offer->note[i]);
	write_text(text, offer->missing);
	write_text(text, offer->lift);
}

struct reading {
	struct arena *arena;
	const char *at, *end;
};

static int read_bytes(struct reading *reading, void *to, size_t bytes)
{
	if ((size_t)(reading->end - reading->at) < bytes)
		return -1;
	memcpy(to, reading->at, bytes);
	reading->at += bytes;
	return 0;
}

static int read_text(struct reading *reading, const char **ret_text)
{
	uint32_t length;
	if (read_bytes(reading, &length, sizeof(length)) < 0)
		return -1;
	if (length == no_text)
		return 0;
	char *text = length <= OFFER_TEXT_MOST ? arena_allocate(reading->arena, length + 1) : NULL;
	if (!text || read_bytes(reading, text, length) < 0)
		return -1;
	*ret_text = text;
	return 0;
}

int offer_read(struct arena *arena, const void *bytes, size_t count,
	       struct pinfold_offer *ret_offer)
{
	struct reading reading = { arena, bytes, (const char *)bytes + count };
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct fixed fixed;
	if (read_bytes(&reading, &fixed, sizeof(fixed)) < 0)
		return -1;
	offer.available = fixed.available;
	offer.holds_group = fixed.holds_group;
	offer.answered = fixed.answered;
	offer.kept = fixed.kept;
	for (size_t i = 0; i < PINFOLD_AXIS_LIMIT; i++)
		if (read_text(&reading, &offer.note[i]) < 0)
			return -1;
	if (read_text(&reading, &offer.missing) < 0 || read_text(&reading, &offer.lift) < 0 ||
	    reading.at != reading.end)
		return -1;
	*ret_offer = offer;
	return 0;
}

void offer_refuse(struct pinfold_offer *offer, const char *missing, const char *lift)
{
	*offer = (struct pinfold_offer){ .size = sizeof(*offer), .missing = missing, .lift = lift };
}

void offer_add_axes(struct text *text, uint64_t axes)
{
	const char *items[PINFOLD_AXIS_COUNT];
	size_t count = 0;
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (axes >> axis & 1)
			items[count++] = policy_axis_name(axis);
	text_add_enumeration(text, items, count);
}

static void nonsense(struct arena *arena, struct pinfold_offer *offer, const char *name,
		     const char *what, uint64_t axes)
{
	struct text text = { 0 };
	text_addf(&text, "%s %s ", name, what);
	offer_add_axes(&text, axes);
	char *reason = text_take(&text);
	const char *missing = reason ? arena_copy(arena, reason) : NULL;
	free(reason);
	offer_refuse(offer, missing ? missing : what, "install another version of its plugin");
}

void offer_settle(struct arena *arena, struct pinfold_offer *offer, const char *name)
{
	offer->answered &= OFFER_AXES;
	offer->kept &= OFFER_AXES;
	if (!offer->available) {
		if (!offer->missing || !offer->missing[0]) {
			offer->missing = arena_print(arena, "%s gave no reason", name);
			offer->lift = "tell the plugin's author: a refusal must say what is missing";
		}
		offer->kept = 0;
	} else if (offer->kept & ~offer->answered) {
		nonsense(arena, offer, name, "promises what it did not answer for:",
			 offer->kept & ~offer->answered);
	} else if (offer->answered != OFFER_AXES) {
		nonsense(arena, offer, name, "does not answer for", OFFER_AXES & ~offer->answered);
	}
}
