/* tests/seatbelt_asks.c - a command on the fake of a Mac: says who it is, and of each operation and path whether it may. */
#include "config.h"

#include "fakes/seatbelt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	fake_ask_function *may = NULL;
	void *library = dlopen(TEST_BUILD "/tests/fakes/.libs/mac.so", RTLD_NOW | RTLD_LOCAL);
	void *found = library ? dlsym(library, "fake_ask") : NULL;
	memcpy(&may, &found, sizeof(found));
	if (!may)
		return 99;
	printf("ran as %d, 300 is %s\n", (int)getpid(), lseek(300, 0, SEEK_CUR) < 0 ? "closed" : "open");
	for (int i = 1; i + 1 < argc; i += 2)
		printf("%s %s %s\n", may(argv[i], argv[i + 1]) ? "may" : "may not", argv[i], argv[i + 1]);
	return 47;
}
