/* cli/serve_order.h - what one request asks for, checked before anything is done. */
#ifndef CLI_SERVE_ORDER_H
#define CLI_SERVE_ORDER_H

#include <jansson.h>
#include <pinfold/pinfold.h>
#include <stdbool.h>

enum order_kind {
	ORDER_RUN = 0,
	ORDER_EXPLAIN,
	ORDER_WAIT,
	ORDER_HAND,
	ORDER_REAP,
	ORDER_SIGNAL,
	ORDER_CANCEL,
	ORDER_LIST,
	ORDER_PROBE,
	ORDER_DIFF,
	ORDER_APPLY,
	ORDER_DISCARD
};

enum source { SOURCE_NULL = 0, SOURCE_CAPTURE, SOURCE_INHERIT, SOURCE_FILE, SOURCE_DESCRIPTOR, SOURCE_TEXT };

struct stream_order {
	enum source source;
	const char *text;	/* the file's path, or what is to be read */
	size_t length;		/* of the latter */
	int descriptor;
	bool append;
};

/* Texts belong to the message. */
struct order {
	json_t *message, *id;
	enum order_kind kind;
	json_t *run;	/* which one is meant; NULL: none was named */
	const char **argv, **environment, **grants, **set, **settings, **paths;	/* NULL-terminated; NULL: none given */
	char **made;	/* texts that belong to the order: NAME=value, settings of their own */
	size_t made_count;
	const char *directory, *session;
	const char *require;	/* of a probe */
	struct stream_order streams[3];
	int *descriptors;	/* -1-terminated; NULL: none */
	uint64_t capture;	/* bytes of each stream that are kept */
	uint64_t limit;		/* milliseconds: of a wait; of a run, until it is handed to the background */
	bool limited;
	uint64_t most;		/* milliseconds that the command may take; 0: as configured */
	uint32_t where;
	int signal_number;
	bool background, receipt, approved, partial, risky, dry_run;
};

/* Takes the message, success or not. Descriptors may be named that `inherited` (-1-terminated) has. The id is
 * there on failure as well, where it could be read. */
int order_read(json_t *message, const int *inherited, struct order *ret_order, struct pinfold_error *err);
void order_release(struct order *order);

#endif
