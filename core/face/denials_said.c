/* face/denials_said.c - what is said of refusals: the first few, and the kinds of which none is heard. */
#include "config.h"

#include "face/denials.h"

#include "base/fault.h"
#include "base/text.h"
#include "face/face.h"

/* In every arm whose calls are listened to. */
static const char *const by_listening[] = {
	"flags of clone3", "they lie in memory, so it is answered as if the kernel were too old for it",
	"limits of other processes", "whose they are is a number that means another outside",
	"protocols of netlink and of streams", "the filter refuses them without asking",
	"flags of files", "ioctl names them by a number that each file system means differently",
	"calls of another instruction set", "they end their process by SIGSYS",
	"contents that are written by an open descriptor", "what it was opened for was told then",
	"messages past the 16th that are sent at once", "no more of them are read",
	"names that change while they are read", "the kernel reads them again",
	NULL,
};

static int add(struct list *list, const char *const *pairs)
{
	for (; pairs && pairs[0] && pairs[1]; pairs += 2)
		if (list_add(list, pairs[0]) < 0 || list_add(list, pairs[1]) < 0)
			return -1;
	return 0;
}

int denials_collect_unheard(struct denials *denials, const struct pinfold_plan *plan, struct pinfold_error *err)
{
	bool listens = denials->policy != NULL;
	list_release(&denials->unheard);
	if (denials->idle)
		return 0;
	if ((listens && add(&denials->unheard, by_listening) < 0) ||
	    (PINFOLD_REACHES(plan, unheard) && add(&denials->unheard, plan->unheard) < 0))
		return fault_no_memory(err);
	return 0;
}

static void say_unheard(const struct pinfold_run *run)
{
	const struct list *pairs = &run->denials->unheard;
	struct text text = { 0 };
	for (size_t i = 0; i + 1 < pairs->count; i += 2)
		text_addf(&text, "%s%s", i ? "; " : "", pairs->items[i]);
	if (text.data)
		run_log(run, PINFOLD_LOG_WARNING, "of these kinds no refusal is heard here: %s", text.data);
	text_release(&text);
}

void denials_say(const struct pinfold_run *run)
{
	const struct denials *denials = run->denials;
	for (size_t i = 0; i < denials->count && i < DENIALS_SAID; i++) {
		const struct receipt_denial *item = &denials->items[i];
		run_log(run, PINFOLD_LOG_WARNING, "refused to %s%s %s: %s; if that was wanted: %s", item->operation,
		    streq(item->operation, "connect") ? " to" : "", item->target, item->why,
		    item->lift);
	}
	if (denials->count > DENIALS_SAID)
		run_log(run, PINFOLD_LOG_WARNING, "refused %zu more, which the receipt lists", denials->count - DENIALS_SAID);
	say_unheard(run);
	if (denials->idle)
		run_log(run, PINFOLD_LOG_WARNING, "nothing can be told of refusals: %s", denials->idle);
	else if (denials->trouble)
		run_log(run, PINFOLD_LOG_WARNING, "not all that was refused is told: %s", denials->trouble);
}
