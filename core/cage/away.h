/* cage/away.h - sending a new or sleeping task to another processor than the one that it would wait for. */
#ifndef CAGE_AWAY_H
#define CAGE_AWAY_H

/* A kernel below a hypervisor takes a sleeping processor for one that it has been deprived of just now,
 * and leaves a task that begins or wakes with the one that caused it, to wait for its turn while the
 * other processor sleeps on. The task is sent away between these two calls, where there is another
 * processor; a task that is elsewhere already stays where it is. Raw system calls only. */
struct away {
	int task;	/* 0 when there is nothing to be undone */
	long bytes;	/* of the mask */
	unsigned long all[16];	/* where the task may run */
};
void away_send(int task, struct away *ret_away);
/* It may run anywhere again; it need not have moved yet, when it has been woken. */
void away_allow(const struct away *away);

#endif
