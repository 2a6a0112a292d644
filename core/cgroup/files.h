/* cgroup/files.h - the small files of a cgroup, by the descriptor of its directory. */
#ifndef CGROUP_FILES_H
#define CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The begin of a file, without what is past the room. 0, or -1 with errno. */
int files_read(int directory, const char *name, char *room, size_t bytes);
/* 0, or -1 with errno. */
int files_write(int directory, const char *name, const char *text);
/* A cgroup below; it is none that lies elsewhere. -1 with errno. */
int files_enter(int directory, const char *name);

#endif
