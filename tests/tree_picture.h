/* tests/tree_picture.h - a directory as text: every name with all that can be known of it. */
#ifndef TESTS_TREE_PICTURE_H
#define TESTS_TREE_PICTURE_H

#include <stdbool.h>

enum picture_times { PICTURE_NO_TIMES = 0, PICTURE_TIMES };

/* One line for each entry below `path`, sorted: kind, mode, time, size, links, content, attributes of the
 * user. The caller frees it. */
char *picture_of(const char *path, enum picture_times times);
/* Fails with the first line that differs. */
void picture_assert_equal(const char *expected, const char *found);
bool picture_is_equal(const char *expected, const char *found);

#endif
