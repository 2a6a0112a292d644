/* tree/follow.c - links that leave the tree, for arms in which a link would let a write through. */
#include "config.h"

#include "tree/follow.h"

#include "base/cleanup.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

static int open_following(int dir, const char *path, uint64_t resolve)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_NO_MAGICLINKS | resolve };
	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int follow_policy(const struct mirror_order *order, struct policy **ret_policy, struct pinfold_error *err)
{
	auto_free char *home = path_home();
	struct policy_caller caller = { .home = home, .tree = order->tree, .scratch = order->scratch,
					.environment = (const char *const *)environ,
					.user = geteuid() };
	return policy_build(order->config, &caller, ret_policy, err);
}

/* The hidden paths of the policy, found out when the first link leaves the tree. */
static const struct policy *hidden_paths(struct worker *worker)
{
	struct mirror *mirror = worker->mirror;
	pthread_mutex_lock(&mirror->lock);
	if (!mirror->policy && !mirror->failed &&
	    follow_policy(mirror->order, &mirror->policy, mirror->err) < 0)
		mirror->failed = 1;
	pthread_mutex_unlock(&mirror->lock);
	return mirror->policy;
}

/* Is `path` hidden, or (for `around`) something below it? NULL, or the hidden path. */
static const char *hidden_at(const struct policy *policy, const char *path, bool around)
{
	for (size_t i = 0; i < policy->lowered.path_count; i++) {
		const struct pinfold_path *hidden = &policy->lowered.paths[i];
		if (hidden->kind == PINFOLD_PATH_HIDE &&
		    (around ? path_is_within(hidden->path, path) : path_is_within(path, hidden->path)))
			return hidden->path;
	}
	return NULL;
}

/* Text alone: does `target`, read at this depth below the tree, climb out of it? */
static bool climbs_out(const char *target, uint32_t depth)
{
	int64_t level = depth;
	if (target[0] == '/')
		return true;
	for (const char *at = target; *at; at += strspn(at, "/")) {
		size_t bytes = strcspn(at, "/");
		if (bytes == 2 && at[0] == '.' && at[1] == '.')
			level--;
		else if (bytes > 0 && !(bytes == 1 && at[0] == '.'))
			level++;
		if (level < 0)
			return true;
		at += bytes;
	}
	return false;
}

static bool has_dots(const char *path)
{
	return strstr(path, "/../") || strstr(path, "/./") || ends_with(path, "/..");
}

bool follow_leaves(const struct worker *worker, const char *target)
{
	const struct folder *folder = worker->folder;
	return climbs_out(target, folder->depth - (folder->base ? folder->base_depth : 0));
}

/* The directory of the copy that stands for the nearest one that `path` lies in, and how long that one's
 * path is. */
static const char *copy_of(const struct mirror_order *order, const char *path, size_t *ret_length)
{
	const char *copy = path_is_within(path, order->tree) ? order->copy : NULL;
	*ret_length = copy && !streq(order->tree, "/") ? strlen(order->tree) : 0;
	for (size_t i = 0; i < order->beside_count; i++) {
		const struct mirror_beside *beside = &order->beside[i];
		if (!path_is_within(path, beside->path) || strlen(beside->path) < *ret_length)
			continue;
		*ret_length = strlen(beside->path);
		copy = beside->copy;
	}
	return copy;
}

char *follow_in_copy(const struct worker *worker, const char *path, bool *ret_copied)
{
	size_t length;
	const struct mirror_order *order = worker->mirror->order;
	const char *copy = path[0] == '/' && !has_dots(path) ? copy_of(order, path, &length) : NULL;
	struct text text = { 0 };
	*ret_copied = copy != NULL;
	if (copy)
		text_addf(&text, "%s%s", copy, path + length);
	else
		text_addf(&text, "%s/../nowhere/%s", order->copy, path + strspn(path, "/"));
	return text_take(&text);
}

static int rewrite(struct worker *worker, struct sides *sides, const char *path)
{
	bool copied;
	sides->target = follow_in_copy(worker, path, &copied);
	sides->flags |= INDEX_FOLLOWED;
	return sides->target ? FOLLOW_REWRITTEN : trouble_memory(worker->mirror);
}

/* A link to what is not there: writing through it must not make it. */
static int follow_broken(struct worker *worker, const char *name, struct sides *sides)
{
	char target[PATH_MAX + 1];
	ssize_t bytes = readlinkat(worker->source_fd, name, target, PATH_MAX);
	if (bytes < 0)
		return FOLLOW_AS_IT_IS;
	target[bytes] = '\0';
	if (!follow_leaves(worker, target))
		return FOLLOW_AS_IT_IS;
	return rewrite(worker, sides, target);
}

static bool is_loop(const struct worker *worker, const struct stamp *target)
{
	const struct stamp *tree = &worker->mirror->root.source;
	if (target->device == tree->device && target->inode == tree->inode)
		return true;
	for (const struct follow_base *base = worker->folder->base; base; base = base->outer)
		if (base->device == target->device && base->inode == target->inode)
			return true;
	return false;
}

static int add_base(struct worker *worker, struct sides *sides, int *fd, char **path,
		    const struct policy *policy)
{
	struct mirror *mirror = worker->mirror;
	struct follow_base *base = calloc(1, sizeof(*base));
	if (!base)
		return trouble_memory(mirror);
	base->outer = worker->folder->base;
	base->device = sides->source.device;
	base->inode = sides->source.inode;
	base->holds_hidden = hidden_at(policy, *path, true) != NULL;
	base->fd = take_fd(fd);
	base->path = take_pointer(path);
	pthread_mutex_lock(&mirror->lock);
	base->next = mirror->bases;
	mirror->bases = base;
	pthread_mutex_unlock(&mirror->lock);
	sides->base = base;
	return FOLLOW_REPLACED;
}

/* It leads to `path`, which is open at `fd` and not in the tree. */
static int follow_out(struct worker *worker, const char *name, struct sides *sides, int *fd,
		      char **path)
{
	struct stamp target;
	const struct policy *policy = hidden_paths(worker);
	if (!policy)
		return -1;
	const char *hidden = hidden_at(policy, *path, false);
	if (hidden)
		return trouble_hidden(worker, name, hidden);
	if (stamp_read(*fd, "", &target) < 0)
		return trouble_source(worker, name, errno);
	if (entry_is_pseudo(*fd) || !(S_ISREG(target.mode) || S_ISDIR(target.mode)))
		return FOLLOW_LEFT_OUT;
	if (S_ISDIR(target.mode) && is_loop(worker, &target))
		return FOLLOW_LEFT_OUT;
	sides->source = target;
	sides->flags |= INDEX_FOLLOWED;
	if (S_ISDIR(target.mode))
		return add_base(worker, sides, fd, path, policy);
	sides->origin = take_pointer(path);
	return FOLLOW_REPLACED;
}

static char *path_below_base(const struct worker *worker, const char *name)
{
	struct text path = { 0 };
	const char *folder = worker->path.data + worker->base_bytes;
	text_addf(&path, "%s%s%s", folder, *folder ? "/" : "", name);
	return text_take(&path);
}

int follow_link(struct worker *worker, const char *name, struct sides *sides)
{
	const struct mirror_order *order = worker->mirror->order;
	const struct follow_base *base = worker->folder->base;
	auto_free char *relative = path_below_base(worker, name);
	if (!relative)
		return trouble_memory(worker->mirror);
	auto_close int inside =
		open_following(base ? base->fd : order->tree_fd, relative, RESOLVE_BENEATH);
	if (inside >= 0 || errno == ELOOP)
		return FOLLOW_AS_IT_IS;
	auto_close int fd = open_following(worker->source_fd, name, 0);
	auto_free char *path = NULL;
	if (fd < 0 && errno == ELOOP)
		return FOLLOW_AS_IT_IS;
	if (fd < 0 || path_of_fd(fd, &path) < 0)
		return order->follow_out ? follow_broken(worker, name, sides) : FOLLOW_AS_IT_IS;
	if (path_is_within(path, order->tree))
		return rewrite(worker, sides, path);
	return order->follow_out ? follow_out(worker, name, sides, &fd, &path) : FOLLOW_AS_IT_IS;
}

int follow_check(struct worker *worker, const char *name)
{
	const struct follow_base *base = worker->folder->base;
	if (!base || !base->holds_hidden)
		return 0;
	auto_free char *relative = path_below_base(worker, name);
	auto_free char *path = relative ? path_join(base->path, relative) : NULL;
	if (!path)
		return trouble_memory(worker->mirror);
	const char *hidden = hidden_at(worker->mirror->policy, path, false);
	return hidden ? trouble_hidden(worker, name, hidden) : 0;
}

void follow_release(struct mirror *mirror)
{
	while (mirror->bases) {
		struct follow_base *base = mirror->bases;
		mirror->bases = base->next;
		close(base->fd);
		free(base->path);
		free(base);
	}
	policy_free(mirror->policy);
	mirror->policy = NULL;
}
