/* tree/apply_journal.c - what an apply is about to do, on disk before it does it. */
#include "config.h"

#include "tree/apply_steps.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "tree/inside.h"
#include "tree/memo.h"
#include "tree/remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define JOURNALS "apply"
#define MAGIC "pfapply2"

/* By stage; the last that is there counts. */
static const char *const names[] = { NULL, "begun", "staged", "valid" };

static void put_all(struct text *text, const struct steps *steps)
{
	memo_put_text(text, steps->token);
	memo_put_number(text, steps->part_count);
	for (size_t i = 0; i < steps->part_count; i++) {
		memo_put_number(text, steps->whole && steps->whole[i]);
		memo_put_text(text, steps->parts[i].path);
	}
	memo_put_number(text, steps->area_count);
	for (size_t i = 0; i < steps->area_count; i++) {
		memo_put_number(text, steps->areas[i].part);
		memo_put_text(text, steps->areas[i].path);
	}
	memo_put_number(text, steps->touched_count);
	for (size_t i = 0; i < steps->touched_count; i++) {
		const struct touched *touched = &steps->touched[i];
		memo_put_number(text, touched->part);
		memo_put_number(text, (uint64_t)touched->mtime);
		memo_put_stamp(text, &touched->old);
		memo_put_text(text, touched->before);
		memo_put_text(text, touched->after);
	}
	memo_put_number(text, steps->count);
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *step = &steps->items[i];
		const uint64_t members[] = { step->kind, step->moved, step->attributes, step->part,
					     step->area, step->from };
		text_add_bytes(text, members, sizeof(members));
		memo_put_stamp(text, &step->old);
		memo_put_stamp(text, &step->new);
		memo_put_text(text, step->path);
	}
}

static int fail(int slot_fd, struct pinfold_error *err, const char *name)
{
	struct remedy remedy;
	return fault(err, PINFOLD_E_TREE, errno, "keep the journal of the apply", name,
		     errno == EMSGSIZE ? "apply less at a time: pinfold apply PATH…" :
					 remedy_in(&remedy, slot_fd, "", errno, "check the scratch directory", ", and apply again"));
}

static int open_journals(int slot_fd, bool make)
{
	if (make && mkdirat(slot_fd, JOURNALS, S_IRWXU) < 0 && errno != EEXIST)
		return -1;
	return inside_open(slot_fd, JOURNALS, O_RDONLY, INSIDE_ONE_MOUNT);
}

int journal_write(const struct steps *steps, int slot_fd, enum journal_stage stage,
		  struct pinfold_error *err)
{
	struct text text = { 0 };
	put_all(&text, steps);
	auto_close int dir = open_journals(slot_fd, true);
	int result = dir < 0 ? -1 : memo_write(dir, "next", names[stage], MAGIC, &text);
	/* The directory `apply` itself is new as well. */
	auto_close int slot = result == 0 ? inside_open(slot_fd, "", O_RDONLY, INSIDE_ONE_MOUNT) : -1;
	if (result == 0 && (slot < 0 || fsync(slot) < 0))
		result = -1;
	int failure = errno;
	text_release(&text);
	errno = failure;
	return result < 0 ? fail(slot_fd, err, names[stage]) : 0;
}

static void get_head(struct memo_reading *reading, struct steps *steps)
{
	const char *token = memo_text(reading);
	if (strlen(token) != TOKEN_LETTERS || strspn(token, "0123456789abcdef") != TOKEN_LETTERS)
		reading->failed = true;
	else
		memcpy(steps->token, token, TOKEN_LETTERS + 1);
	if (memo_number(reading) != steps->part_count)
		reading->failed = true;
	steps->whole = calloc(steps->part_count, sizeof(*steps->whole));
	reading->failed = reading->failed || !steps->whole;
	for (size_t i = 0; i < steps->part_count && !reading->failed; i++) {
		steps->whole[i] = memo_below(reading, 2);
		if (!streq(memo_text(reading), steps->parts[i].path))
			reading->failed = true;
	}
}

static void get_areas(struct memo_reading *reading, struct steps *steps)
{
	size_t count = memo_below(reading, (uint64_t)(reading->end - reading->at));
	steps->areas = calloc(count + 1, sizeof(*steps->areas));
	for (size_t i = 0; steps->areas && i < count && !reading->failed; i++) {
		struct area *area = &steps->areas[i];
		area->part = (uint32_t)memo_below(reading, steps->part_count);
		area->path = strdup(memo_path(reading));
		area->fd = -1;
		reading->failed = reading->failed || !area->path;
		steps->area_count++;
	}
	reading->failed = reading->failed || !steps->areas;
}

static void get_touched(struct memo_reading *reading, struct steps *steps)
{
	size_t count = memo_below(reading, (uint64_t)(reading->end - reading->at));
	steps->touched = calloc(count + 1, sizeof(*steps->touched));
	for (size_t i = 0; steps->touched && i < count && !reading->failed; i++) {
		struct touched *touched = &steps->touched[i];
		touched->part = (uint32_t)memo_below(reading, steps->part_count);
		touched->mtime = (int64_t)memo_number(reading);
		touched->old = memo_stamp(reading);
		touched->before = strdup(memo_path(reading));
		touched->after = strdup(memo_path(reading));
		reading->failed = reading->failed || !touched->before || !touched->after;
		steps->touched_count++;
	}
	reading->failed = reading->failed || !steps->touched;
}

static void get_steps(struct memo_reading *reading, struct steps *steps)
{
	size_t count = memo_below(reading, (uint64_t)(reading->end - reading->at) + 1);
	for (size_t i = 0; i < count && !reading->failed; i++) {
		struct step read = { .kind = (uint8_t)memo_below(reading, STEP_KINDS) };
		read.moved = memo_below(reading, 2);
		read.attributes = memo_below(reading, 2);
		read.part = (uint32_t)memo_below(reading, steps->part_count);
		read.area = (uint32_t)memo_below(reading, steps->area_count);
		read.from = (uint32_t)memo_below(reading, count);
		read.old = memo_stamp(reading);
		read.new = memo_stamp(reading);
		const char *path = memo_path(reading);
		struct step *step = reading->failed ? NULL : steps_add(steps, read.kind, read.part, path);
		if (step)
			read.path = step->path, *step = read;
		reading->failed = reading->failed || !step;
	}
}

static int read_stage(int dir, enum journal_stage *ret_stage)
{
	for (int stage = JOURNAL_VALID; stage > JOURNAL_NONE; stage--) {
		int fd = openat(dir, names[stage], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 || errno != ENOENT) {
			*ret_stage = stage;
			return fd;
		}
	}
	*ret_stage = JOURNAL_NONE;
	return -1;
}

static int refuse(struct pinfold_error *err, int sys)
{
	return fault(err, PINFOLD_E_TREE, sys, "take back an apply that was cut off",
		     "its journal cannot be read, or was made for another tree",
		     "look for " AREA_PREFIX "* in the tree: it holds what was taken out; then remove the "
		     "directory `" JOURNALS "` of this tree from the scratch directory");
}

int journal_read(int slot_fd, const struct apply_part *parts, size_t count, struct steps *ret_steps,
		 enum journal_stage *ret_stage, struct pinfold_error *err)
{
	enum journal_stage stage = JOURNAL_NONE;
	auto_close int dir = open_journals(slot_fd, false);
	if (dir < 0 && errno != ENOENT)
		return refuse(err, errno);
	auto_close int fd = dir < 0 ? -1 : read_stage(dir, &stage);
	*ret_stage = stage;
	if (stage == JOURNAL_NONE)
		return 0;
	auto_free char *data = NULL;
	struct memo_reading reading;
	if (fd < 0 || memo_read(fd, MAGIC, &data, &reading) < 0)
		return refuse(err, errno == EBADMSG ? 0 : errno);
	struct steps steps = { .parts = parts, .part_count = count };
	get_head(&reading, &steps);
	if (!reading.failed)
		get_areas(&reading, &steps);
	if (!reading.failed)
		get_touched(&reading, &steps);
	if (!reading.failed)
		get_steps(&reading, &steps);
	if (reading.failed || reading.at != reading.end) {
		steps_release(&steps);
		return refuse(err, 0);
	}
	*ret_steps = steps;
	return 0;
}

/* The stage that counts goes last. */
int journal_remove(int slot_fd, struct pinfold_error *err)
{
	auto_close int dir = open_journals(slot_fd, false);
	if (dir < 0)
		return errno == ENOENT ? 0 : fail(slot_fd, err, JOURNALS);
	static const char *const order[] = { "next", "begun", "staged", "valid" };
	for (size_t i = 0; i < N_ELEMENTS(order); i++)
		if (unlinkat(dir, order[i], 0) < 0 && errno != ENOENT)
			return fail(slot_fd, err, order[i]);
	if (unlinkat(slot_fd, JOURNALS, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return fail(slot_fd, err, JOURNALS);
	return 0;
}

bool apply_is_pending(int slot_fd)
{
	return faccessat(slot_fd, JOURNALS, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}
