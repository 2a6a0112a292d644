/* plugins/common/telling/telling.h - a plan in its parts, for a person: what arms of Linux tell alike. Each function
 * but the last returns 0, or -1 when memory is gone. */
#ifndef TELLING_H
#define TELLING_H

#include <pinfold/arm.h>

/* Details in the making; begins with a host and a policy. */
struct telling {
	const struct pinfold_host *host;
	const struct pinfold_policy *policy;
	struct pinfold_detail *rows;
	size_t count, room;
};

/* `what` NULL: memory is gone. */
int telling_add(struct telling *telling, uint32_t kind, const char *what, const char *by);
/* The ports that the policy names, as rules. */
int telling_add_ports(struct telling *telling);
/* What a filter refuses: these classes (bits of enum pinfold_call_class); and what every filter does. */
int telling_add_classes(struct telling *telling, uint64_t refused);
int telling_add_always(struct telling *telling);
/* Which network the policy wants, and a rule of it, as constructs. What this header does not know is left out. */
int telling_add_network(struct telling *telling, const char *by);
int telling_add_path(struct telling *telling, const struct pinfold_path *path, const char *by);

/* For `describe`: hands the details over where `result` is 0, else fills the error. */
int telling_end(struct telling *telling, int result, const struct pinfold_detail **ret_details, size_t *ret_count,
		struct pinfold_error *err);

#endif
