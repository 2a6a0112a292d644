/* face/denials.c - what a run was refused: the attempts that its policy denies, and that would have come through
 * without it. */
#include "config.h"

#include "face/denials.h"

#include "base/asked.h"
#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "face/face.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *word;
	enum model_operation operation;
} kinds[] = {
	[WATCH_READ] = { "read", MODEL_READ },	     [WATCH_WRITE] = { "write", MODEL_WRITE },
	[WATCH_MAKE] = { "make", MODEL_WRITE },	     [WATCH_REPLACE] = { "replace", MODEL_REPLACE },
	[WATCH_CHANGE] = { "change", MODEL_WRITE },  [WATCH_EXECUTE] = { "execute", MODEL_EXECUTE },
	[WATCH_CONNECT] = { "connect", MODEL_CONNECT }, [WATCH_LISTEN] = { "listen", MODEL_OPERATIONS },
	[WATCH_CALL] = { "call", MODEL_OPERATIONS },
};

/* --- would it have come through? ------------------------------------------------------------------- */
static bool may(const char *path, int how)
{
	return faccessat(AT_FDCWD, path, how, AT_EACCESS) == 0;
}

static bool may_write_beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	auto_free char *parent = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
	return parent && may(parent, W_OK | X_OK);
}

/* By the caller's own hand, outside: what he could not do either is no refusal of ours. */
static bool would_do(const struct attempt_seen *seen)
{
	struct stat about;
	bool there = lstat(seen->target, &about) == 0;
	switch (seen->kind) {
	case WATCH_READ:
		return there && may(seen->target, R_OK);
	case WATCH_EXECUTE:
		return there && !S_ISDIR(about.st_mode) && may(seen->target, X_OK);
	case WATCH_MAKE:
		return there ? S_ISREG(about.st_mode) && may(seen->target, W_OK) : may_write_beside(seen->target);
	case WATCH_REPLACE:
		return there && may_write_beside(seen->target);
	case WATCH_CONNECT:
		return there && S_ISSOCK(about.st_mode) && may(seen->target, W_OK);
	default:
		return there && may(seen->target, W_OK);
	}
}

static bool is_kernels(const char *path)
{
	return path_is_within(path, "/proc") || path_is_within(path, "/dev") || path_is_within(path, "/sys");
}

/* --- by which rule ----------------------------------------------------------------------------------- */
static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *print(const char *format, ...)
{
	struct text text = { 0 };
	va_list list;
	va_start(list, format);
	text_addv(&text, format, list);
	va_end(list);
	return text_take(&text);
}

/* What would let it through. */
static char *lift_of(const struct denials *denials, const struct attempt_seen *seen, const struct model_decision *decision)
{
	const struct pinfold_path *rule = decision->rule;
	const char *slash = strrchr(seen->target, '/');
	int length = (int)strlen(seen->target);
	bool within = seen->kind == WATCH_MAKE || seen->kind == WATCH_REPLACE;
	if (rule && rule->hard)
		return print("nothing lifts that: it is of the hard tier");
	if (rule && (rule->kind == PINFOLD_PATH_HIDE || rule->kind == PINFOLD_PATH_PROTECT))
		return print("leave out what says so, which `pinfold config` shows");
	if (seen->kind == WATCH_READ)
		return print("set [filesystem] readable = %s", seen->target);
	if (seen->kind == WATCH_EXECUTE)
		return print("set [filesystem] executable = %s, and readable where that is set", seen->target);
	if (seen->kind == WATCH_CONNECT)
		return print("set [network] sockets = %s", seen->target);
	if (denials->moved && path_is_within(seen->target, denials->moved))
		return print("name it below the working directory: this arm shows the copy at the copy's place, not at %s",
			     denials->moved);
	if (within && slash)
		length = slash > seen->target ? (int)(slash - seen->target) : 1;
	return print("set [filesystem] writable = %.*s", length, seen->target);
}

static const char *network_word(const struct pinfold_policy *policy)
{
	static const char *const words[] = { "none", "loopback", "host", "ports" };
	return policy->network < N_ELEMENTS(words) ? words[policy->network] : "?";
}

static bool names_port(const uint16_t *ports, size_t count, uint16_t port)
{
	for (size_t i = 0; i < count; i++)
		if (ports[i] == port)
			return true;
	return false;
}

/* Where no port can be listened at it is listen(2) that is refused. */
static bool is_listening_denied(const struct pinfold_policy *policy, uint16_t port)
{
	return policy->network == PINFOLD_NETWORK_PORTS && policy->listen_count > 0 &&
	       !names_port(policy->listen_ports, policy->listen_count, port);
}

static bool is_address_denied(const struct pinfold_policy *policy, const struct attempt_seen *seen)
{
	if (seen->kind == WATCH_LISTEN)
		return is_listening_denied(policy, seen->port);
	if (policy->network == PINFOLD_NETWORK_HOST)
		return false;
	if (policy->network == PINFOLD_NETWORK_PORTS)
		return !names_port(policy->connect_ports, policy->connect_count, seen->port);
	return !seen->loopback;
}

/* Is there such a name outside? The command may have made one of its own inside. */
static bool is_abstract_outside(const char *name)
{
	auto_free char *line = NULL;
	size_t room = 0;
	bool found = false;
	FILE *list = fopen("/proc/net/unix", "re");
	while (list && !found && getline(&line, &room, list) > 0) {
		line[strcspn(line, "\n")] = '\0';
		const char *at = strrchr(line, ' ');
		found = at && streq(at + 1, name);
	}
	if (list)
		fclose(list);
	return found;
}

/* --- was it refused at all? ---------------------------------------------------------------------------- */
static const char *axis_of(const struct attempt_seen *seen)
{
	if (seen->network)
		return "network";
	if (seen->kind == WATCH_CONNECT)
		return "sockets";
	return seen->kind == WATCH_READ || seen->kind == WATCH_EXECUTE ? "secrets" : "writes";
}

/* Does what the caller accepted ("writes", "secrets:/a/b") cover it? */
static bool covers(const char *accepted, const char *axis, const struct attempt_seen *seen)
{
	size_t length = strlen(axis);
	if (strncmp(accepted, axis, length) != 0 || (accepted[length] && accepted[length] != ':'))
		return false;
	const char *part = accepted[length] ? accepted + length + 1 : NULL;
	if (!part || (seen->abstract && streq(part, "abstract")))
		return true;
	if (seen->kind == WATCH_CHANGE && streq(part, "attributes"))
		return true;
	return part[0] == '/' && seen->target[0] == '/' && path_is_within(seen->target, part);
}

/* What the caller has the arm not enforce came through, and so did what it leaves open as a whole: of files it refuses
 * what it can also where it cannot promise all. */
static bool is_enforced(const struct denials *denials, const struct attempt_seen *seen)
{
	uint64_t whole = seen->network ? PINFOLD_BIT(NETWORK) : PINFOLD_BIT(SOCKETS);
	if ((seen->kind == WATCH_CONNECT || seen->kind == WATCH_LISTEN) && !(denials->kept & whole))
		return false;
	for (size_t i = 0; i < denials->relaxed_count; i++)
		if (covers(denials->relaxed[i].name, axis_of(seen), seen))
			return false;
	return true;
}

/* --- remembering ------------------------------------------------------------------------------------- */
static void free_item(struct receipt_denial *item)
{
	char *texts[] = { item->call, item->target, item->why, item->lift };
	for (size_t i = 0; i < N_ELEMENTS(texts); i++)
		free(texts[i]);
}

/* Takes the texts. The lock is held. */
static void remember(struct denials *denials, const struct attempt_seen *seen, uint64_t count, char *why, char *lift)
{
	const char *word = kinds[seen->kind].word;
	struct receipt_denial item = { word, strdup(seen->call), strdup(seen->target), why, lift, count };
	bool whole = item.call && item.target && why && lift;
	for (size_t i = 0; whole && i < denials->count; i++) {
		struct receipt_denial *known = &denials->items[i];
		if (!streq(known->operation, word) || !streq(known->target, item.target))
			continue;
		known->count += count;
		free_item(&item);
		return;
	}
	if (whole && denials->count < DENIALS_MOST) {
		denials->items[denials->count++] = item;
		return;
	}
	denials->more += count;
	free_item(&item);
}

static void judge_network(struct denials *denials, const struct attempt_seen *seen)
{
	const struct pinfold_policy *policy = denials->policy;
	if (seen->abstract ? policy->network == PINFOLD_NETWORK_HOST || !is_abstract_outside(seen->target) :
			     !is_address_denied(policy, seen))
		return;
	char *lift = seen->abstract		? print("set [network] mode = host") :
		     seen->kind == WATCH_LISTEN ? print("set [network] listen = %u", seen->port) :
						  print("set [network] mode = host, or mode = ports and connect = %u", seen->port);
	remember(denials, seen, 1, print("the network is %s", network_word(policy)), lift);
}

static void judge_path(struct denials *denials, const struct attempt_seen *seen)
{
	if (is_kernels(seen->target) || (denials->temporary && path_is_within(seen->target, denials->temporary)))
		return;
	struct model_decision decision = model_decide(&denials->model, kinds[seen->kind].operation, seen->target);
	if (decision.answer != MODEL_DENIED || !would_do(seen))
		return;
	char *why = decision.rule ? print("%s: %s", decision.why, decision.rule->path) : strdup(decision.why);
	remember(denials, seen, 1, why, lift_of(denials, seen, &decision));
}

static void hear(void *context, const struct attempt_seen *seen)
{
	struct denials *denials = context;
	pthread_mutex_lock(&denials->lock);
	if (denials->policy && seen->kind == WATCH_CALL)
		remember(denials, seen, 1, strdup("the filter of system calls refuses it"), strdup(seen->lift));
	else if (denials->policy && is_enforced(denials, seen) && (seen->network || seen->abstract))
		judge_network(denials, seen);
	else if (denials->policy && is_enforced(denials, seen))
		judge_path(denials, seen);
	pthread_mutex_unlock(&denials->lock);
}

/* --- what an arm heard ------------------------------------------------------------------------------- */
_Static_assert((int)PINFOLD_REFUSED_CALL == WATCH_CALL && (int)PINFOLD_REFUSED_CONNECT == WATCH_CONNECT &&
	       (int)PINFOLD_REFUSED_CHANGE == WATCH_CHANGE, "what an arm tells is what is watched elsewhere");

static bool tells_itself(const struct pinfold_arm *arm)
{
	return arm && PINFOLD_HAS(arm, refused);
}

/* What would let a path through, where the arm leaves that to us. */
static char *lift_for_arm(const struct denials *denials, const struct attempt_seen *seen)
{
	if (seen->target[0] != '/' || seen->kind == WATCH_CALL)
		return print("nothing of the policy lifts that");
	struct model_decision decision = model_decide(&denials->model, kinds[seen->kind].operation, seen->target);
	if (decision.answer != MODEL_DENIED)
		return print("nothing lifts that: it is a rule of the arm's own");
	return lift_of(denials, seen, &decision);
}

/* In the layout of whoever made it. */
static void hear_from_arm(void *context, const struct pinfold_refused *from)
{
	struct denials *denials = context;
	struct pinfold_refused refused = { 0 };
	memcpy(&refused, from, from->size < sizeof(refused) ? from->size : sizeof(refused));
	const struct attempt_seen seen = {
		.kind = refused.kind < PINFOLD_REFUSED_CALL ? (enum watch_kind)refused.kind : WATCH_CALL,
		.call = refused.call ? refused.call : "", .target = refused.target ? refused.target : "",
	};
	char *lift = refused.lift ? strdup(refused.lift) : lift_for_arm(denials, &seen);
	pthread_mutex_lock(&denials->lock);
	remember(denials, &seen, refused.count ? refused.count : 1, strdup(refused.why ? refused.why : "the arm refuses it"),
		 lift);
	pthread_mutex_unlock(&denials->lock);
}

static const char *ask_arm(struct pinfold_run *run)
{
	struct denials *denials = run->denials;
	struct prepared_arm *arm = &run->arm;
	if (!run->over || !arm->prepared || denials->idle)
		return NULL;
	turn_take(run->pinfold->registry, arm->arm);
	const char *trouble = arm->arm->refused(arm->host, &arm->plan, hear_from_arm, denials);
	turn_end(run->pinfold->registry, arm->arm);
	if (trouble)
		denials->arms_trouble = strdup(trouble);
	return trouble && !denials->arms_trouble ? "memory is gone" : denials->arms_trouble;
}

/* --- from the beginning to the end ------------------------------------------------------------------ */
static const char nothing_confines[] = "nothing confines the command, so nothing is refused";

int denials_begin(struct pinfold_run *run, struct pinfold_error *err)
{
	bool confined = run->command.where == PINFOLD_WHERE_SANDBOX;
	if (!run->policy->denials || run->throwaway || run->explained || run->becomes)
		return 0;
	run->denials = calloc(1, sizeof(*run->denials));
	if (!run->denials)
		return fault_no_memory(err);
	pthread_mutex_init(&run->denials->lock, NULL);
	run->policy->lowered.tells = confined;
	run->denials->idle = confined ? NULL : nothing_confines;
	return confined ? watch_begin(hear, run->denials, &run->denials->watch, err) : 0;
}

static bool refuses(const struct pinfold_run *run)
{
	return run->choice.offer->offer.kept & (PINFOLD_BIT(WRITES) | PINFOLD_BIT(SECRETS) | PINFOLD_BIT(NETWORK));
}

int denials_check(const struct pinfold_run *run, struct pinfold_error *err)
{
	bool listens = run->denials && !run->denials->idle && refuses(run) && !tells_itself(run->choice.offer->arm);
	const char *trouble = listens ? asked_trouble(false) : NULL;
	if (!trouble)
		return 0;
	return fault(err, PINFOLD_E_SANDBOX_DENIED, 0, "listen to what the command is refused", trouble,
		     "leave out --denials ([pinfold] denials), or start pinfold outside of what is in the way");
}

int denials_child_end(const struct pinfold_run *run)
{
	int end = run->denials ? watch_child_end(run->denials->watch) : -1;
	return end < 0 ? 0 : end;
}

/* By the arm's policy, from here on. */
static void judge_from_now(struct pinfold_run *run, struct denials *denials)
{
	const struct pinfold_plan *plan = &run->arm.plan;
	bool identity = run->arm.arm->placing == PINFOLD_PLACING_IDENTITY;
	bool heard = refuses(run);
	pthread_mutex_lock(&denials->lock);
	denials->idle = heard ? NULL : "the arm refuses nothing, so there is nothing to tell";
	denials->policy = heard && !tells_itself(run->arm.arm) ? &run->arm.policy : NULL;
	denials->temporary = plan->temporary;
	denials->moved = identity ? run->shown.tree : NULL;
	denials->kept = run->choice.offer->offer.kept;
	denials->relaxed = run->relaxed;
	denials->relaxed_count = run->relaxed_count;
	denials->model = (struct model){
		.policy = &run->arm.policy,
		.tree = identity ? run->shown.source : run->shown.tree,
		.own = PINFOLD_REACHES(plan, own) ? plan->own : NULL,
	};
	pthread_mutex_unlock(&denials->lock);
}

int denials_listen(struct pinfold_run *run, struct launch *launch, struct pinfold_error *err)
{
	struct denials *denials = run->denials;
	const struct pinfold_plan *plan = &run->arm.plan;
	bool asked = run->arm.arm && PINFOLD_HAS(plan, answer);
	struct watch *watch = NULL;
	if (denials && run->arm.arm && (denials->watch || tells_itself(run->arm.arm))) {
		judge_from_now(run, denials);
		if (denials_collect_unheard(denials, plan, err) < 0)
			return -1;
		watch = denials->policy || asked ? denials->watch : NULL;
	} else if (asked) {
		if (watch_begin(NULL, NULL, &run->arm.watch, err) < 0)
			return -1;
		watch = run->arm.watch;
	}
	if (watch)
		watch_plan(watch, plan);
	launch->watch = watch ? watch_child_end(watch) : 0;
	launch->watch_filter = watch ? watch_filter(watch) : NULL;
	return 0;
}

void denials_started(struct pinfold_run *run)
{
	watch_started(run->arm.watch);
	if (run->denials)
		watch_started(run->denials->watch);
}

void denials_pause(struct pinfold_run *run)
{
	struct denials *denials = run->denials;
	watch_end(take_pointer(&run->arm.watch), false);
	if (!denials || !denials->watch)
		return;
	watch_plan(denials->watch, NULL);
	pthread_mutex_lock(&denials->lock);
	denials->policy = NULL;
	pthread_mutex_unlock(&denials->lock);
}

void denials_end(struct pinfold_run *run)
{
	struct denials *denials = run->denials;
	if (!denials || denials->ended)
		return;
	bool all_ended = run->over && run->end.left == 0 && !run->lost;
	denials->ended = true;
	denials->trouble = watch_end(take_pointer(&denials->watch), all_ended);
	denials->policy = NULL;
	if (tells_itself(run->arm.arm))
		denials->trouble = ask_arm(run);
	if (run->over)
		denials_say(run);
}

void denials_release(struct pinfold_run *run)
{
	struct denials *denials = run->denials;
	if (!denials)
		return;
	denials_end(run);
	for (size_t i = 0; i < denials->count; i++)
		free_item(&denials->items[i]);
	free(denials->arms_trouble);
	list_release(&denials->unheard);
	pthread_mutex_destroy(&denials->lock);
	free(take_pointer(&run->denials));
}
