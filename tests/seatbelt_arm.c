/* tests/seatbelt_arm.c - the arm at work on a faithful fake of a Mac's sandbox: what it promises, the order of its
 * steps, marks and their slots, grants, denials, and each call of the fake failing once. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "seatbelt_mac.h"

#include "base/text.h"
#include "plugins/seatbelt/marker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

static void must_say(const char *trouble, const char *part)
{
	assert_non_null(trouble);
	if (!strstr(trouble, part))
		fail_msg("no `%s` in `%s`", part, trouble);
}

static void what_was_tried_is_promised_and_the_rest_has_a_note(void **state)
{
	struct mac *mac = *state;
	struct pinfold_offer offer = mac_probe(mac);
	assert_int_equal(offer.available, 1);
	assert_int_equal(offer.answered, (1u << PINFOLD_AXIS_COUNT) - 1);
	static const unsigned kept[] = { PINFOLD_AXIS_FILESYSTEM, PINFOLD_AXIS_WRITES, PINFOLD_AXIS_SECRETS,
					 PINFOLD_AXIS_NETWORK, PINFOLD_AXIS_SOCKETS, PINFOLD_AXIS_TERMINAL,
					 PINFOLD_AXIS_PROCESS_TREE };
	uint64_t bits = 0;
	for (size_t i = 0; i < N_ELEMENTS(kept); i++)
		bits |= UINT64_C(1) << kept[i];
	assert_int_equal(offer.kept, bits);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		if (!(offer.kept >> axis & 1))
			assert_non_null(offer.note[axis]);
	assert_non_null(strstr(offer.note[PINFOLD_AXIS_PROCESSES], "arguments and environment"));
}

static void a_program_that_runs_although_it_is_refused_refuses_the_arm(void **state)
{
	struct mac *mac = *state;
	mac->fake->truly_runs = 1;
	struct pinfold_offer offer = mac_probe(mac);
	assert_int_equal(offer.available, 0);
	assert_non_null(strstr(offer.missing, "ran although"));
	assert_non_null(strstr(offer.missing, "25F71"));
}

static void a_kernel_that_cannot_tell_marks_takes_the_promise_of_the_tree_of_processes(void **state)
{
	struct mac *mac = *state;
	mac->fake->blind = 1;
	struct pinfold_offer offer = mac_probe(mac);
	assert_int_equal(offer.available, 1);
	assert_false(offer.kept & PINFOLD_BIT(PROCESS_TREE));
	assert_non_null(strstr(offer.note[PINFOLD_AXIS_PROCESS_TREE], "tell"));
}

/* Comes first: later the process has been tried. */
static void a_trial_that_fails_refuses_every_run_of_its_process(void **state)
{
	struct mac *mac = *state;
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct pinfold_error err = { 0 };
		mac->fake->truly_runs = 1;
		bool refused = mac_prepare(mac, &err) < 0 && strstr(err.subject, "ran although");
		mac->fake->truly_runs = 0;
		_exit(refused && mac_prepare(mac, &err) < 0 && strstr(err.subject, "ran although") ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void a_caller_who_is_confined_already_is_refused(void **state)
{
	struct mac *mac = *state;
	mac->fake->processes[0].pid = getpid();
	struct pinfold_offer offer = mac_probe(mac);
	assert_int_equal(offer.available, 0);
	assert_non_null(strstr(offer.missing, "confined by Seatbelt already"));
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_non_null(strstr(err.subject, "already"));
	mac_end(mac);
}

static void the_child_applies_verifies_and_consumes_in_this_order(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac_grant(mac, "out", mac->granted);
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac->fake->said_bytes = 0;
	memset(mac->fake->said, 0, sizeof(mac->fake->said));
	assert_int_equal(mac_child(mac, NULL), 0);
	assert_string_equal(mac->fake->said, "apply Sandbox\nverify Sandbox\nconsume Sandbox\n");
	mac_end(mac);
}

static void each_step_that_fails_is_told_and_what_failed_is_named(void **state)
{
	static const char *const names[] = { "apply", "verify", "consume" };
	static const uint32_t stages[] = { PINFOLD_STAGE_APPLY, PINFOLD_STAGE_VERIFY, PINFOLD_STAGE_CONSUME };
	struct mac *mac = *state;
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		struct pinfold_error err = { 0 };
		uint32_t stage = 99;
		mac_grant(mac, "out", mac->granted);
		assert_int_equal(mac_prepare(mac, &err), 0);
		mac_fail(mac, names[i]);
		assert_int_equal(mac_child(mac, &stage), EINVAL);
		assert_int_equal(stage, stages[i]);
		mac_fail(mac, "");
		mac_end(mac);
	}
}

static void a_child_that_is_not_confined_is_not_verified(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_int_equal(seatbelt_arm.enter(&mac->plan, PINFOLD_STAGE_VERIFY), -EPERM);
	mac_end(mac);
}

static unsigned count_of(const struct mac *mac, const char *name)
{
	unsigned count = 0;
	for (const char *at = mac->fake->said; (at = strstr(at, name)); at++)
		count += at == mac->fake->said || at[-1] == '\n';
	return count;
}

static void a_profile_is_compiled_once_and_again_for_another_mark(void **state)
{
	struct mac *mac = *state, other;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac_end(mac);
	unsigned before = count_of(mac, "sandbox_compile_string");
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_int_equal(count_of(mac, "sandbox_compile_string"), before);
	mac_open_beside(&other, mac);
	assert_int_equal(mac_prepare(&other, &err), 0);
	assert_int_equal(count_of(mac, "sandbox_compile_string"), before + 1);
	mac_close(&other);
	mac_end(mac);
	mac->policy.network = PINFOLD_NETWORK_HOST;
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_int_equal(count_of(mac, "sandbox_compile_string"), before + 2);
	mac_end(mac);
}

static void applying_is_tried_once_in_a_process(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac_end(mac);
	unsigned before = count_of(mac, "execve");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(mac_prepare(mac, &err), 0);
		mac_end(mac);
	}
	assert_int_equal(count_of(mac, "execve"), before);
}

static void what_the_library_says_of_a_profile_is_told(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac_end(mac);
	mac->policy.network = PINFOLD_NETWORK_LOOPBACK;
	mac->policy.terminal = 1;
	mac_fail(mac, "sandbox_compile_string");
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_string_equal(err.action, "compile the profile");
	assert_non_null(strstr(err.subject, "it gave no reason (macOS build 25F71)"));
	mac_fail(mac, "");
	mac_end(mac);
}

/* The slot that the next run would get. */
static int next_slot(struct mac *mac)
{
	struct marker marker;
	struct pinfold_error err = { 0 };
	assert_int_equal(marker_take(&mac->host.table, &marker, &err), 0);
	int slot = marker.slot;
	marker_free(&marker);
	return slot;
}

static void a_slot_is_taken_while_a_run_lasts_and_free_after_a_search_that_found_nobody(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	int first = next_slot(mac);
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_int_equal(next_slot(mac), first + 1);
	mac_end(mac);
	assert_int_equal(next_slot(mac), first);
}

static void a_slot_of_a_profile_that_did_not_compile_is_free_again(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	int first = next_slot(mac);
	mac->policy.network = PINFOLD_NETWORK_HOST;
	mac->policy.terminal = 1;	/* none of the others' */
	mac_fail(mac, "sandbox_compile_string");
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_string_equal(err.action, "compile the profile");
	mac_fail(mac, "");
	mac_end(mac);
	assert_int_equal(next_slot(mac), first);
}

static void without_a_free_mark_a_run_is_refused_by_name(void **state)
{
	struct mac *mac = *state;
	static struct marker all[MARKER_SLOTS];
	struct pinfold_error err = { 0 };
	int count = 0;
	while (count < MARKER_SLOTS && marker_take(&mac->host.table, &all[count], &err) == 0)
		count++;
	assert_true(count > 0);	/* some were retired by now */
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_string_equal(err.action, "mark a run");
	must_say(err.recovery, "end other runs");
	mac_end(mac);
	while (count > 0)
		marker_free(&all[--count]);
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac_end(mac);
}

/* It could end what is not its own. */
static void a_copy_of_the_process_has_marks_of_its_own(void **state)
{
	struct mac *mac = *state;
	struct marker ours;
	struct pinfold_error err = { 0 };
	int status;
	assert_int_equal(marker_take(&mac->host.table, &ours, &err), 0);
	pid_t child = fork();
	if (child == 0) {
		struct marker theirs, further;
		if (marker_take(&mac->host.table, &theirs, &err) < 0)
			_exit(2);
		if (theirs.slot != 0 || strcmp(theirs.expression, ours.expression) == 0)
			_exit(1);
		/* What came from the parent frees nothing here. */
		marker_free(&ours);
		_exit(marker_take(&mac->host.table, &further, &err) == 0 && further.slot == 1 ? 0 : 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	marker_free(&ours);
}

static void what_left_the_runs_group_is_found_by_its_mark_and_ended(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	pid_t escaped = mac_escape(mac);
	assert_int_equal(kill(escaped, 0), 0);
	assert_int_equal(seatbelt_arm.settle(&mac->host.table, &mac->plan, &err), 0);
	mac_must_end(escaped);
	mac_end(mac);
}

static void others_are_not_ended(void **state)
{
	struct mac *mac = *state, other;
	struct pinfold_error err = { 0 };
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac_open_beside(&other, mac);
	assert_int_equal(mac_prepare(&other, &err), 0);
	pid_t theirs = mac_escape(&other), plain = fork();
	if (plain == 0) {
		pause();
		_exit(0);
	}
	assert_int_equal(seatbelt_arm.settle(&mac->host.table, &mac->plan, &err), 0);
	assert_int_equal(kill(theirs, 0), 0);
	assert_int_equal(kill(plain, 0), 0);
	kill(plain, SIGKILL);
	waitpid(plain, NULL, 0);
	mac_end(mac);
	mac_close(&other);
	mac_must_end(theirs);
}

static void a_search_gives_up_after_its_rounds_and_its_slot_is_never_used_again(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	int slot = next_slot(mac);
	assert_int_equal(mac_prepare(mac, &err), 0);
	pid_t escaped = mac_escape(mac);
	mac->fake->immortal = 1;
	mac->fake->said_bytes = 0;
	memset(mac->fake->said, 0, sizeof(mac->fake->said));
	assert_int_equal(seatbelt_arm.settle(&mac->host.table, &mac->plan, &err), -1);
	assert_non_null(strstr(err.subject, "still runs"));
	assert_true(count_of(mac, "kill") == MARKER_ROUNDS);
	assert_int_not_equal(next_slot(mac), slot);
	mac->fake->immortal = 0;
	kill(escaped, SIGKILL);
	mac_end(mac);
}

static void a_grant_opens_what_it_is_bound_to_and_nothing_else(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac_grant(mac, "out", mac->granted);
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_true(mac_child_allows(mac, "file-write-create", mac->granted, "/a"));
	assert_false(mac_child_allows(mac, "file-write-create", "/etc", "/a"));
	mac_end(mac);
}

static void a_grant_that_cannot_be_issued_is_named(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac_grant(mac, "out", mac->granted);
	mac_fail(mac, "sandbox_extension_issue_file");
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_string_equal(err.action, "issue a grant");
	assert_non_null(strstr(err.subject, "out for "));
	mac_fail(mac, "");
	mac_end(mac);
}

static void what_was_replaced_meanwhile_is_refused(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac_grant(mac, "out", mac->granted);
	mac->grants[0].inode++;
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_non_null(strstr(err.recovery, "replaced"));
	mac_end(mac);
	mac->policy.grant_count = 0;
	mac_path(mac, PINFOLD_PATH_HIDE, mac->place)->inode++;
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_string_equal(err.action, "confine by a path");
	mac_end(mac);
}

static void paths_are_spelled_as_the_kernel_spells_them(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	char given[200], missing[256];
	snprintf(given, sizeof(given), "/OTHER%.100s", strrchr(mac->place, '/'));
	snprintf(missing, sizeof(missing), "%s/not/there", given);
	snprintf(mac->fake->from, sizeof(mac->fake->from), "%s", given);
	snprintf(mac->fake->to, sizeof(mac->fake->to), "%s", mac->place);
	mac_path(mac, PINFOLD_PATH_HIDE, given)->inode = 0;
	mac_path(mac, PINFOLD_PATH_PROTECT, missing)->inode = 0;
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_false(mac_child_allows(mac, "file-read-data", mac->place, "/a"));
	assert_true(mac_child_allows(mac, "file-read-data", given, ""));
	mac_end(mac);
}

static void must_be_noted(const struct mac *mac, const char *from, const char *to)
{
	char wanted[1024];
	unsigned found = 0;
	snprintf(wanted, sizeof(wanted), "%s -> %s", from, to);
	for (const char *const *one = mac->plan.rewritten; one && *one; one++)
		found += strcmp(*one, wanted) == 0;
	if (found != 1)
		fail_msg("%u times `%s`", found, wanted);
}

static void what_is_spelled_otherwise_is_noted_once_with_both_spellings(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	char given[200], missing[256], respelled[512];
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_null(mac->plan.rewritten);
	mac_end(mac);
	snprintf(given, sizeof(given), "/OTHER%.100s", strrchr(mac->place, '/'));
	snprintf(missing, sizeof(missing), "%s/not/there", given);
	snprintf(respelled, sizeof(respelled), "%s/not/there", mac->place);
	snprintf(mac->fake->from, sizeof(mac->fake->from), "%s", given);
	snprintf(mac->fake->to, sizeof(mac->fake->to), "%s", mac->place);
	mac_path(mac, PINFOLD_PATH_HIDE, given)->inode = 0;
	mac_path(mac, PINFOLD_PATH_READ, given)->inode = 0;
	mac_path(mac, PINFOLD_PATH_PROTECT, missing)->inode = 0;
	char starred[300], starred_there[600];
	struct pinfold_pattern pattern = { .size = sizeof(pattern), .kind = PINFOLD_PATH_HIDE, .pattern = starred };
	snprintf(starred, sizeof(starred), "%s/*.key", given);
	snprintf(starred_there, sizeof(starred_there), "%s/*.key", mac->place);
	mac->policy.patterns = &pattern;
	mac->policy.pattern_count = 1;
	assert_int_equal(mac_prepare(mac, &err), 0);
	must_be_noted(mac, given, mac->place);
	must_be_noted(mac, missing, respelled);
	must_be_noted(mac, starred, starred_there);
	mac_end(mac);
	/* A host of an older interface has no room for it. */
	mac->plan = (struct pinfold_plan){ .size = offsetof(struct pinfold_plan, rewritten), .host = &mac->host.table };
	assert_int_equal(seatbelt_arm.prepare(&mac->host.table, &mac->policy, &mac->shown, &mac->plan, &err), 0);
	assert_null(mac->plan.rewritten);
	mac->policy.pattern_count = 0;
	mac_end(mac);
}

static void a_profile_of_more_rules_than_the_limit_is_refused_with_both_figures(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac->host.settings[0] = "max-rules";
	mac->host.settings[1] = "40";
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_non_null(strstr(err.subject, "past the limit of 40"));
	assert_non_null(strstr(err.recovery, "max-rules"));
	mac->host.settings[0] = NULL;
	mac_end(mac);
}

static int prepare_within(struct mac *mac, unsigned long limit, struct pinfold_error *err)
{
	char text[32];
	snprintf(text, sizeof(text), "%lu", limit);
	mac->host.settings[0] = "max-rules";
	mac->host.settings[1] = text;
	int result = mac_prepare(mac, err);
	mac->host.settings[0] = NULL;
	mac_end(mac);
	return result;
}

static void as_many_rules_as_the_limit_are_compiled_and_one_more_is_not(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac_path(mac, PINFOLD_PATH_HIDE, mac->granted);
	assert_int_equal(prepare_within(mac, 1, &err), -1);
	unsigned long rules = strtoul(err.subject, NULL, 10);
	assert_true(rules > 40);
	assert_int_equal(prepare_within(mac, rules, &err), 0);
	assert_int_equal(prepare_within(mac, rules - 1, &err), -1);
}

static void without_a_setting_the_limit_is_two_thousand_rules(void **state)
{
	struct mac *mac = *state;
	static struct pinfold_path paths[1100];
	static char names[1100][32];
	struct pinfold_error err = { 0 };
	for (size_t i = 0; i < N_ELEMENTS(paths); i++) {
		snprintf(names[i], sizeof(names[i]), "/no/%zu", i);
		paths[i] = (struct pinfold_path){ .size = sizeof(paths[i]), .kind = PINFOLD_PATH_HIDE, .path = names[i] };
	}
	mac->policy.paths = paths;
	mac->policy.path_count = N_ELEMENTS(paths);
	unsigned before = count_of(mac, "sandbox_compile_string");
	assert_int_equal(mac_prepare(mac, &err), -1);
	must_say(err.subject, "past the limit of 2000");
	assert_int_equal(count_of(mac, "sandbox_compile_string"), before);
	mac_end(mac);
	mac->policy.paths = mac->paths;
	mac->policy.path_count = 0;
}

/* Whatever call fails, either the run is refused, or a step in the child fails, or everything holds. */
static void any_call_may_fail_and_nothing_runs_unconfined(void **state)
{
	struct mac *mac = *state;
	bool failed = true;
	unsigned refused = 0, stopped = 0, unsettled = 0;
	for (unsigned at = 1; failed && at < 400; at++) {
		struct pinfold_error err = { 0 };
		struct pinfold_offer offer;
		mac_reset(mac);
		mac_grant(mac, "out", mac->granted);
		/* Another profile each time: none is compiled yet. */
		char other[32];
		snprintf(other, sizeof(other), "/no/%u", at);
		mac_path(mac, PINFOLD_PATH_HIDE, other);
		mac->fake->fail_at = at;
		offer = mac_probe(mac);
		if (!offer.available)
			assert_non_null(offer.missing);
		int result = mac_prepare(mac, &err);
		refused += result < 0;
		if (result < 0)
			assert_true(err.action[0] != '\0');
		uint32_t stage = 0;
		int sys = result == 0 ? mac_child(mac, &stage) : 0;
		stopped += sys != 0;
		if (result == 0 && sys == 0)
			assert_true(mac->confined);
		unsettled += seatbelt_arm.settle(&mac->host.table, &mac->plan, &err) < 0;
		mac_end(mac);
		failed = mac->fake->failed[0] != '\0';
	}
	assert_false(failed);
	print_message("%u refused, %u stopped in the child, %u not settled\n", refused, stopped, unsettled);
	assert_true(refused >= 15 && stopped >= 3 && unsettled >= 1);
}

static void the_help_of_the_log_is_vetted(void **state)
{
	struct mac *mac = *state;
	char path[512];
	assert_non_null(strstr(denials_vet(&mac->host.table, "/no/such/program"), "No such file"));
	snprintf(path, sizeof(path), "%s/open", mac->place);
	close(open(path, O_CREAT | O_WRONLY, 0755));
	assert_int_equal(chmod(path, 0777), 0);
	assert_non_null(strstr(denials_vet(&mac->host.table, path), geteuid() == 0 ? "others may write it" : "root"));
	assert_non_null(strstr(denials_vet(&mac->host.table, "/usr/bin"), "something else"));
	struct statvfs volume;
	assert_int_equal(statvfs("/usr/bin/env", &volume), 0);
	const char *plain = denials_vet(&mac->host.table, "/usr/bin/env");
	assert_int_equal(plain == NULL, (volume.f_flag & ST_RDONLY) != 0);
	assert_true(!plain || strstr(plain, "can be written"));
	unlink(path);
}

/* What the arm hands over of one run, a line each. */
struct heard {
	char text[1 << 16];
	unsigned count;
	uint64_t times;
};

static void hear(void *context, const struct pinfold_refused *refused)
{
	static const char *const kinds[] = { "read", "write", "make", "replace", "change", "execute", "connect", "call" };
	struct heard *heard = context;
	size_t length = strlen(heard->text);
	assert_int_equal(refused->size, sizeof(*refused));
	assert_true(refused->kind < N_ELEMENTS(kinds));
	heard->count++;
	heard->times += refused->count;
	snprintf(heard->text + length, sizeof(heard->text) - length, "%s %s %s: %s (%s)\n", kinds[refused->kind],
		 refused->call, refused->target, refused->why, refused->lift ? refused->lift : "the host's");
}

static const char *ask(struct mac *mac, struct heard *heard)
{
	memset(heard, 0, sizeof(*heard));
	return seatbelt_arm.refused(&mac->host.table, &mac->plan, hear, heard);
}

static const char follow[] = "exec tail -n +1 -f '%s'";

static void must_be_all(const char *trouble)
{
	if (trouble)
		fail_msg("%s", trouble);
}

/* A run that is listened to by the script in place of the system's helper. */
static void listen_by(struct mac *mac, const char *script)
{
	struct pinfold_error err = { 0 };
	mac_journal(mac, script);
	if (script == follow)	/* as long as a busy machine takes */
		denials_from(mac->script, 60000);
	mac->policy.tells = 1;
	assert_int_equal(mac_prepare(mac, &err), 0);
}

static void listen_no_more(struct mac *mac)
{
	mac_end(mac);
	denials_stop();
	denials_from(NULL, 3000);
}

/* What the log has so far. */
static size_t read_journal(const struct mac *mac, char *room, size_t bytes)
{
	int fd = open(mac->fake->journal, O_RDONLY);
	ssize_t got = read(fd, room, bytes - 1);
	close(fd);
	assert_true(got > 0);
	room[got] = '\0';
	return (size_t)got;
}

/* The mark of this run, as its first refusal has it in the log. */
static void find_mark(struct mac *mac, char *room, size_t bytes)
{
	char text[4096];
	mac_refused_in_child(mac);
	read_journal(mac, text, sizeof(text));
	const char *mark = strstr(text, "pinfold.run.");
	assert_non_null(mark);
	snprintf(room, bytes, "%.*s", (int)strcspn(mark, ":"), mark);
}

static void write_journal(const struct mac *mac, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_journal(const struct mac *mac, const char *format, ...)
{
	va_list list;
	FILE *file = fopen(mac->fake->journal, "a");
	assert_non_null(file);
	va_start(list, format);
	vfprintf(file, format, list);
	va_end(list);
	fclose(file);
}

static void a_helper_that_is_not_trusted_is_told_and_the_run_goes_on(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	struct heard heard;
	mac->policy.tells = 1;
	assert_int_equal(mac_prepare(mac, &err), 0);
	assert_int_equal(mac_child(mac, NULL), 0);
	const char *trouble = ask(mac, &heard);
	assert_non_null(trouble);
	assert_non_null(strstr(trouble, "/usr/bin/log"));
	assert_int_equal(heard.count, 0);
	assert_int_equal(seatbelt_arm.settle(&mac->host.table, &mac->plan, &err), 0);
	mac_end(mac);
}

static void without_being_asked_nothing_listens(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	struct heard heard;
	mac_journal(mac, "exit 1");
	assert_int_equal(mac_prepare(mac, &err), 0);
	mac->fake->said_bytes = 0;
	memset(mac->fake->said, 0, sizeof(mac->fake->said));
	assert_non_null(ask(mac, &heard));
	assert_int_equal(mac->fake->said[0], '\0');
	listen_no_more(mac);
}

static void denials_are_told_up_to_the_end_of_the_run(void **state)
{
	struct mac *mac = *state;
	struct heard heard;
	listen_by(mac, follow);
	mac_refused_in_child(mac);
	must_be_all(ask(mac, &heard));
	assert_int_equal(heard.count, 1);
	assert_non_null(strstr(heard.text, "call signal signal: nothing allows it; tried by fake("));
	assert_non_null(strstr(heard.text, "processes outside are not signalled"));
	listen_no_more(mac);
}

static void each_refusal_is_told_once_with_how_often_it_was_tried_and_a_path_is_left_to_the_host(void **state)
{
	struct mac *mac = *state;
	struct heard heard;
	char mark[100];
	listen_by(mac, follow);
	find_mark(mac, mark, sizeof(mark));
	for (int i = 0; i < 3; i++)
		write_journal(mac, "{\"eventMessage\":\"Sandbox: cc(%d) deny(1) file-read-data \\/Users\\/u\\/.ssh\\n%s:hidden\"}\n",
			      i, mark);
	write_journal(mac, "{\"eventMessage\":\"Sandbox: cc(7) deny(1) network-outbound 192.0.2.1:443\\n%s:default\"}\n", mark);
	write_journal(mac, "{\"eventMessage\":\"Sandbox: cc(7) deny(1) file-write-create \\/x\\n%s:hard\"}\n", mark);
	must_be_all(ask(mac, &heard));
	assert_int_equal(heard.count, 4);
	assert_int_equal(heard.times, 6);
	assert_non_null(strstr(heard.text, "read file-read-data /Users/u/.ssh: hidden; tried by cc(0) (the host's)\n"));
	assert_non_null(strstr(heard.text, "connect network-outbound 192.0.2.1:443: nothing allows it; tried by cc(7) (set [network]"));
	assert_non_null(strstr(heard.text, "make file-write-create /x: of the hard tier; tried by cc(7) (nothing lifts that"));
	listen_no_more(mac);
}

static void a_log_that_ends_or_hangs_is_told_and_harms_nothing(void **state)
{
	static const struct {
		const char *script, *said;
	} rows[] = { { "exit 1", "has ended" }, { ": '%s'; exec sleep 300", "did not come to the run's end in time" },
		     { "exec /no/such/program", "has ended" }, { "printf x; exit 0", "has ended" } };
	struct mac *mac = *state;
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct pinfold_error err = { 0 };
		struct heard heard;
		listen_by(mac, rows[i].script);
		const char *trouble = ask(mac, &heard);
		assert_non_null(trouble);
		assert_non_null(strstr(trouble, rows[i].said));
		assert_int_equal(seatbelt_arm.settle(&mac->host.table, &mac->plan, &err), 0);
		listen_no_more(mac);
	}
}

static void a_helper_that_hung_is_ended_and_no_other_run_waits_for_it(void **state)
{
	struct mac *mac = *state, other;
	struct pinfold_error err = { 0 };
	struct heard heard;
	listen_by(mac, ": '%s'; exec sleep 300");
	mac_open_beside(&other, mac);
	other.policy.tells = 1;
	assert_int_equal(mac_prepare(&other, &err), 0);
	must_say(ask(mac, &heard), "in time");
	must_say(ask(&other, &heard), "does not run any more");
	mac_close(&other);
	listen_no_more(mac);
}

/* Every line of some other process's runs, without an end: the run's own refusal before it is told, and that the end was
 * not seen. */
static void a_flood_of_others_lines_takes_no_room_and_no_more_than_its_time(void **state)
{
	struct mac *mac = *state;
	struct heard heard;
	listen_by(mac, "while ! [ -s '%1$s' ]; do sleep 0.01; done; head -n 1 '%1$s'; "
		       "exec yes '{\"eventMessage\":\"Sandbox: a(1) deny(1) signal x\\npinfold.run.0.0:default\"}'");
	mac_refused_in_child(mac);
	must_say(ask(mac, &heard), "in time");
	assert_int_equal(heard.count, 1);
	listen_no_more(mac);
}

static void a_flood_of_the_runs_own_is_bounded_and_said_and_takes_nothing_of_another_run(void **state)
{
	struct mac *mac = *state, other;
	struct pinfold_error err = { 0 };
	static struct heard heard;
	char mark[100];
	listen_by(mac, follow);
	find_mark(mac, mark, sizeof(mark));
	mac_open_beside(&other, mac);
	other.policy.tells = 1;
	assert_int_equal(mac_prepare(&other, &err), 0);
	for (int i = 0; i < 1000; i++)
		write_journal(mac, "{\"eventMessage\":\"Sandbox: a(1) deny(1) file-read-data \\/n\\/%d\\n%s:hidden\"}\n", i, mark);
	mac_refused_in_child(&other);
	must_be_all(ask(&other, &heard));
	assert_int_equal(heard.count, 1);
	const char *trouble = ask(mac, &heard);
	assert_non_null(trouble);
	assert_non_null(strstr(trouble, "more refusals than are kept"));
	assert_int_equal(heard.count, DENIALS_MOST);
	mac_close(&other);
	listen_no_more(mac);
}

/* A command that gives a file another run's mark as its name, and a log that has every kind of nonsense in it. */
static void a_name_with_anothers_mark_is_the_runs_own_refusal_and_nonsense_is_none(void **state)
{
	struct mac *mac = *state, other;
	struct pinfold_error err = { 0 };
	struct heard heard;
	char mark[100], theirs[100], *last;
	listen_by(mac, follow);
	find_mark(mac, mark, sizeof(mark));
	mac_open_beside(&other, mac);
	other.policy.tells = 1;
	assert_int_equal(mac_prepare(&other, &err), 0);
	snprintf(theirs, sizeof(theirs), "%s", mark);
	last = strrchr(theirs, '.');
	snprintf(last, sizeof(theirs) - (size_t)(last - theirs), ".%d", atoi(last + 1) + 1);
	write_journal(mac, "{\"eventMessage\":\"Sandbox: a(1) deny(1) file-read-data \\/n\\/%s:hidden\\n%s:hidden\"}\n", theirs, mark);
	write_journal(mac, "Sandbox: a(1) deny(1) file-read-data /n %s\n%s:\nSandbox: %s:hidden\n\n\n", mark, mark, mark);
	write_journal(mac, "Sandbox: a(1) deny(1)\\n%s:hidden\nSandbox: a(1) deny(1) signal %s1:hidden\n", mark, mark);
	write_journal(mac, "%020000d Sandbox: a(1) deny(1) signal %s:hidden\n", 0, mark);
	assert_null(ask(&other, &heard));
	assert_int_equal(heard.count, 0);
	must_be_all(ask(mac, &heard));
	assert_int_equal(heard.count, 2);
	assert_non_null(strstr(heard.text, theirs));
	mac_close(&other);
	listen_no_more(mac);
}

static void a_process_that_left_the_group_is_ended_before_the_last_refusal_is_heard(void **state)
{
	struct mac *mac = *state;
	struct heard heard;
	listen_by(mac, follow);
	pid_t escaped = mac_escape(mac);
	must_be_all(ask(mac, &heard));
	mac_must_end(escaped);
	listen_no_more(mac);
}

static void a_line_of_the_log_is_one_refusal_of_the_run_it_names(void **state)
{
	struct denial denial;
	(void)state;
	static const char line[] = "{\"eventMessage\":\"Sandbox: cc1(123) deny(1) file-read-data "
				   "\\/Users\\/u\\/a b\\npinfold.run.abc.0:hidden\",\"x\":1}";
	assert_true(denials_parse(line, "pinfold.run.abc.0", &denial));
	assert_string_equal(denial.process, "cc1(123)");
	assert_string_equal(denial.operation, "file-read-data");
	assert_string_equal(denial.about, "/Users/u/a b");
	assert_string_equal(denial.kind, "hidden");
	assert_false(denials_parse(line, "pinfold.run.abc.1", &denial));
	assert_false(denials_parse(line, "pinfold.run.abc", &denial));
	assert_false(denials_parse("pinfold.run.abc.0:hidden", "pinfold.run.abc.0", &denial));
	assert_false(denials_parse("Sandbox: a(1) deny(1)pinfold.run.abc.0:x", "pinfold.run.abc.0", &denial));
	assert_true(denials_parse("Sandbox: a(1) deny(1) signal pinfold.run.abc.0:default", "pinfold.run.abc.0", &denial));
	assert_string_equal(denial.about, "");
	/* Of two marks the kernel's is the last. */
	assert_false(denials_parse("Sandbox: a(1) deny(1) signal pinfold.run.abc.0:hidden pinfold.run.abc.1:hidden",
				   "pinfold.run.abc.0", &denial));
}

static void an_overlay_is_refused_by_name(void **state)
{
	struct mac *mac = *state;
	struct pinfold_error err = { 0 };
	mac->shown.kind = PINFOLD_SHOW_OVERLAY;
	assert_int_equal(mac_prepare(mac, &err), -1);
	assert_non_null(strstr(err.subject, "overlay"));
	mac_end(mac);
}

#define MAC_TEST(name) cmocka_unit_test_setup_teardown(name, mac_setup, mac_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MAC_TEST(a_trial_that_fails_refuses_every_run_of_its_process),
		MAC_TEST(what_was_tried_is_promised_and_the_rest_has_a_note),
		MAC_TEST(a_program_that_runs_although_it_is_refused_refuses_the_arm),
		MAC_TEST(a_kernel_that_cannot_tell_marks_takes_the_promise_of_the_tree_of_processes),
		MAC_TEST(a_caller_who_is_confined_already_is_refused),
		MAC_TEST(the_child_applies_verifies_and_consumes_in_this_order),
		MAC_TEST(each_step_that_fails_is_told_and_what_failed_is_named),
		MAC_TEST(a_child_that_is_not_confined_is_not_verified),
		MAC_TEST(a_profile_is_compiled_once_and_again_for_another_mark),
		MAC_TEST(applying_is_tried_once_in_a_process),
		MAC_TEST(what_the_library_says_of_a_profile_is_told),
		MAC_TEST(a_slot_is_taken_while_a_run_lasts_and_free_after_a_search_that_found_nobody),
		MAC_TEST(a_slot_of_a_profile_that_did_not_compile_is_free_again),
		MAC_TEST(without_a_free_mark_a_run_is_refused_by_name),
		MAC_TEST(a_copy_of_the_process_has_marks_of_its_own),
		MAC_TEST(what_left_the_runs_group_is_found_by_its_mark_and_ended),
		MAC_TEST(others_are_not_ended),
		MAC_TEST(a_search_gives_up_after_its_rounds_and_its_slot_is_never_used_again),
		MAC_TEST(a_grant_opens_what_it_is_bound_to_and_nothing_else),
		MAC_TEST(a_grant_that_cannot_be_issued_is_named),
		MAC_TEST(what_was_replaced_meanwhile_is_refused),
		MAC_TEST(paths_are_spelled_as_the_kernel_spells_them),
		MAC_TEST(what_is_spelled_otherwise_is_noted_once_with_both_spellings),
		MAC_TEST(a_profile_of_more_rules_than_the_limit_is_refused_with_both_figures),
		MAC_TEST(as_many_rules_as_the_limit_are_compiled_and_one_more_is_not),
		MAC_TEST(without_a_setting_the_limit_is_two_thousand_rules),
		MAC_TEST(any_call_may_fail_and_nothing_runs_unconfined),
		MAC_TEST(the_help_of_the_log_is_vetted),
		MAC_TEST(a_helper_that_is_not_trusted_is_told_and_the_run_goes_on),
		MAC_TEST(without_being_asked_nothing_listens),
		MAC_TEST(denials_are_told_up_to_the_end_of_the_run),
		MAC_TEST(each_refusal_is_told_once_with_how_often_it_was_tried_and_a_path_is_left_to_the_host),
		MAC_TEST(a_log_that_ends_or_hangs_is_told_and_harms_nothing),
		MAC_TEST(a_helper_that_hung_is_ended_and_no_other_run_waits_for_it),
		MAC_TEST(a_flood_of_others_lines_takes_no_room_and_no_more_than_its_time),
		MAC_TEST(a_flood_of_the_runs_own_is_bounded_and_said_and_takes_nothing_of_another_run),
		MAC_TEST(a_name_with_anothers_mark_is_the_runs_own_refusal_and_nonsense_is_none),
		MAC_TEST(a_process_that_left_the_group_is_ended_before_the_last_refusal_is_heard),
		MAC_TEST(a_line_of_the_log_is_one_refusal_of_the_run_it_names),
		MAC_TEST(an_overlay_is_refused_by_name),
	};
	calls_from(TEST_BUILD "/tests/fakes/.libs/mac.so");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
