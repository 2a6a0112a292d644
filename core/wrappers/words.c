/* wrappers/words.c - words as a shell parts them, where a program shows what it ran. */
#include "wrappers/words.h"

#include "base/cleanup.h"
#include "base/text.h"

/* One word from `at` on; returns where it ends. */
static const char *read_word(const char *at, char stop, struct text *word)
{
	char quote = '\0';
	for (; *at && *at != '\n'; at++) {
		if (quote && *at == quote) {
			quote = '\0';
		} else if (*at == '\\' && quote != '\'' && at[1] && at[1] != '\n') {
			text_add_bytes(word, ++at, 1);
		} else if (quote) {
			text_add_bytes(word, at, 1);
		} else if (*at == ' ' || *at == '\t' || *at == stop) {
			break;
		} else if (*at == '\'' || *at == '"') {
			quote = *at;
		} else {
			text_add_bytes(word, at, 1);
		}
	}
	return at;
}

int words_split(const char *text, char stop, struct list *ret_words)
{
	for (;;) {
		text += strspn(text, " \t");
		if (!*text || *text == '\n' || (stop && *text == stop))
			return 0;
		struct text word = { 0 };
		text = read_word(text, stop, &word);
		char *taken = text_take(&word);
		if (!taken || list_add_taken(ret_words, taken) < 0)
			return -1;
	}
}

static void add_quoted(struct text *text, const char *word)
{
	text_add(text, "'");
	for (; *word; word++)
		text_add(text, *word == '\'' ? "'\\''" : (char[]){ *word, '\0' });
	text_add(text, "'");
}

char *words_join(const struct list *words, size_t count)
{
	struct text text = { 0 };
	for (size_t i = 0; i < count; i++) {
		const char *word = words->items[i];
		text_add(&text, i > 0 ? " " : "");
		if (count > 1 && (!*word || strpbrk(word, " \t'\"\\`")))
			add_quoted(&text, word);
		else
			text_add(&text, word);
	}
	return text_take(&text);
}

bool words_has_stem(const char *path, const char *stem)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(stem);
	return strncmp(name, stem, length) == 0 &&
	       (name[length] == '\0' || (name[length] == '.' && !strchr(name + length + 1, '.')));
}
