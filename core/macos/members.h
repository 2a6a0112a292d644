/* macos/members.h - the processes of a run that its group and session still show. */
#ifndef MACOS_MEMBERS_H
#define MACOS_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { MEMBERS_ROUNDS = 64 };

/* Ends everything of the group, and of the session where it is the run's own. How many there were;
 * `ret_left` gets how many could not be ended. */
uint32_t members_end(pid_t group, bool own_session, uint32_t *ret_left);
/* Waits in a process of its own until the other end of `lifeline` is closed, then ends the group: a host that
 * is killed takes its command with it. Its pid, or -1. */
pid_t members_watch(pid_t group, int lifeline);

#endif
