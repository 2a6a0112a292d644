/* tests/policy_property/check.c - cases by chance, compared with the model; one that fails is made small. */
#include "config.h"

#include "world.h"

#include "base/text.h"
#include "policy_configured.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Rules by chance: settings, as anybody writes them. */
struct rules {
	char text[PROPERTY_RULES][260];
	size_t count;
};

struct tally {
	unsigned long compared, alike_allowed, alike_denied, stricter, cases, refused, gaps;
};

struct check {
	const struct property_driver *driver;
	struct property_world world;
	struct property_case *tried;	/* shared with children */
	struct tally tally;
	char why[512];
};

static unsigned long next(unsigned long *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static const char *pick(const struct property_world *world, unsigned long *seed, bool socket)
{
	for (;;) {
		const struct property_thing *thing = &world->things[next(seed) % world->count];
		bool rare = thing->kind == THING_SOCKET && !socket && next(seed) % 8;
		if (!rare && (thing->kind != THING_NOTHING || next(seed) % 6 == 0))
			return thing->path;
	}
}

/* A path as it is, through the link, or as a pattern. */
static void spell(const struct property_world *world, unsigned long *seed, const char *path, char *room, size_t size)
{
	char through[160];
	size_t length = strlen(world->home);
	snprintf(through, sizeof(through), "%s/x/a", world->home);
	bool below = strncmp(path, through, strlen(through)) == 0 && path[strlen(through)] == '/';
	unsigned way = next(seed) % 10;
	if (way == 0 && below)
		snprintf(room, size, "%s/link%s", world->home, path + strlen(through));
	else if (way == 1 && strncmp(path, world->home, length) == 0 && path[length] == '/')
		snprintf(room, size, "%s/?%s", world->home, path + length + 2 + strcspn(path + length + 2, "/"));
	else if (way == 2 && strlen(path) > 5 && strcmp(path + strlen(path) - 5, "/file") == 0)
		snprintf(room, size, "%s/x/**/fi*", world->home);
	else
		snprintf(room, size, "%s", path);
}

static void make_rules(const struct check *check, unsigned long *seed, struct rules *rules)
{
	static const char *const keys[] = {
		"filesystem.hidden", "filesystem.hidden", "filesystem.readable", "filesystem.executable",
		"filesystem.writable", "filesystem.writable", "filesystem.writable", "filesystem.protected",
		"filesystem.protected", "network.sockets", "hard.hidden", "hard.protected",
	};
	const struct property_world *world = &check->world;
	bool bounds = next(seed) % 2;
	rules->count = 0;
	for (size_t wanted = 1 + next(seed) % PROPERTY_RULES; rules->count < wanted;) {
		const char *key = keys[next(seed) % N_ELEMENTS(keys)];
		char path[200];
		bool bound = streq(key, "filesystem.readable") || streq(key, "filesystem.executable");
		if (bound && !bounds)
			continue;
		spell(world, seed, pick(world, seed, streq(key, "network.sockets")), path, sizeof(path));
		const char *literal = next(seed) % 6 == 0 ? "=" : "";
		snprintf(rules->text[rules->count++], sizeof(rules->text[0]), "%s=-%s%s", key, literal, path);
	}
	if (next(seed) % 8 == 0)
		snprintf(rules->text[rules->count - 1], sizeof(rules->text[0]), "filesystem.tree=readable");
}

/* NULL where the policy is refused, as many by chance are. */
static struct policy *make_policy(const struct check *check, const struct rules *rules)
{
	const char *settings[PROPERTY_RULES + 1] = { NULL };
	const struct property_world *world = &check->world;
	struct policy_caller caller = { .home = world->home, .tree = world->tree, .scratch = world->scratch,
					.user = geteuid() };
	struct pinfold_error err = { 0 };
	struct policy *policy = NULL;
	for (size_t i = 0; i < rules->count; i++)
		settings[i] = rules->text[i];
	struct config *config = configured(settings);
	int result = policy_build(config, &caller, &policy, &err);
	config_free(config);
	return result < 0 ? NULL : policy;
}

/* Hard protection in the tree is for a tree that is shown itself: here a copy is. */
static void drop_out_of_place(struct policy *policy, const char *tree)
{
	struct pinfold_path *paths = (struct pinfold_path *)policy->lowered.paths;
	size_t kept = 0, length = strlen(tree);
	for (size_t i = 0; i < policy->lowered.path_count; i++) {
		bool in_tree = strncmp(paths[i].path, tree, length) == 0 &&
			       (paths[i].path[length] == '/' || !paths[i].path[length]);
		if (!(paths[i].hard && paths[i].kind == PINFOLD_PATH_PROTECT && in_tree))
			paths[kept++] = paths[i];
	}
	policy->lowered.path_count = kept;
}

static const char *const operations[] = {
	[MODEL_READ] = "read", [MODEL_WRITE] = "write", [MODEL_REPLACE] = "replace",
	[MODEL_EXECUTE] = "execute", [MODEL_CONNECT] = "connect",
};

/* How many outcomes are weaker than the model; the first is told in `why`. */
static unsigned compare(struct check *check, const struct policy *policy, struct tally *tally)
{
	const struct property_world *world = &check->world;
	const struct model model = { &policy->lowered, world->tree, check->driver->own };
	unsigned weaker = 0;
	for (size_t i = 0; i < world->count; i++)
		for (unsigned operation = 0; operation < MODEL_OPERATIONS; operation++) {
			uint8_t outcome = check->tried->outcomes[i][operation];
			struct model_decision decision =
				model_decide(&model, operation, world->things[i].path);
			if (outcome == OUTCOME_UNTRIED || decision.answer == MODEL_OWN)
				continue;
			bool allowed = outcome == OUTCOME_ALLOWED, wanted = decision.answer == MODEL_ALLOWED;
			tally->compared++;
			tally->alike_allowed += allowed && wanted;
			tally->alike_denied += !allowed && !wanted;
			tally->stricter += !allowed && wanted;
			if (getenv("PROPERTY_STRICTER") && !allowed && wanted)
				fprintf(stderr, "stricter: %s %s (%s)\n", operations[operation], world->things[i].path, decision.why);
			if (allowed && !wanted && weaker++ == 0)
				snprintf(check->why, sizeof(check->why), "%s %s is allowed, and the model denies it: %s%s%s",
					 operations[operation], world->things[i].path, decision.why,
					 decision.rule ? ", by " : "", decision.rule ? decision.rule->path : "");
		}
	return weaker;
}

/* -1 where the arm failed or was weaker; 0; 1 where there was nothing to compare. */
static int run_rules(struct check *check, const struct rules *rules, struct tally *tally)
{
	struct policy *policy = make_policy(check, rules);
	if (!policy) {
		tally->refused++;
		return 1;
	}
	drop_out_of_place(policy, check->world.tree);
	memset(check->tried->outcomes, 0, sizeof(check->tried->outcomes));
	int result = check->driver->run(policy, check->tried, check->why, sizeof(check->why));
	if (result == 0) {
		tally->cases++;
		result = compare(check, policy, tally) ? -1 : 0;
	} else if (result > 0) {
		tally->gaps++;
	}
	policy_free(policy);
	return result;
}

/* Leaves out every rule without which it fails as well. */
static void shrink(struct check *check, struct rules *rules)
{
	struct tally unused = { 0 };
	for (size_t i = 0; i < rules->count;) {
		struct rules fewer = *rules;
		memmove(fewer.text[i], fewer.text[i + 1], (rules->count - i - 1) * sizeof(fewer.text[0]));
		fewer.count--;
		if (fewer.count > 0 && run_rules(check, &fewer, &unused) < 0)
			*rules = fewer;
		else
			i++;
	}
	run_rules(check, rules, &unused);
}

static void report(struct check *check, unsigned long seed, struct rules *rules)
{
	shrink(check, rules);
	fprintf(stderr, "%s, seed %lu: %s\n", check->driver->name, seed, check->why);
	for (size_t i = 0; i < rules->count; i++)
		fprintf(stderr, "  --set '%s'\n", rules->text[i]);
	fprintf(stderr, "  tree %s\n", check->world.tree);
}

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);
	return text ? strtoul(text, NULL, 10) : otherwise;
}

static const char *choose_root(void)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *named = getenv("PROPERTY_ROOT"), *home = getenv("HOME");
	return named ? named : user ? user->pw_dir : home ? home : "/";
}

int property_check(const struct property_driver *driver, unsigned long decisions)
{
	struct check check = { .driver = driver };
	struct rules rules;
	int result = 0;
	unsigned long seed = number("PROPERTY_SEED", 1);
	decisions = number("PROPERTY_DECISIONS", decisions);
	world_make(&check.world, choose_root());
	check.tried = mmap(NULL, sizeof(*check.tried), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (check.tried == MAP_FAILED)
		abort();
	check.tried->world = &check.world;
	while (result >= 0 && check.tally.compared < decisions) {
		unsigned long now = seed++, state = now * 0x9e3779b97f4a7c15u + 1;
		for (int i = 0; i < 8; i++)
			next(&state);
		make_rules(&check, &state, &rules);
		result = run_rules(&check, &rules, &check.tally);
		if (result < 0)
			report(&check, now, &rules);
	}
	const struct tally *tally = &check.tally;
	printf("%s: %lu decisions of %lu policies: %lu allowed and %lu denied as the model says, %lu stricter; "
	       "%lu policies refused, %lu with gaps\n", driver->name, tally->compared, tally->cases,
	       tally->alike_allowed, tally->alike_denied, tally->stricter, tally->refused, tally->gaps);
	munmap(check.tried, sizeof(*check.tried));
	if (world_remove(&check.world) < 0)
		result = -1;
	/* An arm that denies everything, or a model that allows everything, would agree as well. */
	bool telling = tally->alike_allowed > decisions / 20 && tally->alike_denied > decisions / 20;
	return result < 0 || !telling ? -1 : 0;
}
