/* wrappers/toolchain.c - the table of toolchains. */
#include "wrappers/toolchain.h"

const struct toolchain *const toolchains[TOOLCHAINS_MOST + 1] = {
	&toolchain_cargo, &toolchain_c, &toolchain_cxx,
};
