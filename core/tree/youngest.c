/* tree/youngest.c - which run of a tree, of those without a session, was the last. */
#include "config.h"

#include "tree/youngest.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/listing.h"
#include "tree/stamp.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

static const enum home_kind kinds[] = { HOME_COPIES, HOME_FOLLOWED, HOME_MOVED, HOME_LAYERS };

/* One slot that is there, with the time of its lock. */
typedef void visitor(void *context, int home, const char *place, int64_t time);

static void visit_slots(int root, const char *home, visitor *visit, void *context)
{
	auto_close int fd = inside_open(root, home, O_RDONLY, INSIDE_ONE_MOUNT);
	struct listing listing = { 0 };
	if (fd < 0 || listing_read(&listing, fd) < 0)
		listing.count = 0;
	for (size_t i = 0; i < listing.count; i++) {
		char *end, lock[SLOT_ROOM], place[SLOT_ROOM];
		struct stamp stamp;
		unsigned long number = strtoul(listing.items[i].name, &end, 10);
		snprintf(lock, sizeof(lock), "%lu/lock", number);
		if (*end != '\0' || number > UINT16_MAX || stamp_read(fd, lock, &stamp) < 0)
			continue;
		snprintf(place, sizeof(place), "%s/%lu", home, number);
		visit(context, fd, place, stamp.mtime);
	}
	listing_release(&listing);
}

struct search {
	char *place;
	bool found;
	int64_t time;
};

static void compare(void *context, int home, const char *place, int64_t time)
{
	struct search *search = context;
	(void)home;
	if (search->found && time <= search->time)
		return;
	search->found = true;
	search->time = time;
	snprintf(search->place, SLOT_ROOM, "%s", place);
}

void youngest_find(int root, const char *tree, char place[SLOT_ROOM], enum home_kind *ret_kind)
{
	struct search search = { .place = place };
	place[0] = '\0';
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
		char home[HOME_ROOM], before[SLOT_ROOM];
		snprintf(before, sizeof(before), "%s", place);
		home_name(tree, kinds[i], home);
		visit_slots(root, home, compare, &search);
		if (!streq(before, place))
			*ret_kind = kinds[i];
	}
}

struct becoming {
	const char *place;
	int64_t time;
};

/* A command may have put a file of somebody's in its place, under another name of that. */
static int open_lock(int home, const char *name)
{
	struct stat found;
	auto_close int dir = inside_open(home, name, O_PATH, INSIDE_ONE_MOUNT);
	auto_close int fd = dir < 0 ? -1 : openat(dir, "lock", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &found) < 0 || !S_ISREG(found.st_mode) || found.st_nlink > 1)
		return -1;
	return take_fd(&fd);
}

/* Some file systems keep whole seconds. */
static void make_older(void *context, int home, const char *place, int64_t time)
{
	const struct becoming *becoming = context;
	if (time < becoming->time || streq(place, becoming->place))
		return;
	int64_t tick = becoming->time % 1000000000 == 0 ? 1000000000 : 1;
	struct timespec older = stamp_time(becoming->time - tick), times[2] = { older, older };
	auto_close int lock = open_lock(home, strrchr(place, '/') + 1);
	if (lock >= 0)
		futimens(lock, times);
}

void youngest_become(int root, const char *tree, const struct slot *slot)
{
	struct becoming becoming = { slot->place, slot_time(slot) };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++) {
		char home[HOME_ROOM];
		home_name(tree, kinds[i], home);
		visit_slots(root, home, make_older, &becoming);
	}
}
