/* escape/case.h - one way out of a cage, as the program `cases` tries it inside. */
#ifndef ESCAPE_CASE_H
#define ESCAPE_CASE_H

#include "how.h"

#include <stddef.h>

/* What an attempt answers: 0, it came through; a negative errno, it was refused; or this: the machine lacks
 * what it takes, and `lack` says what. */
#define UNAVAILABLE (-100000L)
long lack(const char *what);
const char *lacked(void);

/* The same kind of operation where it must be allowed. */
struct twin {
	const char *what;
	long (*attempt)(void);
	const char *promise, *unless;	/* words in the note on that promise which say that it is refused, or NULL */
};

struct row {
	const char *name;	/* words with dashes; unique */
	const char *promise;	/* an axis, or "own": of what pinfold itself does, promised in every arm */
	unsigned how;
	long (*attempt)(void);
	const struct twin *twin;
	const char *mechanism;	/* one line */
	const char *source;	/* where it was seen: an advisory, a manual page, a report */
	const char *unless;	/* words in the note of an offer that name this as not held, or NULL; `|` parts others */
};

struct class {
	const char *name;
	const struct row *rows;
	size_t count;
};
#define CLASS(name_, rows_) { (name_), (rows_), sizeof(rows_) / sizeof((rows_)[0]) }

extern const struct class terminal_class, inherited_class, proc_class, sockets_class, processes_class,
	endings_class, keyrings_class, ipc_class, mounts_class, masks_class, writes_class, links_class,
	privileges_class, programs_class, kernel_class, foreign_class, families_class, network_class, overlay_class, places_class,
	environment_class, afterwards_class, starving_class;

/* --- what an attempt has ------------------------------------------------------------------------- */
extern const char *token;	/* a word that is this run's alone: where it is found outside, that is an escape */
extern int unconfined;		/* 1: this is the control, and the machine is the real one */
extern int second;		/* 1: the second command of the same session */

const char *fact(const char *name);	/* of what is attacked; "" where it is not there */
long number(const char *name);
const char *beside(const char *directory, const char *name);	/* directory/name; good for 16 calls */
long done(long result);			/* of a system call: 0 or the negative errno */
long opened(int fd);			/* the same of a descriptor, which is closed */
long put(int fd);			/* writes the token and closes */
long make(const char *path);		/* makes a file with the token */
long tell(const char *path);		/* prints what is in a file */
void say(const void *bytes, size_t count);	/* prints: what is secret is found in there by the host */
long connect_and_put(int family, int type, const void *address, unsigned length);
long put_to_path(int type, const char *path);
long in_child(long (*attempt)(void));	/* in a process of its own; a signal that ended it is EINTR */

/* --- twins that many share ------------------------------------------------------------------------ */
extern const struct twin writes_in_the_tree, reads_outside, signals_its_child, has_its_socket, has_its_loopback,
	has_its_proc, starts_threads, writes_to_its_terminal, has_its_temporary, reads_its_input, maps_memory,
	runs_a_program, sees_its_tree, has_its_pipe, starts_children;

#endif
