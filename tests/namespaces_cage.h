/* tests/namespaces_cage.h - a small world outside, and a way to look at it from inside the arm. */
#ifndef NAMESPACES_CAGE_H
#define NAMESPACES_CAGE_H

#include "namespaces_host.h"
#include "plugins/namespaces/trial.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#define WORLD_PATHS 8

struct world {
	struct test_host host;
	char base[96];	/* everything lies in it */
	const char *outside;	/* a directory beside the tree */
	const char *file;	/* in it, with "outside" in it */
	const char *tree, *copy, *temporary, *scratch;
	const char *secret;	/* a hidden file outside, with "secret" in it */
	const char *secrets;	/* a hidden directory outside with `inner` in it */
	struct pinfold_path paths[WORLD_PATHS];
	struct pinfold_policy policy;
	struct pinfold_shown shown;
	struct pinfold_plan plan;
	struct pinfold_error err;
	struct trial trial;
	/* Servers of the host, and a process. */
	struct sockaddr_un by_path, by_name;
	socklen_t by_name_length;
	struct sockaddr_in loopback;
	int servers[3];
	pid_t victim;
	int victim_word;	/* at the same address in the victim */
};

/* Makes a world below `root`. */
void world_open(struct world *world, const char *root);
void world_close(struct world *world);
void world_name(struct world *world, uint32_t kind, const char *path);
const char *world_path(struct world *world, const char *directory, const char *name);
void world_write(const char *path, const char *text);
bool world_exists(const char *path);
bool world_reads(const char *path, const char *expected);
/* Makes a file that is not there: 0, or a negative errno. */
long world_create(const char *path);
/* Prepares and runs; asserts that `look` was reached and says what it found: 0 or an errno. */
int world_inside(struct world *world, long (*look)(void *));
/* Prepares and runs, and gives back where it ended. */
struct trial world_try(struct world *world, long (*look)(void *));
/* The same without confinement, in a process of its own. */
int world_without(struct world *world, long (*look)(void *));
/* Where a caller's own files lie: never a directory that the arm makes private. */
const char *world_home(void);

#endif
