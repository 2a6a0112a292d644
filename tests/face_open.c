/* tests/face_open.c - the library, opened for a test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"

struct pinfold *face_open(const char *const *settings)
{
	const struct pinfold_options options = { .size = sizeof(options), .settings = settings };
	struct pinfold_error err = { 0 };
	struct pinfold *pinfold = NULL;
	if (pinfold_new(&options, &pinfold, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, err.recovery);
	return pinfold;
}
