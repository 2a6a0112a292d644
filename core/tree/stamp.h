/* tree/stamp.h - what the kernel says of one entry, and whether that can be trusted. */
#ifndef TREE_STAMP_H
#define TREE_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

struct stamp {
	uint64_t device, inode;
	int64_t mtime, ctime;	/* nanoseconds */
	uint64_t size;
	uint64_t stored;	/* bytes on disk: less than `size` where there are holes */
	uint32_t mode, links;
	uint32_t owner;
};

/* Of `name` below `dir`, following nothing; of `dir` itself for "". 0, or -1 with errno. */
int stamp_read(int dir, const char *name, struct stamp *ret_stamp);

/* Device and inode in one number, for comparing with an earlier look. */
static inline uint64_t stamp_identity(const struct stamp *stamp)
{
	return stamp->inode ^ (stamp->device * 0x9e3779b97f4a7c15u);
}

static inline bool stamp_is_same_object(const struct stamp *a, const struct stamp *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       (a->mode & S_IFMT) == (b->mode & S_IFMT);
}

static inline bool stamp_is_equal(const struct stamp *a, const struct stamp *b)
{
	return stamp_is_same_object(a, b) && a->mode == b->mode && a->mtime == b->mtime &&
	       a->ctime == b->ctime && a->size == b->size;
}

/* What a copy that belongs to `user` has for it. Bits that change who a program runs as are never set,
 * and what the caller could read as one of others it can read as the owner that it is of the copy. */
static inline uint32_t stamp_mode_in_copy(const struct stamp *source, uint32_t user)
{
	uint32_t mode = source->mode & (S_ISDIR(source->mode) ? 01777 : 0777);
	if (source->owner != user && user != 0)
		mode |= S_ISDIR(source->mode) ? S_IRUSR | S_IXUSR : S_IRUSR;
	return mode;
}

/* More than the kernel's clock for stamps takes from one time to the next. */
#define STAMP_TICK INT64_C(20000000)

/* A later change may have left the same ctime when that is as young as the look itself: the kernel
 * stamps with the time of its last tick, and some file systems keep whole seconds only. */
static inline bool stamp_is_young(int64_t ctime, int64_t seen)
{
	int64_t tick = ctime % 1000000000 == 0 ? INT64_C(2000000000) : STAMP_TICK;
	return ctime > seen - tick;
}

/* The kernel's wall clock, which also makes the stamps. */
static inline int64_t stamp_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline struct timespec stamp_time(int64_t nanoseconds)
{
	int64_t seconds = nanoseconds / 1000000000, rest = nanoseconds % 1000000000;
	if (rest < 0) {
		seconds--;
		rest += 1000000000;
	}
	return (struct timespec){ .tv_sec = seconds, .tv_nsec = rest };
}

#endif
