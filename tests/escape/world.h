/* escape/world.h - what is attacked: places, files, secrets, services, a process, and the kernel's objects of a caller. */
#ifndef ESCAPE_WORLD_H
#define ESCAPE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SECRETS 16
#define PATH_ROOM 1024

/* In memory that the victim shares: where its things lie, and what reached it. */
struct victim_state {
	uint64_t word, secret;		/* addresses in the victim */
	int descriptor;
	volatile unsigned signals;
	volatile unsigned ready;
};

/* In memory that the services share. */
struct service_state {
	volatile unsigned messages;
	volatile unsigned ready;
	char last[64];
	uint16_t tcp, tcp6, udp, multicast, listen;
};

struct world {
	char base[256];
	char outside[PATH_ROOM], home[PATH_ROOM], tree[PATH_ROOM], runtime[PATH_ROOM], callers[PATH_ROOM], tmp[64];
	char x11[64], run[64];
	char cases[PATH_ROOM], program[PATH_ROOM], module[PATH_ROOM], preload[PATH_ROOM];
	char address[64];
	char secrets[SECRETS][32];
	size_t secret_count;
	pid_t victim, services;
	int control;			/* to the services */
	struct victim_state *victim_state;
	struct service_state *service_state;
	int shm, msg, sem, key, made_x11;
	char mq[32], pshm[32], key_name[40], secret_handle[320];
	char *const *environment;
	bool together;	/* the arm that is tried has ceilings on all processes together */
};

int world_open(struct world *world, const char *cases, const char *program);
void world_close(struct world *world);

/* Puts back what an attempt changed: files, and the victim if it was harmed. */
int world_mend(struct world *world);
const char *world_secret(struct world *world, const char *prefix);

/* world_files.c: the directories and what is in them. */
int files_make(struct world *world);
int files_facts(struct world *world);
int files_write(const char *directory, const char *name, const char *text, mode_t mode);
void files_remove(const char *path);

/* world_victim.c, world_services.c: processes that are attacked, and the kernel's objects. */
int victim_main(int shared);	/* in a program executed anew */
int victim_start(struct world *world);
void victim_stop(struct world *world);
bool victim_is_whole(struct world *world, const char **ret_what);
int services_start(struct world *world);
void services_stop(struct world *world);
unsigned services_count(struct world *world);	/* of messages, when all that was sent has been read */
void services_make_late(struct world *world, bool remove);
int objects_make(struct world *world);
void objects_remove(struct world *world);
const char *objects_changed(struct world *world);

#endif
