/* report/review_json.c - what a command changed, for programs: one object for each change. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "report/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *kind_name(const struct change_side *side)
{
	static const char *const names[] = {
		[INDEX_FILE] = "file", [INDEX_LINK] = "link", [INDEX_FOLDER] = "directory",
		[INDEX_SKIPPED] = "other",
	};
	return names[side->kind];
}

static json_t *mode_text(uint32_t mode)
{
	char text[16];
	snprintf(text, sizeof(text), "%04o", mode & 07777);
	return document_text(text);
}

static void put_side(struct document *facts, const char *key, const struct change_side *side)
{
	if (side->kind == CHANGE_NOTHING) {
		document_put(facts, key, document_text(NULL));
		return;
	}
	struct document object = document_object();
	document_put(&object, "type", document_text(kind_name(side)));
	if (side->kind != INDEX_LINK)
		document_put(&object, "mode", mode_text(side->stamp.mode));
	if (side->kind == INDEX_FILE)
		document_put(&object, "size", document_number(side->stamp.size));
	document_put_document(facts, key, &object);
}

static void put_what(struct document *facts, uint8_t what)
{
	static const struct {
		uint8_t bit;
		const char *name;
	} names[] = {
		{ CHANGED_CONTENT, "content" }, { CHANGED_TARGET, "target" }, { CHANGED_MODE, "mode" },
		{ CHANGED_ATTRIBUTES, "attributes" },
	};
	struct document list = document_list();
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		if (what & names[i].bit)
			document_add(&list, document_text(names[i].name));
	document_put_document(facts, "what", &list);
}

/* Where a link leads to, and whether a content is text. */
static int put_content(struct document *facts, const struct review_part *part,
		       const struct change *change, uint64_t most, struct pinfold_error *err)
{
	struct review_contents contents;
	if (review_read(part, change, most, &contents, err) < 0)
		return -1;
	uint32_t before = contents.before.kind, after = contents.after.kind;
	bool large = before == CONTENT_LARGE || after == CONTENT_LARGE;
	bool binary = before == CONTENT_BINARY || after == CONTENT_BINARY;
	document_put(facts, "binary", large && !binary ? document_text(NULL) : document_flag(binary));
	if (change->after.kind == INDEX_LINK)
		document_put(facts, "target", document_text(contents.after.data));
	review_contents_release(&contents);
	return 0;
}

static int put_change(struct document *facts, const struct review_part *part, size_t index,
		      uint64_t most, struct pinfold_error *err)
{
	const struct change *change = &part->changes->items[index];
	const struct review_note *said = review_note_of(part, index);
	document_put(facts, "place", part->tree ? document_text(NULL) : document_text(part->path));
	document_put(facts, "path", document_text(change->path));
	document_put(facts, "kind", document_text(change_kind_name(change->kind)));
	document_put(facts, "from", document_text(change->from));
	document_put(facts, "linked", document_text(change->linked));
	put_what(facts, change->what);
	put_side(facts, "before", &change->before);
	put_side(facts, "after", &change->after);
	document_put(facts, "state", document_text(said->state));
	document_put(facts, "conflict", document_text(said->conflict));
	document_put(facts, "risk", document_text(said->risk));
	return put_content(facts, part, change, most, err);
}

static int write_text(struct stream *stream, json_t *value, struct pinfold_error *err)
{
	struct document document = { .root = value, .failed = !value };
	auto_free char *text = NULL;
	if (document_write_line(&document, &text, err) < 0)
		return -1;
	stream_put(stream, text);
	return 0;
}

static int write_change(struct stream *stream, const struct review_part *part, size_t index,
			uint64_t most, struct pinfold_error *err)
{
	struct document facts = document_object();
	auto_free char *text = NULL;
	if (put_change(&facts, part, index, most, err) < 0) {
		document_release(&facts);
		return -1;
	}
	if (document_write_line(&facts, &text, err) < 0)
		return -1;
	stream_put(stream, text);
	return 0;
}

static int write_changes(struct stream *stream, const struct review *review, uint64_t most,
			 struct pinfold_error *err)
{
	size_t written = 0;
	for (size_t i = 0; i < review->count; i++)
		for (size_t j = 0; j < review->parts[i].changes->count && !stream->failed; j++) {
			stream_put(stream, written++ ? ",\n    " : "\n    ");
			if (write_change(stream, &review->parts[i], j, most, err) < 0)
				return -1;
		}
	stream_put(stream, written ? "\n  ]\n}\n" : "]\n}\n");
	return 0;
}

int review_write_json(struct stream *stream, const struct review *review,
		      const struct review_style *style, struct pinfold_error *err)
{
	stream_put(stream, "{\n  \"tree\": ");
	if (write_text(stream, document_text(review->tree), err) < 0)
		return -1;
	stream_put(stream, ",\n  \"session\": ");
	if (write_text(stream, document_text(review->session), err) < 0)
		return -1;
	stream_put(stream, ",\n  \"changes\": [");
	return write_changes(stream, review, style->most, err);
}
