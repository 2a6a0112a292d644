/* arms/arms.c - what the arms of this machine offer. */
#include "arms/arms.h"

#include "arms/offer.h"
#include "arms/probe.h"
#include "arms/remember.h"
#include "base/text.h"
#include "config/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arms_offer *offer_new(struct registry *registry, const char *name)
{
	char section[80];
	snprintf(section, sizeof(section), "arm:%s", name);
	struct pinfold_host *host = registry_host(registry, section);
	struct arms_offer *offer = host ? host->allocate(host, sizeof(*offer)) : NULL;
	if (!offer) {
		registry_host_free(host);
		return NULL;
	}
	offer->memory = host;
	offer->name = host->print(host, "%s", name);
	if (!offer->name) {
		registry_host_free(host);
		return NULL;
	}
	return offer;
}

static void refuse(struct arms_offer *offer, const struct pinfold_error *err)
{
	const struct pinfold_host *host = offer->memory;
	const char *missing = host->print(host, "cannot %s: %s", err->action, err->subject);
	offer_refuse(&offer->offer, missing ? missing : "memory is gone",
		     host->print(host, "%s", err->recovery));
}

/* A fresh probe neither believes earlier records nor lets the arm believe its own. */
static void probe(struct arms_offer *offer, const struct config *config, bool fresh)
{
	const struct pinfold_host *host = offer->memory;
	offer->remembered = !fresh && remember_recall(host, offer->name, &offer->offer);
	if (offer->remembered)
		return;
	host->scope->quiet_records = fresh;
	probe_run(host, offer->arm, config_number(config, "pinfold", "probe-timeout"),
		  &offer->offer);
	host->scope->quiet_records = false;
	remember_keep(host, offer->name, &offer->offer);
}

struct arms_offer *arms_probe(struct registry *registry, const struct config *config,
			      const char *name, bool fresh)
{
	struct pinfold_error err = { 0 };
	const struct pinfold_arm *arm = NULL;
	int found = registry_arm(registry, name, &arm, &err);
	struct arms_offer *offer = offer_new(registry, name);
	if (!offer)
		return NULL;
	offer->arm = arm;
	if (found < 0)
		refuse(offer, &err);
	else
		probe(offer, config, fresh);
	return offer;
}

void arms_answer_group(struct arms_offer *offer, const struct arms_group *group)
{
	struct pinfold_offer *found = &offer->offer;
	const struct pinfold_host *host = offer->memory;
	if (!group->wanted || !found->available || !found->holds_group)
		return;
	if (group->had) {
		found->kept |= PINFOLD_BIT(RESOURCES);
		found->note[PINFOLD_AXIS_RESOURCES] = NULL;
		return;
	}
	found->note[PINFOLD_AXIS_RESOURCES] = host->print(host, "%s", group->why);
}

void arms_offer_free(struct arms_offer *offer)
{
	if (offer)
		registry_host_free(offer->memory);
}

void arms_forget(struct registry *registry, const struct config *config, const char *name)
{
	(void)registry;
	(void)config;
	remember_forget(name);
}

int arms_names(struct registry *registry, const struct config *config, struct list *names)
{
	const struct list *preferred = config_list(config, "pinfold", "arms");
	struct list known = { 0 };
	int result = registry_arm_names(registry, &known);
	for (size_t i = 0; result == 0 && i < preferred->count + known.count; i++) {
		const char *name = i < preferred->count ? preferred->items[i] :
							  known.items[i - preferred->count];
		if (!list_has(names, name))
			result = list_add(names, name);
	}
	list_release(&known);
	return result;
}
