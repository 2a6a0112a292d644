/* escape/world_victim.c - a process of the caller's that minds its own business, and objects of the kernel's that it
 * could use: all of them are looked at again after each attempt. */
#include "config.h"

#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORD 0x1234567

static struct victim_state *own;

static void count(int number)
{
	(void)number;
	own->signals++;
}

int victim_main(int shared)
{
	static volatile long word = WORD;
	static char in_memory[64];
	own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
	if (own == MAP_FAILED)
		return 1;
	int file = memfd_create("secret", MFD_CLOEXEC);
	if (file < 0 || write(file, getenv("VICTIM_FILE"), strlen(getenv("VICTIM_FILE"))) < 0)
		return 1;
	snprintf(in_memory, sizeof(in_memory), "%s", getenv("VICTIM_MEMORY"));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "escape-victim");
	setpgid(0, 0);
	for (int number = 1; number < 65; number++)
		if (number != SIGTERM)
			signal(number, count);
	own->word = (uint64_t)(uintptr_t)&word;
	own->secret = (uint64_t)(uintptr_t)in_memory;
	own->descriptor = file;
	own->ready = 1;
	for (;;)
		pause();
}

int victim_start(struct world *world)
{
	char descriptor[16], memory[64], file[64], environment[64];
	int shared = memfd_create("state", 0);
	if (shared < 0 || ftruncate(shared, sizeof(struct victim_state)) < 0)
		return -1;
	world->victim_state = mmap(NULL, sizeof(struct victim_state), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
	if (world->victim_state == MAP_FAILED)
		return -1;
	snprintf(descriptor, sizeof(descriptor), "%d", shared);
	snprintf(memory, sizeof(memory), "VICTIM_MEMORY=%s", world->secrets[6]);
	snprintf(file, sizeof(file), "VICTIM_FILE=%s", world->secrets[7]);
	snprintf(environment, sizeof(environment), "VICTIM_SECRET=%s", world->secrets[5]);
	world->victim = fork();
	if (world->victim == 0) {
		char *const variables[] = { memory, file, environment, NULL };
		char *const arguments[] = { "escape", "--victim", descriptor, world->secrets[5], NULL };
		if (chdir(world->outside) == 0)
			execve("/proc/self/exe", arguments, variables);
		_exit(127);
	}
	close(shared);
	for (int tries = 0; tries < 10000 && !world->victim_state->ready; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	return world->victim > 0 && world->victim_state->ready ? 0 : -1;
}

void victim_stop(struct world *world)
{
	if (world->victim > 0) {
		kill(world->victim, SIGKILL);
		kill(world->victim, SIGCONT);
		waitpid(world->victim, NULL, 0);
	}
	world->victim = 0;
	if (world->victim_state)
		munmap(world->victim_state, sizeof(*world->victim_state));
	world->victim_state = NULL;
}

static long number_in(pid_t pid, const char *entry)
{
	char path[64];
	long value = -1;
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, entry);
	FILE *file = fopen(path, "re");
	if (file && fscanf(file, "%ld", &value) != 1)
		value = -1;
	if (file)
		fclose(file);
	return value;
}

static char state_of(pid_t pid)
{
	char path[64], state = '?';
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *file = fopen(path, "re");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (file)
		fclose(file);
	return state;
}

/* What was sent to it counts when it has been given the processor: until then it is runnable, where it only
 * waits otherwise. */
static void let_it_notice(pid_t pid)
{
	for (int tries = 0; tries < 1000 && state_of(pid) == 'R'; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

bool victim_is_whole(struct world *world, const char **ret_what)
{
	pid_t pid = world->victim;
	long word = 0;
	struct iovec here = { &word, sizeof(word) }, there = { (void *)(uintptr_t)world->victim_state->word, sizeof(word) };
	struct rlimit core;
	cpu_set_t processors, own_processors;
	let_it_notice(pid);
	char state = state_of(pid);
	*ret_what = NULL;
	if (state == 'Z' || state == '?' || state == 'X')
		*ret_what = "the process outside was ended";
	else if (state == 'T' || state == 't')
		*ret_what = "the process outside was stopped";
	else if (world->victim_state->signals)
		*ret_what = "the process outside got a signal";
	else if (process_vm_readv(pid, &here, 1, &there, 1, 0) != sizeof(word) || word != WORD)
		*ret_what = "the memory of the process outside was changed";
	else if (getpriority(PRIO_PROCESS, (id_t)pid) != getpriority(PRIO_PROCESS, 0))
		*ret_what = "the process outside was slowed";
	else if (prlimit(pid, RLIMIT_CORE, NULL, &core) == 0 && core.rlim_max == 4096)
		*ret_what = "the process outside was limited";
	else if (sched_getaffinity(pid, sizeof(processors), &processors) == 0 &&
		 sched_getaffinity(0, sizeof(own_processors), &own_processors) == 0 && !CPU_EQUAL(&processors, &own_processors))
		*ret_what = "the process outside was pinned";
	else if (sched_getscheduler(pid) == SCHED_BATCH)
		*ret_what = "the process outside is scheduled otherwise";
	else if (syscall(SYS_ioprio_get, 1, pid) >> 13 == 3)
		*ret_what = "the disk of the process outside is slower";
	else if (number_in(pid, "oom_score_adj") == 777)
		*ret_what = "the process outside would be killed first";
	else if (number_in(pid, "timerslack_ns") == 123456)
		*ret_what = "the timers of the process outside were changed";
	return !*ret_what;
}

int objects_make(struct world *world)
{
	world->shm = shmget((key_t)world->services, 4096, IPC_CREAT | 0600);
	world->msg = msgget((key_t)world->services, IPC_CREAT | 0600);
	world->sem = semget((key_t)world->services, 1, IPC_CREAT | 0600);
	snprintf(world->mq, sizeof(world->mq), "/escape-%d", world->services);
	snprintf(world->pshm, sizeof(world->pshm), "/escape-%d", world->services);
	struct mq_attr attributes = { .mq_maxmsg = 4, .mq_msgsize = 64 };
	mqd_t queue = mq_open(world->mq, O_RDWR | O_CREAT, 0600, &attributes);
	if (queue != (mqd_t)-1)
		mq_close(queue);
	int segment = shm_open(world->pshm, O_RDWR | O_CREAT, 0600);
	if (segment >= 0)
		close(segment);
	/* A session keyring of this program's own: its caller's is left alone. */
	if (!world->key_name[0])
		syscall(SYS_keyctl, 1 /* JOIN_SESSION_KEYRING */, NULL);
	syscall(SYS_keyctl, 7 /* CLEAR */, -3);
	snprintf(world->key_name, sizeof(world->key_name), "escape:%d", world->services);
	world->key = (int)syscall(SYS_add_key, "user", world->key_name, world->secrets[8], strlen(world->secrets[8]), -3);
	return 0;
}

void objects_remove(struct world *world)
{
	shmctl(world->shm, IPC_RMID, NULL);
	msgctl(world->msg, IPC_RMID, NULL);
	semctl(world->sem, 0, IPC_RMID);
	mq_unlink(world->mq);
	shm_unlink(world->pshm);
}

static bool segment_changed(const struct world *world)
{
	char *memory = shmat(world->shm, NULL, SHM_RDONLY);
	bool changed = memory == (void *)-1 || memory[0] != 0;
	if (memory != (void *)-1)
		shmdt(memory);
	return changed;
}

static bool posix_changed(const struct world *world)
{
	struct mq_attr attributes = { 0 };
	mqd_t queue = mq_open(world->mq, O_RDONLY);
	bool changed = queue == (mqd_t)-1 || mq_getattr(queue, &attributes) < 0 || attributes.mq_curmsgs > 0;
	if (queue != (mqd_t)-1)
		mq_close(queue);
	int segment = shm_open(world->pshm, O_RDONLY, 0);
	changed = changed || segment < 0 || lseek(segment, 0, SEEK_END) > 0;
	if (segment >= 0)
		close(segment);
	return changed;
}

/* The caller's session keyring has one key, with what was put into it. */
static bool keys_changed(const struct world *world)
{
	char bytes[128] = "";
	int list[16];
	long count_of_keys = syscall(SYS_keyctl, 11 /* READ */, -3, list, sizeof(list)) / (long)sizeof(int);
	long got = syscall(SYS_keyctl, 11 /* READ */, world->key, bytes, sizeof(bytes));
	return world->key > 0 && (count_of_keys != 1 || got != (long)strlen(world->secrets[8]) ||
				  memcmp(bytes, world->secrets[8], (size_t)got) != 0);
}

const char *objects_changed(struct world *world)
{
	struct msqid_ds queue = { 0 };
	if (segment_changed(world))
		return "a segment of shared memory was changed";
	if (msgctl(world->msg, IPC_STAT, &queue) < 0 || queue.msg_qnum > 0)
		return "a message queue was changed";
	if (semctl(world->sem, 0, GETVAL) != 0)
		return "a semaphore was changed";
	if (posix_changed(world))
		return "a POSIX queue or segment was changed";
	return keys_changed(world) ? "the caller's keys were changed" : NULL;
}
