/* face/helpers.c - what preparers want to run inside before the command. */
#include "config.h"

#include "face/helpers.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "face/face.h"

void helpers_release(struct helpers *helpers)
{
	for (size_t i = 0; i < helpers->count; i++) {
		list_release(&helpers->items[i].programs);
		list_release(&helpers->items[i].argv);
	}
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

int helpers_add(struct pinfold_run *run, const struct preparer *preparer)
{
	struct helpers *helpers = &run->helpers;
	bool confined = helpers_end(run) && run->choice.offer->offer.kept & PINFOLD_BIT(WRITES);
	const char *const *argv = confined ? preparer->preparation.inside : NULL;
	const char *path = surroundings_value((const char *const *)run->environment.variables.items, "PATH");
	if (!argv || !argv[0] || !argv[0][0] || helpers->count == TOOLCHAINS_MOST || is_there(helpers, argv))
		return 0;
	struct helper *helper = &helpers->items[helpers->count++];
	for (size_t i = 0; argv[i]; i++)
		if (list_add(&helper->argv, argv[i]) < 0)
			return -1;
	if (list_programs(argv[0], path ? path : "/usr/local/bin:/bin:/usr/bin", &helper->programs) < 0)
		return -1;
	helpers->launched[helpers->count - 1] = (struct launch_helper){
		.programs = (const char *const *)helper->programs.items,
		.argv = (const char *const *)helper->argv.items,
	};
	return 0;
}
