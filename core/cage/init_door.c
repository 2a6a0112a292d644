/* cage/init_door.c - the door: listens in place of a helper, starts it when the first guest comes, and then carries what
 * they say to each other.
 *
 * A client that finds nobody listening would start a helper itself, and of several that come at once each would. So
 * somebody listens before the command begins, who costs next to nothing: most commands have no use for the helper. It is
 * confined as the command is.
 */
#include "base/endpoint.h"
#include "base/raw.h"
#include "cage/child.h"
#include "cage/init_calls.h"
#include "cage/init_flow.h"
#include "cage/protocol.h"

enum {
	GUESTS_MOST = 256,
	OTHER_DESCRIPTORS = 32,
	STARTS_MOST = 3,
	READY_MILLISECONDS = 10000,
	CONNECT_MILLISECONDS = 100,
	FIRST_LOOK = 1, LONGEST_LOOK = 20,	/* milliseconds between two looks whether the helper listens */
	CROWDED_MILLISECONDS = 100,
	FAILED = 1 << 8
};

struct door {
	char **entrances, **behind, **programs, **argv, **envp;
	int entrance_count, behind_count, program_count;
	int listens[DOOR_ENTRANCES_MOST];
	struct guest **guests;	/* all that there is room for: those that are there come first */
	struct pollfd *on;	/* entrances, then two for each guest */
	int guest_count, guests_most, polled;
	int waiting;		/* guests that nobody serves yet */
	int helper;		/* its pid, as long as it runs; 0 */
	int status;		/* with which it ended */
	int starts;		/* in vain since the last guest that was served */
	int look;		/* milliseconds until the next look */
	uint64_t until;		/* when guests are given up, while some wait */
	int crowded, closing;
};

static uint64_t now_milliseconds(void)
{
	struct timespec now = { 0 };
	raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* --- the helper ----------------------------------------------------------------------------------- */
static void become_helper(const struct door *door)
{
	unsigned long none = 0;
	raw(SYS_close_range, INIT_DOOR, ~0u, 0);
	raw(SYS_setsid);
	raw(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
	for (int i = 0; i < door->program_count; i++)
		raw(SYS_execve, door->programs[i], door->argv, door->envp);
	raw(SYS_exit_group, 127);
}

/* A helper that ended may have left its socket. */
static void start_helper(struct door *door)
{
	for (int i = 0; i < door->behind_count; i++)
		if (door->behind[i][0] == '/')
			raw(SYS_unlinkat, AT_FDCWD, door->behind[i], 0);
	door->starts++;
	door->status = 0;
	door->look = FIRST_LOOK;
	long pid = raw(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		become_helper(door);
	door->helper = pid > 0 ? (int)pid : 0;
	if (pid < 0)
		door->status = FAILED;
}

static void reap(struct door *door)
{
	int status = 0;
	long pid;
	while ((pid = raw(SYS_wait4, -1, &status, WNOHANG, 0)) > 0)
		if (pid == door->helper) {
			door->helper = 0;
			door->status = status;
		}
}

static long finish_connecting(int fd)
{
	struct pollfd on = { .fd = fd, .events = POLLOUT };
	struct timespec limit = { .tv_nsec = CONNECT_MILLISECONDS * 1000000L };
	int error = 0, bytes = sizeof(error);
	if (raw(SYS_ppoll, &on, 1, &limit, 0, 8) != 1)
		return -EAGAIN;
	raw(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
	return -error;
}

/* A connection to the helper, or why there is none. */
static long reach_at(const char *where)
{
	struct endpoint endpoint;
	if (endpoint_of(where, &endpoint) < 0)
		return -EINVAL;
	long fd = raw(SYS_socket, endpoint.address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	long result = raw(SYS_connect, fd, &endpoint.address, endpoint.bytes);
	if (result == -EINPROGRESS)
		result = finish_connecting((int)fd);
	if (result < 0)
		raw(SYS_close, fd);
	return result < 0 ? result : fd;
}

static long reach(const struct door *door)
{
	long result = -ENOENT;
	for (int i = 0; i < door->behind_count && result < 0 && result != -EAGAIN; i++)
		result = reach_at(door->behind[i]);
	return result;
}

/* --- guests --------------------------------------------------------------------------------------- */
static void close_entrances(struct door *door)
{
	for (int i = 0; i < door->entrance_count; i++) {
		if (door->listens[i] && door->entrances[i][0] == '/')
			raw(SYS_unlinkat, AT_FDCWD, door->entrances[i], 0);
		raw(SYS_close, INIT_DOOR + i);
		door->listens[i] = 0;
	}
}

static void dismiss(struct door *door, int at)
{
	struct guest *guest = door->guests[at];
	door->waiting -= guest->ends[FLOW_HELPER] < 0;
	for (int i = 0; i < 2; i++)
		if (guest->ends[i] >= 0)
			raw(SYS_close, guest->ends[i]);
	door->guests[at] = door->guests[--door->guest_count];
	door->guests[door->guest_count] = guest;
	door->crowded = 0;
}

/* Nobody waits for what does not come: the next client finds nobody here, and may start a helper itself. */
static void give_up(struct door *door)
{
	door->closing = 1;
	close_entrances(door);
	for (int i = door->guest_count - 1; i >= 0; i--)
		if (door->guests[i]->ends[FLOW_HELPER] < 0)
			dismiss(door, i);
	if (door->helper)
		raw(SYS_kill, -door->helper, SIGKILL);
}

static void admit(struct door *door, int entrance)
{
	while (door->guest_count < door->guests_most) {
		long fd = raw(SYS_accept4, INIT_DOOR + entrance, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd == -ENOTSOCK || fd == -EINVAL)
			door->listens[entrance] = 0;
		if (fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM)
			door->crowded = 1;
		if (fd < 0)
			return;
		flow_begin(door->guests[door->guest_count++], (int)fd);
		if (door->waiting++ == 0) {
			door->until = now_milliseconds() + READY_MILLISECONDS;
			door->look = FIRST_LOOK;
		}
	}
}

static int is_absent(long result)
{
	return result == -ECONNREFUSED || result == -ENOENT;
}

/* It is there, it is on its way, or it is to be started: true for the first. */
static int serve(struct door *door, struct guest *guest)
{
	long fd = reach(door);
	if (fd >= 0) {
		flow_join(guest, (int)fd);
		door->waiting--;
		door->starts = 0;
		door->until = now_milliseconds() + READY_MILLISECONDS;
		return 1;
	}
	if (now_milliseconds() >= door->until || (door->status && !door->helper && door->starts >= STARTS_MOST))
		give_up(door);
	else if (is_absent(fd) && !door->helper && (door->starts == 0 || door->status))
		start_helper(door);
	else
		door->look = door->look * 2 < LONGEST_LOOK ? door->look * 2 : LONGEST_LOOK;
	return 0;
}

static void serve_all(struct door *door)
{
	for (int i = 0; i < door->guest_count && door->waiting; i++)
		if (door->guests[i]->ends[FLOW_HELPER] < 0 && !serve(door, door->guests[i]))
			return;
}

/* One that was passed over since, because others went, is found again by the next look. */
static void carry(struct door *door)
{
	for (int i = (door->guest_count < door->polled ? door->guest_count : door->polled) - 1; i >= 0; i--) {
		const struct pollfd *on = &door->on[door->entrance_count + 2 * i];
		if ((on[0].revents || on[1].revents) && door->guests[i]->ends[FLOW_HELPER] >= 0 &&
		    flow_carry(door->guests[i]))
			dismiss(door, i);
	}
}

/* --- the loop ------------------------------------------------------------------------------------- */
static void await(struct door *door)
{
	int milliseconds = door->waiting ? door->look : door->crowded ? CROWDED_MILLISECONDS : -1, count = 0;
	int full = door->crowded || door->guest_count == door->guests_most;
	for (int i = 0; i < door->entrance_count; i++)
		door->on[count++] = (struct pollfd){ .fd = full || !door->listens[i] ? -1 : INIT_DOOR + i, .events = POLLIN };
	for (int i = 0; i < door->guest_count; i++)
		for (int end = 0; end < 2; end++)
			door->on[count++] = flow_interest(door->guests[i], end);
	door->polled = door->guest_count;
	struct timespec limit = { .tv_nsec = milliseconds * 1000000L };
	if (raw(SYS_ppoll, door->on, count, milliseconds < 0 ? 0 : &limit, 0, 8) <= 0)
		door->crowded = 0;
}

static int is_of_use(const struct door *door)
{
	int listening = 0;
	for (int i = 0; i < door->entrance_count; i++)
		listening += door->listens[i];
	return door->guest_count > 0 || (listening > 0 && !door->closing);
}

static void keep(struct door *door)
{
	while (is_of_use(door)) {
		await(door);
		reap(door);
		for (int i = 0; i < door->entrance_count; i++)
			if (door->on[i].revents && door->listens[i])
				admit(door, i);
		serve_all(door);
		carry(door);
	}
}

/* --- what it is told ------------------------------------------------------------------------------ */
static int has_name(const char *variable, const char *entry)
{
	while (*entry && *entry == *variable && *entry != '=')
		entry++, variable++;
	return *entry == '=' && *variable == '=';
}

/* The environment with the helper's own variables in place of the command's. */
static char **surround(char **variables, int count, char **envp)
{
	long more = 0, at = 0;
	while (envp[more])
		more++;
	long room = raw(SYS_mmap, 0, (more + count + 1) * (long)sizeof(char *), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char **whole = (char **)room;
	if (room < 0 && room > -4096)
		return envp;
	for (int i = 0; i < count; i++)
		whole[at++] = variables[i];
	for (; *envp; envp++) {
		int own = 0;
		for (int i = 0; i < count; i++)
			own |= has_name(*envp, variables[i]);
		if (!own)
			whole[at++] = *envp;
	}
	whole[at] = 0;
	return whole;
}

static int guests_most(void)
{
	struct rlimit files = { 0 };
	raw(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &files);
	if (files.rlim_cur >= 2 * GUESTS_MOST + OTHER_DESCRIPTORS)
		return GUESTS_MOST;
	return files.rlim_cur > OTHER_DESCRIPTORS + 2 ? ((int)files.rlim_cur - OTHER_DESCRIPTORS) / 2 : 1;
}

/* Memory that nobody touches costs nothing. */
static long make_room(struct door *door)
{
	struct room {
		struct guest guests[GUESTS_MOST];
		struct guest *there[GUESTS_MOST];
		struct pollfd on[DOOR_ENTRANCES_MOST + 2 * GUESTS_MOST];
	};
	long at = raw(SYS_mmap, 0, sizeof(struct room), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if ((unsigned long)at > -4096ul)
		return at;
	struct room *room = (struct room *)at;
	for (int i = 0; i < GUESTS_MOST; i++)
		room->there[i] = &room->guests[i];
	door->guests = room->there;
	door->on = room->on;
	door->guests_most = guests_most();
	return 0;
}

void init_door(char **words, char **envp)
{
	int counts[INIT_DOOR_COUNTS], sum = 0;
	for (int i = 0; i < INIT_DOOR_COUNTS; i++) {
		counts[i] = init_number(words[i]);
		sum += counts[i];
	}
	char **at = words + INIT_DOOR_COUNTS;
	struct door door = {
		.entrance_count = counts[0], .behind_count = counts[1], .program_count = counts[2],
		.entrances = at, .behind = at + counts[0], .programs = at + counts[0] + counts[1], .argv = at + sum,
		.envp = surround(at + counts[0] + counts[1] + counts[2], counts[3], envp),
	};
	for (int i = 0; i < door.entrance_count; i++)
		door.listens[i] = 1;
	if (make_room(&door) < 0)
		close_entrances(&door);
	else
		keep(&door);
	raw(SYS_exit_group, 0);
}
