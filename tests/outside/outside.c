/* outside.c - a plugin outside of pinfold's tree, to start your own from: an arm, a view and a wrapper. The
 * manual page pinfold-plugin-guide(7) tells it step by step.
 *
 * To use it, put outside.so into pinfold's plugin directory, or into one that a file of the site
 * names, and say that it may be loaded:
 *
 *     [pinfold]
 *     plugins = namespaces, copytree, outside
 *     plugin-directories = /opt/outside
 *
 *     [arm:outside]
 *     greeting = good morning
 *
 * `pinfold plugins` then lists it, or says what is wrong with it, and `pinfold run --arm outside`
 * uses it. It confines next to nothing: the command works on the copy of the tree and cannot raise
 * its privileges. What matters is that it says so.
 */
#include <pinfold/arm.h>
#include <pinfold/view.h>
#include <pinfold/wrapper.h>

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* The number of axes that this arm answers. With a later pinfold that has one more, this line breaks
 * the build until the new one has its answer; what was built before goes on to work. */
PINFOLD_ARM_ANSWERS(11);

/* The keys of [arm:outside]. The host refuses every other key, checks the values, and shows the help.
 * Each entry has its size, as every structure that crosses the interface; the last has no name. */
static const struct pinfold_key arm_keys[] = {
	{ sizeof(struct pinfold_key), PINFOLD_KEY_TEXT, "greeting", NULL, NULL,
	  "what the arm says before a run; nothing when it is not set" },
	{ .size = sizeof(struct pinfold_key) },
};

/* What does this machine let us promise? Never assume: do it, and look. The host calls this in a
 * process of its own with a time limit, so that nothing done here stays done. */
static int outside_probe(const struct pinfold_host *host, struct pinfold_offer *offer,
			 struct pinfold_error *err)
{
	(void)err;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
		/* A refusal is no error: it says what is missing, and what would lift it. */
		offer->missing = host->print(host, "no_new_privs: %s", strerror(errno));
		offer->lift = "use a kernel from 3.5 on";
		return 0;
	}
	offer->available = 1;
	/* Every axis has an answer, and here nearly every answer is no. */
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		offer->note[axis] = "the arm outside confines nothing";
	offer->note[PINFOLD_AXIS_FILESYSTEM] = "an absolute path still leads to the original tree";
	return 0;
}

/* The directory in the copy that is at the place of the command's in the tree. */
static const char *directory_in_copy(const struct pinfold_host *host,
				     const struct pinfold_shown *shown)
{
	return host->print(host, "%s%s", shown->source, shown->directory + strlen(shown->tree));
}

/* Everything that can fail or needs memory happens here, before there is a child. */
static int outside_prepare(const struct pinfold_host *host, const struct pinfold_policy *policy,
			   const struct pinfold_shown *shown, struct pinfold_plan *plan,
			   struct pinfold_error *err)
{
	if (shown->kind != PINFOLD_SHOW_DIRECTORY)
		return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "show the working tree",
				  "the arm outside shows a copy only", "set [pinfold] view = copy");
	plan->directory = directory_in_copy(host, shown);
	plan->temporary = shown->temporary;
	if (!plan->directory)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm outside", NULL, NULL);

	/* What the policy asks for and this arm cannot enforce is a gap. The host refuses the run where
	 * a promise or a requirement would be broken, and notes the gap otherwise. */
	struct pinfold_gap *gap = host->allocate(host, sizeof(*gap));
	if (!gap)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the arm outside", NULL, NULL);
	gap->size = sizeof(*gap);
	gap->construct = "network";
	gap->name = "network";
	gap->why = "the arm outside leaves the network open";
	gap->lift = "use the arm namespaces";
	plan->gaps = gap;
	plan->gap_count = policy->network != PINFOLD_NETWORK_HOST;

	/* The command shows warnings; who embeds the library may show the lesser levels as well. */
	const char *greeting = host->setting(host, "greeting");
	if (greeting)
		host->log(host, PINFOLD_LOG_WARNING, greeting);
	return 0;
}

/* In the child, which may still share memory with its parent: system calls by `host->call` alone, no
 * errno, no allocation, no library. What is negative here keeps the command from ever running. */
static int outside_enter(const struct pinfold_plan *plan, uint32_t stage)
{
	const struct pinfold_host *host = plan->host;
	switch (stage) {
	case PINFOLD_STAGE_APPLY:
		return (int)host->call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0);
	case PINFOLD_STAGE_VERIFY:
		/* Never trust that it held: look. */
		return host->call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0) == 1 ? 0 : -EPERM;
	default:
		return 0;	/* stages to come are none of ours */
	}
}

static const struct pinfold_arm arm = {
	.size = sizeof(arm),
	.placing = PINFOLD_PLACING_IDENTITY,	/* the command sees the copy at the copy's own path */
	.name = "outside",
	.summary = "the example: a copy of the tree and no new privileges",
	.keys = arm_keys,
	.probe = outside_probe,
	.prepare = outside_prepare,
	.enter = outside_enter,
	/* settle and release: nothing to do, so they are absent */
};

/* The view `fresh`: a copy of the tree that no later command sees. The host has the engine that copies. */
struct fresh {
	struct pinfold_copy *copy;
};

static int fresh_open(const struct pinfold_host *host, const char *tree, const char *session,
		      uint32_t placing, uint64_t kept, void **ret_state, struct pinfold_error *err)
{
	(void)placing;
	if (session)
		return host->fail(err, PINFOLD_E_SESSION, 0, "open the view fresh", session,
				  "leave --session out: this view keeps nothing");
	struct fresh *fresh = host->allocate(host, sizeof(*fresh));
	if (!fresh)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "open the view fresh", NULL, NULL);
	/* Where the arm does not keep `writes`, a link out of the tree would let a write through. */
	uint32_t follow_out = !(kept & PINFOLD_BIT(WRITES));
	*ret_state = fresh;
	return host->trees->open(host, tree, follow_out, NULL, &fresh->copy, err);
}

static int look_at(const struct pinfold_host *host, const char *path, uint64_t *ret_device,
		   uint64_t *ret_inode, struct pinfold_error *err)
{
	struct stat found;
	if (lstat(path, &found) < 0)
		return host->fail(err, PINFOLD_E_TREE, errno, "look at the copy", path, NULL);
	*ret_device = found.st_dev;
	*ret_inode = found.st_ino;
	return 0;
}

/* The device and the inode say which directory was meant, whatever its path leads to later. */
static int fresh_sync(const struct pinfold_host *host, void *state, struct pinfold_shown *shown,
		      struct pinfold_work *work, struct pinfold_error *err)
{
	struct fresh *fresh = state;
	if (host->trees->sync(fresh->copy, work, err) < 0)
		return -1;
	shown->kind = PINFOLD_SHOW_DIRECTORY;
	shown->source = host->trees->directory(fresh->copy);
	shown->temporary = host->trees->temporary(fresh->copy);
	if (look_at(host, shown->source, &shown->source_device, &shown->source_inode, err) < 0)
		return -1;
	return look_at(host, shown->temporary, &shown->temporary_device, &shown->temporary_inode, err);
}

static void fresh_close(const struct pinfold_host *host, void *state, uint32_t keep)
{
	struct fresh *fresh = state;
	(void)keep;
	if (fresh)
		host->trees->close(fresh->copy, PINFOLD_COPY_RETIRE);
}

static const struct pinfold_view view = {
	.size = sizeof(view),
	.name = "fresh",
	.summary = "the example: a copy of the tree that goes when its command has ended",
	.open = fresh_open,
	.sync = fresh_sync,
	.close = fresh_close,
};

/* A wrapper is known by the name of its program's file. */
static int outside_matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	return strcmp(file_name, "outside-cache") == 0;
}

/* Says what the wrapper needs, and does nothing itself. Confined, its cache is read from the host and
 * written to a private layer; were there a helper, the wrapper would start it inside. */
static int outside_ready(const struct pinfold_host *host,
			 const struct pinfold_wrapper_context *context,
			 struct pinfold_preparation *ret_preparation, void **ret_state,
			 struct pinfold_error *err)
{
	static const char *const environment[] = { "OUTSIDE_CC_COLOR=never", NULL };
	const char **layers = host->allocate(host, 2 * sizeof(*layers));
	*ret_state = NULL;
	ret_preparation->environment = environment;
	if (!context->confined || !context->home)
		return 0;
	if (layers)
		layers[0] = host->print(host, "%s/.cache/outside-cache", context->home);
	if (!layers || !layers[0])
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "prepare the wrapper outside", NULL,
				  "free memory on this machine and try again");
	ret_preparation->layers = layers;
	return 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "outside",
	.summary = "the example: the wrapper outside-cache, which has a cache and no helper",
	.matches = outside_matches,
	.ready = outside_ready,	/* an older host does not know it, and reads no further */
};

static const struct pinfold_arm *const arms[] = { &arm, NULL };
static const struct pinfold_view *const views[] = { &view, NULL };
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

/* The one symbol. Its name is that of the file, without the ending. */
const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "outside",
	.version = "1.0",
	.summary = "an example of a plugin outside of pinfold's tree",
	.arms = arms,
	.views = views,
	.wrappers = wrappers,
	.manual = "pinfold-plugin-guide(7)",	/* one of your own, where you write it */
};
