/* plugins/seatbelt/profile.h - a profile as it is being written: its text, its parameters, its rules.
 *
 * Of what a caller named nothing comes into the text: paths, names and expressions are parameters, which
 * the text names by number. So no path can be read as a rule.
 */
#ifndef SEATBELT_PROFILE_H
#define SEATBELT_PROFILE_H

#include <pinfold/arm.h>
#include <stdbool.h>

/* The names that a profile leaves to each run: marks by which its processes are found again, and messages. */
#define PARAMETER_MARK "MARK"
#define PARAMETER_MARKS "MARKS"
#define PARAMETER_MESSAGE "MESSAGE_"

struct parameter {
	const char *name;
	const char *value;
};

/* What a denial is put down to in the kernel's report. */
enum rule_kind { RULE_DEFAULT = 0, RULE_HIDDEN, RULE_PROTECTED, RULE_HARD, RULE_TREE, RULE_SCRATCH, RULE_KINDS };
const char *rule_kind_name(unsigned kind);

struct profile {
	const struct pinfold_host *host;
	bool reports;	/* denials carry a message: the run's mark and the rule's kind */
	bool failed;	/* memory was gone: nothing of it counts */
	const char *too_deep;	/* a pattern of more parts than can be handled: nothing of it counts */
	char *text;
	size_t length, room;
	struct parameter *parameters;
	size_t parameter_count, parameter_room;
	unsigned rules;	/* every rule, and every filter in it: what the library's limit is about */
};

/* What a filter may say of one path. */
enum filter_kind { FILTER_LITERAL = 0, FILTER_SUBTREE, FILTER_REGEX, FILTER_NAME_REGEX, FILTER_NAME, FILTER_REMOTE_TCP,
		   FILTER_LOCAL_TCP, FILTER_EXTENSION };

/* Text of this file's own, as it is. */
void profile_add(struct profile *profile, const char *text);
/* "(allow OPERATIONS" or "(deny OPERATIONS", then filters of which any must hold, then its end. A rule of
 * no filter holds always. Where denials are reported theirs has a message, by kind. */
void profile_allow(struct profile *profile, const char *operations);
void profile_deny(struct profile *profile, const char *operations, unsigned kind);
void profile_filter(struct profile *profile, uint32_t kind, const char *value);
void profile_end(struct profile *profile);
/* A parameter under a name of its own. */
void profile_parameter(struct profile *profile, const char *name, const char *value);

#endif
