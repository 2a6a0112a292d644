/* tests/tree_picture.h - a directory as text: every name with all that can be known of it. */
#ifndef TESTS_TREE_PICTURE_H
#define TESTS_TREE_PICTURE_H

#include <stdbool.h>

/* One line for each entry below `path`, sorted: kind, mode, time, size, links, content, attributes of the
 * user. `times`: with the times of directories too. The caller frees it. */
char *picture_of(const char *path, bool times);
/* Fails with the first line that differs. */
void picture_assert_equal(const char *expected, const char *found);
bool picture_is_equal(const char *expected, const char *found);

#endif
