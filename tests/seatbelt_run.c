/* tests/seatbelt_run.c - whole runs by the library with the arm's own module, on the fake of a Mac: becoming the command,
 * what is told of paths, and what its kernel refused, from the command through the log to the receipt. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "face_open.h"
#include "face_place.h"
#include "fakes/seatbelt.h"

#include <pinfold/pinfold.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fake *fake;	/* shared with every process of a run */
static char granted[PATH_MAX], secret[PATH_MAX], elsewhere[PATH_MAX], inside[PATH_MAX], shared_by[PATH_MAX];
static const char asks[] = TEST_BUILD "/tests/seatbelt_asks";

static char journal[256], log_program[PATH_MAX];	/* what the kernel writes, and who reads it to us */

static int write_script(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	int written = fd < 0 ? -1 : dprintf(fd, "#!/bin/sh\necho $$ >'%s.pid'\n%s\n", journal, text);
	return (fd < 0 ? -1 : close(fd)) | (written < 0 ? -1 : 0);
}

static int place_make(void **state)
{
	if (face_place_make(state) < 0)
		return -1;
	const char *home = face_place_home();
	snprintf(granted, sizeof(granted), "%.4000s/granted", home);
	snprintf(secret, sizeof(secret), "%.4000s/secret", home);
	snprintf(elsewhere, sizeof(elsewhere), "%.4000s/elsewhere", home);
	snprintf(inside, sizeof(inside), "%.4000s/made", face_place_tree());
	snprintf(shared_by, sizeof(shared_by), FAKE_STATE "=%.4000s/mac", home);
	int fd = open(strchr(shared_by, '=') + 1, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*fake)) < 0 || putenv(shared_by) != 0)
		return -1;
	fake = mmap(NULL, sizeof(*fake), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	snprintf(journal, sizeof(journal), "%.240s/journal", home);
	snprintf(log_program, sizeof(log_program), "%.4000s/log", home);
	if (fake == MAP_FAILED || setenv("FAKE_MAC_LOG", log_program, 1) < 0 || write_script(log_program, "exit 1") < 0)
		return -1;
	return mkdir(granted, 0700) | mkdir(secret, 0700);
}

static struct pinfold *open_on_mac(const char *setting)
{
	char hidden[PATH_MAX + 32];
	const char *const settings[] = {
		"pinfold.plugins=seatbelt", "pinfold.arm=seatbelt", "pinfold.view=direct", "pinfold.preset=",
		"pinfold.terminal=inherit", "grant:out.kind=write", "limits.open-files=77", hidden, setting, NULL,
	};
	snprintf(hidden, sizeof(hidden), "filesystem.hidden=%s", secret);
	return face_open(settings);
}

/* Asks about one place of each kind. */
static const char *const *questions(void)
{
	static const char *argv[] = { asks, "file-write-create", inside, "file-write-create", elsewhere, "file-read-data",
				      secret, "file-read-data", elsewhere, "file-write-create", granted, NULL };
	return argv;
}

static struct pinfold_command command_of(const char *const *argv, int out)
{
	static const char *grants[2], *set[2];
	static char bound[PATH_MAX + 8];
	snprintf(bound, sizeof(bound), "out=%s", granted);
	grants[0] = bound;
	set[0] = shared_by;
	return (struct pinfold_command){
		.size = sizeof(struct pinfold_command), .argv = argv, .streams = { -1, out, -1 }, .grants = grants, .set = set,
	};
}

static bool is_confined(pid_t process)
{
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (fake->processes[i].pid == process)
			return true;
	return false;
}

/* What a process has of the things that becoming a command changes. */
struct standing {
	struct rlimit files;
	sigset_t mask;
	int priority, descriptors;
	bool confined, parent;
	char directory[PATH_MAX];
};

static struct standing standing_now(void)
{
	struct standing now;
	memset(&now, 0, sizeof(now));
	getrlimit(RLIMIT_NOFILE, &now.files);
	sigprocmask(SIG_SETMASK, NULL, &now.mask);
	now.priority = getpriority(PRIO_PROCESS, 0);
	for (int fd = 0; fd < 400; fd++)
		now.descriptors += fcntl(fd, F_GETFD) >= 0 ? 1 + fcntl(fd, F_GETFD) * 1000 : 0;
	now.confined = is_confined(getpid());
	now.parent = waitpid(-1, NULL, WNOHANG) >= 0;
	if (!getcwd(now.directory, sizeof(now.directory)))
		now.directory[0] = '\0';
	return now;
}

enum { REFUSED = 90, STOPPED, CHANGED, STOPPED_AS_IT_WAS, RAN = 47 };

/* In a process of its own: how far it came, and in `told` what the command said, or why there was none. */
static int become_and_tell(const char *setting, const char *const *argv, int out)
{
	struct pinfold *pinfold = open_on_mac(setting);
	struct pinfold_command command = command_of(argv, out);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	uint32_t changed = 7;
	fcntl(STDERR_FILENO, F_DUPFD, 300);	/* past the limit that is set for the command */
	struct standing before = standing_now(), after;
	if (pinfold_exec_prepare(pinfold, &command, &run, &err) < 0) {
		after = standing_now();
		pinfold_free(pinfold);
		/* What is opened once and stays is closed with the library's handle. */
		after.descriptors = before.descriptors;
		dprintf(out, "%s: %s: %s", err.action, err.subject, err.recovery);
		return memcmp(&before, &after, sizeof(before)) == 0 ? REFUSED : CHANGED;
	}
	pinfold_exec(run, &changed, &err);
	dprintf(out, "%s: %s: %s", err.action, err.subject, err.recovery);
	return err.code != PINFOLD_E_STEP ? CHANGED : changed ? STOPPED : STOPPED_AS_IT_WAS;
}

static int in_a_process(const char *setting, const char *const *argv, char *told, size_t bytes)
{
	int status, ends[2];
	size_t length = 0;
	ssize_t got;
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		_exit(become_and_tell(setting, argv, ends[1]));
	}
	close(ends[1]);
	while ((got = read(ends[0], told + length, bytes - 1 - length)) > 0)
		length += (size_t)got;
	told[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void start_anew(void)
{
	memset(fake, 0, sizeof(*fake));
}

static void must_have(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no `%s` in:\n%s", part, text);
}

static void must_answer(const char *told, const char *answer, const char *operation, const char *path)
{
	char line[PATH_MAX + 64];
	snprintf(line, sizeof(line), "\n%s %s %s\n", answer, operation, path);
	must_have(told, line);
}

static void what_becomes_the_command_is_confined_as_a_run_is_and_bears_no_mark(void **state)
{
	static char told[1 << 15];
	(void)state;
	start_anew();
	int status = in_a_process(NULL, questions(), told, sizeof(told));
	if (status != RAN)
		fail_msg("%d: %s", status, told);
	must_have(told, "ran as ");
	assert_true(is_confined(atoi(told + strlen("ran as "))));
	must_answer(told, "may", "file-write-create", inside);
	must_answer(told, "may not", "file-write-create", elsewhere);
	must_answer(told, "may", "file-read-data", elsewhere);
	must_answer(told, "may not", "file-read-data", secret);
	must_answer(told, "may", "file-write-create", granted);
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (fake->processes[i].pid == atoi(told + strlen("ran as ")))
			assert_null(memmem(fake->store + fake->processes[i].profile, fake->processes[i].bytes, "pinfold.run.",
					   strlen("pinfold.run.")));
}

/* The process is tried first, then confined by system calls alone, and nothing comes between them and its program. */
static void the_last_calls_are_the_kernels_own_and_each_comes_once(void **state)
{
	static const char last[] = "apply Sandbox\nverify Sandbox\napply Sandbox\nverify Sandbox\nconsume Sandbox\n";
	static char told[1 << 15];
	const char *const argv[] = { asks, NULL };
	(void)state;
	start_anew();
	assert_int_equal(in_a_process(NULL, argv, told, sizeof(told)), RAN);
	assert_true(fake->said_bytes > sizeof(last) - 1 && fake->said_bytes < FAKE_SAID);
	assert_string_equal(fake->said + fake->said_bytes - (sizeof(last) - 1), last);
}

static void descriptors_past_a_limit_that_is_set_are_closed_as_well(void **state)
{
	static char told[1 << 15];
	const char *const argv[] = { asks, NULL };
	(void)state;
	start_anew();
	assert_int_equal(in_a_process(NULL, argv, told, sizeof(told)), RAN);
	must_have(told, "300 is closed");
}

/* Whatever call fails: the caller is as it was, or a step of its own says that it is not, or the command is confined with
 * all that it was granted. */
static void any_call_may_fail_and_the_command_never_runs_unconfined(void **state)
{
	static char told[1 << 15];
	unsigned refused = 0, stopped = 0, ran = 0;
	bool failed = true;
	(void)state;
	for (unsigned at = 1; failed; at++) {
		start_anew();
		fake->fail_at = at;
		int status = in_a_process(NULL, questions(), told, sizeof(told));
		failed = fake->failed[0] != '\0';
		refused += status == REFUSED;
		stopped += status == STOPPED;
		ran += status == RAN;
		if (status != REFUSED && status != STOPPED && status != RAN)
			fail_msg("%d where %s, the call %u, failed: %s", status, fake->failed, at, told);
		if (status == RAN) {
			must_answer(told, "may not", "file-read-data", secret);
			must_answer(told, "may", "file-write-create", granted);
		} else {
			assert_null(strstr(told, "ran as "));
		}
		/* What is tried for good was tried before, in a process of its own. */
		if (status == STOPPED && strcmp(fake->failed, "consume") != 0)
			must_have(told, strcmp(fake->failed, "apply") == 0 ? "step `apply` failed" : "step `verify` failed");
		assert_true(at < 2000);
	}
	print_message("%u refused, %u stopped for good, %u ran\n", refused, stopped, ran);
	assert_true(refused >= 30 && stopped == 3 && ran >= 1);
}

static void a_step_that_fails_is_named_with_what_it_was_for(void **state)
{
	static const struct {
		const char *call, *said;
		int status;
	} rows[] = {
		{ "apply", "applying the profile failed", REFUSED }, { "verify", "it was not confined", REFUSED },
		{ "consume", "step `consume` failed, so it never ran: consume the token of the grant out", STOPPED },
		{ "sandbox_extension_issue_file", "issue a grant: out for ", REFUSED },
		{ "sandbox_compile_string", "does not compile", REFUSED },
	};
	static char told[1 << 15];
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start_anew();
		snprintf(fake->fail_name, sizeof(fake->fail_name), "%s", rows[i].call);
		int status = in_a_process(NULL, questions(), told, sizeof(told));
		if (status != rows[i].status)
			fail_msg("%s: %d: %s", rows[i].call, status, told);
		must_have(told, rows[i].said);
	}
}

static void what_needs_somebody_beside_the_command_is_refused_by_name(void **state)
{
	static const struct {
		const char *setting, *said;
	} rows[] = {
		{ "pinfold.denials=yes", "to tell what was refused" }, { "limits.timeout=3s", "to keep the time limit" },
		{ "pinfold.require=process_tree", "to end what it leaves" }, { "pinfold.view=copy", "a copy or a layer" },
		{ "grant:room.kind=temporary", "the directory of a temporary grant" },
		{ "pinfold.terminal=new", "to relay a terminal" },
	};
	static char told[1 << 15];
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start_anew();
		int status = in_a_process(rows[i].setting, questions(), told, sizeof(told));
		if (status != REFUSED)
			fail_msg("%s: %d: %s", rows[i].setting, status, told);
		must_have(told, "nobody would be left ");
		must_have(told, rows[i].said);
		assert_int_equal(fake->stored, 0);	/* nothing was confined, nor tried */
	}
}

static void who_is_confined_already_is_refused_and_stays_what_it_was(void **state)
{
	struct pinfold_command command = command_of(questions(), STDOUT_FILENO);
	struct pinfold *pinfold = open_on_mac(NULL);
	struct pinfold_error err = { 0 };
	struct pinfold_run *run = NULL;
	(void)state;
	start_anew();
	fake->processes[0].pid = getpid();
	assert_int_equal(pinfold_exec_prepare(pinfold, &command, &run, &err), -1);
	must_have(err.subject, "confined by Seatbelt already");
	assert_null(run);
	pinfold_free(pinfold);
	start_anew();
}

/* A command that runs to its end with this setting; its receipt, which the caller frees. */
static char *receipt_of(struct pinfold *pinfold, const char *const *argv, int out)
{
	struct pinfold_command command = command_of(argv, out);
	struct pinfold_error err = { 0 };
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run;
	uint32_t over;
	char *receipt = NULL;
	if (pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, err.recovery);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	assert_int_equal(pinfold_run_result(run, &result, NULL), 0);
	assert_int_equal(result.exit_code, RAN);
	assert_int_equal(pinfold_run_receipt(run, &receipt, NULL), 0);
	pinfold_run_free(run);
	return receipt;
}

static char *explained(struct pinfold *pinfold, uint32_t form)
{
	struct pinfold_command command = command_of(questions(), STDOUT_FILENO);
	struct pinfold_error err = { 0 };
	char *document = NULL;
	if (pinfold_describe_run(pinfold, &command, form, &document, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, err.recovery);
	return document;
}

/* Where lines are broken is the table's affair. */
static void without_blanks(char *text)
{
	char *to = text;
	for (; *text; text++)
		if (*text != ' ' && *text != '\n')
			*to++ = *text;
	*to = '\0';
}

static void must_have_each(char *document, const char *from, const char *through, const char *to)
{
	char lines[2][2 * PATH_MAX];
	snprintf(lines[0], sizeof(lines[0]), "%s->%s", from, through);
	snprintf(lines[1], sizeof(lines[1]), "%s->%s", through, to);
	without_blanks(document);
	must_have(document, lines[0]);
	must_have(document, lines[1]);
	free(document);
}

/* A link that a path leads through, which the host follows, and another case of a letter, which only the kernel knows: both
 * are told. */
static void what_a_path_was_respelled_to_is_explained_and_in_the_receipt(void **state)
{
	char link[PATH_MAX], file[PATH_MAX], upper[PATH_MAX], setting[PATH_MAX + 32];
	const char *home = face_place_home();
	(void)state;
	start_anew();
	snprintf(link, sizeof(link), "%.4000s/link", home);
	snprintf(file, sizeof(file), "%.4000s/key", home);
	snprintf(upper, sizeof(upper), "%.4000s/KEY", home);
	snprintf(setting, sizeof(setting), "filesystem.hidden=%s", link);
	snprintf(fake->from, sizeof(fake->from), "%.250s", file);
	snprintf(fake->to, sizeof(fake->to), "%.250s", upper);
	close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	assert_int_equal(linkat(AT_FDCWD, file, AT_FDCWD, upper, 0) | symlink(file, link), 0);
	struct pinfold *pinfold = open_on_mac(setting);
	must_have_each(explained(pinfold, PINFOLD_FORM_JSON), link, file, upper);
	must_have_each(explained(pinfold, PINFOLD_FORM_TEXT), link, file, upper);
	int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	must_have_each(receipt_of(pinfold, questions(), nothing), link, file, upper);
	close(nothing);
	pinfold_free(pinfold);
	start_anew();
}

/* A run that is listened to, in a process of its own, for its helper ends with that; the receipt. */
static const char *receipt_of_listened(const char *const *argv, const char *reader)
{
	static char receipt[1 << 16];
	char script[512];
	int status, ends[2];
	size_t length = 0;
	ssize_t got;
	start_anew();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(script, sizeof(script), reader, journal);
#pragma GCC diagnostic pop
	snprintf(fake->journal, sizeof(fake->journal), "%s", journal);
	close(open(journal, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
	assert_int_equal(write_script(log_program, script) | pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
		char *text = receipt_of(open_on_mac("pinfold.denials=yes"), argv, nothing);
		_exit(dprintf(ends[1], "%s", text) < 0);
	}
	close(ends[1]);
	while ((got = read(ends[0], receipt + length, sizeof(receipt) - 1 - length)) > 0)
		length += (size_t)got;
	receipt[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status != 0)
		fail_msg("it ended with %d: %s", status, receipt);
	return receipt;
}

static void must_have_denial(const char *receipt, const char *operation, const char *target, const char *why, const char *more)
{
	char wanted[PATH_MAX + 64];
	snprintf(wanted, sizeof(wanted), "\"target\": \"%s\"", target);
	const char *at = strstr(receipt, wanted);
	for (; at && at > receipt && *at != '{'; at--)
		;
	if (!at)
		fail_msg("no denial of %s in:\n%s", target, receipt);
	char one[PATH_MAX];
	snprintf(one, sizeof(one), "%.*s", (int)strcspn(at, "}"), at);
	snprintf(wanted, sizeof(wanted), "\"operation\": \"%s\"", operation);
	must_have(one, wanted);
	snprintf(wanted, sizeof(wanted), "\"why\": \"%s; tried by fake(", why);
	must_have(one, wanted);
	must_have(one, more);
}

static void must_have_ended_with_its_run(void)
{
	char path[300], text[32] = "";
	snprintf(path, sizeof(path), "%s.pid", journal);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	unlink(path);
	for (int i = 0; i < 6000 && kill(atoi(text), 0) == 0; i++)
		usleep(10000);
	assert_int_equal(kill(atoi(text), 0), -1);
}

/* All of the way: the command tries, the kernel refuses by a rule of the profile and writes to the log with the rule's
 * message, the helper reads that to the arm, which is told up to its fence, and the host writes the receipt. */
static void what_the_kernel_refused_is_in_the_receipt_up_to_the_last_with_its_rule_and_remedy(void **state)
{
	const char *const argv[] = {
		asks, "file-read-data", secret, "file-write-create", elsewhere, "file-read-data", secret, "file-read-data",
		elsewhere, "file-write-create", inside, "file-read-data", secret, NULL,
	};
	char lift[PATH_MAX + 64];
	(void)state;
	const char *receipt = receipt_of_listened(argv, "exec tail -n +1 -f '%s'");
	snprintf(lift, sizeof(lift), "\"lift\": \"set [filesystem] writable = %s\"", face_place_home());
	must_have_denial(receipt, "read", secret, "hidden", "\"count\": 3");
	must_have_denial(receipt, "read", secret, "hidden", "\"call\": \"file-read-data\"");
	must_have_denial(receipt, "make", elsewhere, "nothing allows it", lift);
	must_have(receipt, "\"denials_missing\": null");
	must_have(receipt, "\"denials_more\": 0");
	snprintf(lift, sizeof(lift), "\"target\": \"%s\"", inside);
	assert_null(strstr(receipt, lift));	/* it was let through */
	must_have_ended_with_its_run();
}

static void a_log_that_cannot_be_read_is_in_the_receipt_and_the_command_runs_none_the_less(void **state)
{
	(void)state;
	const char *receipt = receipt_of_listened(questions(), ": '%s'; exit 1");
	must_have(receipt, "\"denials\": []");
	must_have(receipt, "\"denials_missing\": \"the helper that reads the system's log has ended");
	must_have_ended_with_its_run();
}

/* With a Mac's own preference, and nobody naming an arm. */
static char *receipt_of_nobodys_choice(const char *setting)
{
	const char *const argv[] = { asks, NULL };
	const char *const settings[] = {
		"pinfold.plugins=seatbelt, copytree", "pinfold.view=direct", "pinfold.preset=", "network.mode=none",
		"pinfold.require=", setting, NULL,
	};
	int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct pinfold *pinfold = face_open(settings);
	struct pinfold_command command = command_of(argv, nothing);
	struct pinfold_error err = { 0 };
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_run *run;
	uint32_t over;
	char *receipt = NULL;
	command.grants = NULL;
	if (pinfold_run_start(pinfold, &command, &run, &err) < 0)
		fail_msg("%s: %s: %s", err.action, err.subject, err.recovery);
	assert_int_equal(pinfold_run_wait(run, -1, &over, NULL), 0);
	assert_int_equal(pinfold_run_result(run, &result, NULL) | pinfold_run_receipt(run, &receipt, NULL), 0);
	assert_int_equal(result.exit_code, RAN);
	pinfold_run_free(run);
	pinfold_free(pinfold);
	close(nothing);
	return receipt;
}

static void on_a_mac_the_arm_is_taken_where_nobody_names_one_and_copytree_where_it_cannot_be(void **state)
{
	(void)state;
	start_anew();
	char *receipt = receipt_of_nobodys_choice(NULL);
	must_have(receipt, "\"name\": \"seatbelt\"");
	must_have(receipt, "\"passed_over\": []");
	free(receipt);
	start_anew();
	fake->truly_runs = 1;
	/* What was found with other settings is not remembered. */
	receipt = receipt_of_nobodys_choice("arm:seatbelt.max-rules=1999");
	must_have(receipt, "\"name\": \"copytree\"");
	must_have(receipt, "a program ran although its profile refuses everything (macOS build 25F71)");
	free(receipt);
	start_anew();
}

/* More often than there are marks. */
static void what_is_prepared_and_not_become_uses_nothing_up(void **state)
{
	struct pinfold_command command = command_of(questions(), STDOUT_FILENO);
	struct pinfold *pinfold = open_on_mac(NULL);
	(void)state;
	start_anew();
	for (int i = 0; i < 300; i++) {
		struct pinfold_error err = { 0 };
		struct pinfold_run *run = NULL;
		fake->stored = 0;
		memset(fake->processes, 0, sizeof(fake->processes));
		if (pinfold_exec_prepare(pinfold, &command, &run, &err) < 0)
			fail_msg("%s: %s", err.action, err.subject);
		pinfold_run_free(run);
	}
	assert_false(is_confined(getpid()));
	pinfold_free(pinfold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_becomes_the_command_is_confined_as_a_run_is_and_bears_no_mark),
		cmocka_unit_test(the_last_calls_are_the_kernels_own_and_each_comes_once),
		cmocka_unit_test(descriptors_past_a_limit_that_is_set_are_closed_as_well),
		cmocka_unit_test(any_call_may_fail_and_the_command_never_runs_unconfined),
		cmocka_unit_test(a_step_that_fails_is_named_with_what_it_was_for),
		cmocka_unit_test(what_needs_somebody_beside_the_command_is_refused_by_name),
		cmocka_unit_test(who_is_confined_already_is_refused_and_stays_what_it_was),
		cmocka_unit_test(what_a_path_was_respelled_to_is_explained_and_in_the_receipt),
		cmocka_unit_test(what_the_kernel_refused_is_in_the_receipt_up_to_the_last_with_its_rule_and_remedy),
		cmocka_unit_test(a_log_that_cannot_be_read_is_in_the_receipt_and_the_command_runs_none_the_less),
		cmocka_unit_test(on_a_mac_the_arm_is_taken_where_nobody_names_one_and_copytree_where_it_cannot_be),
		cmocka_unit_test(what_is_prepared_and_not_become_uses_nothing_up),
	};
	return cmocka_run_group_tests(tests, place_make, face_place_remove);
}
