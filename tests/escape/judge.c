/* escape/judge.c - see judge.h. */
#include "config.h"

#include "judge.h"

#include <string.h>

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = { "conforms", "escaped", "over-refused", "not measured", "contradiction" };
	return words[verdict];
}

static enum verdict because(const char **ret_why, const char *why, enum verdict verdict)
{
	*ret_why = why;
	return verdict;
}

bool judge_names(const char *note, const char *words)
{
	for (size_t length; note && words && *words; words += length + (words[length] == '|')) {
		length = strcspn(words, "|");
		if (length && memmem(note, strlen(note), words, length))
			return true;
	}
	return false;
}

/* Is what the case needs there at all, and would it have shown anything? */
static bool is_measurable(const struct evidence *evidence, const char **ret_why)
{
	const struct attempt *control = evidence->control;
	if (control && control->unavailable)
		*ret_why = control->text;
	else if (control && !control->effect)
		*ret_why = "refused without confinement as well";
	else if (control && !control->twin)
		*ret_why = "what must be allowed fails without confinement as well";
	else if (evidence->confined.unavailable)
		*ret_why = evidence->confined.text;
	else
		return true;
	return false;
}

enum verdict judge_case(const struct evidence *evidence, const char **ret_why)
{
	const struct attempt *confined = &evidence->confined;
	*ret_why = confined->text ? confined->text : "";
	if (confined->effect && evidence->kept && judge_names(evidence->note, evidence->unless))
		return because(ret_why, "the offer names it as not held", NOT_MEASURED);
	if (confined->effect && evidence->kept)
		return ESCAPED;
	if (confined->whole && evidence->may_be_whole)
		return because(ret_why, "the whole command was refused", confined->twin ? CONFORMS : OVER_REFUSED);
	if (confined->whole)
		return OVER_REFUSED;
	if (!confined->ran)
		return CONTRADICTION;	/* it did not run to its end */
	if (!is_measurable(evidence, ret_why))
		return NOT_MEASURED;
	if (!confined->twin)
		return evidence->twin_named ? because(ret_why, "what must be allowed is refused, as the offer says", CONFORMS) :
					      OVER_REFUSED;
	return CONFORMS;
}

void judge_count(struct tally *tally, const struct evidence *evidence, enum verdict verdict)
{
	if (verdict == ESCAPED)
		tally->broken++;
	else if (verdict != CONFORMS)
		tally->unmeasured++;
	else if (evidence->kept)
		tally->held++;
	else if (evidence->confined.effect)
		tally->open++;
	else
		tally->closed++;
}

enum verdict judge_promise(bool kept, bool noted, const struct tally *tally, const char **ret_why)
{
	if (kept && tally->held + tally->broken == 0)
		return because(ret_why, "it is promised, and no case measured it", CONTRADICTION);
	if (!kept && tally->closed > 0 && tally->open == 0)
		return because(ret_why,
			       noted ? "it held in every case, and is not promised; the offer says why" :
				       "it held in every case, and is not promised",
			       noted ? NOT_MEASURED : CONTRADICTION);
	return because(ret_why, "", CONFORMS);
}
