/* plugins/common/filter/filter.h - the filter of system calls of every arm that lays one: what builds do not
 * need is refused, and more where an arm has nothing else to keep a promise with. */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include <pinfold/arm.h>
#include <linux/filter.h>
#include <stdbool.h>

#define FILTER_CLASS(name) (UINT64_C(1) << PINFOLD_CALL_##name)

/* Where what stands around the command differs from namespaces of its own. */
enum filter_part {
	/* Processes, their limits and their shared memory are the machine's: no limits of others, and none of
	 * the call class `ipc` unless it is allowed. */
	FILTER_SHARED_MACHINE = 1 << 0,
	FILTER_NO_INTERNET = 1 << 1,	/* no sockets but unix ones */
	FILTER_TCP_ONLY = 1 << 2,	/* of the internet's nothing but TCP, whose ports something else watches */
	FILTER_NO_UNIX = 1 << 3,	/* no unix sockets but connected pairs */
	FILTER_NO_TRUNCATION = 1 << 4,	/* no cutting of a file but by a descriptor that was opened for writing */
	FILTER_NO_LISTENING = 1 << 5,	/* no socket waits for others to connect */
	FILTER_ASK_ATTRIBUTES = 1 << 6,	/* a listener is asked to change what a file says of itself */
	FILTER_NO_ATTRIBUTES = 1 << 7,	/* nothing of that is changed */
	FILTER_TELL = 1 << 8	/* what filter_tell lists is refused by a listener, or where there is none as unknown */
};

struct filter_wants {
	uint32_t parts;	/* enum filter_part */
	/* Bits by enum pinfold_call_class. What is in neither is refused where builds do not need it. */
	uint64_t allowed, refused;
};

struct filter {
	const struct sock_filter *instructions;
	size_t count;
};

/* The bits of the classes that this filter refuses. */
uint64_t filter_refuses(const struct filter_wants *wants);

/* The calls that FILTER_TELL is about. */
int filter_tell(const struct pinfold_host *host, const struct filter_wants *wants,
		const struct pinfold_told_call **ret_told, size_t *ret_count, struct pinfold_error *err);

int filter_make(const struct pinfold_host *host, const struct filter_wants *wants,
		struct filter *ret_filter, struct pinfold_error *err);
/* The same, remembered: making one takes longer than a command does to start. */
int filter_recall(const struct pinfold_host *host, const struct filter_wants *wants,
		  struct filter *ret_filter, struct pinfold_error *err);

#endif
