/* wrappers/decisions.c - decisions kept between runs, in the caller's private cache directory. */
#include "config.h"

#include "wrappers/decisions.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/private.h"
#include "base/text.h"
#include "wrappers/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

enum { FORMAT = 1, FILE_MOST = 64 << 10, COUNT_MOST = 1024, UNTOLD_SECONDS = 15 * 60 };

/* --- the directory -------------------------------------------------------------------------------- */
static int open_directory(bool make)
{
	return private_open_directory("wrappers", O_RDONLY, make);
}

/* --- one file ------------------------------------------------------------------------------------- */
static json_t *read_object(int dir, const char *name)
{
	struct stat status;
	auto_free char *data = NULL;
	size_t bytes;
	auto_close int fd = private_open_file(dir, name, &status);
	if (fd < 0 || fd_read_all(fd, FILE_MOST, &data, &bytes) < 0)
		return NULL;
	json_t *object = json_loadb(data, bytes, JSON_REJECT_DUPLICATES, NULL);
	if (json_is_object(object) && json_integer_value(json_object_get(object, "format")) == FORMAT)
		return object;
	json_decref(object);
	return NULL;
}

static const char *member(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static const char *toolchain_named(const char *name)
{
	for (size_t i = 0; name && toolchains[i]; i++)
		if (streq(toolchains[i]->name, name))
			return toolchains[i]->name;
	return NULL;
}

/* A decision that contradicts itself is none. */
static int read_decision(const json_t *object, struct decision *ret_decision)
{
	int kind = decision_of_word(member(object, "decision"));
	const char *toolchain = toolchain_named(member(object, "toolchain"));
	const char *wrapper = member(object, "wrapper"), *reason = member(object, "reason");
	const char *directory = member(object, "directory");
	if (kind < 0 || !toolchain || !reason || !reason[0] || !directory || !directory[0] ||
	    (wrapper && !wrapper[0]) || (kind == DECISION_KEPT && !wrapper))
		return -1;
	return decision_fill(ret_decision, (uint32_t)kind, toolchain, wrapper, reason, directory);
}

static bool is_equal(const json_t *object, const char *name, const char *wanted)
{
	const char *value = member(object, name);
	return value && wanted[0] && streq(value, wanted);
}

/* The clock may have been set back meanwhile. */
static bool is_stale(const json_t *object)
{
	json_int_t age = (json_int_t)time(NULL) - json_integer_value(json_object_get(object, "measured"));
	return decision_of_word(member(object, "decision")) == DECISION_UNMEASURED &&
	       (age < 0 || age >= UNTOLD_SECONDS);
}

int decisions_recall(const struct decision_key *key, struct decision *ret_decision)
{
	auto_close int dir = open_directory(false);
	json_t *object = dir < 0 || !key->key[0] ? NULL : read_object(dir, key->key);
	bool same = object && is_equal(object, "key", key->key) && is_equal(object, "stamps", key->stamps);
	int result = same && !is_stale(object) && read_decision(object, ret_decision) == 0;
	json_decref(object);
	return result;
}

static char *spell(const struct decision_key *key, const struct decision *decision)
{
	json_t *object = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:s, s:I}", "format", FORMAT, "key",
				   key->key, "stamps", key->stamps, "arm", key->arm, "tree", key->tree,
				   "toolchain", decision->toolchain, "decision",
				   decision_word(decision->kind), "wrapper", decision->wrapper, "reason",
				   decision->reason, "measured", (json_int_t)time(NULL));
	json_t *directory = json_string(decision->directory);
	char *text = object && directory && json_object_set(object, "directory", directory) == 0 ?
			     json_dumps(object, JSON_COMPACT) : NULL;
	json_decref(directory);
	json_decref(object);
	return text;
}

/* Past so many, all but the locks go: what is still needed is measured again. */
static size_t remove_all(int dir, const char *tree, size_t from);

void decisions_keep(const struct decision_key *key, const struct decision *decision)
{
	auto_free char *text = spell(key, decision);
	auto_close int dir = text && key->key[0] && key->stamps[0] ? open_directory(true) : -1;
	if (dir < 0)
		return;
	remove_all(dir, NULL, COUNT_MOST);
	private_write_file(dir, key->key, text, strlen(text));
}

/* --- measuring once ------------------------------------------------------------------------------- */
/* One byte of one file stands for each key. */
int decisions_lock(const struct decision_key *key, int *fd)
{
	auto_close int dir = open_directory(true);
	if (*fd < 0 && dir >= 0)
		*fd = fd_open_beneath(dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
	if (*fd < 0)
		return -1;
	char digits[13];
	snprintf(digits, sizeof(digits), "%.12s", key->key);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1,
			      .l_start = (off_t)strtoll(digits, NULL, 16) };
	if (fcntl(*fd, F_OFD_SETLK, &lock) == 0)
		return 1;
	return errno == EAGAIN || errno == EACCES ? 0 : -1;
}

/* --- all of them ---------------------------------------------------------------------------------- */
static bool is_decision(const char *name)
{
	return strlen(name) == FINGERPRINT_ROOM - 1;
}

static int add_kept(struct kept_decisions *list, const json_t *object)
{
	struct kept_decision one = { .measured = json_integer_value(json_object_get(object, "measured")) };
	if (!member(object, "arm") || !member(object, "tree") || read_decision(object, &one.decision) < 0)
		return 0;
	struct kept_decision *longer = realloc(list->items, (list->count + 1) * sizeof(*longer));
	list->items = longer ? longer : list->items;
	one.arm = strdup(member(object, "arm"));
	one.tree = strdup(member(object, "tree"));
	if (longer && one.arm && one.tree) {
		list->items[list->count++] = one;
		return 0;
	}
	decision_release(&one.decision);
	free(one.arm);
	free(one.tree);
	return -1;
}

static int latest_first(const void *left, const void *right)
{
	const struct kept_decision *a = left, *b = right;
	return (a->measured < b->measured) - (a->measured > b->measured);
}

int decisions_list(struct kept_decisions *ret_list, struct pinfold_error *err)
{
	auto_close int dir = open_directory(false);
	auto_closedir DIR *listing = fd_list(dir);
	struct kept_decisions list = { 0 };
	int result = 0;
	for (const struct dirent *entry; result == 0 && listing && (entry = readdir(listing));) {
		json_t *object = is_decision(entry->d_name) ? read_object(dir, entry->d_name) : NULL;
		if (object)
			result = add_kept(&list, object);
		json_decref(object);
	}
	if (result < 0) {
		decisions_list_release(&list);
		return fault_no_memory(err);
	}
	if (list.count > 1)
		qsort(list.items, list.count, sizeof(*list.items), latest_first);
	*ret_list = list;
	return 0;
}

void decisions_list_release(struct kept_decisions *list)
{
	for (size_t i = 0; i < list->count; i++) {
		decision_release(&list->items[i].decision);
		free(list->items[i].arm);
		free(list->items[i].tree);
	}
	free(list->items);
	*list = (struct kept_decisions){ 0 };
}

static bool is_about(int dir, const char *name, const char *tree)
{
	json_t *object = tree ? read_object(dir, name) : NULL;
	const char *of = member(object, "tree");
	bool result = !tree || !object || (of && streq(of, tree));
	json_decref(object);
	return result;
}

static size_t remove_all(int dir, const char *tree, size_t from)
{
	auto_closedir DIR *listing = fd_list(dir);
	size_t seen = 0, removed = 0;
	for (const struct dirent *entry; listing && (entry = readdir(listing));)
		if (is_decision(entry->d_name) && ++seen > from && is_about(dir, entry->d_name, tree) &&
		    unlinkat(dir, entry->d_name, 0) == 0)
			removed++;
	return removed;
}

int decisions_forget(const char *tree, size_t *ret_count, struct pinfold_error *err)
{
	auto_close int dir = open_directory(false);
	if (dir < 0 && errno != ENOENT && errno != ENOTDIR)
		return fault(err, PINFOLD_E_SYSTEM, errno, "forget decisions", "the directory of decisions",
			     "check pinfold/wrappers in your cache directory");
	*ret_count = dir < 0 ? 0 : remove_all(dir, tree, 0);
	return 0;
}
