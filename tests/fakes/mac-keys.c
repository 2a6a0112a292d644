/* fakes/mac-keys.c - the table of keys as a Mac has it: with the arms that are preferred there. */
#include "core/macos/include/config/preference.h"

#include "core/config/keys.c"
