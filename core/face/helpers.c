/* face/helpers.c - what preparers want to run inside before the command. */
#include "config.h"

#include "face/helpers.h"

#include "base/cleanup.h"
#include "base/places.h"
#include "base/text.h"
#include "cage/protocol.h"
#include "face/face.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void helpers_release(struct helpers *helpers)
{
	for (size_t i = 0; i < helpers->count; i++) {
		list_release(&helpers->items[i].programs);
		list_release(&helpers->items[i].argv);
		list_release(&helpers->items[i].words);
	}
	if (helpers->image)
		munmap(helpers->image, helpers->image_bytes);
	*helpers = (struct helpers){ 0 };
}

/* Where the command would look for it. */
static int list_programs(const char *name, const char *path, struct list *ret_programs)
{
	if (strchr(name, '/'))
		return list_add(ret_programs, name);
	for (bool more = true; more; path++) {
		size_t length = strcspn(path, ":");
		if (list_addf(ret_programs, "%.*s/%s", length ? (int)length : 1, length ? path : ".", name) < 0)
			return -1;
		path += length;
		more = *path == ':';
	}
	return 0;
}

static bool is_there(const struct helpers *helpers, const char *const *argv)
{
	for (size_t i = 0; i < helpers->count; i++) {
		const char *const *one = (const char *const *)helpers->items[i].argv.items;
		size_t at = 0;
		while (one[at] && argv[at] && streq(one[at], argv[at]))
			at++;
		if (!one[at] && !argv[at])
			return true;
	}
	return false;
}

bool helpers_end(const struct pinfold_run *run)
{
	const uint64_t wanted = PINFOLD_BIT(PROCESS_TREE) | PINFOLD_BIT(PROCESSES);
	return run->choice.offer && (run->choice.offer->offer.kept & wanted) == wanted;
}

static const char *value_of(const struct pinfold_run *run, const char *name)
{
	return surroundings_value((const char *const *)run->environment.variables.items, name);
}

/* The supervisor's program, read once. */
static bool read_image(struct helpers *helpers)
{
	struct stat about;
	auto_close int file = helpers->image ? -1 : open(places_init(), O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &about) < 0 || about.st_size <= 0)
		return helpers->image;
	void *image = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (image == MAP_FAILED)
		return false;
	helpers->image = image;
	helpers->image_bytes = (size_t)about.st_size;
	return true;
}

/* Where clients will look, and in the same order where the helper will listen: "NAME=value" of each. Others are left out:
 * a helper that nobody can be led to is started by nobody. */
static int pair_endpoints(const struct pinfold_run *run, const char *const *behind, struct launch_door *door,
			  struct list *entrances, struct list *inner)
{
	struct endpoint ignored;
	for (; *behind && door->entrance_count < DOOR_ENTRANCES_MOST; behind++) {
		auto_free char *name = strndup(*behind, strcspn(*behind, "="));
		const char *outer = name ? value_of(run, name) : NULL;
		if (!name)
			return -1;
		if (!outer || !strchr(*behind, '=') || endpoint_of(strchr(*behind, '=') + 1, &ignored) < 0 ||
		    endpoint_of(outer, &door->entrances[door->entrance_count]) < 0)
			continue;
		door->entrance_count++;
		if (list_add(entrances, outer) < 0 || list_add(inner, strchr(*behind, '=') + 1) < 0)
			return -1;
	}
	return 0;
}

static int add_all(struct list *words, const char *const *more)
{
	for (; more && *more; more++)
		if (list_add(words, *more) < 0)
			return -1;
	return 0;
}

static size_t count_of(const char *const *items)
{
	size_t count = 0;
	while (items && items[count])
		count++;
	return count;
}

/* As INIT_AS_DOOR wants them. */
static int say(const struct pinfold_preparation *needs, const struct helper *helper, const struct list *entrances,
	       const struct list *inner, struct list *words)
{
	const size_t counts[] = { entrances->count, inner->count, helper->programs.count,
				  count_of(needs->behind) + count_of(needs->inside_environment) };
	int result = list_add(words, "pinfold-init") | list_add(words, INIT_AS_DOOR);
	for (size_t i = 0; i < N_ELEMENTS(counts); i++)
		result |= list_addf(words, "%zu", counts[i]);
	const char *const *const parts[] = {
		(const char *const *)entrances->items, (const char *const *)inner->items,
		(const char *const *)helper->programs.items, needs->behind, needs->inside_environment,
		(const char *const *)helper->argv.items,
	};
	for (size_t i = 0; i < N_ELEMENTS(parts); i++)
		result |= add_all(words, parts[i]);
	return result;
}

/* Without an entrance, or where the program cannot be read, there is no door, and clients start a helper themselves. */
static int make_door(const struct pinfold_run *run, const struct pinfold_preparation *needs, struct helpers *helpers,
		     struct helper *helper, struct launch_helper *launched)
{
	auto_list struct list entrances = { 0 }, inner = { 0 };
	launched->door = &helper->door;
	if (pair_endpoints(run, needs->behind, &helper->door, &entrances, &inner) < 0 ||
	    say(needs, helper, &entrances, &inner, &helper->words) < 0)
		return -1;
	if (!read_image(helpers))
		helper->door.entrance_count = 0;
	helper->door.image = helpers->image;
	helper->door.image_bytes = helpers->image_bytes;
	helper->door.argv = (const char *const *)helper->words.items;
	return 0;
}

int helpers_add(struct pinfold_run *run, const struct preparer *preparer)
{
	struct helpers *helpers = &run->helpers;
	const struct pinfold_preparation *needs = &preparer->preparation;
	bool confined = helpers_end(run) && run->choice.offer->offer.kept & PINFOLD_BIT(WRITES);
	const char *const *argv = confined ? needs->inside : NULL;
	const char *path = value_of(run, "PATH");
	if (!argv || !argv[0] || !argv[0][0] || helpers->count == TOOLCHAINS_MOST || is_there(helpers, argv))
		return 0;
	size_t at = helpers->count++;
	struct helper *helper = &helpers->items[at];
	if (add_all(&helper->argv, argv) < 0 ||
	    list_programs(argv[0], path ? path : "/usr/local/bin:/bin:/usr/bin", &helper->programs) < 0)
		return -1;
	helpers->launched[at] = (struct launch_helper){
		.programs = (const char *const *)helper->programs.items,
		.argv = (const char *const *)helper->argv.items,
	};
	return needs->behind ? make_door(run, needs, helpers, helper, &helpers->launched[at]) : 0;
}
