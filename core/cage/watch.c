/* cage/watch.c - the filter that has the kernel ask about a command's attempts, and who answers. */
#include "config.h"

#include "cage/watch.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "cage/listener.h"
#include "cage/powers.h"
#include "cage/watch_calls.h"
#include "cage/watch_install.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#define NATIVE AUDIT_ARCH_RISCV64
#endif

enum {
	CALLS_MOST = 200,	/* a jump within a filter leads past 255 at most */
	CONDITIONS_MOST = 100,
	AROUND = 32,	/* instructions beside those */
	EACH_CONDITION = 9
};

struct watch {
	struct listener *listener;
	watch_tell *tell;
	void *context;
	pthread_mutex_t lock;	/* of the plan */
	const struct pinfold_plan *plan;
	struct sock_filter instructions[CALLS_MOST + CONDITIONS_MOST * EACH_CONDITION + AROUND];
	struct sock_fprog filter;
};

/* --- what the plan says -------------------------------------------------------------------------------- */
static size_t told_count(const struct pinfold_plan *plan)
{
	return plan && PINFOLD_REACHES(plan, told_count) && plan->told ? plan->told_count : 0;
}

/* In the layout of whoever made them. */
static struct pinfold_told_call told_at(const struct pinfold_plan *plan, size_t index)
{
	struct pinfold_told_call told = { 0 };
	const char *from = (const char *)plan->told + index * plan->told->size;
	memcpy(&told, from, plan->told->size < sizeof(told) ? plan->told->size : sizeof(told));
	return told;
}

static bool answers(const struct pinfold_plan *plan, int32_t number)
{
	for (size_t i = 0; plan && PINFOLD_HAS(plan, answered) && plan->answer && i < plan->answered_count; i++)
		if (plan->answered[i] == number)
			return true;
	return false;
}

/* --- the filter ---------------------------------------------------------------------------------------- */
/* Asked about by their arguments (add_sending). */
static bool is_sending(int number)
{
	return number == SYS_sendto || number == SYS_sendmsg;
}

static size_t list_numbers(const struct pinfold_plan *plan, uint32_t numbers[CALLS_MOST])
{
	size_t count = 0;
	for (size_t i = 0; i < watched_count && count < CALLS_MOST; i++)
		if (!is_sending(watched_calls[i].number) &&
		    (i == 0 || watched_calls[i].number != watched_calls[i - 1].number))
			numbers[count++] = (uint32_t)watched_calls[i].number;
	for (size_t i = 0; i < told_count(plan) && count < CALLS_MOST; i++)
		if (told_at(plan, i).mask == 0)
			numbers[count++] = (uint32_t)told_at(plan, i).number;
	for (size_t i = 0; PINFOLD_HAS(plan, answered) && i < plan->answered_count && count < CALLS_MOST; i++)
		numbers[count++] = (uint32_t)plan->answered[i];
	return count;
}

static uint32_t argument_at(uint32_t argument)
{
	return (uint32_t)offsetof(struct seccomp_data, args) + argument % 6 * (uint32_t)sizeof(uint64_t);
}

/* A second condition that there is not is met by every value. */
static size_t add_condition(struct sock_filter *at, const struct pinfold_told_call *told)
{
	const struct sock_filter rows[EACH_CONDITION] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)told->number, 0, 7),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(told->argument)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, told->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, told->value, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(told->other_argument)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, told->other_mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, told->other_mask ? told->other_value : 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	memcpy(at, rows, sizeof(rows));
	return EACH_CONDITION;
}

/* What is sent to nobody by name goes where the socket is connected to, and is not asked about; nor is what hands over
 * the listener itself. */
static size_t add_sending(struct sock_filter *at)
{
	const struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(4)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(4) + (uint32_t)sizeof(uint32_t)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, 3),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at(2)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WATCH_HANDING_OVER, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	memcpy(at, rows, sizeof(rows));
	return sizeof(rows) / sizeof(rows[0]);
}

/* What is not asked about goes on, as far as the arm's own filter lets it. */
static void make_filter(struct watch *watch, const struct pinfold_plan *plan)
{
	uint32_t numbers[CALLS_MOST];
	size_t calls = list_numbers(plan, numbers), count = 0, conditions = 0;
	struct sock_filter *filter = watch->instructions;
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < calls; i++)
		filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[i],
							       (uint8_t)(calls - i), 0);
	filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0);
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	count += add_sending(filter + count);
	for (size_t i = 0; i < told_count(plan) && conditions < CONDITIONS_MOST; i++) {
		const struct pinfold_told_call told = told_at(plan, i);
		if (told.mask == 0)
			continue;
		count += add_condition(filter + count, &told);
		conditions++;
	}
	filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	watch->filter = (struct sock_fprog){ (unsigned short)count, filter };
}

/* --- answering ----------------------------------------------------------------------------------------- */
static bool meets(const struct pinfold_told_call *told, const struct pinfold_asked *asked)
{
	uint32_t first = (uint32_t)asked->arguments[told->argument % 6] & told->mask;
	uint32_t second = (uint32_t)asked->arguments[told->other_argument % 6] & told->other_mask;
	return first == told->value && (!told->other_mask || second == told->other_value);
}

/* Is the call one that the arm left to be refused? By its number alone, and its arguments say only what is told. But of
 * one that is watched for what it names they decide: they are the values that the filter had, and no memory. */
static bool find_told(const struct watch *watch, const struct pinfold_asked *asked, struct pinfold_told_call *ret_told)
{
	bool found = false, watched = watch_is_watched(asked->number);
	for (size_t i = 0; i < told_count(watch->plan); i++) {
		const struct pinfold_told_call told = told_at(watch->plan, i);
		bool meant = told.number == asked->number, met = meant && meets(&told, asked);
		if (met || (meant && !found && !watched)) {
			*ret_told = told;
			found = true;
		}
	}
	return found;
}

static long refuse_told(const struct watch *watch, const struct pinfold_told_call *told)
{
	char call[32];	/* "socket" of "socket(AF_INET)" */
	snprintf(call, sizeof(call), "%.*s", (int)strcspn(told->name, "("), told->name);
	if (watch->tell)
		watch->tell(watch->context, &(struct attempt_seen){
			.kind = WATCH_CALL, .call = call, .target = told->name, .lift = told->lift,
		});
	return told->error ? -(long)told->error : -EPERM;
}

/* By nothing that the command has not: the thread's own powers are for telling alone. */
static long answer_barely(const struct watch *watch, const struct pinfold_asked *asked)
{
	struct powers powers = { 0 };
	if (powers_lay_down(&powers) < 0)
		return -EPERM;
	int result = watch->plan->answer(watch->plan, asked);
	if (watch->tell)
		powers_take_up(&powers);
	return result < 0 ? result : 0;
}

/* Only what was asked about to be told may go on; what an arm answers never does. */
static long answer_locked(const struct watch *watch, const struct pinfold_asked *asked)
{
	struct pinfold_told_call told;
	if (!watch->plan)	/* nobody knows what may go on */
		return -ENOSYS;
	if (find_told(watch, asked, &told))
		return refuse_told(watch, &told);
	if (watch->tell)
		watch_look(asked, watch->tell, watch->context);
	if (answers(watch->plan, asked->number))
		return answer_barely(watch, asked);
	return watch->tell && watch_is_watched(asked->number) ? LISTENER_GO_ON : -ENOSYS;
}

static long answer(void *context, const struct pinfold_asked *asked)
{
	struct watch *watch = context;
	pthread_mutex_lock(&watch->lock);
	long result = answer_locked(watch, asked);
	pthread_mutex_unlock(&watch->lock);
	return result;
}

/* --- from the beginning to the end ----------------------------------------------------------------------- */
static void watch_free(struct watch *watch)
{
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

int watch_begin(watch_tell *tell, void *context, struct watch **ret_watch, struct pinfold_error *err)
{
	struct watch *watch = calloc(1, sizeof(*watch));
	if (!watch)
		return fault_no_memory(err);
	watch->tell = tell;
	watch->context = context;
	pthread_mutex_init(&watch->lock, NULL);
	const struct listening listening = { answer, watch, .bare = !tell };
	if (listener_begin(&listening, &watch->listener, err) < 0) {
		watch_free(watch);
		return -1;
	}
	*ret_watch = watch;
	return 0;
}

void watch_plan(struct watch *watch, const struct pinfold_plan *plan)
{
	pthread_mutex_lock(&watch->lock);
	watch->plan = plan;
	if (plan && watch->tell)
		make_filter(watch, plan);
	pthread_mutex_unlock(&watch->lock);
}

int watch_child_end(const struct watch *watch)
{
	return watch ? listener_child_end(watch->listener) : -1;
}

const struct sock_fprog *watch_filter(const struct watch *watch)
{
	return watch->filter.len ? &watch->filter : NULL;
}

void watch_started(struct watch *watch)
{
	if (watch)
		listener_started(watch->listener);
}

const char *watch_end(struct watch *watch, bool all_ended)
{
	if (!watch)
		return NULL;
	const char *trouble = listener_end(watch->listener, all_ended);
	watch_free(watch);
	return trouble;
}
