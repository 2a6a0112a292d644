/* plugins/seatbelt/calls.h - everything that this arm asks of a Mac, in one table.
 *
 * Its library is no part of any public interface: each function is looked up by name when the arm is first
 * used, and one that is missing is told by name, with the system's build. Tests put another library in its
 * place. What the child calls is one function that does nothing but a system call.
 */
#ifndef SEATBELT_CALLS_H
#define SEATBELT_CALLS_H

#include <pinfold/arm.h>
#include <stdbool.h>
#include <sys/types.h>

/* What sandbox_compile_string returns: a compiled profile is its bytes. */
struct sandbox_profile {
	char *builtin;
	void *data;
	size_t size;
};

enum { CHECK_GLOBAL_NAME = 2, CHECK_NO_REPORT = 0x40000000 };

/* Calls of the kernel's policy "Sandbox". */
enum { SANDBOX_SET_PROFILE = 0, SANDBOX_CHECK = 2, SANDBOX_CONSUME = 6 };

/* X(member, symbol, type of what it returns, its parameters) */
#define SEATBELT_CALLS(X)                                                                          \
	X(create_params, "sandbox_create_params", void *, (void))                                  \
	X(set_param, "sandbox_set_param", int, (void *, const char *, const char *))               \
	X(free_params, "sandbox_free_params", void, (void *))                                      \
	X(compile, "sandbox_compile_string", struct sandbox_profile *, (const char *, void *, char **)) \
	X(free_profile, "sandbox_free_profile", void, (struct sandbox_profile *))                  \
	X(free_error, "sandbox_free_error", void, (char *))                                        \
	X(check, "sandbox_check", int, (pid_t, const char *, int, ...))                            \
	X(issue, "sandbox_extension_issue_file", char *, (const char *, const char *, uint32_t))   \
	X(policy_call, "__sandbox_ms", int, (const char *, int, void *))                           \
	X(list_processes, "proc_listallpids", int, (void *, int))                                  \
	X(spell, "getattrlist", int, (const char *, void *, void *, size_t, unsigned))             \
	X(system_value, "sysctlbyname", int, (const char *, void *, size_t *, void *, size_t))     \
	X(fork_process, "fork", pid_t, (void))                                                     \
	X(execute, "execve", int, (const char *, char *const *, char *const *))                    \
	X(signal_process, "kill", int, (pid_t, int))

struct calls {
#define SEATBELT_CALL_MEMBER(member, symbol, type, parameters) type (*member) parameters;
	SEATBELT_CALLS(SEATBELT_CALL_MEMBER)
#undef SEATBELT_CALL_MEMBER
	const char *missing;	/* the first symbol that was not there, or NULL */
	bool library;	/* the library itself is there */
	char build[32];	/* of the system: kern.osversion, or "" */
};

/* The table, filled once per process; never NULL. */
const struct calls *calls_get(void);
/* Where it is filled from, before its first use; for tests. */
void calls_from(const char *library);

/* Is the process confined already, by whatever? */
bool calls_confined(const struct calls *calls);

/* The blocks of arguments that the kernel's policy takes: slots of 64 bits. */
struct policy_arguments {
	uint64_t slots[20];
};
void calls_profile_arguments(struct policy_arguments *ret_arguments, const void *bytecode, size_t bytes);
/* 0, or a negative errno. Nothing but one system call: for the child. */
int calls_apply(const struct calls *calls, const struct policy_arguments *profile);
int calls_verify(const struct calls *calls);
int calls_consume(const struct calls *calls, const char *token, size_t bytes);

#endif
