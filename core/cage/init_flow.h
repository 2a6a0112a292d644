/* cage/init_flow.h - what a guest and its helper say to each other, carried through the door. */
#ifndef CAGE_INIT_FLOW_H
#define CAGE_INIT_FLOW_H

#include <poll.h>

enum { FLOW_ROOM = 32 * 1024, FLOW_GUEST = 0, FLOW_HELPER = 1 };

/* One direction: from the end of its own number to the other one. */
struct flow {
	int from, to;	/* what of `room` is still to be written */
	int ended;	/* its source says no more */
	int deaf;	/* nobody hears it */
	int done;	/* all of it was handed on, or nobody hears it */
	char room[FLOW_ROOM];
};

struct guest {
	int ends[2];	/* -1: nobody serves it yet */
	struct flow flows[2];
};

void flow_begin(struct guest *guest, int fd);
/* The helper is there. */
void flow_join(struct guest *guest, int fd);
/* What is to be waited for at an end: as little as is needed, so that nothing that stays as it is wakes anybody. */
struct pollfd flow_interest(const struct guest *guest, int end);
/* What can be carried without waiting. True when both have said all, or the guest has gone. */
int flow_carry(struct guest *guest);

#endif
