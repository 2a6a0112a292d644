/* escape/programs.c - programs without a file, interpreters, and other ways to execute: what they run is confined. */
#include "config.h"

#include "case.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *outside(void) { return beside(fact("outside"), token); }

static long wait_for(pid_t child)
{
	int status;
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EACCES;
}

static long start(const char *const *arguments)
{
	pid_t child = fork();
	if (child == 0) {
		execv(arguments[0], (char *const *)arguments);
		_exit(127);
	}
	return wait_for(child);
}

static long by_memory(void)
{
	int program = (int)syscall(SYS_memfd_create, "program", 0), file = open("cases", O_RDONLY);
	const char *arguments[] = { "cases", "make", outside(), token, NULL };
	struct stat status;
	if (program < 0 || file < 0 || fstat(file, &status) < 0 || sendfile(program, file, NULL, (size_t)status.st_size) < 0)
		return -errno;
	pid_t child = fork();
	if (child == 0) {
		fexecve(program, (char *const *)arguments, environ);
		_exit(127);
	}
	return wait_for(child);
}

static long by_shell(void)
{
	char command[1400];
	snprintf(command, sizeof(command), "echo %s >'%s'", token, outside());
	return start((const char *const[]){ "/bin/sh", "-c", command, NULL });
}

static long by_script(void)
{
	FILE *script = fopen("script", "we");
	if (!script)
		return -errno;
	fprintf(script, "#!/bin/sh\necho %s >'%s'\n", token, outside());
	fclose(script);
	chmod("script", 0755);
	return start((const char *const[]){ "./script", NULL });
}

static long by_linker(void)
{
	const char *linker = "/lib64/ld-linux-x86-64.so.2";
	if (access(linker, X_OK) < 0)
		return lack("the dynamic linker is not known here");
	char target[1100];
	snprintf(target, sizeof(target), "of=%s", outside());
	return start((const char *const[]){ linker, "/bin/dd", "if=one", target, "status=none", NULL });
}

static long by_copy(void)
{
	return start((const char *const[]){ "/bin/cp", "one", outside(), NULL });
}

static long by_own_copy(void)
{
	long result = start((const char *const[]){ "/bin/cp", "cases", "copied-cases", NULL });
	return result < 0 ? result : start((const char *const[]){ "./copied-cases", "make", outside(), token, NULL });
}

static long by_interpreter(void)
{
	char program[1400];
	if (access("/usr/bin/perl", X_OK) < 0)
		return lack("perl is not here");
	snprintf(program, sizeof(program), "open(F, '>', '%s') or exit 1; print F '%s'", outside(), token);
	return start((const char *const[]){ "/usr/bin/perl", "-e", program, NULL });
}

static long by_victims_program(void)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%s/exe", fact("victim"));
	return start((const char *const[]){ path, "--yes", NULL });
}

static long write_own_program(void)
{
	if (unconfined)
		return make(beside(fact("tree"), "cases-changed"));
	return opened(open(beside(fact("tree"), "cases"), O_WRONLY));
}

#define PROGRAM(name, function, mechanism, source) { name, "writes", 0, function, &runs_a_program, mechanism, source }
static const struct row rows[] = {
	PROGRAM("memory-file", by_memory, "a program in a memfd writes outside", "memfd_create(2), fexecve(3)"),
	PROGRAM("shell", by_shell, "a shell writes outside", "sh(1)"),
	PROGRAM("script", by_script, "a script of the tree writes outside", "execve(2)"),
	PROGRAM("dynamic-linker", by_linker, "the dynamic linker runs a program that writes outside", "ld.so(8)"),
	PROGRAM("system-program", by_copy, "a program of the system writes outside", "cp(1)"),
	PROGRAM("own-program", by_own_copy, "a program that the command made writes outside", "execve(2)"),
	PROGRAM("interpreter", by_interpreter, "an interpreter writes outside", "perl(1)"),
	{ "program-of-another", "processes", BY_WORD, by_victims_program, &runs_a_program,
	  "/proc/PID/exe of a process outside is executed", "CVE-2019-5736" },
	{ "program-of-the-tree", "filesystem", 0, write_own_program, &runs_a_program,
	  "the command changes the program that it was started from", "CVE-2019-5736", "absolute path" },
};
const struct class programs_class = CLASS("memfd and interpreter tricks", rows);
