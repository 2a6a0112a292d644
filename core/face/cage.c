/* face/cage.c - cages: what is the same for many runs, made once and kept by what it was made from. */
#include "config.h"

#include "face/cage.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "face/face.h"

#include <stdlib.h>
#include <string.h>

/* A chosen arm, shared by the runs of a cage: it goes with the last of them. */
struct cage_choice {
	unsigned users;	/* under the cage's lock */
	bool tried;	/* a run has started with it: what was found to be true then need not be any more */
	struct arms_choice choice;
};

struct pinfold_cage {
	struct cages *home;	/* where it is kept, as long as `kept` */
	struct pinfold *owner;	/* the handle that it was asked of */
	char *key;
	struct pinfold *pinfold;	/* the configuration and the modules that it is made from */
	struct cage_choice *choice;	/* NULL: not made yet, or no longer true */
	char *directory;	/* where a command says none; NULL: the process's own */
	uint32_t where;
	unsigned users;	/* under the lock of `home`: handles, and runs */
	uint64_t used;	/* when it was last asked for, counted */
	bool kept;
	pthread_mutex_t lock;	/* for the choice */
};

/* --- the arm of a cage ---------------------------------------------------------------------------- */
static void choice_drop(struct cage_choice *choice)
{
	if (!choice || --choice->users > 0)
		return;
	arms_choice_release(&choice->choice);
	free(choice);
}

static struct cage_choice *choice_new(struct pinfold_run *run, struct pinfold_error *err)
{
	struct pinfold *pinfold = run->pinfold;
	struct cage_choice *choice = calloc(1, sizeof(*choice));
	const struct arms_group group = ceilings_answer(run);
	if (!choice)
		fault_no_memory(err);
	else if (arms_choose(pinfold->registry, pinfold->config, run->policy->require, false, &group, &choice->choice,
			     err) < 0)
		free(take_pointer(&choice));
	else
		choice->users = 1;
	return choice;
}

int cage_choose(struct pinfold_run *run, struct pinfold_error *err)
{
	struct pinfold_cage *cage = run->cage;
	pthread_mutex_lock(&cage->lock);
	if (!cage->choice)
		cage->choice = choice_new(run, err);
	if (cage->choice) {
		cage->choice->users++;
		run->shared_choice = cage->choice;
		run->choice = cage->choice->choice;
	}
	pthread_mutex_unlock(&cage->lock);
	return run->shared_choice ? 0 : -1;
}

bool cage_choice_was_tried(const struct pinfold_run *run)
{
	return run->shared_choice && __atomic_load_n(&run->shared_choice->tried, __ATOMIC_RELAXED);
}

void cage_choice_is_true(struct pinfold_run *run)
{
	if (run->shared_choice)
		__atomic_store_n(&run->shared_choice->tried, true, __ATOMIC_RELAXED);
}

/* The next run of the cage looks anew. */
void cage_choice_is_untrue(struct pinfold_run *run)
{
	struct pinfold_cage *cage = run->cage;
	if (!run->shared_choice)
		return;
	pthread_mutex_lock(&cage->lock);
	if (cage->choice == run->shared_choice) {
		choice_drop(cage->choice);
		cage->choice = NULL;
	}
	pthread_mutex_unlock(&cage->lock);
}

void cage_choice_release(struct pinfold_run *run)
{
	if (run->shared_choice) {
		pthread_mutex_lock(&run->cage->lock);
		choice_drop(take_pointer(&run->shared_choice));
		pthread_mutex_unlock(&run->cage->lock);
	} else {
		arms_choice_release(&run->choice);
	}
	run->choice = (struct arms_choice){ 0 };
}

/* --- making and keeping --------------------------------------------------------------------------- */
static void cage_free(struct pinfold_cage *cage)
{
	if (!cage)
		return;
	choice_drop(cage->choice);
	pinfold_free(cage->pinfold);
	pthread_mutex_destroy(&cage->lock);
	free(cage->directory);
	free(cage->key);
	free(cage);
}

static const char action[] = "read what cage is wanted";

static int read_order(const struct pinfold_cage_order *from, struct pinfold_cage_order *ret_order,
		      struct pinfold_error *err)
{
	struct pinfold_cage_order order = { 0 };
	if (!from || from->size < offsetof(struct pinfold_cage_order, settings))
		return fault(err, PINFOLD_E_USAGE, 0, action, "its structure has no size",
			     "set `size` to sizeof(struct pinfold_cage_order)");
	memcpy(&order, from, from->size < sizeof(order) ? from->size : sizeof(order));
	if (order.where > PINFOLD_WHERE_HOST)
		return fault(err, PINFOLD_E_USAGE, 0, action, "an unknown placement",
			     "use PINFOLD_WHERE_SANDBOX or PINFOLD_WHERE_HOST");
	*ret_order = order;
	return 0;
}

/* Everything that makes one cage differ from another; no text of a setting can look like two. */
static char *key_of(const struct pinfold_cage_order *order)
{
	struct text key = { 0 };
	const char *directory = order->directory ? order->directory : "";
	text_addf(&key, "%u %zu:%s", order->where, strlen(directory), directory);
	for (size_t i = 0; order->settings && order->settings[i]; i++)
		text_addf(&key, " %zu:%s", strlen(order->settings[i]), order->settings[i]);
	return text_take(&key);
}

/* The owner's own settings, then the cage's. */
static int open_configuration(struct pinfold *owner, const struct pinfold_cage_order *order,
			      struct pinfold **ret_pinfold, struct pinfold_error *err)
{
	auto_list struct list settings = { 0 };
	for (size_t i = 0; i < owner->settings.count; i++)
		if (list_add(&settings, owner->settings.items[i]) < 0)
			return fault_no_memory(err);
	for (size_t i = 0; order->settings && order->settings[i]; i++)
		if (list_add(&settings, order->settings[i]) < 0)
			return fault_no_memory(err);
	const struct pinfold_options options = {
		.size = sizeof(options),
		.config_file = owner->config_file,
		.settings = (const char *const *)settings.items,
		.log = owner->log,
		.log_context = owner->log_context,
		.built_in = owner->built_in,
	};
	return pinfold_new(&options, ret_pinfold, err);
}

static struct pinfold_cage *cage_new(struct pinfold *owner, const struct pinfold_cage_order *order,
				     char *key, struct pinfold_error *err)
{
	struct pinfold_cage *cage = calloc(1, sizeof(*cage));
	if (!cage || pthread_mutex_init(&cage->lock, NULL) != 0) {
		free(cage);
		fault_no_memory(err);
		return NULL;
	}
	cage->where = order->where;
	cage->users = 1;
	if (order->directory && !(cage->directory = strdup(order->directory))) {
		fault_no_memory(err);
		cage_free(cage);
		return NULL;
	}
	if (open_configuration(owner, order, &cage->pinfold, err) < 0) {
		cage_free(cage);
		return NULL;
	}
	cage->home = &owner->cages;
	cage->owner = owner;
	cage->key = key;
	return cage;
}

/* The cages are locked. The one that was not asked for the longest time gives way; NULL where there is room. */
static struct pinfold_cage *make_room(struct cages *cages)
{
	struct pinfold_cage **least = NULL;
	for (size_t i = 0; i < N_ELEMENTS(cages->kept); i++) {
		struct pinfold_cage **at = &cages->kept[i];
		if (!*at)
			return NULL;
		if (!least || (*at)->used < (*least)->used)
			least = at;
	}
	struct pinfold_cage *gone = *least;
	*least = NULL;
	gone->kept = false;
	return gone->users == 0 ? gone : NULL;
}

/* The cages are locked. */
static struct pinfold_cage *find(struct cages *cages, const char *key)
{
	for (size_t i = 0; i < N_ELEMENTS(cages->kept); i++) {
		struct pinfold_cage *cage = cages->kept[i];
		if (!cage || !streq(cage->key, key))
			continue;
		cage->users++;
		cage->used = ++cages->clock;
		return cage;
	}
	return NULL;
}

/* Another thread may have made the same one meanwhile: then that is taken, and ours goes. */
static struct pinfold_cage *keep(struct cages *cages, struct pinfold_cage *cage)
{
	struct pinfold_cage *gone = NULL;
	pthread_mutex_lock(&cages->lock);
	struct pinfold_cage *there = find(cages, cage->key);
	if (!there) {
		gone = make_room(cages);
		for (size_t i = 0; i < N_ELEMENTS(cages->kept) && !cage->kept; i++)
			if (!cages->kept[i]) {
				cages->kept[i] = cage;
				cage->kept = true;
			}
		cage->used = ++cages->clock;
	}
	pthread_mutex_unlock(&cages->lock);
	cage_free(there ? cage : gone);
	return there ? there : cage;
}

int pinfold_cage_open(struct pinfold *pinfold, const struct pinfold_cage_order *given,
		      struct pinfold_cage **ret_cage, struct pinfold_error *err)
{
	struct pinfold_cage_order order = { 0 };
	if (!pinfold || !ret_cage)
		return fault(err, PINFOLD_E_USAGE, 0, action, "a null pointer",
			     "give a handle, and room for the cage");
	if (read_order(given, &order, err) < 0)
		return -1;
	auto_free char *key = key_of(&order);
	if (!key)
		return fault_no_memory(err);
	pthread_mutex_lock(&pinfold->cages.lock);
	struct pinfold_cage *cage = find(&pinfold->cages, key);
	pthread_mutex_unlock(&pinfold->cages.lock);
	if (!cage) {
		cage = cage_new(pinfold, &order, key, err);
		if (!cage)
			return -1;
		take_pointer(&key);
		cage = keep(&pinfold->cages, cage);
	}
	*ret_cage = cage;
	return 0;
}

void pinfold_cage_close(struct pinfold_cage *cage)
{
	if (!cage)
		return;
	struct cages *cages = cage->home;
	pthread_mutex_lock(&cages->lock);
	bool last = --cage->users == 0 && !cage->kept;
	pthread_mutex_unlock(&cages->lock);
	if (last)
		cage_free(cage);
}

/* The command as the cage runs it. */
static int read_command(const struct pinfold_cage *cage, const struct pinfold_command *given,
			struct pinfold_command *ret_command, struct pinfold_error *err)
{
	struct pinfold_command command;
	if (command_read(given, &command, err) < 0)
		return -1;
	command.where = cage->where;
	if (!command.directory)
		command.directory = cage->directory;
	return command_read(&command, ret_command, err);
}

int pinfold_cage_start(struct pinfold_cage *cage, const struct pinfold_command *given,
		       struct pinfold_run **ret_run, struct pinfold_error *err)
{
	struct pinfold_command command;
	if (!cage || !ret_run)
		return fault(err, PINFOLD_E_USAGE, 0, "start a run", "a null pointer",
			     "give a cage, and room for the run");
	if (read_command(cage, given, &command, err) < 0)
		return -1;
	pthread_mutex_lock(&cage->home->lock);
	cage->users++;
	pthread_mutex_unlock(&cage->home->lock);
	return run_begin(cage->pinfold, cage, &command, ret_run, err);
}

int pinfold_cage_describe(struct pinfold_cage *cage, const struct pinfold_command *given, uint32_t form,
			  char **ret_document, struct pinfold_error *err)
{
	struct pinfold_command command;
	if (read_command(cage, given, &command, err) < 0)
		return -1;
	return pinfold_describe_run(cage->pinfold, &command, form, ret_document, err);
}

struct pinfold *cage_owner(const struct pinfold_run *run)
{
	return run->cage ? run->cage->owner : run->pinfold;
}

void cages_release(struct cages *cages)
{
	for (size_t i = 0; i < N_ELEMENTS(cages->kept); i++)
		cage_free(take_pointer(&cages->kept[i]));
}
