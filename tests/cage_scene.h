/* tests/cage_scene.h - a command to launch, under an arm that makes every namespace and confines nothing. */
#ifndef TESTS_CAGE_SCENE_H
#define TESTS_CAGE_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cage/child.h"

#include "base/fd.h"
#include "base/raw.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* An arm that makes every namespace, gives up its capabilities, and fails where it is told to. */
struct fake_state {
	bool drop;
	bool ahead;	/* the stage AHEAD was entered */
	int views;	/* how often the stage VIEW was */
	bool read_only;	/* the view is the host's, which cannot be written */
	int open, closed;	/* descriptors that are to be so at the stage VIEW; 0 for none */
	int fail_stage;
	long fail_with;
	const char *failed;
};

enum { ALL_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
			CLONE_NEWUTS | CLONE_NEWCGROUP };

struct scene {
	struct fake_state state;
	struct pinfold_plan plan;
	struct launch launch;
	const char *argv[8];
	int out[2];
};

void scene_open(struct scene *scene, uint64_t namespaces, const char *script);
void scene_close(struct scene *scene);
/* The next event that says something. */
struct child_event await(struct child *child);
/* Runs the scene to its end; what it wrote goes to `ret_output`. */
struct child_event play(struct scene *scene, char **ret_output);

/* Without namespaces, and with all of them. */
extern const uint64_t both[2];

#endif
