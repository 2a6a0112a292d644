/* tests/face_open.h - the library, opened for a test. */
#ifndef TESTS_FACE_OPEN_H
#define TESTS_FACE_OPEN_H

#include <pinfold/pinfold.h>

/* With these settings, or none for NULL; the test fails where that cannot be. */
struct pinfold *face_open(const char *const *settings);

#endif
