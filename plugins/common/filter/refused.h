/* plugins/common/filter/refused.h - what the filter refuses, row by row: filter.c makes a rule of each, and tell.c
 * a line for whoever tells of it. */
#ifndef FILTER_REFUSED_H
#define FILTER_REFUSED_H

#include "filter.h"

#include <stddef.h>

/* Calls that postdate the library that knows them by name; their numbers are every processor's. */
enum { FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466, OPEN_TREE_ATTR = 467, FILE_SETATTR = 469 };

/* Refused whatever its arguments are. */
struct named_call {
	int call;
	const char *name;
};
extern const struct named_call refused_calls[];
extern const size_t refused_call_count;

/* What a policy can name (pinfold/arm.h); other kinds of the processor are refused by their numbers. */
struct class_call {
	enum pinfold_call_class class;
	struct named_call named;
};
extern const struct class_call class_calls[];
extern const size_t class_call_count;

/* One condition on one argument, of which the kernel looks at the low half only; a mask of 0: none. */
struct condition {
	int call;
	int error;
	unsigned argument;
	uint64_t mask, value;
};

/* What is told of as well. Of several that a call meets the last one is named. */
struct told_condition {
	uint32_t part;	/* enum filter_part; 0: always */
	struct condition condition;
	const char *name, *lift;
};
extern const struct told_condition told_conditions[];
extern const size_t told_condition_count;

/* Of families up to 16 there remain AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Past this one no kernel has any. */
enum { LAST_FAMILY = 63 };

#if defined(__s390__) || defined(__s390x__)
#define CLONE_FLAGS_ARGUMENT 1
#else
#define CLONE_FLAGS_ARGUMENT 0
#endif

/* Time is of unshare alone: in clone it is part of the signal. */
struct new_namespace {
	uint32_t flag;
	const char *unshared, *cloned;
};
extern const struct new_namespace new_namespaces[];
extern const size_t new_namespace_count;

/* Of the internet's sockets: what is no stream. */
struct not_stream {
	unsigned kind;
	const char *four, *six;
};
extern const struct not_stream not_streams[];
extern const size_t not_stream_count;

#define NO_LIFT "nothing lifts that"

static inline bool told_condition_applies(const struct told_condition *row, uint32_t parts)
{
	return !row->part || parts & row->part;
}

#endif
