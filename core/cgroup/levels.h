/* cgroup/levels.h - in which of the caller's cgroups one of a run's own may lie: what decides, without looking.
 *
 * A level is the caller's own cgroup, or one above it; they are counted from the caller's upward. Controllers
 * can be enabled for what lies below a cgroup only where no process is in itself: so the caller's own will do
 * only where it is the first of all, which is exempt.
 */
#ifndef CGROUP_LEVELS_H
#define CGROUP_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEVELS_MOST = 48, LEVEL_NAME_MOST = 256 };

enum level_controller { LEVEL_MEMORY = 1 << 0, LEVEL_TASKS = 1 << 1, LEVEL_PROCESSORS = 1 << 2 };

struct level {
	char name[LEVEL_NAME_MOST];
	uint32_t controllers;	/* bits by enum level_controller: that there are */
	uint32_t enabled;	/* for what lies below */
	bool owned;	/* by the caller */
	bool marked;	/* by a service manager, as given away */
	bool managed;	/* a service manager lives below it, whose it is */
	bool occupied;	/* by processes of its own */
	bool first;	/* of the machine's cgroups: it may be occupied */
};

enum level_verdict {
	LEVEL_FOUND = 0,
	LEVEL_OCCUPIED,	/* this one would do, but for the processes in it */
	LEVEL_WITHOUT,	/* this one is the caller's, and lacks the fewest controllers */
	LEVEL_FOREIGN	/* none is the caller's */
};

struct level_choice {
	enum level_verdict verdict;
	size_t index;	/* but for LEVEL_FOREIGN */
	uint32_t lacking;	/* LEVEL_WITHOUT: bits */
};

/* `root`: the caller may write everywhere, so that below a service manager only marks tell what was given to it. What
 * belongs to another user is not its: that one could end and halt what runs there. */
struct level_choice levels_choose(const struct level *levels, size_t count, bool root, uint32_t wanted);

/* Names of controllers, separated by blanks, as bits. */
uint32_t levels_controllers(const char *text);
/* Of /proc/cgroups: which of the bits a hierarchy of version 1 has, and which the kernel was started without. */
struct levels_elsewhere { uint32_t old, off; } levels_elsewhere(const char *text, uint32_t bits);
/* "+memory +pids" for the bits, with that sign; returns `room`, which has 32 bytes. */
const char *levels_order(uint32_t controllers, char sign, char *room);
/* "memory and tasks": what a person calls them; returns `room`, of 64 bytes. */
const char *levels_words(uint32_t controllers, char *room);

/* The path in /proc/self/cgroup of the one hierarchy; NULL where there is none. It is cut out of the text. */
char *levels_own_path(char *text);
/* Of a line of /proc/self/mountinfo: where such a hierarchy is mounted, and the path in it that is shown there.
 * Both are cut out of the line. False for any other line. */
bool levels_mount(char *line, char **ret_root, char **ret_point);
/* What of `path` lies below `root`, without a slash before it; NULL where it lies elsewhere. */
const char *levels_below(const char *path, const char *root);
/* The number after a word at the begin of a line, or 0. */
uint64_t levels_count(const char *text, const char *word);

#endif
