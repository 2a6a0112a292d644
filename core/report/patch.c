/* report/patch.c - how one file differs, as git writes it. */
#include "config.h"

#include "report/patch.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "report/gitname.h"
#include "report/packed.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

uint32_t patch_mode(uint32_t mode)
{
	if (S_ISLNK(mode))
		return S_IFLNK;
	if (!S_ISREG(mode))
		return 0;
	return S_IFREG | (mode & S_IXUSR ? 0755u : 0644u);
}

static int need(struct hunks **hunks, struct pinfold_error *err)
{
	return *hunks ? 0 : hunks_open(hunks, err);
}

struct writing {
	struct stream *stream;
	const struct patch *patch;
	bool begun;	/* the names before the first hunk are written */
};

static void put_line(struct stream *stream, const char *label, const char *name, const char *tail)
{
	auto_free char *line = NULL;
	if (!name || asprintf(&line, "%s%s%s", label, name, tail) < 0)
		stream->failed = ENOMEM;
	else
		stream_paint(stream, PAINT_STRONG, line);
	stream_put(stream, "\n");
}

static void put_name(struct stream *stream, const char *label, const char *path)
{
	auto_free char *name = gitname_of("", path);
	put_line(stream, label, name, "");
}

/* A tab keeps what reads dates after names from parting a name at its blanks. */
static void put_side(struct stream *stream, const char *label, const char *prefix,
		     const struct patch_side *side)
{
	auto_free char *name = side->mode ? gitname_of(prefix, side->path) : strdup("/dev/null");
	put_line(stream, label, name, side->mode && strchr(side->path, ' ') ? "\t" : "");
}

static enum paint paint_of(char sign)
{
	switch (sign) {
	case '@': return PAINT_PLACE;
	case '+': return PAINT_GOOD;
	case '-': return PAINT_BAD;
	default: return PAINT_PLAIN;
	}
}

static int put_hunk_line(void *context, const struct hunks_line *line)
{
	struct writing *writing = context;
	struct stream *stream = writing->stream;
	char sign[2] = { line->sign, '\0' };
	if (!writing->begun) {
		put_side(stream, "--- ", "a/", &writing->patch->before);
		put_side(stream, "+++ ", "b/", &writing->patch->after);
		writing->begun = true;
	}
	stream_line(stream, paint_of(line->sign), line->sign == '@' ? "" : sign, line->bytes, line->count);
	if (line->open)
		stream_put(stream, "\\ No newline at end of file\n");
	return stream->failed;
}

static void put_mode(struct stream *stream, const char *label, uint32_t mode)
{
	char number[16];
	snprintf(number, sizeof(number), "%06o", mode);
	put_line(stream, label, number, "");
}

static void put_modes(struct stream *stream, const struct patch *patch)
{
	uint32_t before = patch->before.mode, after = patch->after.mode;
	if (!before)
		put_mode(stream, "new file mode ", after);
	else if (!after)
		put_mode(stream, "deleted file mode ", before);
	else if (before != after) {
		put_mode(stream, "old mode ", before);
		put_mode(stream, "new mode ", after);
	}
}

static void put_header(struct stream *stream, const struct patch *patch)
{
	auto_free char *before = gitname_of("a/", patch->before.path);
	auto_free char *after = gitname_of("b/", patch->after.path);
	auto_free char *names = NULL;
	if (!before || !after || asprintf(&names, "%s %s", before, after) < 0)
		names = NULL;
	put_line(stream, "diff --git ", names, "");
	put_modes(stream, patch);
	if (streq(patch->before.path, patch->after.path))
		return;
	if (!patch->differs)
		put_line(stream, "", "similarity index 100%", "");
	put_name(stream, "rename from ", patch->before.path);
	put_name(stream, "rename to ", patch->after.path);
}

static void put_binary_note(struct stream *stream, const struct patch *patch)
{
	auto_free char *before = patch->before.mode ? gitname_of("a/", patch->before.path)
						    : strdup("/dev/null");
	auto_free char *after = patch->after.mode ? gitname_of("b/", patch->after.path)
						  : strdup("/dev/null");
	if (before && after)
		stream_putf(stream, "Binary files %s and %s differ\n", before, after);
	else
		stream->failed = ENOMEM;
}

static bool is_any(const struct patch *patch, uint32_t kind)
{
	return patch->before.content.kind == kind || patch->after.content.kind == kind;
}

/* Tools want the names whole where content is packed, and a few letters of them elsewhere. */
static int put_index(struct stream *stream, struct hunks *hunks, const struct patch *patch,
		     bool whole, struct pinfold_error *err)
{
	char before[HUNKS_ID_ROOM], after[HUNKS_ID_ROOM], line[2 * HUNKS_ID_ROOM + 32];
	int letters = whole ? HUNKS_ID_ROOM : 7;
	if (hunks_name(hunks, &patch->before.content, before, err) < 0 ||
	    hunks_name(hunks, &patch->after.content, after, err) < 0)
		return -1;
	int length = snprintf(line, sizeof(line), "%.*s..%.*s", letters, before, letters, after);
	if (patch->before.mode == patch->after.mode)
		snprintf(line + length, sizeof(line) - (size_t)length, " %06o", patch->after.mode);
	put_line(stream, "index ", line, "");
	return 0;
}

int patch_write(struct stream *stream, struct hunks **hunks, const struct patch *patch,
		const struct patch_style *style, struct pinfold_error *err)
{
	const struct content *before = &patch->before.content, *after = &patch->after.content;
	struct writing writing = { .stream = stream, .patch = patch };
	bool binary = is_any(patch, CONTENT_BINARY), large = is_any(patch, CONTENT_LARGE);
	put_header(stream, patch);
	if (!patch->differs)
		return 0;
	if (!large && (need(hunks, err) < 0 ||
		       put_index(stream, *hunks, patch, binary && style->packed, err) < 0))
		return -1;
	if (large || (binary && !style->packed)) {
		put_binary_note(stream, patch);
		return 0;
	}
	if (binary)
		return packed_write(stream, *hunks, before, after, err);
	return hunks_find(*hunks, before, after, style->around, put_hunk_line, &writing, err);
}

static int count_line(void *context, const struct hunks_line *line)
{
	struct patch_count *count = context;
	count->added += line->sign == '+';
	count->removed += line->sign == '-';
	return 0;
}

int patch_count(struct hunks **hunks, const struct content *before, const struct content *after,
		struct patch_count *ret_count, struct pinfold_error *err)
{
	struct patch_count count = { 0 };
	if (need(hunks, err) < 0 ||
	    hunks_find(*hunks, before, after, 0, count_line, &count, err) < 0)
		return -1;
	*ret_count = count;
	return 0;
}
