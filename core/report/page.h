/* report/page.h - one report for a person, as text or as a page for a browser.
 *
 * The page needs nothing from elsewhere and runs nothing: its policy lets a browser load nothing and take its one
 * style alone, which it names by its digest. Whatever is said through these functions is somebody else's: what is not
 * printable UTF-8 is shown as \xNN, and nothing of it is markup.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/table.h"

#define PAGE_MARK "<!DOCTYPE html>\n<!-- pinfold report 1 -->\n"	/* what every page begins with */

struct page {
	struct text text;
	bool html, colour;	/* colour: of the text */
};

/* `outcome` in a word or two, beside the title. */
void page_begin(struct page *page, const char *title, enum paint paint, const char *outcome);
void page_end(struct page *page);
void page_section(struct page *page, const char *heading);
void page_paragraph(struct page *page, enum paint paint, const char *text);
/* Labels and values, between a begin and an end. An empty value says nothing. */
void page_rows_begin(struct page *page);
void page_row(struct page *page, const char *label, enum paint paint, const char *value);
void page_rows_end(struct page *page);
/* A list of things with a mark in a few letters each; name and note may be empty. */
void page_items_begin(struct page *page);
void page_item(struct page *page, enum paint paint, const char *mark, const char *name, const char *note);
void page_items_end(struct page *page);
/* How long something took, beside the whole. */
void page_time(struct page *page, const char *label, double milliseconds, double whole);
/* A patch: a file with its lines, the newlines left out. Files of a page can be closed one by one. */
void page_file_begin(struct page *page, const char *name);
void page_line(struct page *page, enum paint paint, const char *bytes, size_t count);
void page_file_end(struct page *page);

#endif
