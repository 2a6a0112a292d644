/* tests/fakes/seatbelt.h - what a test sees of the fake of a Mac's sandbox, shared by all its processes. */
#ifndef FAKES_SEATBELT_H
#define FAKES_SEATBELT_H

#include <sys/types.h>

enum { FAKE_PROCESSES = 64, FAKE_STORE = 1 << 20, FAKE_SAID = 1 << 16, FAKE_TOKENS = 8 };

struct fake_process {
	pid_t pid;	/* 0: free */
	unsigned profile, bytes;	/* in the store */
	unsigned tokens[FAKE_TOKENS], token_count;	/* "class" NUL "path" in the store */
};

struct fake {
	unsigned calls;		/* made so far */
	unsigned fail_at;	/* the call that fails, counted from 1; 0 for none */
	char fail_name[32];	/* or every call of this name */
	char failed[64];	/* which it was */
	char said[FAKE_SAID];	/* each call with what it was given, one a line */
	unsigned said_bytes;
	struct fake_process processes[FAKE_PROCESSES];
	char store[FAKE_STORE];
	unsigned stored;
	char from[256], to[256];	/* how the kernel spells what is below a path */
	char journal[300];	/* the file that refusals with a message are written to */
	char truly_runs;	/* a program runs although it is refused */
	char blind;		/* who bears a mark cannot be told */
	char immortal;		/* processes do not die when they are killed */
};

/* The library exports both beside what it fakes. Whether the calling process may do that to the path: what it may not
 * is refused as the kernel would, and told to the journal. */
typedef struct fake *fake_state_function(void);
typedef int fake_ask_function(const char *operation, const char *path);

/* A file of this name in the environment has the state, so that programs share it which are executed; without one, all
 * that this process forks. */
#define FAKE_STATE "FAKE_MAC_STATE"

#endif
