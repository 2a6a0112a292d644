/* report/page.c - one report for a person, as text or as a page for a browser. */
#include "config.h"

#include "report/page.h"

#include "base/cleanup.h"
#include "report/page_style.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

enum { LABEL_COLUMNS = 14, MARK_COLUMNS = 9, NAME_COLUMNS = 14, LINE_COLUMNS = 100, DIGEST_ROOM = 64 };

static const char *const classes[] = {
	[PAINT_PLAIN] = "p", [PAINT_STRONG] = "s", [PAINT_GOOD] = "g", [PAINT_BAD] = "b", [PAINT_FAINT] = "f", [PAINT_PLACE] = "l",
};

/* For a browser: what is quoted for a person, and nothing of it markup. */
static void add_markup(struct text *text, const char *bytes)
{
	struct text quoted = { 0 };
	text_add_quoted(&quoted, bytes);
	text->failed = text->failed || quoted.failed;
	for (const char *at = quoted.data; at && *at;) {
		size_t plain = strcspn(at, "&<>\"'");
		text_add_bytes(text, at, plain);
		at += plain;
		if (*at)
			text_addf(text, "&#%d;", (unsigned char)*at++);
	}
	text_release(&quoted);
}

static void add_element(struct page *page, const char *element, enum paint paint, const char *bytes)
{
	text_addf(&page->text, "<%s class=%s>", element, classes[paint]);
	add_markup(&page->text, bytes);
	text_addf(&page->text, "</%s>", element);
}

/* --- its beginning and its end ----------------------------------------------------------------------- */

/* The one style that the page's policy lets a browser take. */
static void add_policy(struct text *text)
{
	unsigned char sum[crypto_hash_sha256_BYTES];
	char digest[DIGEST_ROOM];
	if (sodium_init() < 0 ||
	    crypto_hash_sha256(sum, (const unsigned char *)page_style, strlen(page_style)) != 0 ||
	    !sodium_bin2base64(digest, sizeof(digest), sum, sizeof(sum), sodium_base64_VARIANT_ORIGINAL))
		text->failed = true;
	else
		text_addf(text, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
				"style-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n", digest);
}

void page_begin(struct page *page, const char *title, enum paint paint, const char *outcome)
{
	struct text *text = &page->text;
	if (!page->html) {
		paint_add(text, page->colour, PAINT_STRONG, title);
		text_add(text, "\n");
		paint_add(text, page->colour, paint, outcome);
		text_add(text, "\n");
		return;
	}
	text_add(text, PAGE_MARK "<html lang=en>\n<head>\n<meta charset=utf-8>\n");
	add_policy(text);
	text_add(text, "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n<title>");
	add_markup(text, title);
	text_addf(text, "</title>\n<style>%s</style>\n</head>\n<body>\n<header>\n<h1>", page_style);
	add_markup(text, title);
	text_add(text, "</h1>\n<p>");
	add_element(page, "strong", paint, outcome);
	text_add(text, "</p>\n</header>\n<main>\n");
}

void page_end(struct page *page)
{
	text_add(&page->text, page->html ? "</main>\n<footer>pinfold " PACKAGE_VERSION "</footer>\n</body>\n</html>\n" : "");
}

/* --- what is in it -------------------------------------------------------------------------------------- */

void page_section(struct page *page, const char *heading)
{
	if (page->html) {
		text_add(&page->text, "<h2>");
		add_markup(&page->text, heading);
		text_add(&page->text, "</h2>\n");
		return;
	}
	text_add(&page->text, "\n");
	paint_add(&page->text, page->colour, PAINT_STRONG, heading);
	text_add(&page->text, "\n");
}

void page_paragraph(struct page *page, enum paint paint, const char *text)
{
	if (page->html) {
		add_element(page, "p", paint, text);
	} else {
		text_add(&page->text, "  ");
		paint_add(&page->text, page->colour, paint, text);
	}
	text_add(&page->text, "\n");
}

void page_rows_begin(struct page *page)
{
	text_add(&page->text, page->html ? "<dl>\n" : "");
}

void page_row(struct page *page, const char *label, enum paint paint, const char *value)
{
	if (!value || !value[0])
		return;
	if (page->html) {
		add_element(page, "dt", PAINT_FAINT, label);
		add_element(page, "dd", paint, value);
	} else {
		text_addf(&page->text, "  %-*s", LABEL_COLUMNS, label);
		paint_add(&page->text, page->colour, paint, value);
	}
	text_add(&page->text, "\n");
}

void page_rows_end(struct page *page)
{
	text_add(&page->text, page->html ? "</dl>\n" : "");
}

void page_items_begin(struct page *page)
{
	text_add(&page->text, page->html ? "<ul>\n" : "");
}

/* The rest of a line that `column` columns of it precede, in as many lines as it takes. */
static void add_folded(struct page *page, enum paint paint, const char *bytes, size_t column)
{
	struct text quoted = { 0 };
	size_t room = column + 20 < LINE_COLUMNS ? LINE_COLUMNS - column : 20, start = 0, blank = 0;
	text_add_quoted(&quoted, bytes);
	page->text.failed = page->text.failed || quoted.failed;
	for (size_t i = 0; quoted.data && i <= quoted.length; i++) {
		if (quoted.data[i] == ' ')
			blank = i;
		bool full = i - start >= room && blank > start, last = i == quoted.length;
		if (!full && !last)
			continue;
		size_t end = full ? blank : i;
		auto_free char *part = strndup(quoted.data + start, end - start);
		paint_add(&page->text, page->colour, paint, part ? part : "");
		if (full)
			text_addf(&page->text, "\n%*s", (int)column, "");
		start = end + 1;
		i = full ? end : i;
	}
	text_release(&quoted);
}

void page_item(struct page *page, enum paint paint, const char *mark, const char *name, const char *note)
{
	struct text *text = &page->text;
	if (page->html) {
		text_add(text, "<li>");
		add_element(page, "b", paint, mark);
		text_add(text, "<span>");
		add_element(page, "code", PAINT_PLAIN, name);
		if (note[0]) {
			text_add(text, " ");
			add_element(page, "span", PAINT_FAINT, note);
		}
		text_add(text, "</span></li>\n");
		return;
	}
	size_t width = paint_width(mark), column = 2 + (width < MARK_COLUMNS ? MARK_COLUMNS : width + 1);
	text_add(text, "  ");
	paint_add(text, page->colour, paint, mark);
	text_addf(text, "%*s", (int)(column - 2 - width), "");
	paint_add(text, page->colour, PAINT_PLAIN, name);
	if (note[0] && name[0]) {
		width = paint_width(name);
		size_t gap = width < NAME_COLUMNS ? NAME_COLUMNS - width : 2;
		text_addf(text, "%*s", (int)gap, "");
		column += width + gap;
	}
	add_folded(page, PAINT_FAINT, note, column);
	text_add(text, "\n");
}

void page_items_end(struct page *page)
{
	text_add(&page->text, page->html ? "</ul>\n" : "");
}

void page_time(struct page *page, const char *label, double milliseconds, double whole)
{
	if (page->html)
		text_addf(&page->text, "<dt>%s</dt><dd><meter min=0 max=%.3f value=%.3f></meter> %.1f ms</dd>\n", label,
			  whole > 0 ? whole : 1, milliseconds, milliseconds);
	else
		text_addf(&page->text, "  %-*s%10.1f ms\n", LABEL_COLUMNS, label, milliseconds);
}

void page_file_begin(struct page *page, const char *name)
{
	if (page->html) {
		text_add(&page->text, "<details open><summary>");
		add_markup(&page->text, name);
		text_add(&page->text, "</summary>\n<pre>");
	} else {
		text_add(&page->text, "\n");
	}
}

/* A tab is no harm, and quoted it would be none. */
static void add_line(struct page *page, char *line)
{
	for (char *part = line, *tab; part; part = tab ? tab + 1 : NULL) {
		tab = strchr(part, '\t');
		if (tab)
			*tab = '\0';
		if (page->html)
			add_markup(&page->text, part);
		else
			text_add_quoted(&page->text, part);
		text_add(&page->text, tab ? "\t" : "");
	}
}

void page_line(struct page *page, enum paint paint, const char *bytes, size_t count)
{
	auto_free char *line = strndup(bytes, count);
	bool painted = page->colour && paint != PAINT_PLAIN;
	if (!line) {
		page->text.failed = true;
		return;
	}
	if (page->html)
		text_addf(&page->text, "<span class=%s>", classes[paint]);
	else
		text_add(&page->text, painted ? paint_begin(paint) : "");
	add_line(page, line);
	text_add(&page->text, page->html ? "</span>" : painted ? "\033[0m\n" : "\n");
}

void page_file_end(struct page *page)
{
	text_add(&page->text, page->html ? "</pre></details>\n" : "");
}
