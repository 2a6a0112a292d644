/* wrappers/words.h - words as a shell parts them, where a program shows what it ran. */
#ifndef WRAPPERS_WORDS_H
#define WRAPPERS_WORDS_H

#include "base/list.h"

/* The words of `text` up to its end, to a newline, or to `stop` where that is not quoted. Quotes and
 * backslashes are undone. -1 when memory is gone. */
int words_split(const char *text, char stop, struct list *ret_words);
/* The words as one text: each that holds blanks or quotes is quoted where there are several. */
char *words_join(const struct list *words, size_t count);
/* The last part of a path, without what follows its last dot: "rustc" of "/x/rustc.exe". */
bool words_has_stem(const char *path, const char *stem);

#endif
