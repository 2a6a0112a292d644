/* escape/how.h - what the host does around the command of a case, and how its outcome is judged. */
#ifndef ESCAPE_HOW_H
#define ESCAPE_HOW_H

enum {
	BY_WORD = 1 << 0,	/* nothing outside changes: the attempt's own word is what is judged */
	PTY = 1 << 1,		/* with a terminal of its caller's */
	DESCRIPTORS = 1 << 2,	/* its caller has 8 and 9 open: a file and a directory outside */
	STDIN_DIRECTORY = 1 << 3,	/* and standard input is that directory */
	STDIN_FILE = 1 << 4,	/* standard input is the file, open for reading */
	KEEP_DIRECTORY = 1 << 5,	/* descriptor 9 is to be handed over */
	WHOLE = 1 << 6,		/* pinfold may refuse the whole command */
	HARMFUL = 1 << 7,	/* never tried without confinement */
	ROOT_ONLY = 1 << 8,	/* means something for root only */
	LISTENS = 1 << 9,	/* the host tries to connect to it */
	LATE = 1 << 10,		/* the host makes something while it runs */
	AFTERWARDS = 1 << 11,	/* what the host does with what was left is a part of it */
	AGAIN = 1 << 12,	/* a second command in the same session looks at what the first left */
	STARVES = 1 << 13,	/* does not end by itself: the caller's time limit does it */
	KILLED = 1 << 14,	/* its pinfold is killed meanwhile */
	LIMITED = 1 << 15,	/* with limits on memory and processes */
	LOADER = 1 << 16,	/* with variables that act on the dynamic loader, shells and pinfold */
	NEEDS_MACHINE = 1 << 17,	/* only where everything can be written */
	NO_MACHINE = 1 << 18,	/* what the scope of the machine allows: not judged there */
};

#endif
