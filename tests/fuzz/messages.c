/* tests/fuzz/messages.c - JSON that comes from outside: requests to a server, receipts that are read back. */
#include "config.h"

#include "fuzz.h"

#include "cli/serve_order.h"

#include <pinfold/pinfold.h>

#include <stdlib.h>
#include <string.h>

void fuzz_requests(const uint8_t *data, size_t bytes)
{
	static const int inherited[] = { 5, -1 };
	struct pinfold_error err = { 0 };
	struct order order = { 0 };
	json_t *message = json_loadb((const char *)data, bytes, JSON_REJECT_DUPLICATES, NULL);
	if (!message)
		return;
	if (order_read(message, inherited, &order, &err) < 0) {
		FUZZ_HOLDS(err.code != 0 && err.action[0] && err.recovery[0]);
	} else {
		FUZZ_HOLDS(order.kind <= ORDER_DISCARD);
		FUZZ_HOLDS(order.kind != ORDER_RUN || (order.argv && order.argv[0]));
		for (const int *fd = order.descriptors; fd && *fd >= 0; fd++)
			FUZZ_HOLDS(*fd == 5);
	}
	order_release(&order);
}

void fuzz_receipt(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes), *document = NULL;
	struct pinfold_error err = { 0 };
	uint64_t unreadable = 0;
	if (pinfold_describe_applications(text, PINFOLD_FORM_TEXT, &document, &unreadable, &err) < 0) {
		FUZZ_HOLDS(err.code != 0);
	} else {
		for (const char *at = document; *at; at++)
			FUZZ_HOLDS(*at == '\n' || *at == '\t' || (unsigned char)*at >= 0x20);
		free(document);
	}
	free(text);
}
