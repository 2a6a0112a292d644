/* escape/ipc.c - keyrings, System V and POSIX objects of the host. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SESSION_KEYRING (-3)
#define USER_KEYRING (-4)

static long read_key(long key)
{
	char bytes[128];
	if (key < 0)
		return -errno;
	long got = syscall(SYS_keyctl, 11 /* READ */, key, bytes, sizeof(bytes));
	if (got > 0)
		say(bytes, (size_t)got);
	return done(got);
}

static long search_session(void)
{
	return read_key(syscall(SYS_keyctl, 10 /* SEARCH */, SESSION_KEYRING, "user", fact("key_name"), 0));
}

static long read_by_serial(void)
{
	long result = read_key(number("key"));
	return result;
}

static long request(void)
{
	return read_key(syscall(SYS_request_key, "user", fact("key_name"), NULL, SESSION_KEYRING));
}

static long add(void)
{
	return done(syscall(SYS_add_key, "user", token, "x", 1UL, SESSION_KEYRING));
}

static long update(void)
{
	return done(syscall(SYS_keyctl, 2 /* UPDATE */, number("key"), token, strlen(token)));
}

static long read_users(void)
{
	return done(syscall(SYS_keyctl, 6 /* DESCRIBE */, USER_KEYRING, NULL, 0UL));
}

static const struct row keys[] = {
	{ "session-keyring", "kernel", 0, search_session, &starts_children,
	  "the session keyring is inherited and searched for the caller's keys", "seen with bubblewrap; keyrings(7)" },
	{ "key-by-serial", "kernel", 0, read_by_serial, &starts_children,
	  "a key is read by its number, even out of a session keyring that was left", "seen with bubblewrap; keyctl(2)" },
	{ "key-requested", "kernel", 0, request, &starts_children, "request_key() finds the caller's key", "request_key(2)" },
	{ "key-added", "kernel", 0, add, &starts_children, "add_key() leaves a key with the caller", "add_key(2)" },
	{ "key-changed", "kernel", 0, update, &starts_children, "keyctl() changes the caller's key", "keyctl(2)" },
	{ "user-keyring", "kernel", BY_WORD, read_users, &starts_children, "the user's keyring is described", "user-keyring(7)" },
};
const struct class keyrings_class = CLASS("keyrings", keys);

static long write_segment(void)
{
	char *memory = shmat((int)number("shm"), NULL, 0);
	if (memory == (void *)-1)
		return -errno;
	strcpy(memory, token);
	return done(shmdt(memory));
}

static long find_segment(void)
{
	int id = shmget((key_t)number("shm_key"), 0, 0);
	return id < 0 ? -errno : (char *)shmat(id, NULL, SHM_RDONLY) == (void *)-1 ? -errno : 0;
}

static long send_message(void)
{
	struct { long type; char text[8]; } message = { 1, "escape" };
	return done(msgsnd((int)number("msg"), &message, sizeof(message.text), IPC_NOWAIT));
}

static long set_semaphore(void)
{
	return done(semctl((int)number("sem"), 0, SETVAL, 5));
}

static long remove_segment(void)
{
	return done(shmctl((int)number("shm"), IPC_RMID, NULL));
}

static long send_posix(void)
{
	mqd_t queue = mq_open(fact("mq"), O_WRONLY | O_NONBLOCK);
	if (queue == (mqd_t)-1)
		return -errno;
	return done(mq_send(queue, token, strlen(token), 0));
}

static long write_posix_segment(void)
{
	return put(shm_open(fact("pshm"), O_RDWR, 0));
}

static long make_posix_segment(void)
{
	char name[64] = "/";
	return put(shm_open(strcat(name, token), O_RDWR | O_CREAT, 0600));
}

static const struct row objects[] = {
	{ "shared-memory", "processes", 0, write_segment, &maps_memory, "a System V segment of the host's is written", "sysvipc(7)" },
	{ "shared-memory-by-key", "processes", BY_WORD, find_segment, &maps_memory, "a System V segment of the host's is found by its key", "sysvipc(7)" },
	{ "shared-memory-removed", "processes", 0, remove_segment, &maps_memory, "a System V segment of the host's is removed", "sysvipc(7)" },
	{ "message-queue", "processes", 0, send_message, &maps_memory, "a message is put into a queue of the host's", "sysvipc(7)" },
	{ "semaphore", "processes", 0, set_semaphore, &maps_memory, "a semaphore of the host's is set", "sysvipc(7)" },
	{ "posix-queue", "processes", 0, send_posix, &maps_memory, "a message is put into a POSIX queue of the host's", "mq_overview(7)" },
	{ "posix-segment", "writes", 0, write_posix_segment, &maps_memory, "a POSIX segment of the host's below /dev/shm is written", "shm_overview(7)" },
	{ "posix-segment-made", "writes", 0, make_posix_segment, &maps_memory, "a POSIX segment is made that the host sees", "shm_overview(7)" },
};
const struct class ipc_class = CLASS("System V and POSIX objects", objects);
