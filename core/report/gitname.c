/* report/gitname.c - names of files as git writes them. */
#include "report/gitname.h"

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void add_byte(struct text *text, unsigned char byte)
{
	static const char letters[] = "abtnvfr";	/* from 7 on */
	if (is_plain(byte))
		text_add_bytes(text, &byte, 1);
	else if (byte >= 7 && byte <= 13)
		text_addf(text, "\\%c", letters[byte - 7]);
	else if (byte == '"' || byte == '\\')
		text_addf(text, "\\%c", byte);
	else
		text_addf(text, "\\%03o", byte);
}

void gitname_add(struct text *text, const char *prefix, const char *path)
{
	const char *at = path;
	while (is_plain((unsigned char)*at))
		at++;
	bool quoted = *at != '\0';
	text_add(text, quoted ? "\"" : "");
	text_add(text, prefix);
	for (at = path; *at; at++)
		add_byte(text, (unsigned char)*at);
	text_add(text, quoted ? "\"" : "");
}

char *gitname_of(const char *prefix, const char *path)
{
	struct text text = { 0 };
	gitname_add(&text, prefix, path);
	return text_take(&text);
}
