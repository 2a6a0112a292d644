/* arms/offspring.h - the children of a process that tries something: adopted, and ended. */
#ifndef ARMS_OFFSPRING_H
#define ARMS_OFFSPRING_H

#include <sys/wait.h>

/* To waitpid: children of every kind, on systems that have several. */
extern const int offspring_all;
/* What a child leaves behind becomes the caller's child, where the system has that. */
void offspring_adopt(void);
/* The caller ends with its parent, where the system has that. */
void offspring_follow(void);
/* Kills every child that there is at this moment. */
void offspring_kill(void);

#endif
