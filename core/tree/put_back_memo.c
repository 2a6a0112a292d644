/* tree/put_back_memo.c - what is to be put back, on disk before it is. */
#include "config.h"

#include "tree/put_back.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "tree/inside.h"
#include "tree/memo.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>

#define MAGIC "pfdrops1"
#define ASIDE SLOT_DROPPING ".next"

enum { LEAST_BYTES = 5 * sizeof(uint64_t) + 2 };	/* of a change */

static void put_change(struct text *text, const struct change *change)
{
	const uint64_t members[] = { change->kind, change->what, change->before.kind, change->after.kind,
				     change->before.stamp.mode };
	text_add_bytes(text, members, sizeof(members));
	memo_put_text(text, change->path);
	memo_put_text(text, change->from ? change->from : "");
}

static void put_item(struct text *text, const struct put_back_item *item)
{
	memo_put_text(text, item->part->path);
	memo_put_number(text, item->changes->count);
	for (size_t i = 0; i < item->changes->count; i++)
		put_change(text, &item->changes->items[i]);
}

int put_back_note(const struct kept *kept, const struct put_back_item *items, size_t count,
		  struct pinfold_error *err)
{
	struct text text = { 0 };
	memo_put_number(&text, count);
	for (size_t i = 0; i < count; i++)
		put_item(&text, &items[i]);
	auto_close int slot = inside_open(kept->slot.dir, "", O_RDONLY, INSIDE_ONE_MOUNT);
	int result = slot < 0 ? -1 : memo_write(slot, ASIDE, SLOT_DROPPING, MAGIC, &text);
	int failure = errno;
	text_release(&text);
	if (result == 0)
		return 0;
	unlinkat(kept->slot.dir, ASIDE, 0);
	unlinkat(kept->slot.dir, SLOT_DROPPING, 0);
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, failure, "note what is to be put back", kept->tree,
		     failure == EMSGSIZE ? "name fewer paths at a time, or drop all: pinfold discard, without paths" :
					   remedy_in(&remedy, kept->slot.dir, "", failure, "check the scratch directory", ", and try again"));
}

static int refuse(int sys, struct pinfold_error *err)
{
	return fault(err, PINFOLD_E_TREE, sys, "put back what a discard that was cut off had begun with",
		     "its note cannot be read, or is of another tree",
		     "drop all that is kept there: pinfold discard, without paths");
}

static void get_change(struct memo_reading *reading, struct arena *texts, struct change *change)
{
	change->kind = (uint8_t)memo_below(reading, CHANGE_KINDS);
	change->what = (uint8_t)memo_below(reading, UINT8_MAX);
	change->before.kind = (uint8_t)memo_below(reading, CHANGE_NOTHING + 1);
	change->after.kind = (uint8_t)memo_below(reading, CHANGE_NOTHING + 1);
	change->before.stamp.mode = (uint32_t)memo_number(reading);
	const char *path = memo_path(reading), *from = memo_path(reading);
	change->path = arena_copy(texts, path);
	change->from = *from ? arena_copy(texts, from) : NULL;
	reading->failed |= !change->path || (*from && !change->from);
}

static struct kept_part *find_part(struct kept *kept, const char *path)
{
	for (size_t i = 0; i < kept->count; i++)
		if (streq(kept->parts[i].path, path))
			return &kept->parts[i];
	return NULL;
}

static void get_item(struct memo_reading *reading, struct kept *kept, struct put_back_item *item,
		     struct changes *changes)
{
	item->part = find_part(kept, memo_text(reading));
	size_t count = memo_below(reading, (uint64_t)(reading->end - reading->at) / LEAST_BYTES + 1);
	changes->texts = arena_new();
	changes->items = calloc(count + 1, sizeof(*changes->items));
	item->changes = changes;
	bool base = item->part && (item->part->layer || item->part->base.memory || count == 0);
	reading->failed |= !changes->texts || !changes->items || !base;
	for (size_t i = 0; i < count && !reading->failed; i++)
		get_change(reading, changes->texts, &changes->items[changes->count++]);
}

/* The changes lie behind the items. */
static struct put_back_item *make_items(size_t count)
{
	return calloc(count + 1, sizeof(struct put_back_item) + sizeof(struct changes));
}

static void get_all(struct memo_reading *reading, struct kept *kept, struct put_back_item **ret_items,
		    size_t *ret_count)
{
	size_t count = memo_below(reading, kept->count + 1);
	struct put_back_item *items = make_items(count);
	struct changes *changes = (struct changes *)(items + count);
	size_t got = 0;
	reading->failed |= !items;
	while (got < count && !reading->failed) {
		get_item(reading, kept, &items[got], &changes[got]);
		got++;
	}
	*ret_items = items;
	*ret_count = got;
}

int put_back_read(struct kept *kept, struct put_back_item **ret_items, size_t *ret_count,
		  struct pinfold_error *err)
{
	auto_free char *data = NULL;
	struct memo_reading reading;
	struct put_back_item *items;
	size_t count;
	auto_close int fd = openat(kept->slot.dir, SLOT_DROPPING, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || memo_read(fd, MAGIC, &data, &reading) < 0)
		return refuse(errno == EBADMSG ? 0 : errno, err);
	get_all(&reading, kept, &items, &count);
	if (reading.failed || reading.at != reading.end) {
		put_back_release(items, count);
		return refuse(0, err);
	}
	*ret_items = items;
	*ret_count = count;
	return 0;
}

void put_back_release(struct put_back_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(items[i].changes->items);
		arena_free(items[i].changes->texts);
	}
	free(items);
}
