/* cage/others.h - every descriptor past the streams ends when this process executes. */
#ifndef CAGE_OTHERS_H
#define CAGE_OTHERS_H

/* How many there may be; to be asked before a limit is set, which would hide those that are open past it. */
int others_most(void);
/* 0, or -1 with errno. */
int others_end_at_exec(int most);

#endif
