/* macos/system.h - what the rest of the core takes from its system and a Mac has under another name.
 *
 * Included before everything else where the build is for macOS, and nowhere else: so no other file asks which
 * system it is built for. What a Mac has no likeness of fails with ENOSYS, which every caller handles as it
 * does on an old kernel.
 */
#ifndef MACOS_SYSTEM_H
#define MACOS_SYSTEM_H

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* A descriptor for reaching what lies below it, and for looking. It needs no permission to read. A link as
 * the last part is not opened but refused. */
#define O_PATH O_EVTONLY
#define O_TMPFILE 0	/* nothing: a directory cannot be opened for writing, and callers make a named file then */
#define AT_EMPTY_PATH 0x10000000
#define AT_NO_AUTOMOUNT 0

#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#define st_atim st_atimespec
#define CLOCK_REALTIME_COARSE CLOCK_REALTIME
#define CLOCK_BOOTTIME CLOCK_MONOTONIC	/* it goes on while a Mac sleeps */
#define RUSAGE_THREAD RUSAGE_SELF	/* a Mac counts waits for the whole process */
#define MADV_HUGEPAGE MADV_NORMAL
#define MADV_POPULATE_WRITE MADV_NORMAL
#define MFD_CLOEXEC 1u
#define MFD_ALLOW_SEALING 2u

extern char **mac_environ(void);
#define environ (mac_environ())

/* memory.c */
/* The system has some of these since a later release than the oldest that we run on. */
char *mac_strchrnul(const char *text, int byte);
#define strchrnul mac_strchrnul
int mac_pipe2(int ends[2], int flags);
#define pipe2 mac_pipe2
int mac_dup3(int from, int to, int flags);
#define dup3 mac_dup3
void *reallocarray(void *old, size_t count, size_t bytes);
void *mempcpy(void *to, const void *from, size_t bytes);
void *memrchr(const void *from, int byte, size_t bytes);
ssize_t getrandom(void *to, size_t bytes, unsigned flags);

/* open.c */
enum { SYS_openat2 = 100437, SYS_close_range, SYS_pidfd_open, SYS_renameat2, SYS_fchmodat2 };
long mac_syscall(long number, ...);
#define syscall mac_syscall

/* names.c */
#define RENAME_NOREPLACE 1u
#define RENAME_EXCHANGE 2u
int renameat2(int from, const char *name, int to, const char *to_name, unsigned flags);
int memfd_create(const char *name, unsigned flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
ssize_t copy_file_range(int from, off_t *from_at, int to, off_t *to_at, size_t bytes, unsigned flags);
int fdatasync(int fd);
int syncfs(int fd);

/* directory.c */
struct dirent64 {
	uint64_t d_ino;
	uint16_t d_reclen;
	uint8_t d_type;
	char d_name[256];
};
ssize_t getdents64(int fd, void *room, size_t bytes);

/* status.c */
#define STATX_TYPE 1u
#define STATX_INO 0x100u
#define STATX_BTIME 0x800u
#define STATX_MNT_ID 0x1000u
struct statx_time {
	int64_t tv_sec;
	uint32_t tv_nsec;
};
struct statx {
	uint32_t stx_mask, stx_dev_major, stx_dev_minor, stx_mode, stx_uid, stx_gid, stx_nlink;
	uint64_t stx_ino, stx_size, stx_mnt_id;
	struct statx_time stx_mtime, stx_ctime, stx_btime, stx_atime;
};
int mac_utimensat(int dir, const char *name, const struct timespec times[2], int flags);
#define utimensat mac_utimensat
int mac_fstatat(int dir, const char *name, struct stat *ret_found, int flags);
#define fstatat mac_fstatat
int statx(int dir, const char *name, int flags, unsigned mask, struct statx *ret_found);

/* signals.c */
int sigtimedwait(const sigset_t *set, siginfo_t *ret_info, const struct timespec *longest);
const char *sigabbrev_np(int number);
const char *strerrordesc_np(int number);

/* processors.c */
typedef struct {
	unsigned count;
} cpu_set_t;
#define CPU_SETSIZE 1024
#define CPU_COUNT(set) ((int)(set)->count)
#define CPU_CLR(which, set) ((void)(which), (set)->count--)
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *ret_set);
int sched_getcpu(void);
int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set);

/* The namespaces that plans of other systems name. */
#define CLONE_NEWNS 0x00020000
#define CLONE_NEWCGROUP 0x02000000
#define CLONE_NEWUTS 0x04000000
#define CLONE_NEWIPC 0x08000000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000

#endif
