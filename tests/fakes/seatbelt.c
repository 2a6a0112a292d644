/* tests/fakes/seatbelt.c - a Mac's sandbox for machines that have none: the same functions under the same names.
 *
 * Profiles are read and judged by tests/sbpl.c. Nothing is confined; what is asked is answered as it would
 * be, for a process and all that it starts through here.
 */
#include "config.h"

#include "seatbelt.h"

#include "sbpl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

static struct fake *fake;

__attribute__((constructor)) static void share(void)
{
	const char *file = getenv(FAKE_STATE);
	int fd = file ? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (file && (fd < 0 || ftruncate(fd, sizeof(*fake)) < 0))
		abort();
	fake = mmap(NULL, sizeof(*fake), PROT_READ | PROT_WRITE, MAP_SHARED | (file ? 0 : MAP_ANONYMOUS), fd, 0);
	if (fake == MAP_FAILED)
		abort();
	if (fd >= 0)
		close(fd);
}

EXPORTED struct fake *fake_state(void);
EXPORTED struct fake *fake_state(void)
{
	return fake;
}

/* Notes the call; true when it is to fail. */
static bool fails(const char *name, const char *with)
{
	char line[256];
	unsigned number = __atomic_add_fetch(&fake->calls, 1, __ATOMIC_SEQ_CST);
	int length = snprintf(line, sizeof(line), "%s %s\n", name, with ? with : "");
	unsigned at = __atomic_fetch_add(&fake->said_bytes, (unsigned)length, __ATOMIC_SEQ_CST);
	if (at + (unsigned)length < FAKE_SAID)
		memcpy(fake->said + at, line, (size_t)length);
	if (number != fake->fail_at && strcmp(fake->fail_name, name) != 0)
		return false;
	snprintf(fake->failed, sizeof(fake->failed), "%s", name);
	errno = EINVAL;
	return true;
}

static unsigned store(const void *data, size_t bytes)
{
	unsigned at = __atomic_fetch_add(&fake->stored, (unsigned)bytes, __ATOMIC_SEQ_CST);
	if (at + bytes > FAKE_STORE)
		abort();
	memcpy(fake->store + at, data, bytes);
	return at;
}

static struct fake_process *find(pid_t pid)
{
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (fake->processes[i].pid == pid)
			return &fake->processes[i];
	return NULL;
}

/* The profile as it was compiled: text, then names and values, each ended by a NUL. */
static struct sbpl *profile_of(const struct fake_process *process)
{
	const char *rows[256] = { NULL }, *text = fake->store + process->profile, *end = text + process->bytes;
	size_t count = 0;
	char *reason = NULL;
	for (const char *at = text + strlen(text) + 1; at < end && count < 255; at += strlen(at) + 1)
		rows[count++] = at;
	struct sbpl *sbpl = sbpl_read(text, rows, &reason);
	if (!sbpl)
		abort();
	return sbpl;
}

static void report(const char *operation, const char *about, const char *message)
{
	char line[1024];
	int length = snprintf(line, sizeof(line),
			      "{\"eventMessage\":\"Sandbox: fake(%d) deny(1) %s %s\\n%s\",\"processID\":0}\n", getpid(),
			      operation, about ? about : "", message);
	int fd = fake->journal[0] ? open(fake->journal, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	if (fd >= 0) {
		ssize_t written = write(fd, line, (size_t)length);
		close(fd);
		(void)written;
	}
}

static bool allows(const struct fake_process *process, const struct sbpl_question *asked, bool told)
{
	const char *extensions[2 * FAKE_TOKENS + 1] = { NULL };
	struct sbpl_question question = *asked;
	for (unsigned i = 0; i < process->token_count; i++) {
		extensions[2 * i] = fake->store + process->tokens[i];
		extensions[2 * i + 1] = extensions[2 * i] + strlen(extensions[2 * i]) + 1;
	}
	question.extensions = extensions;
	struct sbpl *sbpl = profile_of(process);
	struct sbpl_answer answer = sbpl_ask(sbpl, &question);
	if (!answer.allowed && answer.message && told)
		report(question.operation, question.path, answer.message);
	sbpl_free(sbpl);
	return answer.allowed;
}

EXPORTED int fake_ask(const char *operation, const char *path);
EXPORTED int fake_ask(const char *operation, const char *path)
{
	const struct fake_process *process = find(getpid());
	return !process || allows(process, &(struct sbpl_question){ .operation = operation, .path = path }, true);
}

struct parameters {
	size_t count;
	char *rows[256];
};

EXPORTED void *sandbox_create_params(void);
EXPORTED void *sandbox_create_params(void)
{
	return fails("sandbox_create_params", NULL) ? NULL : calloc(1, sizeof(struct parameters));
}

EXPORTED int sandbox_set_param(struct parameters *parameters, const char *name, const char *value);
EXPORTED int sandbox_set_param(struct parameters *parameters, const char *name, const char *value)
{
	if (fails("sandbox_set_param", name) || parameters->count + 2 > 254)
		return -1;
	parameters->rows[parameters->count++] = strdup(name);
	parameters->rows[parameters->count++] = strdup(value);
	return 0;
}

EXPORTED void sandbox_free_params(struct parameters *parameters);
EXPORTED void sandbox_free_params(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->count; i++)
		free(parameters->rows[i]);
	free(parameters);
}

struct profile {
	char *builtin;
	void *data;
	size_t size;
};

EXPORTED struct profile *sandbox_compile_string(const char *text, const struct parameters *parameters, char **error);
EXPORTED struct profile *sandbox_compile_string(const char *text, const struct parameters *parameters, char **error)
{
	char *made = NULL;
	size_t bytes = 0;
	if (fails("sandbox_compile_string", NULL))
		return NULL;
	struct sbpl *sbpl = sbpl_read(text, (const char *const *)parameters->rows, error);
	if (!sbpl)
		return NULL;
	sbpl_free(sbpl);
	FILE *out = open_memstream(&made, &bytes);
	fwrite(text, strlen(text) + 1, 1, out);
	for (size_t i = 0; i < parameters->count; i++)
		fwrite(parameters->rows[i], strlen(parameters->rows[i]) + 1, 1, out);
	fclose(out);
	struct profile *profile = malloc(sizeof(*profile));
	*profile = (struct profile){ NULL, made, bytes };
	return profile;
}

EXPORTED void sandbox_free_profile(struct profile *profile);
EXPORTED void sandbox_free_profile(struct profile *profile)
{
	free(profile->data);
	free(profile);
}

EXPORTED void sandbox_free_error(char *error);
EXPORTED void sandbox_free_error(char *error)
{
	free(error);
}

EXPORTED int sandbox_check(pid_t pid, const char *operation, int type, ...);
EXPORTED int sandbox_check(pid_t pid, const char *operation, int type, ...)
{
	va_list list;
	const struct fake_process *process = find(pid);
	if (operation && !process)	/* all others of the machine: neither counted nor noted */
		return 0;
	if (fails("sandbox_check", operation))
		return -1;
	if (!operation)
		return process != NULL;
	if (!process || fake->blind)
		return 0;
	va_start(list, type);
	struct sbpl_question question = { .operation = operation, .name = va_arg(list, const char *) };
	va_end(list);
	return !allows(process, &question, false);
}

EXPORTED char *sandbox_extension_issue_file(const char *class, const char *path, uint32_t flags);
EXPORTED char *sandbox_extension_issue_file(const char *class, const char *path, uint32_t flags)
{
	char *token;
	(void)flags;
	if (fails("sandbox_extension_issue_file", path) || asprintf(&token, "%s;%s", class, path) < 0)
		return NULL;
	return token;
}

static int set_profile(const uint64_t *slots)
{
	if (find(getpid())) {
		errno = EPERM;
		return -1;
	}
	for (size_t i = 0; i < FAKE_PROCESSES; i++) {
		pid_t none = 0;
		struct fake_process *process = &fake->processes[i];
		if (!__atomic_compare_exchange_n(&process->pid, &none, -1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			continue;
		process->profile = store((const void *)(uintptr_t)slots[0], slots[1]);
		process->bytes = (unsigned)slots[1];
		process->token_count = 0;
		__atomic_store_n(&process->pid, getpid(), __ATOMIC_SEQ_CST);
		return 0;
	}
	errno = ENOMEM;
	return -1;
}

static int consume(const uint64_t *slots)
{
	struct fake_process *process = find(getpid());
	const char *token = (const char *)(uintptr_t)slots[0];
	if (!process || process->token_count == FAKE_TOKENS || slots[1] != strlen(token) + 1) {
		errno = EINVAL;
		return -1;
	}
	unsigned at = store(token, strlen(token) + 1);
	*strchr(fake->store + at, ';') = '\0';
	process->tokens[process->token_count++] = at;
	*(int64_t *)(uintptr_t)slots[2] = process->token_count;
	return 0;
}

EXPORTED int __sandbox_ms(const char *policy, int call, void *arguments);
EXPORTED int __sandbox_ms(const char *policy, int call, void *arguments)
{
	static const char *const names[] = { "apply", "", "verify", "", "", "", "consume" };
	const uint64_t *slots = arguments;
	if (fails(call >= 0 && call <= 6 ? names[call] : "", policy))
		return -1;
	if (call == 0)
		return set_profile(slots);
	if (call == 6)
		return consume(slots);
	*(uint64_t *)(uintptr_t)slots[0] = find((pid_t)slots[1]) != NULL;
	return 0;
}

EXPORTED int proc_listallpids(void *room, int bytes);
EXPORTED int proc_listallpids(void *room, int bytes)
{
	pid_t *pids = room;
	int count = 0;
	if (fails("proc_listallpids", NULL))
		return -1;
	DIR *all = opendir("/proc");
	for (const struct dirent *entry; all && (entry = readdir(all));)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
			if (pids && count < bytes / (int)sizeof(*pids))
				pids[count] = atoi(entry->d_name);
			count++;
		}
	closedir(all);
	return count;
}

struct given {
	uint32_t bytes;
	int32_t offset;
	uint32_t length;
	char text[];
} __attribute__((packed, aligned(4)));

EXPORTED int getattrlist(const char *path, void *wanted, void *room, size_t bytes, unsigned options);
EXPORTED int getattrlist(const char *path, void *wanted, void *room, size_t bytes, unsigned options)
{
	struct given *given = room;
	size_t length = strlen(fake->from);
	(void)wanted;
	(void)options;
	if (fails("getattrlist", path))
		return -1;
	bool moved = length > 0 && strncmp(path, fake->from, length) == 0;
	char spelled[1024];
	snprintf(spelled, sizeof(spelled), "%s%s", moved ? fake->to : "", path + (moved ? length : 0));
	if (access(spelled, F_OK) < 0)
		return -1;
	given->offset = 8;
	given->length = (uint32_t)strlen(spelled) + 1;
	given->bytes = (uint32_t)sizeof(*given) + given->length;
	if (given->bytes > bytes) {
		errno = ERANGE;
		return -1;
	}
	memcpy(given->text, spelled, given->length);
	return 0;
}

EXPORTED int sysctlbyname(const char *name, void *old, size_t *bytes, void *new_value, size_t new_bytes);
EXPORTED int sysctlbyname(const char *name, void *old, size_t *bytes, void *new_value, size_t new_bytes)
{
	(void)new_value;
	(void)new_bytes;
	if (fails("sysctlbyname", name))
		return -1;
	snprintf(old, *bytes, "25F71");
	return 0;
}

/* What a confined process starts is confined as it is. */
EXPORTED pid_t fake_fork(void) __asm__("fork");
EXPORTED pid_t fake_fork(void)
{
	pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_DEFAULT, "fork");
	if (fails("fork", NULL))
		return -1;
	const struct fake_process *parent = find(getpid());
	pid_t child = real();
	if (child == 0 && parent) {
		uint64_t slots[2] = { (uintptr_t)(fake->store + parent->profile), parent->bytes };
		set_profile(slots);
	}
	return child;
}

EXPORTED int fake_execve(const char *path, char *const *argv, char *const *envp) __asm__("execve");
EXPORTED int fake_execve(const char *path, char *const *argv, char *const *envp)
{
	const struct fake_process *process = find(getpid());
	struct sbpl_question question = { .operation = "process-exec", .path = path };
	if (fails("execve", path))
		return -1;
	if (process && !allows(process, &question, true) && !fake->truly_runs) {
		errno = EPERM;
		return -1;
	}
	syscall(SYS_execve, path, argv, envp);
	return -1;
}

EXPORTED int fake_kill(pid_t pid, int signal_number) __asm__("kill");
EXPORTED int fake_kill(pid_t pid, int signal_number)
{
	const struct fake_process *process = find(getpid()), *target = find(pid);
	struct sbpl_question question = { .operation = "signal",
					  .outside = !target || !process || target->profile != process->profile };
	if (fails("kill", NULL))
		return -1;
	if (process && !allows(process, &question, true)) {
		errno = EPERM;
		return -1;
	}
	if (fake->immortal && signal_number == SIGKILL)
		return 0;
	if (signal_number == SIGKILL && target)
		((struct fake_process *)target)->pid = 0;
	return (int)syscall(SYS_kill, pid, signal_number);
}
