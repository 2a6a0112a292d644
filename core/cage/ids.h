/* cage/ids.h - every id of the caller's, mapped to itself. */
#ifndef CAGE_IDS_H
#define CAGE_IDS_H

#include <stddef.h>
#include <sys/types.h>

/* Writes both maps of a process that has just come into a user namespace; -1 with errno. */
int ids_map(pid_t process);
/* What to write, from the text of a map: its first and third columns. The length, or -1. */
int ids_same(const char *map, char *room, size_t bytes);

#endif
