/* cage/init_flow.c - what a guest and its helper say to each other, carried through the door. */
#include "cage/init_flow.h"

#include "base/raw.h"
#include "cage/init_calls.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

enum { ROUNDS = 8 };	/* then others have their turn */

/* A half of a message must not wait for a word that the other side holds back. */
static void hurry(int fd)
{
	int yes = 1;
	raw(SYS_setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

void flow_begin(struct guest *guest, int fd)
{
	hurry(fd);
	guest->ends[FLOW_GUEST] = fd;
	guest->ends[FLOW_HELPER] = -1;
	for (int i = 0; i < 2; i++) {
		struct flow *flow = &guest->flows[i];
		flow->from = flow->to = flow->ended = flow->deaf = flow->done = 0;
	}
}

void flow_join(struct guest *guest, int fd)
{
	hurry(fd);
	guest->ends[FLOW_HELPER] = fd;
}

static int is_empty(const struct flow *flow)
{
	return flow->from == flow->to;
}

struct pollfd flow_interest(const struct guest *guest, int end)
{
	const struct flow *said = &guest->flows[end], *heard = &guest->flows[1 - end];
	short events = 0;
	if (guest->ends[FLOW_HELPER] >= 0 && is_empty(said) && !said->ended && !said->done)
		events |= POLLIN;
	if (!is_empty(heard) && !heard->done)
		events |= POLLOUT;
	return (struct pollfd){ .fd = events ? guest->ends[end] : -1, .events = events };
}

static int is_to_wait(long result)
{
	return result == -EAGAIN || result == -EINTR;
}

/* True where something moved. */
static int take(struct flow *flow, int from)
{
	if (flow->ended || !is_empty(flow))
		return 0;
	long got = raw(SYS_recvfrom, from, flow->room, FLOW_ROOM, MSG_DONTWAIT, 0, 0);
	if (is_to_wait(got))
		return 0;
	flow->from = 0;
	flow->to = got > 0 ? (int)got : 0;
	flow->ended = got <= 0;
	return 1;
}

/* The same. What nobody hears is forgotten. */
static int give(struct flow *flow, int to)
{
	if (is_empty(flow))
		return 0;
	long put = raw(SYS_sendto, to, flow->room + flow->from, flow->to - flow->from, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
	if (is_to_wait(put))
		return 0;
	flow->deaf = put <= 0;
	if (put > 0)
		flow->from += (int)put;
	return 1;
}

static void pour(struct guest *guest, int i)
{
	struct flow *flow = &guest->flows[i];
	for (int round = 0, moved = 1; round < ROUNDS && moved && !flow->done; round++) {
		moved = take(flow, guest->ends[i]);
		moved |= give(flow, guest->ends[1 - i]);
		if (flow->ended && is_empty(flow))
			raw(SYS_shutdown, guest->ends[1 - i], SHUT_WR);
		flow->done = flow->deaf || (flow->ended && is_empty(flow));
	}
}

/* A guest that cannot be written to has gone; a helper that cannot may have something to say still. */
int flow_carry(struct guest *guest)
{
	pour(guest, FLOW_GUEST);
	pour(guest, FLOW_HELPER);
	return guest->flows[FLOW_HELPER].deaf || (guest->flows[FLOW_GUEST].done && guest->flows[FLOW_HELPER].done);
}
