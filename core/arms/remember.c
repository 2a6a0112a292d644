/* arms/remember.c - offers of earlier probes on this boot, by the same caller. */
#include "config.h"

#include "arms/remember.h"

#include "arms/caller.h"
#include "arms/offer.h"
#include "base/cleanup.h"
#include "config/scope.h"
#include "registry/records.h"

#include <stdio.h>
#include <unistd.h>

static void record_name(const char *arm, char *room, size_t bytes)
{
	snprintf(room, bytes, "offer of arm:%s", arm);
}

static char *make_stamp(const struct pinfold_host *host)
{
	struct text stamp = { 0 };
	caller_add(&stamp);
	for (const struct pinfold_key *key = host->scope->keys; key && key->name; key++) {
		const char *value = host->setting(host, key->name);
		text_addf(&stamp, "%s=%zu:%s\n", key->name, value ? strlen(value) : 0,
			  value ? value : "");
	}
	return text_take(&stamp);
}

bool remember_recall(const struct pinfold_host *host, const char *name,
		     struct pinfold_offer *ret_offer)
{
	char record[80];
	const void *bytes;
	size_t count;
	auto_free char *stamp = make_stamp(host);
	record_name(name, record, sizeof(record));
	struct pinfold_offer offer;
	if (!stamp || !records_recall(host->scope, record, stamp, &bytes, &count) ||
	    offer_read(host->scope->arena, bytes, count, &offer) < 0)
		return false;
	offer_settle(host->scope->arena, &offer, name);
	if (!offer.available)
		return false;
	*ret_offer = offer;
	return true;
}

void remember_keep(const struct pinfold_host *host, const char *name,
		   const struct pinfold_offer *offer)
{
	char record[80];
	struct text bytes = { 0 };
	auto_free char *stamp = make_stamp(host);
	if (!offer->available || !stamp)
		return;
	record_name(name, record, sizeof(record));
	offer_write(&bytes, offer);
	if (!bytes.failed)
		records_keep(host->scope, record, stamp, bytes.data, bytes.length);
	text_release(&bytes);
}

void remember_forget(const char *name)
{
	char record[80];
	record_name(name, record, sizeof(record));
	records_forget(record);
}
