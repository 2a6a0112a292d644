/* report/review_patch.c - what a command changed, in git's unified format.
 *
 * What that has no words for is said in lines that begin with `#`: git and patch pass over them.
 */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "report/gitname.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct patching {
	struct stream *stream;
	const struct review_style *style;
	const struct review_part *part;
	struct hunks *hunks;
	struct pinfold_error *err;
};

/* "# WHAT: NAME", and perhaps ": MORE". */
static void note(struct patching *patching, enum paint paint, const char *what, const char *name,
		 const char *more)
{
	auto_free char *shown = gitname_of("", name);
	auto_free char *line = NULL;
	if (!shown || asprintf(&line, "# %s: %s%s%s", what, shown, more ? ": " : "", more ? more : "") < 0) {
		patching->stream->failed = ENOMEM;
		return;
	}
	stream_line(patching->stream, paint, "", line, strlen(line));
}

static uint32_t mode_of(const struct change_side *side)
{
	return side->kind == INDEX_FILE || side->kind == INDEX_LINK ? side->stamp.mode : 0;
}

/* What nobody can see in a patch: permissions that git has no mode for. */
static void note_mode(struct patching *patching, const struct change *change, const char *name)
{
	uint32_t before = change->before.stamp.mode, after = change->after.stamp.mode;
	char text[48];
	if (!(change->what & CHANGED_MODE) ||
	    (mode_of(&change->after) && patch_mode(before) != patch_mode(after)))
		return;
	snprintf(text, sizeof(text), "%04o to %04o", before & 07777, after & 07777);
	note(patching, PAINT_FAINT, "mode", name, text);
}

static void note_change(struct patching *patching, const struct change *change,
			const struct review_note *said, const char *name)
{
	if (said->risk)
		note(patching, PAINT_BAD, "risky", name, said->risk);
	if (said->conflict)
		note(patching, PAINT_BAD, "conflict", name, said->conflict);
	if (said->never)
		note(patching, PAINT_BAD, "never applied", name, said->never);
	else if (change_privileges(change))
		note(patching, PAINT_BAD, "applied", name, review_lost_privileges);
	note_mode(patching, change, name);
	if (change->what & CHANGED_ATTRIBUTES)
		note(patching, PAINT_FAINT, "extended attributes", name, "changed");
	if (change->linked)
		note(patching, PAINT_FAINT, "hard link", name, "another name of a file of the tree");
}

static int write_side_by_side(struct patching *patching, struct patch *patch)
{
	auto_free char *before = review_name(patching->part, patch->before.path);
	auto_free char *after = review_name(patching->part, patch->after.path);
	if (!before || !after)
		return fault_no_memory(patching->err);
	patch->before.path = before;
	patch->after.path = after;
	return patch_write(patching->stream, &patching->hunks, patch, &patching->style->patch,
			   patching->err);
}

/* Of what became something else the one that is gone comes first. */
static int write_both(struct patching *patching, const struct patch *patch)
{
	struct patch gone = *patch, come = *patch;
	gone.after = (struct patch_side){ .path = patch->before.path };
	come.before = (struct patch_side){ .path = patch->after.path };
	if (write_side_by_side(patching, &gone) < 0)
		return -1;
	return write_side_by_side(patching, &come);
}

static int write_contents(struct patching *patching, const struct change *change, bool differs,
			  const struct review_contents *contents)
{
	uint32_t before = patch_mode(mode_of(&change->before)), after = patch_mode(mode_of(&change->after));
	if (contents->meanwhile)
		before = patch_mode(contents->before_mode);
	struct patch patch = {
		.before = { change_old_path(change), before, contents->before },
		.after = { change->path, after, contents->after },
		.differs = differs,
	};
	if (before == after && (before == 0 || (!differs && !change->from)))
		return 0;
	if (before == 0)
		patch.before.path = change->path;
	if (after == 0)
		patch.after.path = patch.before.path;
	bool retyped = before && after && (before & S_IFMT) != (after & S_IFMT);
	return retyped ? write_both(patching, &patch) : write_side_by_side(patching, &patch);
}

static int write_file(struct patching *patching, const struct change *change, const char *name)
{
	struct review_contents contents;
	/* Nothing is read of what only has another name or mode. */
	if (!review_content_differs(change))
		return write_contents(patching, change, false, &(struct review_contents){ 0 });
	if (review_read(patching->part, change, patching->style->most, &contents, patching->err) < 0)
		return -1;
	if (contents.failed)
		note(patching, PAINT_BAD, "cannot read", name, strerror(contents.failed));
	if (contents.meanwhile)
		note(patching, PAINT_BAD, "compared with what the tree has now", name, NULL);
	int result = write_contents(patching, change, true, &contents);
	review_contents_release(&contents);
	return result;
}

static int write_moved(void *context, const char *before, const char *after, uint32_t mode)
{
	struct patching *patching = context;
	struct patch patch = { .before = { .path = before, .mode = patch_mode(mode) },
			       .after = { .path = after, .mode = patch_mode(mode) } };
	return patching->stream->failed ? 0 : write_side_by_side(patching, &patch);
}

static int write_directory(struct patching *patching, size_t index, const char *name)
{
	const struct change *change = &patching->part->changes->items[index];
	struct review_range below = review_below(patching->part->changes, change->path);
	bool empty = below.begin == below.end;
	if (change->kind == CHANGE_RENAMED) {
		auto_free char *old = review_shown_name(patching->part, change->from, true);
		note(patching, PAINT_FAINT, "renamed directory", name, old);
		return review_moved(patching->part, change, write_moved, patching, patching->err);
	}
	if (empty && review_is_directory(&change->after) && change->kind != CHANGE_MODIFIED)
		note(patching, PAINT_FAINT, "empty directory added", name, NULL);
	if (empty && review_is_directory(&change->before) && change->kind == CHANGE_REMOVED)
		note(patching, PAINT_FAINT, "directory removed", name, NULL);
	return 0;
}

static bool is_special(const struct change *change)
{
	return change->after.kind == INDEX_SKIPPED;
}

static int write_change(struct patching *patching, size_t index)
{
	const struct change *change = &patching->part->changes->items[index];
	const struct review_note *said = review_note_of(patching->part, index);
	auto_free char *name = review_name(patching->part, change->path);
	bool directory = review_is_directory(&change->before) || review_is_directory(&change->after);
	if (!name)
		return fault_no_memory(patching->err);
	if (!patching->style->all && review_git_directory(patching->part, name) > 0) {
		if (said->risk)
			note(patching, PAINT_BAD, "risky", name, said->risk);
		return 0;
	}
	note_change(patching, change, said, name);
	if (is_special(change) && !said->never)
		note(patching, PAINT_FAINT, "a device, FIFO or socket", name, NULL);
	if (said->never || is_special(change))
		return 0;
	if (directory && write_directory(patching, index, name) < 0)
		return -1;
	return write_file(patching, change, name);
}

static void put_git_line(void *context, const char *text)
{
	struct patching *patching = context;
	note(patching, PAINT_PLAIN, "git", text, NULL);
}

/* A patch of what lies elsewhere would be taken for one of the tree. */
static void note_elsewhere(struct patching *patching)
{
	char text[96];
	size_t count = patching->part->changes->count;
	snprintf(text, sizeof(text), "%zu %s; --all or its path shows them", count,
		 count == 1 ? "change" : "changes");
	note(patching, PAINT_STRONG, "outside of the tree", patching->part->path, text);
}

static int write_part(struct patching *patching, bool spelled_out)
{
	const struct review_part *part = patching->part;
	if (part->changes->count == 0)
		return 0;
	if (!patching->style->all && review_git_lines(part, put_git_line, patching, patching->err) < 0)
		return -1;
	if (!spelled_out) {
		note_elsewhere(patching);
		return 0;
	}
	for (size_t i = 0; i < part->changes->count && !patching->stream->failed; i++)
		if (write_change(patching, i) < 0)
			return -1;
	return 0;
}

int review_write_patch(struct stream *stream, const struct review *review,
		       const struct review_style *style, struct pinfold_error *err)
{
	struct patching patching = { .stream = stream, .style = style, .err = err };
	int result = 0;
	for (size_t i = 0; i < review->count && result == 0 && !stream->failed; i++) {
		patching.part = &review->parts[i];
		result = write_part(&patching, patching.part->tree || style->all || review->parts[i].named);
	}
	hunks_close(patching.hunks);
	return result;
}
