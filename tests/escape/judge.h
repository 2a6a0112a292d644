/* escape/judge.h - what is concluded from one case in one arm: by what the arm declared, what was seen from outside,
 * and what came of the same without confinement. Nothing here looks at the machine. */
#ifndef ESCAPE_JUDGE_H
#define ESCAPE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	CONFORMS,	/* promised and held; or not promised, and not held, as declared */
	ESCAPED,	/* promised and not held */
	OVER_REFUSED,	/* what must be allowed was refused */
	NOT_MEASURED,	/* the case could not show anything here */
	CONTRADICTION	/* what was seen does not fit what was said */
};
const char *verdict_word(enum verdict verdict);

/* One run of a case. */
struct attempt {
	bool ran;		/* its lines were printed, or it was ended as it should be */
	bool whole;		/* pinfold refused the whole command */
	bool reached, unavailable;	/* its own word */
	bool twin;		/* the twin was allowed */
	bool effect;		/* seen from outside; of a case that nothing outside shows: its own word */
	const char *text;	/* its own words, or what was seen */
};

struct evidence {
	bool kept;		/* the arm declares the promise */
	const char *note;	/* what the offer says of it, or NULL */
	const char *unless;	/* words in that note which name this very case as not held, or NULL */
	bool twin_named;	/* the offer says that the twin is refused */
	bool may_be_whole;
	const struct attempt *control;	/* without confinement; NULL where that is not tried */
	struct attempt confined;
};

/* Has the note one of the words, which a `|` parts? Without words nothing is named. */
bool judge_names(const char *note, const char *words);

/* `ret_why` is static, or a text of the attempt. */
enum verdict judge_case(const struct evidence *evidence, const char **ret_why);

/* Of all cases of one promise in one arm. */
struct tally {
	unsigned held, broken, open, closed, unmeasured;	/* closed: not promised, and refused all the same */
};
void judge_count(struct tally *tally, const struct evidence *evidence, enum verdict verdict);

/* A cell of the promise table may claim only what a case measured; and what held in every case ought to be claimed. */
enum verdict judge_promise(bool kept, bool noted, const struct tally *tally, const char **ret_why);

#endif
