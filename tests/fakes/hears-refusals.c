/* fakes/hears-refusals.c - an arm whose kernel tells it of refusals: it tells what it pretends to have heard, as its
 * setting says. */
#define FAKE_NAME "hears-refusals"
#define FAKE_PROBE says_that_it_refuses
#define FAKE_PREPARE notes_whether_to_tell
#define FAKE_REFUSED tell_all
#define FAKE_KEYS keys
#include <pinfold/arm.h>

#include <string.h>

static const struct pinfold_key keys[] = {
	{ .size = sizeof(keys[0]), .type = PINFOLD_KEY_TEXT, .name = "heard", .initial = "some", .help = "some, many, or trouble" },
	{ .size = sizeof(keys[0]) },
};

static int says_that_it_refuses(const struct pinfold_host *host, struct pinfold_offer *offer, struct pinfold_error *err)
{
	(void)host;
	(void)err;
	offer->available = 1;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(WRITES) | PINFOLD_BIT(SECRETS) | PINFOLD_BIT(NETWORK);
	return 0;
}

static int notes_whether_to_tell(const struct pinfold_host *host, const struct pinfold_policy *policy,
				 const struct pinfold_shown *shown, struct pinfold_plan *plan, struct pinfold_error *err)
{
	(void)host;
	(void)err;
	plan->directory = shown->source;
	plan->temporary = shown->temporary;
	plan->state = policy->tells ? plan : NULL;
	return 0;
}

static void tell_some(pinfold_tell_refused *tell, void *context)
{
	tell(context, &(struct pinfold_refused){
		.size = sizeof(struct pinfold_refused), .kind = PINFOLD_REFUSED_WRITE, .call = "file-write-data",
		.target = "/nonexistent/elsewhere/file", .why = "nothing allows it", .count = 3 });
	tell(context, &(struct pinfold_refused){
		.size = sizeof(struct pinfold_refused), .kind = 77, .call = "mach-lookup", .target = "org.example.service",
		.why = "nothing allows it", .lift = "nothing lifts that" });
	/* Of an older, smaller layout. */
	tell(context, &(struct pinfold_refused){
		.size = offsetof(struct pinfold_refused, why), .kind = PINFOLD_REFUSED_CONNECT, .call = "network-outbound",
		.target = "192.0.2.1:443", .count = 999 });
}

static const char *tell_all(const struct pinfold_host *host, struct pinfold_plan *plan, pinfold_tell_refused *tell,
			    void *context)
{
	const char *heard = host->setting(host, "heard");
	if (!plan->state)
		return "the policy does not say so";
	if (strcmp(heard, "trouble") == 0)
		return host->print(host, "the %s fell silent", "log");
	if (strcmp(heard, "some") == 0)
		tell_some(tell, context);
	for (int i = 0; strcmp(heard, "many") == 0 && i < 300; i++)
		tell(context, &(struct pinfold_refused){
			.size = sizeof(struct pinfold_refused), .kind = PINFOLD_REFUSED_READ, .call = "file-read-data",
			.target = host->print(host, "/n/%d", i), .why = "hidden" });
	return NULL;
}

#include "fake.h"
