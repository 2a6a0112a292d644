/* escape/environment.c - variables: secrets that the caller has in them, and those that act on programs on the way. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long show(void)
{
	for (char **variable = environ; *variable; variable++)
		say(*variable, strlen(*variable));
	return 0;
}

static long show_own_proc(void) { return tell("/proc/self/environ"); }

static long show_marks(void)
{
	return getenv("LTDL_LIBRARY_PATH") || getenv("LD_AUDIT") ? 0 : -ENOENT;
}

static long nothing(void)
{
	return 0;
}

static long has_path(void)
{
	return getenv("PATH") && getenv("HOME") ? 0 : -ENOENT;
}
static const struct twin has_its_variables = { "PATH and HOME are there", has_path };

#define OWN(name, how, function, mechanism, source) { name, "own", how, function, &has_its_variables, mechanism, source }
static const struct row rows[] = {
	OWN("secret-variables", 0, show, "variables that look like secrets by name or by value reach the command", "reports of every agent"),
	OWN("secret-variables-in-proc", 0, show_own_proc, "the same in /proc/self/environ, as the program was started with", "proc(5)"),
	OWN("loader-variables", LOADER, nothing, "LD_PRELOAD and LD_AUDIT, set for the command, act on pinfold or its supervisor", "seen with bubblewrap"),
	OWN("loader-variables-inherited", 0, show_marks, "LD_AUDIT and LTDL_LIBRARY_PATH of the caller reach the command", "ld.so(8)"),
	OWN("module-search-path", LOADER, nothing, "LTDL_LIBRARY_PATH makes pinfold load a module out of the tree", "libltdl's manual"),
	OWN("programs-of-the-tree", LOADER, nothing, "PATH has a directory of the tree first, with programs that pinfold might run", "CVE-2025-59532, reports"),
};
const struct class environment_class = CLASS("environment and loader variables", rows);
