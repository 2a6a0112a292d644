/* cage/protocol.h - what the core and the supervisor in a child say to each other.
 *
 * One message a packet, over a socket pair that ends with either side. The supervisor has it as
 * INIT_CONTROL, the caller's terminal (where there is one) as INIT_TERMINAL, and no other descriptor.
 */
#ifndef CAGE_PROTOCOL_H
#define CAGE_PROTOCOL_H

#include <stdint.h>

enum { INIT_CONTROL = 3, INIT_TERMINAL = 4, INIT_PROGRAM = 5 };

enum init_order_kind {
	INIT_ORDER_SIGNAL = 1,	/* `value` to the command's process group */
	INIT_ORDER_FOREGROUND,	/* the terminal to the command's group, and go on */
	INIT_ORDER_END		/* end the command and everything it started */
};

struct init_order {
	uint32_t what;
	int32_t value;
};

enum init_notice_kind { INIT_NOTICE_STOPPED = 1, INIT_NOTICE_OVER };

struct init_notice {
	uint32_t what;
	int32_t status;		/* as wait4 gives it; of the command */
	uint32_t survivors;	/* alive when the command had ended, and ended since */
	uint32_t left;		/* could not be ended */
	uint64_t user_nanoseconds, system_nanoseconds;
	uint64_t peak_bytes;
};

/* What the supervisor program is asked to be by its first argument. */
#define INIT_AS_SUPERVISOR "supervise"	/* argv[2] is the command's pid, and argv[3] a door's, argv[4] another's … */
#define INIT_AS_RUNNER "run"		/* argv[2] the order's descriptor, argv[3] the status pipe's */
/* argv[2] to argv[5] say how many endpoints it listens at, endpoints of the helper, programs and variables of the
 * helper follow; then come these, and the helper's arguments. It has the sockets that it listens at from INIT_DOOR
 * on; one that could not be had is no socket. */
#define INIT_AS_DOOR "door"
enum { INIT_DOOR = 3, INIT_DOOR_COUNTS = 4 };

/* The runner's order, in a file descriptor of its own: this header, then strings that each end in a
 * NUL: the program, the arguments, the environment; then the descriptors kept, and the instructions of a filter that
 * asks (cage/watch.h), whose listener goes to the socket `watch`. */
struct runner_order {
	uint32_t argument_count, variable_count, kept_count;
	uint32_t string_bytes;
	uint32_t filter_count;	/* 0: none, and no socket */
	int32_t watch;
};

/* What a runner says on its status pipe: a step with 0 as it comes to its exec, or with an errno. */
struct runner_status {
	uint32_t step;
	int32_t sys;
};

#endif
