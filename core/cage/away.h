/* cage/away.h - sending a new or sleeping task to another processor than the one that it would wait for. */
#ifndef CAGE_AWAY_H
#define CAGE_AWAY_H

/* A kernel below a hypervisor takes a sleeping processor for one that it has been deprived of just now,
 * and leaves a task that begins or wakes with the one that caused it, to wait for its turn while the
 * other processor sleeps on, or to take that one's. The task is sent away between two calls, where there is
 * another processor; a task that is elsewhere already stays where it is. Raw system calls only. */
struct away {
	unsigned here;	/* the processor to be left to who runs there */
	long bytes;	/* of the mask; none where that cannot be read */
	unsigned long all[16];	/* where tasks may run */
};
/* Of the calling task. */
void away_look(struct away *ret_away);
/* 0, or 1 when the task (0: the calling one) is to be allowed everything again. */
int away_send(const struct away *away, int task);
/* It may run anywhere again; it need not have moved yet, when it has been woken. */
void away_allow(const struct away *away, int task);
/* The calling task leaves the processor to who looked, if both are there. */
void away_leave(const struct away *away);

#endif
