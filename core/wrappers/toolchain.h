/* wrappers/toolchain.h - the table of toolchains that run their compiler through a wrapper where a setting
 * says so: what could name one, a throwaway project, what its build says, and how all of it is switched
 * off. A further toolchain is a file and a row. */
#ifndef WRAPPERS_TOOLCHAIN_H
#define WRAPPERS_TOOLCHAIN_H

#include "wrappers/look.h"

/* In the content each TOOLCHAIN_MARK becomes letters that no other build has: a cache that already holds
 * what comes of it would prove nothing about compiling. */
struct toolchain_file {
	const char *path, *content;
};
#define TOOLCHAIN_MARK '@'


struct toolchain {
	const char *name;
	/* The variables that `look` asks for; NULL-terminated. */
	const char *const *variables;
	/* Looks at environment and files. Where nothing could name a wrapper it costs next to nothing. */
	void (*look)(struct look *look);
	/* Adds what else the answer hangs on, once something could name one. */
	void (*stamp)(struct look *look);

	/* The throwaway project; the first file makes its own directory where it has one. */
	const struct toolchain_file *files;
	/* How it is built: all words, for a project that the command sees at `project`. -1: memory. */
	int (*arguments)(const struct look *look, size_t trial, bool with, const char *project,
			 struct list *argv);
	/* Variables that the build needs beside the command's. -1: memory. */
	int (*surround)(const char *project, struct list *variables);
	/* The wrapper in what a build said that ended well, or in what one said that failed; NULL where
	 * it names none or memory is gone. Without the hooks, what was named is what ran. */
	char *(*used)(const char *output);
	char *(*tried)(const char *output);

	/* Takes every wrapper out of an environment. -1: memory. */
	int (*switch_off)(const struct look *look, struct list *variables);
};

extern const struct toolchain toolchain_cargo, toolchain_c, toolchain_cxx;
enum { TOOLCHAINS_MOST = 8 };
/* NULL-terminated. */
extern const struct toolchain *const toolchains[TOOLCHAINS_MOST + 1];

#endif
