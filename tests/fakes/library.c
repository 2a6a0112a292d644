/* fakes/library.c - what missing-library was linked with, and where symbol-of-another's symbol is. */
#define FAKE_NAME "library"
#include "fake.h"

PINFOLD_API int function_of_a_library(void);

int function_of_a_library(void)
{
	return 0;
}
