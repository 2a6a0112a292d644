/* face/changes.c - what a command changed, written to a descriptor. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "face/changes.h"
#include "face/face.h"
#include "face/findings.h"
#include "policy/git_find.h"
#include "report/review.h"

#include <fcntl.h>
#include <stdlib.h>

enum { HELD_MOST = 8 << 20, LIST_MOST = 16 << 20, PATCH_MOST = 2 << 20 };

static int read_style(const struct pinfold_changes_style *from,
		      struct pinfold_changes_style *ret_style, struct pinfold_error *err)
{
	struct pinfold_changes_style style = { .around = 3 };
	if (from && from->size < offsetof(struct pinfold_changes_style, flags))
		return fault(err, PINFOLD_E_USAGE, 0, "write the changes",
			     "the structure of the style has no size",
			     "set `size` to sizeof(struct pinfold_changes_style)");
	if (from)
		memcpy(&style, from, from->size < sizeof(style) ? from->size : sizeof(style));
	if (style.form > PINFOLD_CHANGES_JSON)
		return faultf(err, PINFOLD_E_USAGE, 0, "write the changes",
			      "use one of enum pinfold_changes_form", "there is no form %u", style.form);
	*ret_style = style;
	return 0;
}

static struct review_style style_of(const struct pinfold_changes_style *style,
				    const struct config *config)
{
	return (struct review_style){
		.patch = { .around = style->around, .packed = style->flags & PINFOLD_CHANGES_PACKED },
		.most = config_number(config, "session", "diff-max-bytes"),
		.columns = style->columns,
		.all = style->flags & PINFOLD_CHANGES_ALL,
		.zero = style->flags & PINFOLD_CHANGES_ZERO,
	};
}

static int write_form(struct stream *stream, const struct review *review, uint32_t form,
		      const struct review_style *style, struct pinfold_error *err)
{
	static int (*const forms[])(struct stream *, const struct review *, const struct review_style *,
				    struct pinfold_error *) = {
		[PINFOLD_CHANGES_PATCH] = review_write_patch, [PINFOLD_CHANGES_LIST] = review_write_list,
		[PINFOLD_CHANGES_STAT] = review_write_stat, [PINFOLD_CHANGES_NAMES] = review_write_names,
		[PINFOLD_CHANGES_JSON] = review_write_json,
	};
	return forms[form](stream, review, style, err);
}

static struct review_note note_of(const struct apply_item *item)
{
	const char *text = apply_state_text(item->state);
	return (struct review_note){
		.state = apply_state_name(item->state),
		.conflict = apply_is_conflict(item->state) ? text : NULL,
		.never = apply_is_never(item->state) ? text : NULL,
		.risk = item->risk,
	};
}

/* What an apply would say of each change. `notes` has room for those of all parts. */
static int judge(const struct findings *findings, const struct config *config, struct review_part *parts,
		 struct review_note *notes, struct pinfold_error *err)
{
	const struct apply_order order = {
		.parts = findings->parts, .count = findings->count,
		.slot_fd = findings->kept->parts[0].slot_fd,
		.risky = config_list(config, "session", "risky"),
		.partial = true, .allow_risky = true, .dry_run = true,
	};
	struct apply_result result;
	for (size_t i = 0; i < findings->count; i++) {
		parts[i].notes = notes;
		notes += findings->items[i].changes.count;
	}
	if (apply_run(&order, &result, err) < 0)
		return -1;
	for (size_t i = 0; i < result.count; i++) {
		const struct apply_item *item = &result.items[i];
		const struct review_part *part = &parts[item->part - findings->parts];
		part->notes[item->change - part->changes->items] = note_of(item);
	}
	apply_result_release(&result);
	return 0;
}

/* Names and numbers say nothing of it. */
static bool is_judged(const struct pinfold_changes_style *style)
{
	return style->form == PINFOLD_CHANGES_PATCH || style->form == PINFOLD_CHANGES_JSON ||
	       (style->form == PINFOLD_CHANGES_LIST && !(style->flags & PINFOLD_CHANGES_ZERO));
}

static void fill_parts(const struct findings *findings, struct review_part *parts)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		parts[i] = (struct review_part){
			.path = finding->part->path, .tree = finding->part == findings->kept->parts,
			.named = finding->named, .place_fd = finding->part->place_fd,
			.held_fd = finding->part->held_fd, .changes = &finding->changes,
		};
		parts[i].git = !parts[i].tree && git_find_is_directory(parts[i].place_fd);
	}
}

static int write_findings(const struct findings *findings, const struct pinfold_changes_style *style,
			  const struct config *config, struct stream *stream, struct pinfold_error *err)
{
	auto_free struct review_part *parts = calloc(findings->count + 1, sizeof(*parts));
	auto_free struct review_note *notes = calloc(findings->changes + 1, sizeof(*notes));
	struct review review = { .tree = findings->kept->tree, .session = findings->kept->session,
				 .parts = parts, .count = findings->count };
	const struct review_style how = style_of(style, config);
	if (!parts || !notes)
		return fault_no_memory(err);
	fill_parts(findings, parts);
	if (is_judged(style) && judge(findings, config, parts, notes, err) < 0)
		return -1;
	return write_form(stream, &review, style->form, &how, err);
}

/* A file without a name in the scratch directory, for what a reader is not ready for; -1 where there is none. */
static int open_spool(const struct findings *findings)
{
	return openat(findings->kept->root_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* While the changes are found and spelled out no command can run in their session, but it need not wait for
 * whoever reads them: they are written afterwards. */
static int write_review(struct pinfold *pinfold, const struct pinfold_review *review,
			const struct pinfold_changes_style *style, struct stream *stream, uint64_t *ret_count,
			struct pinfold_error *err)
{
	struct findings findings;
	if (findings_open(pinfold, review, &findings, err) < 0)
		return -1;
	*ret_count = findings.changes;
	stream->colour = style->flags & PINFOLD_CHANGES_COLOUR;
	stream->escaped = style->flags & PINFOLD_CHANGES_ESCAPED;
	stream_hold(stream, HELD_MOST, open_spool(&findings));
	int result = write_findings(&findings, style, pinfold->config, stream, err);
	findings_close(&findings);
	if (result == 0)
		return stream_close(stream, err);
	stream_abandon(stream);
	return -1;
}

int pinfold_write_changes(struct pinfold *pinfold, const struct pinfold_review *review,
			  const struct pinfold_changes_style *given, int fd, uint64_t *ret_count,
			  struct pinfold_error *err)
{
	struct pinfold_changes_style style = { 0 };
	auto_free struct stream *stream = malloc(sizeof(*stream));
	uint64_t count;
	if (!stream)
		return fault_no_memory(err);
	stream_open(stream, fd);
	if (read_style(given, &style, err) < 0 ||
	    write_review(pinfold, review, &style, stream, &count, err) < 0)
		return -1;
	if (ret_count)
		*ret_count = count;
	return 0;
}

static int collect(const struct findings *findings, const struct config *config, uint32_t form, size_t most,
		   struct text *ret_text, bool *ret_cut, struct pinfold_error *err)
{
	const struct pinfold_changes_style style = { .size = sizeof(style), .form = form, .around = 3 };
	auto_free struct stream *stream = malloc(sizeof(*stream));
	if (!stream)
		return fault_no_memory(err);
	stream_collect(stream, most);
	stream->escaped = true;
	int result = write_findings(findings, &style, config, stream, err);
	*ret_cut = !stream_take(stream, ret_text);
	if (result == 0 && ret_text->failed)
		return fault_no_memory(err);
	return result;
}

int changes_read(struct pinfold *pinfold, const struct pinfold_review *review, struct changes_texts *ret_texts,
		 struct pinfold_error *err)
{
	struct findings findings;
	struct changes_texts texts = { 0 };
	if (findings_open(pinfold, review, &findings, err) < 0)
		return -1;
	texts.count = findings.changes;
	int result = collect(&findings, pinfold->config, PINFOLD_CHANGES_JSON, LIST_MOST, &texts.list, &texts.list_cut, err);
	if (result == 0)
		result = collect(&findings, pinfold->config, PINFOLD_CHANGES_PATCH, PATCH_MOST, &texts.patch,
				 &texts.patch_cut, err);
	findings_close(&findings);
	if (result == 0)
		*ret_texts = texts;
	else
		changes_texts_release(&texts);
	return result;
}

void changes_texts_release(struct changes_texts *texts)
{
	text_release(&texts->list);
	text_release(&texts->patch);
}
