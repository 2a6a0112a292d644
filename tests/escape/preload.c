/* escape/preload.c - a library that leaves a mark outside where a program of pinfold's own loads it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void leave_mark(void)
{
	char program[1024] = "";
	const char *mark = getenv("ESCAPE_MARK");
	if (!mark || readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		return;
	const char *name = strrchr(program, '/');
	if (name && strncmp(name + 1, "pinfold", 7) == 0)
		close(open(mark, O_WRONLY | O_CREAT, 0644));
}

/* As an auditing library it must say that it is one. */
unsigned la_version(unsigned version);
unsigned la_version(unsigned version)
{
	leave_mark();
	return version;
}
